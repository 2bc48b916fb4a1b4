// Schemas that several verbs share. Those of outputs are the shapes of types.ts, loose, for a shape may grow keys.

import { z } from 'zod';
import { memoryCategories } from '../records/types.ts';

/** A text that says something. */
export const filled = z.string().min(1, 'must not be empty');

const oid = z.string().describe('a git object name, 40 hex digits');

export const redactions = z
  .array(z.looseObject({ kind: z.string(), path: z.string(), line: z.number(), turn: z.number().optional() }))
  .optional()
  .describe('secrets that were kept out: [redacted:kind] stands where they were');

/** What an answer shows that is in no commit. */
export const edited = z
  .array(z.string())
  .optional()
  .describe('files that are shown as they were edited by hand, not committed yet');

/** Lets a verb take away so many memories that it looks like an accident. */
export const allowRemovals = z
  .boolean()
  .exactOptional()
  .describe('also when more than a fifth of the memories, and at least ten, would go at once');

/** A session that was captured. */
export const captureOutput = z.looseObject({
  path: z.string().describe('the transcript'),
  session: z.string(),
  turns: z.number(),
  commit: oid.nullable().describe("null while git's index is busy: the capture waits in the journal"),
  redacted: redactions,
  extraction: z
    .looseObject({
      created: z.array(z.string()),
      updated: z.array(z.string()),
      notes: z.array(z.string()).optional(),
      error: z.string().optional(),
    })
    .optional()
    .describe('the memories that were extracted at once, where auto_extract is set'),
});

/** A write that joined the batch. */
export const writeOutput = z.looseObject({
  id: z.string().optional(),
  path: z.string(),
  pending: z.boolean().describe('whether it still waits for its commit; it is durable either way'),
  redacted: redactions,
});

const seconds = z.number().describe('seconds since 1970');

/** Where a memory was learnt: a file, and a turn of a conversation. */
export const sourceOutput = z.looseObject({
  path: z.string(),
  turn: z.number().optional().describe('1-based number within the session'),
  role: z.string().optional(),
});

/** One memory with its strength. */
export const memoryOutput = z.looseObject({
  id: z.string(),
  path: z.string(),
  content: z.string(),
  gist: z.string().nullable().describe('its short form'),
  meta: z.looseObject({
    tags: z.array(z.string()),
    source: z.string().nullable(),
    context: z.string().nullable(),
    extra: z.record(z.string(), z.unknown()),
  }),
  score: z.number().describe('its strength at the time that was asked'),
  strength: z.number().describe('0 to 2, before it decays'),
  status: z.string(),
  entities: z.array(z.string()),
  createdAt: seconds,
  lastUsed: seconds,
  useCount: z.number(),
  promotedAt: seconds.nullable(),
  promotedTo: z.string().nullable().describe('the knowledge file it became'),
  reviewPriority: z.number(),
  lastReviewAt: seconds.nullable(),
  reviewCount: z.number(),
  crossDomainCount: z.number().describe('uses for work of other tags than its own'),
  category: z.enum(memoryCategories).optional(),
  confidence: z.number().optional().describe('0 to 1'),
  confidenceTier: z.string().optional(),
  importance: z.number().optional().describe('0 to 1'),
  memoryKind: z.string().optional(),
  supersededBy: z.string().optional(),
  expiresAt: seconds.optional(),
  due: z.string().optional().describe('YYYY-MM-DD'),
  sources: z.array(sourceOutput).optional(),
  alternatives: z.array(z.looseObject({ field: z.string(), value: z.unknown().describe('any value') })).optional(),
  unknown: z.record(z.string(), z.unknown()).optional(),
});

/** One commit with its trailers. */
export const logEntryOutput = z.looseObject({
  oid,
  parents: z.array(oid),
  time: z.string(),
  operation: z.string().nullable(),
  subject: z.string(),
  author: z.string(),
  trailers: z.array(z.object({ key: z.string(), value: z.string() })),
  paths: z.array(z.string()),
});

export const oidOutput = oid;

/** One thing that a pass did or would do. */
export const passItem = z.looseObject({
  action: z.string(),
  ids: z.array(z.string()).describe('the memories it is about'),
  why: z.string(),
  paths: z.array(z.string()),
});

/** What a pass over the records did or would do. */
export const passOutput = z.looseObject({
  pass: z.string(),
  commits: z.array(oid),
  tree: oid.nullable(),
  items: z.array(passItem),
  left: z.array(z.looseObject({ id: z.string(), why: z.string() })).describe('what was left alone, and why'),
  dropped: z
    .array(z.looseObject({ action: z.string(), ids: z.array(z.string()), why: z.string() }))
    .describe('what was planned and not done, for it changed meanwhile'),
  refused: z.string().optional().describe('why it would not be done without force'),
});

/** A topic that became active. */
export const activeTopicOutput = z.looseObject({
  path: z.string(),
  name: z.string(),
  priority: z.number(),
  by: z.string().describe('pattern, similarity, gate, manual or event'),
  score: z.number(),
  confidence: z.number(),
  reasons: z.array(z.string()),
  subscriptions: z.array(z.string()),
  maxContextBytes: z.number().nullable(),
});

/** What is wrong with a topic file. */
/** A mounted memory that could not be asked. */
export const mountProblemOutput = z.looseObject({ name: z.string(), dir: z.string(), why: z.string() });

export const topicProblemOutput = z.looseObject({ path: z.string(), line: z.number().optional(), why: z.string() });
