// Extraction over transcripts: each transcript is planned outside the lock and applied as one commit, all or nothing.

import { MemoryError } from '../../base/errors.ts';
import type { Clock } from '../../base/ports.ts';
import { dayOf } from '../../base/time.ts';
import type { MemoryRecord } from '../../base/types/stored-types.ts';
import type { ExtractOptions, ExtractResult } from '../../base/types.ts';
import { logOf } from '../../history/index.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import { asMemoryError } from '../../store/git/file-errors.ts';
import { dayOfNote } from '../../store/records/daily-note.ts';
import { kindOf } from '../../store/records/kind.ts';
import { memoryPath } from '../../store/records/memory-record.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { capturesOf } from '../capture/daily-note.ts';
import { BarrenTranscripts } from './barren.ts';
import type { ExtractionContext, Extractor } from './extractor.ts';
import type { FollowedMemories } from './followed-memories.ts';
import type { ModelReading } from './model-reading.ts';
import {
  type ExtractionSettings,
  extractorName,
  parseCapture,
  planTranscript,
  readTranscript,
} from './plan-transcript.ts';

export interface ExtractDependencies extends ExtractionSettings {
  readonly store: BranchStore;
  /** The memories of the branch, kept from one conversation to the next. */
  readonly known: FollowedMemories;
  readonly clock: Clock;
  /** False inside a project: what is found waits in the journal for a commit on request, as the captures do. */
  readonly isImmediate: boolean;
  /** Reads where the scorer of turns of `extractor` fails; absent where it has none. */
  readonly spare?: Extractor;
  /** The model that is to read in place of `extractor`, which reads where it cannot; null: none. */
  readonly model: { readonly identity: Pick<Extractor, 'name' | 'version'>; open(): Promise<ModelReading> } | null;
  /** What to tell about that choice. */
  readonly modelNote?: string;
}

/** How an extraction runs that is a step of something larger: `run` names what its commits belong to. */
export type ExtractionRunOptions = ExtractOptions & { readonly run?: string };

type TranscriptResult = ExtractResult['transcripts'][number];

/**
 * Reads transcripts and commits what was found; those that the extractor has seen are left out unless named.
 *
 * When a model goes away while it reads, or a limit on what it may take is reached, the rest is left. What it has no usable answer for is read
 * by the rules, told in `notes`, and stays new to the model. Throws MODEL_UNAVAILABLE when it cannot be had or asked, with nothing read.
 */
export async function extractTranscripts(
  dependencies: ExtractDependencies,
  options: ExtractionRunOptions,
): Promise<ExtractResult> {
  return new ExtractionRun(dependencies, options).run();
}

/** So many conversations that gave nothing are named. */
const barrenNamed = 5;

/** So many conversations in a row that a model cannot read are taken for all of them. */
const maxFailures = 2;

class ExtractionRun {
  private readonly dependencies: ExtractDependencies;
  private readonly options: ExtractionRunOptions;
  private readonly notes: string[];
  private readonly transcripts: TranscriptResult[] = [];
  private readonly barren = new Map<string, BarrenTranscripts>();
  private readonly fruitless: { readonly path: string; readonly extractor: string }[] = [];
  private reading: ModelReading | null = null;
  private isSpare = false;
  private failures = 0;
  private left = 0;

  constructor(dependencies: ExtractDependencies, options: ExtractionRunOptions) {
    this.dependencies = dependencies;
    this.options = options;
    this.notes = dependencies.modelNote === undefined ? [] : [dependencies.modelNote];
  }

  async run(): Promise<ExtractResult> {
    const { model, extractor } = this.dependencies;
    const wanted = extractorName(model?.identity ?? extractor);
    const paths = this.select(wanted);
    if (model !== null && (paths.length > 0 || this.options.model !== undefined)) this.reading = await model.open();
    const opened = paths.length === 0 ? null : this.reading;
    try {
      await this.readAll(paths);
    } finally {
      const snapshot = this.dependencies.store.snapshot();
      for (const [name, barren] of this.barren) {
        const found = this.fruitless.filter(({ extractor: by }) => by === name).map(({ path }) => snapshot.oidOf(path));
        barren.add(found.filter((oid) => oid !== null));
      }
    }
    const transcripts = this.transcripts.map((one) => {
      const { extractor: by, ...rest } = one;
      return by === wanted ? rest : one;
    });
    const barren = transcripts.filter(({ created, updated }) => created.length + updated.length === 0);
    return {
      extractor: wanted,
      ...(opened === null ? {} : { model: opened.report() }),
      ...(this.notes.length === 0 ? {} : { notes: this.notes }),
      ...(this.left === 0 ? {} : { left: this.left }),
      ...(barren.length === 0
        ? {}
        : { barren: { conversations: barren.length, paths: barren.slice(0, barrenNamed).map(({ path }) => path) } }),
      transcripts,
    };
  }

