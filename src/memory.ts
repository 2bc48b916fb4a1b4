// openMemory and the Memory it opens: wiring. What each call does lives in the layers below.

import { hostname } from 'node:os';
import { nodeFileSystem, nodeProcesses, silentLogger, systemClock, ulidSource } from './adapters/node.ts';
import { dayOf, formatTime, isoWeek, parseTime } from './base/time.ts';
import { type CaptureFormat, parseCaptureInput } from './capture/input.ts';
import { planCapture, resumeTranscript, Session } from './capture/session.ts';
import { splitSessions, topicOf } from './capture/sessions.ts';
import { MemoryError } from './errors.ts';
import type { Extractor } from './extract/extractor.ts';
import { ruleExtractor } from './extract/rules.ts';
import { answer, asMemoryError } from './git/disk.ts';
import { ProcessLock } from './git/process-lock.ts';
import type { Repository } from './git/repository.ts';
import { commitAt, resolveRevision } from './git/revision.ts';
import { checkIdentity } from './guard/identity.ts';
import { checkMemoryPath, checkPath } from './guard/path.ts';
import { checkRefName } from './guard/ref-name.ts';
import { planUndo, selectCommits } from './history/undo.ts';
import { absolutePath, type Location, locate } from './open.ts';
import { extractTranscripts } from './operations/extract.ts';
import { planInit } from './operations/initialise.ts';
import type { Clock, FileSystem, IdSource, Logger, Processes } from './ports.ts';
import {
  type Configuration,
  defaultConfiguration,
  type InitialConfiguration,
  parseConfiguration,
} from './records/configuration.ts';
import { formatMemory, memoryPath, newMemory } from './records/memory-record.ts';
import { formatTranscript, transcriptPath } from './records/transcript.ts';
import type { MemoryRecord, Transcript, Turn } from './records/types.ts';
import { BranchStore, type BranchStoreOptions, kindOfChanges } from './store/branch-store.ts';
import { identityCodec } from './store/codec.ts';
import type { PendingEntry } from './store/journal.ts';
import { MemoryCatalog } from './store/memory-catalog.ts';
import type { CommitOutcome } from './store/operation.ts';
import type { Snapshot } from './store/snapshot.ts';
import type {
  CaptureInput,
  CaptureResult,
  CommitResult,
  ExtractOptions,
  ExtractResult,
  Placement,
  RememberInput,
  SnapshotResult,
  StatusResult,
  TimeInput,
  UndoOptions,
  UndoResult,
  UndoTarget,
  WriteResult,
} from './types.ts';
import { Reader, Searcher, timeOf, View, type ViewContext } from './view.ts';

/** How to open a memory; only `dir` is needed. */
export interface OpenOptions {
  /** A folder inside the repository, or where to make one. */
  readonly dir: string;
  /** Begin a memory when there is none. Default false. */
  readonly create?: boolean;
  readonly readOnly?: boolean;
  /** Default: the branch that is checked out, or `memory/main` inside a code repository. */
  readonly branch?: string;
  /** Default: found out; see README, "Placement". */
  readonly placement?: Placement;
  /** What `memory.yaml` of a new memory says beside its defaults. */
  readonly configuration?: InitialConfiguration;
  /** `full` (default): what was acknowledged survives a power cut. `fast`: it survives the death of the process. */
  readonly durability?: 'full' | 'fast';
  /** How long a capture waits for git's `index.lock` before it stays in the journal; default 2000. */
  readonly indexWaitMs?: number;
  /** How long to wait for another process that writes; default 10,000. */
  readonly lockWaitMs?: number;
  readonly fs?: FileSystem;
  readonly clock?: Clock;
  readonly ids?: IdSource;
  readonly processes?: Processes;
  readonly logger?: Logger;
}

/** Says how a session begins; everything has a default. */
export interface SessionOptions {
  readonly session?: string;
  readonly channel?: string;
  readonly model?: string;
  readonly topic?: string;
  readonly agent?: string;
  readonly tags?: readonly string[];
  readonly started?: TimeInput;
}

export interface CaptureTextOptions {
  readonly format?: CaptureFormat;
  /** The file the text came from: tells the format, and names it in errors. */
  readonly path?: string;
  readonly session?: string;
  readonly topic?: string;
  readonly channel?: string;
  readonly time?: TimeInput;
  /** Cut into sessions at pauses of at least so many minutes; by default everything is one session. */
  readonly pauseMinutes?: number;
}

