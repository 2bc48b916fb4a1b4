// Captures as calls: whatever form the words come in, they become a closed transcript and one immediate commit.

import { defined, MemoryError } from '../../base/errors.ts';
import type { IdSource } from '../../base/ports.ts';
import { formatTime, parseTime } from '../../base/time.ts';
import type { Transcript } from '../../base/types/stored-types.ts';
import type { CaptureInput, CaptureMessage, CaptureResult, SessionOptions, TimeInput } from '../../base/types.ts';
import { sessionInPath } from '../../store/guard/message.ts';
import { checkMemoryPath } from '../../store/guard/path.ts';
import { SecretFilter } from '../../store/guard/secret-filter.ts';
import type { Operation } from '../../store/operation.ts';
import {
  formatTranscript,
  parseTranscript,
  quietTranscriptPath,
  transcriptPath,
} from '../../store/records/transcript.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import {
  attachmentChanges,
  committedAttachments,
  readAttachments,
  refuseOpenAttachments,
  withAttachmentLines,
} from './attachments.ts';
import { checkMessageCount, cleanTranscript, redactionsOf } from './clean.ts';
import { type CaptureFormat, type CaptureInput as ParsedInput, parseCaptureInput } from './input.ts';
import { refuseReasoning } from './messages.ts';
import { recordNow } from './record-now.ts';
import { planCapture, resumeTranscript, Session, type SessionDependencies, type SessionObserver } from './session.ts';
import { finishedTranscript, partOf, splitSessions, titleOf, wholeSeconds } from './sessions.ts';

/** Says how to read a text that is captured. */
export interface CaptureTextOptions {
  readonly format?: CaptureFormat;
  /** The file the text came from: tells the format, and names it in errors. */
  readonly path?: string;
  readonly session?: string;
  readonly topic?: string;
  readonly channel?: string;
  /** That the words may be anybody's. */
  readonly trust?: 'low';
  readonly time?: TimeInput;
  /** Cut into sessions at pauses of at least so many minutes; by default everything is one session. */
  readonly pauseMinutes?: number;
}

interface RecorderDependencies extends SessionDependencies {
  readonly ids: IdSource;
  rules(): ReturnType<SessionDependencies['rules']> & { readonly timeZone: string };
  /** Gives the commit that last changed a file. */
  lastChangeOf(path: string): string | null;
  readonly observer: SessionObserver;
}

export class Recorder {
  private readonly dependencies: RecorderDependencies;

  constructor(dependencies: RecorderDependencies) {
    this.dependencies = dependencies;
  }

  /** Begins a session, or goes on with an open one of that id. Throws ALREADY_EXISTS when it has ended. */
  async start(options: SessionOptions): Promise<Session> {
    const { store } = this.dependencies;
    const filter = this.filter();
    const open = options.session === undefined ? undefined : findTranscript(store.snapshot(), options.session);
    if (open !== undefined) {
      const transcript = resumeTranscript(store.snapshot().readText(open)!, open);
      return new Session(this.dependencies, open, transcript);
    }
    const { session, started: begun, ...given } = options;
    const sessionId = session === undefined ? this.newId() : filter.passName(session, 'the session id');
    const started = wholeSeconds(begun === undefined ? this.dependencies.clock.now() : parseTime(begun, 'started'));
    const rest = cleanTranscript(given, this.isPrivate({ sessionId, started }) ? this.keeping() : filter);
    const title = titleOf(rest.topic ?? 'session');
    const transcript: Transcript = { ...rest, sessionId, started, title, turns: [] };
    return new Session(this.dependencies, this.pathOf(transcript), transcript).begin();
  }

  private pathOf(transcript: Transcript): string {
    const { privacy } = this.dependencies.store.snapshot(true);
    return checkMemoryPath(quietTranscriptPath(transcript, privacy.isPrivate));
  }

  /** Tells whether a conversation is private, whatever is said in it. */
  private isPrivate({ sessionId = 'session', started }: Pick<ParsedInput, 'sessionId' | 'started'>): boolean {
    const { patterns, isPrivate } = this.dependencies.store.snapshot(true).privacy;
    return patterns.length > 0 && isPrivate(transcriptPath({ sessionId, started, title: 'private' }));
  }

