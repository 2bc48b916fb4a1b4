// Native git's own housekeeping, where git is installed: what the engine's packs leave to it. It reads our objects and never our memory, so
// nothing here is needed, and whatever keeps it from running is reported and no failure.

import { count } from '../../base/count.ts';
import type { Processes, Programs } from '../../base/ports.ts';
import type { PassResult } from '../../base/types.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import { resolvePath } from '../../store/git/discovery.ts';
import { gcLock, markOfGc } from '../../store/git/gc-lock.ts';
import type { Repository } from '../../store/git/repository.ts';
import type { RunPorts } from '../write/run-pass.ts';
import { type MaintenanceTask, type TaskOptions, withoutCommit } from './maintenance-task.ts';

/** What starting native git takes. */
export interface GitGcPorts extends Pick<RunPorts, 'store' | 'machine'> {
  readonly programs: Programs;
  readonly processes: Processes;
  readonly nonce: () => string;
}

/** For so long nobody may have written, so that git does not compete with somebody's work for the disk. */
const quietMs = 10 * 60_000;

/** Settings that keep git from going on behind our back, and from running what the repository names. */
const harmless = [
  'gc.autoDetach=false',
  'maintenance.autoDetach=false',
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
];

/** What `gc.auto` is where nobody set it: loose objects, about; see git-gc(1). */
const gitsOwnThreshold = 'gc.auto=6700';

/**
 * The task: by itself what `git maintenance run --auto` finds due, by the thresholds of the user's own configuration (`gc.auto`,
 * `gc.autoPackLimit`); asked for by name, a whole `git gc`.
 *
 * By itself it waits until nobody has written for ten minutes. It leaves alone a repository with a hook that git asks first, and one with
 * `gc.auto=0` or `maintenance.auto=false`. Those that `init` made have both, so that no command of git's stops to tidy up. There
 * `git-memory.gc=idle` allows this task; `maintain.every_hours` turns it off for a memory.
 */
export function gitGc(ports: GitGcPorts): MaintenanceTask {
  return {
    name: 'git-gc',
    summary: 'let native git pack what it finds due, where it is installed',
    everyHours: 24,
    isLocal: true,
    notBefore: () => ({ time: lastWriteOf(ports.store) + quietMs, why: 'somebody wrote a moment ago' }),
    run: (options) => collect(ports, options),
  };
}

async function collect(
  { store, machine, programs, processes, nonce }: GitGcPorts,
  { dryRun, signal, isNamed = false }: TaskOptions,
): Promise<PassResult> {
  const leave = (why: string) => withoutCommit('git-gc', [], [{ id: 'git gc', why }]);
  const { repository } = store;
  const git: Git = (...parameters) =>
    runGit(programs, [`--git-dir=${repository.commonDirectory}`, ...parameters], signal);
  const wishes = await wishesOf(git);
  if (typeof wishes === 'string') return leave(wishes);
  const isIdle = wishes.get('git-memory.gc') === 'idle';
  // The hook names objects to keep. Without it git would remove them, and the engine runs nothing of a repository.
  if (wishes.has('gc.recentobjectshook'))
    return leave('gc.recentObjectsHook names a program, which git-memory does not run');
  const why = isNamed ? null : await reasonToLeave(repository, git, wishes, isIdle);
  if (why !== null) return leave(why);
  if (dryRun) return withoutCommit('git-gc');
  const lock = gcLock(repository, processes, nonce());
  try {
    if (lock.tryAcquire() === null) return leave('another process tidies up');
    if (markOfGc(repository, processes, machine) !== null) return leave('a git gc is under way');
    const before = await countObjects(git);
    const task = isNamed ? ['gc'] : ['maintenance', 'run', '--auto', '--task=gc', '--task=commit-graph'];
    const settings = [...harmless, ...(isIdle ? [gitsOwnThreshold] : [])];
    const { code, message } = await git(...settings.flatMap((setting) => ['-c', setting]), ...task, '--quiet');
    if (code !== 0) return leave(firstLineOf(message) || `git ended with ${code}`);
    const after = await countObjects(git);
    return withoutCommit('git-gc', before === after ? [] : [['git gc', `${before} became ${after}`]]);
  } finally {
    lock.dispose();
  }
}

