// Verbs about branches: going another way with a memory, and bringing both together again.

import { z } from 'zod';
import { count } from '../../base/count.ts';
import { defined, MemoryError } from '../../base/errors.ts';
import type * as types from '../../base/types.ts';
import type { Memory } from '../../memory/open-memory.ts';
import { type Style, shortOid, shortTime } from './style.ts';
import { describeFaults } from './sync.ts';
import { accept, allowRemovals, defineVerb, filled, flag, maybe } from './verb.ts';

export const branch = defineVerb({
  name: 'branch',
  summary: 'Begin, list, compare or end a branch of the memory',
  help:
    'Work on a branch leaves this one alone; every verb takes --branch. Branches below explore/ are experiments and ' +
    'expire a week after their last operation. --expire ends those without work of their own and names the others.',
  input: z.strictObject({
    name: maybe('the branch to begin; all branches are listed if left out'),
    from: maybe('begin it at this commit, tag or day instead of the present'),
    compare: maybe('compare this branch, tag or commit with the present'),
    drop: maybe('end this branch, unless it holds work of its own'),
    force: flag('with --drop: end it even then'),
    expire: flag('end expired experiments'),
  }),
  positional: ['name'],
  flags: { writes: 'now', asks: ({ name, drop, expire }) => (name ?? drop ?? expire) === undefined },
  example: { command: 'branch explore/shorter-answers', shows: 'the branch and where it begins' },
  async run(context, { name, from, compare, drop, force, expire }): Promise<BranchOutput> {
    const asked = [name, compare, drop, expire || undefined].filter((part) => part !== undefined);
    if (asked.length > 1) {
      throw new MemoryError('INVALID_ARGUMENT', 'branch does one thing at a time', {
        where: 'branch',
        hint: 'Give a name to begin, or one of compare, drop and expire',
      });
    }
    if ((from !== undefined && name === undefined) || (force && drop === undefined)) {
      throw new MemoryError(
        'INVALID_ARGUMENT',
        from === undefined ? '--force goes with --drop' : '--from goes with a name',
        { where: from === undefined ? 'force' : 'from' },
      );
    }
    const memory = await context.whole();
    if (compare !== undefined) return memory.branches.compare(compare);
    if (drop !== undefined) return { dropped: [await memory.branches.drop(drop, { force: force ?? false })], kept: [] };
    if (expire) return memory.branches.expire();
    if (name === undefined) return { branches: await memory.branches.list() };
    return begin(memory, name, from);
  },
  text(output, style) {
    if ('branches' in output) return describeBranches(output.branches, style);
    if ('dropped' in output) return describeEnds(output, style);
    if ('ahead' in output) return describeComparison(output, style);
    return `${style.good('begun')}  ${style.reference(shortOid(output.commit))}  ${output.name}`;
  },
});

type BranchOutput =
  | { readonly name: string; readonly commit: string }
  | { readonly branches: readonly types.BranchEntry[] }
  | types.BranchComparison
  | types.ExpireResult;

async function begin(memory: Memory, name: string, from: string | undefined): Promise<BranchOutput> {
  const made = await memory.branches.open(name, { create: true, ...defined({ from }) });
  try {
    return { name: made.branchName, commit: made.tip! };
  } finally {
    await made.close();
  }
}

export const merge = defineVerb({
  name: 'merge',
  summary: 'Bring a branch of the memory into this one',
  help:
    'Counters add up, the later time wins, and lists merge item by item. In a contradiction the later change wins, and ' +
    'the record or history keeps the other; the answer names each case. A merge is one commit, and undo takes it back. ' +
    'A second merge brings back what such an undo took away. --dry-run shows the result of a merge, in any git ' +
    'repository. Others may have written the branch: a commit with a secret is not merged. Changes to memory.yaml, ' +
    'expectations, hooks, topics, and to what was recorded before, need --accept with their word.',
  input: z.strictObject({
    theirs: filled.describe('the branch, tag or commit to bring in'),
    into: maybe('the branch to bring it into; the one that is open if left out'),
    allowRemovals,
    accept,
  }),
  positional: ['theirs'],
  flags: { changes: true, writes: 'now', anyRepository: true },
  example: { command: 'merge explore/shorter-answers', shows: 'the merge, and what it had to decide' },
  async run(context, { theirs, into, allowRemovals: isAllowed, accept: accepted }) {
    const dryRun = context.dryRun || undefined;
    const options = defined({ into, dryRun, allowRemovals: isAllowed, accept: accepted });
    return (await context.whole()).merge(theirs, options);
  },
  text: describeMerge,
  refusal: ({ tree, refused }) => {
    if (refused !== undefined) {
      const { secrets, changes } = refused;
      return secrets.length > 0 ? 'SECRET' : changes.length > 0 ? 'UNACCEPTED' : 'MASS_REMOVAL';
    }
    return tree === null ? 'CONFLICT' : undefined;
  },
});

