// Names in place of I, my, we, our and you, with verbs that agree. Third persons and what "this" means are in references.ts.

import { withFullVerbs } from './spelling.ts';
import {
  agreeing,
  doubtfulVerbs,
  isAdverb,
  isOnlyParticiple,
  isParticiple,
  isPast,
  noVerb,
  plainVerbs,
  timelessForms,
} from './verbs.ts';

/** The people a speaker's words mean. */
export interface Persons {
  /** Whom "I" means. */
  readonly speaker: string;
  /** Whom "you" means, if that is certain. */
  readonly hearer?: string;
  /** Whom "we" means, as a noun in the singular ("Ada's team"), or two people joined with "and". */
  readonly group: string;
  /** What "our" is, without its possessive: the group, or the speaker where something is as much theirs. */
  readonly owner: (thing: string) => string;
}

/** "By myself", which a name cannot take. */
const onesOwn = /\b(?:by (?:myself|ourselves)|on (?:my|our) own)\b/g;

/** One word, or what stands between two. */
const pieces = /[\p{Alpha}\d]+(?:['’-][\p{Alpha}\d]+)*|\s+|[^\s]/gu;
const isWord = (piece: string | undefined): boolean => piece !== undefined && /^[\p{Alpha}\d]/u.test(piece);

/** Gives the possessive of a name: `Ines’s` as `Ines's`; plural nouns take the mark alone, and `the` stays. */
export const possessive = (name: string): string =>
  name === 'the' ? name : /^the \p{Lower}+s$/u.test(name) ? `${name}'` : `${name}'s`;

/** What opens a clause, so that "X and I" after it is one subject. */
const jointSubject =
  /(?:^|[,;:—–.!?(] ?|\b(?:when|because|that|since|while|so|if|after|before|where|as|and|but|then|today|on \d{4}-\d\d-\d\d,?|around \S+) )((?:(?:my|our|the|his|her|your) )?(?:[\p{Alpha}’'-]+ ){1,4})and (?:I|me)$/iu;
const pronounOrVerb =
  /\b(?:I|he|she|it|they|we|you|me|is|was|are|were|have|has|had|do|does|did|will|can|goes|went|ago|now|then|again)\b/;

/** The index of the next word from a place on, or of a sign that ends the clause. */
function nextWord(list: readonly string[], from: number): number {
  let at = from;
  while (at < list.length && /^\s+$/.test(list[at]!)) at++;
  return at;
}

/** A day behind "read" or "put" that makes it past. */
const happened =
  /\b(?:on \d{4}-|in \d{4}\b|around |the (?:week|weekend|night|evening|morning|afternoon) of \d|before \d{4}-)/;
const habitual =
  /\b(?:always|usually|often|every|each|never|sometimes|daily|mostly|when(?:ever)?|a (?:day|week|month)|lots?|on \p{Alpha}+days)\b/iu;

/** Makes the verb of a subject at `at` agree with one other person, and the verbs that "and" joins to it. */
function agree(list: string[], at: number): void {
  let index = nextWord(list, at);
  // A remark between commas: "I, for one, like it".
  if (list[index] === ',') {
    const close = list.indexOf(',', index + 1);
    if (close < 0 || close - index > 12) return;
    index = nextWord(list, close + 1);
  }
  while (isWord(list[index]) && (isAdverb(list[index]!) || isKindOf(list, index)))
    index = nextWord(list, index + (isKindOf(list, index) ? 3 : 1));
  const verb = list[index];
  if (!isWord(verb) || noVerb.test(verb!) || isOnlyParticiple(verb!) || /\p{Alpha}{3,}ing$/u.test(verb!)) return;
  const word = verb!.replace(/’/g, "'");
  const rest = list.slice(index).join('');
  if (timelessForms.has(word.toLowerCase()) && (!habitual.test(list.join('')) || happened.test(rest.slice(0, 60))))
    return;
  list[index] = agreeing(word);
  if (list[index] === verb) return;
  const isAuxiliary = /^(?:am|are|were|do|don't|haven't|aren't|weren't)$/i.test(word);
  const isBound = /\b(?:to|will|would|can|could|not|n't)\b/.test(rest.split(/[,;:.]| (?:and|or|but) /)[0]!);
  joined(list, index + 1, isAuxiliary || isBound || isPerfect(list, index));
}

/** "I kind of wanted": no verb and no noun. */
const isKindOf = (list: readonly string[], at: number): boolean =>
  /^(?:kind|kinds|sort|sorts)$/.test(list[at]!) && list[nextWord(list, at + 1)] === 'of';

/** Tells whether "have" leads in a participle: "I have moved". */
function isPerfect(list: readonly string[], at: number): boolean {
  let next = nextWord(list, at + 1);
  while (isWord(list[next]) && isAdverb(list[next]!)) next = nextWord(list, next + 1);
  return list[at] === 'has' && isParticiple(list[next] ?? '');
}

/** Conjugates "and works" after "lives in Rome": the same subject, in the same clause; after "is", only "and has" and the like. */
function joined(list: string[], from: number, auxiliariesOnly: boolean): void {
  for (let index = from; index < list.length; index++) {
    if (/^[;:.!?—–(]$/.test(list[index]!)) return;
    if (/^(?:that|which|who|because|when|if|while|since|so|I|he|she|they|we|it|you)$/.test(list[index]!)) return;
    if (!auxiliariesOnly && /^(?:to|for)$/.test(list[index]!)) return;
    if (!/^(?:and|or|but)$/.test(list[index]!)) continue;
    let at = nextWord(list, index + 1);
    while (isWord(list[at]) && isAdverb(list[at]!)) at = nextWord(list, at + 1);
    const word = list[at];
    if (!isWord(word)) return;
    if (/^(?:am|are|have|do|don['’]t|haven['’]t)$/.test(word!)) {
      list[at] = agreeing(word!.replace(/’/g, "'"));
      continue;
    }
    if (auxiliariesOnly) return;
    const following = list[nextWord(list, at + 1)] ?? '';
    const takesMore =
      /^(?:the|a|an|my|our|your|his|her|their|its|it|them|him|me|in|at|on|to|for|with|from|about|as|up|out|after|over|off|down|around|through|\d.*)$/i.test(
        following,
      );
    if (plainVerbs.has(word!) ? following !== '' : doubtfulVerbs.has(word!) && takesMore) list[at] = agreeing(word!);
  }
}

/** Puts an inverted verb in order with its subject: "neither do I", "nor have I". */
function agreeBackward(list: string[], at: number): boolean {
  let index = at - 1;
  while (index >= 0 && /^\s+$/.test(list[index]!)) index--;
  if (index < 0 || !/^(?:am|are|do|have|don['’]t|haven['’]t)$/.test(list[index]!)) return false;
  let lead = index - 1;
  while (lead >= 0 && /^\s+$/.test(list[lead]!)) lead--;
  if (!/^(?:nor|neither|so|never|rarely|seldom|only|than|as|what|how|where|when|why|who)$/i.test(list[lead] ?? ''))
    return false;
  list[index] = agreeing(list[index]!.replace(/’/g, "'"));
  return true;
}

function before(list: readonly string[], at: number): string {
  return list.slice(Math.max(0, at - 16), at).join('');
}

const verbForms = new Set([...plainVerbs, ...doubtfulVerbs].map(agreeing));

/** Tells whether "I" at a place is the second of two: "Frank and I". */
function isJoint(list: readonly string[], at: number): boolean {
  const match = jointSubject.exec(`${before(list, at)}${list[at]}`);
  // "Ben cleans the kitchen and I take the bins": the first has a verb of his own.
  const hasVerb = match?.[1]?.split(' ').some((word, nth) => nth > 0 && (isPast(word) || verbForms.has(word))) === true;
  return match !== null && !hasVerb && !pronounOrVerb.test(match[1]!);
}

/**
 * Writes a sentence with names for its speaker, their group and their hearer; undefined where it says "you" and nobody can say who is meant.
 */
export function withPersons(text: string, persons: Persons): string | undefined {
  const list = withFullVerbs(text).replace(onesOwn, 'alone').match(pieces) ?? [];
  const { speaker, hearer, group } = persons;
  const plural = / and /.test(group);
  for (let at = 0; at < list.length; at++) {
    const piece = list[at]!;
    const previous = before(list, at).trimEnd();
    switch (piece) {
      case 'I': {
        // "Vitamin I", "World War I": no person.
        if (/\p{Upper}\p{Alpha}*$/u.test(previous) && /^[.,;:)]/.test(list[at + 1] ?? '.')) break;
        if (/\b(?:suggest|recommend|insist|demand|propose)(?:s|ed)?(?: that)?$/.test(previous) || isJoint(list, at)) {
          list[at] = speaker;
          break;
        }
        if (!agreeBackward(list, at)) agree(list, at + 1);
        list[at] = speaker;
        break;
      }
      case 'me':
      case 'Me':
        if (piece === 'Me' && at > 0) break;
        list[at] = speaker;
        break;
      case 'myself':
        list[at] = 'themself';
        break;
      case 'my':
      case 'My':
        list[at] = possessive(speaker);
        break;
      case 'mine':
        list[at] = possessive(speaker);
        break;
      case 'we':
      case 'We': {
        const all = nextWord(list, at + 1);
        if (/^(?:all|both)$/.test(list[all] ?? '')) {
          if (list[all] === 'both' && !plural) return undefined;
          list[at] = `${list[all] === 'all' ? 'all of' : 'both'} ${group}`;
          list.splice(at + 1, all - at);
        } else {
          if (!plural && !agreeBackward(list, at)) agree(list, at + 1);
          list[at] = group;
        }
        break;
      }
      case 'us':
      case 'Us': {
        const all = nextWord(list, at + 1);
        list[at] = list[all] === 'all' ? `all of ${group}` : group;
        if (list[all] === 'all') list.splice(at + 1, all - at);
        break;
      }
      case 'ourselves':
        list[at] = /\b[Ww]e\b/.test(text) ? (plural ? 'themselves' : 'itself') : 'oneself';
        break;
      case 'our':
      case 'Our': {
        const thing = list
          .slice(at + 1, at + 12)
          .join('')
          .trim();
        // "We all made our own": each their own.
        list[at] = thing.startsWith('own ') && /\b[Ww]e\b/.test(text) ? 'their' : possessive(persons.owner(thing));
        break;
      }
      case 'ours':
        list[at] = possessive(group);
        break;
      case 'you':
      case 'You': {
        if (hearer === undefined) return undefined;
        if (
          /\b(?:for|to|with|of|from|about|by|at|tell|told|ask|asked|see|saw|show|showed|give|gave|help|thank|send|sent|let|met|meet|want|make|made|lend|lent|bring|brought|buy|bought|teach|taught|owe|owes|than|like)$/.test(
            previous,
          ) &&
          !/^(?:are|were|have|had|will|do|did)$/.test(list[nextWord(list, at + 1)] ?? '')
        ) {
          list[at] = hearer;
          break;
        }
        if (!agreeBackward(list, at)) agree(list, at + 1);
        list[at] = hearer;
        break;
      }
      case 'your':
      case 'Your':
        if (hearer === undefined) return undefined;
        list[at] = possessive(hearer);
        break;
      case 'yours':
        if (hearer === undefined) return undefined;
        list[at] = possessive(hearer);
        break;
      case 'yourself':
      case 'yourselves':
        if (hearer === undefined) return undefined;
        list[at] = hearer;
        break;
      default:
    }
  }
  return list.join('');
}
