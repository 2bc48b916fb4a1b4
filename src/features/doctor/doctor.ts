// git memory doctor: looks at everything a memory stands on, tells what is the matter, and mends what is safe to mend.
//
//   discover → open → locks → refs → packs → recovery → newest commit → tips → objects → index, journals, files → records → surroundings
//
// It opens the repository by itself, since what it is for cannot be opened as a memory. Each part runs even when another failed.

import { count } from '../../base/count.ts';
import { MemoryError, orElse } from '../../base/errors.ts';
import { type EmbedderSource, type FileSystem, type KeyStore, type Processes, tableName } from '../../base/ports.ts';
import { formatSeconds } from '../../base/time.ts';
import type { ModelChoice } from '../../core/extract/model-reading.ts';
import { type MountedMemory, type MountedView, Mounts } from '../../core/recall/mounts.ts';
import { type Codec, PrivateCodec } from '../../store/codec.ts';
import { committedConfiguration } from '../../store/committed-configuration.ts';
import { ConfigurationReader, configurationFileOf, configurationWarnings } from '../../store/configuration-reader.ts';
import { keptProblems } from '../../store/engine-files.ts';
import { timeRepair } from '../../store/git/commit-object.ts';
import { discoverRepository, parentOf } from '../../store/git/discovery.ts';
import { Disk } from '../../store/git/disk.ts';
import { ProcessLock } from '../../store/git/process-lock.ts';
import { rescueFolder } from '../../store/git/remotes.ts';
import { openRepository, type Repository, type RepositoryLayout, type Trust } from '../../store/git/repository.ts';
import { findEntry } from '../../store/git/tree.ts';
import { checkBranchName, memoryRef } from '../../store/guard/ref-name.ts';
import type { Journal } from '../../store/journal.ts';
import { KeyRing } from '../../store/key-ring.ts';
import { headRef, holdsMemory, isKnownMemory, notAMemory } from '../../store/known-memory.ts';
import { mountListOf } from '../../store/mounts.ts';
import { type Configuration, defaultConfiguration, parseConfiguration } from '../../store/records/configuration.ts';
import { configurationFiles } from '../../store/records/kind.ts';
import { metaPath } from '../../store/records/storage-meta.ts';
import { isMade, journalOf, recoverRepository } from '../../store/recovery.ts';
import { Snapshot } from '../../store/snapshot.ts';
import { CheckedHistory, namedCommit } from './checked-history.ts';
import { Examination } from './examination.ts';
import type { Finding } from './finding.ts';
import {
  examineCaches,
  examineGitLocks,
  examineJournals,
  examineLock,
  examineTemporaries,
  lockState,
} from './leftovers.ts';
import { examineCopies, examinePacks, reportUnreadable } from './objects.ts';
import { defaultLimits, ReachableWalk, type WalkLimits } from './reachable.ts';
import { examineChangelog, examineKnowledge, examineLedger, examineMemories, examineOldLines } from './records.ts';
import { examineRefs } from './refs.ts';
import { damagedKind, examineNewest } from './restore-tip.ts';
import {
  examineArrangement,
  examineMergeDriver,
  examineOtherMachines,
  examineOwnHooks,
  examineSettings,
  examineUnfinished,
  examineWorkTrees,
  type OwnInstallation,
} from './surroundings.ts';
import { examineTips } from './tips.ts';
import { examineFiles, examineIndex } from './work-tree.ts';

export interface DoctorOptions {
  /** Short name of the branch of the memory; found out when left out. */
  readonly branch?: string;
  /** Mend what is safe to mend; what is suspicious is moved into quarantine, never deleted. */
  readonly fix?: boolean;
  /** Says of a branch that is not where it was last seen: back to there (from the last whole commit on), or on from here. Implies `fix`. */
  readonly tip?: 'restore' | 'accept';
  /** Read every copy of every object, and all that any ref leads to. */
  readonly all?: boolean;
  readonly onProgress?: (progress: { readonly what: string; readonly done: number; readonly total: number }) => void;
  readonly signal?: AbortSignal;
}

