// Verbs about time: committing the batch, what happened when, and named states.

import { z } from 'zod';
import { count, grouped } from '../../base/count.ts';
import { MemoryError } from '../../base/errors.ts';
import type { HandedContext } from '../../base/types.ts';
import type { MemoryPart } from '../../memory/open-memory.ts';
import { describeEntry, hang, type Style, shortOid, shortTime } from './style.ts';
import { allowRemovals, defineVerb, filled, flag, maybe, optional, several } from './verb.ts';

export const commit = defineVerb({
  name: 'commit',
  summary: 'Commit what waits in the batch now',
  help:
    'Writes to memories and knowledge are durable at once; a commit collects them within half an hour. This verb ' +
    'commits them now, together with your hand edits. It leaves out and reports a hand edit that breaks a rule. It does ' +
    'the same with a missing file that you may not have removed, and with conflict markers. Name such a file to commit ' +
    'it as it is. If all your words name files that `git memory status` lists as edited, they are names; otherwise they ' +
    'are the summary.',
  input: z.strictObject({
    message: maybe('a summary for the commit; made from the changes if left out'),
    paths: several('commit hand edits of these files or folders only, with removals and conflict markers'),
    allowRemovals,
  }),
  positional: ['message'],
  words: 'message',
  flags: { writes: 'now' },
  example: { command: 'commit "What we know about Ada"', shows: 'the commits made, and what could not be committed' },
  async run(context, { message, ...options }) {
    const memory = await context.memory();
    const named = options.paths === undefined && message !== undefined ? await editedAmong(memory, message) : null;
    return named === null ? memory.commit(message, options) : memory.commit(undefined, { ...options, paths: named });
  },
  text(result, style) {
    const lines =
      result.commits.length === 0
        ? ['Nothing to commit.']
        : [`${style.good('committed')}  ${result.commits.map((oid) => style.reference(shortOid(oid))).join(' ')}`];
    for (const { path, why } of result.skipped)
      lines.push(...hang(`${style.bad('left')}  `, `${path}: ${why}`, style, 6));
    return lines.join('\n');
  },
  refusal: ({ commits, skipped }) => (commits.length === 0 && skipped.length > 0 ? 'CONFLICT' : undefined),
});

/** Gives the paths that words are, if all of them name something that was edited by hand; a name may have spaces. */
async function editedAmong(memory: MemoryPart, words: string): Promise<string[] | null> {
  const { edited } = await memory.status();
  const isEdited = (word: string) => {
    const name = word.replace(/\/$/, '');
    return edited.some(
      ({ path }) => path === name || path.startsWith(`${name}/`) || (name.startsWith(`${path}/`) && name !== path),
    );
  };
  return [[words], words.split(/\s+/)].find((names) => names.every(isEdited)) ?? null;
}

/** Where a log is empty, the operations of so many commits are named. */
const mostLooked = 1000;

export const log = defineVerb({
  name: 'log',
  summary: 'List what was done, newest first',
  help:
    'Each entry is a commit: its operation, time, author and files. With a path, the entries are those of `git log -- ' +
    '<path>`. With --handed, the log lists the contexts that a session received. `git memory context replay` takes their ids.',
  input: z.strictObject({
    path: maybe('only commits that changed this file or folder'),
    follow: flag('go on under the older names of a file that was renamed'),
    id: maybe('only commits about the memory of this id'),
    operation: maybe('only this kind, such as capture, extract, remember or undo'),
    session: maybe('only commits of this session: its id or its path'),
    agent: maybe('only commits of this agent'),
    run: maybe('only commits of this run, such as a night'),
    text: maybe('only commits whose message has these words'),
    since: optional(z.string(), 'only commits of this time or later, ISO 8601'),
    until: optional(z.string(), 'only commits up to this time, ISO 8601'),
    limit: z.int().min(1).max(100_000).default(20).describe('how many at most; 20 if left out'),
    after: maybe('go on after this commit: the "next" of the page before'),
    handed: maybe('in place of commits what this session was handed'),
  }),
  positional: ['path'],
  usual: ['limit', 'operation', 'session', 'since', 'until', 'follow'],
  flags: { reads: true, anyRepository: true },
  example: { command: 'log --operation extract --limit 5', shows: 'the last five commits that extract made' },
  async run(context, { handed, ...filter }) {
    const view = await context.view();
    if (handed !== undefined) return { handed: await view.handed.list(handed) };
    const result = await view.log(filter);
    if (filter.operation === undefined || result.commits.length > 0) return result;
    const { commits } = await view.log({ limit: mostLooked });
    return { ...result, operations: [...new Set(commits.flatMap(({ operation }) => operation ?? []))].sort() };
  },
  text(result, style) {
    if ('handed' in result) return describeHanded(result.handed, style);
    if (result.commits.length === 0)
      return [
        'No commits.',
        ...('operations' in result ? [`Operations here: ${result.operations.join(', ')}`] : []),
      ].join('\n');
    const agents = result.commits.map(({ trailers }) => trailers.find(({ key }) => key === 'Agent')?.value);
    // The agent is worth its room where there are several.
    const areSeveral = new Set(agents.filter((agent) => agent !== undefined)).size > 1;
    const lines = result.commits.map((entry, at) => describeEntry(entry, style, areSeveral ? agents[at] : undefined));
    if (result.next !== undefined) lines.push(style.faint(`… more after ${result.next.slice(0, 12)}`));
    return lines.join('\n');
  },
});

