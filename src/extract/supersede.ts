// Whether one statement takes back another: "we use Postgres, not Redis" after "we use Redis". Certain cases only; what becomes
// of the record that is taken back is plan.ts's.

import { tokensOf } from '../base/tokenizer.ts';
import type { MemoryCategory, MemoryRecord } from '../records/types.ts';
import { labelledOf } from './labels.ts';

const correcting: ReadonlySet<MemoryCategory> = new Set<MemoryCategory>(['correction', 'decision', 'preference']);
/** What holds until it changes; an event or a promise stays what it was. */
const correctable: ReadonlySet<MemoryCategory> = new Set<MemoryCategory>([
  'correction',
  'decision',
  'preference',
  'principle',
  'fact',
]);
const minConfidence = 0.8;
/** Shared share of all content words (Jaccard) that makes two statements one subject. */
const minOverlap = 0.5;
const maxNewWords = 4;
/** A statement is a sentence; a longer text is a note with more than one thing to say. */
const maxLength = 600;

const opener =
  /^(?:(?:no|nope|wait|sorry|oops|actually|hold on|hmm|oh|correction|okay|ok|well|yes|right|from now on|going forward)\b[\s,.!:;–—-]*)+/i;
/** From here on the sentence gives reasons or goes on with something else. */
const aside =
  /\s*(?:[;(–—]|[,.!?:]?\s\b(?:because|since|so that|so|as it|as we|which|in order to|but|though|although)\b).*$/i;
const contrast =
  /,? ?\b(instead of|rather than)\b|(?:, |, and | and )(not|never|no longer)\b|(?<= )(no longer|not)\b(?! (?:only|just|yet|necessarily|sure|really|even|so|too)\b)/i;
const replaces = /^(?:instead of|rather than)$/i;
const denial =
  /\b(?:not|never|no longer|no|none|without|avoid|instead of|rather than|except|neither|nor|stop(?:ped)?|against)\b|n['’]t\b/i;
/** What holds sometimes, somewhere, once or perhaps neither takes back nor is taken back; nor does a tale of the past. */
const qualified =
  /\b(?:if|unless|when|whenever|while|until|only|sometimes|usually|often|mostly|might|may|maybe|perhaps|could|probably|for now|for the moment|temporar\w+|today|tonight|tomorrow|this time|was|were|had|did|used to|ago|yesterday|last|previously|formerly|back then|both|either|or)\b/i;
/** Words of telling, not of what is told. */
const framing: ReadonlySet<string> = new Set(
  'decided agreed decide agree chose now instead actually longer anymore still already also from going forward please should must will shall never always'
    .split(' ')
    .flatMap((word) => tokensOf(word)),
);

interface Word {
  readonly text: string;
  /** Its content; empty for "the", "with" and words of framing. */
  readonly tokens: readonly string[];
}

interface Statement {
  readonly words: readonly Word[];
  readonly tokens: ReadonlySet<string>;
}

interface Correction {
  /** What it states, without the part that names what was before. */
  readonly stated: Statement;
  /** Content words of what was before. */
  readonly former: ReadonlySet<string>;
  /** Whether something takes the place of what was before; "no longer" and "is not" put nothing there. */
  readonly isReplacement: boolean;
}

function statementOf(text: string): Statement {
  const words = text
    .split(/\s+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}.@/]+|[^\p{L}\p{N}]+$/gu, ''))
    .filter((word) => word !== '')
    .map((word) => ({ text: word.toLowerCase(), tokens: tokensOf(word).filter((token) => !framing.has(token)) }));
  return { words, tokens: new Set(words.flatMap(({ tokens }) => tokens)) };
}

function clauseOf(content: string): string {
  const words = labelledOf(content)?.words ?? content;
  return words.replace(opener, '').replace(aside, '');
}

function correctionOf(content: string): Correction | undefined {
  const clause = clauseOf(content);
  const mark = contrast.exec(clause);
  if (mark === null || qualified.test(clause)) return undefined;
  const before = clause.slice(0, mark.index);
  const behind = clause.slice(mark.index + mark[0].length);
  const end = /[,.:]\s|$/.exec(behind)!.index;
  const rest = behind.slice(end);
  // Two contrasts in one sentence can be meant in more ways than one.
  if (contrast.test(behind) || denial.test(before) || denial.test(rest)) return undefined;
  const isReplacement = mark[1] === undefined ? mark[3] === undefined : replaces.test(mark[1]);
  const stated = statementOf(`${before} ${rest}`);
  const named = statementOf(behind.slice(0, end)).tokens;
  // "Postgres 16, not Postgres 15": what differs is 15.
  const former = isReplacement ? new Set([...named].filter((token) => !stated.tokens.has(token))) : named;
  return former.size === 0 ? undefined : { stated, former, isReplacement };
}

/** What an older statement says, without what it denies itself; undefined when it denies or limits what is left. */
function assertionOf(content: string): Statement | undefined {
  const clause = clauseOf(content);
  const mark = contrast.exec(clause);
  const isContrast = mark !== null && (mark[1] !== undefined || mark[2] !== undefined);
  const asserted = isContrast ? clause.slice(0, mark.index) : clause;
  return denial.test(asserted) || qualified.test(asserted) ? undefined : statementOf(asserted);
}

