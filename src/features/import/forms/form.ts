// What a form of foreign histories is: how its files are recognised, and how one is read as entries, one after the other.
//
//   file ─► detect(path, head) ─► the form that is most certain ─► read(file, reading) ─► message · head · note · record
//                                                                  reading.leave(why, line)  what is left out, and why
//
// A form knows its program and nothing of the memory. What is here already, sessions and commits are for the driver.

import { wordsHash } from '../../../base/hash.ts';
import { slugOf } from '../../../base/text.ts';
import type { ConversationForm } from '../../../base/types.ts';
import type { MessagePart } from '../../../core/capture/messages.ts';
import type { SourceFile } from '../source.ts';
import { attachment } from './parts.ts';

/** Something that a form finds. */
export type Entry = MessageEntry | HeadEntry | NoteEntry | RecordEntry;

/** A message, with what was done in it; an entry of a program is one message, and becomes one turn. */
export interface MessageEntry {
  readonly kind: 'message';
  /** As its program calls the conversation; absent where it has no name: then it is cut at pauses, and known by its first words. */
  readonly session?: string | undefined;
  /** As its program calls the entry; an id that was read before in the same import is a copy, and left out. */
  readonly id?: string | undefined;
  /** Milliseconds since the Unix epoch; absent where the entry has no time. */
  readonly time?: number | undefined;
  /** What a clock without a zone shows, `2026-02-23T12:40:23`, in place of `time`. */
  readonly clock?: string | undefined;
  /** `user` is a person; `agent` is a model; `system` is a notice of a program, which is nobody's words. */
  readonly role: string;
  readonly speaker?: string | undefined;
  /** Texts, calls of tools and their answers, in their order; an answer finds its call by its id. An attachment is a text ({@link attachment}). */
  readonly parts: readonly MessagePart[];
  readonly line?: At | undefined;
}

/** What is known of a conversation; later entries add to it. */
export interface HeadEntry {
  readonly kind: 'head';
  readonly session?: string | undefined;
  readonly title?: string | undefined;
  /** Of two titles the one with the higher rank stands, of equal ones the later; default 0. */
  readonly titleRank?: number | undefined;
  readonly model?: string | undefined;
  readonly channel?: string | undefined;
  /** The folder that was worked in. */
  readonly project?: string | undefined;
  /** The widest of the folders that were worked in; for the driver. */
  readonly root?: string | undefined;
  readonly branch?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  /** Its days show another order of day and month than most such texts have: when it was shorter, it was read in that one. */
  readonly isOrderShown?: boolean | undefined;
  /** When it was last changed: what is said in it without a time gets this one, and is known by its words alone. */
  readonly time?: number | undefined;
}

/** A text that is knowledge and no talk. */
export interface NoteEntry {
  readonly kind: 'note';
  /** Below a folder that is called as the source; ends in `.md`. */
  readonly path: string;
  readonly text: string;
  /** When it was written; that of its file if left out. */
  readonly time?: number | undefined;
  readonly line?: At | undefined;
}

/** One thing that another program remembers. */
export interface RecordEntry {
  readonly kind: 'record';
  /** As its program calls it; becomes part of the id here. */
  readonly id: string;
  readonly text: string;
  /** When it was made; that of its file if left out. */
  readonly time?: number | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly entities?: readonly string[] | undefined;
  readonly line?: At | undefined;
}

/** A place in a file: a 1-based line, or words where it has none, such as `conversation 3`. */
export type At = number | string;

/** What a form reads with. */
export interface Reading {
  /** Says that something is not taken, and why: a few words that complete "n entries …", such as `are empty`. Every entry that is passed over is counted. */
  leave(why: string, at?: At): void;
  /** Says that something is broken and cannot be read: named by its place, each by itself. */
  broken(why: string, at?: At): void;
  /** Says something of what is taken. */
  note(why: string): void;
  /** Gives a file of the same source by its path from the folder of this file, `../workspace.json`; undefined where there is none. */
  beside(path: string): SourceFile | undefined;
  /** Lists the files of the same source in a folder, named in the same way; not those in folders of it. */
  below(folder: string): readonly SourceFile[];
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** The zone of clocks without one. */
  readonly zone: string;
  /** Of plain logs. */
  readonly format?: 'auto' | 'transcript' | 'dialogue' | 'text' | 'json' | 'jsonl';
  /** Whether texts that a turn shows in part are kept whole besides. */
  readonly isWhole: boolean;
  /** Takes secrets out of a value before it is cut. */
  clean<Value>(value: Value): Value;
}

/** Where a program keeps its histories on a machine. */
export interface Place {
  /**
   * The folder: `~/…` below the home, `<project>` for the one that is worked in. `<user>` is the `User` folder of each editor of the family of
   * VS Code, `<user:Cursor>` that of one. `<config>` and `<data>` are the folders of the system for settings and data.
   */
  readonly root: string;
  /** The variable of the environment that names another folder. */
  readonly variable?: string;
  /** Which files below it, as a glob. */
  readonly files: string;
}

/** A form; index.ts gives it a name, and titles.ts says how people know it. */
export interface Form {
  /** Where it is kept; left out for what people export. */
  readonly places?: readonly Place[];
  /** Where such conversations took place, the `channel` of a transcript; default: the name. */
  readonly channel?: string;
  /** Whether a conversation with a name is cut where nobody spoke for half an hour. Default false. */
  readonly isCutAtPauses?: boolean;
  /** Whether it holds what a program knows, and no talk. Default false. */
  readonly isKnowledge?: boolean;
  /** Names the session that a file belongs to; default: a file is one. Undefined for what is part of none, such as a list. */
  sessionOf?(path: string): string | undefined;
  /**
   * Tells how certain it is that a file is of this form, from 0 to 1, by its path and its first 64 KiB. Bytes that are no text come as Latin-1.
   * 0.9 and more: a mark that nothing else has. 0.6: looks like it. Below 0.5 a file is taken only where it was named alone.
   */
  detect(path: string, head: string): number;
  /** Reads a file. What is broken in the middle is left and named, and the rest comes; throws only what the file system says. */
  read(file: SourceFile, reading: Reading): Iterable<Entry>;
}

/** A form with its name in the table. */
export interface NamedForm extends Required<Pick<Form, 'places' | 'channel'>>, Omit<Form, 'places' | 'channel'> {
  readonly name: ConversationForm;
}

/** Makes an id of what a program remembers without one: the same words of the same thing have the same. */
export function factId(program: string, subject: string, text: string): string {
  return `${program}-${slugOf(subject, 24)}-${wordsHash(`${subject} ${text}`).toString(36)}`;
}

/** Says of whom or what words are that do not say it themselves. */
export function told(subject: string, words: string): string {
  return words.toLowerCase().includes(subject.toLowerCase()) ? words : `${subject}: ${words}`;
}
