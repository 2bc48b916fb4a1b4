// A session while it runs: each message is durable when the call returns; the end is one immediate commit.

import { defined, MemoryError } from '../../base/errors.ts';
import type { Clock } from '../../base/ports.ts';
import { oneLine } from '../../base/text.ts';
import { parseTime } from '../../base/time.ts';
import type { Transcript, Turn } from '../../base/types/stored-types.ts';
import type { Attachment, CaptureResult, Redaction, TimeInput } from '../../base/types.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import { secretsAt } from '../../store/codec.ts';
import { answer } from '../../store/git/file-errors.ts';
import type { Trailer } from '../../store/guard/message.ts';
import { SecretFilter } from '../../store/guard/secret-filter.ts';
import { findRedactions } from '../../store/guard/secrets.ts';
import type { FileChange, Operation } from '../../store/operation.ts';
import { actsPathOf } from '../../store/records/acts-file.ts';
import { attachmentsNamedIn } from '../../store/records/attachment-lines.ts';
import { formatTranscript, formatTurn, parseTranscript } from '../../store/records/transcript.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import {
  type AttachmentRules,
  attachmentChanges,
  committedAttachments,
  readAttachments,
  refuseOpenAttachments,
  withAttachmentLines,
} from './attachments.ts';
import { type CaptureRules, checkMessageCount, redactionsOf } from './clean.ts';
import { refuseReasoning } from './messages.ts';
import { waitingEntry } from './record-now.ts';
import { titleOf, topicOf } from './sessions.ts';
import type { SignalLevel } from './signals.ts';
import type { ExtractionTrigger } from './smart-buffer.ts';

/** What a session's last words may add to its front matter. */
export interface SessionEnd {
  readonly time?: TimeInput;
  readonly tags?: readonly string[];
  readonly tokensIn?: number;
  readonly tokensOut?: number;
  readonly knowledgeChanges?: Transcript['knowledgeChanges'];
}

/** What a session works with. */
export interface SessionDependencies {
  readonly store: BranchStore;
  readonly clock: Clock;
  /** False inside a project: the end waits for the next flush. */
  readonly isImmediate: boolean;
  /** Gives what the configuration of now says. */
  rules(): CaptureRules & { readonly attachments: AttachmentRules };
  readonly observer?: SessionObserver;
}

/** A turn that was just recorded. */
export interface ObservedTurn {
  /** Of the transcript. */
  readonly path: string;
  readonly role: string;
  readonly text: string;
  /** Milliseconds since the Unix epoch. */
  readonly time: number;
}

/** Follows sessions from outside; nothing of it may fail. */
export interface SessionObserver {
  /** Hears a turn; answers what that brought about. */
  said(turn: ObservedTurn): Pick<RecordedMessage, 'signal' | 'extracting'>;
  /** Waits for what earlier turns of a session brought about. */
  settled(path: string): Promise<void>;
  /** Hears that a session was closed and gives the result with what followed from it. */
  closed(result: CaptureResult): Promise<CaptureResult>;
}

/** What a message may say beside its words. */
export interface MessageOptions {
  readonly time?: TimeInput;
  readonly speaker?: string;
  readonly flag?: string;
  /** Files that come with it; the words may then be empty. */
  readonly attachments?: readonly Attachment[];
}

/** A message that is recorded: durable, at that place within its session. */
export interface RecordedMessage {
  /** 1-based. */
  readonly turn: number;
  /** Secrets that were redacted; absent when there were none. */
  readonly redacted?: readonly Redaction[];
  /** Paths of the files that came with it; absent when there were none. */
  readonly attachments?: readonly string[];
  /** How much the message tells that is worth remembering; absent unless `auto_extract` is set. */
  readonly signal?: SignalLevel;
  /** That the session is extracted from since this message: for itself (`now`), or because enough was said (`batch`). */
  readonly extracting?: ExtractionTrigger;
}

/** Lines of what was done, and how the file of acts begins. */
interface Done {
  readonly scene: string;
  readonly lines: string;
}

/** Tells whether something can be the role of a turn. */
export const isRole = (role: unknown): role is string =>
  typeof role === 'string' && /^[\p{L}\p{N}][\p{L}\p{N} _.-]{0,63}$/u.test(role);

/** What changed in the knowledge while a session ran. */
export type KnowledgeChange = NonNullable<Transcript['knowledgeChanges']>[number];

const memoryFlag = 'memory';
const changeLine = /^> \[knowledge:(\w+)\] (\S+) — (.*)$/;

