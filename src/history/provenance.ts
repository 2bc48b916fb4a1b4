// Provenance: file or line → commits → trailers → turns of a transcript. It goes on through consolidations and splits to what a memory was
// made of, also for what is gone.

import { defined, MemoryError, orElse, unreadable } from '../base/errors.ts';
import { holdsBlock } from '../base/fenced-blocks.ts';
import { formatTime } from '../base/time.ts';
import type { MemoryRecord, RelationRecord, SourceReference } from '../base/types/stored-types.ts';
import type { LogEntry, ProvenanceResult } from '../base/types.ts';
import { shownText } from '../store/forgotten.ts';
import type { Repository } from '../store/git/repository.ts';
import type { TreeDifference } from '../store/git/tree.ts';
import { dayOfNote } from '../store/records/daily-note.ts';
import { artifactFolder, kindOf } from '../store/records/kind.ts';
import { memoryPath, parseMemory } from '../store/records/memory-record.ts';
import { parseRelation } from '../store/records/relation-record.ts';
import { parseTranscriptWithLines } from '../store/records/transcript.ts';
import type { Snapshot } from '../store/snapshot.ts';
import { blameOf } from './blame.ts';
import { historyOf } from './catalogue.ts';
import { logOf } from './log.ts';

type Step = ProvenanceResult['commits'][number];
type Source = ProvenanceResult['sources'][number];

/** Where to look: a state, and how to open the state at another commit. */
interface ProvenanceContext {
  readonly repository: Repository;
  readonly snapshot: Snapshot;
  at(commit: string): Snapshot;
}

/** Lists the places where a memory of an id may be, or have been. */
export const placesOfMemory = (id: string): string[] => [memoryPath(id), `memories/${id}.json`];

/**
 * Tells where a file or memory comes from, as known in a state: the first of `places` that is or was there.
 *
 * With a line, from 1, it tells so of that line alone. `named` is what the caller asked for. Throws NOT_FOUND, INVALID_ARGUMENT.
 */
export function provenanceOf(
  context: ProvenanceContext,
  places: readonly string[],
  named: string,
  line?: number,
): ProvenanceResult {
  const tracer = new Tracer(context);
  const result = line === undefined ? tracer.trace(places) : tracer.traceLine(places[0]!, line);
  if (result) return result;
  const hint = '`git memory list` and `git memory recall` show what there is';
  throw new MemoryError('NOT_FOUND', `${named} is not in this memory and never was`, { where: named, hint });
}

class Tracer {
  private readonly context: ProvenanceContext;
  private readonly lineage: Lineage;
  /** Memories that are in the answer already: a second mention is left out, and a circle ends. */
  private readonly told = new Set<string>();
  /** What is asked of is gone itself: of the past, which has the words that were forgotten. */
  private isPast: boolean | undefined;
  private readonly captures = new Map<string, { commit: string | undefined; text: string | null }>();

  constructor(context: ProvenanceContext) {
    this.context = context;
    this.lineage = new Lineage(context.snapshot);
  }

  trace(places: readonly string[]): ProvenanceResult | null {
    const { repository, snapshot } = this.context;
    for (const path of places) {
      const { commits } = logOf(repository, snapshot.commit, { path, limit: Number.POSITIVE_INFINITY });
      const isAlive = snapshot.oidOf(path) !== null;
      if (isAlive || commits.length > 0)
        return this.tell(path, commits.map((entry) => this.stepOf(entry, path)).reverse());
    }
    return null;
  }

  /** Tells of one line: the commit that wrote it, and the turns that commit or the line itself names. */
  traceLine(path: string, line: number): ProvenanceResult {
    const { repository, snapshot } = this.context;
    const blamed = blameOf(repository, snapshot, path, { lines: [line, line] });
    const [found] = blamed.lines;
    const steps = blamed.commits
      .filter(({ oid }) => oid === found!.commit)
      .map((entry) => this.stepOf(entry, found!.originalPath));
    const own = this.turnAt(path, line);
    const sources = own ?? inlineSources(found!.text) ?? sourcesOf(steps);
    return {
      path,
      alive: true,
      line: found!,
      commits: steps,
      ...makerOf(steps),
      sources: sources.filter((source) => own !== null || source.path !== path).map((source) => this.describe(source)),
    };
  }

  private stepOf(entry: LogEntry, path: string): Step {
    const change = historyOf(this.context.repository)
      .changesOf(entry.oid)
      .find((candidate) => candidate.path === path);
    if (entry.boundary) return { ...entry, change: 'boundary' };
    return { ...entry, change: change?.before == null ? 'added' : change.after === null ? 'removed' : 'modified' };
  }

