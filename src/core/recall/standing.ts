// The claims of a state that hold whatever is asked: of its memories, and of its ledger what was promised or must never be violated.

import { defined } from '../../base/errors.ts';
import { keptIn, oncePer } from '../../base/once-per.ts';
import { dayOf } from '../../base/time.ts';
import type { MemoryRecord } from '../../base/types/stored-types.ts';
import { activeEvents, type LedgerCatalog, openLoopsOf, type StoredEvent } from '../../logs/index.ts';
import { endingOf } from '../../search/index.ts';
import { holdsAt, isOver, quoteOfClaim } from '../../store/claims/claim.ts';
import { speakerOfQuote } from '../../store/claims/speaker.ts';
import { forgottenIn } from '../../store/forgotten.ts';
import { lettersShared, memoryWithId } from '../../store/found-records.ts';
import { type MemoryCatalog, type Records, type Stored, vitalsOf } from '../../store/memory-catalog.ts';
import { manyTurns, noTurn, standingTag, turnMark, turnsIn } from '../../store/records/vitals.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { endingMark } from '../context/compile/outdated.ts';
import type { Now } from '../context/compile/since.ts';
import { mayStand, type StandingClaim, standingKindOf } from '../context/compile/standing-claims.ts';
import type { Origins } from '../context/compile/told.ts';
import { certaintyOf, sureFrom } from '../extract/importance.ts';
import { trustOfRecord } from '../extract/trust.ts';
import { leadOf, saidBefore } from '../lifecycle/quoted.ts';

/** Where they are read from. */
export interface StandingSources {
  readonly catalog: MemoryCatalog;
  readonly ledgers: LedgerCatalog;
}

type Memories = Records<MemoryRecord>;
type Events = readonly StoredEvent[];

/** Finds memories of a state by their ids. */
export const recordsIn =
  (memories: Memories) =>
  (id: string): MemoryRecord | undefined =>
    memoryWithId(memories, id)?.record;

/** Conversations lie by when they began, in UTC. */
const begun = /^raw\/conversations\/(\d{4})\/(\d\d)\/(\d\d)\/(\d\d)(\d\d)-/;

/** Gives when a claim was said last, in seconds: what is said again has a source more. */
function lastSaidAt({ createdAt, sources = [] }: MemoryRecord): number {
  const times = sources.flatMap(({ path, turn }) => {
    const [, ...parts] = (turn === undefined ? null : begun.exec(path)) ?? [];
    const [year, month, day, hour, minute] = parts.map(Number);
    return year === undefined ? [] : [Date.UTC(year, month! - 1, day, hour, minute) / 1000];
  });
  return Math.max(createdAt, ...times);
}

/** Gives how likely a memory holds whatever is asked: 1 where somebody gave that, 0 where it is not sure. */
function surenessOf(record: MemoryRecord, kind: StandingClaim['kind']): number {
  const { standing, meta, standingConfidence = 0 } = record;
  if (kind === 'constraint' || standing === true || meta.tags.includes(standingTag)) return 1;
  const ofCategory = kind === 'rule' ? 0 : certaintyOf(record);
  return Math.max(standingConfidence, ofCategory >= sureFrom ? ofCategory : 0);
}

/**
 * A record with its claim; whether it holds is asked with a time. What rules alone read may be none, and is not sure. What only a page or a tool
 * said is no rule.
 */
const rulesOf = oncePer((memories: Memories) => {
  const may = memories.where((stored) => mayStand(vitalsOf(stored)));
  return may.flatMap(({ path, record }) => {
    const kind = standingKindOf(record);
    if (kind === undefined || record.category === 'commitment') return [];
    if (record.status === 'archived' || trustOfRecord(record) === 'outside') return [];
    const sureness = surenessOf(record, kind);
    if (sureness === 0) return [];
    const since = lastSaidAt(record);
    const claim = { kind, text: quoteOfClaim(record), source: path, since, ids: [record.id], sureness };
    return [{ record, claim }];
  });
});

/** What the ledger tells beside: open commitments, and constraints that no memory is. */
const toldOf = oncePer((events: Events) =>
  oncePer((memories: Memories): readonly StandingClaim[] => {
    const isRule = new Set(rulesOf(memories).map(({ record }) => record.id));
    const constraints = activeEvents(events).filter(
      ({ value: { priority, type, memory = '' } }) => priority === 'P0' && type !== 'commitment' && !isRule.has(memory),
    );
    return [
      ...openLoopsOf(events).map(({ event, since, due }) => ({
        ...claimOf(event, 'commitment', since, memories),
        ...defined({ due }),
      })),
      ...constraints.map((event) => claimOf(event, 'constraint', event.time, memories)),
    ];
  }),
);