/** Reads the changes that turns of the memory tell of: also another process may end a session. */
function changesIn({ turns }: Transcript): KnowledgeChange[] {
  return turns.flatMap(({ flag, text }) => {
    const [, action, path, summary] = (flag === memoryFlag && changeLine.exec(text.trim())) || [];
    return path === undefined ? [] : [{ path, action: action!, summary: summary! }];
  });
}

/** Gives a session that nobody named its name by what was said in it. */
function named(transcript: Transcript): Transcript {
  const isNamed = transcript.topic !== undefined || transcript.title !== titleOf('session');
  const topic = isNamed ? '' : topicOf(transcript.turns);
  return topic === '' || topic === 'conversation' ? transcript : { ...transcript, topic, title: titleOf(topic) };
}

/** Gives the trailers of a commit that holds a capture. */
export function captureTrailers(path: string, { model, agent }: Pick<Transcript, 'model' | 'agent'>): Trailer[] {
  const named = [['Session', path] as const, ['Model', model] as const, ['Agent', agent] as const];
  return named.flatMap(([key, value]) => (value === undefined ? [] : [{ key, value }]));
}

/** Plans the commit of a whole capture of these bytes; `before` is the blob that stands at its path. */
export function planCapture(path: string, transcript: Transcript, after: Buffer, before: string | null): Operation {
  return {
    kind: 'conversation',
    name: 'capture',
    subject: oneLine(transcript.topic ?? transcript.title, 56),
    trailers: captureTrailers(path, transcript),
    changes: [{ path, before, after, isFormatted: true }],
    onConflict: 'refuse',
    time: transcript.ended ?? transcript.started,
  };
}

/**
 * Records a conversation as it happens.
 *
 * Calls are answered in order. A process that dies leaves the turns it acknowledged in the journal; a session of the same id
 * can be started again and goes on.
 */
export class Session {
  /** Of the transcript, below `raw/conversations/`. */
  readonly path: string;
  /** What goes on with this session, and names it in `undo`. */
  readonly id: string;
  private readonly dependencies: SessionDependencies;
  private transcript: Transcript;
  /** The bytes of the transcript; a turn is formatted once, or a long session would be formatted over and over. */
  private bytes: Buffer;
  private readonly purgeVersion: string;
  private isRedacted = false;
  private isOpen = true;
  private queue: Promise<unknown> = Promise.resolve();
  private finish = async (result: CaptureResult): Promise<CaptureResult> => result;

  /** `transcript` is what is recorded so far. @internal */
  constructor(dependencies: SessionDependencies, path: string, transcript: Transcript) {
    this.dependencies = dependencies;
    this.path = path;
    this.id = transcript.sessionId;
    this.transcript = transcript;
    this.bytes = Buffer.from(formatTranscript(transcript));
    this.purgeVersion = dependencies.store.purgeVersion;
  }

  /** Records the beginning, so that the session is known although nothing was said yet. @internal */
  async begin(): Promise<this> {
    if (this.dependencies.store.snapshot().oidOf(this.path) === null) await this.record(this.transcript, this.bytes);
    return this;
  }

  /**
   * Records one message; `role` is `user`, `agent`, `system` or any other word. Files that come with it are as durable as its words. Throws
   * CLOSED, INVALID_ARGUMENT, QUOTA; of attachments TOO_LARGE, NOT_FOUND, UNSAFE_FILE.
   */
  message(role: string, text: string, options: MessageOptions = {}): Promise<RecordedMessage> {
    return this.inOrder(() => this.say(role, text, options, this.filter()));
  }

  /**
   * Records a message with lines of what was done in it, which go into the file beside the transcript; see store/records/acts-file.ts. They
   * are clean, and `scene` begins that file. @internal
   */
  acted(role: string, text: string, options: MessageOptions, done: Done) {
    return this.inOrder(() => this.say(role, text, options, this.filter(), done));
  }

  /** Records a tool call in one line: name, what was asked, and a brief result. */
  toolCall(name: string, asked: string, answered?: string): Promise<RecordedMessage> {
    return this.inOrder(() => {
      const filter = this.filter();
      // Secrets go before the cut: half of one would read as none.
      const short = (text: string, length: number) => oneLine(filter.pass(text, 'the tool call'), length);
      const answer = answered === undefined ? '' : ` → ${short(answered, 200)}`;
      return this.say('agent', `> [tool:${short(name, 80)}] ${short(asked, 200)}${answer}`, {}, filter);
    });
  }