/** The words whose content is wanted, when they stand together: the word before them, and how many they are. */
function runOf(
  statement: Statement,
  isWanted: (token: string) => boolean,
): { before: string; length: number } | undefined {
  const { words } = statement;
  const places = words.flatMap(({ tokens }, at) => (tokens.some(isWanted) ? [at] : []));
  const [first] = places;
  if (first === undefined || places.at(-1)! - first + 1 !== places.length) return undefined;
  let at = first - 1;
  while (at >= 0 && /^(?:an?|the|now|still|also|always|already|only)$/.test(words[at]!.text)) at -= 1;
  // "Uses" and "use" are the same place.
  const word = words[at];
  return { before: word === undefined ? '' : (word.tokens[0] ?? word.text), length: places.length };
}

function takesBack(correction: Correction, old: Statement): boolean {
  const { stated, former, isReplacement } = correction;
  for (const token of former) if (!old.tokens.has(token)) return false;
  const all = new Set([...stated.tokens, ...former]);
  // Whatever else the old one says must be said again, or it is about something else.
  for (const token of old.tokens) if (!all.has(token)) return false;
  const isNew = (token: string) => !old.tokens.has(token);
  // Counted in words, for an identifier has several tokens. What both say is all of the old one by now.
  const common = old.words.filter(({ tokens }) => tokens.length > 0).length;
  const added = stated.words.filter(({ tokens }) => tokens.some(isNew)).length;
  if (common < 2 || common / (common + added) < minOverlap) return false;
  if (!isReplacement) return added === 0;
  // The new value stands where the old one stood: "with remove" for "with discard", and not "in Python".
  const arrival = runOf(stated, isNew);
  const departure = runOf(old, (token) => former.has(token));
  if (arrival === undefined || departure === undefined) return false;
  return arrival.length <= maxNewWords && arrival.before === departure.before;
}

/** Tells whether a record was said after another one, which was not repeated since as far as its sources tell. */
function isLaterThan(record: MemoryRecord, old: MemoryRecord): boolean {
  const source = record.sources?.[0];
  if (record.createdAt < old.createdAt || source === undefined) return false;
  const inOne = (old.sources ?? []).filter(({ path }) => path === source.path);
  if (record.createdAt === old.createdAt && inOne.length === 0) return false;
  if (inOne.some(({ turn }) => turn === undefined || source.turn === undefined || turn >= source.turn)) return false;
  // Paths of conversations sort as their times do.
  const isDated = (path: string) => path.startsWith('raw/conversations/');
  return !(old.sources ?? []).some(({ path }) => isDated(path) && isDated(source.path) && path > source.path);
}

/** Gives the words of a content by which a correction finds what it takes back. */
export function wordsThatMatter(content: string): ReadonlySet<string> {
  return content.length > maxLength ? new Set() : statementOf(content).tokens;
}

const firstPerson = /\b(?:I|[Mm]y|[Mm]e|[Mm]ine)\b/;

/** Who speaks in a record is an entity that its words do not name, beside the role of its first source. */
function voiceOf({ content, entities, sources }: MemoryRecord): string {
  return [sources?.[0]?.role ?? '', ...entities.filter((name) => !content.includes(name))].join('\n');
}

/** A record that may take others back, with what that needs worked out once. */
export interface Superseder {
  /** Words that a record must have to be taken back, as {@link wordsThatMatter} gives them. */
  readonly former: ReadonlySet<string>;
  /** Tells whether this record takes back another one. */
  supersedes(old: MemoryRecord): boolean;
}

/**
 * Reads a record as a correction; undefined for almost all of them.
 *
 * It is one when it is a correction, decision or preference of confidence 0.8 or more that names the former value after
 * "instead of", "rather than", ", not", ", never", "is not" or "no longer". It takes back an older record when all of this holds:
 *
 * - the old one is active, and a correction, decision, preference, principle or fact; first persons are the same person
 * - it was said before, and not repeated since
 * - the former value occurs in it, and every other content word of it is said again; they share at least half of their content words
 * - the new value stands in the place of the former one, and nothing else is new
 * - neither is limited ("when", "usually", "for now"), of the past, or a denial but for the contrast itself
 *
 * ```
 * old  documents leave the search index with discard
 * new  documents leave the search index with remove, never with discard
 *      └─────────── the same ─────────┘      new           former
 * ```
 */
export function supersederOf(record: MemoryRecord): Superseder | undefined {
  if (record.category === undefined || !correcting.has(record.category)) return undefined;
  if ((record.confidence ?? 0) < minConfidence || record.content.length > maxLength) return undefined;
  const correction = correctionOf(record.content);
  if (correction === undefined) return undefined;
  return {
    former: correction.former,
    supersedes(old) {
      if (old.id === record.id || old.status !== 'active') return false;
      if (old.category === undefined || !correctable.has(old.category)) return false;
      if (old.content.length > maxLength || !isLaterThan(record, old)) return false;
      if (firstPerson.test(record.content) || firstPerson.test(old.content)) {
        if (voiceOf(record) !== voiceOf(old)) return false;
      }
      const assertion = assertionOf(old.content);
      return assertion !== undefined && takesBack(correction, assertion);
    },
  };
}
