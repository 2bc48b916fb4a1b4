// Finds where a branch is checked out, and compares its files with the journal there.

import { defined, MemoryError } from '../base/errors.ts';
import { monotonicMs } from '../base/monotonic.ts';
import type { Logger } from '../base/ports.ts';
import { type ChangeLimits, checkChange } from './change-rules.ts';
import { type Codec, secrecyOf } from './codec.ts';
import type { CriticalSection } from './critical-section.ts';
import { damagedFilesOf } from './damaged-files.ts';
import { isKept, whyPutBack } from './engine-files.ts';
import { contentOf } from './file-content.ts';
import { type NativeOperation, unfinishedOperationOn } from './git/native-operation.ts';
import { newObject } from './git/object-codec.ts';
import type { Repository } from './git/repository.ts';
import { findWorkTreeOf, otherWorkTrees } from './git/work-trees.ts';
import { extentAt, findHandEdits, type HandEdits, isUnedited, noHandEdits, someEdits } from './hand-edits.ts';
import type { Journal } from './journal.ts';
import type { PendingEntry } from './journal-records.ts';
import { lostFiles } from './lost-entries.ts';
import type { FileChange } from './operation.ts';
import { type Moment, noCommit, WorkTree } from './projection.ts';
import type { Snapshot } from './snapshot.ts';
import { settleAppends, withNames } from './typed-appends.ts';

/** What to do where native git waits for a merge to be finished. */
export const resolveHint =
  '`git memory merge resolve` settles what it can, then `git commit`, or `git … --continue`, finishes it';

/** Looking at so many files costs a few milliseconds. */
const maxQuickScan = 500;
/** A process that lives so long looks at many files once even where nobody asked for a commit. */
const firstLookMs = 60_000;

interface CheckoutDependencies {
  readonly repository: Repository;
  /** Full name of the branch. */
  readonly ref: string;
  readonly journal: Journal;
  /** Whether the work tree is that of a code project, in which only some names are the memory's. */
  readonly isProject: boolean;
  readonly codec: Codec;
  /** What a state allows. */
  readonly limits: (snapshot: Snapshot) => ChangeLimits;
  readonly logger?: Logger;
}

interface Asked {
  /** Those of these files and folders alone, to be committed as they lie; default: all. */
  readonly paths?: readonly string[];
  /** Whatever is gone was removed on purpose. */
  readonly removals?: boolean;
  /** What is written next, and not left out whatever else is. */
  readonly also?: readonly string[];
}

/**
 * Where the branch stands: looked at once for each attempt, under the lock, and handed down. Native git takes no lock of ours; what it does
 * meanwhile shows where `since` is compared with what is, {@link WorkTree.lock} last of all.
 */
interface Standing {
  /** Where the branch is checked out. */
  readonly workTree: WorkTree | null;
  /** HEAD and index there; null with it. */
  readonly since: Moment | null;
}

export class Checkout {
  private readonly repository: Repository;
  private readonly ref: string;
  private readonly journal: Journal;
  readonly isProject: boolean;
  private readonly codec: Codec;
  private readonly limits: CheckoutDependencies['limits'];
  private readonly logger: Logger | undefined;
  /** Our work tree, whatever is checked out there; null in a bare repository. */
  readonly ownTree: WorkTree | null;
  /** The work tree linked to this one in which the branch is checked out, as of the last look. */
  private linkedTree: WorkTree | null = null;
  private lastScan: { readonly end: number; readonly tookMs: number; readonly count: number } | null = null;
  private readonly opened = monotonicMs();
  /** Where the branch stood when it moved without the files of a work tree; null where none stays behind. */
  private behind: string | null = null;

  constructor({ repository, ref, journal, isProject, codec, limits, logger }: CheckoutDependencies) {
    this.repository = repository;
    this.ref = ref;
    this.journal = journal;
    this.isProject = isProject;
    this.codec = codec;
    this.limits = limits;
    this.logger = logger;
    this.ownTree = repository.workTree === null ? null : new WorkTree(repository, ref, contentOf(repository, codec));
  }

  /** The work tree that follows the branch, as of the last look; our own while there was none. */
  get workTree(): WorkTree | null {
    return this.linkedTree ?? this.ownTree;
  }

