// Where a branch is checked out, and how its files and the journal stand to each other there.

import type { Repository } from '../git/repository.ts';
import { findWorkTreeOf } from '../git/work-trees.ts';
import { changelogPath, isEventLog } from '../records/changelog.ts';
import { todoPath } from '../records/todo-file.ts';
import type { ChangeLimits } from './change-rules.ts';
import type { Codec } from './codec.ts';
import { contentOf } from './file-content.ts';
import { findHandEdits, type HandEdits } from './hand-edits.ts';
import type { Journal } from './journal.ts';
import type { PendingEntry } from './journal-records.ts';
import { WorkTree } from './projection.ts';
import type { Snapshot } from './snapshot.ts';
import { settleAppends, withNames } from './typed-appends.ts';

/** Looking at so many files costs a few milliseconds. */
const maxQuickScan = 500;

export interface CheckoutDependencies {
  readonly repository: Repository;
  /** Full name of the branch. */
  readonly ref: string;
  readonly journal: Journal;
  /** Whether the work tree is that of a code project, in which only some names are the memory's. */
  readonly isProject: boolean;
  readonly codec: Codec;
  /** What a state allows. */
  readonly limits: (snapshot: Snapshot) => ChangeLimits;
}

export class Checkout {
  private readonly repository: Repository;
  private readonly ref: string;
  private readonly journal: Journal;
  readonly isProject: boolean;
  private readonly codec: Codec;
  private readonly limits: CheckoutDependencies['limits'];
  /** Our work tree, whatever is checked out there; null in a bare repository. */
  readonly ownTree: WorkTree | null;
  /** The work tree linked to this one in which the branch is checked out, as of the last look. */
  private linkedTree: WorkTree | null = null;
  private lastScan = { end: Number.NEGATIVE_INFINITY, tookMs: 0, count: 0 };

  constructor({ repository, ref, journal, isProject, codec, limits }: CheckoutDependencies) {
    this.repository = repository;
    this.ref = ref;
    this.journal = journal;
    this.isProject = isProject;
    this.codec = codec;
    this.limits = limits;
    this.ownTree = repository.workTree === null ? null : new WorkTree(repository, ref, contentOf(repository, codec));
  }

  /** The work tree that follows the branch, as of the last look; our own while there was none. */
  get workTree(): WorkTree | null {
    return this.linkedTree ?? this.ownTree;
  }

  private get tree(): WorkTree {
    return this.workTree!;
  }

  /** Shows pending versions of files in the work tree, but not over what a person wrote there since. */
  show(snapshot: Snapshot, paths: readonly string[]): void {
    const handEdits = this.handEditsOf(snapshot, paths);
    const edited = new Set([...handEdits.changes, ...handEdits.staged, ...handEdits.skipped].map(({ path }) => path));
    for (const path of paths) {
      const pending = snapshot.overlay?.files.get(path);
      if (pending && !edited.has(path)) this.tree.files.place({ path, ...pending, isExecutable: false });
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

  /** Finds hand edits and changes nothing; nothing where the branch is not checked out. What was appended is an addition to the present. */
  look(snapshot: Snapshot, paths: readonly string[] | 'all', also: readonly string[] = []): HandEdits {
    if (!this.isCheckedOut()) return { staged: [], changes: [], torn: [], skipped: [], count: 0 };
    const find = (some: readonly string[] | 'all') =>
      findHandEdits(this.tree, snapshot, some === 'all' ? some : new Set(some), {
        isProject: this.isProject,
        also: some === 'all' && this.isProject ? [...also, ...ownLogs(snapshot)] : also,
        isProjection: (path, oid) => this.journal.isProjection(path, oid),
        hasProjection: (path) => this.journal.hasProjection(path),
      });
    const found = find(paths);
    if (found.staged.length + found.changes.length === 0) return found;
    const context = {
      snapshot,
      codec: this.codec,
      limits: this.limits(snapshot),
      versionsOf: (path: string) => this.shownVersions(snapshot, path),
      hasObject: (oid: string) => this.repository.objects.has(oid),
    };
    const settled = settleAppends(found, context);
    if (settled.names.size === 0) return settled.edits;
    return withNames(settled, paths === 'all' ? found : find('all'), context);
  }

  private *shownVersions(snapshot: Snapshot, path: string): Generator<Buffer> {
    const tip = snapshot.withoutOverlay();
    const oid = tip.oidOf(path);
    if (oid !== null) yield tip.readStored(oid, path);
    for (const { changes } of this.journal.pending()) {
      for (const change of changes) if (change.path === path && change.after !== null) yield change.after;
    }
  }

  /** Finds hand edits, and writes projections that a power cut tore again. `also`: what `all` shall not leave out, for it is written next. */
  handEditsOf(snapshot: Snapshot, paths: readonly string[] | 'all', also: readonly string[] = []): HandEdits {
    const start = performance.now();
    const handEdits = this.look(snapshot, paths, also);
    for (const path of handEdits.torn) {
      const oid = snapshot.oidOf(path);
      const pending = snapshot.overlay?.files.get(path);
      const bytes = pending ? pending.bytes : oid === null ? null : this.repository.objects.readBlob(oid);
      this.tree.files.placeForGood({ path, bytes, oid, isExecutable: false });
    }
    if (paths === 'all') {
      const end = performance.now();
      this.lastScan = { end, tookMs: end - start, count: handEdits.count };
    }
    return handEdits;
  }

  /**
   * Brings files back to the tip that covered entries leave as the tip has it: no commit holds them, so no projection follows, but an
   * earlier pending version may stand in the work tree, and without the journal it would look like a hand edit.
   */
  clearReplaced(tip: Snapshot, covers: readonly PendingEntry[], touched: ReadonlyMap<string, unknown>): void {
    const paths = new Set(covers.flatMap((entry) => entry.changes.map(({ path }) => path)));
    for (const path of paths) {
      if (touched.has(path)) continue;
      const present = this.tree.inspect(path)?.oid ?? null;
      const oid = tip.oidOf(path);
      // Of a file that came and went, a process that died may have left the folders.
      if (present === null && oid === null) this.tree.files.removeEmptyFolders(path);
      if (present === null || present === oid || !this.journal.isProjection(path, present)) continue;
      const bytes = oid === null ? null : this.repository.objects.readBlob(oid);
      this.tree.files.placeForGood({ path, oid, bytes, isExecutable: false });
    }
  }

  /**
   * Tells whether to look at every file. That costs time that grows with the memory, so that at most a twentieth of the time is spent on it.
   *
   * One of few files is always due, and with nothing else to commit it is what the caller came for.
   */
  isScanDue(isAllThereIs: boolean): boolean {
    const { end, tookMs, count } = this.lastScan;
    return isAllThereIs || count <= maxQuickScan || performance.now() - end > 20 * tookMs;
  }
}

/** Files at the root of a code project that may be its own, and are the memory's where the changelog is a log of events. */
function ownLogs(snapshot: Snapshot): string[] {
  const text = snapshot.isReadable(changelogPath) ? snapshot.readText(changelogPath) : null;
  return text !== null && isEventLog(text) ? [changelogPath, todoPath].filter((path) => snapshot.oidOf(path)) : [];
}
