// One case of the sweep: an operation meets a fault at one call, the caller tries again, and every promise is checked.

import fs from 'node:fs';
import path from 'node:path';
import git from 'isomorphic-git';
import { MemoryError } from '../../src/base/errors.ts';
import type { FileSystem, Processes } from '../../src/base/ports.ts';
import type { Placement } from '../../src/base/types.ts';
import type { Memory } from '../../src/memory/open-memory.ts';
import type { View } from '../../src/memory/view.ts';
import { badManners } from '../helpers/error-manners.ts';
import { type Call, type Fault, failingFileSystem, ProcessGroup } from '../helpers/failing-fs.ts';
import { fsck, hasGit, tryGit } from '../helpers/native-git.ts';
import { tracesOf } from '../helpers/traces.ts';
import { beginCollection } from './collector.ts';
import {
  type Base,
  type Caller,
  callerOf,
  gitDirectoryOf,
  keyText,
  openForTest,
  plainOf,
  type SweptOperation,
} from './operations.ts';
import { PowerSwitch } from './power-switch.ts';

/** A kind of failure. */
export interface FaultKind {
  readonly name: string;
  /** What happens at the chosen call; `null` when this kind cannot happen at such a call. */
  readonly at: (call: Call) => Fault | null;
  /** Who tries again: another process, or the one that was told of the error. Default: another. */
  readonly retry?: 'same';
  /** The next process meets it too, at a call of its own. */
  readonly isTwice?: boolean;
  /** What was written and not synced is lost. */
  readonly isPowerCut?: boolean;
  /** Nor can anything be removed: a file that was staged beside the work tree stays until somebody clears away what the dead left. */
  readonly removesNothing?: true;
  /** Nothing fails: from the call on, somebody else is at work, who ends at a later one. */
  readonly beside?: (gitDirectory: string) => { finish(): void };
}

const atWrites =
  (fault: Fault) =>
  ({ operation }: Call) =>
    operation === 'writeSync' ? fault : null;

export const faultKinds: readonly FaultKind[] = [
  { name: 'EIO once', at: () => ({ code: 'EIO' }) },
  { name: 'EMFILE once', at: () => ({ code: 'EMFILE' }) },
  { name: 'EACCES once', at: () => ({ code: 'EACCES' }) },
  { name: 'ENOSPC once', at: () => ({ code: 'ENOSPC' }) },
  { name: 'EIO once, the same memory goes on', at: () => ({ code: 'EIO' }), retry: 'same' },
  { name: 'ENOSPC for good', at: () => ({ code: 'ENOSPC', sticky: true }), removesNothing: true },
  {
    name: 'ENOSPC for good, the same memory goes on',
    at: () => ({ code: 'ENOSPC', sticky: true }),
    removesNothing: true,
    retry: 'same',
  },
  { name: 'ENOSPC with half a write', at: atWrites({ code: 'ENOSPC', torn: 0.5 }) },
  { name: 'kill', at: () => ({ kill: true }) },
  { name: 'kill with an empty write', at: atWrites({ kill: true, torn: 0 }) },
  { name: 'kill with half a write', at: atWrites({ kill: true, torn: 0.5 }) },
  { name: 'kill, and kill of the next process', at: () => ({ kill: true }), isTwice: true },
  { name: 'power cut', at: () => ({ kill: true }), isPowerCut: true },
  ...(hasGit ? [{ name: 'prune=now beside it', at: () => null, beside: beginCollection }] : []),
];

/** What a caller sees. */
interface State {
  /** Equal when files and snapshots are. Commits are counted apart: a call may flush what was pending before it acts. */
  readonly digest: string;
  readonly files: ReadonlyMap<string, string>;
  readonly log: readonly string[];
  /** The commits of other branches that steps write to. */
  readonly logs: ReadonlyMap<string, readonly string[]>;
  readonly pending: number;
  readonly warnings: readonly string[];
}

