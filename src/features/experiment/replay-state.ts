// The state that a replay plans against: a commit, and in memory what the replay made since, at the cost of what each conversation changes.

import type { MemoryRecord } from '../../base/types/stored-types.ts';
import { KnownMemories } from '../../core/extract/known-memories.ts';
import type { ExtractionPlan } from '../../core/extract/plan.ts';
import { type ExtractionSettings, planTranscript, type ReadTranscript } from '../../core/extract/plan-transcript.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import type { ConsequenceSource } from '../../store/consequence.ts';
import { withFollowing } from '../../store/follow-pending.ts';
import { newObject } from '../../store/git/object-codec.ts';
import type { OverlaidFile } from '../../store/journal.ts';
import type { MemoryCatalog } from '../../store/memory-catalog.ts';
import { FoldedNames } from '../../store/name-clash.ts';
import type { FileChange, Operation } from '../../store/operation.ts';
import { Snapshot } from '../../store/snapshot.ts';
import { isExtracted, wordsOfTurn } from './left-aside.ts';

/** What is known before a replay begins. */
export interface ReplayOrigin {
  /** All memories of the base by id: uses of one that is extracted again are not forgotten. */
  readonly former: ReadonlyMap<string, MemoryRecord>;
  /** What does not come back; see `leaveAside`. */
  readonly gone: ReadonlySet<string>;
  /** What follows from what is extracted, in its commit. */
  readonly consequences: ConsequenceSource;
  /** The time of the base, in milliseconds: whenever it is replayed, the outcome is the same. */
  readonly now: number;
}

/** One conversation of a replay as an operation; `skipped` counts what was found and left out. */
export interface PlannedReplay {
  readonly operation: Operation;
  readonly planned: ExtractionPlan;
  readonly skipped: number;
}

/** `changes` stand over the commit that it begins at. */
export class ReplayState {
  private readonly store: BranchStore;
  private readonly settings: ExtractionSettings;
  private readonly origin: ReplayOrigin;
  private readonly known: KnownMemories;
  private readonly files = new Map<string, OverlaidFile>();
  private readonly names = new FoldedNames();
  private steps = 0;
  private snapshot: Snapshot;

  constructor(
    store: BranchStore,
    catalog: MemoryCatalog,
    commit: string,
    settings: ExtractionSettings,
    origin: ReplayOrigin,
    changes: readonly FileChange[] = [],
  ) {
    this.store = store;
    this.settings = settings;
    this.origin = origin;
    this.snapshot = this.over(commit);
    this.put(changes);
    this.known = new KnownMemories(catalog.stored(this.snapshot).map(({ record }) => record));
  }

  /** The files as they are by now. */
  get present(): Snapshot {
    return this.snapshot;
  }

  /** Plans what was found in a conversation, and takes it for done. */
  plan(read: ReadTranscript): PlannedReplay {
    const { gone, now, former, consequences } = this.origin;
    const items = read.items.filter(({ turns: [turn], content }) => !gone.has(wordsOfTurn(read.path, turn, content)));
    const revise = (record: MemoryRecord) => asUsed(record, former.get(record.id));
    const { planned, operation } = planTranscript(
      this.settings,
      this.snapshot,
      this.known,
      { ...read, items },
      { now, revise },
    );
    for (const record of planned.created) this.known.put(record);
    for (const { after } of planned.updated) this.known.put(after);
    // What grows for ever was written when it was first extracted, and is not written again.
    const told = { ...operation, changes: operation.changes.filter(({ path }) => isExtracted(path)) };
    const { snapshot, store } = this;
    const [followed = told] = withFollowing([told], snapshot, [], store.codec, consequences(snapshot, now));
    this.put(followed.changes);
    const skipped = planned.skipped.length + read.items.length - items.length;
    return { operation: followed, planned, skipped };
  }

  /** Goes on from a commit that holds everything planned so far. */
  moveTo(commit: string): void {
    this.files.clear();
    this.names.clear();
    this.steps += 1;
    this.snapshot = this.over(commit);
  }

  private put(changes: readonly FileChange[]): void {
    for (const { path, after } of changes) {
      this.files.set(path, { oid: after === null ? null : newObject('blob', after).oid, bytes: after });
      if (after !== null) this.names.add(path);
    }
    this.steps += 1;
  }

  private over(commit: string): Snapshot {
    const { files, names } = this;
    const version = () => `replay-${this.steps}`;
    const overlay = {
      files,
      names,
      get version() {
        return version();
      },
    };
    return new Snapshot(this.store.repository, this.store.codec, commit, overlay);
  }
}

/** Gives a record the uses that one of the same id had before. Extraction does not know of them, and must not undo or repeat them. */
function asUsed(record: MemoryRecord, former: MemoryRecord | undefined): MemoryRecord {
  if (former === undefined) return record;
  const { useCount, lastUsed, strength, reviewPriority, lastReviewAt, reviewCount, crossDomainCount } = former;
  const expires = record.expiresAt !== undefined && former.expiresAt !== undefined;
  return {
    ...record,
    useCount,
    lastUsed,
    strength,
    reviewPriority,
    lastReviewAt,
    reviewCount,
    crossDomainCount,
    ...(expires ? { expiresAt: former.expiresAt! } : {}),
  };
}
