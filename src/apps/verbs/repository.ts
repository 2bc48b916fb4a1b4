// Verbs about the memory repository as a whole: making one, and saying how it stands.

import { z } from 'zod';
import { count, grouped } from '../../base/count.ts';
import { defined, MemoryError } from '../../base/errors.ts';
import type { ProjectTier, StatusResult } from '../../base/types.ts';
import type { Memory } from '../../memory/open-memory.ts';
import type { MemoryPlan } from '../../memory/plan-memory.ts';
import { wholeOf } from '../../memory/whole.ts';
import { rankersOf } from './recall.ts';
import { hang, pairs, type Style, shortOid, shortTime } from './style.ts';
import { syncWith } from './sync.ts';
import { defineVerb, flag, maybe, oneOf, underway, type VerbContext } from './verb.ts';

const placements = ['repository', 'bare', 'branch', 'project'] as const;

type InitPlan = MemoryPlan & { readonly from?: string };
type InitResult = StatusResult & {
  readonly deployed?: readonly string[];
  /** Programs with histories on this machine, which an import can bring along. */
  readonly histories?: readonly string[];
};

export const init = defineVerb({
  name: 'init',
  summary: 'Make a memory repository',
  help:
    'A memory is an ordinary git repository. There are four placements. "repository" has its own working tree, "bare" ' +
    'has none. "branch" lives in a code repository on the branch memory/main and leaves its files and other branches ' +
    'alone. "project" keeps the memory beside the code, on the same branch. Init never overwrites a file. --project ' +
    'also creates the files of a project log, which wait for `git memory commit`; AGENTS.md is yours and never written. ' +
    '--dry-run shows what init would create.',
  input: z.strictObject({
    directory: maybe('the folder; the current one if left out'),
    placement: oneOf(
      placements,
      'repository (the default; inside a code repository and without a folder it is branch), bare, branch or project',
    ),
    inside: flag('inside the code repository around it, on the branch memory/main; short for --placement branch'),
    lfs: flag('hand pictures, papers and films under attachments/ to git-lfs, by lines of .gitattributes'),
    project: flag('beside the code, with the files of a project log'),
    files: z
      .int()
      .min(2)
      .max(5)
      .exactOptional()
      .describe(
        'which files of a project log to create: 2 (AGENTS.md, CHANGELOG.md), 3 (and .memory/context.md) or 5 (and ' +
          'TODO.md, .memory/graph.md); 5 with --project',
      ),
    from: maybe('the address of an existing memory: this one becomes a copy of it and syncs with it'),
    fromHistories: maybe(
      'a file or folder of old conversations; each is committed on the day it ended, so that you can ask about past days',
    ),
  }),
  positional: ['directory'],
  usual: ['placement', 'inside', 'project', 'from', 'fromHistories'],
  flags: { writes: 'now', changes: true },
  example: { command: 'init notes', shows: 'a new folder notes/ with a memory repository and its first commit' },
  async run(context, { lfs, project, files, from, fromHistories, inside, ...options }): Promise<InitResult | InitPlan> {
    if (inside && (project || (options.placement ?? 'branch') !== 'branch')) {
      throw new MemoryError('INVALID_ARGUMENT', '--inside already names a placement', {
        where: 'inside',
        hint: 'Leave out --placement and --project',
      });
    }
    if (project && options.placement !== undefined && options.placement !== 'project') {
      throw new MemoryError('INVALID_ARGUMENT', `project and placement ${options.placement} exclude each other`, {
        where: 'placement',
        hint: 'Leave one of them out; --files adds the log in any placement',
      });
    }
    const tier = (files ?? (project ? 5 : undefined)) as ProjectTier | undefined;
    const place = {
      ...options,
      ...(project ? { placement: 'project' as const } : {}),
      ...(inside ? { placement: 'branch' as const } : {}),
    };
    if (context.dryRun) {
      const plan = await context.plan({ ...place, ...defined({ files: tier }) });
      return { ...plan, ...defined({ from }) };
    }
    if (fromHistories !== undefined) {
      if (from !== undefined) {
        throw new MemoryError('INVALID_ARGUMENT', 'a copy of another memory already has a history', {
          where: 'fromHistories',
          hint: 'Leave out --from or --from-histories',
        });
      }
      return beginWith(context, place, context.pathOf(fromHistories));
    }
    const plan = from === undefined && place.directory === undefined ? undefined : await context.plan(place);
    // A repository that was there is not this call's to take away.
    const takeAway = from !== undefined && plan?.repository != null ? context.newFolder(place.directory ?? '.') : null;
    const memory = await context.create(place);
    if (from !== undefined) await joinRemote(context, wholeOf(memory, 'init'), from, takeAway);
    if (lfs) await wholeOf(memory, 'init').git.trackWithLfs();
    const deployed = tier === undefined ? undefined : (await memory.project.deploy(tier)).written;
    const status = await memory.status();
    const isEmpty = from === undefined && status.memories + status.conversations === 0;
    const { programsWithHistories } = await import('../../memory/histories.ts');
    const histories = isEmpty ? programsWithHistories(context.pathOf('.')) : [];
    return { ...status, ...defined({ deployed, histories: histories.length === 0 ? undefined : histories }) };
  },
  text(output, style) {
    if ('exists' in output) return describePlan(output, style);
    const { deployed = [], histories = [], ...status } = output;
    const made = deployed.map((path) => `made ${path}`);
    return [
      `${style.good('Ready:')} a memory in ${status.directory}`,
      ...describePlace(status, style),
      ...made,
      ...status.warnings.map((warning) => `${style.bad('left:')} ${warning}`),
      ...nextSteps(status, style),
      ...(histories.length === 0 ? [] : hang('', offerOf(histories), style, 0)),
    ].join('\n');
  },
});

