// The keys of memory.yaml: what each takes, its default, what it does. What a key does in detail stands with the code that reads it.

import { z } from 'zod';
import { isCron } from '../../base/cron.ts';
import { oncePerValue } from '../../base/once-per.ts';
import { isTimeZone } from '../../base/time.ts';
import { memoryCategories } from '../../base/types/stored-types.ts';
import { maxFileBytes, maxObjectBytes, maxRawBytes } from '../guard/limits.ts';
import type { CamelKeys } from './camel-keys.ts';

/** The version of the configuration this engine writes. */
export const configurationVersion = 1;

const positive = z.number().positive();
const share = z.number().min(0).max(1);
const amount = z.number().int().min(1);

/** Five fields, or `off`. */
const cron = z.string().refine(isCron, 'must be a cron expression of five fields, such as 0 23 * * *, or off');

/** Makes a section whose keys may be left out, one or all; `isRight` says what holds between them. */
function section<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  isRight: (values: z.output<z.ZodObject<Shape, z.core.$strict>>) => boolean = () => true,
  rule?: string,
) {
  return z
    .strictObject(shape)
    .refine(isRight, rule)
    .prefault({} as never);
}

/**
 * What memory.yaml may say. The comments are its documentation: scripts/configuration.mjs reads them. A schema is made when a file names its
 * key: all of them take longer than a short command may.
 */