/** Lists what stands at a time, in milliseconds. Each has its day, and a quote who said it: "I" is somebody. */
export function standingClaims(
  snapshot: Snapshot,
  { catalog, ledgers }: StandingSources,
  now: number,
  timeZone: string,
): StandingClaim[] {
  const seconds = Math.floor(now / 1000);
  const memories = catalog.newest(snapshot);
  const withLead = (claim: StandingClaim, record: MemoryRecord | undefined): StandingClaim => {
    if (record === undefined) return claim;
    const lead = leadOf(dayOf(lastSaidAt(record) * 1000, timeZone), speakerOfQuote(record));
    const before = claim.kind === 'commitment' ? saidBefore(snapshot)(record) : undefined;
    return { ...claim, text: `${lead}${before === undefined ? '' : `(${before}) `}${claim.text}` };
  };
  const rules = rulesOf(memories).filter(({ record }) => holdsAt(record, seconds));
  const told = toldOf(ledgers.ledgerOf(snapshot).events)(memories);
  return [
    ...rules.map(({ claim, record }) => withLead(claim, record)),
    ...told.map((claim) => withLead(claim, claim.ids.length > 1 ? recordsIn(memories)(claim.ids[0]!) : undefined)),
  ];
}

function claimOf(event: StoredEvent, kind: StandingClaim['kind'], since: number, memories: Memories): StandingClaim {
  const { memory, content } = event.value;
  const stored = memory === undefined ? undefined : memoryWithId(memories, memory);
  return {
    kind,
    since: Math.floor(since / 1000),
    text: stored === undefined ? content : quoteOfClaim(stored.record),
    source: stored?.path ?? event.path,
    ids: [...(memory === undefined ? [] : [memory]), event.id],
  };
}

/** The memories by the marks of their turns; those of several turns are read. */
const byTurn = oncePer((memories: Memories) => {
  const marked = new Map<number, Stored<MemoryRecord>[]>();
  for (const stored of memories.where((one) => vitalsOf(one).turn !== noTurn)) {
    const { turn } = vitalsOf(stored);
    const marks = turn === manyTurns ? new Set(turnsIn(stored.record).map(turnMark)) : [turn];
    for (const mark of marks) keptIn(marked, mark, () => []).push(stored);
  }
  return marked;
});

function claimsOf(memories: Memories, turn: string): string[] {
  const marked = byTurn(memories).get(turnMark(turn)) ?? [];
  return marked.flatMap((stored) => (turnsIn(stored.record).includes(turn) ? [vitalsOf(stored).id] : []));
}

/** Tells which claims of a state are from which turns. */
export function originsIn(snapshot: Snapshot, { catalog }: Pick<StandingSources, 'catalog'>): Origins {
  const memories = catalog.newest(snapshot);
  return {
    turnsOf(id) {
      const stored = memoryWithId(memories, id);
      if (stored === undefined || vitalsOf(stored).turn === noTurn) return [];
      const { record } = stored;
      return turnsIn(record).map((turn) => ({ turn, said: record.content }));
    },
    claimsOf: (turn) => claimsOf(memories, turn),
  };
}

/** Tells how what was handed before is in a state at a time, in milliseconds. */
export function standingIn(
  snapshot: Snapshot,
  sources: Pick<StandingSources, 'catalog'>,
  now: number,
  timeZone: string,
): Now {
  const memories = sources.catalog.records(snapshot);
  const seconds = Math.floor(now / 1000);
  const { claimsOf } = originsIn(snapshot, sources);
  return {
    standingOf(id) {
      const record = memoryWithId(memories, id)?.record;
      if (record === undefined) return null;
      if (!isOver(record, seconds)) return { record };
      const ending = endingOf(record, { find: (other) => memoryWithId(memories, other) });
      return { record, mark: endingMark(ending, { timeZone, now: seconds }) };
    },
    claimsOf,
    isForgotten: (path, turn) => forgottenIn(snapshot).turns.get(path)?.has(turn) === true,
    handleOf: handlesOf(snapshot, sources),
  };
}

const usualHandle = 8;

/** Names a memory by the beginning of its id that no other has. Ids may begin with their time; those of one burst then share much of it. */
export const handlesOf =
  (snapshot: Snapshot, { catalog }: Pick<StandingSources, 'catalog'>) =>
  (id: string): string =>
    id.length <= usualHandle ? id : id.slice(0, Math.max(usualHandle, lettersShared(catalog.newest(snapshot), id) + 1));
