// Entries put together to conversations: messages become turns, which are handed on in pieces, so that a file may be of any size.

import { defined, MemoryError } from '../../base/errors.ts';
import { wordsHash } from '../../base/hash.ts';
import type { ImportNote, ImportOptions } from '../../base/types.ts';
import { type AttachmentReading, mostOfMessage, readAttachments } from '../../core/capture/attachments.ts';
import { sessionPauseMs } from '../../core/capture/sessions.ts';
import { type ActingTurn, type KeepWhole, TurnBuilder } from '../../core/capture/turns.ts';
import type { SecretFilter } from '../../store/guard/secret-filter.ts';
import type { At, HeadEntry, MessageEntry, NamedForm, NoteEntry, Reading, RecordEntry } from './forms/form.ts';
import { clockOfZone } from './local-time.ts';
import { liesIn, type Source, type SourceFile } from './source.ts';

/** Turns of a conversation that follow one another: all of it, or a piece. */
export interface Piece {
  /** As its program calls it; undefined where it has no name. */
  readonly session: string | undefined;
  readonly head: Omit<HeadEntry, 'kind' | 'session' | 'titleRank' | 'time'>;
  readonly turns: readonly ActingTurn[];
  /** Whether the words have times of their own, and not that of their file. */
  readonly isDated: boolean;
  /** Milliseconds that a clock without a zone is behind UTC; absent where times have zones. */
  readonly offsetMs?: number;
  /** The place in the source. */
  readonly source: string;
  /** The reading of one file: what is said twice within it is two turns. */
  readonly pass: string;
  /** Whether secrets were taken out of it while it was read. */
  readonly isRedacted: boolean;
  /** The attachments that its turns name, by their paths; no turn names one unless they were asked for. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** Says why so many things of it are left out. */
  readonly leave: (why: string, count: number) => void;
}

/** What of a source is no conversation. */
export interface Beside {
  readonly source: string;
  readonly entry: NoteEntry | RecordEntry;
  /** Milliseconds since the Unix epoch. */
  readonly time: number;
  /** Whether the time is that of its file. */
  readonly isUndated: boolean;
}

/** How conversations are read. */
export interface AssembleSettings
  extends Pick<ImportOptions, 'topic' | 'channel' | 'format' | 'pauseMinutes' | 'project'> {
  readonly now: number;
  readonly zone: string;
  readonly filter: SecretFilter;
  /** What one transcript may hold. */
  readonly limits: { readonly sessionMessages: number; readonly rawBytes: number };
  /** Keeps as attachments what turns show in part; by default it is gone. */
  readonly attachments?: AttachmentReading;
}

/** A reason, and how much was left out for it. */
export interface LeftOut {
  readonly why: string;
  count: number;
  /** The first places, as `file:line`. */
  readonly places: string[];
}

const maxCharacters = 2 << 20;
const maxTurns = 20_000;
const maxHeld = 64 << 20;
/** Bytes that a character may take in UTF-8, with what stands around it. */
const mostBytes = 4;
const mostPlaces = 5;
const mostBroken = 1000;

interface Open {
  readonly builder: TurnBuilder;
  readonly files: Map<string, Buffer>;
  head: Omit<HeadEntry, 'kind' | 'session'>;
  last: number | undefined;
  offsetMs: number | undefined;
  pieces: number;
  /** Secrets that were kept out of the import before this piece began. */
  secrets: number;
}

/** Reads the files of a source, and counts what it meets. */
export class Assembler {
  entries = 0;
  readonly dated = { own: 0, near: 0, file: 0 };
  readonly left: ImportNote[] = [];
  readonly notes: ImportNote[] = [];
  readonly leftOut = new Map<string, LeftOut>();
  readonly beside: Beside[] = [];
  private readonly source: Source;
  private readonly settings: AssembleSettings;
  private readonly pauseMs: number;
  private readonly momentOf: (clock: string) => number | undefined;
  /** Hashes of the ids of entries that were read. */
  private readonly seen = new Set<number>();
  private readonly undated = new Set<string>();
  private readonly byPath: ReadonlyMap<string, SourceFile>;
  private readonly inFolder = new Map<string, SourceFile[]>();

