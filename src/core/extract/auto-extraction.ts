// Extraction that comes by itself: while a session runs, when its buffer says so, and when a capture is closed.

import { keptIn } from '../../base/once-per.ts';
import type { Logger } from '../../base/ports.ts';
import type { CaptureExtraction, ExtractResult } from '../../base/types.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import { asMemoryError } from '../../store/git/file-errors.ts';
import type { Configuration } from '../../store/records/configuration.ts';
import { parseTranscript } from '../../store/records/transcript.ts';
import type { ObservedTurn, SessionObserver } from '../capture/session.ts';
import { compileSignals, type OwnSignals, signalOf } from '../capture/signals.ts';
import { type BufferState, triggerOf } from '../capture/smart-buffer.ts';

export interface AutoExtractionDependencies {
  readonly store: BranchStore;
  readonly logger: Logger;
  /** False inside a project, where an open session is not committed. */
  readonly isImmediate: boolean;
  readonly configuration: () => Configuration;
  /** Extracts from one transcript, or from all that have ended and are new; what is open is committed first: memories name its turns. */
  extract(options: { readonly from?: string; readonly onlyEnded?: boolean }): Promise<ExtractResult>;
  /** When what is done every hour was last done here, and noting it. */
  readonly hourly: { last(): number | undefined; note(): void; now(): number };
  /** Runs the passes that follow every few extractions, if they are due. */
  maintain(): Promise<unknown>;
}

/** When captures are extracted from by themselves, as `extract.trigger` says, or in its absence `auto_extract`. */
export function extractionTrigger({
  extract,
  autoExtract,
}: Pick<Configuration, 'extract' | 'autoExtract'>): 'on_session_end' | 'hourly' | 'manual' {
  return extract.trigger ?? (autoExtract ? 'on_session_end' : 'manual');
}

const hourMs = 3_600_000;

interface SessionBuffer {
  state: BufferState;
  /** The end of what runs and waits. */
  running: Promise<void>;
  /** Something waits that has not begun: it will see what is said until then, so that nothing needs to wait beside it. */
  isQueued: boolean;
}

const noSignals: OwnSignals = { high: [], medium: [] };

/**
 * Runs the extractor without being asked, where `auto_extract` is set or `extract.trigger` says so. A capture never fails
 * for it: what went wrong is reported beside its result.
 *
 * The buffer of a session is what its transcript has and its last commit has not, so that it outlives the process.
 */
export class AutoExtraction implements SessionObserver {
  private readonly dependencies: AutoExtractionDependencies;
  private readonly buffers = new Map<string, SessionBuffer>();
  /** The end of the maintenance that runs and waits. */
  private maintaining: Promise<void> = Promise.resolve();
  private own: { readonly of: Configuration; readonly signals: OwnSignals } | null = null;

  constructor(dependencies: AutoExtractionDependencies) {
    this.dependencies = dependencies;
  }

  /** Reads the patterns of the configuration, so that a bad one is found before a session begins. Throws INVALID_CONFIG. */
  async prepare(): Promise<void> {
    const configuration = this.dependencies.configuration();
    if (extractionTrigger(configuration) !== 'on_session_end' || this.own?.of === configuration) return;
    const text = () => this.dependencies.store.snapshot().readText('memory.yaml') ?? '';
    this.own = { of: configuration, signals: await compileSignals(configuration.signals, 'memory.yaml', text) };
  }

  said(turn: ObservedTurn): ReturnType<SessionObserver['said']> {
    // What was said is recorded by now: a caller that got an error would say it again.
    try {
      return this.heard(turn);
    } catch (error) {
      this.dependencies.logger.warn(`whether to extract from ${turn.path} could not be told: ${asMemoryError(error)}`);
      return {};
    }
  }

  private heard({ path, role, text, time }: ObservedTurn): ReturnType<SessionObserver['said']> {
    const { configuration, isImmediate } = this.dependencies;
    const { buffer: settings, ...when } = configuration();
    if (extractionTrigger(when) !== 'on_session_end' || !isImmediate) return {};
    // What others say, or what a tool read, does not ask for anything.
    const level = role === 'user' ? signalOf(text, this.own?.signals ?? noSignals).level : 'none';
    const buffer = this.bufferOf(path);
    const state = { ...buffer.state, buffered: buffer.state.buffered + 1 };
    const trigger = triggerOf(state, { level, time }, settings);
    buffer.state = trigger === null ? state : { buffered: 0, extracted: time };
    if (trigger !== null) this.start(path, buffer);
    return { signal: level, ...(trigger === null ? {} : { extracting: trigger }) };
  }

