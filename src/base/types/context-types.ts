// A message brings topics up: these become active, for a reason, and change what the agent should do.

/** `auto`: as soon as a watcher matches; `gated`: when the gate agrees, too; `manual`: only when it is named. */
export type TopicActivation = 'auto' | 'gated' | 'manual';

export type TopicPriority = 'low' | 'medium' | 'high' | 'critical';

/** A topic whose instructions and files belong into the context of this message. */
export interface ActiveTopic {
  /** The topic file; `recall/triggers.json` for one of its triggers, which has no text of its own. */
  readonly path: string;
  readonly name: string;
  /** 1 low, 2 medium, 3 high, 4 critical. */
  readonly priority: number;
  /** What decided; `event` is a webhook or a schedule, `manual` that it was named in `activeTopics`. */
  readonly by: 'pattern' | 'similarity' | 'gate' | 'manual' | 'event';
  /** How alike the message and the topic are, 0 to 1. */
  readonly score: number;
  /** How sure the whole of the evidence makes it, 0 to 1. */
  readonly confidence: number;
  /** Which trigger matched what, in short sentences. */
  readonly reasons: readonly string[];
  /** Paths and globs of the files that it wants to be loaded, as they are written in the topic. */
  readonly subscriptions: readonly string[];
  /** Of the topic's text and subscriptions together; null for no limit of its own. */
  readonly maxContextBytes: number | null;
}

/** A topic that something spoke for, and what became of it. */
export interface ConsideredTopic {
  readonly path: string;
  readonly name: string;
  readonly activation: TopicActivation;
  readonly priority: TopicPriority;
  readonly isActive: boolean;
  /** Whether a pattern or an event matched. */
  readonly tier1: boolean;
  /** How alike the message and the topic are, 0 to 1. */
  readonly score: number;
  /** The same by each way of comparing, 0 to 1. */
  readonly scores: { readonly tfidf: number; readonly bm25: number; readonly jaccard: number; readonly ngram: number };
  readonly confidence: number;
  readonly reasons: readonly string[];
  /** Why it is active, or is not. */
  readonly why: string;
  /** What the gate said; absent where it was not asked. */
  readonly gate?: GateVerdict;
}

/** What the gate said. */
export interface GateVerdict {
  readonly isOpen: boolean;
  /** `rule`, or the name of the model. */
  readonly judge: string;
  /** It was said before, of the same words. */
  readonly isCached?: true;
  /** Why it was not the model that was wanted. */
  readonly note?: string;
}

/** What the agent's own output called for: to be said before its next turn. */
export interface Correction {
  readonly path: string;
  readonly name: string;
  readonly hint: string;
  /** Which trigger matched what. */
  readonly reason: string;
}

/** What is wrong with a topic file; the rest of it, and all other topics, work. */
export interface TopicProblem {
  readonly path: string;
  /** 1-based; absent where the file as a whole is meant. */
  readonly line?: number;
  readonly why: string;
}

/** One turn of the conversation before the message. */
export interface ConversationTurn {
  /** `user`, `agent` (or `assistant`), `tool`, `system`. */
  readonly role: string;
  readonly text: string;
}

/** Something that happened outside the conversation. */
export type TopicEvent =
  | {
      readonly type: 'webhook';
      readonly source: string;
      readonly event?: string;
      /** What came with it, in words. */
      readonly text?: string;
    }
  | {
      /** The clock struck: topics whose schedule names a moment after `since` (a minute before, if left out) up to `time` (now). */
      readonly type: 'cron';
      readonly time?: string | Date;
      readonly since?: string | Date;
    };

export interface TopicsOptions {
  /** The conversation before the message, oldest first. */
  readonly turns?: readonly ConversationTurn[];
  /** Names or paths of topics that somebody wants to be active. */
  readonly activeTopics?: readonly string[];
  readonly events?: readonly TopicEvent[];
  /** What the agent said last. */
  readonly output?: string;
  readonly signal?: AbortSignal;
}

export interface TopicsResult {
  /** The commit that was asked; null before the first one. Pending writes are included. */
  readonly commit: string | null;
  /** Most urgent first: by priority, then confidence, then path. */
  readonly active: readonly ActiveTopic[];
  /** All that something spoke for, in the same order; what nothing spoke for is left out. */
  readonly considered: readonly ConsideredTopic[];
  /** In the order of the topics; what the agent should hear before its next turn. */
  readonly corrections: readonly Correction[];
  /** What is wrong with topic files. */
  readonly problems: readonly TopicProblem[];
}

/** A topic file, as it is listed. */
export interface TopicEntry {
  readonly path: string;
  readonly name: string;
  readonly description: string;
  readonly activation: TopicActivation;
  readonly priority: TopicPriority;
  /** In short: `pattern email|inbox|mail`, `cron 0 8 * * *`. */
  readonly triggers: readonly string[];
  readonly subscriptions: readonly string[];
  readonly maxContextBytes: number | null;
  readonly problems: number;
}

export interface TopicListResult {
  readonly topics: readonly TopicEntry[];
  /** What is wrong in topic files and recall/triggers.json, in the order of files and lines. */
  readonly problems: readonly TopicProblem[];
}

/** A new topic file. */
export interface TopicInput {
  /** Becomes the name of the file: `email-triage`, or `ops/deploy`. */
  readonly name: string;
  readonly description?: string;
  /** A pattern (RE2 syntax) that wakes it. */
  readonly pattern?: string;
  /** Words that wake it. */
  readonly words?: readonly string[];
  readonly activation?: TopicActivation;
  readonly priority?: TopicPriority;
  readonly subscriptions?: readonly string[];
  /** What the agent is to do; markdown. */
  readonly instructions?: string;
}

/** What a turn of an agent brought up, and what was noted of it. */
export interface ActivateResult extends TopicsResult {
  /** How many decisions of the gate were noted. */
  readonly logged: number;
  /** Which topics of the turn before turned out to be of use or not, by what the agent said with them. */
  readonly rated: readonly { readonly name: string; readonly wasUseful: boolean }[];
}

/** What could be better about a topic. */
export interface TopicSuggestion {
  readonly path: string;
  readonly name: string;
  /** Which key of the topic; only `similarity_threshold` has numbers and can be applied. */
  readonly key: 'similarity_threshold' | 'activation' | 'triggers';
  readonly from?: number;
  readonly to?: number;
  readonly why: string;
  /** Decisions about the topic, and those that are known to be right or wrong. */
  readonly decisions: number;
  readonly known: number;
}

export interface TuneResult {
  readonly suggestions: readonly TopicSuggestion[];
  /** Paths that were written; they join the batch. */
  readonly applied: readonly string[];
}

export interface RateTopicResult {
  readonly name: string;
  readonly wasUseful: boolean;
  /** Decisions that were rated. */
  readonly rated: number;
}
