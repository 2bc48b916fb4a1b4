// Two ways to extract side by side: what each knows, what it costs, what each finds of the same probes, and what one knows alone.

import { discrepancyReader } from '../../base/discrepancy.ts';
import { defined, MemoryError, orElse } from '../../base/errors.ts';
import { normaliseForHash } from '../../base/text.ts';
import { estimateTokens } from '../../base/token-estimate.ts';
import type { MemoryRecord } from '../../base/types/stored-types.ts';
import type {
  ComparedMeasure,
  ComparedMemory,
  ComparedSide,
  CompareOptions,
  CompareResult,
  Probe,
  RecallHit,
} from '../../base/types.ts';
import { isActive } from '../../core/extract/known-memories.ts';
import { contradictionsAmong } from '../../core/extract/reconcile.ts';
import { linkLikeness, nearDuplicate, type PairOptions } from '../../core/lifecycle/likeness.ts';
import { hashedLikeness } from '../../core/maintain/record-passes.ts';
import { branchName, branchRef, findBranch, isKept, judgedBy, reviewHistoryOf } from '../../history/index.ts';
import { experimentFolder } from '../../store/experiment-names.ts';
import type { MemoryCatalog, Stored } from '../../store/memory-catalog.ts';
import { formatMemory } from '../../store/records/memory-record.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { experimentBranch, findReport } from './branch.ts';
import { checkProbes, judgeOf, type ProbeHit } from './probes.ts';
import type { ExperimentDependencies } from './run.ts';
import { pairedDifference } from './significance.ts';

/** Asks a state a question; gives at most `limit` hits of a category, or of all. */
export type Ask = (
  question: string,
  options: { category?: string; limit: number; signal?: AbortSignal },
) => Promise<readonly RecallHit[]>;

export interface CompareDependencies extends ExperimentDependencies {
  readonly askAt: (commit: string) => Promise<Ask>;
}

const depth = 10;
const depths = [1, 3, 5, 10];

interface Side {
  readonly name: string;
  readonly snapshot: Snapshot;
  readonly numbers: ComparedSide;
  readonly records: readonly MemoryRecord[];
}

/** Compares two experiments, or one with a branch; writes nothing. Throws NOT_FOUND for a name, INVALID_ARGUMENT, INVALID_RECORD for probes. */
export async function compareExperiments(
  dependencies: CompareDependencies,
  [first, second]: readonly [string, string],
  { probes, category = 'memory', limit, signal, onProgress }: CompareOptions,
): Promise<Omit<CompareResult, 'expectations'>> {
  const checked = probes === undefined ? undefined : checkProbes(probes, 'probes');
  const options = signal === undefined ? {} : { signal };
  const a = await sideOf(dependencies, first, options);
  const b = await sideOf(dependencies, second, options);
  return {
    a: a.numbers,
    b: b.numbers,
    probes:
      checked === undefined
        ? null
        : await askBoth(dependencies, [a, b], checked, { category, ...options, ...(onProgress && { onProgress }) }),
    verdicts: judgedOn(dependencies, a.records, b.records),
    knowledge: differ(a.records, b.records, limit),
  };
}

async function sideOf(
  dependencies: CompareDependencies,
  name: string,
  options: { signal?: AbortSignal },
): Promise<Side> {
  const { store, catalog } = dependencies;
  const { ref, report } = findSide(dependencies, name);
  const commit = dependencies.scope.repository.refs.read(ref)!;
  const snapshot = store.at(commit);
  const records = catalog
    .stored(snapshot)
    .map(({ record }) => record)
    .filter(isActive);
  // One yardstick for both: that of the open branch.
  const measured = await measureState(snapshot, catalog, options);
  const shown = report === null ? branchName(dependencies.scope, ref) : report.name;
  const told = { extractor: report?.extractor ?? null, cost: report?.cost ?? null };
  return { name: shown, snapshot, records, numbers: { name: shown, commit, ...told, ...measured } };
}