  settled(path: string): Promise<void> {
    return this.buffers.get(path)?.running ?? Promise.resolve();
  }

  /** Waits until nothing runs any more. */
  async idle(): Promise<void> {
    await Promise.all([...this.buffers.values()].map(({ running }) => running));
    await this.maintaining;
  }

  /** Extracts from a capture that was just closed, or a note that has grown, and tells beside its result what came of it. */
  async closed<Result extends { readonly path: string }>(
    result: Result,
  ): Promise<Result & { readonly extraction?: CaptureExtraction }> {
    this.buffers.delete(result.path);
    try {
      const trigger = extractionTrigger(this.dependencies.configuration());
      if (trigger === 'on_session_end') return { ...result, extraction: await this.extract({ from: result.path }) };
      if (trigger === 'manual' || !this.isHourOver()) return result;
      this.dependencies.hourly.note();
      return { ...result, extraction: await this.extract({ onlyEnded: true }) };
    } catch (error) {
      return { ...result, extraction: { created: [], updated: [], error: String(asMemoryError(error)) } };
    }
  }

  /** A last time that lies ahead is a clock gone wrong. */
  private isHourOver(): boolean {
    const { hourly } = this.dependencies;
    const last = hourly.last();
    return last === undefined || last > hourly.now() || hourly.now() - last >= hourMs;
  }

  private start(path: string, buffer: SessionBuffer): void {
    if (buffer.isQueued) return;
    buffer.isQueued = true;
    buffer.running = buffer.running.then(async () => {
      buffer.isQueued = false;
      const { error } = await this.extract({ from: path });
      if (error !== undefined) this.dependencies.logger.warn(`nothing was extracted from ${path} yet: ${error}`);
    });
  }

  private async extract(what: Parameters<AutoExtractionDependencies['extract']>[0]): Promise<CaptureExtraction> {
    try {
      const { transcripts, notes } = await this.dependencies.extract(what);
      this.maintain();
      const created = transcripts.flatMap((transcript) => transcript.created.map(({ id }) => id));
      const updated = transcripts.flatMap((transcript) => transcript.updated);
      return { created, updated, ...(notes === undefined ? {} : { notes }) };
    } catch (error) {
      if (error instanceof DOMException && error.name === 'TimeoutError') {
        const why =
          'reading takes longer than extract.model.wait_seconds; what was read is kept, and the next extraction goes on';
        return { created: [], updated: [], error: why };
      }
      return { created: [], updated: [], error: String(asMemoryError(error)) };
    }
  }

  /** Nobody waits for the passes but who closes the memory; what goes wrong in them costs no extraction. */
  private maintain(): void {
    if (!this.dependencies.isImmediate) return;
    this.maintaining = this.maintaining.then(async () => {
      try {
        await this.dependencies.maintain();
      } catch (error) {
        this.dependencies.logger.warn(`no maintenance after extractions yet: ${asMemoryError(error)}`);
      }
    });
  }

  private bufferOf(path: string): SessionBuffer {
    const begin = () => ({ state: this.stateOf(path), running: Promise.resolve(), isQueued: false });
    return keptIn(this.buffers, path, begin);
  }

  /** What was buffered before this process came; without the turn that was just recorded. */
  private stateOf(path: string): BufferState {
    const snapshot = this.dependencies.store.snapshot();
    const turnsIn = (text: string | null) => (text === null ? 0 : parseTranscript(text, path).turns.length);
    const committed = snapshot.withoutOverlay().readText(path);
    const buffered = Math.max(0, turnsIn(snapshot.readText(path)) - turnsIn(committed) - 1);
    return { buffered, extracted: committed === null ? null : lastTurnOf(committed, path) };
  }
}

const lastTurnOf = (text: string, path: string): number | null =>
  parseTranscript(text, path).turns.at(-1)?.time ?? null;