  /** Shows pending versions of files in the work tree, but not over what a person wrote there since. */
  show(snapshot: Snapshot, paths: readonly string[]): void {
    const standing = this.standing();
    // What is being merged is for git and a person to settle; the flush after it shows the rest.
    if (standing.workTree === null || this.unfinished(standing) !== null) return;
    const handEdits = this.handEditsOf(standing, snapshot, paths);
    const edited = new Set([...handEdits.changes, ...handEdits.staged, ...handEdits.skipped].map(({ path }) => path));
    for (const path of paths) {
      const pending = snapshot.overlay?.files.get(path);
      if (pending && !edited.has(path)) this.workTree!.files.place({ path, ...pending, isExecutable: false });
    }
  }

  /** Looks where the branch is checked out: in our work tree, in another one of this repository, or nowhere. */
  isCheckedOut(): boolean {
    if (this.ownTree?.isCheckedOut()) {
      this.linkedTree = null;
      return true;
    }
    const view = findWorkTreeOf(this.repository, this.ref);
    if (view === null) this.linkedTree = null;
    else if (this.linkedTree?.files.root !== view.workTree)
      this.linkedTree = new WorkTree(view, this.ref, contentOf(view, this.codec));
    return view !== null;
  }

  /** Looks where the branch stands. */
  standing(): Standing {
    const own = this.ownTree?.moment() ?? null;
    if (own?.isCheckedOut) {
      this.linkedTree = null;
      return { workTree: this.ownTree, since: own };
    }
    const workTree = this.isCheckedOut() ? this.workTree : null;
    return { workTree, since: workTree?.moment() ?? null };
  }

  /** The same with what native git has left out of index and files put back. */
  renewed(tip: string | null, section: CriticalSection): Standing {
    const standing = this.standing();
    const { workTree, since } = standing;
    if (workTree === null) this.behind = null;
    if (tip === null || workTree === null) return standing;
    const aside = workTree.renewIndex(tip);
    if (aside !== null) {
      damagedFilesOf(this.repository).tell({
        path: `${this.repository.gitDirectory}/index`,
        commit: null,
        why: `the git index was damaged; it is kept as ${aside}, and a new one lists the last commit`,
        hint: 'What was staged and not committed is in the old one alone: stage it again',
      });
      return this.renewed(tip, section);
    }
    const lost = lostFiles(workTree, tip, since!, this.behind);
    if (lost.length === 0) {
      if (!since!.isLocked) this.behind = null;
      return standing;
    }
    if (this.unfinished(standing) !== null) return standing;
    if (section.unsettled(() => workTree.renew(lost, { from: tip, to: noCommit }))) this.behind = null;
    return this.standing();
  }

  /** Brings files in step where the branch was checked out while it moved, between the look for a work tree and the move. */
  follow(from: string | null, to: string, section: CriticalSection): void {
    if (!this.isCheckedOut()) return;
    this.behind ??= from;
    this.renewed(to, section);
  }

  /** The same as {@link renewed} would leave it, for who writes nothing. */
  foreseen(tip: string | null): Standing {
    const standing = this.standing();
    const workTree = tip === null ? null : (standing.workTree?.foreseen(tip) ?? null);
    if (workTree === null) return standing;
    damagedFilesOf(this.repository).tell({
      path: `${this.repository.gitDirectory}/index`,
      commit: null,
      why: 'the git index is damaged; what is staged is not known, and the next write puts the index aside for a new one',
      hint: '`git memory doctor --fix` does so, too',
    });
    return { ...standing, workTree };
  }

  /** Finds what native git has begun and not finished on the branch: until then nothing is committed over it. */
  unfinished(standing?: Standing): NativeOperation | null {
    const { ownTree } = this;
    if (ownTree === null) return null;
    const isHere = standing === undefined ? ownTree.isCheckedOut() : standing.workTree === ownTree;
    for (const view of [this.repository, ...(isHere ? [] : otherWorkTrees(this.repository))]) {
      const operation = unfinishedOperationOn(view, this.ref);
      if (operation !== null) return operation;
    }
    return null;
  }