  private tell(path: string, steps: readonly Step[]): ProvenanceResult {
    const { snapshot } = this.context;
    const isAlive = snapshot.oidOf(path) !== null;
    this.isPast ??= !isAlive;
    const record = kindOf(path) === 'memory' ? this.recordOf(path, isAlive, steps) : null;
    if (record) this.told.add(record.id);
    const sources = record?.sources ?? this.turnsOfArtifact(path, steps) ?? sourcesOf(steps);
    const from = record ? this.ancestorsOf(record, steps) : [];
    return {
      path,
      ...(record ? { id: record.id, content: record.content } : {}),
      alive: isAlive,
      commits: steps,
      ...(record === null ? {} : writerOf(record)),
      ...makerOf(steps),
      sources: sources.filter((source) => source.path !== path).map((source) => this.describe(source)),
      ...(from.length === 0 ? {} : { from }),
    };
  }

  /** Finds the turns that hold an artifact to the letter, in the conversations it was extracted from; null for other files. */
  private turnsOfArtifact(path: string, steps: readonly Step[]): SourceReference[] | null {
    if (!path.startsWith(artifactFolder)) return null;
    const { snapshot, at } = this.context;
    const made = steps.find((step) => step.change === 'added');
    const block = snapshot.readText(path) ?? (made === undefined ? null : at(made.oid).readText(path));
    const found = sourcesOf(steps).flatMap((source) => {
      const { text } = this.captureOf(source.path);
      if (block === null || text === null || kindOf(source.path) !== 'conversation') return [];
      const { turns } = parseTranscriptWithLines(text, source.path);
      return turns.flatMap((turn, number) =>
        holdsBlock(turn.text, block) ? [{ path: source.path, turn: number + 1 }] : [],
      );
    });
    return found.length === 0 ? null : found;
  }

  /** Reads a memory; one that is gone where it was last alive. */
  private recordOf(path: string, isAlive: boolean, steps: readonly Step[]): MemoryRecord | null {
    const { snapshot, at } = this.context;
    const before = steps.findLast((step) => step.change === 'removed')?.parents[0];
    const text = isAlive ? snapshot.readText(path) : before === undefined ? null : at(before).readText(path);
    return text === null ? null : parseMemory(text, path);
  }

  private ancestorsOf(record: MemoryRecord, steps: readonly Step[]): NonNullable<ProvenanceResult['from']> {
    const history = historyOf(this.context.repository);
    const changes = steps.flatMap((step) => [...history.changesOf(step.oid)]);
    return this.lineage.ancestorsOf(record.id, changes).map(({ type, id }) => {
      if (this.told.has(id)) return { relation: type, id, origin: null };
      this.told.add(id);
      return { relation: type, id, origin: this.trace(placesOfMemory(id)) };
    });
  }

  /** The turn that a line of a transcript belongs to; `null` for other files, and above the first turn. */
  private turnAt(path: string, line: number): SourceReference[] | null {
    if (kindOf(path) !== 'conversation') return null;
    const { turns } = parseTranscriptWithLines(this.context.snapshot.readText(path) ?? '', path);
    const turn = turns.findLastIndex((candidate) => candidate.line <= line);
    return turn < 0 ? null : [{ path, turn: turn + 1 }];
  }

  private describe(source: SourceReference): Source {
    const { commit, text: whole } = this.captureOf(source.path);
    const { snapshot } = this.context;
    const text = this.isPast || whole === null ? whole : shownText(snapshot, source.path, whole, 'forgotten');
    const base = { path: source.path, ...defined({ turn: source.turn, role: source.role, commit }) };
    if (text !== null && source.turn !== undefined && dayOfNote(source.path) !== null) {
      const line = text.split('\n')[source.turn - 1];
      return line === undefined ? base : { ...base, line: source.turn, text: line.trim() };
    }
    if (text === null || kindOf(source.path) !== 'conversation') return base;
    const transcript = parseTranscriptWithLines(text, source.path);
    const turn = source.turn === undefined ? undefined : transcript.turns[source.turn - 1];
    if (!turn) return { ...base, session: transcript.sessionId };
    return {
      ...base,
      session: transcript.sessionId,
      line: turn.line,
      role: turn.role,
      ...defined({ speaker: turn.speaker }),
      time: formatTime(turn.time),
      text: turn.text,
    };
  }

  /** Finds the commit that recorded a capture, and its text; one that was taken back is read where it last was. */
  private captureOf(path: string): { commit: string | undefined; text: string | null } {
    const known = this.captures.get(path);
    if (known) return known;
    const { repository, snapshot, at } = this.context;
    const { commits } = logOf(repository, snapshot.commit, { path, limit: 2 });
    const isAlive = snapshot.oidOf(path) !== null;
    const before = commits[0]?.parents[0];
    const capture = {
      commit: (isAlive ? commits[0] : commits[1])?.oid,
      // A private conversation without its key is named, and its words are not told.
      text: orElse(
        () => (isAlive ? snapshot : before ? at(before) : null)?.readText(path) ?? null,
        null,
        ...unreadable,
      ),
    };
    this.captures.set(path, capture);
    return capture;
  }
}

