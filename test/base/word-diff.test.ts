import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { otherWording, wordDiff } from '../../src/base/word-diff.ts';
import { hasGit, tryGit } from '../helpers/native-git.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

const changed = (text: string) => ({
  before: text.replace(/\{\+.*?\+\}/g, '').replace(/\[-(.*?)-\]/g, '$1'),
  after: text.replace(/\[-.*?-\]/g, '').replace(/\{\+(.*?)\+\}/g, '$1'),
});

describe('two wordings as one', () => {
  it('mark what went and what came', () => {
    expect(wordDiff('prefers tea at noon', 'prefers coffee at noon')).toBe('prefers [-tea-]{+coffee+} at noon');
    expect(wordDiff('met Ada twice', 'met Ada')).toBe('met Ada[-twice-]');
    expect(wordDiff('', 'all new')).toBe('{+all new+}');
    expect(wordDiff('all gone\nboth lines', '')).toBe('[-all gone-]\n[-both lines-]');
    expect(wordDiff('same', 'same')).toBe('same');
  });

  it('hold all words of both, in their order', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', 'd', '\n', '  '), { maxLength: 12 })
      .map((words) => words.join(' '));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const both = changed(
          wordDiff(before, after)
            .replace(/-\]\{\+/g, '-] {+')
            .replace(/-\]/g, '-] ')
            .replace(/\[-/g, ' [-'),
        );
        expect(both.before.split(/\s+/).join(' ').trim()).toBe(before.split(/\s+/).join(' ').trim());
        expect(both.after.split(/\s+/).join(' ').trim()).toBe(after.split(/\s+/).join(' ').trim());
      }),
    );
  });

  it.skipIf(!hasGit)('are marked as native git marks them', () => {
    const folder = temporaryFolder();
    const words = 'one two three four five six seven eight nine ten'.split(' ');
    fc.assert(
      fc.property(fc.subarray(words, { minLength: 1 }), fc.subarray(words, { minLength: 1 }), (left, right) => {
        fc.pre(left.join() !== right.join());
        writeFileSync(join(folder, 'left'), `${left.join(' ')}\n`);
        writeFileSync(join(folder, 'right'), `${right.join(' ')}\n`);
        const { stdout } = tryGit(folder, ['diff', '--no-index', '--word-diff', 'left', 'right']);
        expect(`${wordDiff(left.join(' '), right.join(' '))}\n`).toBe(stdout.slice(stdout.indexOf('@@\n') + 3));
      }),
      { numRuns: 30 },
    );
  });

  it('are told apart at once where thousands of words changed', () => {
    const many = (word: string) => Array.from({ length: 20_000 }, (_, at) => `${word}${at}`).join(' ');
    expect(wordDiff(many('a'), many('b'))).toBe(`[-${many('a')}-]{+${many('b')}+}`);
  });

  it('stand as they are where little is common', () => {
    expect(otherWording('The meeting is on 11 May', 'The meeting is on 12 May')).toBe(
      'The meeting is on [-11-]{+12+} May',
    );
    expect(otherWording('prefers tea', 'the launch moved to Friday')).toBe('the launch moved to Friday');
  });
});