  /**
   * Finds hand edits and changes nothing; nothing where the branch is not checked out. What was appended is an addition to the present.
   *
   * While native git is at work, it has changed a file that is gone, or that says what git has as an object already. Neither is a hand
   * edit. While a merge waits to be finished nothing is: it goes with the merge.
   */
  look(standing: Standing, snapshot: Snapshot, paths: readonly string[] | 'all', asked: Asked = {}): HandEdits {
    if (standing.workTree === null) return noHandEdits;
    const isAmong = (path: string, places: readonly string[] = []) =>
      places.some((place) => path === place || path.startsWith(`${place}/`));
    const find = (where: readonly string[] | 'all') =>
      this.find(standing, snapshot, where, asked, (path) => isAmong(path, asked.paths));
    const found = find(paths);
    if (isUnedited(found)) return found;
    const context = {
      snapshot,
      codec: this.codec,
      limits: this.limits(snapshot),
      versionsOf: (path: string) => this.shownVersions(snapshot, path),
      hasObject: (oid: string) => this.repository.objects.has(oid),
    };
    const settled = settleAppends(found, context);
    const edits =
      settled.names.size === 0 ? settled.edits : withNames(settled, paths === 'all' ? found : find('all'), context);
    if (asked.paths === undefined) return edits;
    return someEdits(edits, ({ path }) => isAmong(path, asked.paths) || isAmong(path, asked.also));
  }

  private find(
    standing: Standing,
    snapshot: Snapshot,
    paths: readonly string[] | 'all',
    { removals = false, also = [] }: Asked,
    isNamed: (path: string) => boolean,
  ): HandEdits {
    const { workTree, since } = standing;
    const tree = workTree!;
    // Asked behind the look, which native git may have begun in, and only where the answer makes a difference.
    const isMerging = () => this.unfinished(standing) !== null;
    const isAtWork = () => isMerging() || tree.hasMoved(since!) || tree.isSettling(snapshot.commit);
    const found = findHandEdits(tree, snapshot, paths === 'all' ? paths : new Set(paths), {
      extent: extentAt(this.isProject, snapshot),
      since: since!,
      also,
      isProjection: (path, oid) => this.journal.isProjection(path, oid),
      hasProjection: (path) => this.journal.hasProjection(path),
      isNamed,
      mayBeGone: (path) => removals || isNamed(path),
      whyUnproven: () => {
        if (isAtWork()) return 'native git is at work there';
        return tree.hasHeadMovedLately() ? 'native git changed what is checked out a moment ago' : null;
      },
    });
    if (isUnedited(found) && found.torn.length === 0) return found;
    if (isMerging()) return { ...found, staged: [], changes: [], torn: [] };
    const { staged, changes } = found;
    if (isUnedited(found) || !isAtWork()) return found;
    const isTyped = ({ after }: FileChange) =>
      after !== null && !this.repository.objects.has(newObject('blob', after).oid);
    const left = new Set([...staged, ...changes].filter((change) => !isTyped(change)).map(({ path }) => path));
    const skipped = [...left].map((path) => ({ path, why: 'native git is at work there' }));
    return { ...someEdits(found, isTyped), skipped: [...found.skipped, ...skipped] };
  }

  private *shownVersions(snapshot: Snapshot, path: string): Generator<Buffer> {
    const tip = snapshot.withoutOverlay();
    const oid = tip.oidOf(path);
    if (oid !== null) yield tip.readStored(oid, path);
    for (const { changes } of this.journal.pending()) {
      for (const change of changes) if (change.path === path && change.after !== null) yield change.after;
    }
  }

  /** Lists what people changed: it is committed with the next flush, or says why not; and names what is to be put back. */
  edited(present: Snapshot): { readonly files: { path: string; why?: string }[]; readonly problems: string[] } {
    const found = this.look(this.standing(), present, 'all');
    // Of what is about to go it matters little how much is left.
    const back = found.torn.filter((path) => present.oidOf(path) !== null);
    const kept = back.filter(isKept).map((path) => ({ path, why: `${whyPutBack(path)}, and puts it back` }));
    const torn = back.filter((path) => !isKept(path));
    return {
      files: [...this.judged(found, present), ...kept, ...found.skipped, ...found.missing],
      problems: torn.map((path) => `${path}: ${whyPutBack(path)}; the next commit puts it back`),
    };
  }

