// The two ends of an experiment: its memories become those of the open branch, or its branch goes and a tag keeps it.

import { MemoryError } from '../../base/errors.ts';
import { acceptableChanges } from '../../base/types/branches-types.ts';
import type { EventType } from '../../base/types/ledger-types.ts';
import type { MemoryRecord, Transcript } from '../../base/types/stored-types.ts';
import type { AdoptResult, DropExperimentResult } from '../../base/types.ts';
import { draftExtractedEvent, eventTypeOf } from '../../core/extract/events.ts';
import { isGuess, retractionOfAll } from '../../core/extract/extracted-events.ts';
import { parseCapture } from '../../core/extract/plan-transcript.ts';
import { isHeld, standingsOf, type When } from '../../core/ledger/ledger-follower.ts';
import { changesOf, createTag, dropNamed, mergeCommit } from '../../history/index.ts';
import { HoldingEvents, type KnownLedgers, planAppend, type StoredEvent, type WantedEvent } from '../../logs/index.ts';
import { adoptOperation, experimentFolder } from '../../store/experiment-names.ts';
import { flushBefore } from '../../store/flush-before.ts';
import type { Operation } from '../../store/operation.ts';
import { kindOf } from '../../store/records/kind.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { adoptAgain, findAdoption } from './adoption.ts';
import { experimentOf, newerConversations } from './branch.ts';
import type { ExperimentDependencies } from './run.ts';

/**
 * Merges an experiment into the open branch, in one commit. What was changed here since it began stays as it is here, also where a record
 * was edited that the experiment made again. So does what was extracted from conversations that came since: they are named. One whose
 * adoption was taken back is brought back. The same commit writes to the ledger: what was extracted instead is, what it replaced no longer
 * holds.
 *
 * Throws NOT_FOUND; INVALID_ARGUMENT for one that is not finished; LOCKED.
 */
export async function adoptExperiment(dependencies: ExperimentDependencies, name: string): Promise<AdoptResult> {
  const { scope, store, open } = dependencies;
  const state = experimentOf(scope, store, name);
  if (!state.isFinished) {
    throw new MemoryError('INVALID_ARGUMENT', `${state.total - state.done} conversations are still unread`, {
      where: name,
      hint: `\`git memory experiment run ${state.name}\` continues it`,
    });
  }
  const other = await open(state.branch);
  try {
    // What was written to the branch by hand belongs to it.
    await other.commit();
    const theirs = other.store.tip()!;
    await flushBefore(store);
    const besides = (snapshot: Snapshot, operation: Operation): Operation => {
      const { timezone: timeZone, extract } = dependencies.configurationOf(snapshot);
      if (!extract.events) return operation;
      return withAdoptedEvents(snapshot, operation, dependencies.ledger, { now: dependencies.now(), timeZone });
    };
    const adoption = findAdoption(store, store.tip()!, theirs, state.base);
    const again =
      adoption === null || adoption.undoneBy === null ? null : await adoptAgain(store, adoption, state.branch, besides);
    // It is there to say anew what was recorded, by its own settings. A secret is let in by nobody.
    const merged = await mergeCommit(store, theirs, state.branch, true, {
      newer: 'ours',
      as: adoptOperation,
      accept: acceptableChanges,
      besides,
    });
    const commits = [again?.commit ?? null, merged.commit].filter((oid) => oid !== null);
    const memories = commits
      .flatMap((oid) => changesOf(scope.repository, oid))
      .filter(({ path }) => kindOf(path) === 'memory');
    const added = memories.filter(({ before }) => before === null).length;
    const removed = memories.filter(({ after }) => after === null).length;
    return {
      name: state.name,
      commit: commits.at(-1) ?? null,
      added,
      removed,
      changed: memories.length - added - removed,
      conflicts: [...new Set([...(again?.conflicts ?? []), ...merged.conflicts])],
      newer: newerConversations(store, state.base),
    };
  } finally {
    await other.close();
  }
}

/** Ends the branch of an experiment; the tag `memory/extract/<name>` keeps what it was. Throws NOT_FOUND, CONFLICT, INVALID_ARGUMENT. */
export async function dropExperiment(
  dependencies: ExperimentDependencies,
  name: string,
): Promise<DropExperimentResult> {
  const { scope, store, machine } = dependencies;
  const state = experimentOf(scope, store, name);
  const { tag } = await createTag(store, `memory/${experimentFolder}${state.name}`, state.commit, machine);
  const { commit } = await dropNamed(dependencies, state.branch, false);
  return { name: state.name, commit, tag };
}

// Tells the ledger what an adopted experiment extracted instead, in the commit of the adoption, so that undo takes both back.

/**
 * Gives an adoption with the events of what it brings; to be called under the repository lock.
 *
 * A memory of the same turn and type takes the place of the one that was there. One that the ledger has already gets no second event,
 * unless that was taken back.
 */
function withAdoptedEvents(snapshot: Snapshot, operation: Operation, knowledge: KnownLedgers, when: When): Operation {
  const upon = snapshot.with(operation.changes);
  const holding = new HoldingEvents(snapshot, knowledge);
  const gone = new Map<string, StoredEvent[]>();
  const brought: MemoryRecord[] = [];
  const paths = operation.changes.map(({ path }) => path);
  for (const [id, { before, after }] of standingsOf(snapshot, upon, paths)) {
    if (before !== null && isHeld(before) && !isHeld(after)) {
      const event = holding.isTold(id) ? holding.of(id) : undefined;
      const key = keyOf(before, event?.value.type);
      if (event !== undefined) gone.set(key, [...(gone.get(key) ?? []), event]);
    } else if (after !== null && isHeld(after) && !isHeld(before) && !isGuess(after)) brought.push(after);
  }
  const captures = new Map<string, Pick<Transcript, 'sessionId' | 'agent'> | null>();
  const wanted: WantedEvent[] = [];
  for (const record of brought.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))) {
    const type = eventTypeOf(record);
    const path = record.sources?.[0]?.path;
    if (type === undefined || path === undefined) continue;
    if (!captures.has(path)) captures.set(path, captureOf(upon, path, when.timeZone));
    const capture = captures.get(path)!;
    const own = holding.eventsOf(record.id);
    const retraction = own.length === 0 ? undefined : retractionOfAll(snapshot, knowledge.ledgers, own);
    if (capture === null || retraction === null) continue;
    const supersedes = retraction ?? gone.get(keyOf(record, type))?.shift()?.id;
    const draft = draftExtractedEvent(record, type, capture);
    const time = retraction === undefined ? record.createdAt * 1000 : when.now;
    wanted.push({ draft: supersedes === undefined ? draft : { ...draft, supersedes }, time });
  }
  if (wanted.length === 0) return operation;
  const appended = new Map(planAppend(upon, wanted, when).changes.map((change) => [change.path, change]));
  const changes = operation.changes.map((change) => {
    const grown = appended.get(change.path);
    appended.delete(change.path);
    return grown === undefined ? change : { ...change, after: grown.after };
  });
  return { ...operation, changes: [...changes, ...appended.values()] };
}

/** What two ways to extract have in common where both found the same thing. */
function keyOf({ sources = [] }: MemoryRecord, type: EventType | undefined): string {
  const [source] = sources;
  return `${type} ${source?.path}#${source?.turn}`;
}

function captureOf(snapshot: Snapshot, path: string, timeZone: string): Pick<Transcript, 'sessionId' | 'agent'> | null {
  const text = snapshot.readText(path);
  return text === null ? null : parseCapture(text, path, timeZone);
}
