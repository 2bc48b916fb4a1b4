// The deck of a review: what waits for a person, why, and where it comes from. History says what was judged, and that does not come again.

import { discrepancyReader } from '../../base/discrepancy.ts';
import { defined, MemoryError } from '../../base/errors.ts';
import { takeTurns } from '../../base/take-turns.ts';
import { dayOf, formatSeconds, parseTime } from '../../base/time.ts';
import { reviewReasons } from '../../base/types/review-types.ts';
import type { MemoryRecord } from '../../base/types/stored-types.ts';
import type * as types from '../../base/types.ts';
import { contradictionsAmong } from '../../core/extract/reconcile.ts';
import { nearDuplicate } from '../../core/lifecycle/likeness.ts';
import { dueForReview, weakMemories } from '../../core/lifecycle/spaced-review.ts';
import type { FindOptions } from '../../core/recall/searcher.ts';
import type { NearDuplicates } from '../../core/write/near-duplicates.ts';
import {
  type Brought,
  isKept,
  judgedBy,
  parseVerdict,
  placesOfMemory,
  provenanceOf,
  reviewHistoryOf,
  type Verdict,
} from '../../history/index.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import { unfinishedAt } from '../../store/brought.ts';
import { holdsAt } from '../../store/claims/claim.ts';
import type { MemoryCatalog } from '../../store/memory-catalog.ts';
import type { Configuration } from '../../store/records/configuration.ts';
import { scoreOf } from '../../store/records/strength.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { type DisputedLine, type DisputedPair, disputedPairs, lineVerdicts, pairOf } from './disputed-lines.ts';

interface Waiting {
  readonly why: types.ReviewReason;
  readonly because: string;
  readonly record: MemoryRecord;
  readonly other?: MemoryRecord;
  readonly action?: types.ReviewCard['action'];
}

