// Contradictions without a contrast in one sentence: a value that changed, what was moved from one place to another, what is denied now, a
// preference the other way round. Certain cases only; when which record gives way is supersede.ts's.

import { tokensOf } from '../base/tokenizer.ts';
import type { MemoryCategory } from '../records/types.ts';
import { clauseOf, denial, qualified, statementOf } from './statements.ts';

/** What a statement takes back. */
export interface Contradiction {
  /** Words that a statement must have to be taken back. */
  readonly former: ReadonlySet<string>;
  contradicts(old: string): boolean;
}

type Reader = (content: string, category: MemoryCategory) => Contradiction | undefined;

/** Categories in which something is stated that holds until it changes. */
const stating: ReadonlySet<MemoryCategory> = new Set(['correction', 'decision', 'preference', 'principle', 'fact']);

/** Says that things are otherwise now. */
const turn =
  /\b(?:now|from now on|going forward|as of (?:now|today)|again|after all|any ?more|any longer|no longer)\b/i;
const correcting = /^(?:no|nope|wait|sorry|oops|actually|correction|update)\b[\s,.!:;–—-]/i;

const tokensIn = (text: string): Set<string> => new Set(statementOf(text).tokens);
const isSubset = (some: ReadonlySet<string>, all: ReadonlySet<string>): boolean => {
  for (const token of some) if (!all.has(token)) return false;
  return true;
};
const areEqual = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && isSubset(one, other);

// ── from one to another ─────────────────────────────────────────────────────────────────────────────────────────────

/** Longer runs of words than this are sentences of their own. */
const phrase = '[^,;:.!?]{1,60}?';
const moved = new RegExp(
  `\\b(?:switched|moved|migrated|changed|converted|upgraded|downgraded|renamed|went|going|moving|switching|migrating)\\b(?<about>(?: ${phrase})?) from (?<former>${phrase}) to (?<next>[^,;:!?]{1,60}?)(?<rest> (?:for|in|on|at|as) [^,;:!?]*)?[.!]?$`,
  'i',
);
const replaced = new RegExp(
  `\\b(?:replaced|swapped|replacing)\\b (?<former>${phrase}) (?:with|by|for) (?<next>[^,;:!?]{1,60}?)(?<rest> (?:for|in|on|at|as) [^,;:!?]*)?[.!]?$`,
  'i',
);
/** Verbs of having something in place, which need not be said again when it is replaced. */
const having: ReadonlySet<string> = new Set(
  'use run host store keep deploy build live work stand stay be set call name go pick choose hold happen take'
    .split(' ')
    .flatMap((word) => tokensOf(word)),
);

const ofTransition: Reader = (content) => {
  const clause = clauseOf(content);
  if (qualified.test(clause) || denial.test(clause)) return undefined;
  const { about = '', former = '', next = '', rest = '' } = (moved.exec(clause) ?? replaced.exec(clause))?.groups ?? {};
  const [gone, come] = [tokensIn(former), tokensIn(next)];
  for (const token of come) gone.delete(token);
  if (gone.size === 0 || come.size === 0) return undefined;
  const said = new Set([...tokensIn(`${about} ${rest} ${former}`), ...having]);
  return {
    former: gone,
    contradicts(old) {
      const was = clauseOf(old);
      if (qualified.test(was) || denial.test(was) || moved.test(was) || replaced.test(was)) return false;
      const tokens = tokensIn(was);
      // Whatever else the old one says must be said again, or it is about something else.
      return isSubset(gone, tokens) && isSubset(tokens, said) && isSubset(tokensIn(about), tokens);
    },
  };
};

// ── denied now ──────────────────────────────────────────────────────────────────────────────────────────────────────

