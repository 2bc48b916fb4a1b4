// What an agent is asked about a conversation, put together of what a memory answers. That is its turns, what it knows, and what is near by words
// and vectors.

import { defined, MemoryError } from '../base/errors.ts';
import type { MemoryRecord } from '../base/types/stored-types.ts';
import type { ListResult, Proposal } from '../base/types.ts';
import { askText } from '../core/extract/ask/ask-text.ts';
import { mostNear, proposalsOf } from '../core/extract/ask/proposals.ts';
import { KnownMemories } from '../core/extract/known-memories.ts';
import { parseCapture } from '../core/extract/plan-transcript.ts';
import { ConfigurationReader } from '../store/configuration-reader.ts';
import { forgottenIn, shownText } from '../store/forgotten.ts';
import type { MemoryPart } from './memory.ts';

/** Of two orders of claims a place counts by 1 / (this + place), as in reciprocal rank fusion (Cormack 2009). */
const fusionConstant = 60;

/**
 * Lists what of a recorded conversation is worth keeping, or sounds like a change, from a turn on. Writes nothing, and asks no model.
 *
 * A conversation of low trust gives nothing: its words may be anybody's. Throws NOT_FOUND for what is no capture.
 */
export async function proposalsIn(memory: MemoryPart, path: string, from = 1): Promise<Proposal[]> {
  return proposalsAmong(memory, (await memory.list()).memories, path, from);
}

async function proposalsAmong(
  memory: MemoryPart,
  memories: ListResult['memories'],
  path: string,
  from: number,
): Promise<Proposal[]> {
  const snapshot = memory.store.snapshot(true);
  const configuration = new ConfigurationReader().of(snapshot);
  const { owner, timezone: timeZone, trust: policy } = configuration;
  const text = snapshot.readText(path);
  if (text === null) throw new MemoryError('NOT_FOUND', 'there is no such conversation', { where: path });
  const transcript = parseCapture(shownText(snapshot, path, text), path, timeZone);
  const forgotten = forgottenIn(snapshot).turns.get(path);
  const records = new Map(memories.map((record) => [record.id, record]));
  let known: KnownMemories | undefined;
  const now = Date.now();
  const nearest = async (text: string): Promise<readonly MemoryRecord[]> => {
    known ??= new KnownMemories(memories);
    const byWords = known.open(Math.floor(now / 1000), text).slice(0, 2 * mostNear);
    const { hits } = await memory.recall(text, { category: 'memory', limit: 2 * mostNear });
    return fused(
      byWords,
      hits.flatMap(({ id }) => records.get(id ?? '') ?? []),
    );
  };
  const sources = { timeZone, policy, now, records: memories, nearest, ...defined({ owner: owner ?? undefined }) };
  const found = await proposalsOf(sources, { path, transcript, from });
  return found.filter(({ turn }) => forgotten?.has(turn) !== true);
}

/** Says what an agent is asked about these turns in so many tokens; undefined where there is nothing to ask. */
export async function askedOf(
  memory: MemoryPart,
  { path, session, from }: { readonly path: string; readonly session: string; readonly from: number },
  tokens: number,
): Promise<string | undefined> {
  const { memories } = await memory.list();
  const proposals = await proposalsAmong(memory, memories, path, from);
  if (proposals.length === 0) return undefined;
  const ids = memories.map(({ id }) => id);
  const handleOf = (id: string): string => {
    let length = 8;
    while (length < id.length && ids.some((other) => other !== id && other.startsWith(id.slice(0, length))))
      length += 1;
    return id.slice(0, length);
  };
  return askText(proposals, { tokens, session, handleOf });
}

function fused(...orders: readonly (readonly MemoryRecord[])[]): MemoryRecord[] {
  const scores = new Map<MemoryRecord, number>();
  for (const order of orders) {
    for (const [place, record] of order.entries())
      scores.set(record, (scores.get(record) ?? 0) + 1 / (fusionConstant + place));
  }
  return [...scores].sort(([, one], [, other]) => other - one).map(([record]) => record);
}