  private async readAll(paths: readonly string[]): Promise<void> {
    const { signal, onProgress } = this.options;
    let unread: ReadonlySet<string> | null = null;
    for (const [position, path] of paths.entries()) {
      signal?.throwIfAborted();
      const hadModel = this.reading !== null;
      if (unread === null || unread.has(path)) {
        if ((await this.passOver(path)) === 'spent') {
          this.left = paths.length - position;
          return;
        }
      }
      // From here on only what is new to the rules.
      if (hadModel && this.reading === null) unread = new Set(this.unreadByRules(paths));
      onProgress?.({ done: position + 1, total: paths.length });
    }
  }

  /** Reads one conversation of many: one that has not the form of a conversation is named, and stops no other. */
  private async passOver(path: string): Promise<'read' | 'spent'> {
    try {
      return await this.readOne(path);
    } catch (error) {
      const isOfFile = error instanceof MemoryError && ['INVALID_RECORD', 'TOO_LARGE'].includes(error.code);
      if (!isOfFile || this.options.from !== undefined) throw error;
      this.notes.push(`${error.message}; it is passed over`);
      return 'read';
    }
  }

  /** Reads one conversation with whom is there to read; `spent` when the model may take no more. */
  private async readOne(path: string): Promise<'read' | 'spent'> {
    if (this.reading !== null) {
      try {
        await this.readWith(this.reading.extractor, path);
        this.failures = 0;
        return 'read';
      } catch (error) {
        if (!(error instanceof MemoryError)) throw error;
        if (error.code === 'QUOTA' && error.where?.startsWith('extract.model.')) {
          this.notes.push(error.message);
          return 'spent';
        }
        if (error.code === 'MODEL_FAILED') {
          this.notes.push(`${path}: ${error.message}; the rules read it instead`);
          this.fruitless.push({ path, extractor: extractorName(this.reading.extractor) });
          this.failures += 1;
          if (this.failures >= maxFailures) this.reading = null;
        } else if (error.code === 'MODEL_UNAVAILABLE' && this.transcripts.length > 0) {
          this.notes.push(error.message);
          return 'spent';
        } else throw error;
      }
    }
    if (this.dependencies.model === null || this.unreadByRules([path]).length > 0) {
      await this.readByRules(path);
    }
    return 'read';
  }

  /** Reads with the scorer of turns where there is one; where that fails, without it from then on. */
  private async readByRules(path: string): Promise<void> {
    const { extractor, spare } = this.dependencies;
    if (spare === undefined) return this.readWith(extractor, path);
    try {
      if (!this.isSpare) return await this.readWith(extractor, path);
    } catch (error) {
      if (!(error instanceof MemoryError) || !error.code.startsWith('EMBED')) throw error;
      this.notes.push(`${error.message}; the scorers of the package score alone`);
      this.isSpare = true;
    }
    return this.readWith(spare, path);
  }

  private async readWith(extractor: Extractor, path: string): Promise<void> {
    const { signal, dryRun = false, run } = this.options;
    const context = { ...this.dependencies.context, ...(signal === undefined ? {} : { signal }) };
    const result = await extractOne({ ...this.dependencies, extractor, context }, path, {
      dryRun,
      ...(run === undefined ? {} : { run }),
    });
    const by = extractorName(extractor);
    this.transcripts.push({ ...result, extractor: by });
    const isFruitless = result.created.length + result.updated.length === 0;
    // What leaves no commit would be new again, and a model is not asked twice for nothing.
    if (isFruitless && (result.skipped.length === 0 || (extractor.model !== undefined && !dryRun))) {
      this.fruitless.push({ path, extractor: by });
      this.barrenOf(by);
    }
  }

  private unreadByRules(paths: readonly string[]): readonly string[] {
    if (this.options.from !== undefined) return paths;
    const unread = new Set(this.select(extractorName(this.dependencies.extractor)));
    return paths.filter((path) => unread.has(path));
  }

  private select(name: string): string[] {
    const { store, clock } = this.dependencies;
    const paths = selectTranscripts(store, name, this.options.from, this.barrenOf(name));
    const { timeZone } = this.dependencies.context;
    return this.options.onlyEnded
      ? paths.filter((path) => hasEnded(store.snapshot(), path, clock.now(), timeZone))
      : paths;
  }

  private barrenOf(name: string): BarrenTranscripts {
    let barren = this.barren.get(name);
    if (barren === undefined) {
      barren = new BarrenTranscripts(this.dependencies.store.repository, name, this.dependencies.context);
      this.barren.set(name, barren);
    }
    return barren;
  }
}

