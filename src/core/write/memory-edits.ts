// The small writes about memories that join the batch: use, status, relations, forgetting. Each is planned under the lock.

import { MemoryError, orElse } from '../../base/errors.ts';
import { sha256Hex } from '../../base/hash.ts';
import type { MemoryRecord, Transcript } from '../../base/types/stored-types.ts';
import type { MemoryCatalog } from '../../store/memory-catalog.ts';
import { isNamedAfter, topicHeading } from '../../store/records/conversation-name.ts';
import { kindOf } from '../../store/records/kind.ts';
import { formatMemory } from '../../store/records/memory-record.ts';
import { formatRelation, newRelation, relationPath } from '../../store/records/relation-record.ts';
import { parseTranscript } from '../../store/records/transcript.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { reinforced, type Use, type UseRules } from '../lifecycle/reinforce.ts';
import { endsOf } from '../lifecycle/relations.ts';
import { topicsWithout } from '../lifecycle/topic-index.ts';
import type { EditPlan, PlannedEdit } from './edits.ts';

/** Plans a change of one memory where it stands; throws NOT_FOUND, AMBIGUOUS. */
export function planChange(
  catalog: MemoryCatalog,
  id: string,
  change: (record: MemoryRecord) => MemoryRecord,
): EditPlan {
  return (snapshot) => {
    const { path, record } = catalog.find(snapshot, id);
    return { path, after: formatMemory(change(record)) };
  };
}

/** Plans a use of one or more memories, each once; throws NOT_FOUND, AMBIGUOUS. */
export function planUse(catalog: MemoryCatalog, ids: readonly string[], use: Use, rules: UseRules): EditPlan {
  return (snapshot) => {
    const edits = ids.map((id): PlannedEdit => {
      const { path, record } = catalog.find(snapshot, id);
      return { path, after: formatMemory(reinforced(record, use, rules)) };
    });
    return edits as [PlannedEdit, ...PlannedEdit[]];
  };
}

/** Plans to take a memory out of the tree, with the relations that would be left with one end; throws NOT_FOUND, AMBIGUOUS. */
export function planForget(catalog: MemoryCatalog, id: string): EditPlan {
  return (snapshot) => {
    const { path, record } = catalog.find(snapshot, id);
    const orphans = endsOf(catalog.relations(snapshot)).get(id) ?? [];
    const named = namedAfter(snapshot, record);
    const others = named.length === 0 ? [] : catalog.stored(snapshot).filter((one) => one.path !== path);
    const known = catalog.stored(snapshot).map((one) => one.record);
    const topics = topicsWithout(snapshot, record, known);
    return [
      { path, after: null },
      ...(topics === null ? [] : [topics]),
      ...orphans.map((relation) => ({ path: relation.path, after: null })),
      ...named.flatMap((one) => withoutName(others, snapshot, one)),
    ];
  };
}

interface Named {
  readonly path: string;
  readonly transcript: Transcript;
}

/** Lists the conversations that nobody named, and whose topic is made of a turn that a memory was taken from. */
export function namedAfter(snapshot: Snapshot, { sources = [] }: MemoryRecord): Named[] {
  return [...new Set(sources.map(({ path }) => path))].flatMap((path) => {
    const text = kindOf(path) === 'conversation' ? snapshot.textIfWhole(path) : null;
    const transcript = text === null ? null : orElse(() => parseTranscript(text, path), null);
    if (transcript === null) return [];
    const turns = transcript.turns.filter((_, at) => sources.some((one) => one.path === path && one.turn === at + 1));
    return isNamedAfter(turns, transcript.topic ?? transcript.title) ? [{ path, transcript }] : [];
  });
}

/** Takes the name of a conversation from the other memories of it, and from the headings that its lines stand under. */
function withoutName(
  memories: ReturnType<MemoryCatalog['stored']>,
  snapshot: Snapshot,
  { path, transcript }: Named,
): PlannedEdit[] {
  const name = transcript.topic ?? transcript.title;
  const heading = topicHeading(transcript);
  const records = memories.flatMap(({ path: place, record }) => {
    const isNamed = record.meta.context?.includes(name) && record.sources?.some((source) => source.path === path);
    if (!isNamed) return [];
    return [{ path: place, after: formatMemory({ ...record, meta: { ...record.meta, context: null } }) }];
  });
  const pages = [...snapshot.list('knowledge/').keys()].flatMap((page) => {
    const text = page.endsWith('.md') ? snapshot.textIfWhole(page) : null;
    if (!text?.includes(path)) return [];
    const after = text.replace(/^(#{2,3}) (.+)$/gm, (line, mark: string, words: string) =>
      words === heading ? `${mark} ${transcript.sessionId}` : line,
    );
    return after === text ? [] : [{ path: page, after }];
  });
  return [...records, ...pages];
}

/** What a relation between two memories is made of; `from` and `to` are whole ids. */
export interface RelationInput {
  readonly from: string;
  readonly to: string;
  readonly type: string;
  readonly strength?: number;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** Gives the id of a relation. Two machines that relate the same memories by the same type make one file. */
export const relationId = ({ from, to, type }: Pick<RelationInput, 'from' | 'to' | 'type'>): string =>
  sha256Hex(JSON.stringify(['relation', from, to, type])).slice(0, 32);

/** Plans a relation between two memories that are there; throws INVALID_ARGUMENT, ALREADY_EXISTS, NOT_FOUND. */
export function planRelation(catalog: MemoryCatalog, { from, to, type, now, ...given }: RelationInput): EditPlan {
  if (from === to) throw new MemoryError('INVALID_ARGUMENT', 'a memory cannot be related to itself', { where: 'to' });
  const id = relationId({ from, to, type });
  const record = newRelation({ id, fromMemoryId: from, toMemoryId: to, relationType: type, now, ...given });
  const path = relationPath(id);
  return (snapshot) => {
    for (const end of [from, to]) catalog.find(snapshot, end);
    if (snapshot.oidOf(path) === null) return { path, after: formatRelation(record) };
    const hint = 'Use another type for a second relation';
    throw new MemoryError('ALREADY_EXISTS', `these memories are related as ${type} already`, { where: path, hint });
  };
}