export interface DeckSources {
  readonly store: BranchStore;
  readonly catalog: MemoryCatalog;
  readonly nearDuplicates: NearDuplicates;
  readonly quarantined: readonly types.QuarantineEntry[];
  /** Tells where conversations were held, where any was with code. */
  readonly learntFrom: FindOptions['learntFrom'] | undefined;
  readonly configuration: Configuration;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** The newest memories are compared with all; older ones had their turn. */
const mostCompared = 300;
const defaultMs = 14 * 86_400_000;
const none = Object.fromEntries(reviewReasons.map((why) => [why, 0])) as Record<types.ReviewReason, number>;
const ofOne: readonly types.VerdictKind[] = ['keep', 'edit', 'close', 'forget'];
const ofPair: readonly types.VerdictKind[] = ['keep', 'edit', 'merge', 'close', 'forget'];

/** Lists what waits for a person, as of its beginning and in turns with others. Throws INVALID_ARGUMENT, INVALID_DATE. */
export async function reviewDeck(sources: DeckSources, options: types.ReviewOptions): Promise<types.ReviewResult> {
  const { limit = 20, only = reviewReasons, weak = false } = options;
  if (!(Number.isInteger(limit) && limit > 0))
    throw new MemoryError('INVALID_ARGUMENT', 'limit must be a whole number above 0', { where: 'limit' });
  const { store, catalog, configuration, now, quarantined } = sources;
  const since = options.since === undefined ? now - defaultMs : parseTime(options.since, 'since');
  const turn = takeTurns();
  const snapshot = store.snapshot();
  const tip = store.tip();
  const pending = pendingVerdicts(store);
  await catalog.begin(snapshot, turn);
  const memories = catalog.stored(snapshot);
  const active = memories
    .map(({ record }) => record)
    .filter((record) => record.status === 'active' && holdsAt(record, Math.floor(now / 1000)));
  const { verdicts: committed, brought, disputes } = reviewHistoryOf(store.repository, tip);
  const verdicts = [...pending, ...committed];
  const judged = new Set(verdicts.flatMap(judgedBy));
  const pairs = new Set(
    verdicts.flatMap(({ ids: [one, other] }) => (other === undefined ? [] : [pairOf(one!, other)])),
  );

  await turn();
  const waiting: Waiting[] = (await pairsAmong(sources, snapshot, active, turn)).filter(
    ({ record, other }) => !pairs.has(pairOf(record.id, other!.id)),
  );
  const known = new Set(waiting.map(({ record }) => record.id));
  for (const record of sources.learntFrom === undefined ? [] : active) {
    const { standing, branch = 'nobody knows' } = sources.learntFrom!(record.sources ?? []) ?? {};
    if (standing !== 'lost' || judged.has(record.id) || known.has(record.id)) continue;
    known.add(record.id);
    waiting.push({ why: 'unmerged', because: `learnt on the branch ${branch}, which was never merged`, record });
  }
  const extracted = active
    .flatMap((record) => ({ record, from: brought.get(record.id) }))
    .filter(({ record: { id }, from }) => from !== undefined && from.time >= since && !judged.has(id) && !known.has(id))
    .sort((a, b) => b.from!.time - a.from!.time || b.record.createdAt - a.record.createdAt);
  for (const { record, from } of extracted) {
    known.add(record.id);
    const day = dayOf(from!.time, configuration.timezone);
    waiting.push({ why: 'extracted', because: `found by ${from!.extractor} on ${day}${sureness(record)}`, record });
  }
  await turn();
  const faded = weak
    ? weakMemories(memories, now, configuration)
    : dueForReview(memories, now, configuration, memories.length + 1);
  for (const { score, action, stored } of faded) {
    const { record } = stored;
    if (known.has(record.id) || !holdsAt(record, Math.floor(now / 1000))) continue;
    const used = dayOf(record.lastUsed * 1000, configuration.timezone);
    waiting.push({ why: 'fades', because: `fades to ${score.toFixed(2)}, last used on ${used}`, record, action });
  }
  const asOf = formatSeconds(tip === null ? 0 : store.repository.objects.readCommit(tip).committer.time);
  const ofFiles = [
    ...unfinishedAt(snapshot).map((path) => unfinished(path, asOf)),
    ...disputedPairs(store, snapshot, { disputes, verdicts }).map(disputed),
  ];
  const counts = { ...none, low_trust: quarantined.length };
  for (const { why } of [...ofFiles, ...waiting]) counts[why] += 1;
  await turn();
  const tell = teller(sources, snapshot, brought);
  const asked = [
    ...(only.includes('low_trust') ? quarantined.map(lowTrust) : []),
    ...ofFiles.filter(({ why }) => only.includes(why)),
    ...waiting.filter(({ why }) => only.includes(why)),
  ];
  const cards: types.ReviewCard[] = [];
  for (const card of asked.slice(0, limit)) {
    await turn();
    cards.push('record' in card ? cardOf(card, tell) : card);
  }
  return {
    cards,
    more: asked.length - cards.length,
    counts,
    precision: precisionOf(verdicts, brought),
    judged: verdicts.length,
  };
}

function sureness({ confidence }: MemoryRecord): string {
  return confidence === undefined ? '' : `, sure to ${confidence.toFixed(2)}`;
}

function pendingVerdicts(store: BranchStore): Verdict[] {
  const values = store.pending().flatMap(({ trailers }) => trailers.filter(({ key }) => key === 'Verdict'));
  return values.flatMap(({ value }) => {
    const verdict = parseVerdict(value);
    return verdict === null ? [] : [{ ...verdict, commit: '' }];
  });
}

/** Pairs what holds but cannot both be right or sounds alike, newer first: named contradictions, other values, likenesses of the newest. */
async function pairsAmong(
  { catalog, nearDuplicates }: DeckSources,
  snapshot: Snapshot,
  active: readonly MemoryRecord[],
  turn: () => Promise<void> | undefined,
): Promise<Waiting[]> {
  const byId = new Map(active.map((record) => [record.id, record]));
  const found = new Map<string, Waiting>();
  const add = (one: MemoryRecord, two: MemoryRecord, why: types.ReviewReason, because: string): void => {
    const [record, other] = isNewer(one, two) ? [one, two] : [two, one];
    const key = pairOf(record.id, other.id);
    if (!found.has(key)) found.set(key, { why, because, record, other });
  };
  for (const { record } of catalog.relations(snapshot)) {
    const [one, other] = [byId.get(record.fromMemoryId), byId.get(record.toMemoryId)];
    if (record.relationType !== 'contradicts' || one === undefined || other === undefined) continue;
    add(one, other, 'contradicts', 'is said to contradict what was known');
  }
  for (const { old, by } of contradictionsAmong(active)) add(old, by, 'contradicts', 'says otherwise of the same');
  await nearDuplicates.learn(snapshot, turn);
  const discrepancyOf = discrepancyReader();
  for (const record of [...active].sort((a, b) => (isNewer(a, b) ? -1 : 1)).slice(0, mostCompared)) {
    await turn();
    for (const { record: other } of nearDuplicates.alike(snapshot, record, nearDuplicate)) {
      if (!byId.has(other.id) || record.due !== other.due) continue;
      if (discrepancyOf(record.content, other.content) === undefined)
        add(record, other, 'double', 'says nearly what was known');
    }
  }
  const pairs = [...found.values()];
  return [...pairs.filter(({ why }) => why === 'contradicts'), ...pairs.filter(({ why }) => why === 'double')];
}

function isNewer(one: MemoryRecord, other: MemoryRecord): boolean {
  return one.createdAt === other.createdAt ? one.id > other.id : one.createdAt > other.createdAt;
}

function teller(
  { store, configuration, now }: DeckSources,
  snapshot: Snapshot,
  brought: ReadonlyMap<string, Brought>,
): (record: MemoryRecord) => types.ReviewSide {
  const context = { repository: store.repository, snapshot, at: (oid: string) => store.at(oid) };
  return (record) => {
    const { id, content, statement, subject, category, confidence, createdAt } = record;
    const { sources, agent, extractor } = provenanceOf(context, placesOfMemory(id), id);
    return {
      ...{ id, content, score: scoreOf(record, now, configuration.decay), time: formatSeconds(createdAt), sources },
      ...defined({
        statement,
        subject,
        category,
        confidence,
        agent,
        extractor: brought.get(id)?.extractor ?? extractor,
      }),
    };
  };
}

function cardOf(
  { why, because, record, other, action }: Waiting,
  tell: (record: MemoryRecord) => types.ReviewSide,
): types.ReviewCard {
  return {
    why,
    because,
    ...tell(record),
    ...(other === undefined ? {} : { other: tell(other) }),
    ...defined({ action }),
    verdicts: other === undefined ? ofOne : ofPair,
  };
}

/** A file that only an edit mends; none of its words are shown. */
function unfinished(path: string, time: string): types.ReviewCard {
  const because = 'has the lines by which git marks a conflict, and is quoted nowhere until you take them out';
  return { why: 'unfinished', because, id: path, content: path, time, sources: [], verdicts: [] };
}

function disputed({ path, commit, newer, older }: DisputedPair): types.ReviewCard {
  const sideOf = ({ id, item, time }: DisputedLine): types.ReviewSide => {
    return { id, content: item.trim(), time: formatSeconds(time), sources: [{ path, commit }] };
  };
  const because = `both sides of ${commit.slice(0, 7)} had it otherwise in ${path}`;
  return { why: 'disputed', because, ...sideOf(newer), other: sideOf(older), verdicts: lineVerdicts };
}

function lowTrust({ name, commit, time, captures, memories }: types.QuarantineEntry): types.ReviewCard {
  const turns = captures.flatMap(({ path, session, turns: said }) =>
    said.map(({ text, role, speaker }, at) => ({ path, session, turn: at + 1, role, ...defined({ speaker }), text })),
  );
  const channel = captures.find((capture) => capture.channel !== undefined)?.channel;
  return {
    why: 'low_trust',
    because: `waits in quarantine${channel === undefined ? '' : `, came by ${channel}`}`,
    id: name,
    content: captures.find(({ topic }) => topic !== undefined)?.topic ?? turns[0]?.text ?? name,
    time,
    sources: turns,
    brings: memories.map(({ content }) => content),
    commit,
    verdicts: ['keep', 'forget'],
  };
}

/** Counts by extractor what people kept of it; of several verdicts about one memory the newest counts. */
function precisionOf(verdicts: readonly Verdict[], brought: ReadonlyMap<string, Brought>): types.ExtractorPrecision[] {
  const newest = new Map<string, Verdict>();
  for (const verdict of verdicts) {
    for (const id of judgedBy(verdict)) if (!newest.has(id)) newest.set(id, verdict);
  }
  const counts = new Map<string, { extractor: string; kept: number; judged: number }>();
  for (const [id, verdict] of newest) {
    const extractor = brought.get(id)?.extractor;
    if (extractor === undefined) continue;
    const count = counts.get(extractor) ?? { extractor, kept: 0, judged: 0 };
    count.judged += 1;
    if (isKept(verdict)) count.kept += 1;
    counts.set(extractor, count);
  }
  return [...counts.values()].sort((a, b) => b.judged - a.judged || (a.extractor < b.extractor ? -1 : 1));
}
