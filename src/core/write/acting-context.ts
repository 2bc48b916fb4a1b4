// The context of a message where something may be written: what leaves the window is kept first, and what is shown counts as used.

import type { ContextOptions, ContextResult, ExtractResult } from '../../base/types.ts';
import { asMemoryError } from '../../store/git/file-errors.ts';
import type { Configuration } from '../../store/records/configuration.ts';
import type { Handed } from '../../store/records/handed.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { findTranscript } from '../capture/recorder.ts';
import type { CompiledUse } from './compiled-use.ts';

export interface ActingContextDependencies {
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

/** Compiles contexts of the present. */
export class ActingContext {
  private readonly dependencies: ActingContextDependencies;
  /** By transcript: so many turns have been extracted from before they left the window. */
  private readonly flushed = new Map<string, number>();

  constructor(dependencies: ActingContextDependencies) {
    this.dependencies = dependencies;
  }

  /**
   * Compiles a context. Turns of a recorded session that leave the window are extracted from first (spec 5 §6.4), once for each chunk. What
   * that brought into journal and knowledge is in the text already.
   */
  async compile(message: string, options: ContextOptions): Promise<ContextResult> {
    const first = await this.dependencies.compile(message, options);
    const flushed = await this.flush(first.window.evicted, options.session);
    const isNew = flushed !== undefined && flushed.created.length + flushed.updated.length > 0;
    const compiled = isNew ? await this.dependencies.compileAgain(message, options) : first;
    await this.dependencies.use.note(compiled, this.dependencies.handed(message, options, compiled));
    return flushed === undefined || (!isNew && flushed.error === undefined) ? compiled : { ...compiled, flushed };
  }

  private async flush(evicted: number, session: string | undefined): Promise<ContextResult['flushed']> {
    const { configuration, snapshot, extract } = this.dependencies;
    if (evicted === 0 || session === undefined) return undefined;
    const { context, extract: settings } = configuration();
    if (!context.flush || settings.trigger === 'manual') return undefined;
    const path = session.endsWith('.md') ? session : findTranscript(snapshot(), session);
    if (path === undefined || evicted <= (this.flushed.get(path) ?? 0)) return undefined;
    try {
      const { transcripts } = await extract(path);
      this.flushed.set(path, evicted);
      return {
        created: transcripts.flatMap(({ created }) => created.map(({ id }) => id)),
        updated: transcripts.flatMap(({ updated }) => updated),
      };
    } catch (error) {
      // The words are in the transcript whatever happens; the agent needs its context now.
      return { created: [], updated: [], error: String(asMemoryError(error)) };
    }
  }
}
