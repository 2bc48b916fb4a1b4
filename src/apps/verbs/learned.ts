// The verb that tells when a text came into the memory and when it went.

import { z } from 'zod';
import { MemoryError } from '../../base/errors.ts';
import type { LearnedEntry } from '../../base/types.ts';
import { cut, type Style, shortOid, shortTime } from './style.ts';
import { defineVerb, filled, flag, maybe, optional } from './verb.ts';

export const learned = defineVerb({
  name: 'learned',
  summary: 'Show when a text came into the memory, or went',
  help:
    'Like git log -S, this lists commits that change how often the text occurs in a file, newest first, with both ' +
    'numbers. With --regex it works like git log -G: it lists commits whose added or removed lines match. The first ' +
    'question reads the whole history; a cache makes later ones fast.',
  input: z.strictObject({
    text: filled.describe('the exact text, or a pattern with --regex'),
    regex: flag('the text is a pattern in RE2 syntax'),
    ignoreCase: flag('with --regex: ignore the case of letters'),
    path: maybe('only this file or folder'),
    since: optional(z.string(), 'only commits of this time or later'),
    until: optional(z.string(), 'only commits up to this time'),
    limit: z.int().min(1).max(100_000).default(20).describe('how many commits at most; 20 if left out'),
    after: maybe('go on after this commit: the "next" of the page before'),
  }),
  positional: ['text'],
  words: 'text',
  usual: ['regex', 'ignoreCase', 'path', 'since', 'until', 'limit'],
  flags: { reads: true, anyRepository: true },
  example: {
    command: 'learned --path knowledge file-based memory',
    shows: 'the commits in which the knowledge files took up these words, or lost them',
  },
  async run(context, { text, regex, ignoreCase, ...options }) {
    if (ignoreCase && !regex) {
      throw new MemoryError('INVALID_ARGUMENT', '"ignoreCase" works only with a pattern', {
        where: 'ignoreCase',
        hint: 'Ask with --regex',
      });
    }
    return (await context.view()).learned(regex ? patternOf(text, ignoreCase === true) : text, options);
  },
  text(result, style) {
    if (result.commits.length === 0) return 'Never.';
    const lines = result.commits.flatMap((entry, index) =>
      describe(entry, result.commits[index - 1]?.oid === entry.oid, style),
    );
    if (result.next !== undefined) lines.push(style.faint(`… more after ${result.next.slice(0, 12)}`));
    return lines.join('\n');
  },
});

function patternOf(text: string, ignoreCase: boolean): RegExp {
  try {
    return new RegExp(text, ignoreCase ? 'iu' : 'u');
  } catch (cause) {
    throw new MemoryError('INVALID_ARGUMENT', `${JSON.stringify(text)} is not a pattern`, {
      where: 'text',
      hint: 'Patterns have RE2 syntax; without --regex the search is for the exact text',
      cause,
    });
  }
}

/** `1a2b3c4  2026-11-02 09:15  0 → 2  path`, below it once what the commit did. */
function describe(entry: LearnedEntry, isSameCommit: boolean, style: Style): string[] {
  const counts = `${entry.before} → ${entry.after}`.padStart(7);
  const name = entry.renamedFrom === undefined ? entry.path : `${entry.path} (was ${entry.renamedFrom})`;
  const note = entry.boundary ? ' (or earlier: the history is cut off here)' : '';
  const room = style.width - 7 - 2 - 16 - 2 - counts.length - 2;
  const paint = entry.after > entry.before ? style.good : entry.after < entry.before ? style.bad : style.strong;
  const head = isSameCommit
    ? ' '.repeat(25)
    : `${style.reference(shortOid(entry.oid))}  ${style.faint(shortTime(entry.time, style))}`;
  const line = `${head}  ${paint(counts)}  ${cut(name + note, room)}`;
  return isSameCommit ? [line] : [line, `         ${style.faint(cut(entry.subject, style.width - 9))}`];
}