function offerOf(programs: readonly string[]): string {
  return `Here are histories of ${programs.join(', ')}: \`git memory import --discover\` lists them.`;
}

export const status = defineVerb({
  name: 'status',
  summary: 'Show where the memory is, what it holds, what waits',
  help: 'Pending writes are already durable: the journal holds them until the next batch commit.',
  input: z.strictObject({}),
  example: { command: 'status', shows: 'the branch and its tip, counts, pending writes and open sessions' },
  run: async (context) => (await context.memory()).status(),
  text(status, style) {
    const ranks = describePlace(status, style, [['ranks', describeRanking(status)], ...describeKeeping(status)]);
    const lines = [style.strong(status.directory), ...ranks];
    if (status.pending.length === 0) {
      if (status.edited.length === 0) lines.push('', 'Nothing waits for a commit.');
    } else {
      lines.push('', `${count(status.pending.length, 'write waits', 'writes wait')} for the next commit:`);
      lines.push(...describePending(status.pending));
    }
    if (status.edited.length > 0) {
      lines.push('', `${count(status.edited.length, 'file was', 'files were')} edited by hand:`);
      for (const { path, why } of status.edited)
        lines.push(`  ${path}${why === undefined ? '' : `  (stays out: ${why})`}`);
    }
    for (const path of status.openSessions) lines.push(`open session: ${path}`);
    for (const warning of status.warnings) lines.push(`${style.bad('warning:')} ${warning}`);
    return lines.join('\n');
  },
});

/** Begins a memory on the day of the first of old conversations, and commits each as of its own time. */
async function beginWith(
  context: VerbContext,
  place: Parameters<VerbContext['create']>[0],
  from: string,
): Promise<InitResult> {
  const { exists, directory } = await context.plan(place);
  if (exists) {
    throw new MemoryError('ALREADY_EXISTS', 'this memory already has a history', {
      where: directory,
      hint: '`git memory import` brings conversations into it, as of today',
    });
  }
  const now = Date.now();
  const { readBeginning } = await import('../../memory/histories.ts');
  const { started, ...as } = await readBeginning(from, now);
  const memory = wholeOf(await context.create({ ...place, begun: started - 1000 }), 'init');
  const { left } = await memory.import(from, { ...as, asOfThen: now, ...underway(context, 'Importing') });
  const { warnings, ...status } = await memory.status();
  const stayedOut = left.map(({ source, why }) => `${source}: ${why}`);
  return { ...status, warnings: [...warnings, ...stayedOut] };
}

/** A line for each file that waits, and how often it was written where that is more than once. */
function describePending(pending: StatusResult['pending']): string[] {
  const writes = new Map<string, number>();
  for (const { operation, path } of pending) {
    const line = `  ${operation.padEnd(9)} ${path}`;
    writes.set(line, (writes.get(line) ?? 0) + 1);
  }
  return [...writes].map(([line, times]) => (times === 1 ? line : `${line}  ${times} times`));
}

function describePlan(plan: InitPlan, style: Style): string {
  const { directory, branch, placement, exists, repository, files, adopts, from } = plan;
  const lines: [string, string][] = [
    ['branch', `${branch} (${placement})`],
    ...(repository === null ? [] : [['repository', repository] as [string, string]]),
    ...files.map((path): [string, string] => ['file', path]),
    ...adopts.map((path): [string, string] => ['takes in', path]),
    ...(from === undefined ? [] : [['copy of', from] as [string, string]]),
  ];
  const head = exists ? `A memory is there already: ${directory}` : `Would begin a memory in ${directory}`;
  return [head, ...pairs(lines, style), '', 'Nothing was written.'].join('\n');
}