export interface DoctorReport {
  readonly directory: string;
  /** Short name; null when it is unknown. */
  readonly branch: string | null;
  readonly commit: string | null;
  /** What was read and found to be what its name says. `bytes` are those of files. */
  readonly checked: {
    readonly refs: number;
    readonly commits: number;
    readonly trees: number;
    readonly files: number;
    readonly bytes: number;
    readonly copies: number;
  };
  /** The name of the embedder that ranks; null where there is no memory to rank. */
  readonly embedder: string | null;
  /** The language model that reads conversations; null where the rules do. */
  readonly model: string | null;
  /** Why it is that embedder and that model, in words; null where there is no memory. */
  readonly reasons: { readonly embedder: string; readonly model: string } | null;
  readonly findings: readonly Finding[];
  /** Whether no error is left. */
  readonly isHealthy: boolean;
}

export interface DoctorDependencies {
  readonly fs: FileSystem;
  readonly processes: Processes;
  readonly trusts: Trust;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** A word that no other lock holder ever used. */
  readonly nonce: string;
  readonly lockWaitMs: number;
  /** What this installation puts into repositories. */
  readonly own: OwnInstallation;
  /** Where the keys of private texts lie. */
  readonly keys: KeyStore;
  /** Opens another memory to look into it; nothing of it can be written. */
  openMounted(dir: string): Promise<MountedView & MountedMemory<MountedView>>;
  /** Tells how to get the embedder that a configuration or the user names; null for the table of the package. */
  embedderOf(configuration: Configuration['embedder']): EmbedderSource | null;
  /** Tells which language model would read, and a word about why none does. */
  modelOf(settings: Configuration['extract']['model']): { readonly choice: ModelChoice | null; readonly note?: string };
}

/** What is opened where nothing is checked out, as in a bisect. */
const defaultRef = 'refs/heads/main';
const piece = 500;

/** Examines the repository of a folder. What is wrong is a finding; throws NOT_A_REPOSITORY, INVALID_REF and the reason of an aborted `signal`. */
export async function examine(
  directory: string,
  dependencies: DoctorDependencies,
  options: DoctorOptions = {},
): Promise<DoctorReport> {
  const doctor = new Doctor(directory, dependencies, options);
  return doctor.run();
}

class Doctor {
  private readonly directory: string;
  private readonly dependencies: DoctorDependencies;
  private readonly options: DoctorOptions;
  private readonly codec: Codec;
  private readonly checked = { refs: 0, commits: 0, trees: 0, files: 0, bytes: 0, copies: 0 };
  private examination: Examination;
  private ref: string | null = null;
  private tip: string | null = null;
  /** The newest commit could not be read, and the branch goes on from another one: what nothing leads to any more is put aside. */
  private isRestored = false;
  private configuration: Configuration | null = null;
  private embedder: string | null = null;
  private model: string | null = null;
  private readonly reasons = { embedder: 'memory.yaml names no other', model: 'no language model is named' };

  constructor(directory: string, dependencies: DoctorDependencies, options: DoctorOptions) {
    this.directory = directory;
    this.dependencies = dependencies;
    this.options = options;
    this.codec = new PrivateCodec(new KeyRing(dependencies.keys), new ConfigurationReader());
    if (options.branch !== undefined) this.ref = `refs/heads/${checkBranchName(options.branch)}`;
    this.examination = new Examination(new Disk(dependencies.fs), directory, dependencies.now);
  }