/** Lets an extractor look for claims that a conversation may repeat or change. */
function withKnown({ context, store, known, clock }: ExtractDependencies): Omit<ExtractionContext, 'path'> {
  const seconds = Math.floor(clock.now() / 1000);
  const shown = ({ id, content, statement = content, validFrom, createdAt }: MemoryRecord) => ({
    id,
    statement,
    day: dayOf((validFrom ?? createdAt) * 1000, context.timeZone ?? 'UTC'),
  });
  return {
    ...context,
    known: (text) => ofDisk(() => known.at(store.snapshot()).likely(text, seconds).map(shown)),
  };
}

/** An error of our disk is none of the extractor that asked. */
function ofDisk<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw asMemoryError(error);
  }
}

async function extractOne(
  dependencies: ExtractDependencies,
  path: string,
  { dryRun: isDryRun = false, run: runId }: ExtractionRunOptions,
): Promise<TranscriptResult> {
  const { store, known, clock } = dependencies;
  const run = runId === undefined ? {} : { run: runId };
  const read = await readTranscript({ ...dependencies, context: withKnown(dependencies) }, store.snapshot(), path);
  // The last plan made under the lock is the one that was committed.
  let made: ReturnType<typeof planTranscript> | undefined;
  const planOperation = (snapshot: Snapshot) => {
    made = planTranscript(dependencies, snapshot, known.at(snapshot), read, { now: clock.now() });
    return made.operation;
  };
  let commit: string | null = null;
  if (dependencies.isImmediate || isDryRun) {
    const options = { dryRun: isDryRun, onBusy: 'fail' } as const;
    const outcome = await store.commit((snapshot) => [{ ...planOperation(snapshot), ...run }], options);
    commit = isDryRun ? null : (outcome.commits.at(-1) ?? null);
  } else {
    await store.append((snapshot) => {
      const { kind, name: operation, subject, trailers, changes } = planOperation(snapshot);
      if (changes.length === 0) return [];
      return [
        { run: `extract:${path}`, kind, name: operation, subject: subject!, trailers, changes, time: clock.now() },
      ];
    });
  }
  const { planned, events, operation } = made!;
  return {
    path,
    commit,
    created: planned.created.map((record) => ({
      id: record.id,
      path: memoryPath(record.id),
      ...(record.category === undefined ? {} : { category: record.category }),
      content: record.content,
    })),
    updated: planned.updated.map(({ after }) => after.id),
    skipped: planned.skipped,
    events: events.map(({ id, type, content, memory }) => ({
      id,
      type,
      content,
      ...(memory === undefined ? {} : { memory }),
    })),
    boxes: operation.changes.map((change) => change.path).filter((one) => kindOf(one) === 'box'),
  };
}

const dayMs = 86_400_000;

/** Names an extractor without its version: `rules+tickets` for `rules+tickets@5+2`. */
const unversioned = (extractor: string): string => extractor.slice(0, extractor.lastIndexOf('@'));

/** Whether a conversation has ended, or nobody spoke in it for a day; a daily note grows on its day only. */
function hasEnded(snapshot: Snapshot, path: string, now: number, timeZone?: string): boolean {
  const { ended, started, turns } = parseCapture(snapshot.readText(path) ?? '', path, timeZone);
  return ended !== undefined || now - (turns.at(-1)?.time ?? started) >= dayMs;
}

/** Lists the captures to work on, oldest first; what an earlier version of the extractor has read is read anew only where it is named. */
function selectTranscripts(
  store: BranchStore,
  name: string,
  from: ExtractOptions['from'],
  barren: BarrenTranscripts,
): string[] {
  const snapshot = store.snapshot();
  const all = capturesOf(snapshot);
  if (from !== undefined) {
    const wanted = typeof from === 'string' ? [from] : from;
    return wanted.flatMap((one) => {
      const found = all.filter((path) => path === one || path.split('/').at(-1)!.includes(one));
      if (found.length === 0) {
        throw new MemoryError('NOT_FOUND', `no conversation or daily note is or contains ${one}`, {
          where: one,
          hint: 'Give the path of a transcript or daily note, or a session id',
        });
      }
      return found;
    });
  }
  const seen = new Set<string>();
  const { commits } = logOf(store.repository, snapshot.commit, {
    text: `Extractor: ${unversioned(name)}@`,
    limit: Number.POSITIVE_INFINITY,
  });
  for (const { oid, trailers } of commits) {
    const by = trailers.find(({ key }) => key === 'Extractor')?.value;
    if (by === undefined || unversioned(by) !== unversioned(name)) continue;
    for (const { key, value } of trailers) {
      // A note grows: it is new again when it has other words than it had then.
      const isGrown = dayOfNote(value) !== null && store.at(oid).oidOf(value) !== snapshot.oidOf(value);
      if (key === 'Session' && !isGrown) seen.add(value);
    }
  }
  for (const { kind, trailers } of store.pending()) {
    for (const { key, value } of trailers) {
      if (kind === 'extract' && key === 'Session' && dayOfNote(value) === null) seen.add(value);
    }
  }
  return all.filter((path) => !seen.has(path) && !barren.has(snapshot.oidOf(path) ?? ''));
}