type Git = (...parameters: string[]) => Promise<{ code: number | null; output: string; message: string }>;

/** Reads what whoever set up git wants of this, keys in lower case; or says why git cannot be asked. */
async function wishesOf(git: Git): Promise<Map<string, string> | string> {
  const wanted = '^(gc\\.(auto|recentobjectshook)|maintenance\\.auto|git-memory\\.gc)$';
  const { code, output, message } = await git('config', '--null', '--get-regexp', wanted);
  if (code === null) return 'no git is installed here';
  // 1: none of these is set.
  if (code > 1) return firstLineOf(message) || `git ended with ${code}`;
  return new Map(
    output.split('\0').map((entry): [string, string] => {
      const end = entry.indexOf('\n');
      return end < 0 ? [entry, 'true'] : [entry.slice(0, end), entry.slice(end + 1)];
    }),
  );
}

/** Why git is not let at it when nobody asks for it by name. */
async function reasonToLeave(
  { disk, commonDirectory, workTree }: Repository,
  git: Git,
  wishes: ReadonlyMap<string, string>,
  isIdle: boolean,
): Promise<string | null> {
  if (!isIdle && Number(wishes.get('gc.auto') ?? 1) <= 0) return 'gc.auto is 0';
  const automatic = wishes.get('maintenance.auto') ?? 'true';
  if (!isIdle && /^(?:false|no|off|0|)$/i.test(automatic)) return 'maintenance.auto is off';
  const hook = (await git('rev-parse', '--git-path', 'hooks/pre-auto-gc')).output.trim();
  return disk.stat(resolvePath(workTree ?? commonDirectory, hook))?.isExecutable
    ? 'git asks the hook pre-auto-gc first, which git-memory does not run'
    : null;
}

/** Tells in words how many packs and loose objects there are. */
async function countObjects(git: Git): Promise<string> {
  const { output } = await git('count-objects', '-v');
  const numberOf = (key: string) => Number(new RegExp(`^${key}: (\\d+)$`, 'm').exec(output)?.[1] ?? 0);
  const [packs, loose] = [numberOf('packs'), numberOf('count')];
  return `${count(packs, 'pack')} and ${count(loose, 'loose object')}`;
}

/** Runs git to its end, away from any other repository; an abort stops it, and is thrown when it has ended. */
async function runGit(programs: Programs, parameters: readonly string[], signal?: AbortSignal) {
  signal?.throwIfAborted();
  const program = programs.start('git', parameters, { LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0' });
  signal?.addEventListener('abort', program.stop);
  try {
    await program.write(Buffer.alloc(0), true);
    let output = '';
    for await (const bytes of program.output) output += Buffer.from(bytes).toString('utf8');
    const { code, message } = await program.ended;
    signal?.throwIfAborted();
    return { code, output, message };
  } finally {
    signal?.removeEventListener('abort', program.stop);
  }
}

/** When somebody last wrote a ref, a pack, an index or a journal, in milliseconds; by the clock of the file system. */
function lastWriteOf({ repository, ref }: BranchStore): number {
  const { disk, commonDirectory, gitDirectory, ownDirectory } = repository;
  const journal = `${ownDirectory}/journal`;
  const places = [
    gitDirectory,
    commonDirectory,
    `${commonDirectory}/objects/pack`,
    `${commonDirectory}/refs/heads`,
    `${commonDirectory}/${ref.slice(0, ref.lastIndexOf('/'))}`,
    ...disk.list(journal).map((name) => `${journal}/${name}`),
  ];
  return Math.max(...places.map((place) => Number((disk.stat(place)?.mtimeNs ?? 0n) / 1_000_000n)));
}

const firstLineOf = (message: string): string => message.trim().split('\n', 1)[0]!;