  async run(): Promise<DoctorReport> {
    const layout = this.examination.part(() => this.discover());
    if (layout === null) return this.report(null);
    const { fs, trusts, now } = this.dependencies;
    this.examination = new Examination(new Disk(fs), layout.commonDirectory, now);
    const repository = this.examination.part(() => openRepository(fs, layout, true, trusts));
    if (repository !== null) {
      try {
        await this.withLock(repository, () => this.look(repository));
        // Other memories and a model take their time, and nobody else shall wait for them.
        await this.lookAtMounts(repository);
        if (this.configuration !== null) {
          await this.lookAtEmbedder(this.configuration.embedder);
          await this.lookAtModel(this.configuration.extract.model);
        }
      } finally {
        repository.objects.close();
      }
    }
    return this.report(repository);
  }

  private report(repository: Repository | null): DoctorReport {
    const { findings } = this.examination;
    return {
      directory: repository?.workTree ?? repository?.gitDirectory ?? this.directory,
      branch: this.ref?.replace('refs/heads/', '') ?? null,
      commit: this.tip,
      checked: this.checked,
      embedder: this.embedder,
      model: this.model,
      reasons: this.embedder === null ? null : this.reasons,
      findings,
      isHealthy: !findings.some(({ severity, isFixed }) => severity === 'error' && !isFixed),
    };
  }

  /** A repository without HEAD is found all the same: that is one of the things to mend. */
  private discover(): RepositoryLayout {
    const { fs } = this.dependencies;
    try {
      const layout = discoverRepository(fs, this.directory);
      if (layout !== null) return layout;
    } catch (error) {
      const isHeadless = error instanceof MemoryError && error.code === 'REF_CORRUPT' && error.where?.endsWith('/HEAD');
      if (!isHeadless) throw error;
      const gitDirectory = parentOf(error.where!);
      const workTree = gitDirectory.endsWith('/.git') ? parentOf(gitDirectory) : null;
      return { gitDirectory, commonDirectory: gitDirectory, workTree };
    }
    throw new MemoryError('NOT_A_REPOSITORY', `${this.directory} is no folder inside a git repository`, {
      where: this.directory,
      hint: 'Give another folder with --dir',
    });
  }

  /** Repairs are made by whoever holds the lock; to look, nobody needs it. */
  private async withLock(repository: Repository, look: () => Promise<void>): Promise<void> {
    const { processes, nonce, lockWaitMs } = this.dependencies;
    const found = this.examination.part(() => lockState(repository, processes));
    const { fix = false, tip } = this.options;
    if (!fix && tip === undefined) {
      this.examination.part(() => examineLock(this.examination, found, false));
      await look();
      return;
    }
    const lock = new ProcessLock(repository.disk, repository.ownDirectory, processes, nonce);
    try {
      const { takenFrom } = await lock.acquire(lockWaitMs);
      this.examination.mayRepair = true;
      if (takenFrom !== null) this.examination.part(() => examineLock(this.examination, found, true));
      await look();
      lock.sweep();
    } catch (error) {
      if (!(error instanceof MemoryError) || this.examination.mayRepair) throw error;
      this.examination.findError(error);
      await look();
    } finally {
      this.examination.mayRepair = false;
      lock.dispose();
    }
  }

