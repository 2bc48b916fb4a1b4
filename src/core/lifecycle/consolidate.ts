// Consolidation (spec 1): memories that say the same become one, which names them; in one commit for each cluster.

import { discrepancyReader } from '../../base/discrepancy.ts';
import { defined } from '../../base/errors.ts';
import { sha256Hex } from '../../base/hash.ts';
import { takeTurns } from '../../base/take-turns.ts';
import { normaliseForHash } from '../../base/text.ts';
import type { MemoryRecord } from '../../base/types/stored-types.ts';
import type { ConsolidateResult } from '../../base/types.ts';
import { wordsOfClaim } from '../../store/claims/claim.ts';
import { sayingOf } from '../../store/claims/saying.ts';
import type { Stored } from '../../store/memory-catalog.ts';
import { formatMemory, memoryPath, parseMemory } from '../../store/records/memory-record.ts';
import { gistLevelOf } from './gist/gist.ts';
import {
  type AlikePair,
  askCohesion,
  type Cluster,
  clusterOfAll,
  clustersOf,
  type Likeness,
  linkLikeness,
  mostMembers,
  nearPairs,
} from './likeness.ts';
import { type ModelMerger, mergedContent, mergedRecord } from './merge-memories.ts';
import { type ItemOf, type Pass, type PassPorts, type PassView, severalOf } from './pass.ts';
import { addedMemory, removed } from './record-changes.ts';
import { lineageRelation, renamingIn } from './relations.ts';

/** One cluster that becomes one memory. */
export type ConsolidateItem = ItemOf<ConsolidateResult>;

/** A cluster that is left for a person to judge. */
export type OpenCluster = ConsolidateResult['open'][number];

/** From this cohesion on a model is asked about a cluster. It reads the sentences, so sound may tell it less than it tells a person. */
const modelCohesion = 0.5;

export interface ConsolidateOptions {
  /** Tells how alike texts are. */
  readonly likenessOf: (texts: readonly string[], signal?: AbortSignal) => Promise<Likeness>;
  /** Exactly these become one, whatever they say. */
  readonly ids?: readonly string[];
  /** Ask the merger also about what is hardly alike. */
  readonly uncertain?: boolean;
  /** Is asked about what does not say the same word by word, and puts the words together. */
  readonly merger?: ModelMerger;
  /** Hears of clusters that are left to a person. */
  readonly onOpen?: (cluster: OpenCluster) => void;
}

/** Plans the consolidation of active memories. */
export const consolidation: Pass<ConsolidateOptions, ConsolidateItem> = {
  name: 'consolidate',
  kind: 'consolidate',
  commits: 'each',
  keepsWhatItRemoves: true,
  noted: 'last_consolidation_at',
  async plan(view, ports, options) {
    const records = candidatesOf(view, options.ids);
    const texts = records.map(({ record }) => record.content);
    const likeness = await options.likenessOf(texts, ports.signal);
    const { clusters, near } =
      options.ids === undefined
        ? await findClusters(ports, records, likeness, options.merger !== undefined)
        : { clusters: [clusterOfAll(records.length, likeness.of)], near: [] };
    const decided: Decided[] = [];
    const left: { id: string; why: string }[] = [];
    const open = (members: Decided['members'], cohesion: number, why: string) => {
      const ids = members.map(({ record }) => record.id);
      options.onOpen?.({ ids, contents: members.map(({ record }) => record.content), cohesion, why });
    };
    for (const { members: places, cohesion } of clusters) {
      ports.signal?.throwIfAborted();
      const members = places.map((place) => records[place]!);
      const decision = await decide(view, members, cohesion, options);
      if (decision.record !== null) decided.push({ members, cohesion, ...decision });
      else {
        const [id, ...others] = members.map(({ record }) => record.id);
        left.push({ id: id!, why: `${decision.why} (with ${others.join(', ')})` });
        if (decision.isOpen) open(members, cohesion, decision.why);
      }
    }
    for (const { one, other, likeness: cohesion } of near)
      open([records[one]!, records[other]!], cohesion, 'to be asked: one has most words of the other');
    return { items: itemsOf(view, decided), left };
  },
  describe([item]) {
    const { into, sources, cohesion } = item!;
    return {
      subject: `merge ${sources.length} memories into ${into.slice(0, 8)}`,
      body: [`Cohesion ${cohesion.toFixed(2)}, from:`, ...sources.map(({ id }) => `- ${id}`)].join('\n'),
    };
  },
};

