// Several memories that say the same as one (spec 1): what each field becomes, and words that a language model puts together. Nothing that a
// source says is left out.

import { isSameJson } from '../../base/canonical-json.ts';
import { namesOf } from '../../base/discrepancy.ts';
import { defined } from '../../base/errors.ts';
import * as prompts from '../../base/generated/prompts.ts';
import * as words from '../../base/generated/words.ts';
import { type NameHash, sha256Hex } from '../../base/hash.ts';
import type { TextModel } from '../../base/ports.ts';
import { tokensOf } from '../../base/tokenizer.ts';
import { type MemoryRecord, memoryCategories } from '../../base/types/stored-types.ts';
import { anyOf } from '../../base/words.ts';
import { wordsOfClaim } from '../../store/claims/claim.ts';
import { bestGistOf, type GistLevel } from './gist/gist.ts';

/** Brings a text into the form in which contained and repeated parts are found: in lower case, white space collapsed. */
const folded = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim();

/** Merges texts by rule: the longest, if it contains every other; else all paragraphs, those of the longest first, each once. */
export function mergedContent(contents: readonly string[]): string {
  const longestFirst = [...contents].sort((a, b) => b.length - a.length || (a < b ? -1 : a > b ? 1 : 0));
  const longest = longestFirst[0] ?? '';
  const whole = folded(longest);
  if (contents.every((content) => whole.includes(folded(content)))) return longest;
  const said = new Set<string>();
  const parts: string[] = [];
  for (const content of longestFirst) {
    // A text that came from a consolidation has paragraphs of its own, which others may repeat.
    const fresh = content.split(/\n[ \t]*\n/).filter((paragraph) => {
      const form = folded(paragraph);
      if (form === '' || said.has(form)) return false;
      said.add(form);
      return true;
    });
    if (fresh.length > 0) parts.push(fresh.join('\n\n').replace(/^\n+|\s+$/g, ''));
  }
  return parts.join('\n\n');
}

/** What a merge is made of beside the records. */
export interface MergeOptions {
  /** 0 to 1; raises the strength. */
  readonly cohesion: number;
  readonly gistLevel: GistLevel | null;
  /** What the id is made with; default SHA-256. */
  readonly hash?: NameHash;
  /** What a model made of the contents; default: {@link mergedContent}. */
  readonly content?: string;
}

/** Makes one record of several (spec 1, facts of CortexGraph). Two machines that merge the same memories give it the same id. */
export function mergedRecord(records: readonly MemoryRecord[], options: MergeOptions): MemoryRecord {
  // Where one of them says it all, its words are kept as they were said.
  const whole = records.find((record) => wordsOfClaim(record) === options.content);
  const content = whole?.content ?? options.content ?? mergedContent(records.map((record) => record.content));
  const words = options.content ?? mergedContent(records.map(wordsOfClaim));
  const common = (key: 'subject' | 'attribute'): string | undefined =>
    records.every((record) => record[key] === records[0]![key]) ? records[0]![key] : whole?.[key];
  const sum = (of: (record: MemoryRecord) => number): number =>
    records.reduce((total, record) => total + of(record), 0);
  const most = (of: (record: MemoryRecord) => number): number => Math.max(...records.map(of));
  const ids = records.map(({ id }) => id).sort();
  const strongest = most(({ strength }) => strength);
  const { confidence, confidenceTier } = [...records].sort((a, b) => (b.confidence ?? 0) - (a.confidence ?? 0))[0]!;
  /** Of those that say any. */
  const highest = (of: (record: MemoryRecord) => number | null | undefined): number | undefined =>
    records
      .map(of)
      .reduce<number | undefined>((top, one) => (one == null ? top : Math.max(one, top ?? one)), undefined);
  const kinds = new Set(records.map(({ memoryKind }) => memoryKind));
  const expiries = records.flatMap(({ expiresAt }) => expiresAt ?? []);
  const unknown = united(records.map((record) => record.unknown ?? {}));
  return {
    id: (options.hash ?? sha256Hex)(`consolidated\n${ids.join('\n')}\n${words}`).slice(0, 32),
    content,
    gist: bestGistOf(content, options.gistLevel),
    meta: {
      tags: sortedUnion(records.map(({ meta }) => meta.tags)),
      source: joined(records.map(({ meta }) => meta.source)),
      context: joined(records.map(({ meta }) => meta.context)),
      extra: united(records.map(({ meta }) => meta.extra)),
    },
    createdAt: Math.min(...records.map(({ createdAt }) => createdAt)),
    lastUsed: most(({ lastUsed }) => lastUsed),
    useCount: sum(({ useCount }) => useCount),
    strength: Math.min(strongest + Math.min(options.cohesion * records.length * 0.1, 0.5), 2),
    status: 'active',
    promotedAt: null,
    promotedTo: null,
    entities: sortedUnion(records.map(({ entities }) => entities)),
    reviewPriority: most(({ reviewPriority }) => reviewPriority),
    lastReviewAt: highest(({ lastReviewAt }) => lastReviewAt) ?? null,
    reviewCount: sum(({ reviewCount }) => reviewCount),
    crossDomainCount: sum(({ crossDomainCount }) => crossDomainCount),
    ...defined({
      statement: words === content ? undefined : words,
      subject: common('subject'),
      attribute: common('attribute'),
      validFrom: whole?.validFrom,
      // The first by priority (spec 4).
      category: memoryCategories.find((category) => records.some((record) => record.category === category)),
      confidence,
      confidenceTier,
      importance: highest(({ importance }) => importance),
      memoryKind: kinds.size === 1 ? records[0]!.memoryKind : undefined,
      // What one of them holds for ever, all of it holds for ever.
      expiresAt: expiries.length === records.length ? Math.max(...expiries) : undefined,
      due: records.find((record) => record.due !== undefined)?.due,
      standing: records.find((record) => record.standing !== undefined)?.standing,
      standingConfidence: highest(({ standingConfidence }) => standingConfidence),
      sources: unique(records.flatMap((record) => record.sources ?? [])),
      alternatives: unique(records.flatMap((record) => record.alternatives ?? [])),
      unknown: Object.keys(unknown).length === 0 ? undefined : unknown,
    }),
  };
}

