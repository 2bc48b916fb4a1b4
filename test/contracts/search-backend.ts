// What a search that several machines share has to be, and its contract: whatever keeps it, in this process or behind a wire, passes these. The
// scores are held to the formula itself, written out below, so that an implementation in another language has something to be held to.
// Nothing in recall asks it yet; test/helpers/local-search-backend.ts keeps it within one process.
//
//     commit on any machine ──► tree id ──► keys of its documents ──► declare(view, keys)      what is missing: keep(documents)
//     question ──► terms ──► rank(view, terms, limit) ──► keys, by score                       texts stay in git
//
// Documents and views never change, so machines need no lock and no order among them: whoever comes second finds it done.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bm25, fieldBoosts, type LexicalFields, lexicalFieldNames } from '../../src/search/lexical-index.ts';

/** A text as its search terms. The key is the hash of what was indexed: equal words are one document, wherever and whenever they stand. */
export interface BackendDocument {
  readonly key: string;
  readonly terms: LexicalFields<readonly string[]>;
}

/** A document of a view that holds one of the terms asked for. */
export interface RankedDocument {
  readonly key: string;
  /** The sum of BM25 over terms and fields, with the constants of lexical-index.ts; above 0. */
  readonly score: number;
}

/** Ranks the documents of views by words. Each call stands for itself, and may be repeated; a failure of the way there is thrown as it is. */
export interface SearchBackend {
  /** Gives those of the keys of which no document is kept, in the order given. */
  missing(keys: readonly string[]): Promise<readonly string[]>;
  /** Keeps documents; those whose key is kept already are passed over. */
  keep(documents: readonly BackendDocument[]): Promise<void>;
  /**
   * Says which documents a view holds, all at once or not at all; `view` is the id of a tree, which means the same to every machine. A key
   * that is given twice counts once. Throws NOT_FOUND for a key of which no document is kept, CONFLICT for a view that holds others.
   */
  declare(view: string, keys: readonly string[]): Promise<void>;
  isDeclared(view: string): Promise<boolean>;
  /**
   * Gives at most `limit` documents of the view that hold one of the terms, highest score first, equal ones by key. How many documents there
   * are, how long, and how many hold a term is counted among those of the view alone, so the answer does not depend on what else is kept.
   * A term that is given twice counts once. Throws NOT_FOUND for a view that nobody declared, INVALID_ARGUMENT for a limit below 1.
   */
  rank(view: string, terms: readonly string[], limit: number): Promise<readonly RankedDocument[]>;
  /**
   * Lets go of views, and of documents that no other view holds: after a purge, or when a branch is gone. Unknown ones are passed over. Who
   * has kept documents for a view and not declared it yet finds them missing then, and keeps them again.
   */
  release(views: readonly string[]): Promise<void>;
}

const words = (text: string) => text.split(' ').filter((word) => word !== '');
const document = (key: string, text: string, title = '', tags = ''): BackendDocument => ({
  key,
  terms: { text: words(text), title: words(title), tags: words(tags) },
});

/** BM25 over the fields, straight from the formula; the length of a field is the number of its different terms. */
export function rankByFormula(
  documents: readonly BackendDocument[],
  terms: readonly string[],
  limit: number,
): RankedDocument[] {
  const scores = new Map<string, number>();
  for (const field of lexicalFieldNames) {
    const lengths = documents.map((one) => new Set(one.terms[field]).size);
    const average = lengths.reduce((sum, length) => sum + length, 0) / documents.length;
    for (const term of new Set(terms)) {
      const holding = documents.filter((one) => one.terms[field].includes(term)).length;
      const rarity = Math.log(1 + (documents.length - holding + 0.5) / (holding + 0.5));
      for (const [position, { key, terms: held }] of documents.entries()) {
        const frequency = held[field].filter((one) => one === term).length;
        if (frequency === 0) continue;
        const { k, b } = bm25;
        const spread = frequency + k * (1 - b + (b * lengths[position]!) / average);
        const score = (fieldBoosts[field] * rarity * (frequency * (k + 1))) / spread;
        scores.set(key, (scores.get(key) ?? 0) + score);
      }
    }
  }
  return [...scores]
    .map(([key, score]) => ({ key, score }))
    .sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1))
    .slice(0, limit);
}

/** To six digits: running averages and other orders of addition differ in the last ones. */
const rounded = (ranked: readonly RankedDocument[]) =>
  Object.fromEntries(ranked.map(({ key, score }) => [key, Number(score.toPrecision(6))]));