interface Decided {
  readonly members: readonly Stored<MemoryRecord>[];
  readonly cohesion: number;
  readonly record: MemoryRecord;
  readonly why: string;
  readonly by: string;
}

type Decision =
  | Pick<Decided, 'record' | 'why' | 'by'>
  | { readonly record: null; readonly why: string; readonly isOpen: boolean };

function candidatesOf({ memories }: PassView, ids: readonly string[] | undefined): Stored<MemoryRecord>[] {
  // By id, so that the plan does not depend on where files stand.
  const active = memories
    .filter(({ record }) => record.status === 'active' && record.content.trim() !== '')
    .sort((a, b) => (a.record.id < b.record.id ? -1 : 1));
  if (ids === undefined) return active;
  const hint = '`git memory list --status active` shows them';
  return severalOf(active, ids, { kind: 'active', what: 'a merge', hint });
}

/** Finds what may become one, and pairs beside that which are near: a person may see more in them. */
async function findClusters(
  { signal, onProgress }: PassPorts,
  records: readonly Stored<MemoryRecord>[],
  likeness: Likeness,
  isJudged: boolean,
): Promise<{ readonly clusters: readonly Cluster[]; readonly near: readonly AlikePair[] }> {
  const running = defined({ signal, onProgress });
  const alike = await likeness.pairs(askCohesion, running);
  const said = records.map(({ record }) => wordsOfClaim(record));
  const byWords = await nearPairs(said, { ...running, isJudged });
  const relationOf = relationsAmong(records, said);
  const same: AlikePair[] = [];
  const linked: AlikePair[] = [];
  const near: AlikePair[] = [];
  const known = new Set<number>();
  const turn = takeTurns();
  const pairs: readonly (Omit<AlikePair, 'likeness'> & Partial<AlikePair>)[] = [...alike, ...byWords];
  for (const { one, other, likeness: alikeness = likeness.of(one, other) } of pairs) {
    const others = turn();
    if (others !== undefined) {
      await others;
      signal?.throwIfAborted();
    }
    const place = one * records.length + other;
    if (known.has(place)) continue;
    known.add(place);
    const pair: AlikePair = { one, other, likeness: alikeness };
    const relation = relationOf(pair);
    if (relation === 'same') same.push(pair);
    else if (relation === 'near' && (isJudged || pair.likeness >= linkLikeness)) linked.push(pair);
    else if (relation === 'near') near.push(pair);
  }
  // What says the same needs no judge, and joins before anything is asked about it.
  const certain = clustersOf(same, likeness.of, mostMembers);
  const settled = new Set(certain.flatMap(({ members }) => members));
  const open = linked.filter(({ one, other }) => !settled.has(one) && !settled.has(other));
  const clusters = [...certain, ...clustersOf(open, likeness.of, mostMembers)];
  const clusterOf = new Map(clusters.flatMap((cluster) => cluster.members.map((member) => [member, cluster] as const)));
  const areOne = ({ one, other }: AlikePair) => clusterOf.has(one) && clusterOf.get(one) === clusterOf.get(other);
  return { clusters, near: near.filter((pair) => !areOne(pair)) };
}

/**
 * Makes what tells how two of the records are related. Two promises for two days are two promises, and what differs in a number, a name or a
 * denial only sounds alike. What has the same words is one.
 */
function relationsAmong(
  records: readonly Stored<MemoryRecord>[],
  said: readonly string[],
): (pair: AlikePair) => 'same' | 'near' | 'apart' {
  const discrepancyOf = discrepancyReader();
  const sayings = said.map(sayingOf);
  return ({ one, other }) => {
    const [mine, theirs] = [records[one]!.record.due, records[other]!.record.due];
    if (mine !== undefined && theirs !== undefined && mine !== theirs) return 'apart';
    if (ofTwo(records[one]!.record, records[other]!.record)) return 'apart';
    if (sayings[one] === sayings[other]) return 'same';
    return discrepancyOf(said[one]!, said[other]!) === undefined ? 'near' : 'apart';
  };
}

