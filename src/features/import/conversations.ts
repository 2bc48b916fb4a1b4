// Pieces of conversations on their way into raw/. What of them is new becomes a transcript and a commit of its own; nothing comes twice.

import { defined, MemoryError } from '../../base/errors.ts';
import { formatTime } from '../../base/time.ts';
import type { Transcript, Turn } from '../../base/types/stored-types.ts';
import { committedAttachments, refuseOpenAttachments } from '../../core/capture/attachments.ts';
import { cleanTranscript, redactionsOf } from '../../core/capture/clean.ts';
import { planCapture } from '../../core/capture/session.ts';
import { finishedTranscript } from '../../core/capture/sessions.ts';
import type { ActingTurn } from '../../core/capture/turns.ts';
import type { PassItem } from '../../core/lifecycle/pass.ts';
import { sessionInPath } from '../../store/guard/message.ts';
import { checkMemoryPath } from '../../store/guard/path.ts';
import type { SecretFilter } from '../../store/guard/secret-filter.ts';
import { findRedactions } from '../../store/guard/secrets.ts';
import { attachmentsNamedIn, withoutAttachments } from '../../store/records/attachment-lines.ts';
import { formatTranscript, parseTranscript, quietTranscriptPath } from '../../store/records/transcript.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { type ActsSettings, actsBeside, linesOfActs } from './acts-beside.ts';
import type { Piece } from './assemble.ts';
import type { ImportPlan } from './import-plan.ts';
import { KnownTurns } from './turn-identity.ts';

/** A transcript that an import adds. */
export interface TranscriptItem extends PassItem {
  readonly action: 'add';
  readonly source: string;
  readonly transcript: Transcript;
}

/** What the planning of an import came to, beside its items. */
export interface PlannedCounts {
  turns: number;
  here: number;
  characters: number;
}

/** The turns of a session that nothing has recorded yet, and where they go. */
export interface Unrecorded {
  /** The id of the transcript that goes on, or begins. */
  readonly session: string;
  /** Whether a transcript of that id is open. */
  readonly isOpen: boolean;
  /** How many turns of that transcript are recorded. */
  readonly recorded: number;
  readonly turns: readonly ActingTurn[];
}

interface Ran {
  readonly isDated: boolean;
  readonly channel: string | undefined;
}

const folder = 'raw/conversations/';
/** So many turns in the same seconds with the same words are a copy of a session, and no chance. */
const copiedTurns = 2;

/**
 * The conversations of a state, by their sessions. A session is found by the names of its files: `<id>`, then `<id>-2` for what was said
 * since, and so on. A closed transcript never changes.
 */
export class Sessions {
  readonly counts: PlannedCounts = { turns: 0, here: 0, characters: 0 };
  private snapshot: Snapshot | undefined;
  /** Paths by the session in their name, and by the minute in which they began. */
  private readonly bySession = new Map<string, string[]>();
  private readonly byMinute = new Map<string, string[]>();
  private readonly known = new Map<string, KnownTurns>();
  private readonly isKept: boolean;
  private readonly codeOf: ActsSettings['codeOf'];
  private readonly lfs: boolean;
  /** The attachments of what is planned. */
  private readonly brought = new Set<string>();

  /** `isKept`: nothing will be written, so that what is planned has to be remembered. `lfs`: attachments go to git-lfs. */
  constructor(isKept: boolean, codeOf: ActsSettings['codeOf'], lfs = false) {
    this.isKept = isKept;
    this.codeOf = codeOf;
    this.lfs = lfs;
  }

  /** Begins another run upon a state that holds what was planned before; the session that goes on stays as it is known. */
  renew(snapshot: Snapshot, next: Piece | undefined): void {
    if (this.snapshot === undefined) for (const path of snapshot.list(folder).keys()) this.index(path);
    this.snapshot = snapshot;
    if (this.isKept) return;
    const kept = next?.session === undefined ? undefined : sessionIdOf(next.session);
    for (const session of this.known.keys()) if (session !== kept) this.known.delete(session);
  }

  private index(path: string): void {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const session = name.slice(5, name.indexOf('-', 5) < 0 ? -3 : name.indexOf('-', 5));
    put(this.bySession, session, path);
    put(this.byMinute, minuteOf(path), path);
  }

  /** Gives what is known of a session; reads it where it is asked for the first time. */
  private of(session: string): KnownTurns {
    const present = this.known.get(session);
    if (present !== undefined) return present;
    const made = new KnownTurns();
    this.known.set(session, made);
    for (let part = 1; ; part++) {
      const found = this.transcriptsOf(part === 1 ? session : `${session}-${part}`);
      // Pieces of a named log were `<id>-1` and so on, without one that is `<id>`.
      if (part === 1 && found.length === 0) found.push(...this.transcriptsOf(`${session}-1`));
      if (found.length === 0 && part > 1) break;
      for (const { turns } of found) made.add(turns);
      if (found.length > 0) made.parts = part;
    }
    return made;
  }

