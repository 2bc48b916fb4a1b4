// Two wordings as one text, word by word, for people. Where git's own answer is promised, lines are compared by line-diff.ts.

import { diffArrays } from 'diff';

/** With more words changed than that, all of one text stands before all of the other: nobody reads a longer mixture. */
const maxChanges = 500;

/**
 * Marks what became of a text, as `git diff --word-diff` does: `prefers [-tea-]{+coffee+} at noon`.
 *
 * Words are what white space parts. White space itself is that of the second text. No mark goes over the end of a line.
 */
export const wordDiff = (before: string, after: string): string => marked(before, after).text;

/** Gives another wording of a text with its changes marked, or as it is where fewer than half of its words are in both. */
export function otherWording(text: string, other: string): string {
  const { text: both, common } = marked(text, other);
  return common * 2 >= wordsOf(other).length ? both : other;
}

interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

function wordsOf(text: string): Word[] {
  return Array.from(text.matchAll(/\S+/g), ({ 0: word, index }) => ({
    text: word,
    start: index,
    end: index + word.length,
  }));
}

function marked(before: string, after: string): { text: string; common: number } {
  const [left, right] = [wordsOf(before), wordsOf(after)];
  let [i, j, done, common] = [0, 0, 0, 0];
  let text = '';
  for (const { removed, added, kept } of runsOf(left, right)) {
    if (removed + added > 0) {
      // What only went stood behind the word before it.
      const place = added > 0 ? right[j]!.start : (right[j - 1]?.end ?? 0);
      text += after.slice(done, place);
      if (removed > 0) text += mark('[-', before.slice(left[i]!.start, left[i + removed - 1]!.end), '-]');
      done = added > 0 ? right[j + added - 1]!.end : place;
      text += mark('{+', after.slice(place, done), '+}');
    }
    i += removed + kept;
    j += added + kept;
    common += kept;
  }
  return { text: text + after.slice(done), common };
}

/** A change, or none, and the words behind it that are in both. */
interface Run {
  removed: number;
  added: number;
  kept: number;
}

function runsOf(left: readonly Word[], right: readonly Word[]): Run[] {
  const [mine, other] = [left, right].map((words) => words.map(({ text }) => text)) as [string[], string[]];
  const all = { removed: mine.length, added: other.length, kept: 0 };
  if (mine.length === 0 || other.length === 0) return [all];
  const parts = diffArrays(mine, other, { maxEditLength: maxChanges });
  if (parts === undefined) return [all];
  const runs: Run[] = [];
  let run: Run = { removed: 0, added: 0, kept: 0 };
  for (const { removed, added, value } of parts) {
    if ((removed || added) && run.kept > 0) {
      runs.push(run);
      run = { removed: 0, added: 0, kept: 0 };
    }
    run[removed ? 'removed' : added ? 'added' : 'kept'] += value.length;
  }
  return [...runs, run];
}

const mark = (opening: string, text: string, closing: string): string =>
  text.replace(/[^\n]+/g, (line) => opening + line + closing);