  private async look(repository: Repository): Promise<void> {
    const { examination, codec, options } = this;
    const examined = { examination, repository, codec };
    const refs = examination.part(() => examineRefs(examination, repository)) ?? new Map<string, string>();
    this.checked.refs = refs.size;
    examination.part(() => examinePacks(examination, repository));
    this.ref ??= examination.part(() => this.branchOf(repository, refs));
    if (examination.mayRepair && this.ref !== null) examination.part(() => this.recover(repository, this.ref!));
    const isToRestore = options.tip === 'restore';
    if (this.ref !== null)
      this.isRestored = examination.part(() => examineNewest(examined, this.ref!, isToRestore)) ?? false;
    examination.part(() => examineTips(examined, this.ref, options.tip));
    if (this.ref !== null) {
      this.tip = orElse(() => repository.refs.read(this.ref!), null);
      if (this.tip !== null) refs.set(this.ref, this.tip);
    }
    const journal = this.ref === null ? null : journalOf(repository, this.ref);
    const snapshot = examination.part(() => this.snapshot(repository, journal));
    await this.lookAtObjects(repository, refs, snapshot);
    examination.part(() => examineGitLocks(examination, repository));
    examination.part(() => examineTemporaries(examination, repository));
    examination.part(() => examineJournals(examination, repository));
    const isIndexWhole =
      repository.workTree !== null && examination.part(() => examineIndex(examination, repository)) === true;
    if (snapshot !== null) {
      const isProject = this.lookAtRecords(repository, snapshot) === 'project';
      await this.lookAtHistory(repository, snapshot, isProject);
      if (isIndexWhole) {
        examination.part(() => {
          const configuration = this.configuration ?? defaultConfiguration();
          examineFiles(examined, { ref: this.ref!, snapshot, journal: journal!, isProject, configuration });
        });
      }
    }
    const isMemory = this.ref !== null && orElse(() => holdsMemory(repository, this.ref!), true);
    // What is broken may be why none is seen.
    if (!isMemory && !examination.findings.some(({ severity }) => severity === 'error'))
      examination.findError(
        notAMemory(repository, this.ref ?? defaultRef, this.directory, options.branch !== undefined),
      );
    const { own } = this.dependencies;
    if (snapshot !== null) {
      const isCommittedByHand = repository.workTree !== null && this.ref !== memoryRef;
      if (isCommittedByHand) examination.part(() => examineOwnHooks(examination, repository, own));
      examination.part(() => examineOtherMachines(examination, repository, this.ref!));
    }
    examination.part(() => examineSettings(examination, repository, own));
    for (const part of [examineArrangement, examineUnfinished, examineWorkTrees, examineCaches])
      examination.part(() => part(examination, repository));
  }

  /** What was begun is finished or taken back before anything else is looked at, as whoever writes next would do. */
  private recover(repository: Repository, ref: string): void {
    const journal = journalOf(repository, ref);
    journal.refresh();
    if (journal.isDamaged) journal.keepCopy();
    const mend = { does: 'recovered', run: () => undefined };
    for (const line of recoverRepository(repository, journal, ref, this.codec))
      this.examination.find('OPERATION_UNFINISHED', repository.ownDirectory, line, mend);
  }

  /** The branch that holds a memory: the one checked out, or the memory beside a project's code; else the one checked out. */
  private branchOf(repository: Repository, refs: ReadonlyMap<string, string>): string | null {
    const current = headRef(repository);
    const holds = (ref: string) => {
      const tip = refs.get(ref);
      const { readCommit, readTree } = repository.objects;
      const has = (path: string) => findEntry(readCommit(tip!).tree, path, readTree) !== null;
      return tip !== undefined && [...configurationFiles, metaPath].some(has);
    };
    // Where it cannot be read, other parts tell of that.
    if (current !== null && orElse(() => holds(current), false)) return current;
    if (refs.has(memoryRef) || isKnownMemory(repository, memoryRef)) return memoryRef;
    return current ?? (refs.has(defaultRef) ? defaultRef : null);
  }

  private snapshot(repository: Repository, journal: Journal | null): Snapshot | null {
    if (journal === null || this.tip === null) return null;
    journal.refresh();
    const overlay = journal.overlay(this.tip, false, (mark) => isMade(repository, this.tip, mark));
    const snapshot = new Snapshot(repository, this.codec, this.tip, overlay);
    this.codec.follow(snapshot);
    return snapshot;
  }