/**
 * Opens the memory that a folder belongs to.
 *
 * Throws NOT_A_REPOSITORY or NOT_A_MEMORY (without `create`), UNSUPPORTED_REPOSITORY, INVALID_ARGUMENT, INVALID_CONFIG, IO.
 */
export async function openMemory(options: OpenOptions): Promise<Memory> {
  return answer(async () => {
    if (typeof options?.dir !== 'string' || options.dir === '') {
      throw new MemoryError('INVALID_ARGUMENT', 'the folder of the memory is missing', { where: 'dir' });
    }
    if (options.create && options.readOnly) {
      throw new MemoryError('INVALID_ARGUMENT', 'create and readOnly exclude each other', { where: 'create' });
    }
    const fs = options.fs ?? nodeFileSystem;
    const directory = absolutePath(options.dir, process.cwd());
    const location = await locate(fs, directory, {
      create: options.create ?? false,
      sync: options.durability !== 'fast',
      ...(options.branch === undefined ? {} : { branch: options.branch }),
      ...(options.placement === undefined ? {} : { placement: options.placement }),
    });
    const memory = new Memory(location, {
      clock: options.clock ?? systemClock,
      ids: options.ids ?? ulidSource(),
      processes: options.processes ?? nodeProcesses(),
      logger: options.logger ?? silentLogger,
      readOnly: options.readOnly ?? false,
      ...(options.indexWaitMs === undefined ? {} : { indexTimeoutMs: options.indexWaitMs }),
      ...(options.lockWaitMs === undefined ? {} : { lockTimeoutMs: options.lockWaitMs }),
    });
    try {
      if (!options.readOnly) await memory.begin(location.exists ? null : (options.configuration ?? {}));
      return memory;
    } catch (error) {
      memory.dispose();
      throw error;
    }
  });
}

interface MemoryDependencies extends Omit<BranchStoreOptions, 'ownsWorkTree'> {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly processes: Processes;
  readonly logger: Logger;
  readonly readOnly: boolean;
}

const fallbackIdentity = { name: 'git-memory', email: 'git-memory@localhost' };

/** The present of one branch, its tip and journal: answers like a {@link View}, and acts. */
export class Memory extends Reader {
  readonly directory: string;
  /** Short name. */
  readonly branch: string;
  readonly placement: Placement;
  private readonly repository: Repository;
  private readonly store: BranchStore;
  private readonly lock: ProcessLock;
  private readonly dependencies: MemoryDependencies;
  private readonly sharedSearcher: Searcher;
  private readonly extractor: Extractor = ruleExtractor;
  private flushTimer: NodeJS.Timeout | null = null;
  private isClosed = false;

  /** Use {@link openMemory}. */
  constructor(location: Location, dependencies: MemoryDependencies) {
    const { repository, ref, placement } = location;
    const configurations = new ConfigurationReader();
    const lock = new ProcessLock(repository.disk, repository.ownDirectory, dependencies.processes, ulidSource().next());
    const store = new BranchStore(
      { repository, ref, lock, codec: identityCodec, clock: dependencies.clock, logger: dependencies.logger },
      (snapshot) => {
        const configuration = configurations.of(snapshot);
        const identity = checkIdentity(configuration.author ?? repository.identity ?? fallbackIdentity);
        return { identity, maxMemoryLines: configuration.memoryMd.maxLines };
      },
      { ...dependencies, ownsWorkTree: placement === 'repository' },
    );
    const context: ViewContext = {
      repository,
      catalog: new MemoryCatalog(),
      configurationOf: (snapshot) => configurations.of(snapshot),
      at: (commit) => store.at(commit),
    };
    super(context);
    this.repository = repository;
    this.store = store;
    this.lock = lock;
    this.dependencies = dependencies;
    this.placement = placement;
    this.branch = ref.replace('refs/heads/', '');
    this.directory = repository.workTree ?? repository.gitDirectory;
    this.sharedSearcher = new Searcher(repository);
  }

  protected override current(): Snapshot {
    if (this.isClosed) throw new MemoryError('CLOSED', 'the memory has been closed', { where: this.directory });
    return this.store.snapshot();
  }

