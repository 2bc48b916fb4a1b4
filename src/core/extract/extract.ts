// Extraction over transcripts: each transcript is planned outside the lock and applied as one commit, all or nothing.

import { defined, MemoryError, orElse } from '../../base/errors.ts';
import { sha256Hex } from '../../base/hash.ts';
import { keptIn } from '../../base/once-per.ts';
import type { Clock } from '../../base/ports.ts';
import { oneLine } from '../../base/text.ts';
import { dayMs, dayOf } from '../../base/time.ts';
import { estimateTokens } from '../../base/token-estimate.ts';
import type { MemoryRecord } from '../../base/types/stored-types.ts';
import type { ExtractOptions, ExtractResult } from '../../base/types.ts';
import { logOf } from '../../history/index.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import { CacheFile } from '../../store/cache-file.ts';
import { wordsOfClaim } from '../../store/claims/claim.ts';
import { speakerOf } from '../../store/claims/speaker.ts';
import { asMemoryError } from '../../store/git/file-errors.ts';
import type { Repository } from '../../store/git/repository.ts';
import { dayOfNote } from '../../store/records/daily-note.ts';
import { kindOf } from '../../store/records/kind.ts';
import { memoryPath } from '../../store/records/memory-record.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { capturesOf } from '../capture/daily-note.ts';
import { speakersIn } from '../lifecycle/quoted.ts';
import type { Conversation, ExtractionContext, Extractor, KnownClaim } from './extractor.ts';
import type { KnownMemories } from './known-memories.ts';
import type { ModelReading } from './model-reading.ts';
import {
  type ExtractionSettings,
  extractorName,
  parseCapture,
  planTranscript,
  type ReadTranscript,
  readTranscript,
  transcriptAt,
} from './plan-transcript.ts';