/** An operation on its base, with the states a caller sees before and after each of its calls. */
export interface Prepared {
  readonly operation: SweptOperation;
  readonly placement: Placement;
  readonly base: Base;
  readonly states: readonly State[];
  /** git's configuration of the repository at the end. */
  readonly configuration: string;
  /** The calls of the file system in a run without faults. */
  readonly calls: readonly Call[];
}

export interface Verdict {
  /** What was promised and is not so; empty in the good case. */
  readonly complaints: readonly string[];
  /** Error codes that callers were told. */
  readonly errors: readonly string[];
  readonly call: Call | null;
}

/** Runs an operation without faults, to learn what each of its calls does. */
export async function prepare(operation: SweptOperation, placement: Placement, base: Base): Promise<Prepared> {
  const folder = `${base.folder}-learn`;
  fs.cpSync(base.folder, folder, { recursive: true });
  const group = new ProcessGroup();
  const look = () => lookAt(folder, group, branchesOf(operation));
  const recorder = failingFileSystem(() => null);
  const states = [await look()];
  const actor = new Actor(operation, placement, { ...base, folder }, recorder.fs, group.spawn().processes);
  for (let position = 0; position < actor.count; position++) {
    await actor.act(position);
    states.push(await look());
  }
  operation.meanwhile?.(folder);
  const closing = await openForTest({ dir: folder, processes: group.spawn().processes });
  await closing.commit();
  await closing.close();
  states.push(await look());
  const configuration = readConfiguration(folder, placement);
  fs.rmSync(folder, { recursive: true });
  return { operation, placement, base, states, configuration, calls: recorder.calls };
}