const deniedVerb = /\b(?:(?:do|does|is|are|will|should|can|may|must)(?:n['’]t| not|not)|never|no longer|stopped)\b/i;

/** A statement without what denies it; undefined when it denies nothing, or more than its verb. */
function affirmed(clause: string): ReadonlySet<string> | undefined {
  if (!deniedVerb.test(clause)) return undefined;
  const bare = clause.replace(deniedVerb, ' ');
  return denial.test(bare) ? undefined : contentOf(bare);
}

/** Words that say how things turned are no part of what is said. */
const contentOf = (text: string): Set<string> => tokensIn(text.replace(turn, ' '));

const ofDenial: Reader = (content, category) => {
  if (!stating.has(category) || category === 'fact') return undefined;
  const clause = clauseOf(content);
  if (qualified.test(clause)) return undefined;
  const bare = affirmed(clause);
  if (bare !== undefined) {
    if (bare.size < 2) return undefined;
    return {
      former: bare,
      contradicts: (old) =>
        !qualified.test(clauseOf(old)) && !denial.test(clauseOf(old)) && areEqual(contentOf(clauseOf(old)), bare),
    };
  }
  // The other way round it has to be said that it is otherwise now: otherwise both may hold, of different things.
  if (denial.test(clause) || !(turn.test(content) || correcting.test(content))) return undefined;
  const said = contentOf(clause);
  if (said.size < 2) return undefined;
  return {
    former: said,
    contradicts(old) {
      const was = affirmed(clauseOf(old));
      return was !== undefined && !qualified.test(clauseOf(old)) && areEqual(was, said);
    },
  };
};

// ── one value for another ───────────────────────────────────────────────────────────────────────────────────────────

const attribute =
  /^(?<subject>(?:[Tt]he|[Oo]ur|[Mm]y|\p{Lu}[\p{L}\p{N}_-]*['’]s) [^,;:!?]{2,60}?) (?:is|are) (?:now )?(?:called |named |set to |at |on |in |by )?(?<value>[^,;:!?]{1,60}?)(?: now)?[.!]?$/u;
/** Attributes of which a thing has one at a time. */
const single =
  /\b(?:port|version|url|uri|host|domain|e-?mail|address|phone|number|name|branch|path|folder|budget|price|fee|rate|salary|deadline|due date|launch date|release date|birthday|limit|timeout|quota|threshold|size|count|interval|time ?zone|language|currency|colou?r|owner|manager|boss|lead|role|title|capital|default|database|home|headquarters|office|favou?rite [\p{L} ]+)$/iu;
const maxValueWords = 5;

const attributeOf = (clause: string): { subject: Set<string>; words: string; value: string } | undefined => {
  const { subject, value } = attribute.exec(clause)?.groups ?? {};
  if (subject === undefined || value === undefined || value.split(' ').length > maxValueWords) return undefined;
  // "8080 in staging" is the value of something narrower.
  if (/ (?:in|on|at|for|of|during|with|under) /i.test(value)) return undefined;
  return { subject: tokensIn(subject), words: subject, value };
};

const hasKind = (value: string): 'number' | 'text' => (/\d/.test(value) ? 'number' : 'text');

const ofAttribute: Reader = (content, category) => {
  if (!stating.has(category)) return undefined;
  const clause = clauseOf(content);
  if (qualified.test(clause) || denial.test(clause)) return undefined;
  const now = attributeOf(clause);
  if (now === undefined || now.subject.size === 0) return undefined;
  const isMarked = turn.test(content) || correcting.test(content) || category === 'correction';
  if (!isMarked && !single.test(now.words)) return undefined;
  return {
    former: now.subject,
    contradicts(old) {
      const clauseBefore = clauseOf(old);
      if (qualified.test(clauseBefore) || denial.test(clauseBefore)) return false;
      const was = attributeOf(clauseBefore);
      if (was === undefined || !areEqual(was.subject, now.subject)) return false;
      const [mine, theirs] = [tokensIn(now.value), tokensIn(was.value)];
      // What says more of the same, "Postgres" and "Postgres 16", does not contradict; nor do a number and a description.
      if (mine.size === 0 || theirs.size === 0 || isSubset(mine, theirs) || isSubset(theirs, mine)) return false;
      return hasKind(now.value) === hasKind(was.value);
    },
  };
};

// ── the other way round ─────────────────────────────────────────────────────────────────────────────────────────────

const preference =
  /^(?<who>.{0,40}?)\b(?:prefers?|likes?|favou?rs?|chose|picks?|uses?)\b (?<more>[^,;:!?]{1,60}?) (?:over|rather than|instead of|more than|better than) (?<less>[^,;:!?]{1,60}?)[.!]?$/i;

const ofPreference: Reader = (content, category) => {
  if (!stating.has(category)) return undefined;
  const clause = clauseOf(content);
  const { who = '', more = '', less = '' } = preference.exec(clause)?.groups ?? {};
  const [up, down] = [tokensIn(more), tokensIn(less)];
  if (
    up.size === 0 ||
    down.size === 0 ||
    qualified.test(clause) ||
    denial.test(clause.replace(/\b(?:rather than|instead of)\b/i, ' '))
  )
    return undefined;
  return {
    former: down,
    contradicts(old) {
      const was = preference.exec(clauseOf(old))?.groups;
      if (was === undefined || qualified.test(clauseOf(old)) || !areEqual(tokensIn(was.who ?? ''), tokensIn(who)))
        return false;
      return areEqual(tokensIn(was.more ?? ''), down) && areEqual(tokensIn(was.less ?? ''), up);
    },
  };
};

const readers: readonly Reader[] = [ofTransition, ofPreference, ofAttribute, ofDenial];

/**
 * Reads a statement as one that contradicts others; undefined for almost all of them.
 *
 * - something was moved, switched or changed from one value to another, or replaced: takes back that it has the former value
 * - a preference between two takes back the same preference the other way round
 * - an attribute of which a thing has one ("the port", "my email"), or any that is said to be otherwise now, with another value
 * - a statement that is denied now, or holds again, and has the same content words
 *
 * Neither side may be limited ("when", "usually") or of the past.
 */
export function contradictionOf(content: string, category: MemoryCategory): Contradiction | undefined {
  for (const read of readers) {
    const found = read(content, category);
    if (found !== undefined) return found;
  }
  return undefined;
}
