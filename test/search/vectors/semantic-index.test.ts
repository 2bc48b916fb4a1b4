import { beforeEach, describe, expect, it } from 'vitest';
import { type Embedder, type EmbedderSource, ephemeralFileSystem, MemoryError } from '../../../src/index.ts';
import type { Layout } from '../../../src/search/layout.ts';
import type { Likenesses } from '../../../src/search/recall-options.ts';
import { SearchIndex } from '../../../src/search/search-index.ts';
import { type SemanticAnswer, SemanticIndex } from '../../../src/search/vectors/semantic-index.ts';
import { Disk } from '../../../src/store/git/disk.ts';
import { formatTranscript, transcriptPath } from '../../../src/store/records/transcript.ts';
import { Shelf } from '../corpus.ts';

let time: number;
let place: ConstructorParameters<typeof SemanticIndex>[1]['place'];
let seen: string[];

beforeEach(() => {
  time = 0;
  seen = [];
  place = { disk: new Disk(ephemeralFileSystem(), false), directory: '/cache', logger: { warn: () => {} } };
});

/** Knows two meanings: animals and vehicles. */
const meanings: Record<string, number> = { dog: 0, puppy: 0, car: 1, truck: 1 };

const embedder: Embedder = {
  name: 'meanings',
  fingerprint: 'meanings 1',
  dimensions: 2,
  isInstant: true,
  embed: async (texts, options) =>
    texts.map((text) => {
      if (options?.kind !== 'query') seen.push(text.trimEnd().split('\n').at(-1)!);
      const vector = new Float32Array(2);
      for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
        const meaning = meanings[word];
        if (meaning !== undefined) vector[meaning]! += 1;
      }
      return vector;
    }),
};

function open(source: EmbedderSource = embedder): SemanticIndex {
  return new SemanticIndex(source, { place, clock: { now: () => time } });
}

/** Lays out one file for each text; the document of a text is the slot of its place. */
function notes(...texts: string[]): Layout {
  const shelf = new Shelf();
  const index = new SearchIndex(shelf.read);
  index.moveTo(shelf.listing(texts.map((text, number) => [`knowledge/reference/${number}.md`, `# Note\n\n${text}\n`])));
  return index.layout;
}

const slotsOf = ({ count }: Layout): number[] => Array.from({ length: count }, (_, slot) => slot);

const bySlot =
  ({ rows, scores }: Likenesses) =>
  (slot: number): number =>
    scores[rows[slot]!]!;

const isPublic = () => false;

async function answerOf(index: SemanticIndex, documents: Layout, query = 'puppy'): Promise<SemanticAnswer> {
  const answer = await index.ask(query, documents, isPublic);
  if (answer instanceof MemoryError) throw answer;
  return answer;
}