/** Defines the tests; `make` gives an empty backend. */
export function searchBackendContract(make: () => SearchBackend): void {
  const [ana, ben, eva] = [
    document('a1', 'ana lives in porto', 'people', 'lawyer'),
    document('b2', 'ben moved to porto and porto again', 'people'),
    document('e3', 'eva plays chess', 'people'),
  ] as const;

  it('ranks by the formula, highest first, and counts among the documents of the view alone', async () => {
    const backend = make();
    await backend.keep([ana, ben, eva]);
    await backend.declare('small', ['a1', 'e3']);
    await backend.declare('large', ['e3', 'b2', 'a1', 'a1']);
    const asked = ['porto', 'people', 'porto', 'nowhere'];
    const large = await backend.rank('large', asked, 10);
    expect(large[0]!.key).toBe('b2');
    expect(rounded(large)).toEqual(rounded(rankByFormula([ana, ben, eva], asked, 10)));
    expect(rounded(await backend.rank('small', asked, 10))).toEqual(rounded(rankByFormula([ana, eva], asked, 10)));
    expect((await backend.rank('large', asked, 1)).map(({ key }) => key)).toEqual(['b2']);
    expect(await backend.rank('large', ['nowhere'], 3)).toEqual([]);
  });

  it('gives equal scores by key, and answers an empty view with nothing', async () => {
    const backend = make();
    await backend.keep(['c', 'a', 'b'].map((key) => document(key, 'the same words')));
    await backend.declare('equal', ['b', 'c', 'a']);
    await backend.declare('empty', []);
    expect((await backend.rank('equal', ['same'], 2)).map(({ key }) => key)).toEqual(['a', 'b']);
    expect(await backend.rank('empty', ['same'], 2)).toEqual([]);
  });

  it('keeps a document once, whoever brings it, and tells what is missing', async () => {
    const backend = make();
    expect(await backend.missing(['b2', 'a1'])).toEqual(['b2', 'a1']);
    await Promise.all([backend.keep([ana, ben]), backend.keep([ben, document('b2', 'other words')])]);
    expect(await backend.missing(['e3', 'b2', 'a1'])).toEqual(['e3']);
    await backend.declare('view', ['b2']);
    expect(await backend.rank('view', ['other'], 3)).toEqual([]);
  });

  it('declares a view once and whole: a key that is missing, or other keys, change nothing', async () => {
    const backend = make();
    await backend.keep([ana, ben]);
    await expect(backend.declare('view', ['a1', 'e3'])).rejects.toMatchObject({ code: 'NOT_FOUND', where: 'e3' });
    expect(await backend.isDeclared('view')).toBe(false);
    await expect(backend.rank('view', ['porto'], 3)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await Promise.all([backend.declare('view', ['a1']), backend.declare('view', ['a1'])]);
    await expect(backend.declare('view', ['a1', 'b2'])).rejects.toMatchObject({ code: 'CONFLICT' });
    expect((await backend.rank('view', ['porto'], 3)).map(({ key }) => key)).toEqual(['a1']);
    await expect(backend.rank('view', ['porto'], 0)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('lets go of views and of what no other view holds', async () => {
    const backend = make();
    await backend.keep([ana, ben, eva]);
    await backend.declare('one', ['a1', 'b2']);
    await backend.declare('two', ['b2', 'e3']);
    await backend.release(['one', 'unknown']);
    expect([await backend.isDeclared('one'), await backend.isDeclared('two')]).toEqual([false, true]);
    expect(await backend.missing(['a1', 'b2', 'e3'])).toEqual(['a1']);
    expect((await backend.rank('two', ['porto'], 3)).map(({ key }) => key)).toEqual(['b2']);
  });

  it('takes words that objects inherit, and any words, for words', async () => {
    const word = fc.constantFrom('one', 'two', 'three', 'constructor', '__proto__', "it's", 'ä', '日本');
    const texts = fc.array(fc.array(word, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(texts, fc.array(word, { minLength: 1, maxLength: 3 }), async (all, asked) => {
        const backend = make();
        const documents = all.map((one, number) => document(`k${number}`, one.join(' ')));
        await backend.keep(documents);
        await backend.declare(
          'view',
          documents.map(({ key }) => key),
        );
        expect(rounded(await backend.rank('view', asked, 20))).toEqual(rounded(rankByFormula(documents, asked, 20)));
      }),
      { numRuns: 50 },
    );
  });
}