  private async lookAtObjects(
    repository: Repository,
    refs: ReadonlyMap<string, string>,
    snapshot: Snapshot | null,
  ): Promise<void> {
    const { examination, options } = this;
    const isOurs = (ref: string) => ref === this.ref || /^refs\/(?:heads|tags)\/memory\//.test(ref);
    const tips: string[] = [];
    const told = new Set<string>();
    // The branch itself first: it is looked at even where there is more than a look without `all` takes in.
    for (const [ref, oid] of [...refs].sort(([a], [b]) => Number(b === this.ref) - Number(a === this.ref))) {
      const isKnown = ref.startsWith('refs/replace/') || ref.startsWith(`${rescueFolder}${damagedKind}/`);
      if (isKnown || !(options.all || isOurs(ref))) continue;
      try {
        tips.push(repository.objects.peelToCommit(oid));
      } catch (error) {
        // A tag of a file or folder leads to no commit.
        if (error instanceof MemoryError && error.code === 'INVALID_REF') continue;
        told.add(oid);
        // What cannot be read for now may be there: only what is known to be missing dangles.
        const isMissing = error instanceof MemoryError && error.code !== 'IO';
        if (ref === this.ref || !isMissing) examination.findError(error);
        else examination.find('REF_DANGLING', ref, `${oid} cannot be read: ${(error as Error).message}`);
      }
    }
    const walk = new ReachableWalk(repository, tips, this.limits);
    while (walk.next(piece)) await this.tick('objects', walk.seen.size);
    reportUnreadable({ examination, repository, codec: this.codec }, walk, snapshot);
    for (const { commit, time } of walk.oddTimes) {
      const what = `commit ${commit.slice(0, 12)} is of ${formatSeconds(time)}, ${time} seconds from 1970`;
      examination.find('TIME_ODD', commit, what, 'Set the clock of the machine that wrote it; what it holds is whole');
    }
    const refused = walk.refusedTimes.at(-1);
    if (refused !== undefined) {
      const those = count(walk.refusedTimes.length, 'commit has a time', 'commits have times');
      const what = `${those} that git does not take, such as ${namedCommit(repository, refused)}; no remote takes them`;
      examination.find('TIME_REFUSED', refused, what, timeRepair);
    }
    const { commits, trees, blobs, bytes } = walk.reached;
    Object.assign(this.checked, { commits, trees, files: blobs, bytes });
    if (walk.isCut) {
      const what = `${walk.seen.size} objects were looked at, newest commits first`;
      examination.find('PARTLY_CHECKED', this.ref ?? '', what, '`git memory doctor --all` looks at all of them');
    }
    if (!options.all && !this.isRestored) return;
    for (const { oid } of walk.unreadable) told.add(oid);
    for (const copies of examineCopies(examination, repository, told)) {
      this.checked.copies = copies;
      if (copies % piece === 0) await this.tick('copies', copies);
    }
  }

  private get limits(): WalkLimits {
    return this.options.all
      ? { maxObjects: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY }
      : defaultLimits;
  }

  /** Holds each commit to what its parents had, and names what was lost. */
  private async lookAtHistory(repository: Repository, snapshot: Snapshot, isProject: boolean): Promise<void> {
    const { examination, codec } = this;
    const history = examination.part(() => new CheckedHistory(repository, codec, this.tip!, isProject, this.limits));
    const { left = 0 } = history ?? {};
    while (examination.part(() => history?.next(piece)) === true) await this.tick('history', left - history!.left);
    examination.part(() => history?.report(examination, snapshot));
  }