describe('a semantic index', () => {
  it('knows what is meant where no word is shared', async () => {
    const documents = notes('the dog barks', 'the car honks');
    const { likeness, missing, embedder: name } = await answerOf(open(), documents);
    expect(slotsOf(documents).map(bySlot(likeness!.ofQuestion(documents)))).toEqual(
      [1, 0].map((likeness) => expect.closeTo(likeness, 4)),
    );
    expect({ missing, name }).toEqual({ missing: 0, name: 'meanings' });
  });

  it('embeds a text once, ever, also for another process', async () => {
    const documents = notes('a dog', 'a car');
    const index = open();
    await index.embedAll(documents, isPublic);
    await answerOf(index, notes('a dog'));
    await answerOf(open(), notes('a dog', 'a car', 'a truck'));
    expect(seen).toEqual(['a dog', 'a car', 'a truck']);
  });

  it('embeds a turn alone, whoever spoke and whatever was said before, and a section under its title', async () => {
    const turns = ['Which pet do you mean?', 'The small dog.'].map((text, at) => ({
      role: at === 0 ? 'user' : 'assistant',
      text,
      time: at * 1000,
    }));
    const transcript = { sessionId: 's1', started: 0, title: 'Pets', turns };
    const shelf = new Shelf();
    const index = new SearchIndex(shelf.read);
    index.moveTo(
      shelf.listing([
        [transcriptPath(transcript), formatTranscript(transcript)],
        ['knowledge/reference/0.md', '# Cars\n\nA truck.\n'],
      ]),
    );
    const whole: string[] = [];
    const heard: Embedder = {
      ...embedder,
      embed: (texts, options) => {
        if (options?.kind !== 'query') whole.push(...texts);
        return embedder.embed(texts, options);
      },
    };
    const { layout } = index;
    const { likeness } = await answerOf(open(heard), layout, 'puppy');
    expect(whole.sort()).toEqual(['Cars\n0\nA truck.', 'The small dog.', 'Which pet do you mean?']);
    const slotOf = (text: string) => slotsOf(layout).find((slot) => layout.document(slot).text.includes(text))!;
    const [near] = likeness!.of([layout.document(slotOf('dog'))], layout);
    expect([slotOf('dog'), slotOf('truck')].map(bySlot(near!))).toEqual(
      [1, 0].map((value) => expect.closeTo(value, 4)),
    );
  });

  it('has nothing of texts in a language that the embedder does not know', async () => {
    const german = 'Der Hund bellt in der Nacht, und die Nachbarn schlafen deshalb nicht mehr gut.';
    const documents = notes('The dog barks at night, and so the neighbours do not sleep well any more.', german);
    const { likeness, missing } = await answerOf(open({ ...embedder, languages: ['en'] }), documents);
    expect(slotsOf(documents).map(bySlot(likeness!.ofQuestion(documents)))).toEqual([expect.closeTo(1, 4), Number.NaN]);
    expect([missing, likeness!.understands('en'), likeness!.understands('de')]).toEqual([0, true, false]);
  });

  it('writes no file for a few texts that a question embeds', async () => {
    await answerOf(open(), notes('a dog'));
    await answerOf(open(), notes('a dog'));
    expect(seen).toEqual(['a dog', 'a dog']);
    const many = notes(...Array.from({ length: 70 }, (_, number) => `dog number ${number}`));
    await answerOf(open(), many);
    seen = [];
    await answerOf(open(), many);
    expect(seen).toEqual([]);
  });

  it('loads an embedder when it is first needed, once, and closes what it loaded', async () => {
    let loads = 0;
    let closes = 0;
    const close = async () => {
      closes += 1;
    };
    const index = open(async () => {
      loads += 1;
      return { ...embedder, close };
    });
    expect(loads).toBe(0);
    await Promise.all([answerOf(index, notes('a dog')), answerOf(index, notes('a car'))]);
    await index.close();
    expect({ loads, closes }).toEqual({ loads: 1, closes: 1 });

    const given = open({ ...embedder, close });
    await answerOf(given, notes('a dog'));
    await given.close();
    await open(async () => ({ ...embedder, close })).close();
    expect(closes).toBe(1);
  });

  it('leaves texts to another time where embedding takes its time, and says how many', async () => {
    const documents = notes('a dog', 'a car');
    const index = open({ ...embedder, isInstant: false });
    const first = await answerOf(index, documents);
    expect([first.missing, seen]).toEqual([2, []]);
    expect(first.likeness).toBeUndefined();
    await index.embedAll(documents, isPublic);
    const then = await answerOf(index, documents);
    expect([then.missing, bySlot(then.likeness!.ofQuestion(documents))(0)]).toEqual([0, expect.closeTo(1, 4)]);
  });

  it('embeds all when told to', async () => {
    const documents = notes(...Array.from({ length: 70 }, (_, number) => `dog number ${number}`));
    const progress: number[] = [];
    const index = open();
    const onProgress = ({ done }: { done: number }) => progress.push(done);
    expect(await index.embedAll(documents, isPublic, { onProgress })).toEqual({
      embedder: 'meanings',
      embedded: 70,
      known: 70,
      left: 0,
    });
    expect(progress).toEqual([0, 32, 64, 70]);
    expect((await index.embedAll(documents, isPublic)).embedded).toBe(0);
  });

  it('compares documents with each other without a question, and embeds none', async () => {
    const documents = notes('the dog barks', 'a puppy', 'the car honks');
    const asked: unknown[] = [];
    const watched: Embedder = {
      ...embedder,
      embed: (texts, options) => {
        if (options?.kind === 'query') asked.push(texts);
        return embedder.embed(texts, options);
      },
    };
    const { likeness } = (await open(watched).ask(null, documents, isPublic)) as SemanticAnswer;
    expect(asked).toEqual([]);
    const [near] = likeness!.of([documents.document(0)], documents);
    expect(slotsOf(documents).map(bySlot(near!))).toEqual([1, 1, 0].map((value) => expect.closeTo(value, 4)));
    expect(slotsOf(documents).map(bySlot(likeness!.ofQuestion(documents)))).toEqual([NaN, NaN, NaN]);
  });
});

