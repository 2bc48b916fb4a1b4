// The context of a message where something may be written: what leaves the window is kept first. Being shown to an agent counts as use once a
// day. A question must not cost a write each time, so uses of memories and of files are gathered here and written together.

import { MemoryError } from '../../base/errors.ts';
import { dayOf } from '../../base/time.ts';
import type { ContextOptions, ContextResult, ExtractResult, Shown } from '../../base/types.ts';
import { asMemoryError } from '../../store/git/file-errors.ts';
import type { MemoryCatalog } from '../../store/memory-catalog.ts';
import type { Configuration } from '../../store/records/configuration.ts';
import { formatHanded, type Handed, handedPath } from '../../store/records/handed.ts';
import { formatMemory } from '../../store/records/memory-record.ts';
import { formatUseCounts, parseUseCounts, useCountsPath } from '../../store/records/use-counts.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { findTranscript } from '../capture/recorder.ts';
import { reinforced, type UseRules } from '../lifecycle/reinforce.ts';
import type { EditPlan, PlannedEdit } from './edits.ts';

/** After so many contexts and answers without a commit their uses are written anyway. */
const mostAnswers = 50;
/** What is in every context says nothing by being there. */
const counted: ReadonlySet<string> = new Set(['subscriptions', 'knowledge']);

/** What was of use since it was last written. */
export interface Used {
  readonly ids: readonly string[];
  readonly paths: readonly string[];
  /** When something of it was shown last, in milliseconds since the Unix epoch. */
  readonly at: number;
  /** Contexts that a session was handed. */
  readonly handed: readonly Handed[];
}

interface UsePorts {
  now(): number;
  /** Gives the day of a moment in the time zone of the memory. */
  dayOf(time: number): string;
  write(used: Used): Promise<unknown>;
}

/** Gathers uses. What is lost with the process is that something was looked at, and nothing else. */
export function gatheredUse(ports: UsePorts) {
  const [ids, paths] = [new Set<string>(), new Set<string>()];
  let [at, answers] = [0, 0];
  let handed: Handed[] = [];
  /** Writes what was gathered; called ahead of every commit that somebody asks for. */
  const settle = async (): Promise<void> => {
    const used = { ids: [...ids].sort(), paths: [...paths].sort(), at, handed };
    handed = [];
    ids.clear();
    paths.clear();
    answers = 0;
    if (used.ids.length + used.paths.length + used.handed.length > 0) await ports.write(used);
  };
  /** Notes what an answer shows. It writes when there is much, or of an earlier day; the answer stands also where that fails. */
  const noteShown = async (shown: readonly Shown[]): Promise<void> => {
    const now = ports.now();
    if (answers >= mostAnswers || (answers > 0 && ports.dayOf(at) !== ports.dayOf(now))) {
      await settle().catch((error: unknown) => {
        if (!(error instanceof MemoryError)) throw error;
      });
    }
    for (const { id, path } of shown) {
      if (id !== undefined && (path ?? 'memories/').startsWith('memories/')) ids.add(id);
      else if (path?.startsWith('knowledge/')) paths.add(path);
    }
    at = now;
    answers += 1;
  };
  return {
    settle,
    noteShown,
    /** Notes what a context shows, and to which session it was handed. */
    note({ slots }: Pick<ContextResult, 'slots'>, to?: Handed): Promise<void> {
      if (to !== undefined) handed.push(to);
      return noteShown(slots.flatMap(({ slot, blocks }) => (counted.has(slot) ? blocks : [])));
    },
  };
}

export type CompiledUse = ReturnType<typeof gatheredUse>;

/** Leaves what was not used yet on its day, and is still there; null where nothing is. */
export function newUses(catalog: MemoryCatalog, snapshot: Snapshot, used: Used, timeZone: string): Used | null {
  const day = dayOf(used.at, timeZone);
  const isNew = (lastAt: number | null | undefined) =>
    typeof lastAt !== 'number' || dayOf(lastAt * 1000, timeZone) < day;
  const wanted = new Set(used.ids);
  const ids = catalog
    .stored(snapshot)
    .filter(({ record }) => wanted.has(record.id) && isNew(record.lastReviewAt))
    .map(({ record }) => record.id);
  const counts = parseUseCounts(snapshot.textIfWhole(useCountsPath));
  const paths = used.paths.filter((path) => snapshot.oidOf(path) !== null && isNew(counts.get(path)?.lastAt));
  return ids.length + paths.length + used.handed.length === 0 ? null : { ...used, ids, paths };
}

