// The values that records are parsed into and formatted from. Names of fields are in camelCase, as the specs write them in files.

/** Where a memory comes from: the capture, the 1-based turn within it, and who spoke. */
export interface SourceReference {
  readonly path: string;
  readonly turn?: number;
  readonly role?: string;
}

/** The ten kinds of extracted items of spec 4. */
export const memoryCategories = [
  'correction',
  'principle',
  'preference',
  'commitment',
  'decision',
  'relationship',
  'entity',
  'moment',
  'skill',
  'fact',
] as const;
export type MemoryCategory = (typeof memoryCategories)[number];

/** What a memory may be at. */
export const memoryStatuses = ['active', 'promoted', 'archived', 'superseded', 'schema'] as const;

/** One memory: a small record with strength and decay (spec 1, with the optional fields of spec 4). */
export interface MemoryRecord {
  readonly id: string;
  readonly content: string;
  readonly gist: string | null;
  readonly meta: {
    readonly tags: readonly string[];
    readonly source: string | null;
    readonly context: string | null;
    readonly extra: Readonly<Record<string, unknown>>;
  };
  /** Seconds since the Unix epoch, as all times of a memory record. */
  readonly createdAt: number;
  readonly lastUsed: number;
  readonly useCount: number;
  /** 0 to 2. */
  readonly strength: number;
  readonly status: (typeof memoryStatuses)[number];
  readonly promotedAt: number | null;
  readonly promotedTo: string | null;
  readonly entities: readonly string[];
  readonly reviewPriority: number;
  readonly lastReviewAt: number | null;
  readonly reviewCount: number;
  readonly crossDomainCount: number;
  readonly category?: MemoryCategory;
  /** 0 to 1. */
  readonly confidence?: number;
  readonly confidenceTier?: 'explicit' | 'implied' | 'inferred' | 'speculative';
  /** 0 to 1. */
  readonly importance?: number;
  readonly memoryKind?: 'episode' | 'note';
  /** What it says, written so that it can be understood alone; absent where `content` can. */
  readonly statement?: string;
  /** What it is about: a person, a project or a thing, as a reader would name it. */
  readonly subject?: string;
  /** What it says of its subject, where a subject has one value at a time: `residence`, `employer`, `port`. */
  readonly attribute?: string;
  /** The second from which it holds; absent: since it was said. */
  readonly validFrom?: number;
  /** The second from which it no longer holds, which may be one to come; absent while nothing ends it. */
  readonly validUntil?: number;
  /** The id of what took its place. */
  readonly replacedBy?: string;
  readonly expiresAt?: number;
  /** A day, `YYYY-MM-DD`. */
  readonly due?: string;
  /** Whether it is to hold in all that follows, where a model or an agent said so; else its category tells. */
  readonly standing?: boolean;
  /** How likely it holds until it is taken back, 0 to 1, where scorers are sure enough of that. */
  readonly standingConfidence?: number;
  readonly sources?: readonly SourceReference[];
  /** What other machines or branches said of a field at the same time, kept by the merge that could not let both stand. */
  readonly alternatives?: readonly { readonly field: string; readonly value: unknown }[];
  /** Keys this version does not know, kept as they were read. */
  readonly unknown?: Readonly<Record<string, unknown>>;
}

/** A typed edge between two memories (spec 1). */
export interface RelationRecord {
  readonly id: string;
  readonly fromMemoryId: string;
  readonly toMemoryId: string;
  readonly relationType: string;
  readonly strength: number;
  readonly createdAt: number;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Keys this version does not know, kept as they were read. */
  readonly unknown?: Readonly<Record<string, unknown>>;
}

/** One turn of a transcript. */
export interface Turn {
  /** `user`, `agent`, `system`, or a speaker's role of an imported conversation. */
  readonly role: string;
  /** Name of the speaker, where it says more than the role. */
  readonly speaker?: string;
  /** `memory` for turns that report what memory did; other flags of imported files are kept. */
  readonly flag?: string;
  /** Milliseconds since the Unix epoch; files hold whole seconds. */
  readonly time: number;
  /** The words; never starts or ends with a line feed; lines that look like headings come back as they were. */
  readonly text: string;
}

/** One session as captured (spec 5 §2.1). */
export interface Transcript {
  readonly sessionId: string;
  /** Milliseconds since the Unix epoch. */
  readonly started: number;
  /** Absent while the session is open. */
  readonly ended?: number;
  readonly model?: string;
  readonly channel?: string;
  readonly topic?: string;
  readonly agent?: string;
  readonly tags?: readonly string[];
  readonly tokensIn?: number;
  readonly tokensOut?: number;
  /** That the words may be anybody's: a page, a mail, a feed. What is taken from them is data and nobody's wish. */
  readonly trust?: 'low';
  readonly knowledgeChanges?: readonly { readonly path: string; readonly action: string; readonly summary: string }[];
  /** Front matter keys this version does not know, kept as they were read. */
  readonly unknown?: Readonly<Record<string, unknown>>;
  readonly title: string;
  /** Text between the title and the first turn, which files of other tools may have. */
  readonly preamble?: string;
  readonly turns: readonly Turn[];
}

/** A key of memory.yaml, or a section of keys, for people; the build reads it off the schemas. */
export interface ConfigurationKey {
  /** Dotted: `decay.half_life_days`. */
  readonly key: string;
  /** What values it takes, in words; `section` for one that only holds others. */
  readonly takes: string;
  /** Of a number; empty where it has none. */
  readonly unit: string;
  /** Absent where there is none, as for a name. */
  readonly default?: unknown;
  readonly sentence: string;
}