/** Lets one fault happen at one call, then another attempt succeed, and lists what is not as promised. */
export async function runCase(
  prepared: Prepared,
  kind: FaultKind,
  index: number,
  options: { folder: string; isNative: boolean; random: () => number },
): Promise<Verdict> {
  const { operation, placement, states } = prepared;
  const { folder, random } = options;
  const base = { ...prepared.base, folder };
  const complaints: string[] = [];
  const errors: string[] = [];
  const told: { readonly oid: string; readonly branch: string | undefined }[] = [];
  const group = new ProcessGroup();
  const power = new PowerSwitch(kind.isPowerCut ? `${folder}-graves` : null);
  let hit: Call | null = null;
  let position = 0;
  let actor: Actor | null = null;
  fs.cpSync(prepared.base.folder, folder, { recursive: true });

  const clear = () => {
    for (const made of [folder, `${folder}-graves`]) fs.rmSync(made, { recursive: true, force: true });
  };

  const check = async (when: string): Promise<State | null> => {
    try {
      const state = await lookAt(folder, group, branchesOf(operation));
      const allowed = [states[position]!, states[position + 1] ?? states[position]!];
      const isCounted = state.log.length >= allowed[0]!.log.length && state.log.length <= states.at(-1)!.log.length;
      if (!isCounted || !allowed.some(({ digest }) => digest === state.digest)) {
        complaints.push(`${when}: ${explain(state, allowed)}`);
      }
      for (const { oid, branch } of told) {
        const log = branch === undefined ? state.log : (state.logs.get(branch) ?? []);
        if (!log.includes(oid)) complaints.push(`${when}: commit ${oid} of ${branch ?? 'the open branch'} is lost`);
      }
      return state;
    } catch (error) {
      complaints.push(`${when}: a reader fails: ${describe(error)}`);
      return null;
    }
  };

  const remains = (when: string) =>
    (operation.erases === undefined ? [] : tracesOf(folder, operation.erases, options.isNative)).map(
      (trace) => `${when}: it is still there: ${trace}`,
    );

  // In the work tree it does, since native git has our filter.
  const looksOpen = (when: string) =>
    (operation.hides === undefined
      ? []
      : tracesOf(gitDirectoryOf(folder, placement), operation.hides, options.isNative)
    ).map((trace) => `${when}: it lies open: ${trace}`);

  const attempt = async (which: Actor, when: string, isHealthy: () => boolean) => {
    let state = await check(`before ${when}`);
    for (; position < which.count; position++) {
      const isDone = state !== null && state.digest === states[position + 1]!.digest;
      const isChange = states[position]!.digest !== states[position + 1]!.digest;
      if (!which.isOpen && position > 0) await which.open();
      if (isDone && isChange && which.looksFirst(position, when === 'the same process')) continue;
      try {
        const { branch } = operation.steps[position - 1] ?? {};
        told.push(...(await which.act(position)).map((oid) => ({ oid, branch })));
      } catch (error) {
        errors.push(codeOf(error));
        if (error instanceof MemoryError && error.code !== 'ALREADY_EXISTS') complaints.push(...badManners(error));
        const isRepeated = error instanceof MemoryError && error.code === 'ALREADY_EXISTS' && isDone && isChange;
        if (isRepeated) continue;
        if (isHealthy()) complaints.push(`${when}, call ${position}: ${describe(error)}`);
        else if (!(error instanceof MemoryError)) complaints.push(`not a MemoryError: ${describe(error)}`);
        return;
      }
      state = null;
    }
  };

  let isMet = false;
  for (let round = 0; round < (kind.isTwice ? 2 : 1); round++) {
    const target = round === 0 ? index : Math.floor(random() * prepared.calls.length);
    let isHealed = false;
    let isStruck = false;
    const other = kind.beside && companion(kind.beside, gitDirectoryOf(folder, placement), target, random);
    const failing = failingFileSystem((call) => {
      if (isHealed) return null;
      if (other?.at(call.index)) {
        hit ??= call;
        isMet = true;
      }
      if (call.index !== target) return null;
      const fault = kind.at(call);
      if (!fault) return null;
      if (round === 0) hit = call;
      isMet = true;
      isStruck = true;
      return fault;
    }, power.fs);
    const { fs: stable, heal } = healable(failing.fs, power.fs);
    const life = group.spawn();
    actor = new Actor(operation, placement, base, stable, life.processes);
    await attempt(actor, round === 0 ? 'the first process' : 'the second process', () => !isStruck).catch((error) => {
      errors.push(codeOf(error));
      if (!isStruck) complaints.push(`opening: ${describe(error)}`);
    });
    other?.finish();
    if (failing.isDead()) {
      life.kill();
      power.closeAll();
      // Of what people edit, a file that lost its end cannot be told from one that was cut by hand; a capture and a record can.
      const mayTear = (file: string) =>
        placement === 'bare' || /\/(?:\.git|raw|memories|relations)\/|\.jsonl$/.test(file.slice(folder.length));
      if (kind.isPowerCut) power.cut(random, mayTear);
      actor = null;
    } else {
      isHealed = true;
      heal();
    }
    if (kind.removesNothing !== true) complaints.push(...looksOpen('after the failure'));
    operation.meanwhile?.(folder);
    if (actor && kind.retry === 'same' && actor.isOpen) {
      await attempt(actor, 'the same process', () => true).catch((error) =>
        complaints.push(`the same process: ${describe(error)}`),
      );
    }
    actor?.dispose();
    if (power.openFiles.length > 0) complaints.push(`left open: ${power.openFiles.join(' ')}`);
    power.closeAll();
  }
  if (!isMet) {
    // This kind of fault does not happen at such a call: nothing was tested.
    clear();
    return { complaints: [], errors: [], call: null };
  }

  const last = new Actor(operation, placement, base, fs, group.spawn().processes);
  try {
    if (operation.erases) {
      await last.open();
      const { digest } = await lookAt(folder, group, []);
      if (digest === states.at(-1)!.digest) complaints.push(...remains('after the next open'));
    }
    await attempt(last, 'the last process', () => true);
    if (!last.isOpen) await last.open();
    const { commits } = await last.memory.commit();
    told.push(...commits.map((oid) => ({ oid, branch: undefined })));
    await last.memory.close();
  } catch (error) {
    complaints.push(`the last process: ${describe(error)}`);
    last.dispose();
  }
  position = states.length - 1;
  const state = await check('at the end');
  complaints.push(...leftOvers(folder, placement, group), ...remains('at the end'), ...looksOpen('at the end'));
  if (readConfiguration(folder, placement) !== prepared.configuration) complaints.push("git's configuration is torn");
  if (state) {
    if (state.pending > 0) complaints.push(`${state.pending} writes are pending after the flush`);
    complaints.push(...state.warnings.map((warning) => `a warning: ${warning}`));
    const committed = await readIndependently(folder, placement).catch((error) => describe(error));
    if (typeof committed === 'string') complaints.push(`isomorphic-git cannot read it: ${committed}`);
    else if (!equalMaps(committed, state.files)) complaints.push('isomorphic-git reads other files than the engine');
    if (placement === 'repository') {
      complaints.push(...workTreeDifferences(folder, state.files));
      // A folder that could not be removed is left to people, as git does; what a dead process left is cleared away.
      if (kind.at(hit!)?.kill) complaints.push(...emptyFolders(folder));
    }
  }
  if (options.isNative || complaints.length > 0) complaints.push(...nativeComplaints(folder, placement));
  if (complaints.length === 0) clear();
  return { complaints, errors, call: hit };
}

