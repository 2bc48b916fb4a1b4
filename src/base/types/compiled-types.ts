// The text that an agent is handed for a message or a session: one within a budget, and for each part why it is there.

import type { TimeInput } from './basics-types.ts';
import type { ActiveTopic, TopicEvent, TopicProblem } from './context-types.ts';
import type { MountProblem } from './recall-types.ts';

/** One turn of the session so far. */
export interface ContextTurn {
  /** `user`, `agent` (or `assistant`), `system`, `tool`; of a tool's answer one line is shown. */
  readonly role: string;
  readonly text: string;
  readonly speaker?: string;
  readonly time?: TimeInput;
}

/** The parts of a compiled text, in the order in which they are in it. */
export type ContextSlotName =
  | 'system'
  | 'identity'
  | 'changed'
  | 'standing'
  | 'recent'
  | 'pack'
  | 'memory'
  | 'journal'
  | 'projects'
  | 'history'
  | 'topics'
  | 'subscriptions'
  | 'knowledge'
  | 'hints'
  | 'message';

/** Says what to compile for, and how much of it. */
export interface ContextOptions {
  /** The session so far, oldest first and from its beginning: what does not fit is left out in whole chunks. */
  readonly turns?: readonly ContextTurn[];
  /** The id of a session that is recorded here, or the path of its transcript, in place of `turns`. */
  readonly session?: string;
  /** Names or paths: these topics beside those that the message brings up. As they came with an earlier answer: these and no others. */
  readonly activeTopics?: readonly (string | ActiveTopic)[];
  /** Events that topics wait for; see `topics`. */
  readonly events?: readonly TopicEvent[];
  /** What the agent said last, for topics that correct it; default: the last turn of the agent. */
  readonly output?: string;
  /** The most tokens of the whole text, the message included; default `context.tokens` of memory.yaml (8192). */
  readonly tokens?: number;
  /** Counts the tokens of a text as the model does that is to read it. Default: an estimate, see `counted`. */
  readonly tokenizer?: (text: string) => number;
  /** Whether others than the owner are listening: MEMORY.md, which is for the owner, stays out. Default false. */
  readonly others?: boolean;
  /** What stands before everything else, such as a system prompt; never shortened. */
  readonly system?: string;
  /**
   * The id of an earlier context: what it said is left out, and what of it ended, was worded anew or was forgotten comes first. One that this process
   * compiled, or that `log --handed` lists.
   */
  readonly since?: string;
  /** Of a memory that is open for writing: whether what is shown counts as used, and what leaves the window is kept. Default true. */
  readonly counts?: boolean;
  readonly signal?: AbortSignal;
}

/** Says what to begin a session with. */
export interface SessionStartOptions extends Pick<ContextOptions, 'others' | 'system' | 'tokenizer'> {
  /** The most tokens of the whole text; default `context.start_tokens` of memory.yaml (1,500) beside system prompt and identity. */
  readonly tokens?: number;
  /** The day that begins, `2026-11-22`; default today, in the time zone of the memory. */
  readonly day?: string;
}

/** A piece of the text with where it comes from. */
export interface ContextBlock {
  /** A path, `path#turn`, `turn 12` of the session, or `message`. */
  readonly source: string;
  readonly tokens: number;
  readonly why: string;
  /** How well it fits the message, 0 to 1; only of what was searched for. */
  readonly score?: number;
  readonly parts?: Readonly<Record<string, number>>;
  readonly path?: string;
  readonly line?: number;
  /** Of a memory. */
  readonly id?: string;
  /** 1-based number within its session. */
  readonly turn?: number;
  /** Not all of it is shown. */
  readonly isCut?: true;
}

/** What was left out of a slot. */
export interface ContextLeft {
  readonly source: string;
  readonly why: string;
  readonly score?: number;
}

/** One part of the compiled text. */
export interface ContextSlot {
  readonly slot: ContextSlotName;
  /** 0 is never left out; 4 gives way first. */
  readonly priority: 0 | 1 | 2 | 3 | 4;
  /** How many tokens it could have had here; null for what has no limit of its own. */
  readonly budget: number | null;
  /** How many it has, with what encloses it. */
  readonly tokens: number;
  /** The part as it is in the text; empty when nothing of it is there. */
  readonly text: string;
  readonly blocks: readonly ContextBlock[];
  readonly left: readonly ContextLeft[];
}

/** A text for a language model, never above its budget. The same tree, day, message, turns, topics and budget give the same bytes. */
export interface ContextResult {
  readonly text: string;
  /** Names this context, to ask for what is new `since`: the beginning of a hash of its text. */
  readonly id: string;
  /** Of the whole text; at most `budget`. */
  readonly tokens: number;
  readonly budget: number;
  /** `exact`: by the tokenizer that was given. */
  readonly counted: 'exact' | 'estimated';
  /** The commit that was asked; null before the first one. Pending writes are included. */
  readonly commit: string | null;
  /** The day it was made for: journal and dates count from it. */
  readonly day: string;
  /** Most urgent first; to be given back with the next message only if they are to stay. */
  readonly activeTopics: readonly ActiveTopic[];
  /** In the order of the text. */
  readonly slots: readonly ContextSlot[];
  /** How much of the session is shown: the newest `shown` of `turns`. */
  readonly window: { readonly turns: number; readonly shown: number; readonly evicted: number };
  /** What of the session was written into journal, knowledge and memories before it left the window; only where that was done now. */
  readonly flushed?: {
    readonly created: readonly string[];
    readonly updated: readonly string[];
    readonly error?: string;
  };
  /** What is wrong with topic files; absent where nothing is. */
  readonly problems?: readonly TopicProblem[];
  /** Mounts that could not be asked, which the text does not say; absent when all could, or nothing was looked for. */
  readonly mountProblems?: readonly MountProblem[];
  /** Why the embedder that was wanted did not rank. */
  readonly embedderNote?: string;
}

/** What a session begins with. */
export type SessionStartResult = Pick<
  ContextResult,
  'text' | 'tokens' | 'budget' | 'counted' | 'commit' | 'day' | 'slots'
>;

/** One context that an agent was handed, as `state/handed/` keeps it: enough to make it again. */
export interface HandedContext {
  /** The beginning of a hash of its text. */
  readonly id: string;
  readonly time: string;
  /** The beginning of the id of the commit that was asked; empty before the first. */
  readonly commit: string;
  readonly session: string;
  /** How many turns of the session were recorded by then; null where it was no part of the context. */
  readonly turns: number | null;
  readonly tokens: number;
  /** The beginning of a hash of the message. */
  readonly message: string;
  /** The version of git-memory that made it. */
  readonly version: string;
  /** Others listened. */
  readonly shared?: true;
  /** It told only what was new since this one. */
  readonly since?: string;
}

/** A context made again. */
export interface ReplayResult {
  readonly id: string;
  readonly time: string;
  readonly session: string;
  /** The commit that it was made of now. */
  readonly commit: string | null;
  /** Whether it is byte for byte what was handed out, by its hash; else `why` says why not. */
  readonly isExact: boolean;
  readonly why?: string;
  readonly text: string;
  readonly tokens: number;
  /** What the same question would be handed now, as a difference to it. */
  readonly since: { readonly added: number; readonly removed: number; readonly diff: string };
}