  /** Records that the knowledge was changed meanwhile, as a turn of the memory; the end lists it in the front matter. @internal */
  async changed({ path, action, summary }: KnowledgeChange): Promise<void> {
    const line = `> [knowledge:${action}] ${path} — ${oneLine(summary, 120)}`;
    await this.inOrder(() => this.say('agent', line, { flag: memoryFlag }, this.filter()));
  }

  private async say(
    role: string,
    text: string,
    options: MessageOptions,
    filter: SecretFilter,
    done?: Done,
  ): Promise<RecordedMessage> {
    if (!isRole(role)) {
      throw new MemoryError('INVALID_ARGUMENT', 'a role is a word such as user, agent or system', {
        where: 'role',
        hint: "The role comes first: message('user', 'Hello', { speaker: 'Ada' })",
      });
    }
    refuseReasoning(role, 'role');
    refuseReasoning(options.flag, 'flag');
    const number = this.transcript.turns.length + 1;
    const { store, rules } = this.dependencies;
    const where = `turn ${number}`;
    const attached = readAttachments(options.attachments, { filter, rules: rules().attachments, store }, where);
    if (text.trim() === '' && attached.files.size === 0)
      throw new MemoryError('INVALID_ARGUMENT', 'a message needs text', { where: 'text' });
    checkMessageCount(number, rules(), this.path);
    const time = options.time === undefined ? this.dependencies.clock.now() : parseTime(options.time, 'time');
    const [, words] = filter.passOn(this.transcript.turns.at(-1)?.text ?? '', text.replace(/^\n+|\n+$/g, ''), where);
    const turn: Turn = {
      role: filter.passName(role, 'the role'),
      time: Math.floor(time / 1000) * 1000,
      text: withAttachmentLines(filter.pass(words, where), attached.lines),
      ...(options.speaker === undefined ? {} : { speaker: oneLine(filter.pass(options.speaker, where), 80) }),
      ...(options.flag === undefined ? {} : { flag: filter.passName(options.flag, 'the flag') }),
    };
    const previous = this.transcript.turns.at(-1)?.time ?? this.transcript.started;
    const before = this.bytes;
    const formatted = formatTurn(turn, previous);
    await this.record(
      { ...this.transcript, turns: [...this.transcript.turns, turn] },
      Buffer.concat([before, Buffer.from(formatted)]),
      attached.files,
      done,
    );
    const names = attached.files.size === 0 ? {} : { attachments: [...attached.files.keys()] };
    const isOwn = turn.flag === memoryFlag;
    const heard = isOwn ? {} : this.dependencies.observer?.said({ path: this.path, ...turn });
    if (filter.count === 0) return { turn: number, ...names, ...heard };
    this.isRedacted = true;
    const lines = before.toString('latin1').split('\n').length - 1;
    const places = findRedactions(formatted);
    return {
      turn: number,
      ...names,
      ...heard,
      redacted: places.map(({ kind, line }) => ({ kind, path: this.path, line: lines + line, turn: number })),
    };
  }

  private filter(): SecretFilter {
    const { store, rules } = this.dependencies;
    return new SecretFilter(secretsAt(this.path, store.snapshot(true).privacy, rules().secrets));
  }

  /** Has somebody hear of the end, and say what it comes to; for who opened what the session writes to. @internal */
  onEnd(finish: (result: CaptureResult) => Promise<CaptureResult>): this {
    const before = this.finish;
    this.finish = async (result) => finish(await before(result));
    return this;
  }

  /** The agent that writes in it, as its beginning says. */
  get agent(): string | undefined {
    return this.transcript.agent;
  }

  /** Closes the session and commits it at once; from now on it never changes. */
  async end(options: SessionEnd = {}): Promise<CaptureResult> {
    return this.finish(await this.closed(options));
  }