// biome-ignore format: each schema stands where it would without its arrow
const schemas = {
  /** The version of the configuration that the file was written for. */
  version: () => z.number().int().min(1).default(configurationVersion),
  /** What people call this memory. */
  name: () => z.string().nullish(),
  /** The person whose memory it is: "I" of messages without a speaker. Without it, `the user`. */
  owner: () => z.string().min(1).max(80).nullish(),
  /** Decides which day something belongs to. */
  timezone: () => z.string().refine(isTimeZone, 'must be a time zone such as Europe/Berlin').default('UTC'),
  /** The language of the conversations, as a BCP 47 tag. */
  language: () => z
    .string()
    .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/, 'must be a language tag such as en')
    .default('en'),
  /** Author of the engine's commits; without it git's own identity, then a built-in one. */
  author: () => z
    .strictObject({
      /** Name of the author in commits. */
      name: z.string().min(1),
      /** Their e-mail address in commits. */
      email: z.string().min(1),
    })
    .optional(),
  /** `project`: the memory lives on the branch of the code itself, and is committed only when asked. */
  placement: () => z.enum(['repository', 'project']).optional(),
  /** How long pending knowledge and memory writes wait for their batch commit. */
  flush_minutes: () => z.number().min(0).default(30),
  /** Whether commits are made unasked; else all that is written waits for `commit`. Read when a memory is opened. */
  auto_commit: () => z.boolean().default(true),
  /** Whether captures are extracted from by themselves: when they are closed, and while a session runs as `buffer` says. */
  auto_extract: () => z.boolean().default(false),
  /** When a session is extracted from before it ends; see core/capture/smart-buffer.ts. */
  buffer: () => section({
    /** What asks for an extraction: what is said, turns and time together, turns alone, time alone, or the end of the session. */
    mode: z.enum(['smart', 'every_n', 'time_based', 'session_end']).default('smart'),
    /** After so many turns a running session is extracted from. */
    turns: amount.default(5),
    /** After so long since its last extraction it is, too. */
    minutes: positive.default(15),
  }),
  /** Patterns (RE2) of words that make a message important, beside those in core/capture/signals.ts. */
  signals: () => section({
    /** One of these makes a message important: it is extracted from at once. */
    high: z.array(z.string().min(1)).default([]),
    /** Two of these do. */
    medium: z.array(z.string().min(1)).default([]),
  }),
  /** Whether the memory syncs by itself, after `commit` and when it is closed; see features/sync/auto-push.ts. */
  auto_push: () => z.boolean().default(false),
  /** How long an `explore/*` branch lives. */
  explore_days: () => positive.default(7),
  /** Globs of paths whose text is stored encrypted. */
  private: () => z.array(z.string().min(1)).default([]),
  /** The id of the key that they are encrypted under; `git memory key` sets it. */
  private_under: () => z.string().regex(/^[0-9a-f]{16}$/, 'a key id has 16 hex digits').optional(),
  /** Without a model the table of the package ranks; see adapters/transformers.ts for what a model may be. */
  embedder: () => section({
    /** The id of a transformer model, or its folder, which begins with `/` or `~/`; without it the table of the package ranks. */
    model: z.string().min(1).optional(),
    /** Whether the smaller, rounded form of the model is taken. */
    quantised: z.boolean().default(true),
    /** What stands before each text, for models that were trained so. */
    document_prefix: z.string().default(''),
    /** What stands before each question, likewise. */
    query_prefix: z.string().default(''),
  }),
  /** What words and vectors weigh beside each other under the scoring `spec` and `rrf`. */
  search: () => section({
    /** Words, as BM25 ranks them. */
    bm25_weight: z.number().min(0).max(1).default(0.4),
    /** Vectors. */
    vector_weight: z.number().min(0).max(1).default(0.6),
  }, (weights) => weights.bm25_weight + weights.vector_weight > 0, 'one of the weights has to be above 0'),
  /** What a question is answered with, unless it says otherwise. */
  recall: () => section({
    /** So many hits at most. */
    limit: z.number().int().min(1).max(1000).default(10),
  }),
  /** Strength and decay; see strength.ts for the formulas, and core/lifecycle/ageing.ts for what fades and what does not. */
  decay: () => section({
    /** The curve by which strength is lost. */
    model: z.enum(['power_law', 'exponential', 'two_component']).default('power_law'),
    /** Of the power law: after so long half of the strength is left. */
    half_life_days: positive.default(3),
    /** Below this score what is archived leaves the tree. */
    forget: z.number().min(0).default(0.05),
  }),
  /** What `maintain` does; see core/maintain/maintenance-tasks.ts for the names of its tasks. */
  maintain: () => section({
    /** The one machine that consolidates and forgets; others only create and touch. Without it, any. */
    machine: z.string().min(1).optional(),
    /** What somebody took back is not done again by rule for so many days; 0 means at once. */
    respect_undo_days: z.number().min(0).default(30),
    /** How often a task is due, by its name; 0 means only when it is asked for by name. */
    every_hours: z.record(z.string(), z.number().min(0)).default({}),
    /** After so many extractions the tasks run that keep in order what extraction makes; 0 means never by count. */
    every_extractions: z.number().int().min(0).default(3),
  }),
  /** A promise nobody came back to for so many days is put aside; see core/lifecycle/ageing.ts. */
  commitments: () => section({
    /** After so many days without use. */
    days: positive.default(90),
  }),
  /** Facts that are old, of no importance and of no use are put aside; see core/lifecycle/ageing.ts. */
  archive_facts: () => section({
    /** Whether facts are put aside at all. */
    enabled: z.boolean().default(false),
    /** Facts that are older than this. */
    age_days: positive.default(90),
    /** Facts of less importance than this. */
    max_importance: share.default(0.3),
    /** Facts that were used no more often than this. */
    max_uses: z.number().int().min(0).default(2),
    /** Categories that are never put aside, beside those that never fade. */
    protected: z.array(z.enum(memoryCategories)).default(['commitment', 'preference', 'decision', 'principle']),
  }),
  /** Files that come with captures; see core/capture/attachments.ts. The requirements name no numbers here. */
  attachments: () => section({
    /** Of one file; `limits.raw_bytes` holds as well. */
    max_bytes: amount.max(maxObjectBytes).default(10 << 20),
    /** Whether .gitattributes hands pictures, papers and films to git-lfs; see core/capture/large-files.ts. */
    lfs: z.boolean().default(false),
  }),
  /** What extraction keeps to the letter beside memories; see core/extract/extraction-settings.ts. The requirements name no numbers. */
  artifacts: () => section({
    /** Whether blocks of code and the like are kept as files, where something is remembered of their turn. */
    enabled: z.boolean().default(true),
  }),
  /** Memories that came together, by what they are about; see core/extract/boxes.ts. */
  boxes: () => section({
    /** Whether memories are put into boxes. */
    enabled: z.boolean().default(true),
    /** Below this overlap of topics an extraction is about something else: the box of its conversation is sealed. */
    topic_overlap: share.default(0.35),
    /** After so long a silence a box is sealed. */
    gap_minutes: positive.default(30),
    /** A box holds no more memories than this. */
    most: z.number().int().min(1).max(10_000).default(50),
  }),
  /** The ledger: how long events of low priority hold, and from how many events on it is compacted. */
  ledger: () => section({
    /** After so long events of P2 are over. */
    p2_days: amount.default(90),
    /** After so long events of P3 are over. */
    p3_days: amount.default(30),
    /** With more events that hold than this the ledger is compacted. */
    compact_above: amount.default(150),
  }),
  /** Facts in knowledge files: how long they hold, and what is written with them; see store/records/freshness.ts. */
  knowledge: () => section({
    /** From so many days after a fact was last verified on it is aging, and above so many stale. */
    fresh_days: amount.default(30),
    /** So many days after it was verified a fact is aging for the last time. */
    stale_days: amount.default(60),
    /** Whether lines that the engine writes link what they name to its file, as `[[ada]]`. */
    links: z.boolean().default(true),
  }, (rules) => rules.fresh_days <= rules.stale_days, 'fresh_days must not be above stale_days'),
  /** TODO.md. */
  todo: () => section({
    /** Tasks that may be in progress at once. */
    in_progress: amount.default(3),
  }),
  /** The recall pack: its core mission, and how many words each section may have; see context/pack. */
  pack: () => section({
    /** The core mission, which stands first. */
    mantra: z.string().min(1).optional(),
    /** Words of the whole page. */
    max_words: z.number().int().min(300).max(100_000).default(3000),
  }),
  /** What an agent is handed for a message; see context/compile. Sizes are those of a context of 8,192 tokens and shrink with smaller ones. */
  context: () => section({
    /** The whole text, the message included. */
    tokens: z.number().int().min(64).max(10_000_000).default(8192),
    /** What a session begins with, beside system prompt and identity. */
    start_tokens: z.number().int().min(64).max(10_000_000).default(1500),
    /** knowledge/identity; never cut, and a context above this says so. */
    identity_kb: positive.default(17),
    /** MEMORY.md. */
    memory_kb: z.number().min(0).default(3),
    /** The notes of today and yesterday. */
    journal_kb: z.number().min(0).default(4),
    /** The instructions of all active topics. */
    instructions_kb: z.number().min(0).default(2),
    /** The files that active topics subscribe to. */
    subscriptions_kb: z.number().min(0).default(4),
    /** How what is found is scored: as `recall` does, or by spec 5 §6.3. */
    scoring: z.enum(['sum', 'rrf', 'spec']).default('sum'),
    /** Whether what leaves the window of a recorded session is extracted from first, into journal, knowledge and memories. */
    flush: z.boolean().default(true),
  }),
  /** Short forms of memories; see lifecycle/gist. */
  gist: () => section({
    /** How much is left out; `none` makes none, `aggressive` is strong. */
    level: z.enum(['none', 'light', 'moderate', 'strong', 'aggressive']).default('moderate'),
    /** Whether contexts show memories by their gists also where there is room for the whole. */
    first: z.boolean().default(false),
  }),
  /** Schemas that are handed out together, by a name. */
  bundles: () => z.array(z.strictObject({ name: z.string().min(1), schemas: z.array(z.string().min(1)) })).default([]),
  /** How memories are derived from conversations; see extract/. */
  extract: () => section({
    /** Whether what is known in the same or nearly the same words confirms a memory and makes no other. */
    deduplicate: z.boolean().default(true),
    /** Whether a memory is either an episode, which stays as told, or a note, which a later one may supersede. */
    episodes_and_notes: z.boolean().default(true),
    /** Guesses that nothing confirms expire after so many days. */
    speculative_days: positive.default(30),
    /** When captures are extracted from by themselves; without it as `auto_extract` says. See core/extract/auto-extraction.ts. */
    trigger: z.enum(['on_session_end', 'hourly', 'manual']).optional(),
    /** What reads, by names (core/extract/extractors.ts): `rules`, `model`, parts such as `decisions`, a program's own; none: the rules, or a model. */
    extractors: z.array(z.string().min(1)).default([]),
    /** Items below this confidence are dropped. */
    min_confidence: share.default(0),
    /** Whether new decisions, commitments, preferences and principles are also events of the ledger; see core/extract/events.ts. */
    events: z.boolean().default(true),
    /** Whether new memories also become lines of knowledge files, in the same commit; see core/extract/knowledge-lines.ts. */
    knowledge: z.boolean().default(true),
    /** A language model that reads in place of the rules; whether one is asked is said outside the repository. See extract/model. */
    model: section({
      /** `provider/id`: the model that this memory is meant to be read by. */
      name: z.string().min(1).max(250).optional(),
      /** Of the conversation that is shown at once. */
      window_tokens: z.number().int().min(200).max(200_000).default(3000),
      /** Of one answer. */
      output_tokens: z.number().int().min(200).max(100_000).default(6000),
      /** Requests about one conversation at the same time. More are quicker, and none of them knows what the others find. */
      parallel: z.number().int().min(1).max(32).default(1),
      /** How long one answer may take; a second try may take as long, and then it is left for later. */
      timeout_seconds: positive.default(30),
      /** From so many questions on, `git memory extract` asks whether it may; where it cannot ask, it goes so far and no further. */
      ask_calls: amount.default(20),
      /** The same for tokens, going in and coming out. */
      ask_tokens: amount.default(60_000),
      /** What one run may take. */
      run_calls: amount.default(200),
      /** What one run may take, going in and coming out. */
      run_tokens: amount.default(1_000_000),
      /** What one day may take. */
      day_calls: amount.default(1000),
      /** What one day may take, going in and coming out. */
      day_tokens: amount.default(5_000_000),
      /** How long an extraction that comes by itself may keep a capture waiting. */
      wait_seconds: positive.default(60),
      /** What a million tokens of a model cost, in whatever currency; none is built in. */
      prices: z
        .array(z.strictObject({ model: z.string().min(1), input: z.number().min(0), output: z.number().min(0) }))
        .default([]),
    }),
  }),
  /** How far words are believed, by whose they are; see core/extract/trust.ts. */
  trust: () => section({
    /** Channels whose captures are of low trust, in lower case. */
    low_channels: z.array(z.string().min(1)).default(['web', 'feed']),
    /** Whether captures of low trust go to a branch of their own, `quarantine/…`, until somebody merges it. */
    quarantine: z.boolean().default(false),
  }),
  /** What becomes of secrets; see store/guard/secret-filter.ts. */
  secrets: () => section({
    /** They are taken out, the write is refused, or nobody looks. */
    mode: z.enum(['redact', 'refuse', 'off']).default('redact'),
    /** What is no secret: the text itself, its beginning and `*`, or `sha256:` and the hash. */
    allow: z.array(z.string().min(6, 'must have six characters or more')).default([]),
  }),
  /** What wakes topics: watchers over what is said, and the gate. */
  watchers: () => section({
    /** From this likeness on a trigger of likeness matches; a topic may say otherwise. */
    similarity_threshold: share.default(0.15),
    /** The model that is asked at the gate, `provider/id`; whether one is asked is said outside the repository. */
    gate_model: z.string().min(1).max(250).optional(),
    /** The most tokens of its answer; providers have a least of their own. */
    gate_max_tokens: amount.default(1),
    /** Whether turns of agents note what the gate said, in `state/gate/`. */
    log: z.boolean().default(true),
    /** Days that are older leave `state/gate/`; history keeps them. */
    log_days: positive.default(180),
  }),
  /** What a memory may hold, and how fast it may shrink. */
  limits: () => section({
    /** Of one file. */
    file_bytes: amount.max(maxObjectBytes).default(maxFileBytes),
    /** Of one file below `raw/`, and of one day of the ledger. */
    raw_bytes: amount.max(maxObjectBytes).default(maxRawBytes),
    /** Messages of one session. */
    session_messages: amount.default(100_000),
    /** Memories of one branch. */
    memories: amount.default(1_000_000),
    /** Writes that may wait for a commit; half of it commits by itself. */
    pending_writes: amount.default(100_000),
    /** A commit that takes away more than this share of the memories has to be asked for. */
    removed_share: share.default(0.2),
  }),
  /** The size of knowledge/memory/MEMORY.md. */
  memory_md: () => section({
    /** Maintenance prunes what is longer, so that it ends up shorter; a commit by hand warns a tenth below, and fails a tenth above. */
    cap_lines: amount.default(200),
  }),
  /** What becomes of journals; see core/lifecycle/journal.ts. */
  journal: () => section({
    /** Journals of older days move to the archive. */
    retention_days: positive.default(90),
  }),
  /** What condensing may ask of a language model, where one is set; without one, rules choose lines. See maintain/condense. */
  condense: () => section({
    /** Whether a model that is set writes summaries: questions that nobody asked for, so that somebody has to want them. */
    model: z.boolean().default(false),
  }),
  /** How commits are called that hold several writes; see core/maintain/commit-message.ts. */
  commit_message: () => section({
    /** Whether a model that is set writes the summary; the rules do where it does not answer. Nobody asked for it, so it has to be wanted. */
    model: z.boolean().default(false),
  }),
  /** Tags that are made by themselves; see core/maintain/other-tasks.ts. */
  tags: () => section({
    /** Whether each day that changed something gets a tag. */
    daily: z.boolean().default(true),
    /** Whether each week does. */
    weekly: z.boolean().default(true),
  }),
  /** When what has a time of day is done: cron expressions in `timezone`, or `off`; see core/maintain/schedule.ts. */
  schedule: () => section({
    /** Whether a program that stays open, such as the MCP server, does by itself what is due. */
    auto: z.boolean().default(true),
    /** The summary of the day, in its journal. */
    condense: cron.default('0 23 * * *'),
    /** Pruning: the size of MEMORY.md, old journals, files that nobody refers to. */
    prune: cron.default('0 0 * * 0'),
    /** The nightly run: the recall pack, and what else a day leaves to do. */
    nightly: cron.default('0 3 * * *'),
    /** Other tasks of maintenance by their names; wins over `maintain.every_hours`. */
    tasks: z.record(z.string(), cron).default({}),
  }),
};