  protected override searcher(): Searcher {
    return this.sharedSearcher;
  }

  protected override now(): number {
    return this.dependencies.clock.now();
  }

  /** Finishes what a dead process left, makes the first commit of a new memory, and flushes what is overdue. */
  async begin(initial: InitialConfiguration | null): Promise<void> {
    await this.store.recover();
    if (initial !== null) {
      const options = { now: this.now(), machine: hostname(), configuration: initial };
      await this.store.commit(
        (snapshot) => {
          const operation = planInit(snapshot, this.placement, options);
          // A file that a person has put there is theirs; the next flush takes it in as it is.
          const isFree = (path: string) =>
            !this.store.workTree?.isCheckedOut() || this.store.workTree.inspect(path) === null;
          return [{ ...operation, changes: operation.changes.filter(({ path }) => isFree(path)) }];
        },
        { onBusy: 'fail' },
      );
    }
    const oldest = this.store.pending()[0];
    if (oldest && this.isImmediate) {
      const flushMs = this.configuration().flushMinutes * 60_000;
      if (this.now() - oldest.time >= flushMs) await this.store.flush();
      else this.scheduleFlush();
    }
  }

  /** Inside a project commits are made on request only. */
  private get isImmediate(): boolean {
    return this.placement !== 'project';
  }

  /** The newest commit of the branch; `null` before the first. */
  get tip(): string | null {
    return this.store.tip();
  }

  private configuration(): Configuration {
    return this.context.configurationOf(this.store.snapshot());
  }

  private acting<T>(call: () => Promise<T>): Promise<T> {
    return answer(() => {
      if (this.isClosed) throw new MemoryError('CLOSED', 'the memory has been closed', { where: this.directory });
      if (this.dependencies.readOnly) {
        throw new MemoryError('READ_ONLY', 'the memory was opened read only', {
          where: this.directory,
          hint: 'Open it without readOnly to change it',
        });
      }
      return call();
    });
  }

  private scheduleFlush(): void {
    if (this.flushTimer !== null || !this.isImmediate) return;
    const delay = this.configuration().flushMinutes * 60_000;
    this.flushTimer = setTimeout(() => {
      this.flushTimer = null;
      if (this.isClosed) return;
      this.store.flush().catch((error: unknown) => {
        this.dependencies.logger.warn(`the batch could not be committed and waits: ${String(asMemoryError(error))}`);
        this.scheduleFlush();
      });
    }, delay);
    this.flushTimer.unref();
  }

  // ── captures ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Begins a session, or goes on with an open one of that id. Throws ALREADY_EXISTS when it has ended. */
  startSession(options: SessionOptions = {}): Promise<Session> {
    return this.acting(async () => {
      const id = options.session ?? this.newSessionId();
      const open = this.findSession(id);
      if (open) {
        const transcript = resumeTranscript(this.store.snapshot().readText(open)!, open);
        return new Session(this.store, this.dependencies.clock, open, transcript, this.isImmediate);
      }
      const started = options.started === undefined ? this.now() : parseTime(options.started, 'started');
      const { session: _session, started: _started, ...rest } = options;
      const transcript: Transcript = {
        ...rest,
        sessionId: id,
        started: wholeSeconds(started),
        title: options.topic ?? 'Session',
        turns: [],
      };
      const path = checkMemoryPath(transcriptPath(transcript));
      return new Session(this.store, this.dependencies.clock, path, transcript, this.isImmediate).begin();
    });
  }

  private newSessionId(): string {
    return `ses_${this.dependencies.ids.next().slice(-12)}`;
  }

  private findSession(id: string): string | undefined {
    for (const path of this.store.snapshot().list('raw/conversations/').keys()) {
      if (path.includes(`-${id}-`) || path.endsWith(`-${id}.md`)) return path;
    }
    return undefined;
  }

