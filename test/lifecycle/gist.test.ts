import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitSentences } from '../../src/base/sentences.ts';
import { estimateTokens } from '../../src/base/token-estimate.ts';
import { isStopWord } from '../../src/base/tokenizer.ts';
import { threadsOf } from '../../src/lifecycle/gist/cuts.ts';
import { type GistLevel, gistBands, gistOf } from '../../src/lifecycle/gist/gist.ts';
import { sentencesOf } from '../../src/lifecycle/gist/words.ts';
import { apolloIsPresent, apolloMessages, skippedNote } from '../capture/apollo.ts';

const levels: readonly GistLevel[] = ['light', 'moderate', 'strong'];
const wordCount = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;
const numbersOf = (text: string): string[] => (text.match(/\d+/g) ?? []).sort();
const savingOf = (text: string, gist: string | null): number => 1 - estimateTokens(gist ?? text) / estimateTokens(text);

/** Capitalised words that open no sentence, and whatever has a capital inside or is all capitals. */
function namesOf(text: string): string[] {
  const inside = [...text.matchAll(/(?<=[\p{Ll}\p{N},;'’] )\p{Lu}[\p{L}\p{N}]*/gu)].map(([name]) => name);
  const shouted = text.match(/(?<![\p{L}\p{N}])\p{Lu}[\p{Lu}\p{N}]+(?![\p{L}\p{N}])/gu) ?? [];
  // "Okay, The panel": articles and the like name nobody.
  return [...inside, ...shouted].filter((name) => !isStopWord(name.toLowerCase()) && !/^(?:Now|Okay|Well)$/.test(name));
}

function missingFrom(text: string, gist: string): string[] {
  const kept = new Set(gist.match(/[\p{L}\p{N}]+/gu));
  return namesOf(text).filter((name) => !kept.has(name));
}

it('looks at a bounded number of ends of a thread, however long that is', () => {
  const threads = (count: number) =>
    threadsOf(sentencesOf(`The plan stands firm today. ${'Ipsum dolor sit. '.repeat(count)}`));
  expect(threads(10)).toHaveLength(10);
  expect(threads(300).length).toBeLessThan(40);
  expect(threads(300).some(({ from, to }) => to - from >= 300)).toBe(true);
});

const talk =
  'Okay, well, we have decided, you know, to move the archive of the company from Porto to Braga by 2026-11-05, because the office ' +
  'in the old town is going to be closed. Thank you very much. Somebody from the new landlord will call about the keys tomorrow. ' +
  'The rent is 1,250 euros for the first 3 months. We do not need the van, unless the shelves are to be moved, too.';

describe('gistOf', () => {
  it('leaves out fillers, clauses that give a reason, and whole sentences', () => {
    expect(gistOf(talk)).toBe(
      'We have decided to move the archive of the company from Porto to Braga by 2026-11-05. Somebody from the new landlord will call about the keys tomorrow. The rent is 1,250 euros for the first 3 months. We do not need the van, unless the shelves are to be moved, too.',
    );
    expect(gistOf(talk, 'light')).toBe(
      'We have decided to move the archive of the company from Porto to Braga by 2026-11-05, because the office in the old town is going to be closed. Thank you very much. Somebody from the new landlord will call about the keys tomorrow. The rent is 1,250 euros for the first 3 months. We do not need the van, unless the shelves are to be moved, too.',
    );
  });

  it('is none for fewer than 30 words, and none for one dense sentence', () => {
    expect(gistOf('Basically, we should, you know, move the archive to Braga.')).toBeNull();
    const dense = Array.from({ length: 40 }, (_, at) => `P${at}`).join(' ');
    const sentence =
      'The van may only be used by people who have a licence and have signed the list at the desk before nine on the day on which they want to use it or on the day before.';
    for (const level of levels) {
      expect(gistOf(dense, level)).toBeNull();
      expect(gistOf(sentence, level)).toBeNull();
    }
  });

  it('never leaves a word out of a clause that stands', () => {
    const text =
      'When a part is made, the last use of it is set to now, since making it counts as a use. Its strength stays as it was before. ' +
      'The shelf by the window is for the paints that dry slowly. Never put more than two of the brushes into one of the jars.';
    for (const level of levels) {
      const gist = gistOf(text, level);
      if (gist === null) continue;
      expect(gist).toContain('When a part is made, the last use of it is set to now');
      expect(gist.includes('brushes')).toBe(
        gist.includes('Never put more than two of the brushes into one of the jars.'),
      );
    }
    expect(gistOf(text)).not.toBeNull();
  });

  it('keeps an exception beside its rule, and a step beside the one before it', () => {
    const rule = 'The hall may be used by every club of the town on weekdays.';
    const exception = 'The hall may not be used by clubs that owe rent.';
    const others =
      'A friend of mine once painted the ceiling there. Coffee tastes best from the small machine upstairs.';
    for (const level of levels) {
      const gist = gistOf(`${rule} ${others} ${exception}`, level);
      if (gist?.includes(rule)) expect(gist).toContain(exception);
    }
    const steps =
      'To warm up:\n\n1. Open the valve slowly.\n2. Wait until the needle rests.\n3. Close the lid and count the bolts.\n';
    const gist = gistOf(`${steps}\n${others} The curtains were a present. They came from an aunt.`)!;
    for (const step of ['1) Open the valve slowly', '2) Wait until', '3) Close the lid']) expect(gist).toContain(step);
  });

  it('never lets a sentence speak of something else because one before it is gone', () => {
    const text =
      'The red pump feeds the upper basin. The blue pump feeds the lower basin and was painted last year by the trainees. It must be ' +
      'oiled every week. Lunch is in the yard. A choir sings there on most evenings of the summer when the weather is warm.';
    for (const level of levels) {
      const gist = gistOf(text, level);
      if (gist?.includes('It must be oiled')) expect(gist).toContain('The blue pump feeds the lower basin');
    }
  });

  it('keeps code, paths and addresses whole', () => {
    const text =
      'To publish it you basically have to run `git memory snapshot v0.1.0` in the folder src/store/build.ts, as we all know. Somebody should ' +
      'water the plants in the hall. Look at the page, which is https://example.org/a?b=c, in a browser.';
    const gist = gistOf(text)!;
    for (const part of ['`git memory snapshot v0.1.0`', 'src/store/build.ts', 'https://example.org/a?b=c']) {
      expect(gist).toContain(part);
    }
  });

  it('makes one line of markdown, and keeps its items apart', () => {
    const text = `# Release\n\n- Run all of the tests on a machine that is quiet\n- Read the section on the limits of it again, and the page for people who are new\n\n\`\`\`sh\nnpm test -- --all\n\`\`\`\n\nA cake for everybody stands in the kitchen on the day of the release.\n`;
    expect(gistOf(text)).toBe(
      'Release: Run all of the tests on a machine that is quiet; Read the section on the limits of it again, and the page for people who are new; `npm test -- --all`',
    );
  });

  it('is made of sentences of its text and keeps to its band, whatever the text', () => {
    const word = fc.constantFrom(
      ...'the a of moves stones not 42 Ada red never pump 3.5 only river don’t before walls'.split(' '),
    );
    const sentence = fc.array(word, { minLength: 1, maxLength: 14 }).map((words) => `Here ${words.join(' ')}.`);
    fc.assert(
      fc.property(
        fc.array(sentence, { minLength: 3, maxLength: 12 }),
        fc.constantFrom(...levels),
        (sentences, level) => {
          const text = sentences.join(' ');
          const gist = gistOf(text, level);
          if (gist === null) return;
          let from = 0;
          for (const kept of splitSentences(gist)) {
            from = sentences.indexOf(kept, from) + 1;
            expect(from).toBeGreaterThan(0);
          }
          expect(gistOf(text, level)).toBe(gist);
          expect(savingOf(text, gist)).toBeGreaterThanOrEqual(gistBands[level].least);
          expect(savingOf(text, gist)).toBeLessThanOrEqual(gistBands[level].most);
        },
      ),
    );
  });

  it('takes any text', () => {
    const word = fc.oneof(
      fc.constantFrom(
        ...'the a of really I think that is Okay, not 42 Ada (maybe "so" - ... and, 3.5 v1.2 don’t # * \n'.split(' '),
      ),
      fc.string({ maxLength: 8 }),
    );
    fc.assert(
      fc.property(fc.array(word, { minLength: 30, maxLength: 120 }), fc.constantFrom(...levels), (words, level) => {
        expect(gistOf(words.join(' '), level) ?? '').not.toContain('\n');
      }),
    );
  });
});

function knowledgeTexts(): string[] {
  return readdirSync('knowledge', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => readFileSync(`knowledge/${name}`, 'utf8'))
    .filter((text) => wordCount(text) >= 30);
}

describe(`gists of real texts${skippedNote}`, () => {
  const texts = !apolloIsPresent
    ? []
    : [
        ...apolloMessages()
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line).text as string)
          .filter((text) => wordCount(text) >= 30),
        ...knowledgeTexts(),
      ];

  it.runIf(apolloIsPresent)('hold no number and no name that their text does not hold', () => {
    for (const text of texts) {
      for (const level of levels) {
        const gist = gistOf(text, level) ?? '';
        expect(missingFrom(gist, text)).toEqual([]);
        const numbers = new Set(numbersOf(text));
        expect(numbersOf(gist).filter((number) => !numbers.has(number))).toEqual([]);
      }
    }
  });

  it.runIf(apolloIsPresent)(
    'save a twentieth of all tokens of talk at the moderate level, with those that have none',
    () => {
      const tokens = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
      const left = texts.reduce((sum, text) => sum + estimateTokens(gistOf(text) ?? text), 0);
      expect(1 - left / tokens).toBeGreaterThan(0.05);
    },
  );
});
