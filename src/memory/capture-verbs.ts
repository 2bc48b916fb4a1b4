// What comes into a branch as it happens: conversations, notes, events. Each is committed at once.

import { defined } from '../base/errors.ts';
import type * as types from '../base/types.ts';
import { appendNote } from '../core/capture/daily-note.ts';
import { type CaptureTextOptions, Recorder } from '../core/capture/recorder.ts';
import type { KnowledgeChange, Session } from '../core/capture/session.ts';
import { AutoExtraction } from '../core/extract/auto-extraction.ts';
import { maintenanceLog } from '../core/maintain/maintenance-log.ts';
import { appendEvent } from '../core/write/append-event.ts';
import type { Quarantine, QuarantineBranch } from '../features/quarantine/index.ts';
import { answer } from '../store/git/file-errors.ts';
import type { Branch } from './branch.ts';
import { compose, withDoor, within } from './compose.ts';

/** What is captured aside is captured as here. */
type Aside = QuarantineBranch & Pick<Recorder, 'capture' | 'captureText'>;

interface CapturePort {
  readonly autoExtraction: AutoExtraction;
  readonly quarantine: Quarantine<Aside>;
}

/** Extracts by itself from what is captured, as memory.yaml says; `maintain` runs the passes that follow every few extractions, if they are due. */
export function autoExtractionOf(
  branch: Pick<Branch, 'clock' | 'configuration' | 'dependencies' | 'isImmediate' | 'repository' | 'store'>,
  extractFrom: (options: types.ExtractOptions) => Promise<types.ExtractResult>,
  maintain: () => Promise<unknown>,
): AutoExtraction {
  const { store, clock } = branch;
  const log = () => maintenanceLog(branch.repository, store.ref);
  return new AutoExtraction({
    store,
    logger: branch.dependencies.logger,
    isImmediate: branch.isImmediate,
    configuration: () => branch.configuration(),
    hourly: {
      last: () => log().read().get('extract'),
      note: () => log().note('extract', clock.now()),
      now: () => clock.now(),
    },
    // Nobody asked for it, so nobody waits for a model longer than this.
    extract: (what) => {
      const { waitSeconds } = branch.configuration().extract.model;
      return extractFrom({ ...what, signal: AbortSignal.timeout(waitSeconds * 1000) });
    },
    maintain,
  });
}

/** Takes in conversations, notes and events. */
export function captureVerbs(branch: Branch, { autoExtraction, quarantine }: CapturePort) {
  const { store, clock, origins } = branch;
  const recorder = new Recorder({
    observer: autoExtraction,
    store,
    clock,
    ids: branch.dependencies.ids,
    isImmediate: branch.isImmediate,
    rules: () => {
      const { secrets, limits, attachments, timezone } = branch.configuration();
      return { secrets, maxMessages: limits.sessionMessages, attachments, timeZone: timezone };
    },
    lastChangeOf: (path) => branch.searcher().lastChangeOf(store.snapshot(), path),
  });
  return compose(
    within(branch.acting, {
      /**
       * Begins a session, or goes on with an open one of that id. With `trust.quarantine` one of low trust is recorded on a branch of its own,
       * which the result of its end names. Throws ALREADY_EXISTS when it has ended.
       */
      async startSession(options: types.SessionOptions = {}): Promise<Session> {
        const aside = await quarantine.startSession(options);
        if (aside !== null) return aside;
        await autoExtraction.prepare();
        const session = await recorder.start(options);
        const changed = (change: KnowledgeChange) => session.changed(change);
        origins.begun({ session: session.id, path: session.path, changed, ...defined({ agent: session.agent }) });
        const begun = session.onEnd(async (result) => {
          origins.ended(session.path);
          return result;
        });
        return withDoor(begun, 'session.');
      },

      ledger: {
        /**
         * Records in the ledger what happened, was decided, promised or learnt: one line that never changes, and one commit at once.
         *
         * The id is the next of its day, whoever else writes. Throws INVALID_ARGUMENT, INVALID_DATE, NOT_FOUND for ids that it names, SECRET.
         */
        async add(input: types.EventInput): Promise<types.EventResult> {
          const { isImmediate } = branch;
          const { session, agent } = origins.of();
          const configuration = branch.configuration();
          return appendEvent({ store, isImmediate, clock, configuration, said: defined({ session, agent }) }, input);
        },
      },

      /** Appends to today's note in raw/daily, which only grows; committed at once. Throws INVALID_ARGUMENT, SECRET. */
      async note(note: types.NoteInput | string): Promise<types.NoteResult> {
        const { isImmediate } = branch;
        const { timezone: timeZone, secrets } = branch.configuration();
        const noted = await appendNote({ store, isImmediate, clock, timeZone, secrets }, note);
        return autoExtraction.closed(noted);
      },
    }),
    within(answer, {
      /**
       * Records a finished conversation or note; closed and committed when the call returns. With `trust.quarantine` one of low trust goes
       * to a branch of its own, with what is extracted from it. The result names that branch, and `quarantine.accept` lets it
       * in.
       */
      async capture(conversation: types.CaptureInput): Promise<types.CaptureResult> {
        const { agent } = origins.of();
        const isTalk = agent !== undefined && Array.isArray(Object(conversation).messages);
        const given = isTalk
          ? { agent, ...(conversation as object as Extract<types.CaptureInput, { messages: unknown }>) }
          : conversation;
        if (branch.isClosed || !quarantine.takes(given)) return branch.acting(() => recorder.capture(given));
        return (await quarantine.capture(async (aside) => [await aside.capture(given)]))[0]!;
      },

      /** Records a text as found in a file: a transcript, plain text, JSON or JSONL messages; see {@link CaptureTextOptions}. */
      async captureText(sources: string, options: CaptureTextOptions = {}): Promise<types.CaptureResult[]> {
        if (branch.isClosed || !quarantine.takes(options))
          return branch.acting(() => recorder.captureText(sources, options));
        return quarantine.capture((aside) => aside.captureText(sources, options));
      },
    }),
  );
}