  /** Records a finished conversation or note; closed and committed when the call returns. */
  capture(input: CaptureInput): Promise<CaptureResult> {
    return this.acting(async () => {
      if (typeof input === 'string') return this.captureOne(this.noteOf(input, {}));
      if (input !== null && typeof input === 'object' && 'text' in input)
        return this.captureOne(this.noteOf(input.text, input));
      if (input === null || typeof input !== 'object' || !Array.isArray(input.messages)) {
        throw new MemoryError('INVALID_ARGUMENT', 'capture needs a text or messages', { where: 'input' });
      }
      const { messages, session, started, ended, ...rest } = input;
      const parsed = parseCaptureInput(JSON.stringify(messages.map(plainMessage)), {
        format: 'json',
        now: started === undefined ? this.now() : parseTime(started, 'started'),
      });
      const from = started === undefined ? parsed.started : parseTime(started, 'started');
      return this.captureOne({
        ...rest,
        ...(session === undefined ? {} : { sessionId: session }),
        started: Math.min(from, parsed.started),
        ended: Math.max(ended === undefined ? parsed.ended : parseTime(ended, 'ended'), parsed.ended),
        turns: parsed.turns,
      });
    });
  }

  /** Records a text as found in a file: a transcript, plain text, JSON or JSONL messages; see {@link CaptureTextOptions}. */
  captureText(text: string, options: CaptureTextOptions = {}): Promise<CaptureResult[]> {
    return this.acting(async () => {
      const { pauseMinutes, session, time, ...rest } = options;
      const parsed = parseCaptureInput(text, {
        ...rest,
        now: this.now(),
        ...(session === undefined ? {} : { sessionId: session }),
        ...(time === undefined ? {} : { time: parseTime(time, 'time') }),
      });
      if (pauseMinutes === undefined) return [await this.captureOne(parsed)];
      if (!(pauseMinutes > 0)) {
        throw new MemoryError('INVALID_ARGUMENT', 'a pause is a number of minutes above 0', { where: 'pauseMinutes' });
      }
      const results: CaptureResult[] = [];
      const { sessionId, started: _started, ended: _ended, turns, topic, ...head } = parsed;
      for (const [position, part] of splitSessions(turns, pauseMinutes * 60_000).entries()) {
        results.push(
          await this.captureOne({
            ...head,
            ...(topic === undefined ? {} : { topic }),
            ...(sessionId === undefined ? {} : { sessionId: `${sessionId}-${position + 1}` }),
            started: part[0]!.time,
            ended: part.at(-1)!.time,
            turns: part,
          }),
        );
      }
      return results;
    });
  }

  private noteOf(text: string, options: { topic?: string; channel?: string; time?: TimeInput }) {
    const { time, topic, channel } = options;
    return parseCaptureInput(text, {
      format: 'text',
      now: time === undefined ? this.now() : parseTime(time, 'time'),
      ...(topic === undefined ? {} : { topic }),
      ...(channel === undefined ? {} : { channel }),
    });
  }

  private async captureOne(parsed: CapturedSession): Promise<CaptureResult> {
    const { sessionId, turns, started, ended, topic: given, ...rest } = parsed;
    const topic = given ?? topicOf(turns);
    const transcript: Transcript = {
      ...rest,
      sessionId: sessionId ?? this.newSessionId(),
      started: wholeSeconds(started),
      ended: wholeSeconds(ended),
      topic,
      title: titleOf(topic),
      turns: turns.map((turn) => ({ ...turn, time: wholeSeconds(turn.time) })),
    };
    const path = checkMemoryPath(transcriptPath(transcript));
    const result = { path, session: transcript.sessionId, turns: turns.length };
    const bytes = Buffer.from(formatTranscript(transcript));
    const present = sessionId === undefined ? null : this.store.snapshot().read(path);
    if (present !== null) {
      if (!present.equals(bytes)) throw sessionExists(path);
      return { ...result, commit: this.sharedSearcher.lastChangeOf(this.store.snapshot(), path) };
    }
    if (!this.isImmediate) {
      await this.store.append((snapshot) => {
        const { kind, name, subject, trailers, changes } = planCapture(path, transcript, snapshot.oidOf(path));
        return [{ run: `session:${path}`, kind, name, subject: subject!, trailers, changes, time: this.now() }];
      });
      return { ...result, commit: null };
    }
    const outcome = await this.store.commit(
      (snapshot) => {
        if (snapshot.oidOf(path) !== null) throw sessionExists(path);
        return [planCapture(path, transcript, null)];
      },
      { onBusy: 'journal' },
    );
    if (outcome.conflicts.length > 0) throw sessionExists(path);
    return { ...result, commit: outcome.commits.at(-1) ?? null };
  }