  private transcriptsOf(sessionId: string): Transcript[] {
    const paths = this.bySession.get(sessionInPath(sessionId)) ?? [];
    const found: Transcript[] = [];
    for (const path of new Set(paths)) {
      const text = this.snapshot!.readText(path);
      const transcript = text === null ? null : parseTranscript(text, path);
      if (transcript?.sessionId === sessionId) found.push(transcript);
    }
    return found;
  }

  /** Begins a pass over a session; one that was forked has its beginning of another one, whose turns are here as of that. */
  private begun(
    session: string,
    pass: string,
    turns: readonly Turn[],
    copied: Pick<Ran, 'channel'> | null,
  ): KnownTurns {
    const known = this.of(session);
    if (!known.begin(pass) || copied === null || known.copied !== undefined || known.sharedStart(turns) > 0)
      return known;
    known.copied = this.copiedFrom(session, turns, copied.channel);
    known.copied?.begin(pass);
    return known;
  }

  /** Finds the session that this one was copied from: it began in the same second, with the same words. */
  private copiedFrom(session: string, turns: readonly Turn[], channel: string | undefined): KnownTurns | undefined {
    const began = turns[0]!.time;
    const minute = `${formatTime(began).slice(0, 10).replaceAll('-', '/')}/${formatTime(began).slice(11, 16).replace(':', '')}`;
    for (const path of this.byMinute.get(minute) ?? []) {
      const text = this.snapshot!.readText(path);
      const other = text === null ? null : parseTranscript(text, path);
      if (other === null || other.sessionId === session || other.channel !== channel) continue;
      const known = this.of(other.sessionId);
      if (known.sharedStart(turns) >= Math.min(copiedTurns, turns.length + 1)) return known;
    }
    return undefined;
  }

  /**
   * Plans what of a piece is new: all of it, nothing, or some turns. Throws SECRET where the policy refuses.
   *
   * A session without an id gets one from its first words.
   */
  plan(piece: Piece, plan: ImportPlan): TranscriptItem | null {
    const { snapshot } = plan.context.view;
    const { head, isDated, source, offsetMs } = piece;
    const { turns } = cleanTranscript({ turns: piece.turns }, plan.filter);
    const { title: topic, channel, model, tags, project, branch } = cleanTranscript(defined(head), plan.filter);
    const wasRedacted = plan.wasRedacted() || piece.isRedacted;
    const named =
      piece.session === undefined ? undefined : sessionIdOf(plan.filter.passName(piece.session, 'the session id'));
    const isShown = piece.head.isOrderShown === true;
    const opening = piece.files.size === 0 ? turns[0]! : { ...turns[0]!, text: withoutAttachments(turns[0]!.text) };
    const session = named || this.sessionOf(opening, isDated, { offsetMs, isShown }, snapshot);
    const known = this.begun(session, piece.pass, turns, isDated && named !== undefined ? { channel } : null);
    const otherTime = (time: number) => (isShown ? swapped(time, offsetMs) : undefined);
    const fresh = turns.filter((turn) => !known.meet(turn, isDated, offsetMs !== undefined, otherTime(turn.time)));
    this.counts.here += turns.length - fresh.length;
    const files = this.filesOf(fresh, piece, snapshot);
    if (fresh.length === 0) {
      plan.unchanged += 1;
      return null;
    }
    const unknown = defined({ project, git_branch: branch });
    const read = {
      started: fresh[0]!.time,
      ended: fresh.at(-1)!.time,
      turns: fresh,
      ...defined({ topic, channel, model, tags }),
      ...(Object.keys(unknown).length === 0 ? {} : { unknown }),
    };
    const transcript = finishedTranscript(read, known.parts === 0 ? session : `${session}-${known.parts + 1}`);
    const path = checkMemoryPath(quietTranscriptPath(transcript, snapshot.privacy.isPrivate));
    refuseOpenAttachments(files, snapshot, path);
    for (const turn of fresh) known.note(turn);
    known.parts += 1;
    this.index(path);
    this.counts.turns += fresh.length;
    this.counts.characters += fresh.reduce((sum, { text }) => sum + text.length, 0);
    const text = formatTranscript(transcript);
    if (wasRedacted) {
      plan.redacted.push(...redactionsOf(path, text, topic === undefined));
      for (const [path, bytes] of files)
        plan.redacted.push(...findRedactions(String(bytes)).map((one) => ({ ...one, path })));
    }
    const { changes } = planCapture(path, transcript, Buffer.from(text), null);
    const { scene, lines } = linesOfActs({ head, turns: fresh }, 1, { filter: plan.filter, codeOf: this.codeOf });
    const beside = actsBeside(path, snapshot, scene + lines.join(''));
    return {
      action: 'add',
      ids: [],
      source,
      why: `it comes from ${source}`,
      transcript,
      changes: [...changes, ...committedAttachments(files, snapshot, { lfs: this.lfs }), ...beside],
    };
  }

