// The verb that takes something out of all history for good.

import { z } from 'zod';
import { count } from '../../base/count.ts';
import { defined, MemoryError } from '../../base/errors.ts';
import type { PurgeResult, PurgeTarget } from '../../base/types.ts';
import { type Style, shortOid } from './style.ts';
import { defineVerb, flag, maybe, underway } from './verb.ts';

export const purge = defineVerb({
  name: 'purge',
  summary: 'Take a text, memory, session or file out of all history',
  help:
    'Purge rewrites every branch, tag, note and stash that holds it, with logs, journals and packs, and clears the ' +
    'caches. Later commits get new ids. You cannot undo a purge: look with --dry-run, then say --yes. Purge finds a ' +
    'text as it was said, also quoted, escaped, in base64 and in names. It does not look into images or archives, or ' +
    'for single words of the text. Remotes and clones still hold it; the answer says how to clean them.',
  input: z.strictObject({
    text: maybe('the text to purge, wherever it occurs'),
    id: maybe('the id of a memory to purge, with its relations'),
    session: maybe('the id or path of a session to purge, with its attachments'),
    path: maybe('a file or folder to purge'),
    times: flag(
      'takes out no words: commits that git calls corrupt, as being of before 1970, get the time nearest to theirs',
    ),
    derived: flag('also purge memories that have no other source, and word-for-word quotes'),
    replacement: maybe('the replacement for a text; [purged <id>] if left out'),
    allRefs: flag('inside a code repository: rewrite its own branches and tags, too'),
    yes: flag('do it: a purge cannot be undone, and needs this or --dry-run'),
  }),
  positional: ['text'],
  words: 'text',
  usual: ['id', 'session', 'path', 'derived', 'allRefs', 'yes'],
  flags: { changes: true, writes: 'now' },
  example: { command: 'purge --dry-run blue heron', shows: 'what would be rewritten, and nothing else' },
  async run(context, { yes, derived, replacement, allRefs, times, ...rest }) {
    const target = times ? { ...rest, times } : rest;
    const named = Object.keys(target);
    if (named.length !== 1) {
      throw new MemoryError('INVALID_ARGUMENT', 'purge takes one thing: a text, an id, a session, a path or times', {
        where: 'text',
        hint: 'See `git memory help purge`',
      });
    }
    if (!context.dryRun && yes !== true) {
      throw new MemoryError('INVALID_ARGUMENT', 'a purge cannot be undone, so it needs your confirmation', {
        where: 'yes',
        hint: 'Look at the result with --dry-run, then repeat the call with --yes',
      });
    }
    const options = { ...underway(context), ...defined({ derived, allRefs, replacement }) };
    return {
      ...(await (await context.whole()).purge(target as PurgeTarget, options)),
      isDone: !context.dryRun,
      withDerived: derived === true,
    };
  },
  text: describe,
});

const maxShown = 12;

function describe(
  result: PurgeResult & { readonly isDone: boolean; readonly withDerived: boolean },
  style: Style,
): string {
  const { isDone } = result;
  const lines = [
    `${style.good(isDone ? 'purged' : 'would purge')}  ${count(result.commits, 'commit')} rewritten, ${count(result.objects, 'object')} ` +
      `${isDone ? 'gone' : 'to go'}, ${count(result.files.length, 'file')}, ${count(result.messages, 'message')}, ` +
      `${count(result.pending, 'pending write')}`,
    ...shown(result.files.map((path) => `  ${path}`)),
    ...shown(
      result.refs.map(
        ({ ref, before, after }) =>
          `  ${ref}  ${shortOid(before)}${isDone ? ` → ${after === null ? 'gone' : shortOid(after)}` : ''}`,
      ),
    ),
  ];
  if (result.receipt !== null) lines.push(`receipt  ${result.receipt}`);
  if (result.signed > 0)
    lines.push(`${count(result.signed, 'signature')} ${isDone ? 'went' : 'would go'}: they were made of other bytes`);
  if (result.foreign.length > 0) {
    lines.push(
      `${style.bad('needs --all-refs')}  refs of the code repository hold it, too:`,
      ...shown(result.foreign.map((ref) => `  ${ref}`)),
    );
  }
  if (result.derived.length > 0) {
    lines.push(
      result.withDerived
        ? 'These files name it and stay, for they have other sources:'
        : 'These files name it and stay; --derived takes out what comes from nothing else:',
      ...shown(result.derived.map((path) => `  ${path}`)),
    );
  }
  if (result.left.length > 0)
    lines.push(style.bad('Still here:'), ...result.left.map(({ where, why }) => `  ${where}: ${why}`));
  if (result.elsewhere.length > 0) {
    lines.push('Elsewhere it is until you deal with it:');
    for (const { what, commands } of result.elsewhere)
      lines.push(`  ${what}`, ...commands.map((command) => `    ${command}`));
  }
  return lines.join('\n');
}

function shown(lines: readonly string[]): string[] {
  return lines.length <= maxShown
    ? [...lines]
    : [...lines.slice(0, maxShown), `  … and ${lines.length - maxShown} more`];
}