  // ── the batch ─────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Keeps a memory; durable when the call returns, committed with the next flush. */
  remember(input: RememberInput | string): Promise<WriteResult> {
    return this.acting(async () => {
      const given = typeof input === 'string' ? { content: input } : input;
      if (given === null || typeof given !== 'object') {
        throw new MemoryError('INVALID_ARGUMENT', 'remember needs content', { where: 'content' });
      }
      const record = newMemory({ ...given, id: given.id ?? this.dependencies.ids.next(), now: this.now() });
      const path = memoryPath(record.id);
      await this.batch('remember', record.id, (snapshot) => {
        if (snapshot.oidOf(path) !== null) {
          throw new MemoryError('ALREADY_EXISTS', `a memory of the id ${record.id} is there already`, {
            where: path,
            hint: 'Leave the id out, or change that memory',
          });
        }
        return { path, after: formatMemory(record) };
      });
      return { id: record.id, path, pending: true };
    });
  }

  /** Writes a whole file; `ifBlob` makes it fail with CONFLICT unless the file still has that blob id (`null`: is absent). */
  write(path: string, text: string, options: { ifBlob?: string | null } = {}): Promise<WriteResult> {
    return this.acting(async () => {
      const place = checkMemoryPath(path);
      if (typeof text !== 'string') throw new MemoryError('INVALID_ARGUMENT', 'the text is missing', { where: 'text' });
      await this.batch('write', null, (snapshot) => {
        const before = snapshot.oidOf(place);
        if (options.ifBlob !== undefined && options.ifBlob !== before) {
          throw new MemoryError('CONFLICT', `${place} is not the version that was expected`, {
            where: place,
            hint: 'Read it again and repeat the change',
          });
        }
        return { path: place, after: text };
      });
      return { path: place, pending: true };
    });
  }

  /** Replaces a text that occurs exactly once. Throws NOT_FOUND, AMBIGUOUS. */
  edit(path: string, oldText: string, newText: string): Promise<WriteResult> {
    return this.acting(async () => {
      const place = checkMemoryPath(path);
      if (typeof oldText !== 'string' || oldText === '' || typeof newText !== 'string') {
        throw new MemoryError('INVALID_ARGUMENT', 'edit needs the old and the new text', { where: 'oldText' });
      }
      await this.batch('edit', null, (snapshot) => {
        const text = snapshot.readText(place);
        if (text === null) throw new MemoryError('NOT_FOUND', `${place} is not in this memory`, { where: place });
        const at = text.indexOf(oldText);
        if (at < 0) throw new MemoryError('NOT_FOUND', 'the old text does not occur in the file', { where: place });
        if (text.indexOf(oldText, at + 1) >= 0) {
          throw new MemoryError('AMBIGUOUS', 'the old text occurs more than once', {
            where: place,
            hint: 'Give more of the text around it',
          });
        }
        return { path: place, after: text.slice(0, at) + newText + text.slice(at + oldText.length) };
      });
      return { path: place, pending: true };
    });
  }

  /** Removes a file from the present; history keeps it. Throws NOT_FOUND, IMMUTABLE. */
  remove(path: string): Promise<WriteResult> {
    return this.acting(async () => {
      const place = checkPath(path);
      await this.batch('remove', null, (snapshot) => {
        if (snapshot.oidOf(place) === null)
          throw new MemoryError('NOT_FOUND', `${place} is not in this memory`, { where: place });
        return { path: place, after: null };
      });
      return { path: place, pending: true };
    });
  }

  /** Notes that a memory was of use: it decays later. */
  touch(id: string): Promise<WriteResult> {
    const seconds = Math.floor(this.now() / 1000);
    return this.change('touch', id, (record) => ({
      ...record,
      lastUsed: Math.max(record.lastUsed, seconds),
      useCount: record.useCount + 1,
      lastReviewAt: seconds,
      reviewCount: record.reviewCount + 1,
    }));
  }

  /** Takes a memory out of recall and keeps it where it is. */
  archive(id: string): Promise<WriteResult> {
    return this.change('archive', id, (record) => ({ ...record, status: 'archived' }));
  }