  /** Lets the secrets of private conversations be. */
  private keeping(): SecretFilter {
    return new SecretFilter({ ...this.dependencies.rules().secrets, mode: 'off' });
  }

  /** Reads with the filter that goes with the place: where a conversation lies is known when it was read. */
  private read(read: (filter: SecretFilter) => ParsedInput): [ParsedInput, SecretFilter] {
    const { patterns } = this.dependencies.store.snapshot(true).privacy;
    const kept = patterns.length === 0 ? null : read(this.keeping());
    if (kept !== null && this.isPrivate(kept)) return [kept, this.keeping()];
    const filter = this.filter();
    return [read(filter), filter];
  }

  /** Records a finished conversation or note. Throws INVALID_ARGUMENT, INVALID_RECORD, INVALID_DATE, ALREADY_EXISTS. */
  async capture(input: CaptureInput): Promise<CaptureResult> {
    if (typeof input === 'string') return this.record(...this.read(() => this.readNote(input, {})));
    if (input !== null && typeof input === 'object') {
      const files = new Map<string, Buffer>();
      if ('text' in input) {
        const read = this.read((filter) =>
          this.readNote(this.withAttachments(input.text, input.attachments, filter, files, 'attachments'), input),
        );
        return this.record(...read, files);
      }
      if (Array.isArray(input.messages)) {
        const read = this.read((filter) => {
          const messages = input.messages.map(({ attachments, ...message }, at) => {
            const text = this.withAttachments(message.text, attachments, filter, files, `message ${at + 1}`);
            return attachments === undefined ? message : { ...message, text };
          });
          return this.readMessages({ ...input, messages }, filter);
        });
        return this.record(...read, files);
      }
    }
    throw new MemoryError('INVALID_ARGUMENT', 'capture needs a text or messages', { where: 'input' });
  }

  /** Records a text in one of the forms that {@link CaptureFormat} names, as one session or cut at pauses. */
  async captureText(text: string, options: CaptureTextOptions): Promise<CaptureResult[]> {
    const { pauseMinutes, session, time, ...rest } = options;
    if (pauseMinutes !== undefined && !(pauseMinutes > 0))
      throw new MemoryError('INVALID_ARGUMENT', 'a pause is a number of minutes above 0', { where: 'pauseMinutes' });
    const [read, filter] = this.read((cleaning) =>
      parseCaptureInput(text, {
        ...rest,
        clean: cleanWith(cleaning),
        now: this.dependencies.clock.now(),
        timeZone: this.dependencies.rules().timeZone,
        ...defined({ sessionId: session }),
        ...(time === undefined ? {} : { time: parseTime(time, 'time') }),
      }),
    );
    if (pauseMinutes === undefined) return [await this.record(read, filter)];
    const parts = splitSessions(read.turns, pauseMinutes * 60_000);
    const results: CaptureResult[] = [];
    for (const [position, turns] of parts.entries())
      results.push(await this.record(partOf(read, turns, position), filter));
    return results;
  }

  /** Adds the lines that name attachments behind the words of a message, and their bytes to `files`. */
  private withAttachments(
    text: string,
    given: unknown,
    filter: SecretFilter,
    files: Map<string, Buffer>,
    where: string,
  ): string {
    if (given === undefined) return text;
    const { store, rules } = this.dependencies;
    const read = readAttachments(given, { filter, rules: rules().attachments, store }, where);
    for (const [path, bytes] of read.files) files.set(path, bytes);
    return withAttachmentLines(text, read.lines);
  }

  private readNote(text: string, options: Omit<CaptureTextOptions, 'format' | 'path' | 'session'>): ParsedInput {
    const { time, topic, channel, trust } = options;
    return parseCaptureInput(text, {
      format: 'text',
      now: time === undefined ? this.dependencies.clock.now() : parseTime(time, 'time'),
      ...defined({ topic, channel, trust }),
    });
  }