export interface ExtractDependencies extends ExtractionSettings {
  readonly store: BranchStore;
  /** The memories of the branch, kept from one conversation to the next. */
  readonly known: (snapshot: Snapshot) => KnownMemories;
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
 * When a model goes away while it reads, or a limit on what it may take is reached, the rest is left. `notes` name what it has no usable answer
 * for; the next run asks again, and nobody reads in its place. Throws MODEL_UNAVAILABLE when it cannot be had or asked, with nothing read.
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
/** So many conversations are looked at, whether they go together. */
const mostAhead = 24;

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
  /** Conversations before this place were read ahead. */
  private aheadTo = 0;

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
    for (const [position, path] of paths.entries()) {
      signal?.throwIfAborted();
      const end = await this.passOver(path, () => this.readAhead(paths, position));
      if (end === 'spent') {
        this.left = paths.length - position;
        return;
      }
      onProgress?.({ done: position + 1, total: paths.length });
      if (this.failures < maxFailures) continue;
      this.left = paths.length - position - 1;
      if (this.left > 0)
        this.notes.push(`${this.reading!.extractor.model} gives no answer that can be used; the rest is left`);
      return;
    }
  }

  /** Reads one conversation of many: one that has not the form of a conversation is named, and stops no other. */
  private async passOver(path: string, ahead: () => Promise<void>): Promise<'read' | 'spent'> {
    try {
      return await this.readOne(path, ahead);
    } catch (error) {
      const isOfFile = error instanceof MemoryError && ['INVALID_RECORD', 'TOO_LARGE'].includes(error.code);
      if (!isOfFile || this.options.from !== undefined) throw error;
      this.notes.push(`${error.message}; it is passed over`);
      return 'read';
    }
  }

  /** Lets a model read what is next as far as it goes together. */
  private async readAhead(paths: readonly string[], position: number): Promise<void> {
    const { extractor } = this.reading!;
    if (extractor.ahead === undefined || position < this.aheadTo) return;
    const snapshot = this.dependencies.store.snapshot();
    const { timeZone } = this.dependencies.context;
    const next = paths.slice(position, position + mostAhead).flatMap((path) => {
      const read = (): Conversation[] => [{ path, transcript: transcriptAt(snapshot, path, timeZone) }];
      return orElse(read, [], 'INVALID_RECORD', 'TOO_LARGE', 'NOT_FOUND');
    });
    const { signal } = this.options;
    const context = withKnown(this.dependencies);
    this.aheadTo = position + (await extractor.ahead(next, { ...context, ...defined({ signal }) }));
  }

  /** Reads one conversation with whom is there to read; `spent` when the model may take no more. */
  private async readOne(path: string, ahead: () => Promise<void>): Promise<'read' | 'spent'> {
    if (this.reading === null) {
      await this.readByRules(path);
      return 'read';
    }
    try {
      await ahead();
      const isRead = await this.readWith(this.reading.extractor, path);
      this.failures = isRead ? 0 : this.failures + 1;
      return 'read';
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      const isSpent = error.code === 'QUOTA' && error.where?.startsWith('extract.model.');
      const isGone = error.code === 'MODEL_UNAVAILABLE' && this.transcripts.length > 0;
      if (!isSpent && !isGone) throw error;
      this.notes.push(error.message);
      return 'spent';
    }
  }

  /** Reads with the scorer of turns where there is one; where that fails, without it from then on. */
  private async readByRules(path: string): Promise<void> {
    const { extractor, spare } = this.dependencies;
    try {
      if (spare === undefined || !this.isSpare) return void (await this.readWith(extractor, path));
    } catch (error) {
      if (spare === undefined || !(error instanceof MemoryError) || !error.code.startsWith('EMBED')) throw error;
      this.notes.push(`${error.message}; the scorers of the package score alone`);
      this.isSpare = true;
    }
    await this.readWith(spare!, path);
  }

  /** Reads a conversation and commits what was found; false where a model could read none of it. */
  private async readWith(extractor: Extractor, path: string): Promise<boolean> {
    const { signal, dryRun = false, run } = this.options;
    const context = { ...this.dependencies.context, ...(signal === undefined ? {} : { signal }) };
    const { unread, ...result } = await extractOne({ ...this.dependencies, extractor, context }, path, {
      dryRun,
      ...defined({ run }),
    });
    const by = extractorName(extractor);
    this.transcripts.push({ ...result, extractor: by });
    const isFruitless = result.created.length + result.updated.length === 0;
    for (const { first, last, why } of unread) {
      const turns = first === last ? `turn ${first}` : `turns ${first} to ${last}`;
      this.notes.push(`${path}: ${turns} unread by the model: ${why}`);
    }
    if (unread.length > 0) return !isFruitless;
    // What leaves no commit would be new again, and a model is not asked twice for nothing.
    if (isFruitless && (result.skipped.length === 0 || (extractor.model !== undefined && !dryRun))) {
      this.fruitless.push({ path, extractor: by });
      this.barrenOf(by);
    }
    return true;
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
    const { store, context } = this.dependencies;
    return keptIn(this.barren, name, () => barrenTranscripts(store.repository, name, context));
  }
}

/** So many of the newest claims are shown where not all of them fit. */
const newestShown = 30;
/** What a claim takes beside its words as it is shown. */
const shownOverhead = 25;