  /** Removes a memory from the present; history still answers, and undo brings it back. */
  forget(id: string): Promise<WriteResult> {
    return this.change('forget', id, () => null);
  }

  private change(
    name: string,
    id: string,
    change: (record: MemoryRecord) => MemoryRecord | null,
  ): Promise<WriteResult> {
    return this.acting(async () => {
      // Found before the journal is touched, so that an unknown id writes nothing; found again under the lock.
      const { record } = this.context.catalog.find(this.store.snapshot(), id);
      const { path } = this.context.catalog.find(this.store.snapshot(), id);
      await this.batch(name, record.id, (snapshot) => {
        const current = this.context.catalog.find(snapshot, record.id);
        const changed = change(current.record);
        return { path: current.path, after: changed && formatMemory(changed) };
      });
      return { id: record.id, path, pending: true };
    });
  }

  private async batch(
    name: string,
    memoryId: string | null,
    plan: (snapshot: Snapshot) => { path: string; after: string | null },
  ): Promise<void> {
    await this.store.append((snapshot) => {
      const { path, after } = plan(snapshot);
      const kind = kindOfChanges([{ path }]);
      return [
        {
          run: `batch:${kind}`,
          kind,
          name,
          trailers: memoryId === null ? [] : [{ key: 'Memory', value: memoryId }],
          changes: [{ path, before: snapshot.oidOf(path), after: after === null ? null : Buffer.from(after) }],
          time: this.now(),
        },
      ];
    });
    this.scheduleFlush();
  }

  /** Commits the batch, and what people changed in the work tree, now. */
  commit(message?: string): Promise<CommitResult> {
    return this.acting(async () => {
      const outcome = await this.store.flush(message === undefined ? {} : { subject: message });
      return { commits: outcome.commits, skipped: outcome.skipped };
    });
  }

  // ── history ───────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Opens the state at a day, a time, a tag, a commit or a branch. Throws NOT_FOUND, INVALID_DATE. */
  at(when: TimeInput): Promise<View> {
    return answer(() => {
      const { timezone } = this.configuration();
      const isDate = typeof when !== 'string' || /^\d{4}-\d{2}-\d{2}(?:[T ].*)?$/.test(when);
      if (!isDate) return new View(this.context, this.store.at(resolveRevision(this.repository, when, this.store.ref)));
      const time = timeOf(when, 'when', timezone, true)!;
      const commit = commitAt(this.repository, this.store.tip(), time);
      if (commit === null) {
        throw new MemoryError('NOT_FOUND', `the memory had no commit by ${formatTime(time)}`, {
          where: String(when),
          hint: '`git memory log` shows when it begins',
        });
      }
      return new View(this.context, this.store.at(commit));
    });
  }

  /**
   * Takes operations back by an inverse commit, three ways against what happened since.
   *
   * Either it succeeds exactly, or names the conflicting paths and changes nothing. Undoing an undo brings things back.
   */
  undo(what: UndoTarget, options: UndoOptions = {}): Promise<UndoResult> {
    return this.acting(async () => {
      if (what === null || what === undefined || (typeof what === 'string' && what === '')) {
        throw new MemoryError('INVALID_ARGUMENT', 'what to undo is missing', {
          where: 'what',
          hint: 'Name a commit, session or run',
        });
      }
      if (options.onto !== undefined && !options.dryRun) {
        throw new MemoryError('INVALID_ARGUMENT', 'onto goes with dryRun only', { where: 'onto' });
      }
      const paths = options.paths?.map((path) => checkPath(path));
      if (options.dryRun) {
        const tip =
          options.onto === undefined
            ? this.store.tip()
            : resolveRevision(this.repository, options.onto, this.store.ref);
        const commits = this.selectForUndo(options.onto === undefined ? tip : null, what);
        const build = this.store.preview(tip, [planUndo(this.repository, commits, paths)]);
        const isRefused = build.refused.length > 0;
        return {
          undone: isRefused ? [] : commits,
          commit: null,
          tree: isRefused ? null : build.tree,
          conflicts: build.refused,
          derived: [],
        };
      }
      const flushed = await this.store.flush();
      if (flushed.isJournalled)
        throw new MemoryError('LOCKED', 'the git index is locked by another program', {
          where: flushed.skipped[0]!.path,
        });
      let commits: string[] = [];
      const outcome = await this.store.commit(
        () => {
          commits = this.selectForUndo(this.store.tip(), what);
          return [planUndo(this.repository, commits, paths)];
        },
        { onBusy: 'fail' },
      );
      return this.undoResult(commits, outcome);
    });
  }