  /** Picks the attachments of turns that are new. A transcript never changes: those of turns that came without them are counted. */
  private filesOf(fresh: readonly Turn[], { files, leave }: Piece, snapshot: Snapshot): ReadonlyMap<string, Buffer> {
    const named = new Set(files.size === 0 ? [] : fresh.flatMap(({ text }) => attachmentsNamedIn(text)));
    for (const path of named) this.brought.add(path);
    const gone = [...files.keys()].filter((path) => !this.brought.has(path) && snapshot.oidOf(path) === null);
    if (gone.length > 0) leave('are whole texts of turns that came without them', gone.length);
    return new Map([...files].filter(([path]) => named.has(path)));
  }

  /** Finds what of a session that runs no transcript has yet. The last transcript goes on while it is open; else another part begins. */
  unrecorded(snapshot: Snapshot, name: string, turns: readonly ActingTurn[], { isDated, channel }: Ran): Unrecorded {
    this.renew(snapshot, undefined);
    const session = sessionIdOf(name);
    const known = this.begun(session, name, turns, isDated && turns.length > 0 ? { channel } : null);
    const fresh = turns.filter((turn) => !known.meet(turn, isDated));
    const idOf = (part: number): string => (part <= 1 ? session : `${session}-${part}`);
    const [last] = known.parts === 0 ? [] : this.transcriptsOf(idOf(known.parts));
    const isOpen = last !== undefined && last.ended === undefined;
    return {
      session: idOf(isOpen ? known.parts : known.parts + 1),
      isOpen,
      recorded: isOpen ? last.turns.length : 0,
      turns: fresh,
    };
  }

  /** Finds the transcript that earlier versions made of a text in a form that they did not know: one turn of no time. */
  findWhole(text: string, snapshot: Snapshot, filter: SecretFilter): string | undefined {
    const words = filter.pass(text.replaceAll('\r\n', '\n').replace(/^\n+/, '').trimEnd(), 'the text');
    const session = this.sessionOf({ role: 'user', time: 0, text: words }, false, {}, snapshot);
    return this.bySession.get(session)?.[0];
  }

  /**
   * The same first words are the same session, wherever they are found. A clock without a zone is the same in every zone, and may have been read
   * with day and month the other way round.
   */
  private sessionOf(
    turn: Turn,
    isDated: boolean,
    { offsetMs, isShown = false }: { readonly offsetMs?: number | undefined; readonly isShown?: boolean },
    snapshot: Snapshot,
  ): string {
    const hash = snapshot.nameHash((name) => `${folder}${name}.md`);
    const idOf = (time: number) => {
      const { role, speaker = '', text } = turn;
      return `ses_${hash(JSON.stringify([time, role, speaker, text])).slice(0, 12)}`;
    };
    if (!isDated) return idOf(0);
    if (offsetMs === undefined) return idOf(turn.time);
    const clock = turn.time - offsetMs;
    const other = isShown ? swapped(clock) : undefined;
    // Earlier versions named a session by the moment.
    const ids = [clock, turn.time, ...(other === undefined ? [] : [other])].map(idOf);
    return ids.find((id) => this.bySession.has(sessionInPath(id))) ?? ids[0]!;
  }
}

/** Gives a time as it was where day and month changed places; undefined for a day that has no such other. */
function swapped(time: number, offsetMs = 0): number | undefined {
  const clock = new Date(time - offsetMs);
  const [month, day] = [clock.getUTCMonth(), clock.getUTCDate() - 1];
  if (day > 11 || day === month) return undefined;
  return clock.setUTCMonth(day, month + 1) + offsetMs;
}

/** Makes an id of what a program calls a conversation: what a file name cannot hold becomes a dash. */
function sessionIdOf(name: string): string {
  return name
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80);
}

/** The day and the minute in the name of a transcript: `2026/01/05/1000`. */
const minuteOf = (path: string): string => path.slice(folder.length, folder.length + 'YYYY/MM/DD/HHMM'.length);

function put(map: Map<string, string[]>, key: string, path: string): void {
  const present = map.get(key);
  if (present === undefined) map.set(key, [path]);
  else present.push(path);
}

/** Plans like {@link Sessions.plan}, and notes what cannot become a transcript instead of stopping there. */
export function tryPiece(piece: Piece, sessions: Sessions, plan: ImportPlan): TranscriptItem | null {
  try {
    return sessions.plan(piece, plan);
  } catch (error) {
    if (!(error instanceof MemoryError) || ['SECRET', 'IO'].includes(error.code)) throw error;
    plan.left.push({ source: piece.source, why: error.what });
    return null;
  }
}