/** Somebody who begins at a call and ends at a later one, or when all is said and done. */
function companion(
  begin: NonNullable<FaultKind['beside']>,
  gitDirectory: string,
  target: number,
  random: () => number,
) {
  const end = target + Math.floor(random() * random() * 200);
  let work: { finish(): void } | null = null;
  let isBegun = false;
  const finish = () => {
    work?.finish();
    work = null;
  };
  return {
    finish,
    /** Gives whether it begins at this call. */
    at(index: number): boolean {
      const begins = index === target && !isBegun;
      if (begins) {
        isBegun = true;
        work = begin(gitDirectory);
      }
      if (index === end) finish();
      return begins;
    },
  };
}

/** Plays the calls of an operation: open, its steps, close. */
class Actor {
  readonly count: number;
  private readonly operation: SweptOperation;
  private readonly placement: Placement;
  private readonly base: Base;
  private readonly fs: FileSystem;
  private readonly processes: Processes;
  private caller: Caller | null = null;

  constructor(
    operation: SweptOperation,
    placement: Placement,
    base: Base,
    fileSystem: FileSystem,
    processes: Processes,
  ) {
    this.count = operation.steps.length + 2;
    this.operation = operation;
    this.placement = placement;
    this.base = base;
    this.fs = fileSystem;
    this.processes = processes;
  }

  get isOpen(): boolean {
    return this.caller !== null;
  }

  get memory(): Memory {
    return this.caller!.memory;
  }

  async open(): Promise<void> {
    const { fs, processes, placement } = this;
    const create = this.operation.base === 'nothing' ? { create: true, placement } : {};
    const memory = await openForTest({ dir: this.base.folder, fs, processes, ...create });
    this.caller = callerOf(this.base, memory);
  }

  looksFirst(position: number, isSame: boolean): boolean {
    const looksFirst = this.operation.steps[position - 1]?.looksFirst;
    return looksFirst === 'always' || (looksFirst === 'else' && !isSame);
  }

  /** Makes one call; gives the commits it told of. */
  async act(position: number): Promise<string[]> {
    if (position === 0) {
      if (!this.caller) await this.open();
      return [];
    }
    if (position === this.count - 1) {
      const { memory } = this;
      this.caller = null;
      await memory.close();
      return [];
    }
    const commits = await this.operation.steps[position - 1]!.run(this.caller!);
    return commits.filter((oid) => oid !== null);
  }

  dispose(): void {
    this.caller?.memory.dispose();
    this.caller = null;
  }
}