  private selectForUndo(tip: string | null, what: UndoTarget): string[] {
    if (tip === null && typeof what === 'string') return [resolveRevision(this.repository, what, this.store.ref)];
    return selectCommits(this.repository, tip, what, this.store.ref);
  }

  private undoResult(commits: readonly string[], outcome: CommitOutcome): UndoResult {
    const isDone = outcome.commits.length > 0;
    const conflicts = isDone ? [] : outcome.conflicts;
    const removed = isDone
      ? this.store
          .at(outcome.commits[0]!)
          .diffFrom(this.store.at(this.repository.objects.readCommit(outcome.commits[0]!).parents[0]!))
      : [];
    const captures = removed
      .filter((change) => change.after === null && change.path.startsWith('raw/'))
      .map(({ path }) => path);
    const derived = [...this.context.catalog.all(this.store.snapshot())]
      .filter(([, record]) => (record.sources ?? []).some((source) => captures.includes(source.path)))
      .map(([path]) => path);
    return {
      undone: isDone ? commits : [],
      commit: outcome.commits.at(-1) ?? null,
      tree: conflicts.length > 0 ? null : outcome.tree,
      conflicts,
      derived: captures.length === 0 ? [] : derived,
    };
  }

  /**
   * Tags the present: `daily`, `weekly`, `before/<event>`, `extract/<version>`, or a name, which becomes `milestone/<name>`.
   *
   * What is pending is committed first. Throws ALREADY_EXISTS; a tag never moves.
   */
  snapshot(name: string, options: { at?: string } = {}): Promise<SnapshotResult> {
    return this.acting(async () => {
      const tag = this.tagOf(name);
      if (options.at === undefined) await this.store.flush();
      const commit = options.at === undefined ? this.store.tip() : (await this.at(options.at)).commit;
      if (commit === null) throw new MemoryError('NOT_FOUND', 'there is no commit to tag yet', { where: this.branch });
      const ref = checkRefName(`refs/tags/${tag}`);
      const present = this.repository.refs.read(ref);
      if (present !== null && present !== commit) {
        throw new MemoryError('ALREADY_EXISTS', `the snapshot ${tag} is there already`, {
          where: tag,
          hint: 'Choose another name',
        });
      }
      const identity = this.repository.objects.readCommit(commit).committer;
      if (
        present === null &&
        !this.repository.refs.update({ ref, from: null, to: commit, reason: `snapshot ${tag}`, identity })
      ) {
        throw new MemoryError('REF_MOVED', `another process made the snapshot ${tag} just now`, { where: tag });
      }
      return { tag, commit };
    });
  }