/** Lets an extractor look for open claims that a conversation may repeat or change. */
function withKnown({ context, store, known, clock }: ExtractDependencies): Omit<ExtractionContext, 'path'> {
  const seconds = Math.floor(clock.now() / 1000);
  const { timeZone = 'UTC' } = context;
  const dayIn = (time: number): string => dayOf(time * 1000, timeZone);
  const shown = (record: MemoryRecord, speakerIn: ReturnType<typeof speakersIn>): KnownClaim => {
    const { id, subject, attribute, entities, standing, due, validFrom, createdAt } = record;
    const statement = oneLine(wordsOfClaim(record), 300);
    const isStanding = standing === true ? (true as const) : undefined;
    const who = speakerIn(record) ?? speakerOf({ role: record.sources?.[0]?.role ?? 'user' }, context.owner);
    const from = validFrom !== undefined && validFrom > createdAt ? dayIn(validFrom) : undefined;
    const told = defined({ who, subject, attribute, isStanding, due, from });
    return { id, statement, day: dayIn(createdAt), entities, ...told };
  };
  return {
    ...context,
    known: (text, { speakers = new Set(), tokens = 6000 } = {}) =>
      ofDisk(() => {
        const snapshot = store.snapshot();
        const memories = known(snapshot);
        const open = memories.open(seconds).sort(newestFirst);
        const costs = new Map(open.map((record) => [record.id, estimateTokens(wordsOfClaim(record)) + shownOverhead]));
        let left = tokens;
        const words = text.toLowerCase();
        const isOfSame = ({ subject = '', entities }: MemoryRecord): boolean =>
          [subject, ...entities].some(
            (name) => name !== '' && (speakers.has(name) || words.includes(name.toLowerCase())),
          );
        // Where all fit the order does not matter; where they do not, the likeliest come first.
        const wanted = new Set([
          ...open.slice(0, newestShown),
          ...memories.open(seconds, text),
          ...open.filter(isOfSame),
          ...open,
        ]);
        const fitting = [...wanted].filter(({ id }) => {
          left -= costs.get(id)!;
          return left >= 0;
        });
        const speakerIn = speakersIn(snapshot, { owner: context.owner, timezone: timeZone });
        return fitting
          .sort(newestFirst)
          .reverse()
          .map((record) => shown(record, speakerIn));
      }),
  };
}

const newestFirst = (one: MemoryRecord, other: MemoryRecord): number =>
  other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1);

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
): Promise<TranscriptResult & { readonly unread: NonNullable<ReadTranscript['unread']> }> {
  const { store, known, clock } = dependencies;
  const run = runId === undefined ? {} : { run: runId };
  const read = await readTranscript({ ...dependencies, context: withKnown(dependencies) }, store.snapshot(), path);
  // The last plan made under the lock is the one that was committed.
  let made: ReturnType<typeof planTranscript> | undefined;
  const planOperation = (snapshot: Snapshot) => {
    made = planTranscript(dependencies, snapshot, known(snapshot), read, { now: clock.now() });
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
    unread: read.unread ?? [],
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
        const hint = 'Give the path of a transcript or daily note, or a session id';
        throw new MemoryError('NOT_FOUND', `no conversation or daily note is or contains ${one}`, { where: one, hint });
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
    const unread = trailers.filter(({ key }) => key === 'Unread').map(({ value }) => value.replace(/#[^#]*$/, ''));
    for (const { key, value } of trailers) {
      // A note grows: it is new again when it has other words than it had then.
      const isGrown = dayOfNote(value) !== null && store.at(oid).oidOf(value) !== snapshot.oidOf(value);
      if (key === 'Session' && !isGrown && !unread.includes(value)) seen.add(value);
    }
  }
  for (const { kind, trailers } of store.pending()) {
    for (const { key, value } of trailers) {
      if (kind === 'extract' && key === 'Session' && dayOfNote(value) === null) seen.add(value);
    }
  }
  return all.filter((path) => !seen.has(path) && !barren.has(snapshot.oidOf(path) ?? ''));
}

const oidBytes = 20;

/**
 * Remembers which transcripts an extractor found nothing in, so that they are not read again with every run. It is of the extractor and the
 * options that shape what it finds. A cache, which follows from these and the transcript alone.
 */
function barrenTranscripts(repository: Repository, extractor: string, options: unknown) {
  const fingerprint = sha256Hex(`${extractor}\n${JSON.stringify(options)}`).slice(0, 16);
  const file = new CacheFile(repository, `barren-${fingerprint}`, 1);
  const known = new Set<string>();
  for (const payload of file.read()) {
    for (let at = 0; at + oidBytes <= payload.length; at += oidBytes)
      known.add(payload.toString('hex', at, at + oidBytes));
  }
  return {
    has: (blobOid: string): boolean => known.has(blobOid),
    /** Adds transcripts by their blob ids; a disk that refuses costs reading them again. */
    add(blobOids: readonly string[]): void {
      const added = blobOids.filter((oid) => !known.has(oid));
      if (added.length === 0) return;
      for (const oid of added) known.add(oid);
      file.append(Buffer.from(added.join(''), 'hex'));
    },
  };
}

type BarrenTranscripts = ReturnType<typeof barrenTranscripts>;