/** What each says of somebody else, or each of himself, are two things in the same words. */
const ofTwo = ({ subject: one }: MemoryRecord, { subject: other }: MemoryRecord): boolean =>
  one !== undefined && other !== undefined && normaliseForHash(one) !== normaliseForHash(other);

/** Decides by cohesion, and by the model or person who is asked in between. */
async function decide(
  { snapshot, configuration: { gist, limits } }: PassView,
  members: readonly Stored<MemoryRecord>[],
  cohesion: number,
  options: ConsolidateOptions,
): Promise<Decision> {
  const records = members.map(({ record }) => record);
  const contents = records.map(wordsOfClaim);
  const shown = cohesion.toFixed(2);
  const said = options.ids === undefined && new Set(contents.map(sayingOf)).size === 1 ? contents[0]! : null;
  const isAsked = options.ids !== undefined;
  const least = options.merger === undefined ? askCohesion : options.uncertain ? 0 : modelCohesion;
  if (!isAsked && said === null && cohesion < least)
    return { record: null, why: `kept apart: cohesion ${shown} is below ${least}`, isOpen: false };
  const reason = isAsked ? 'asked for by id' : `${records.length} memories alike, cohesion ${shown}`;
  const answer = said === null ? await options.merger?.merge(contents, isAsked) : undefined;
  if (answer?.isApart)
    return { record: null, why: `kept apart by ${options.merger!.name}, cohesion ${shown}`, isOpen: false };
  if (!isAsked && said === null && answer?.content === undefined)
    return { record: null, why: `to be asked: alike, cohesion ${shown}, and not word for word the same`, isOpen: true };
  const sayings = new Set(contents.map(sayingOf)).size;
  if (answer?.content === undefined && sayings > 2 && !contents.includes(mergedContent(contents)))
    return { record: null, why: `to be asked: no one sentence says what these ${sayings} do`, isOpen: true };
  const record = mergedRecord(records, {
    cohesion,
    gistLevel: gistLevelOf(gist.level),
    hash: snapshot.nameHash((name) => memoryPath(name.slice(0, 32))),
    ...defined({ content: answer?.content ?? said ?? undefined }),
  });
  const text = formatMemory(record);
  if (Buffer.byteLength(text) > limits.fileBytes)
    return { record: null, why: 'kept apart: one file could not hold them', isOpen: false };
  // What is made must be readable: the same rules as for files.
  const by = answer?.content === undefined ? 'rule' : options.merger!.name;
  return { record: parseMemory(text, memoryPath(record.id)), why: reason, by };
}

function itemsOf(view: PassView, decided: readonly Decided[]): ConsolidateItem[] {
  const places = new Map(
    decided.flatMap(({ members, record }) => members.map((member) => [member.record.id, record.id] as const)),
  );
  const placeOf = (id: string): string => places.get(id) ?? id;
  const renaming = renamingIn(view.relations, view.memories);
  const changesOf = new Map<string, ReturnType<typeof renaming>>();
  for (const id of places.keys()) changesOf.set(id, renaming(id, placeOf));
  return decided.map(({ members, cohesion, record, why, by }) => {
    const ids = members.map((member) => member.record.id);
    const metadata = {
      cluster_id: `clust-${sha256Hex(ids.join('\n')).slice(0, 8)}`,
      cluster_cohesion: Math.round(cohesion * 10_000) / 10_000,
    };
    const gone = new Set(members.map(({ path }) => path));
    const moved = ids.flatMap((id) => changesOf.get(id)!).filter(({ path }) => !gone.has(path));
    const changes = [
      addedMemory(record),
      ...ids.map((id) => lineageRelation('consolidated_from', record.id, id, view.now, metadata)),
      ...members.map(removed),
      ...new Map(moved.map((change) => [change.path, change])).values(),
    ];
    return {
      action: 'merge',
      ids: [record.id, ...ids],
      why,
      into: record.id,
      sources: members.map((member) => ({ id: member.record.id, content: member.record.content })),
      content: record.content,
      cohesion,
      by,
      changes,
    };
  });
}