  private tagOf(name: string): string {
    if (typeof name !== 'string' || name === '')
      throw new MemoryError('INVALID_ARGUMENT', 'a snapshot needs a name', { where: 'name' });
    const day = dayOf(this.now(), this.configuration().timezone);
    if (name === 'daily') return `memory/daily/${day}`;
    if (name === 'weekly') return `memory/weekly/${isoWeek(day)}`;
    const short = name.replace(/^memory\//, '');
    return /^(?:daily|weekly|before|milestone|extract)\//.test(short) ? `memory/${short}` : `memory/milestone/${short}`;
  }

  /** Lists snapshots, oldest first. */
  snapshots(): Promise<{ tag: string; commit: string; time: string }[]> {
    return answer(() =>
      this.repository.refs
        .list('refs/tags/memory/')
        .map(({ ref, oid }) => {
          const commit = this.repository.objects.peelToCommit(oid);
          const { time } = this.repository.objects.readCommit(commit).committer;
          return { tag: ref.replace('refs/tags/', ''), commit, time: formatTime(time * 1000) };
        })
        .sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0)),
    );
  }

  // ── passes ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Derives memories from conversations: one atomic commit for each transcript that yields something. */
  extract(options: ExtractOptions = {}): Promise<ExtractResult> {
    return this.acting(async () => {
      if (!options.dryRun && this.isImmediate) await this.store.flush();
      const { timezone, extract } = this.configuration();
      return extractTranscripts(
        {
          store: this.store,
          catalog: this.context.catalog,
          clock: this.dependencies.clock,
          extractor: this.extractor,
          context: {
            timeZone: timezone,
            ...(extract.minConfidence > 0 ? { minConfidence: extract.minConfidence } : {}),
          },
        },
        options,
      );
    });
  }

  // ── state ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Says what is where: branch, counts, what is pending, what needs attention. */
  status(): Promise<StatusResult> {
    return answer(() => {
      const snapshot = this.current();
      const listing = [...snapshot.list().keys()];
      const pending = this.store.pending();
      const isConversation = (path: string) => path.startsWith('raw/conversations/');
      return {
        directory: this.directory,
        placement: this.placement,
        branch: this.branch,
        commit: snapshot.commit,
        time:
          snapshot.commit === null
            ? null
            : formatTime(this.repository.objects.readCommit(snapshot.commit).committer.time * 1000),
        files: listing.length,
        memories: listing.filter((path) => path.startsWith('memories/')).length,
        conversations: listing.filter(isConversation).length,
        pending: pending.flatMap((entry) => entry.changes.map(({ path }) => ({ path, operation: entry.name }))),
        openSessions: openSessions(snapshot, pending),
        warnings: [
          ...this.context.catalog.problems(snapshot).map(({ path, why }) => `${path}: ${why}`),
          ...this.store.damages.map((copy) => `a damaged part of the journal was kept as ${copy}`),
        ],
      };
    });
  }

  /** Commits the batch (inside a project: leaves it pending) and lets go of all files. A second call does nothing. */
  close(): Promise<void> {
    return answer(async () => {
      if (this.isClosed) return;
      try {
        if (!this.dependencies.readOnly && this.isImmediate && this.store.pending().length > 0)
          await this.store.flush();
      } finally {
        this.dispose();
      }
    });
  }

  /** Lets go of files and timers without committing anything. */
  dispose(): void {
    this.isClosed = true;
    if (this.flushTimer !== null) clearTimeout(this.flushTimer);
    this.flushTimer = null;
    this.lock.dispose();
    this.repository.objects.close();
  }
}

interface CapturedSession extends Omit<Transcript, 'sessionId' | 'started' | 'ended' | 'title' | 'turns'> {
  readonly sessionId?: string;
  readonly started: number;
  readonly ended: number;
  readonly turns: readonly Turn[];
}

/** Reads memory.yaml, each version once. */
class ConfigurationReader {
  private readonly known = new Map<string, Configuration>();
  private readonly fallback = defaultConfiguration();

  of(snapshot: Snapshot): Configuration {
    const path = ['memory.yaml', 'memory-config.yaml'].find((name) => snapshot.oidOf(name) !== null);
    if (path === undefined) return this.fallback;
    const oid = snapshot.oidOf(path)!;
    let configuration = this.known.get(oid);
    if (!configuration) {
      configuration = parseConfiguration(snapshot.readBlob(oid, path).toString('utf8'), path).configuration;
      this.known.set(oid, configuration);
    }
    return configuration;
  }
}

function plainMessage(message: { role: string; text: string; time?: TimeInput; speaker?: string }) {
  const { time, ...rest } = message;
  return time === undefined ? rest : { ...rest, time: formatTime(parseTime(time, 'time')) };
}

function wholeSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000) * 1000;
}

function titleOf(topic: string): string {
  return topic === '' ? 'Conversation' : topic[0]!.toUpperCase() + topic.slice(1);
}

function sessionExists(path: string): MemoryError {
  return new MemoryError('ALREADY_EXISTS', 'another conversation has this session id and time', {
    where: path,
    hint: 'Leave the session id out, or choose another',
  });
}

function openSessions(snapshot: Snapshot, pending: readonly PendingEntry[]): string[] {
  const candidates = new Set(pending.flatMap((entry) => entry.changes.map(({ path }) => path)));
  return [...candidates].filter((path) => {
    if (!path.startsWith('raw/conversations/')) return false;
    const head = snapshot.readText(path)?.split('\n---\n', 1)[0] ?? '';
    return head !== '' && !/^ended: /m.test(head);
  });
}
