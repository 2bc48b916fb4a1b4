// A topic: a playbook in topics/ with what wakes it (spec 5 §2.2, §4.4). A problem in one is named with its line, and the rest of it
// counts. context/topics/ looks for triggers.

import { z } from 'zod';
import { MemoryError } from '../../base/errors.ts';
import { oneLine } from '../../base/text.ts';
import { cutFrontMatter, splitFrontMatter } from './front-matter.ts';
import { nearestWord } from './nearest-word.ts';
import { isUnfinished, unfinishedMerge } from './unfinished-merge.ts';
import { lineOfKeys } from './yaml.ts';

const filled = z.string().trim().min(1, 'must not be empty');
/** One text or several. */
const texts = z.union([filled.transform((text) => [text]), z.array(filled).min(1, 'must not be empty').max(200)]);
const share = z.number().min(0).max(1);
const watched = {
  /** Whose words are looked at: those that come in, those of the agent, or both. */
  scope: z.enum(['input', 'output', 'both']).default('input'),
  /** A hint to the agent before its next turn, when this matches what it said. */
  correction_hint: filled.exactOptional(),
};

/** Ways of telling how alike two texts are; see core/context/topics/similarity.ts. */
const similarityAlgorithms = ['tfidf', 'bm25', 'jaccard', 'ngram'] as const;
export type SimilarityAlgorithm = (typeof similarityAlgorithms)[number];

const triggerKinds = {
  pattern: z.strictObject({ type: z.literal('pattern'), match: filled, ...watched }),
  glob: z.strictObject({ type: z.literal('glob'), match: texts, ...watched }),
  keywords: z.strictObject({ type: z.literal('keywords'), words: texts, ...watched }),
  code: z.strictObject({ type: z.literal('code'), languages: texts.exactOptional(), ...watched }),
  language: z.strictObject({ type: z.literal('language'), languages: texts, ...watched }),
  mention: z.strictObject({ type: z.literal('mention'), names: texts, ...watched }),
  url: z.strictObject({
    type: z.literal('url'),
    hosts: texts.exactOptional(),
    match: texts.exactOptional(),
    ...watched,
  }),
  sentiment_shift: z.strictObject({ type: z.literal('sentiment_shift'), ...watched }),
  webhook: z.strictObject({ type: z.literal('webhook'), source: filled, event: filled.exactOptional() }),
  cron: z.strictObject({ type: z.literal('cron'), schedule: filled }),
  similarity: z.strictObject({
    type: z.literal('similarity'),
    algorithm: z.enum(similarityAlgorithms).default('tfidf'),
    threshold: share.exactOptional(),
    /** Sentences that a message is compared with; without them the text of the topic. */
    examples: texts.exactOptional(),
    ...watched,
  }),
  sentiment: z
    .strictObject({
      type: z.literal('sentiment'),
      below: z.number().min(-1).max(1).exactOptional(),
      above: z.number().min(-1).max(1).exactOptional(),
      ...watched,
    })
    .refine(({ below, above }) => below !== undefined || above !== undefined, 'needs below or above, from -1 to 1'),
} as const;

type TriggerType = keyof typeof triggerKinds;
const triggerTypes = Object.keys(triggerKinds) as TriggerType[];

/** What wakes a topic. */
export type Trigger = z.output<(typeof triggerKinds)[TriggerType]> & {
  /** Its position in the list of the file. */
  readonly index: number;
};

const topicKeys = {
  type: z.literal('topic'),
  title: filled,
  description: filled,
  subscriptions: z.array(filled).max(100),
  activation: z.enum(['auto', 'gated', 'manual']),
  priority: z.enum(['low', 'medium', 'high', 'critical']),
  max_context_kb: z.number().positive().max(10_000),
  similarity_threshold: share,
};
/** Keys that are the engine's, or people's, and mean nothing to watchers. */
const passive = ['triggers', 'updated', 'tags', 'created', 'name'];
const maxTriggers = 50;

/** Something that is wrong in a topic file. */
interface TopicFault {
  /** 1-based. */
  readonly line: number;
  readonly why: string;
}

/** A topic file as it is read; what is wrong in it is left out and told. */
export interface TopicFile {
  readonly path: string;
  /** The path below topics/ without the ending: `email-triage`, `ops/deploy`. */
  readonly name: string;
  /** The front matter's, else the first paragraph, on one line; may be empty. */
  readonly description: string;
  /** All below the front matter. */
  readonly instructions: string;
  readonly triggers: readonly Trigger[];
  readonly subscriptions: readonly string[];
  readonly activation: 'auto' | 'gated' | 'manual';
  readonly priority: 'low' | 'medium' | 'high' | 'critical';
  readonly maxContextBytes: number | null;
  /** In place of the numbers of the configuration; null for those. */
  readonly similarityThreshold: number | null;
  readonly faults: readonly TopicFault[];
  /** 1-based line of the trigger at a position, for errors. */
  lineOfTrigger(index: number): number;
}

/** Tells whether a path is that of a topic: markdown below topics/, but for indexes and readmes. */
export const isTopicPath = (path: string): boolean => /^topics\/(?:.*\/)?(?!_|readme\.md$)[^/]+\.md$/i.test(path);

