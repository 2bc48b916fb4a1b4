// What a pass over the records is: a plan made of one state, as a value that can be shown or applied. core/write/run-pass.ts runs it.

import { MemoryError } from '../../base/errors.ts';
import type { IdSource } from '../../base/ports.ts';
import type { MemoryRecord, RelationRecord } from '../../base/types/stored-types.ts';
import type { PassOptions, PassResult } from '../../base/types.ts';
import type { LedgerCatalog } from '../../logs/index.ts';
import type { Trailer } from '../../store/guard/message.ts';
import type { HandEdits } from '../../store/hand-edits.ts';
import type { Stored } from '../../store/memory-catalog.ts';
import type { FileChange, Operation, OperationKind } from '../../store/operation.ts';
import type { Configuration } from '../../store/records/configuration.ts';
import type { Snapshot } from '../../store/snapshot.ts';

/** The state a pass plans upon. */
export interface PassView {
  readonly snapshot: Snapshot;
  /** All memories in any status, in the order of their paths. */
  readonly memories: readonly Stored<MemoryRecord>[];
  readonly relations: readonly Stored<RelationRecord>[];
  readonly configuration: Configuration;
  /** Milliseconds since the Unix epoch; strength counts from here. */
  readonly now: number;
  /** Ledgers that were read already; passes that follow each other share it. */
  readonly ledgers: LedgerCatalog;
  /** The state at an earlier commit; null where that commit is not here: history was cut or rewritten. */
  earlier(commit: string): Snapshot | null;
  /** Lists edits of the logs by hand that no commit takes in; absent where a plan is made of a state alone. */
  refused?(): HandEdits['skipped'];
}

/** What a pass may ask of the world. */
export interface PassPorts extends Pick<PassOptions, 'signal' | 'onProgress'> {
  readonly ids: IdSource;
  /** What `.meta.json` calls this machine. */
  readonly machine: string;
}

/**
 * One thing a pass would do, with its reason: all of its changes are made, or none. Two items may make the same change, such as the removal
 * of a relation between two memories that both go.
 */
export interface PassItem {
  /** A verb for people: `forget`, `archive`, `move`. */
  readonly action: string;
  /** The memories it is about; they become `Memory` trailers. */
  readonly ids: readonly string[];
  readonly why: string;
  readonly changes: readonly FileChange[];
  /** The model that had a part in it, for the `Model` trailer; `rule` or absent where none had. */
  readonly by?: string;
  /** Nobody would miss it before something else is committed: a round of such things alone leaves no commit. */
  readonly mayWait?: boolean;
}

/** An item as callers see it, with its changes. */
export type ItemOf<Result extends PassResult> = PassItem & Omit<Result['items'][number], 'paths'>;

/** A model that has a part in a pass: its name, and what it is asked for. */
export interface Adviser<Ask> {
  readonly model: string;
  readonly ask: Ask;
}

/** What a pass would do to a state, and what it looked at and left alone for a reason worth telling. */
export interface PassPlan<Item extends PassItem> {
  readonly items: readonly Item[];
  readonly left: readonly { readonly id: string; readonly why: string }[];
}

/** Gives the active memory of an id. Throws NOT_FOUND, and INVALID_ARGUMENT for one that may not be `done` any more. */
export function activeMemory({ memories }: PassView, id: string, done: string): Stored<MemoryRecord> {
  const stored = memories.find(({ record }) => record.id === id);
  if (stored === undefined) throw new MemoryError('NOT_FOUND', `no memory has the id ${id}`, { where: id });
  const { status } = stored.record;
  if (status === 'active') return stored;
  throw new MemoryError('INVALID_ARGUMENT', `the memory is ${status}, and only active ones are ${done}`, { where: id });
}

/** Gives the memories of several ids among those that may be joined. Throws NOT_FOUND, INVALID_ARGUMENT. */
export function severalOf(
  candidates: readonly Stored<MemoryRecord>[],
  ids: readonly string[],
  { kind, what, hint }: { readonly kind: string; readonly what: string; readonly hint: string },
): Stored<MemoryRecord>[] {
  const found = [...new Set(ids)].map((id) => {
    const stored = candidates.find(({ record }) => record.id === id);
    if (stored) return stored;
    throw new MemoryError('NOT_FOUND', `no ${kind} memory has the id ${id}`, { where: id, hint });
  });
  if (found.length >= 2) return found;
  throw new MemoryError('INVALID_ARGUMENT', `${what} needs at least two memories`, { where: 'ids' });
}

/** What the message says about a commit of a pass; it never quotes what memories say. */
export interface PassMessage extends Pick<Operation, 'body' | 'time' | 'isOfThen'> {
  readonly subject: string;
  /** Beside `Operation` and `Memory`. */
  readonly trailers?: readonly Trailer[];
}

/** Is one pass. `plan` writes nothing, runs outside the lock and is not called again: items that the present contradicts are dropped. */
export interface Pass<Options = unknown, Item extends PassItem = PassItem> {
  /** The `Operation` trailer. */
  readonly name: string;
  /** Default `maintenance`. */
  readonly kind?: OperationKind;
  /** One commit for the whole plan (the default), or one for each item, so that each can be taken back by itself. */
  readonly commits?: 'together' | 'each';
  /** What it takes away lives on in what it makes, so that the guard against mass removal does not ask. Default false. */
  readonly keepsWhatItRemoves?: boolean;
  /** It moves lines of logs into their archives: the flagged exception to logs that only grow. Default false. */
  readonly mayRemoveLines?: boolean;
  /** It may bring a MEMORY.md of more lines than allowed. Default false. */
  readonly mayBeLong?: boolean;
  /** The key of `.meta.json` that tells when it last changed something. */
  readonly noted?: 'last_gc_at' | 'last_consolidation_at';
  plan(view: PassView, ports: PassPorts, options: Options): PassPlan<Item> | Promise<PassPlan<Item>>;
  /** Tells of the items that one commit holds. */
  describe(items: readonly Item[]): PassMessage;
}