/** Looks at a memory as a process that only reads, before anybody has recovered anything. */
async function lookAt(folder: string, group: ProcessGroup, branches: readonly string[]): Promise<State> {
  let memory: Memory;
  try {
    memory = await openForTest({ dir: folder, readOnly: true, processes: group.spawn().processes });
  } catch (error) {
    const isNone = error instanceof MemoryError && ['NOT_A_REPOSITORY', 'NOT_A_MEMORY'].includes(error.code);
    if (!isNone) throw error;
    return { digest: 'none', files: new Map(), log: [], logs: new Map(), pending: 0, warnings: [] };
  }
  const files = new Map<string, string>();
  for (const name of await memory.files()) {
    files.set(name, await memory.read(name));
  }
  const logOf = async (view: Pick<View, 'log'>) => (await view.log({ limit: 1000 })).commits.map(({ oid }) => oid);
  const log = await logOf(memory);
  const present = new Set((await memory.branches.list()).map(({ name }) => name));
  const logs = new Map<string, readonly string[]>();
  for (const name of branches) if (present.has(name)) logs.set(name, await logOf(await memory.at(name)));
  const snapshots = (await memory.snapshots.list()).map(({ tag }) => tag);
  const { pending, warnings } = await memory.status();
  await memory.close();
  // Each attempt at a purge has an id of its own, and its receipt is salted.
  const told = [...files].map(([name, text]) => (name.startsWith('.memory/purges/') ? 'a receipt' : [name, text]));
  const digest = JSON.stringify([told, snapshots]).replace(/purged([ -])[0-9a-z]{10}(?:-\d+)?/g, 'purged$1…');
  return { digest, files, log, logs, pending: pending.length, warnings };
}

const branchesOf = ({ steps }: SweptOperation) => [...new Set(steps.flatMap(({ branch }) => branch ?? []))];

function explain(state: State, allowed: readonly State[]): string {
  const wanted = allowed.at(-1)!;
  const names = new Set([...state.files.keys(), ...wanted.files.keys()]);
  const different = [...names].filter((name) => state.files.get(name) !== wanted.files.get(name));
  return `neither before nor after: ${state.log.length} commits (allowed ${allowed.map(({ log }) => log.length)}), different files ${JSON.stringify(different)}`;
}

/** Reads the tip with isomorphic-git: its opinion of what is committed. */
async function readIndependently(folder: string, placement: Placement): Promise<Map<string, string>> {
  const gitdir = gitDirectoryOf(folder, placement);
  const cache = {};
  const files = new Map<string, string>();
  const commit = await git.resolveRef({ fs, gitdir, ref: 'refs/heads/main' });
  const visit = async (oid: string, prefix: string): Promise<void> => {
    for (const entry of (await git.readTree({ fs, gitdir, oid, cache })).tree) {
      if (entry.type === 'tree') await visit(entry.oid, `${prefix}${entry.path}/`);
      else {
        const { blob } = await git.readBlob({ fs, gitdir, oid: entry.oid, cache });
        files.set(prefix + entry.path, plainOf(blob, prefix + entry.path));
      }
    }
  };
  await visit(commit, '');
  return files;
}

function equalMaps(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);
}

function readConfiguration(folder: string, placement: Placement): string {
  return fs.readFileSync(path.join(gitDirectoryOf(folder, placement), 'config'), 'utf8');
}

/**
 * What may stand in a git directory, by docs/architecture/object-pipeline.md ("On disk") and git's own layout; whatever else is there was left over.
 *
 * Damage is not part of the sweep, so that quarantine, copies of journals and `.keep` files have no place here either.
 */
const knownNames = [
  /^(?:HEAD|config|description|index|packed-refs|info\/(?:exclude|attributes))$/,
  /^objects\/(?:[0-9a-f]{2}\/[0-9a-f]{38}|pack\/pack-[0-9a-f]{40}\.(?:pack|idx))$/,
  /^(?:logs\/)?refs\/heads\/(?:main|side|new|extract\/swept)$/,
  /^refs\/tags\/memory\/before\/(?:sweep|import-jsonl|import-conversations|(?:distil|memory-md|journals|evict)-[0-9-]{10})$/,
  /^logs\/HEAD$/,
  /^git-memory\/(?:keep|purged|dropped|journal\/refs%2Fheads%2F(?:main|side|new|extract%2Fswept)\.journal)$/,
  /^git-memory\/tips\/refs%2Fheads%2F(?:main|side|new|extract%2Fswept)$/,
  // Derived, and each file whole: what is on its way there has another name.
  /^git-memory\/cache\/[a-z0-9-]+$/,
];

