// The claims of a state that hold whatever is asked: of its memories, and of its ledger what was promised or must never be violated.

import { holdsAt, wordsOfClaim } from '../claims/claim.ts';
import { type StandingClaim, standingKindOf } from '../context/compile/standing-claims.ts';
import { trustOfRecord } from '../extract/trust.ts';
import type { LedgerCatalog, StoredEvent } from '../logs/ledger.ts';
import { openLoopsOf } from '../logs/open-loops.ts';
import { activeEvents } from '../logs/supersession.ts';
import type { MemoryRecord } from '../records/types.ts';
import type { MemoryCatalog } from '../store/memory-catalog.ts';
import type { Snapshot } from '../store/snapshot.ts';

/** Where they are read from. */
export interface StandingSources {
  readonly catalog: MemoryCatalog;
  readonly ledgers: LedgerCatalog;
}

/** Lists what stands at a time, in milliseconds. What only a page or a tool said is no rule. */
export function standingClaims(
  snapshot: Snapshot,
  { catalog, ledgers }: StandingSources,
  now: number,
): StandingClaim[] {
  const seconds = Math.floor(now / 1000);
  const found: StandingClaim[] = [];
  const records = new Map(catalog.stored(snapshot).map(({ path, record }) => [record.id, { path, record }]));
  for (const { path, record } of records.values()) {
    const kind = standingKindOf(record);
    if (kind === undefined || record.category === 'commitment') continue;
    if (record.status === 'archived' || !holdsAt(record, seconds) || trustOfRecord(record) === 'outside') continue;
    const { id, importance = 0, createdAt } = record;
    found.push({ kind, ...wordsIn(record), source: path, importance, since: createdAt, ids: [id] });
  }
  const { events } = ledgers.ledgerOf(snapshot);
  const add = (event: StoredEvent, kind: StandingClaim['kind'], since: number): void => {
    const { memory, due, content, priority } = event.value;
    const told = memory === undefined ? undefined : records.get(memory);
    const importance = told?.record.importance ?? (priority === 'P1' ? 0.7 : 0.5);
    found.push({
      ...{ kind, importance, since: Math.floor(since / 1000) },
      ...(told === undefined ? { text: content } : wordsIn(told.record)),
      source: told?.path ?? event.path,
      ids: [...(memory === undefined ? [] : [memory]), event.id],
      ...(due === undefined ? {} : { due }),
    });
  };
  const loops = openLoopsOf(events);
  for (const { event, since } of loops) add(event, 'commitment', since);
  const isTold = new Set(found.flatMap(({ ids }) => ids));
  for (const event of activeEvents(events)) {
    const { priority, memory = '', type } = event.value;
    if (priority === 'P0' && type !== 'commitment' && !isTold.has(memory)) add(event, 'constraint', event.time);
  }
  return found;
}

function wordsIn(record: MemoryRecord): Pick<StandingClaim, 'text' | 'turns' | 'said'> {
  const turns = (record.sources ?? []).flatMap(({ path, turn }) => (turn === undefined ? [] : [`${path}#${turn}`]));
  return { text: wordsOfClaim(record), turns, said: record.content };
}

const usualHandle = 8;

/** Names each of many memories by the beginning of its id that no other has: of ids that begin with their time, those of one burst share it. */
export function handlesOf(snapshot: Snapshot, { catalog }: Pick<StandingSources, 'catalog'>): (id: string) => string {
  let groups: Map<string, string[]> | undefined;
  const groupOf = (handle: string): readonly string[] => {
    if (groups === undefined) {
      groups = new Map();
      for (const { record } of catalog.stored(snapshot)) {
        const start = record.id.slice(0, usualHandle);
        const group = groups.get(start);
        if (group === undefined) groups.set(start, [record.id]);
        else group.push(record.id);
      }
    }
    return groups.get(handle) ?? [];
  };
  return (id) => {
    const others = groupOf(id.slice(0, usualHandle)).filter((other) => other !== id);
    let length = usualHandle;
    while (length < id.length && others.some((other) => other.startsWith(id.slice(0, length)))) length += 1;
    return id.slice(0, length);
  };
}