  /** Lists the files that were edited, each with why the next commit leaves it out, where a rule says so. */
  judged({ staged, changes }: HandEdits, snapshot: Snapshot): { readonly path: string; readonly why?: string }[] {
    const reasons = new Map<string, string | undefined>();
    for (const change of [...staged, ...changes]) {
      const why = reasons.get(change.path) ?? this.whyLeftOut(change, snapshot);
      reasons.set(change.path, why);
    }
    return [...reasons].map(([path, why]) => ({ path, ...defined({ why }) }));
  }

  private whyLeftOut({ path, after }: FileChange, snapshot: Snapshot): string | undefined {
    const { codec } = this;
    const oid = snapshot.oidOf(path);
    // Without its key nobody knows what it says.
    if ((oid !== null && !snapshot.isReadable(path)) || (after !== null && !codec.canDecode(after))) return undefined;
    try {
      const secrecy = secrecyOf(oid === null ? null : snapshot.readStored(oid, path), after);
      const change = { path, before: snapshot.read(path), after: after && codec.decode(path, after) };
      checkChange(change, { limits: this.limits(snapshot), mayBeUnfinished: true, secrecy });
      return undefined;
    } catch (error) {
      if (error instanceof MemoryError) return error.message;
      throw error;
    }
  }

  /** Finds hand edits, and writes projections that a power cut tore again. */
  handEditsOf(standing: Standing, snapshot: Snapshot, paths: readonly string[] | 'all', asked: Asked = {}): HandEdits {
    const start = monotonicMs();
    const handEdits = this.look(standing, snapshot, paths, asked);
    for (const path of handEdits.torn) {
      const oid = snapshot.oidOf(path);
      const pending = snapshot.overlay?.files.get(path);
      const bytes = pending ? pending.bytes : oid === null ? null : this.repository.objects.readBlob(oid);
      this.workTree!.files.placeForGood({ path, bytes, oid, isExecutable: false });
      if (oid !== null) this.logger?.warn(`${path} was put back as it was committed: ${whyPutBack(path)}`);
    }
    if (paths === 'all') {
      const end = monotonicMs();
      this.lastScan = { end, tookMs: end - start, count: handEdits.count };
    }
    return handEdits;
  }

  /**
   * Brings files back to the tip that covered entries leave as the tip has it. No commit holds them, so no projection follows. But an
   * earlier pending version may be in the work tree, and without the journal it would look like a hand edit.
   */
  clearReplaced(tip: Snapshot, covers: readonly PendingEntry[], touched: ReadonlyMap<string, unknown>): void {
    const paths = new Set(covers.flatMap((entry) => entry.changes.map(({ path }) => path)));
    for (const path of paths) {
      if (touched.has(path)) continue;
      const present = this.workTree!.inspect(path)?.oid ?? null;
      const oid = tip.oidOf(path);
      // Of a file that came and went, a process that died may have left the folders.
      if (present === null && oid === null) this.workTree!.files.removeEmptyFolders(path);
      if (present === null || present === oid || !this.journal.isProjection(path, present)) continue;
      const bytes = oid === null ? null : this.repository.objects.readBlob(oid);
      this.workTree!.files.placeForGood({ path, oid, bytes, isExecutable: false });
    }
  }

  /**
   * Tells whether to look at every file. That costs time that grows with the memory, so that at most a twentieth of the time is spent on it.
   *
   * One of few files is always due, and so is the only thing to commit. The first of a process is where somebody asked for a commit.
   */
  isScanDue(isAllThereIs: boolean, isUnasked: boolean, { workTree, since }: Standing): boolean {
    const { lastScan, opened } = this;
    if (isAllThereIs || workTree === null) return true;
    if (lastScan !== null) return lastScan.count <= maxQuickScan || monotonicMs() - lastScan.end > 20 * lastScan.tookMs;
    return !isUnasked || workTree.index(since!).index.count <= maxQuickScan || monotonicMs() - opened > firstLookMs;
  }
}