/** Plans one use of each memory and file that is still there, and a line for each context that was handed out. */
export function planCompiledUse(
  catalog: MemoryCatalog,
  { ids, paths, at, handed }: Used,
  rules: UseRules,
  timeZone: string,
): EditPlan {
  return (snapshot) => {
    const present = new Map(catalog.stored(snapshot).map((stored) => [stored.record.id, stored]));
    const found = ids.flatMap((id) => present.get(id) ?? []);
    const edits = found.map(({ path, record }): PlannedEdit => {
      return { path, after: formatMemory(reinforced(record, { now: at }, rules)) };
    });
    const counts = parseUseCounts(snapshot.readText(useCountsPath));
    const lastAt = Math.floor(at / 1000);
    for (const path of paths) {
      const known = counts.get(path)?.count ?? 0;
      counts.set(path, { count: known + 1, lastAt: Math.max(lastAt, counts.get(path)?.lastAt ?? 0) });
    }
    for (const path of [...counts.keys()]) if (snapshot.oidOf(path) === null) counts.delete(path);
    const days = new Map<string, string>();
    for (const one of handed) {
      const path = handedPath(dayOf(one.time * 1000, timeZone));
      days.set(path, (days.get(path) ?? snapshot.readText(path) ?? '') + formatHanded(one));
    }
    edits.push(...[...days].map(([path, after]) => ({ path, after })));
    const [first, ...others] = edits;
    // A write is of one file at least, also where another process has just let go of every memory.
    const tally = { path: useCountsPath, after: formatUseCounts(counts) };
    if (first === undefined) return tally;
    return paths.length === 0 ? [first, ...others] : [first, ...others, tally];
  };
}

interface ActingContext {
  readonly use: CompiledUse;
  readonly configuration: () => Configuration;
  readonly snapshot: () => Snapshot;
  /** Compiles, and notes what the gate of topics decided. */
  compile(message: string, options: ContextOptions): Promise<ContextResult>;
  /** Compiles as a view does. */
  compileAgain(message: string, options: ContextOptions): Promise<ContextResult>;
  /** Tells what is to be noted of a context; undefined where nobody's session is known, or it cannot be made again. */
  handed(message: string, options: ContextOptions, compiled: ContextResult): Handed | undefined;
  /** Waits for extractions of a transcript that run already, and extracts from it. */
  extract(path: string): Promise<ExtractResult>;
}

/**
 * Makes what compiles contexts of the present. Turns of a recorded session that leave the window are extracted from first (spec 5 §6.4), once for
 * each chunk. What that brought into journal and knowledge is in the text already.
 */
export function actingContextOf({ use, compile, compileAgain, handed, ...ports }: ActingContext) {
  /** By transcript: so many turns have been extracted from before they left the window. */
  const done = new Map<string, number>();
  const flush = async (evicted: number, session: string | undefined): Promise<ContextResult['flushed']> => {
    if (evicted === 0 || session === undefined) return undefined;
    const { context, extract: settings } = ports.configuration();
    if (!context.flush || settings.trigger === 'manual') return undefined;
    const path = session.endsWith('.md') ? session : findTranscript(ports.snapshot(), session);
    if (path === undefined || evicted <= (done.get(path) ?? 0)) return undefined;
    try {
      const { transcripts } = await ports.extract(path);
      done.set(path, evicted);
      const created = transcripts.flatMap((one) => one.created.map(({ id }) => id));
      return { created, updated: transcripts.flatMap(({ updated }) => updated) };
    } catch (error) {
      // The words are in the transcript whatever happens; the agent needs its context now.
      return { created: [], updated: [], error: String(asMemoryError(error)) };
    }
  };
  return async (message: string, options: ContextOptions): Promise<ContextResult> => {
    const first = await compile(message, options);
    const flushed = await flush(first.window.evicted, options.session);
    const isNew = flushed !== undefined && flushed.created.length + flushed.updated.length > 0;
    const compiled = isNew ? await compileAgain(message, options) : first;
    await use.note(compiled, handed(message, options, compiled));
    return flushed === undefined || (!isNew && flushed.error === undefined) ? compiled : { ...compiled, flushed };
  };
}