describe('private texts', () => {
  const isPrivate = (path: string) => path.endsWith('/1.md');

  it('are embedded, and their vectors never written', async () => {
    const index = open();
    const documents = notes('a dog', 'a car');
    await index.embedAll(documents, isPrivate);
    const answer = (await index.ask('car', documents, isPrivate)) as SemanticAnswer;
    expect(bySlot(answer.likeness!.ofQuestion(documents))(1)).toBeCloseTo(1, 4);
    seen = [];
    await open().ask('car', documents, isPrivate);
    expect(seen).toEqual(['a car']);
  });

  it('are kept from an embedder on another machine', async () => {
    const index = open({ ...embedder, isRemote: true });
    const documents = notes('a dog', 'a car');
    const answer = (await index.ask('car', documents, isPrivate)) as SemanticAnswer;
    expect(seen).toEqual(['a dog']);
    expect(answer.missing).toBe(1);
    expect((await index.embedAll(documents, isPrivate)).embedded).toBe(0);
  });
});

describe('an embedder that fails', () => {
  const missing = () => new MemoryError('EMBEDDER_UNAVAILABLE', 'the model is not there');

  it('is an answer, and is left alone for half a minute', async () => {
    let loads = 0;
    const index = open(async () => {
      loads += 1;
      if (loads < 3) throw missing();
      return embedder;
    });
    for (const now of [0, 29_000]) {
      time = now;
      expect(await index.ask('puppy', notes('a dog'), isPublic)).toMatchObject({ code: 'EMBEDDER_UNAVAILABLE' });
    }
    expect(loads).toBe(1);
    time = 31_000;
    await index.ask('puppy', notes('a dog'), isPublic);
    expect(loads).toBe(2);
    time = 62_000;
    expect((await answerOf(index, notes('a dog'))).missing).toBe(0);
  });

  it('to embed a question is one too', async () => {
    const index = open({ ...embedder, embed: () => Promise.reject(new Error('server on fire')) });
    const answer = await index.ask('puppy', notes(), isPublic);
    expect(answer).toMatchObject({ code: 'EMBEDDING_FAILED' });
  });

  it('throws when everything is to be embedded', async () => {
    const index = open(() => Promise.reject(missing()));
    await expect(index.embedAll(notes('a dog'), isPublic)).rejects.toMatchObject({ code: 'EMBEDDER_UNAVAILABLE' });
  });

  it('is not blamed for an abort', async () => {
    const stop = new AbortController();
    stop.abort(new Error('enough'));
    const index = open();
    await expect(index.ask('puppy', notes('a dog'), isPublic, stop.signal)).rejects.toThrow('enough');
    expect((await answerOf(index, notes('a dog'))).missing).toBe(0);
  });
});
