// What comes into a branch as it happens: conversations, notes, events. Each is committed at once.

import { appendNote } from '../capture/daily-note.ts';
import { type CaptureTextOptions, Recorder, type SessionOptions } from '../capture/recorder.ts';
import type { Session } from '../capture/session.ts';
import type { Location } from '../open.ts';
import { type BranchDependencies, OpenedBranch } from '../opened-branch.ts';
import { appendEvent } from '../operations/append-event.ts';
import { AutoExtraction } from '../operations/auto-extraction.ts';
import { MaintenanceLog } from '../operations/maintenance-log.ts';
import type {
  CaptureInput,
  CaptureResult,
  EventInput,
  EventResult,
  ExtractOptions,
  ExtractResult,
  LfsResult,
  NoteInput,
  NoteResult,
} from '../types.ts';

/** A branch that takes captures. */
export abstract class CaptureVerbs extends OpenedBranch {
  private readonly recorder: Recorder;
  protected readonly autoExtraction: AutoExtraction;

  constructor(location: Location, dependencies: BranchDependencies) {
    super(location, dependencies);
    const { store } = this;
    this.autoExtraction = new AutoExtraction({
      store,
      logger: dependencies.logger,
      isImmediate: this.isImmediate,
      configuration: () => this.configuration(),
      hourly: {
        last: () => new MaintenanceLog(this.repository, store.ref).read().get('extract'),
        note: () => new MaintenanceLog(this.repository, store.ref).note('extract', dependencies.clock.now()),
        now: () => dependencies.clock.now(),
      },
      // Nobody asked for it, so nobody waits for a model longer than this.
      extract: (what) => {
        const { waitSeconds } = this.configuration().extract.model;
        return this.extractFrom({ ...what, signal: AbortSignal.timeout(waitSeconds * 1000) });
      },
      maintain: () => this.maintainAfterExtractions(),
    });
    this.recorder = new Recorder({
      observer: this.autoExtraction,
      store,
      clock: dependencies.clock,
      ids: dependencies.ids,
      isImmediate: this.isImmediate,
      rules: () => {
        const { secrets, limits, attachments } = this.configuration();
        return { secrets, maxMessages: limits.sessionMessages, attachments };
      },
      lastChangeOf: (path) => this.sharedSearcher.lastChangeOf(store.snapshot(), path),
    });
  }

  /** Runs the passes that follow every few extractions, if they are due. */
  protected abstract maintainAfterExtractions(): Promise<unknown>;

  /** Extracts without asking whether this may act. */
  protected abstract extractFrom(options: ExtractOptions): Promise<ExtractResult>;

  /** Begins a session, or goes on with an open one of that id. Throws ALREADY_EXISTS when it has ended. */
  startSession(options: SessionOptions = {}): Promise<Session> {
    return this.acting(async () => {
      await this.autoExtraction.prepare();
      return this.recorder.start(options);
    });
  }

  /** Records a finished conversation or note; closed and committed when the call returns. */
  capture(input: CaptureInput): Promise<CaptureResult> {
    return this.acting(() => this.recorder.capture(input));
  }

  /** Records a text as found in a file: a transcript, plain text, JSON or JSONL messages; see {@link CaptureTextOptions}. */
  captureText(text: string, options: CaptureTextOptions = {}): Promise<CaptureResult[]> {
    return this.acting(() => this.recorder.captureText(text, options));
  }

  /**
   * Writes the lines of `.gitattributes` that hand attachments to git-lfs, and `attachments.lfs` of memory.yaml, in one commit. The engine
   * stores bytes nevertheless, and no pointers. Throws INVALID_ARGUMENT inside a project, LOCKED.
   */
  trackWithLfs(): Promise<LfsResult> {
    return this.acting(async () =>
      (await import('../operations/track-with-lfs.ts')).trackWithLfs(
        this.store,
        this.placement,
        this.shared.configurationOf,
      ),
    );
  }

  /**
   * Records in the ledger what happened, was decided, promised or learnt: one line that never changes, and one commit at once.
   *
   * The id is the next of its day, whoever else writes. Throws INVALID_ARGUMENT, INVALID_DATE, NOT_FOUND for ids that it names, SECRET.
   */
  event(input: EventInput): Promise<EventResult> {
    return this.acting(() => {
      const { store, isImmediate } = this;
      return appendEvent(
        { store, isImmediate, clock: this.dependencies.clock, configuration: this.configuration() },
        input,
      );
    });
  }

  /** Appends to today's note in raw/daily, which only grows; committed at once. Throws INVALID_ARGUMENT, SECRET. */
  note(input: NoteInput | string): Promise<NoteResult> {
    return this.acting(async () => {
      const { store, isImmediate } = this;
      const { timezone: timeZone, secrets } = this.configuration();
      const noted = await appendNote({ store, isImmediate, clock: this.dependencies.clock, timeZone, secrets }, input);
      return this.autoExtraction.closed(noted);
    });
  }
}