/** An experiment goes before a branch of the same name. */
function findSide({ scope, store }: CompareDependencies, name: string) {
  const branch = experimentBranch(name);
  const ref = branchRef(scope, branch);
  const tip = scope.repository.refs.read(ref);
  if (tip !== null) return { ref, report: findReport(store, tip, branch.slice(experimentFolder.length)) };
  const other = findBranch(scope, name);
  if (other !== null) return { ref: other, report: null };
  throw new MemoryError('NOT_FOUND', `there is neither an experiment nor a branch ${name}`, {
    where: name,
    hint: '`git memory experiment list` names experiments, `git memory branch` branches',
  });
}

async function askBoth(
  { askAt }: CompareDependencies,
  [a, b]: readonly [Side, Side],
  probes: readonly Probe[],
  { category, signal, onProgress }: Pick<CompareOptions, 'signal' | 'onProgress'> & { category: string },
): Promise<NonNullable<CompareResult['probes']>> {
  const asks = [await askAt(a.numbers.commit), await askAt(b.numbers.commit)] as const;
  const known = [a, b].map(({ records }) => new Map(records.map((record) => [record.id, record])));
  const ranks: { question: string; a: number | null; b: number | null }[] = [];
  const options = { limit: depth, ...(category === 'all' ? {} : { category }), ...defined({ signal }) };
  for (const probe of probes) {
    signal?.throwIfAborted();
    const isRight = await judgeOf(probe);
    const places = await Promise.all(
      asks.map(async (ask, side) => {
        const hits = await ask(probe.question, options);
        const place = hits.findIndex((hit) => isRight(judged(hit, known[side]!)));
        return place < 0 ? null : place + 1;
      }),
    );
    ranks.push({ question: probe.question, a: places[0]!, b: places[1]! });
    onProgress?.({ done: ranks.length, total: probes.length });
  }
  return { n: ranks.length, category, measures: measuresOf(ranks), ranks };
}

function judged({ id, path, turn, snippet }: RecallHit, records: ReadonlyMap<string, MemoryRecord>): ProbeHit {
  const record = id === undefined ? undefined : records.get(id);
  if (record === undefined) return { text: snippet, sources: turn === undefined ? [] : [`${path}#${turn}`] };
  const sources = (record.sources ?? []).map((source) => `${source.path}#${source.turn}`);
  return { text: record.content, sources };
}

/** Recall at some depths, and the mean of the reciprocal ranks, where what is not among ten counts nothing. */
function measuresOf(ranks: readonly { readonly a: number | null; readonly b: number | null }[]): ComparedMeasure[] {
  const measures: [string, (rank: number | null) => number][] = [
    ...depths.map((k): [string, (rank: number | null) => number] => [
      `recall@${k}`,
      (rank) => (rank !== null && rank <= k ? 1 : 0),
    ]),
    ['MRR', (rank) => (rank === null ? 0 : 1 / rank)],
  ];
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return measures.map(([name, scoreOf]) => {
    const [ours, theirs] = [ranks.map(({ a }) => scoreOf(a)), ranks.map(({ b }) => scoreOf(b))];
    return { name, a: mean(ours), b: mean(theirs), significance: pairedDifference(ours, theirs) };
  });
}

function differ(a: readonly MemoryRecord[], b: readonly MemoryRecord[], limit?: number): CompareResult['knowledge'] {
  const [ours, theirs] = [byWords(a), byWords(b)];
  const alone = (own: ReadonlyMap<string, ComparedMemory>, other: ReadonlyMap<string, ComparedMemory>) =>
    [...own]
      .filter(([words]) => !other.has(words))
      .map(([, memory]) => memory)
      .sort((x, y) => compareTexts(x.category, y.category) || compareTexts(x.content, y.content));
  const [onlyA, onlyB] = [alone(ours, theirs), alone(theirs, ours)];
  return {
    both: ours.size - onlyA.length,
    onlyA: onlyA.length,
    onlyB: onlyB.length,
    a: onlyA.slice(0, limit),
    b: onlyB.slice(0, limit),
  };
}