type Schemas = typeof schemas;
type TopKey = keyof Schemas;
type Value<Name extends TopKey> = z.output<ReturnType<Schemas[Name]>>;
/** What memory.yaml says with its defaults, in its own keys; those that have no default may be missing. */
export type Values = { [Name in TopKey as undefined extends Value<Name> ? never : Name]: Value<Name> } & {
  [Name in TopKey as undefined extends Value<Name> ? Name : never]?: Value<Name>;
};
/** The configuration of a memory; keys are those of memory.yaml in camelCase, all of them present but `name` and `author`. */
export type Configuration = CamelKeys<Values>;

/** The names of the sections and of the keys outside of them, in the order of the source. */
export const topKeys = Object.keys(schemas) as TopKey[];

/** Whether memory.yaml has a section or key of that name at its top. */
export const isTopKey = (name: string): name is TopKey => Object.hasOwn(schemas, name);

/** Gives the schema of one top key; made when it is first asked for. */
export const schemaOf = oncePerValue((key: TopKey): z.ZodType => schemas[key]());

/** Makes the schema of a whole memory.yaml, for whoever asks about all keys. */
export const configurationSchema = (): z.ZodObject =>
  z.strictObject(Object.fromEntries(topKeys.map((key) => [key, schemaOf(key)])));

/** Lists the dotted names of all keys, sections included, read off the schema so that a new key is known here too. */
export const knownNames = (): string[] => namesIn(configurationSchema(), []);

function namesIn(schema: z.core.$ZodType, path: readonly string[]): string[] {
  let inner = schema;
  while ('innerType' in inner._zod.def) inner = inner._zod.def.innerType as z.core.$ZodType;
  if (!(inner instanceof z.ZodObject)) return [];
  return Object.entries(inner.shape as Record<string, z.core.$ZodType>).flatMap(([key, value]) => [
    [...path, key].join('.'),
    ...namesIn(value, [...path, key]),
  ]);
}