const sortedUnion = (lists: readonly (readonly string[])[]): string[] => [...new Set(lists.flat())].sort();

function joined(texts: readonly (string | null)[]): string | null {
  const said = [...new Set(texts.filter((text) => text !== null && text !== ''))];
  return said.length === 0 ? null : said.join('; ');
}

function unique<Value>(values: readonly Value[]): Value[] | undefined {
  const found = values.filter((value, at) => values.findIndex((other) => isSameJson(other, value)) === at);
  return found.length === 0 ? undefined : found;
}

/** Unites objects by key; where two differ, the first one's value stands, and history has the other. */
const united = (objects: readonly Readonly<Record<string, unknown>>[]): Record<string, unknown> =>
  Object.assign({}, ...[...objects].reverse()) as Record<string, unknown>;

/** Merges texts by a model. */
export interface ModelMerger {
  readonly name: string;
  /**
   * Gives one text, or that they say different things; neither where the answer cannot be used. `isAsked`: a person wants them merged, and the
   * model is asked for the words only.
   */
  merge(contents: readonly string[], isAsked: boolean): Promise<{ readonly content?: string; isApart?: boolean }>;
}

const apart = 'KEEP APART';

/** Makes a merger of a model. A model that fails or forgets something is as good as none: rules merge then. */
export function modelMerger(model: TextModel, options: { signal?: AbortSignal } = {}): ModelMerger {
  return {
    name: model.name,
    async merge(contents, isAsked) {
      const notes = contents.map((content, at) => `Note ${at + 1}:\n${content}`).join('\n\n');
      const doubt = isAsked ? '' : ` If the notes are about different things, answer ${apart}.`;
      let answer: string;
      try {
        answer = await model.complete({ system: prompts.merge.text + doubt, prompt: notes, ...options });
      } catch (error) {
        options.signal?.throwIfAborted();
        if (!(error instanceof Error)) throw error;
        return {};
      }
      const content = typeof answer === 'string' ? answer.trim() : '';
      if (!isAsked && content.replace(/[."]/g, '').toUpperCase() === apart) return { isApart: true };
      return saysAll(content, contents) ? { content } : {};
    },
  };
}

const denial = new RegExp(
  `${anyOf(`${words.denying}, ${words.limiting.replaceAll(' ', ', ')}, ${words.refusing}`).source}|n['’]t\\b`,
  'gi',
);
const mark = /\p{N}+(?:[.,:/-]\p{N}+)*/gu;

/**
 * Tells whether a text says what some others say, and no more. It has their numbers, the names inside their sentences, and all words that they
 * share. It denies as often as the one that denies most. It names no number and no name that none of them has, and is one text.
 */
function saysAll(content: string, sources: readonly string[]): boolean {
  const all = sources.join('\n\n');
  if (content === '' || content.length > all.length || (/\n\s*\n/.test(content) && !/\n\s*\n/.test(sources.join(' '))))
    return false;
  const [said, known] = [content.toLowerCase(), all.toLowerCase()];
  const firmIn = (text: string): string[] =>
    [...(text.match(mark) ?? []), ...namesOf(text)].map((one) => one.toLowerCase());
  const terms = new Set(tokensOf(content));
  const [first = [], ...others] = sources.map((source) => tokensOf(source));
  const shared = first.filter((term) => others.every((list) => list.includes(term)));
  const denied = Math.max(...sources.map((source) => source.match(denial)?.length ?? 0));
  return (
    sources.flatMap(firmIn).every((one) => said.includes(one)) &&
    firmIn(content).every((one) => known.includes(one)) &&
    shared.every((term) => terms.has(term)) &&
    (content.match(denial)?.length ?? 0) >= denied
  );
}