/** Makes a new memory a copy of another one. Where nothing came, what was made goes again; in a folder that held something the next sync goes on. */
async function joinRemote(
  context: VerbContext,
  memory: Memory,
  from: string,
  takeAway: (() => void) | null,
): Promise<void> {
  const begun = memory.tip;
  const failed = async (error: MemoryError, ifKept: MemoryError): Promise<MemoryError> => {
    if (takeAway === null || memory.tip !== begun || (await memory.status()).pending.length > 0) return ifKept;
    await memory.close();
    takeAway();
    const { code, what, where, hint } = error;
    return new MemoryError(code, `no memory was made: ${what}`, { ...defined({ where, hint }), cause: error });
  };
  const { state, why = '' } = await syncWith(context, memory, { remote: from })
    .catch((error: unknown) => {
      if (!(error instanceof MemoryError && error.code === 'NOT_FOUND' && error.where === 'remote')) throw error;
      return syncWith(context, memory, { remote: context.pathOf(from) });
    })
    .catch(async (error: unknown) => {
      throw error instanceof MemoryError ? await failed(error, error) : error;
    });
  if (state === 'synced') return;
  const where = memory.directory;
  throw await failed(
    new MemoryError('REMOTE_UNAVAILABLE', why, { where: from }),
    new MemoryError('REMOTE_UNAVAILABLE', `the memory was created, but ${why}`, {
      where,
      hint: 'When the remote is available again, run `git memory sync` there',
    }),
  );
}

const onceInEachClone = 'Once in each clone: `git memory hooks install` lets git merge the log event by event.';

/** Tells of a memory that holds nothing yet where it stands to what was there, and what to do first. */
function nextSteps({ placement, memories, conversations }: StatusResult, style: Style): string[] {
  const once = placement === 'project' ? [onceInEachClone] : [];
  if (memories + conversations > 0) return once.flatMap((text) => ['', ...hang('', text, style, 0)]);
  const beside = {
    repository: '',
    bare: '',
    branch:
      'It has its own branch and leaves all files and other branches of this repository alone. `git memory init ' +
      '--project` keeps the log of a project beside the code instead.',
    project: 'Its files are beside the code and wait for `git memory commit`.',
  }[placement];
  const first = 'Next: `git memory remember WORDS` or `git memory capture FILE`, then `git memory recall WORDS`.';
  return [beside, ...once, first].filter((text) => text !== '').flatMap((text) => ['', ...hang('', text, style, 0)]);
}

/** Tells where a memory is and what it holds. */
export function describePlace(
  status: StatusResult,
  style: Style,
  more: readonly (readonly [string, string])[] = [],
): string[] {
  const tip =
    status.commit === null
      ? 'no commit yet'
      : `${shortOid(status.commit)}${status.time === null ? '' : ` of ${shortTime(status.time, style)}`}`;
  const holds = [
    count(status.conversations, 'conversation'),
    count(status.memories, 'memory', 'memories'),
    count(status.files, 'file'),
  ].join(', ');
  return pairs(
    [
      ['branch', `${status.branch} (${status.placement})`],
      ['commit', tip],
      ['holds', holds],
      ...more,
      ...describeRemote(status, style),
      ...describeModels(status),
    ],
    style,
  );
}

function describeRanking({ ranking: { embedder, missing, why } }: StatusResult): string {
  const ranker = rankersOf(embedder);
  if (missing === 0) return why === undefined ? ranker : `${ranker}: ${why}`;
  const texts = count(missing, 'text has', 'texts have');
  return `${ranker}; ${texts} no vector yet: git memory maintain reindex`;
}

/** Says what scores turns, where somebody wanted another than the scorers of the package. */
function describeKeeping({ keeping: { scorer, why } }: StatusResult): [string, string][] {
  if (scorer !== null) return [['keeps', `by words and ${scorer}`]];
  return why === undefined ? [] : [['keeps', `by words alone: ${why}`]];
}

/** The sum of the days that are known, and of each that asked. */
function describeModels({ models = [] }: StatusResult): [string, string][] {
  if (models.length === 0) return [];
  const sumOf = (of: typeof models): string =>
    `${count(
      of.reduce((sum, { calls }) => sum + calls, 0),
      'question',
    )}, ${grouped(of.reduce((sum, { input, output }) => sum + input + output, 0))} tokens`;
  const nameOf = ({ by, model }: (typeof models)[number]): string => (model === undefined ? by : `${by} by ${model}`);
  const names = [...new Set(models.map(nameOf))].sort();
  const each = names.map((name) => `${name} ${sumOf(models.filter((one) => nameOf(one) === name))}`);
  return [
    [
      'models',
      `${names.length > 1 ? `${sumOf(models)} in 31 days: ` : ''}${each.join('; ')}${names.length > 1 ? '' : ' in 31 days'}`,
    ],
  ];
}

function describeRemote({ sync }: StatusResult, style: Style): [string, string][] {
  if (sync === undefined) return [];
  const { ahead, behind, last, address } = sync;
  if (ahead === null || behind === null) return [['remote', `${address}, not synced yet`]];
  const distance = ahead + behind === 0 ? 'nothing to push' : `${ahead} ahead, ${behind} behind`;
  return [['remote', `${address}, ${distance}${last === null ? '' : `, in step ${shortTime(last, style)}`}`]];
}