export const resolve = defineVerb({
  name: 'resolve',
  summary: 'Finish a merge that native git has stopped at',
  help:
    'Resolve settles unmerged files after git merge, cherry-pick, rebase, revert or stash, by the rules of "merge". If ' +
    'one side merged a memory into another and one used it, the use counts for the merged memory. If one side edited a ' +
    'memory and one removed it, it stays and is named. Hand edits stay as they are. You make the commit with git.',
  input: z.strictObject({}),
  flags: { changes: true, writes: 'now' },
  example: { command: 'merge resolve', shows: 'what was settled, and what is left' },
  run: async (context) => (await context.whole()).git.resolveMerge(context.dryRun ? { dryRun: true } : {}),
  text({ resolved, conflicts, remaining, tree }, style) {
    const lines = resolved.map(({ path, outcome }) => `${style.good(outcome)}  ${path}`);
    for (const path of conflicts) lines.push(`${style.bad('contradicts')}  ${path}`);
    for (const { path, why } of remaining) lines.push(`${style.bad('left')}  ${path}: ${why}`);
    if (tree !== null) lines.push('Everything is merged; `git commit`, or `git rebase --continue`, goes on.');
    return lines.join('\n');
  },
  refusal: ({ tree }) => (tree === null ? 'CONFLICT' : undefined),
});

/** Says why a branch that others wrote is not let in as it is. */
export function describeRefused({ secrets, changes, removals }: types.IncomingFindings, style: Style): string[] {
  return [
    ...secrets.map(
      ({ commit, where, kind }) => `${style.bad('secret')}  ${style.reference(shortOid(commit))}  ${where}: ${kind}`,
    ),
    ...changes.map(({ what, path, how }) => `${style.bad('refused')}  ${path} ${how}: needs --accept ${what}`),
    ...(removals === undefined ? [] : [`${style.bad('refused')}  ${removals}: needs --allow-removals`]),
  ];
}

function describeMerge(result: types.MergeResult, style: Style): string {
  const { refused, faults } = result;
  const beside = [...(refused === undefined ? [] : describeRefused(refused, style)), ...describeFaults(faults, style)];
  return [describeOutcome(result, style), ...beside].join('\n');
}

function describeOutcome({ commit, tree, conflicts, isHere, undone = [] }: types.MergeResult, style: Style): string {
  const paths = conflicts.map((path) => `  ${path}`);
  if (tree === null) return [style.bad(`${count(conflicts.length, 'path')} would conflict:`), ...paths].join('\n');
  const again = undone.map(({ merge, undoneBy, isBroughtBack }) => {
    const [brought, undo] = [style.reference(shortOid(merge)), style.reference(shortOid(undoneBy))];
    if (!isBroughtBack)
      return `${brought} merged it, and ${undo} took that back with other things; ${style.command(`undo ${shortOid(undoneBy)}`)} brings all back`;
    return commit === null
      ? `what ${brought} brought would come back; ${undo} had undone it`
      : `what ${brought} brought is here again; ${undo} had undone it`;
  });
  if (isHere)
    return [`${style.faint('nothing to merge')}  all of it is in the history of this branch`, ...again].join('\n');
  const merged =
    commit === null
      ? `${style.faint('nothing was written')}  the merge has the tree ${style.reference(shortOid(tree))}`
      : `${style.good('merged')}  ${style.reference(shortOid(commit))}`;
  const head = [merged, ...again].join('\n');
  if (paths.length === 0) return head;
  return [
    head,
    `${count(paths.length, 'path')} changed on both sides in ways that contradict; the later stands:`,
    ...paths,
  ].join('\n');
}

function describeBranches(branches: readonly types.BranchEntry[], style: Style): string {
  const width = Math.max(...branches.map(({ name }) => name.length), 0);
  return branches
    .map((entry) => {
      const apart = [
        ...(entry.ahead > 0 ? [`${entry.ahead} ahead`] : []),
        ...(entry.behind > 0 ? [`${entry.behind} behind`] : []),
        ...(entry.expires === undefined
          ? []
          : [entry.isExpired ? style.bad('expired') : `expires ${shortTime(entry.expires, style)}`]),
      ];
      const mark = entry.isCurrent ? '*' : ' ';
      const line = `${mark} ${entry.name.padEnd(width)}  ${style.reference(shortOid(entry.commit))}  ${style.faint(shortTime(entry.time, style))}`;
      return apart.length === 0 ? line : `${line}  ${apart.join(', ')}`;
    })
    .join('\n');
}

function describeComparison({ ahead, behind, paths, conflicts }: types.BranchComparison, style: Style): string {
  return [
    `${count(ahead.length, 'operation')} ahead, ${behind.length} behind`,
    ...paths.map((path) => (conflicts.includes(path) ? `  ${path}  ${style.bad('contradicts')}` : `  ${path}`)),
  ].join('\n');
}

function describeEnds({ dropped, kept }: types.ExpireResult, style: Style): string {
  if (dropped.length + kept.length === 0) return 'No experiment has expired.';
  return [...dropped.map((end) => describeEnd(end, style)), ...kept.map(describeKept(style))].join('\n');
}

function describeEnd({ name, commit, unmerged }: types.DropResult, style: Style): string {
  const line = `${style.good('ended')}  ${name}  ${style.faint(`was ${shortOid(commit)}`)}`;
  return unmerged.length === 0
    ? line
    : `${line}  with ${count(unmerged.length, 'operation')} that only this id still finds`;
}

function describeKept(style: Style): (kept: types.ExpireResult['kept'][number]) => string {
  return ({ name, unmerged }) =>
    `${style.bad('kept')}  ${name}  ${count(unmerged, 'operation')} on it alone: merge it, or drop it with --force`;
}