  constructor(source: Source, settings: AssembleSettings) {
    const { pauseMinutes, zone } = settings;
    this.source = source;
    this.settings = settings;
    this.pauseMs = pauseMinutes === undefined ? sessionPauseMs : pauseMinutes * 60_000;
    if (!(this.pauseMs > 0))
      throw new MemoryError('INVALID_ARGUMENT', 'a pause is a number of minutes above 0', { where: 'pauseMinutes' });
    this.momentOf = clockOfZone(zone);
    // Throws for a zone that nobody knows, before anything is read.
    this.momentOf('2026-01-01T00:00:00');
    this.byPath = new Map(source.files.map((file) => [file.path, file]));
    for (const file of source.files) {
      const folder = file.path.slice(0, Math.max(0, file.path.lastIndexOf('/')));
      const files = this.inFolder.get(folder);
      if (files === undefined) this.inFolder.set(folder, [file]);
      else files.push(file);
    }
  }

  /** Reads one file. Throws what the file system says, and SECRET where the policy refuses; where it is the only file, also what is wrong with it. */
  *read(file: SourceFile, form: NamedForm): Generator<Piece> {
    const open = new Map<string | undefined, Open>();
    const reading = this.readingOf(file);
    const startCount = this.settings.filter.count;
    let common: Omit<HeadEntry, 'kind' | 'session'> = {};
    const openOf = (session: string | undefined): Open => {
      const present = open.get(session);
      if (present !== undefined) return present;
      const files = new Map<string, Buffer>();
      const builder = new TurnBuilder((text) => this.settings.filter.pass(text, file.path), this.keeper(file, files));
      const made = {
        builder,
        files,
        head: common,
        last: undefined,
        offsetMs: undefined,
        pieces: 0,
        secrets: startCount,
      };
      open.set(session, made);
      return made;
    };
    try {
      for (const entry of form.read(file, reading)) {
        if (entry.kind === 'head') {
          if (entry.session === undefined) common = merged(common, entry);
          if (entry.session === undefined) for (const one of open.values()) one.head = merged(one.head, entry);
          else openOf(entry.session).head = merged(openOf(entry.session).head, entry);
        } else if (entry.kind !== 'message') this.besides(entry, common.project, file, reading);
        else if (this.isNew(entry, form, reading)) {
          yield* this.message(entry, openOf(entry.session), file, form);
        }
      }
    } catch (error) {
      const isNoted = error instanceof MemoryError && error.code !== 'SECRET' && error.code !== 'IO';
      if (!isNoted || this.source.files.length === 1) throw error;
      this.left.push({ source: file.path, why: error.message });
    }
    for (const [session, one] of open) yield* this.piece(session, one, file, form);
  }

  /** What is no talk waits until all is read. */
  private besides(entry: Beside['entry'], project: string | undefined, file: SourceFile, reading: Reading): void {
    const isElsewhere = this.settings.project !== undefined && !liesIn(project, this.settings.project);
    const hash = entry.kind === 'record' ? wordsHash(`record ${entry.id}`) : undefined;
    if (isElsewhere) reading.leave('are of other projects', entry.line);
    else if (hash !== undefined && this.seen.has(hash))
      reading.leave('repeat an entry that was read before', entry.line);
    else {
      if (hash !== undefined) this.seen.add(hash);
      this.entries += 1;
      const isUndated = entry.time === undefined;
      const time = entry.time ?? file.modified ?? this.settings.now;
      if (isUndated && !this.undated.has(file.path)) this.noteUndated(file, time);
      if (isUndated) this.undated.add(file.path);
      this.beside.push({ source: placeOf(file, entry.line), entry, time, isUndated });
    }
  }

