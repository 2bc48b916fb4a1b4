import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../../src/base/token-estimate.ts';
import { isStopWord } from '../../src/base/tokenizer.ts';
import { bestGistOf, type GistLevel, gistBands, gistOf } from '../../src/lifecycle/gist/gist.ts';
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
  'Okay, well, I think that we have decided, you know, to move the archive of the company from Porto to Braga by 2026-11-05, ' +
  'because the office in Porto is really going to be closed. Thank you very much. Ana Silva, who is always very helpful, will ' +
  'please send the contract to the new landlord, and the rent is 1,250 euros for the first 3 months. We do not need the old keys.';

describe('gistOf', () => {
  it('says the same in telegraphic English', () => {
    expect(gistOf(talk, 'light')).toBe(
      'I think that we have decided, you know, to move the archive of the company from Porto to Braga by 2026-11-05, because the office in Porto is going to be closed. Ana Silva, who is always helpful, will please send the contract to the new landlord, and the rent is 1,250 euros for the first 3 months. We do not need the old keys.',
    );
    expect(gistOf(talk, 'moderate')).toBe(
      'We decided to move archive of company from Porto to Braga by 2026-11-05, because office in Porto going to be closed. Ana Silva, always helpful, will send contract to new landlord, and rent 1,250 euros for first 3 months. We do not need old keys.',
    );
    expect(gistOf(talk, 'strong')).toBe(
      'Decided move archive company Porto Braga 2026-11-05, because office Porto closed. Ana Silva, always helpful, send contract landlord, rent 1,250 euros first 3 months.',
    );
  });

  it('is none for fewer than 30 words, and none where hardly anything can go', () => {
    expect(gistOf('I really think that we should, you know, move the archive to Braga.')).toBeNull();
    const dense = Array.from({ length: 40 }, (_, at) => `P${at}`).join(' ');
    for (const level of levels) expect(gistOf(dense, level)).toBeNull();
  });

  it('keeps what turns a meaning round', () => {
    const text =
      'We really should not restart the server before the backup is finished, unless the disk is completely full, and we never ' +
      'delete the journal without asking the maintainer of the project first, because it is the only copy that we have.';
    const gist = gistOf(text)!;
    for (const word of ['not', 'before', 'unless', 'never', 'without', 'only']) expect(gist).toContain(word);
  });

  it('keeps code, paths and addresses whole', () => {
    const text =
      'In order to publish it you basically just have to run `git memory snapshot v0.1.0` in the folder that is called ' +
      'src/store/build.ts and then look at the page of the project, which is https://example.org/a?b=c, in the browser of your choice.';
    const gist = gistOf(text)!;
    for (const part of ['`git memory snapshot v0.1.0`', 'src/store/build.ts', 'https://example.org/a?b=c']) {
      expect(gist).toContain(part);
    }
  });

  it('makes one line of markdown, and keeps its items apart', () => {
    const text = `# Release\n\n- Run all of the tests on a machine that is quiet\n- Read the section on the limits of it again\n\n\`\`\`sh\nnpm test -- --all\n\`\`\`\n\nThere is never a release on a Friday, as we have all learned.\n`;
    expect(gistOf(text)).toBe(
      'Release: Run all of tests on machine quiet; Read section on limits of it; `npm test -- --all`; Never release on Friday, as we have all learned.',
    );
  });

  it('keeps every number and keeps to its band, whatever the text', () => {
    const word = fc.oneof(
      fc.constantFrom(
        ...'the a of really I think that is Okay, not 42 Ada (maybe "so" - ... and, 3.5 v1.2 don’t # * \n'.split(' '),
      ),
      fc.string({ maxLength: 8 }),
    );
    fc.assert(
      fc.property(fc.array(word, { minLength: 30, maxLength: 120 }), fc.constantFrom(...levels), (words, level) => {
        const text = words.join(' ');
        const gist = gistOf(text, level);
        if (gist === null) return;
        expect(numbersOf(gist)).toEqual(numbersOf(text));
        expect(gist).not.toContain('\n');
        expect(gistOf(text, level)).toBe(gist);
        expect(savingOf(text, gist)).toBeGreaterThanOrEqual(gistBands[level].least);
        expect(savingOf(text, gist)).toBeLessThanOrEqual(gistBands[level].most);
      }),
    );
  });

  it('falls back to a weaker gist where a strong one would lose a number', () => {
    const text = `${talk} Rooms 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115 and 116 stay.`;
    expect(gistOf(text, 'strong')).toBeNull();
    expect(bestGistOf(text, 'strong')).toBe(gistOf(text, 'moderate'));
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

  it.runIf(apolloIsPresent).each(levels)('keep every number and every name: %s', (level) => {
    for (const text of texts) {
      const gist = gistOf(text, level);
      if (gist === null) continue;
      expect(numbersOf(gist)).toEqual(numbersOf(text));
      expect(missingFrom(text, gist)).toEqual([]);
    }
  });

  it.runIf(apolloIsPresent)('save 20 to 40 % of all tokens at the moderate level, with those that have none', () => {
    const tokens = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
    const left = texts.reduce((sum, text) => sum + estimateTokens(gistOf(text) ?? text), 0);
    expect(1 - left / tokens).toBeGreaterThan(0.2);
    expect(1 - left / tokens).toBeLessThan(0.4);
    const characters = texts.reduce((sum, text) => sum + text.length, 0);
    const charactersLeft = texts.reduce((sum, text) => sum + (gistOf(text) ?? text).length, 0);
    expect(1 - charactersLeft / characters).toBeGreaterThan(0.2);
  });

  it.runIf(apolloIsPresent)('are there for most texts, at every level', () => {
    for (const level of levels) {
      const made = texts.filter((text) => gistOf(text, level) !== null).length;
      expect(made / texts.length).toBeGreaterThan(0.7);
    }
  });
});
