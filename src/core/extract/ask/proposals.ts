// What an agent is asked about after it has listened: what is worth keeping, and what sounds as if a claim no longer held. Rules find that and
// decide nothing of it; whoever was there answers by `remember`.

import { defined } from '../../../base/errors.ts';
import { dayOf } from '../../../base/time.ts';
import type { Proposal, ProposedClaim } from '../../../base/types/ask-types.ts';
import type { MemoryCategory, MemoryRecord, Transcript, Turn } from '../../../base/types/stored-types.ts';
import { read, thresholds } from '../../../language/index.ts';
import { holdsAt, wordsOfClaim } from '../../../store/claims/claim.ts';
import { sayingOf } from '../../../store/claims/saying.ts';
import { speakerOf } from '../../../store/claims/speaker.ts';
import { isActive } from '../known-memories.ts';
import { patientRules } from '../rules.ts';
import { admit, isUnheard, partsOf, type TrustPolicy, trustOfTurn } from '../trust.ts';

/** So many claims are named beside a change at most. Of 80 changes of four writers, each among 170 memories, 55 have theirs in as many, 50 in eight. */
export const mostNear = 20;

/** What is known beside the conversation. */
export interface ProposalSources {
  readonly owner?: string | undefined;
  readonly timeZone: string;
  readonly policy: TrustPolicy;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** All that is remembered. */
  readonly records: readonly MemoryRecord[];
  /** Lists claims that a text may be about, the likeliest first. */
  nearest(text: string): Promise<readonly MemoryRecord[]>;
}

/** The conversation, and the 1-based number of the first turn that is new. */
export interface ProposedOf {
  readonly path: string;
  readonly transcript: Transcript;
  readonly from?: number;
}

/** Lists what is worth keeping of a conversation from a turn on, in its order; what is known in the same words is not. */
export async function proposalsOf(
  { owner, timeZone, policy, now, records, nearest }: ProposalSources,
  { path, transcript, from = 1 }: ProposedOf,
): Promise<Proposal[]> {
  const seconds = Math.floor(now / 1000);
  const open = records.filter((record) => isActive(record) && holdsAt(record, seconds));
  const known = new Set(open.map((record) => sayingOf(wordsOfClaim(record))));
  const keptAt = keptBy(records, path);
  // Only the turn before counts for what one says: earlier ones are not scored again.
  const turns = transcript.turns.map((turn, at) => (at + 2 < from ? { ...turn, text: '' } : turn));
  const recent = { ...transcript, turns };
  const found = await patientRules.extract(recent, { path, timeZone, ...defined({ owner }) });
  const { items } = admit(found, recent, policy);
  const proposals: Proposal[] = [];
  const surely = thresholds();
  for (const [at, turn] of transcript.turns.entries()) {
    const number = at + 1;
    if (number < from || isUnheard(turn) || trustOfTurn(transcript, turn, policy) === 'outside') continue;
    const change = changeIn(turn, transcript.turns[at - 1]);
    const kept = keptAt.get(number) ?? [];
    const told: { readonly text: string; readonly id?: string; readonly category?: MemoryCategory }[] =
      kept.length > 0
        ? kept.map(({ id, content, category }) => ({ text: content, id, ...defined({ category }) }))
        : items
            .filter(({ turns, isMinor }) => turns[0] === number && isMinor !== true)
            .filter(({ content }) => !known.has(sayingOf(content)))
            .map(({ content, category }) => ({ text: content, category }));
    // Greetings sound like anything.
    if (told.length === 0 && change.probability >= surely.change! && change.worth >= surely.low!)
      told.push({ text: change.text });
    for (const one of told) {
      const sounds = one.text.includes(change.text) || change.text.includes(one.text);
      const isChange = sounds && change.probability >= surely.change!;
      proposals.push({
        ...one,
        turn: number,
        speaker: speakerOf(turn, owner),
        ...(isChange
          ? {
              change: Math.round(change.probability * 100) / 100,
              near: await nearClaims(partsOf(turn.text).own, number),
            }
          : {}),
      });
    }
  }
  return proposals;

  async function nearClaims(text: string, turn: number): Promise<ProposedClaim[]> {
    const isOwn = ({ sources = [] }: MemoryRecord): boolean =>
      sources.some((source) => source.path === path && source.turn === turn);
    const near = (await nearest(text)).filter(
      (record) => isActive(record) && holdsAt(record, seconds) && !isOwn(record),
    );
    return near.slice(0, mostNear).map((record) => ({
      id: record.id,
      content: wordsOfClaim(record),
      day: dayOf((record.validFrom ?? record.createdAt) * 1000, timeZone),
    }));
  }
}

/** What rules or a model kept of each turn of a conversation, as far as it still holds. */
function keptBy(records: readonly MemoryRecord[], path: string): Map<number, MemoryRecord[]> {
  const kept = new Map<number, MemoryRecord[]>();
  for (const record of records) {
    if (!isActive(record)) continue;
    for (const { path: from, turn } of record.sources ?? []) {
      if (from === path && turn !== undefined) kept.set(turn, [...(kept.get(turn) ?? []), record]);
    }
  }
  return kept;
}

interface Change {
  readonly text: string;
  readonly probability: number;
  /** Of the turn. */
  readonly worth: number;
}

/** The sentence of a turn that sounds most like a change, in the speaker's own words; a short turn as a whole. */
function changeIn(turn: Turn, before: Turn | undefined): Change {
  const { own } = partsOf(turn.text);
  if (own === '') return { text: '', probability: 0, worth: 0 };
  const { role, speaker } = turn;
  const reading = read(own, { role, ...defined({ speaker, before }) });
  const [first] = [...reading.sentences].sort((one, other) => other.change - one.change);
  const { worth } = reading;
  if (first === undefined || reading.sentences.length === 1) return { text: own, probability: reading.change, worth };
  return { text: first.text, probability: Math.max(first.change, reading.change), worth };
}