  private *message(entry: MessageEntry, open: Open, file: SourceFile, form: NamedForm): Generator<Piece> {
    this.entries += 1;
    const time = entry.time ?? (entry.clock === undefined ? undefined : this.momentOf(entry.clock));
    const isApart = time !== undefined && open.last !== undefined && time - open.last >= this.pauseMs;
    if (isApart && (entry.session === undefined || form.isCutAtPauses === true))
      yield* this.piece(entry.session, open, file, form);
    if (entry.time === undefined && time !== undefined) open.offsetMs ??= time - Date.parse(`${entry.clock}Z`);
    if (time !== undefined) open.last = time;
    const { role, speaker, parts } = entry;
    const { sessionMessages, rawBytes } = this.settings.limits;
    const weight = parts.reduce((sum, part) => sum + (part.kind === 'text' ? part.text.length : 0), 0);
    if (weight > rawBytes / (2 * mostBytes)) {
      const bytes = parts.reduce((sum, part) => sum + (part.kind === 'text' ? Buffer.byteLength(part.text) : 0), 4096);
      if (bytes > rawBytes) {
        this.left.push(noteAt(file, entry.line, 'is larger than a transcript may be'));
        return;
      }
      yield* this.piece(entry.session, open, file, form);
    }
    // Between calls and their answers nothing is cut.
    if (open.builder.weight > maxHeld && parts.every(({ kind }) => kind === 'text'))
      yield* this.piece(entry.session, open, file, form);
    const isDated = open.builder.isDated;
    if (open.builder.add({ role, parts, ...defined({ speaker, time }) }))
      this.dated[time !== undefined ? 'own' : isDated || open.head.time !== undefined ? 'near' : 'file'] += 1;
    const isFull =
      open.builder.characters >= Math.min(maxCharacters, rawBytes / (2 * mostBytes)) ||
      open.builder.count >= Math.min(maxTurns, sessionMessages);
    if (isFull) yield* this.piece(entry.session, open, file, form);
  }

  private *piece(session: string | undefined, open: Open, file: SourceFile, form: NamedForm): Generator<Piece> {
    if (open.builder.count === 0) return;
    const { settings } = this;
    const { isDated } = open.builder;
    const { titleRank: _, time: changed, ...head } = open.head;
    const turns = open.builder.take(changed ?? file.modified ?? settings.now);
    const files = new Map(open.files);
    open.files.clear();
    open.pieces += 1;
    const isRedacted = settings.filter.count > open.secrets;
    open.secrets = settings.filter.count;
    if (settings.project !== undefined && !liesIn(head.project, settings.project)) {
      this.count('are of other projects', turns.length, file.path);
      return;
    }
    if (!isDated && changed === undefined && open.pieces === 1) this.noteUndated(file, turns[0]!.time);
    const { topic: title = head.title, channel = head.channel ?? form.channel } = settings;
    const named = defined({ title, channel: channel === '' ? undefined : channel });
    const source = open.pieces === 1 ? file.path : `${file.path}, part ${open.pieces}`;
    const { title: __, channel: ___, ...rest } = head;
    yield {
      session,
      head: { ...rest, ...named },
      turns,
      isDated,
      source,
      pass: file.path,
      isRedacted,
      files,
      leave: (why, count) => this.count(why, count, file.path),
      ...defined({ offsetMs: open.offsetMs }),
    };
    // In the next piece clocks may stand an hour off.
    open.offsetMs = undefined;
  }