function describeHanded(handed: readonly HandedContext[], style: Style): string {
  if (handed.length === 0)
    return 'Nothing that was handed to it is kept: only a context that counts as used is, as tools of an agent have them.';
  return handed
    .map(({ id, time, commit: oid, tokens, turns }) => {
      const asked = turns === null ? '' : `, after ${count(turns, 'turn')}`;
      return `${id}  ${style.faint(shortTime(time, style))}  ${style.reference(shortOid(oid))}  ${grouped(tokens)} tokens at most${asked}`;
    })
    .join('\n');
}

export const replay = defineVerb({
  name: 'replay',
  summary: 'Rebuild what an agent was handed',
  help:
    'Replay compiles a context again from its original state; a hash proves that the bytes are the same. --since shows ' +
    'how the answer would differ now. Replay takes the message from the session; give it yourself if it was not ' +
    'recorded. `git memory log --handed SESSION` lists the ids.',
  input: z.strictObject({
    id: filled.describe('the id of a context, or the beginning of it'),
    message: maybe('the original message, if no turn holds it'),
    since: flag('show how it differs from a context of today'),
  }),
  positional: ['id'],
  flags: { reads: true },
  example: { command: 'context replay 1a2b3c4d --since', shows: 'what has changed since an agent was handed it' },
  async run(context, { id, message, since }) {
    const result = await (await context.view()).handed.replay(id, message === undefined ? {} : { message });
    return { ...result, ...(since ? { form: 'since' as const } : {}) };
  },
  text({ form, text, since }) {
    if (form === undefined) return text;
    return since.diff === '' ? 'It would be the same now.' : since.diff.trimEnd();
  },
  aside: ({ isExact, why }, style) =>
    isExact ? undefined : hang('', `This need not be what was handed out: ${why}.`, style, 0).join('\n'),
});

export const snapshot = defineVerb({
  name: 'snapshot',
  summary: 'Name a state of the memory, or list the names',
  help: 'A snapshot is a tag that never moves; recall, show and other verbs can answer from it. Its full name is memory/milestone/NAME.',
  input: z.strictObject({ name: maybe('the name; all snapshots are listed if left out') }),
  positional: ['name'],
  flags: { reads: true, writes: 'now', asks: ({ name }) => name === undefined },
  example: { command: 'snapshot before-move', shows: 'the tag and the commit it names' },
  async run(context, input) {
    if (input.name !== undefined)
      return (await context.whole()).snapshots.create(input.name, context.at === undefined ? {} : { at: context.at });
    if (context.at !== undefined) {
      throw new MemoryError('INVALID_ARGUMENT', 'A snapshot of another time needs a name', {
        where: 'name',
        hint: 'Give one',
      });
    }
    return { snapshots: await (await context.memory()).snapshots.list() };
  },
  text(output, style) {
    if (!('snapshots' in output)) {
      const done = output.isNew ? style.good('named') : style.faint('named before');
      return `${done}  ${style.reference(shortOid(output.commit))}  ${output.tag}`;
    }
    const snapshots = output.snapshots;
    if (snapshots.length === 0) return 'No snapshots yet.';
    return snapshots
      .map((one) => `${style.reference(shortOid(one.commit))}  ${style.faint(shortTime(one.time, style))}  ${one.tag}`)
      .join('\n');
  },
});
