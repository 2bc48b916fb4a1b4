import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitSentences } from '../../../src/base/sentences.ts';
import { estimateTokens } from '../../../src/base/token-estimate.ts';
import { isStopWord } from '../../../src/base/tokenizer.ts';
import { type GistLevel, gistBands, gistOf } from '../../../src/core/lifecycle/gist/gist.ts';
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

const talk =
  'We have decided to move the archive of the company from Porto to Braga by 2026-11-05, because the office in the old town closes. ' +
  'The rent is 1,250 euros for the first 3 months. Somebody from the landlord will call about the keys tomorrow. ' +
  'We do not need the van, unless the shelves are to be moved, too.';

describe('gistOf', () => {
  it('leaves out what is worth least, wherever it stands, and nothing with a number, a day, a denial or a condition', () => {
    const [decided, rent, keys, van] = splitSentences(talk);
    expect(gistOf(talk)).toBeNull();
    const chat =
      'It was a nice long talk, with tea and a view of the river, and everybody seemed to be quite pleased with it.';
    for (const sentences of [
      [chat, decided, rent, van],
      [decided, rent, chat, keys, van],
    ])
      expect(gistOf(sentences.join(' '))).toBe(sentences.filter((one) => one !== chat).join(' '));
  });

  it('keeps the numbers of a list, and lets go what leans on a sentence that goes', () => {
    const list = '1. Rinse the jar.\n2. Fill it.\n10. Label it.';
    const lid = 'The lid was a pretty one with a picture of a pear. It came with the jar, and was quite well drawn.';
    const jam = 'The jam was thick and sweet and smelled of summer and of the long road home.';
    const kept = '1. Rinse the jar. 2. Fill it. 10. Label it.';
    expect([`${kept} ${lid}`, `${kept} ${jam}`]).toContain(gistOf(`${list}\n\n${lid} ${jam}`));
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
      'To publish it you basically have to run `git memory snapshot v0.1.0` in the folder src/store/build.ts, as we all know. Look at ' +
      'the page, which is https://example.org/a?b=c, in a browser. Somebody waters the plants in the hall, which are quite pretty by now and smell nice.';
    const gist = gistOf(text)!;
    for (const part of ['`git memory snapshot v0.1.0`', 'src/store/build.ts', 'https://example.org/a?b=c']) {
      expect(gist).toContain(part);
    }
  });

  it('makes one line of markdown, and keeps its items apart', () => {
    const kept = ['Run all of the tests on a machine that is quiet', 'Read the section on the limits of 2 pages'];
    const text = `# Release\n\n- ${kept.join('\n- ')}\n\n\`\`\`\nnpm test -- --all\n\`\`\`\n\nThis was written down by somebody who has left since. Others know more of it than the page does.\n`;
    const gist = gistOf(text)!;
    expect(gist.startsWith(`Release; ${kept.join('; ')}; \`npm test -- --all\``)).toBe(true);
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
});