/** Counts on both sides what people judged on the open branch, by its words as they were then. */
function judgedOn(
  { store, catalog }: CompareDependencies,
  a: readonly MemoryRecord[],
  b: readonly MemoryRecord[],
): CompareResult['verdicts'] {
  const { repository } = store;
  const labels = new Map<string, boolean>();
  const seen = new Set<string>();
  for (const verdict of reviewHistoryOf(repository, store.tip()).verdicts) {
    const before = store.at(repository.objects.readCommit(verdict.commit).parents[0]!);
    for (const id of judgedBy(verdict)) {
      if (seen.has(id)) continue;
      seen.add(id);
      const words = orElse(() => catalog.find(before, id).record.content, undefined, 'NOT_FOUND');
      if (words !== undefined) labels.set(normaliseForHash(words), isKept(verdict));
    }
  }
  if (labels.size === 0) return null;
  const [ours, theirs] = [byWords(a), byWords(b)];
  const counted = (wanted: boolean) => {
    const words = [...labels].filter(([, kept]) => kept === wanted).map(([text]) => text);
    const known = (side: ReadonlyMap<string, ComparedMemory>) => words.filter((text) => side.has(text)).length;
    return { total: words.length, a: known(ours), b: known(theirs) };
  };
  return { kept: counted(true), refused: counted(false) };
}

const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

function byWords(records: readonly MemoryRecord[]): Map<string, ComparedMemory> {
  return new Map(
    records.map(({ id, category = 'other', content }) => [normaliseForHash(content), { id, category, content }]),
  );
}

/** The numbers of one side. */
export type Measured = Omit<ComparedSide, 'name' | 'commit' | 'extractor' | 'cost'>;

/** Measures the active memories of a state; likeness is that of hashed words, so that it costs nothing and is always the same. */
async function measureState(snapshot: Snapshot, catalog: MemoryCatalog, options: PairOptions): Promise<Measured> {
  const stored = catalog.stored(snapshot);
  const records = stored.map(({ record }) => record).filter(isActive);
  const byWords = new Map<string, number>();
  for (const { content } of records) {
    const words = normaliseForHash(content);
    byWords.set(words, (byWords.get(words) ?? 0) + 1);
  }
  const texts = records.map(({ content }) => content);
  const likeness = hashedLikeness(texts);
  const pairs = (await likeness.pairs(linkLikeness, options)).filter(
    ({ one, other }) => normaliseForHash(texts[one]!) !== normaliseForHash(texts[other]!),
  );
  const discrepancyOf = discrepancyReader();
  const discrepancies = pairs.map(({ one, other }) => discrepancyOf(texts[one]!, texts[other]!));
  const contradicting = new Set([
    ...pairs.flatMap(({ one, other }, at) =>
      discrepancies[at] === 'a denial' ? [pairName(records[one]!.id, records[other]!.id)] : [],
    ),
    ...contradictionsAmong(records).map(({ old, by }) => pairName(old.id, by.id)),
    ...saidToContradict(records, snapshot, catalog),
  ]);
  return {
    memories: records.length,
    byCategory: countBy(records),
    superseded: stored.filter(({ record }) => record.status === 'superseded').length,
    bytes: records.reduce((sum, record) => sum + Buffer.byteLength(formatMemory(record)), 0),
    tokens: records.reduce((sum, { content }) => sum + estimateTokens(content), 0),
    exactDuplicates: records.length - byWords.size,
    nearDuplicates: pairs.filter(({ likeness: alike }, at) => alike >= nearDuplicate && discrepancies[at] === undefined)
      .length,
    contradictions: contradicting.size,
  };
}

function countBy(records: readonly MemoryRecord[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { category = 'other' } of records) counts.set(category, (counts.get(category) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

const pairName = (one: string, other: string): string => [one, other].sort().join(' ');

function saidToContradict(records: readonly MemoryRecord[], snapshot: Snapshot, catalog: MemoryCatalog): string[] {
  const ids = new Set(records.map(({ id }) => id));
  const isMeant = ({ record }: Stored<{ relationType: string; fromMemoryId: string; toMemoryId: string }>) =>
    record.relationType === 'contradicts' && ids.has(record.fromMemoryId) && ids.has(record.toMemoryId);
  return catalog
    .relations(snapshot)
    .filter(isMeant)
    .map(({ record }) => pairName(record.fromMemoryId, record.toMemoryId));
}