/** Lists what an operation in progress leaves and a finished one must not. */
function leftOvers(folder: string, placement: Placement, group: ProcessGroup): string[] {
  const root = gitDirectoryOf(folder, placement);
  const found: string[] = [];
  const packs = new Set(fs.existsSync(`${root}/objects/pack`) ? fs.readdirSync(`${root}/objects/pack`) : []);
  for (const name of packs) {
    const other = name.endsWith('.pack') ? name.replace(/pack$/, 'idx') : name.replace(/idx$/, 'pack');
    if (!packs.has(other)) found.push(`left over: ${name} without ${other}`);
  }
  const visit = (directory: string) => {
    for (const entry of fs.readdirSync(path.join(root, directory), { withFileTypes: true })) {
      const name = directory === '' ? entry.name : `${directory}/${entry.name}`;
      if (entry.isDirectory()) visit(name);
      else if (/^git-memory\/locks\//.test(name)) {
        if (isOfTheDead(path.join(root, name), group)) found.push(`left over: ${name}`);
      } else if (!knownNames.some((known) => known.test(name))) found.push(`left over: ${name}`);
    }
  };
  visit('');
  return found;
}

/** A file that says who its process is; one that was torn while it was written names nobody. */
function isOfTheDead(file: string, group: ProcessGroup): boolean {
  try {
    return group.spawn().processes.stateOf(JSON.parse(fs.readFileSync(file, 'utf8'))) === 'dead';
  } catch {
    return false;
  }
}

/** Compares the work tree with the tip, byte by byte; what git's index makes of it is native git's to judge. */
function workTreeDifferences(folder: string, files: ReadonlyMap<string, string>): string[] {
  const present = new Map<string, string>();
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const name = path.relative(folder, path.join(entry.parentPath, entry.name));
    if (name === '.git' || name.startsWith('.git/')) continue;
    if (entry.isFile()) present.set(name, plainOf(fs.readFileSync(path.join(folder, name)), name));
    else if (!entry.isDirectory()) present.set(name, 'neither a file nor a folder');
  }
  const names = new Set([...present.keys(), ...files.keys()]);
  return [...names]
    .filter((name) => present.get(name) !== files.get(name))
    .map((name) => `the work tree differs from the tip: ${name}`);
}

function emptyFolders(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((name) => !name.includes('/.git') && fs.readdirSync(name).length === 0)
    .map((name) => `left over: the empty folder ${path.relative(folder, name)}`);
}

function nativeComplaints(folder: string, placement: Placement): string[] {
  const complaints: string[] = [];
  const verdict = fsck(folder);
  if (verdict !== '') complaints.push(`git fsck: ${verdict.trim()}`);
  if (placement !== 'bare') {
    const status = tryGit(folder, ['status', '--porcelain'], undefined, { GIT_MEMORY_KEY: keyText });
    if (status.status !== 0 || status.stdout !== '') complaints.push(`git status: ${status.stdout}${status.stderr}`);
  }
  return complaints;
}

/** A file system whose owner lives on after the fault: from `heal` on it works again. */
function healable(broken: FileSystem, whole: FileSystem): { fs: FileSystem; heal: () => void } {
  let current = broken;
  const names = Object.keys(broken) as (keyof FileSystem)[];
  const wrapped = Object.fromEntries(
    names.map((name) => [
      name,
      (...parameters: unknown[]) => (current[name] as (...all: unknown[]) => unknown)(...parameters),
    ]),
  );
  return {
    fs: { ...wrapped, constants: whole.constants } as unknown as FileSystem,
    heal: () => {
      current = whole;
    },
  };
}

const codeOf = (error: unknown) => (error instanceof MemoryError ? error.code : String((error as Error)?.name));

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` ← ${error.cause.message}` : '';
  const where = (error.stack ?? '')
    .split('\n')
    .filter((line) => line.includes('/src/'))
    .slice(0, 4);
  return `${error.name} ${error.message}${cause} ${where.map((line) => line.trim().replace(/\(.*\/src\//, '(src/')).join(' < ')}`;
}