  private closed(options: SessionEnd): Promise<CaptureResult> {
    return this.inOrder(async () => {
      const { store, clock, isImmediate, observer, rules } = this.dependencies;
      const isOwn = ({ path }: { readonly path: string }) => path === this.path;
      await observer?.settled(this.path);
      const filter = this.filter();
      const end = options.time === undefined ? clock.now() : parseTime(options.time, 'time');
      const last = this.transcript.turns.at(-1)?.time ?? this.transcript.started;
      const { tags, tokensIn, tokensOut, ...given } = filter.passAll(options, 'the front matter');
      const changes = [...(given.knowledgeChanges ?? []), ...changesIn(this.transcript)];
      const knowledgeChanges = changes.length === 0 ? undefined : changes;
      const closed: Transcript = {
        ...named(this.transcript),
        ...defined({ tags, tokensIn, tokensOut, knowledgeChanges }),
        ended: Math.max(Math.floor(end / 1000) * 1000, last),
      };
      const redacted =
        this.isRedacted || filter.count > 0 ? { redacted: redactionsOf(this.path, formatTranscript(closed)) } : {};
      const actsPath = actsPathOf(this.path);
      const attachedTo = new Set(closed.turns.flatMap(({ text }) => attachmentsNamedIn(text)));
      const attachments = [...attachedTo].filter((path) => store.snapshot().oidOf(path) !== null);
      const about = { path: this.path, session: this.id, turns: closed.turns.length };
      const result = { ...about, ...(attachments.length === 0 ? {} : { attachments }), ...redacted };
      const bytes = Buffer.from(formatTranscript(closed));
      if (!isImmediate) {
        await this.record(closed, bytes);
        this.isOpen = false;
        return { ...result, commit: null };
      }
      const outcome = await store.commit(
        (snapshot) => {
          const tip = snapshot.withoutOverlay();
          const operation = planCapture(this.path, closed, bytes, tip.oidOf(this.path));
          // What waits in the journal goes with the words that name it, whosoever brought it there.
          const files = new Map(attachments.map((path) => [path, snapshot.read(path)!]));
          const acts = actsPath === null ? null : snapshot.read(actsPath);
          const beside = acts === null ? [] : [{ path: actsPath!, before: tip.oidOf(actsPath!), after: acts }];
          const attached = committedAttachments(files, tip, rules().attachments);
          return [{ ...operation, changes: [...operation.changes, ...attached, ...beside] }];
        },
        {
          covers: ({ changes }) =>
            changes.some(isOwn) &&
            changes.every((change) => isOwn(change) || attachedTo.has(change.path) || change.path === actsPath),
          onBusy: 'journal',
        },
      );
      if (outcome.conflicts.length > 0)
        throw new MemoryError('CONFLICT', 'the conversation was changed by somebody else', { where: this.path });
      this.transcript = closed;
      this.isOpen = false;
      const ended = { ...result, commit: outcome.commits.at(-1) ?? null };
      return observer === undefined ? ended : observer.closed(ended);
    });
  }

  private async record(
    next: Transcript,
    after: Buffer,
    files: ReadonlyMap<string, Buffer> = new Map(),
    done?: Done,
  ): Promise<void> {
    const { store, clock } = this.dependencies;
    await store.append((snapshot) => {
      refuseOpenAttachments(files, snapshot, this.path);
      const plan = planCapture(this.path, next, after, snapshot.oidOf(this.path));
      const changes = [...plan.changes, ...attachmentChanges(files, snapshot), ...this.actsOn(snapshot, done)];
      return [waitingEntry({ ...plan, changes }, `session:${this.path}`, clock.now())];
    });
    this.transcript = next;
    this.bytes = after;
  }

  /** Adds to the acts beside the transcript, where they may be as public as that, and the part that is open holds them. */
  private actsOn(snapshot: Snapshot, done: Done | undefined): FileChange[] {
    const path = actsPathOf(this.path);
    const { isPrivate } = snapshot.privacy;
    if (path === null || !done?.lines || (isPrivate(this.path) && !isPrivate(path))) return [];
    const known = snapshot.read(path) ?? Buffer.alloc(0);
    const scene = known.includes(done.scene) ? '' : done.scene;
    return [{ path, before: snapshot.oidOf(path), after: Buffer.concat([known, Buffer.from(scene + done.lines)]) }];
  }

  private inOrder<T>(action: () => Promise<T>): Promise<T> {
    const result = this.queue.then(() => {
      if (!this.isOpen)
        throw new MemoryError('CLOSED', 'the session has ended', { where: this.path, hint: 'Start a new one' });
      return answer(() => {
        if (this.dependencies.store.purgeVersion !== this.purgeVersion) {
          // What was said before stands here as it was said.
          throw new MemoryError('PURGED', 'the memory was purged since this session was started', {
            where: this.path,
            hint: 'Start the session again by its id to continue it',
          });
        }
        return this.dependencies.store.during(action);
      });
    });
    this.queue = result.catch(() => undefined);
    return result;
  }
}

/** Reads an open transcript back, to go on with it. */
export function resumeTranscript(text: string, path: string): Transcript {
  const transcript = parseTranscript(text, path);
  if (transcript.ended !== undefined)
    throw new MemoryError('ALREADY_EXISTS', 'the session has ended already', { where: path, hint: 'Start a new one' });
  return transcript;
}
