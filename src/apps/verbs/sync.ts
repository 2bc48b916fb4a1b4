// The verb that brings a memory in step with the one on other machines.

import { z } from 'zod';
import { count } from '../../base/count.ts';
import type { FileFault, SyncOptions, SyncResult } from '../../base/types.ts';
import type { Memory } from '../../memory/open-memory.ts';
import { hang, type Style, shortOid } from './style.ts';
import { defineVerb, flag, maybe, oneOf, underway, type VerbContext } from './verb.ts';

const maxNamed = 50;

export const sync = defineVerb({
  name: 'sync',
  summary: 'Bring the memory in step with a remote',
  help:
    'Sync fetches, merges and pushes, and repeats that if another machine was faster. The remote is any git repository: ' +
    'https://…, host:path by ssh, or a folder. The first address you give becomes origin. A second machine begins with ' +
    '`git memory init --from ADDRESS`. Sync examines every object before it lets it in. It refuses a remote that was ' +
    'rewound or holds another memory; --adopt follows it. Where commits of yours would leave, it lists them, and ' +
    '--leaving says what becomes of them. It also refuses if one side purged what the other still has; --adopt joins ' +
    'both without the purged part. Without a network nothing is lost: the next sync continues. --dry-run shows what ' +
    "would come and go. Names and passwords come from git's credential helpers or GIT_MEMORY_CREDENTIALS.",
  input: z.strictObject({
    remote: maybe('a remote by name, or its address; origin if left out'),
    adopt: flag(
      'follow a remote that was rewound or holds another memory, or join both sides without the purged part; ' +
        'a ref keeps what was replaced',
    ),
    leaving: oneOf(
      ['replay', 'drop'],
      'with --adopt, for commits that the remote has given up: replay puts them upon what it has now. ' +
        'drop lets them go, and a ref keeps them',
    ),
  }),
  positional: ['remote'],
  flags: { writes: 'now', changes: true },
  example: { command: 'sync', shows: 'what came from the other machines, and what went to them' },
  run: async (context, input) => syncWith(context, await context.whole(), input),
  text(result, style) {
    const lines = [describe(result, style)];
    for (const oid of result.merges) lines.push(`merged     ${style.reference(shortOid(oid))}`);
    for (const path of result.conflicts)
      lines.push(
        `${style.bad('disputed')}   ${path}: changed on both sides; nothing is lost, check which one is right`,
      );
    lines.push(...describeFaults(result.faults, style));
    for (const warning of result.warnings ?? []) lines.push(...hang(style.bad('warning'), warning, style, 11));
    for (const tag of result.tags.fetched) lines.push(`came       ${tag}`);
    for (const tag of result.tags.pushed) lines.push(`went       ${tag}`);
    for (const tag of result.tags.moved ?? []) lines.push(`moved      ${tag}: what it led to was purged`);
    const carried = result.carried ?? [];
    if (carried.length > 0) lines.push(`carried ${count(carried.length, 'commit')} over to the new history`);
    for (const { commit, subject, filtered } of carried.slice(0, maxNamed)) {
      const without = filtered.length === 0 ? '' : `; without what was purged: ${filtered.join(', ')}`;
      lines.push(`           ${style.reference(shortOid(commit))} ${subject}${without}`);
    }
    if (carried.length > maxNamed) lines.push(`           and ${carried.length - maxNamed} more; --json names all`);
    lines.push(...describeLeft(result, style));
    if (result.rescued !== undefined) lines.push(`kept       ${result.rescued}: what was replaced`);
    return lines.join('\n');
  },
  refusal: (result) => (result.state === 'offline' ? 'REMOTE_UNAVAILABLE' : undefined),
});

function describeLeft({ left, state }: SyncResult, style: Style): string[] {
  if (left === undefined) return [];
  const named = left.commits.map(
    ({ commit, day, subject }) => `${style.reference(shortOid(commit))} ${day} ${subject}`,
  );
  const more = left.count - named.length;
  const last = left.rescued === undefined ? [] : [`\`git memory merge ${left.rescued}\` brings them back`];
  return [
    `${count(left.count, 'commit')} ${state === 'planned' ? 'would leave' : 'left'} the present`,
    ...[...named, ...(more > 0 ? [`and ${more} more`] : []), ...last].map((line) => `           ${line}`),
  ];
}

/** Says of files that were taken in what is wrong with them, and what mends it. */
export function describeFaults(faults: readonly FileFault[] = [], style: Style): string[] {
  const said: Readonly<Record<FileFault['fault'], (path: string) => string>> = {
    open: (path) =>
      `${path} is private and came open: the remote has its words. \`git memory commit\` stores it encrypted from now on`,
    damaged: (path) =>
      `${path} is private and came damaged: it cannot be read. \`git memory log ${path}\` names the versions before`,
    unfinished: (path) =>
      `${path} has the lines by which git marks a conflict. Nothing of it is quoted until you take them out`,
  };
  return faults.flatMap(({ path, fault }) => hang(style.bad(fault), said[fault](path), style, 12));
}

/** Syncs as the caller means it: a folder counts from where he stands. */
export function syncWith(context: VerbContext, memory: Memory, options: SyncOptions): Promise<SyncResult> {
  const { remote } = options;
  const isFolder = remote !== undefined && /^(?:\.{1,2}(?:[\\/]|$)|~?[\\/])/.test(remote);
  return memory.sync({ ...options, ...(isFolder ? { remote: context.pathOf(remote) } : {}), ...underway(context) });
}

function describe(result: SyncResult, style: Style): string {
  const { fetched, pushed, state, why = '' } = result;
  const moved = [
    ...(fetched > 0 ? [`${count(fetched, 'commit')} came`] : []),
    ...(pushed > 0 ? [`${count(pushed, 'commit')} went`] : []),
  ].join(', ');
  const place = `${result.branch} and ${result.address}`;
  if (state === 'offline')
    return hang(style.bad('offline'), `${why}${moved === '' ? '' : ` (${moved})`}`, style, 11).join('\n');
  if (state === 'planned') {
    const ways = {
      nothing: 'nothing to bring in',
      follow: 'it would follow',
      merge: 'it would merge',
      adopt: 'it would go over',
    };
    const would = moved.replaceAll('came', 'would come').replaceAll('went', 'would go');
    return `dry run    ${place}: ${ways[result.plan ?? 'nothing']}${moved === '' ? '' : `; ${would}`}`;
  }
  return `${style.good('in step')}    ${place}${moved === '' ? '' : `: ${moved}`}`;
}