  private lookAtRecords(repository: Repository, snapshot: Snapshot): string | undefined {
    const { examination, dependencies } = this;
    const placement = examination.part(() => {
      const path = configurationFileOf(snapshot);
      if (path === undefined) return undefined;
      const { broken, configuration: whole } = committedConfiguration(repository, this.ref!) ?? {};
      if (broken) {
        const { what, where, hint } = broken.error;
        const commit = whole?.placement === 'project' ? 'git commit' : 'git memory commit';
        const mend = `Mend the file, then \`${commit}\`; or \`git memory undo ${broken.since.slice(0, 12)}\` takes back what broke it`;
        examination.find('INVALID_CONFIG', where ?? path, what, `${hint === undefined ? '' : `${hint}. `}${mend}`);
        return whole?.placement;
      }
      for (const warning of configurationWarnings(snapshot)) examination.find('CONFIG_UNKNOWN', path, warning);
      const { configuration } = parseConfiguration(snapshot.readText(path)!, path);
      this.configuration = configuration;
      return configuration.placement;
    });
    examination.part(() => {
      for (const { path, why } of keptProblems(repository, this.codec, snapshot.commit!, placement === 'project'))
        examination.find('KEPT_FILE', path, why);
    });
    examination.part(() => examineMemories(examination, repository, snapshot));
    // An earlier state; null where its commit is not here, or cannot be read: other parts tell of that.
    const stateAt = (commit: string) => orElse(() => new Snapshot(repository, this.codec, commit), null);
    examination.part(() => examineLedger(examination, snapshot, stateAt));
    examination.part(() => examineKnowledge(examination, snapshot));
    examination.part(() => examineChangelog(examination, snapshot));
    const configuration = this.configuration ?? defaultConfiguration();
    examination.part(() => examineOldLines(examination, { snapshot, configuration, now: dependencies.now }));
    examination.part(() => examineMergeDriver(examination, repository, snapshot, placement === 'project'));
    examination.part(() => {
      const { time } = repository.objects.readCommit(snapshot.commit!).committer;
      // What was made before 1970 is dated as of then.
      if (time === 0 || time * 1000 <= dependencies.now + 24 * 3_600_000) return;
      const what = `the newest commit is of ${formatSeconds(time)}, more than a day ahead`;
      const hint = 'Set the clock of the machine that wrote it; order is kept by position, not by time';
      examination.find('CLOCK_AHEAD', snapshot.commit!, what, hint);
    });
    return placement ?? undefined;
  }

  private async lookAtMounts(repository: Repository): Promise<void> {
    const mounts = new Mounts(repository, (dir) => this.dependencies.openMounted(dir));
    try {
      for (const { name, dir, why } of await mounts.problems()) {
        const hint = `\`git memory mount --remove ${name}\` takes it off the list`;
        if (name === '') this.examination.find('MOUNT_SILENT', mountListOf(repository), why);
        else this.examination.find('MOUNT_SILENT', dir, `mounts/${name}: ${why}`, hint);
      }
    } finally {
      await mounts.close();
    }
  }

  /** Loads the model that is named, as the next question would, and says why it cannot be. */
  private async lookAtEmbedder(wanted: Configuration['embedder']): Promise<void> {
    this.embedder = tableName;
    const source = this.dependencies.embedderOf(wanted);
    if (source === null) return;
    try {
      const embedder = typeof source === 'function' ? await source() : source;
      await embedder.embed(['One text shows whether it runs']);
      this.embedder = embedder.name;
      this.reasons.embedder =
        wanted.model === undefined
          ? 'it is your default, see `git memory model`'
          : 'memory.yaml names it (embedder.model)';
      await embedder.close?.();
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      this.reasons.embedder = error.what;
      const where = wanted.model === undefined ? 'git memory model' : 'memory.yaml';
      this.examination.find('EMBEDDER_MISSING', where, error.what, error.hint);
    }
  }

  /** Asks nobody: what is missing here, such as a package or a key, is found without. */
  private async lookAtModel(settings: Configuration['extract']['model']): Promise<void> {
    const { choice, note } = this.dependencies.modelOf(settings);
    if (note !== undefined) this.examination.find('MODEL_NOT_ASKED', 'memory.yaml', note);
    if (note !== undefined) this.reasons.model = note;
    if (choice === null) return;
    try {
      await choice.open();
      this.model = choice.name;
      this.reasons.model = 'GIT_MEMORY_MODEL says so';
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      this.reasons.model = error.what;
      this.examination.find('MODEL_MISSING', choice.name, error.what, error.hint);
    }
  }

  private async tick(what: string, done: number): Promise<void> {
    this.options.signal?.throwIfAborted();
    this.options.onProgress?.({ what, done, total: done });
    await new Promise((resolve) => setTimeout(resolve));
  }
}