  /** Keeps whole texts of a file where attachments are asked for; one that is over their limits is counted. */
  private keeper(file: SourceFile, files: Map<string, Buffer>): KeepWhole | undefined {
    const { attachments, filter } = this.settings;
    if (attachments === undefined) return undefined;
    return ({ name, text }, before) => {
      // What holds a zero byte is no text for attachments.
      const bytes = Buffer.from(text.includes('\0') ? filter.pass(text, file.path) : text);
      const isLarge = bytes.length > attachments.rules.maxBytes;
      if (isLarge || before >= mostOfMessage) {
        this.count(isLarge ? 'are larger than an attachment may be' : 'are one attachment too many', 1, file.path);
        return '';
      }
      const called = filter.pass(/\.\w{1,8}$/.test(name) ? name : `${name}.txt`, file.path);
      const read = readAttachments([{ name: called, bytes }], attachments, file.path);
      for (const [path, content] of read.files) files.set(path, content);
      return read.lines[0]!;
    };
  }

  /** What has no time gets that of its file, and it is said. */
  private noteUndated(file: SourceFile, time: number): void {
    const day = new Date(time).toISOString().slice(0, 10);
    const whose = file.modified === undefined ? 'of this import' : 'of its file';
    this.notes.push({ source: file.path, why: `does not say when that was: it gets the time ${whose}, ${day}` });
  }

  /** An entry with an id comes once, in whichever files it stands. Ids that only count are those of one session. */
  private isNew({ id, session, line }: MessageEntry, form: NamedForm, reading: Reading): boolean {
    if (id === undefined) return true;
    const hash = wordsHash(id.length >= 16 ? `${form.name} ${id}` : `${form.name} ${session} ${id}`);
    if (this.seen.has(hash)) {
      reading.leave('repeat an entry that was read before', line);
      return false;
    }
    this.seen.add(hash);
    return true;
  }

  private readingOf(file: SourceFile): Reading {
    const { now, zone, format, filter } = this.settings;
    const folder = file.path.includes('/') ? file.path.slice(0, file.path.lastIndexOf('/')) : '';
    let broken = 0;
    return {
      leave: (why, line) => {
        this.entries += 1;
        this.count(why, 1, placeOf(file, line));
      },
      broken: (why, line) => {
        this.entries += 1;
        if (++broken <= mostBroken) this.left.push(noteAt(file, line, why));
        else this.count('cannot be read', 1, placeOf(file, line));
      },
      note: (why) => this.notes.push({ source: file.path, why }),
      beside: (path) => this.byPath.get(joined(folder, path)),
      below: (path) => this.inFolder.get(joined(folder, path)) ?? [],
      now,
      zone,
      ...defined({ format }),
      isWhole: this.settings.attachments !== undefined,
      clean: (value) => filter.passAll(value, file.path),
    };
  }

  private count(why: string, count: number, place: string): void {
    const present = this.leftOut.get(why) ?? { why, count: 0, places: [] };
    present.count += count;
    if (present.places.length < mostPlaces) present.places.push(place);
    this.leftOut.set(why, present);
  }
}

function merged<Head extends Omit<HeadEntry, 'kind' | 'session'>>(
  head: Head,
  { kind: _, session: __, ...told }: HeadEntry,
): Head {
  const isLess = told.title !== undefined && (told.titleRank ?? 0) < (head.titleRank ?? 0);
  const { title, titleRank, ...rest } = defined(told);
  const root = widest(head.root, told.project);
  return {
    ...head,
    ...rest,
    ...defined({ root }),
    ...(title === undefined || isLess ? {} : { title, titleRank: titleRank ?? 0 }),
  };
}

function widest(one: string | undefined, other: string | undefined): string | undefined {
  return one === undefined || (other !== undefined && liesIn(one, other)) ? other : one;
}

function placeOf(file: SourceFile, at: At | undefined): string {
  return at === undefined ? file.path : typeof at === 'number' ? `${file.path}:${at}` : `${file.path}, ${at}`;
}

function noteAt(file: SourceFile, at: At | undefined, why: string): ImportNote {
  return typeof at === 'number' ? { source: file.path, line: at, why } : { source: placeOf(file, at), why };
}

function joined(folder: string, path: string): string {
  const parts = folder === '' ? [] : folder.split('/');
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}