function makerOf(steps: readonly Step[]): Pick<ProvenanceResult, 'extractor' | 'model' | 'agent' | 'session'> {
  const [extractor] = trailersOf(steps, 'Extractor');
  const [model] = trailersOf(steps, 'Model');
  const [agent] = trailersOf(steps, 'Agent');
  const session = trailersOf(steps, 'Session').find((name) => !isCapture(name));
  return defined({ extractor, model, agent, session });
}

/** A conversation that nobody recorded is named by its id. */
const isCapture = (name: string): boolean => name.startsWith('raw/');

/** What a record says of that itself, also before it is committed. */
function writerOf({ meta, sources = [] }: MemoryRecord): Pick<ProvenanceResult, 'agent' | 'session' | 'source'> {
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
  const { agent, session } = meta.extra;
  const isRecorded = sources.some(({ path }) => isCapture(path));
  // Extraction says there which conversation, and the turns say it better.
  const isSaid = sources.some(({ path }) => path === meta.source);
  return defined({
    agent: text(agent),
    session: isRecorded ? undefined : text(session),
    source: isSaid ? undefined : text(meta.source),
  });
}

const trailersOf = (steps: readonly Step[], key: string): string[] =>
  steps.flatMap((step) => step.trailers.filter((trailer) => trailer.key === key).map(({ value }) => value));

/** Reads `path#turn` trailers; a session without any turn stands for itself. */
function sourcesOf(steps: readonly Step[]): SourceReference[] {
  const parsed = [...new Set(trailersOf(steps, 'Source'))].map(parseSource);
  const sessions = [...new Set(trailersOf(steps, 'Session'))].filter(isCapture);
  return [
    ...parsed,
    ...sessions.filter((path) => !parsed.some((source) => source.path === path)).map((path) => ({ path })),
  ];
}

/** Reads what a line says of itself, as `[source: raw/daily/2026-11-02.md]` (spec 3); `null` when it says nothing. */
function inlineSources(text: string): SourceReference[] | null {
  const found = [...text.matchAll(/\[source: ([^\]\s]+)\]/g)].map((match) => parseSource(match[1]!));
  return found.length === 0 ? null : found;
}

function parseSource(source: string): SourceReference {
  const match = /^(.*?)(?:#(\d+))?$/s.exec(source)!;
  return match[2] === undefined ? { path: match[1]! } : { path: match[1]!, turn: Number(match[2]) };
}

// Tells what a memory was made of: consolidation and splitting leave relations, also where they or the memories are gone.

type LineageType = 'consolidated_from' | 'split_from';

/** One memory that another was made of. */
interface Ancestor {
  readonly type: LineageType;
  readonly id: string;
}

/** Answers for one state of the memory; each relation is read once. */
export class Lineage {
  private readonly snapshot: Snapshot;
  private readonly known = new Map<string, RelationRecord | null>();
  private present: Map<string, Ancestor[]> | null = null;

  constructor(snapshot: Snapshot) {
    this.snapshot = snapshot;
  }

  /**
   * Lists the memories that one was made of.
   *
   * `changes` are those of the commits that touched its file: a relation that is gone by now came with one of them.
   */
  ancestorsOf(id: string, changes: readonly TreeDifference[]): Ancestor[] {
    const found = new Map<string, Ancestor>();
    const add = (ancestor: Ancestor) => found.set(`${ancestor.type} ${ancestor.id}`, ancestor);
    for (const change of changes) {
      if (kindOf(change.path) !== 'relation') continue;
      for (const side of [change.before, change.after]) {
        const relation = side && this.read(side.oid, change.path);
        if (relation?.fromMemoryId === id && isLineage(relation.relationType))
          add({ type: relation.relationType, id: relation.toMemoryId });
      }
    }
    for (const ancestor of this.presentOnes().get(id) ?? []) add(ancestor);
    return [...found.values()].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  }

  private presentOnes(): ReadonlyMap<string, readonly Ancestor[]> {
    if (this.present) return this.present;
    this.present = new Map();
    for (const [path, oid] of this.snapshot.list('relations/')) {
      const relation = kindOf(path) === 'relation' ? this.read(oid, path) : null;
      if (!relation || !isLineage(relation.relationType)) continue;
      const ancestors = this.present.get(relation.fromMemoryId) ?? [];
      ancestors.push({ type: relation.relationType, id: relation.toMemoryId });
      this.present.set(relation.fromMemoryId, ancestors);
    }
    return this.present;
  }

  private read(oid: string, path: string): RelationRecord | null {
    const known = this.known.get(oid);
    if (known !== undefined) return known;
    let relation: RelationRecord | null = null;
    try {
      relation = parseRelation(this.snapshot.readBlob(oid, path).toString('utf8'), path);
    } catch (error) {
      // A file that is no relation relates nothing; `git memory doctor` names it.
      if (!(error instanceof MemoryError) || error.code !== 'INVALID_RECORD') throw error;
    }
    this.known.set(oid, relation);
    return relation;
  }
}

const isLineage = (type: string): type is LineageType => type === 'consolidated_from' || type === 'split_from';
