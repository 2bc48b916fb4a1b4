// Whether one statement takes back another: "we use Postgres, not Redis" after "we use Redis". Certain cases only; what becomes
// of the record that is taken back is plan.ts's.

import type { MemoryCategory, MemoryRecord } from '../records/types.ts';
import { contradictionOf } from './contradiction.ts';
import { clauseOf, denial, qualified, type Statement, statementOf } from './statements.ts';

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

const contrast =
  /,? ?\b(instead of|rather than)\b|(?:, |, and | and )(not|never|no longer)\b|(?<= )(no longer|not)\b(?! (?:only|just|yet|necessarily|sure|really|even|so|too)\b)/i;
const replaces = /^(?:instead of|rather than)$/i;
interface Correction {
  /** What it states, without the part that names what was before. */
  readonly stated: Statement;
  /** Content words of what was before. */
  readonly former: ReadonlySet<string>;
  /** Whether something takes the place of what was before; "no longer" and "is not" put nothing there. */
  readonly isReplacement: boolean;
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

/** Whether two records may speak of different persons though their words are the same: "I" is whoever said it. */
export function mayBeOfOthers(one: MemoryRecord, other: MemoryRecord): boolean {
  return (firstPerson.test(one.content) || firstPerson.test(other.content)) && voiceOf(one) !== voiceOf(other);
}

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
 * Reads a record as one that takes others back; undefined for almost all of them.
 *
 * It does when it contradicts an older one in a way that can be read in no other ({@link contradictionOf}), or is a correction: a correction, decision or preference that names the former value after
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
  if (record.category === undefined || (record.confidence ?? 0) < minConfidence) return undefined;
  if (record.content.length > maxLength) return undefined;
  const correction = correcting.has(record.category) ? correctionOf(record.content) : undefined;
  const contradiction = contradictionOf(record.content, record.category);
  const mayTakeBack = (old: MemoryRecord): boolean =>
    old.id !== record.id &&
    old.status === 'active' &&
    old.category !== undefined &&
    correctable.has(old.category) &&
    old.content.length <= maxLength &&
    isLaterThan(record, old) &&
    !mayBeOfOthers(record, old);
  if (correction !== undefined) {
    return {
      former: correction.former,
      supersedes(old) {
        if (!mayTakeBack(old)) return false;
        const assertion = assertionOf(old.content);
        if (assertion !== undefined && takesBack(correction, assertion)) return true;
        return contradiction?.contradicts(old.content) === true;
      },
    };
  }
  if (contradiction === undefined) return undefined;
  return {
    former: contradiction.former,
    supersedes: (old) => mayTakeBack(old) && contradiction.contradicts(old.content),
  };
}