  private readMessages(
    input: Extract<CaptureInput, { readonly messages: unknown }>,
    filter: SecretFilter,
  ): ParsedInput {
    const { messages, session, started, ended, ...rest } = input;
    for (const [at, message] of messages.entries()) refuseReasoning(message?.role, `message ${at + 1}, role`);
    const from = started === undefined ? undefined : parseTime(started, 'started');
    const read = parseCaptureInput(JSON.stringify(messages.map(plainMessage)), {
      format: 'json',
      clean: cleanWith(filter),
      now: from ?? this.dependencies.clock.now(),
    });
    const to = ended === undefined ? read.ended : parseTime(ended, 'ended');
    return {
      ...rest,
      ...defined({ sessionId: session }),
      started: Math.min(from ?? read.started, read.started),
      ended: Math.max(to, read.ended),
      turns: read.turns,
    };
  }

  private async record(
    given: ParsedInput,
    filter: SecretFilter,
    files: ReadonlyMap<string, Buffer> = new Map(),
  ): Promise<CaptureResult> {
    const rules = this.dependencies.rules();
    if (given.sessionId !== undefined) this.filter().passName(given.sessionId, 'the session id');
    const read = cleanTranscript(given, filter);
    const { store, isImmediate } = this.dependencies;
    const transcript = finishedTranscript(read, read.sessionId ?? this.newId());
    const path = this.pathOf(transcript);
    checkMessageCount(transcript.turns.length, rules, path);
    const formatted = formatTranscript(transcript);
    const own = Buffer.from(formatted);
    const redacted = filter.count === 0 ? [] : redactionsOf(path, formatted, read.topic === undefined);
    const result = {
      path,
      session: transcript.sessionId,
      turns: transcript.turns.length,
      ...(given.isOneText ? { isOneText: true as const } : {}),
      ...(redacted.length === 0 ? {} : { redacted }),
      ...(files.size === 0 ? {} : { attachments: [...files.keys()] }),
    };
    const planned = (snapshot: Snapshot): Operation => {
      if (isImmediate && snapshot.oidOf(path) !== null) throw sessionExists(path);
      refuseOpenAttachments(files, snapshot, path);
      const operation = planCapture(path, transcript, own, null);
      const added = isImmediate
        ? committedAttachments(files, snapshot.withoutOverlay(), rules.attachments)
        : attachmentChanges(files, snapshot);
      return { ...operation, changes: [...operation.changes, ...added] };
    };
    const known = read.sessionId === undefined ? null : store.snapshot();
    known?.offer(path, own);
    const present = known?.read(path) ?? null;
    if (present !== null) {
      if (!present.equals(own)) throw sessionExists(path);
      await store.repair(path, own);
      return { ...result, commit: this.dependencies.lastChangeOf(path) };
    }
    const commit = await recordNow(this.dependencies, planned, () => `session:${path}`);
    return isImmediate ? this.dependencies.observer.closed({ ...result, commit }) : { ...result, commit };
  }

  private filter(): SecretFilter {
    return new SecretFilter(this.dependencies.rules().secrets);
  }

  private newId(): string {
    return `ses_${this.dependencies.ids.next().slice(-12)}`;
  }
}

/** Finds the transcript of a session: an open one, else the newest that has ended. */
export function findTranscript(snapshot: Snapshot, session: string): string | undefined {
  const written = `-${sessionInPath(session)}-`;
  let ended: string | undefined;
  for (const path of snapshot.listNamed('raw/conversations/').keys()) {
    // `HHMM-{session}-{slug}.md`; only a transcript itself knows its id to the letter.
    if (!path.startsWith(written, path.lastIndexOf('/') + 5)) continue;
    const transcript = parseTranscript(snapshot.readText(path)!, path);
    if (transcript.sessionId !== session) continue;
    if (transcript.ended === undefined) return path;
    ended = path;
  }
  return ended;
}

/** Ids pair the calls of tools with their answers, so long random words stay until the words of a turn are known. */
export const cleanWith =
  (filter: SecretFilter): ((value: unknown, where: string) => unknown) =>
  (value, where) =>
    filter.passAll(value, where, { isCertain: true });

function plainMessage(message: CaptureMessage) {
  const { time, ...rest } = message;
  // As a text: a small number of milliseconds, of the years until 1973, would be read as seconds.
  return time === undefined ? rest : { ...rest, time: formatTime(parseTime(time, 'time')) };
}

function sessionExists(path: string): MemoryError {
  const hint = 'Leave the session id out, or choose another';
  return new MemoryError('ALREADY_EXISTS', 'another conversation has this session id and time', { where: path, hint });
}