/** Names the topic of a path: `topics/ops/deploy.md` is `ops/deploy`. */
export function topicName(path: string): string {
  return path.replace(/^topics\//, '').replace(/\.md$/i, '');
}

/** Parses a topic. Never throws for what it says: a file that cannot be read at all is one that nothing wakes, with a fault. */
export function parseTopic(text: string, path: string): TopicFile {
  const faults: TopicFault[] = [];
  let data: Record<string, unknown> = {};
  let body = text;
  try {
    if (isUnfinished(path, text)) throw unfinishedMerge(path);
    ({ data, body } = splitFrontMatter(text, path));
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    const line = Number(/:(\d+) /.exec(error.what)?.[1] ?? 1);
    faults.push({ line, why: error.what.replace(/^\S+:\d+ /, '') });
    data = { activation: 'manual', triggers: [] };
    if (isUnfinished(path, text)) body = '';
  }
  const block = cutFrontMatter(text)?.block ?? '';
  // The block begins on the second line of the file.
  const lineOf = (keys: readonly (string | number)[]): number => (lineOfKeys(block, keys) ?? 1) + 1;
  const fault = (keys: readonly (string | number)[], why: string): void => {
    faults.push({ line: lineOf(keys), why });
  };
  const value = <Key extends keyof typeof topicKeys>(key: Key): z.output<(typeof topicKeys)[Key]> | undefined => {
    if (!Object.hasOwn(data, key) || data[key] === null) return undefined;
    const parsed = topicKeys[key].safeParse(data[key]);
    if (parsed.success) return parsed.data as z.output<(typeof topicKeys)[Key]>;
    const issue = parsed.error.issues[0]!;
    fault([key, ...(issue.path as (string | number)[])], `${[key, ...issue.path].join('.')}: ${issue.message}`);
    return undefined;
  };
  const known = [...Object.keys(topicKeys), ...passive];
  for (const key of Object.keys(data)) {
    if (known.includes(key)) continue;
    const meant = nearestWord(key, known);
    fault([key], `${key} is no key of a topic${meant === undefined ? '' : `; did you mean ${meant}?`}`);
  }
  value('type');
  const kilobytes = value('max_context_kb');
  return {
    path,
    name: topicName(path),
    description: oneLine(value('description') ?? firstParagraph(body), 1000),
    instructions: body,
    triggers: triggersOf(data, fault),
    subscriptions: value('subscriptions') ?? [],
    activation: value('activation') ?? 'gated',
    priority: value('priority') ?? 'medium',
    maxContextBytes: kilobytes === undefined ? null : Math.round(kilobytes * 1024),
    similarityThreshold: value('similarity_threshold') ?? null,
    faults,
    lineOfTrigger: (index) => lineOf(['triggers', index]),
  };
}

function triggersOf(
  data: Readonly<Record<string, unknown>>,
  fault: (keys: readonly (string | number)[], why: string) => void,
): Trigger[] {
  const list = data.triggers;
  if (list === undefined || list === null) {
    if (data.activation !== 'manual') fault(['activation'], 'triggers is missing: only its name wakes this topic');
    return [];
  }
  if (!Array.isArray(list)) {
    fault(['triggers'], 'triggers must be a list');
    return [];
  }
  if (list.length > maxTriggers) fault(['triggers', maxTriggers], `only the first ${maxTriggers} triggers count`);
  return list.slice(0, maxTriggers).flatMap((item: unknown, at): Trigger[] => {
    const type = typeof item === 'object' && item !== null ? (item as Record<string, unknown>).type : undefined;
    if (typeof type !== 'string' || !Object.hasOwn(triggerKinds, type)) {
      const meant = typeof type === 'string' ? nearestWord(type, triggerTypes) : undefined;
      const told = meant === undefined ? `types are ${triggerTypes.join(', ')}` : `did you mean ${meant}?`;
      fault(['triggers', at, 'type'], `${JSON.stringify(type) ?? 'nothing'} is no type of a trigger; ${told}`);
      return [];
    }
    const parsed = triggerKinds[type as TriggerType].safeParse(item);
    if (parsed.success) return [{ ...parsed.data, index: at }];
    const issue = parsed.error.issues[0]!;
    const keys = issue.code === 'unrecognized_keys' ? [issue.keys[0]!] : (issue.path as (string | number)[]);
    fault(['triggers', at, ...keys], `the ${type} trigger: ${[...keys, ''].join('.').slice(0, -1)}: ${issue.message}`);
    return [];
  });
}

/** The first lines of prose: neither heading, nor list, nor code. */
function firstParagraph(body: string): string {
  for (const block of body.split(/\n[ \t]*\n/)) {
    const lines = block.split('\n').filter((line) => line.trim() !== '' && !/^ {0,3}#{1,6}(?:\s|$)/.test(line));
    if (lines.length > 0 && !/^\s*(?:[-*+>|]|\d+[.)]|```|~~~)/.test(lines[0]!)) return lines.join(' ');
  }
  return '';
}
