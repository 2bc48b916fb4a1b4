// The prose of a turn, sentence by sentence, without code, tool lines and quotations. Here are also the tests that every rule shares (is it
// a question, is it only supposed). Which sentences matter is decided in rules/.

import { fenceReader } from '../base/fenced-blocks.ts';
import { face, splitSentences } from '../base/sentences.ts';
import { labelledOf, sentenceCase } from './labels.ts';
import { announced, fillers, leadingBecause } from './rules/openings.ts';

/** One sentence of a turn. */
export interface Sentence {
  /** On one line, without the words of the opening (`Okay, `) and the mark of a list: what the rules look at. */
  readonly text: string;
  /** As it was said, on one line, without the mark of a list: what is kept. */
  readonly quote: string;
  /** Its opening says that it is to be known or noted: `Note to self: …`. */
  readonly isForKeeping?: true;
  /** The priority of a Priority Extract: `- [P0] …`. */
  readonly priority?: 'P0' | 'P1' | 'P2' | 'P3';
}

const maxSentenceLength = 400;

/** `- [P0] …`, also in bold or with a box to tick. */
const priorityMark = /^\s*(?:[-*+]|\d{1,3}[.)])?\s*(?:\[[ xX]\]\s*)?(?:\*\*)?\[(P[0-3])\](?:\*\*)?[\s:–—-]*/;
const listMark = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?/;

/** Words that open a spoken sentence and say nothing; they are cut as long as something follows. */
const openers = new RegExp(
  `^(?:(?:${fillers}|roger|affirmative|that's affirmative|apollo 13|13)[,.!:;]\\s+|(?:um|uh|er|erm|mm|ah|yeah|ok|okay|well|and|but|so|also|${leadingBecause}|then|plus)\\s+(?!far\\b|much\\b|many\\b|long\\b|done\\b|known\\b|rested\\b))`,
  'i',
);

/** Code keeps every sign. */
const emphasis =
  /(`[^`]+`)|\*\*|__|(?<![\p{Alpha}\d])[*_](?=[\p{Alpha}\d])|(?<=[\p{Alpha}\d.!?])[*_](?![\p{Alpha}\d])/gu;

/** Lists the lines of prose: fenced code, quotations, tool lines, tables and headings are somebody else's words, or none. */
function proseLines(text: string): string[] {
  const lines: string[] = [];
  const placeOf = fenceReader();
  for (const line of text.split('\n')) {
    if (placeOf(line) !== null) continue;
    if (/^\s*(?:>|\||#{1,6}\s|<!--)/.test(line) || /^(?: {4}|\t)\S/.test(line)) lines.push('');
    else lines.push(line);
  }
  return lines;
}

/** What stands before a sentence: a remark in brackets, signs, faces. */
const before = new RegExp(`^(?:\\([^()]{1,40}\\)|${face.source}|[-–—*.,;:)\\s])+`, 'u');

const decides = /^(?:then )?(?:that|it)(?:['’]s| is) (?:all )?(?:settled|decided|agreed|unanimous)\b/i;

function clean(sentence: string): Sentence {
  const quote = sentence.replace(/\s+/g, ' ').trim();
  let text = sentence
    .replace(/(?<=\p{Alpha})`(?=\p{Alpha})/gu, "'")
    .replace(emphasis, '$1')
    .replace(/\s+/g, ' ')
    .replace(before, '')
    .trim();
  let isForKeeping = false;
  for (let cuts = 0; cuts < 6; cuts++) {
    // A label says what kind of thing follows, and is read later.
    // "That's settled: ...": what is decided stays with what says so.
    const { text: matter, isForKeeping: isMeant } =
      labelledOf(text) === undefined && !decides.test(text) ? announced(text) : { text, isForKeeping: false };
    const shorter = matter.replace(openers, '');
    isForKeeping ||= isMeant;
    if (shorter === text || shorter.length < 8) break;
    text = shorter;
  }
  return { text: sentenceCase(text), quote, ...(isForKeeping ? { isForKeeping } : {}) };
}

/** `Decision: …` on a line of its own is a note, also where nothing ended the line above it. */
function opensNote(line: string): boolean {
  const words = line.replace(emphasis, '$1').trim();
  return /^[\p{Alpha}’' -]{2,20}:/u.test(words) && labelledOf(words) !== undefined;
}

/** Lists the sentences of a turn that a rule may look at, in order; those longer than 400 characters are left out. */
export function sentencesOf(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  let paragraph: string[] = [];
  const flush = (): void => {
    for (const sentence of splitSentences(paragraph.join(' '))) {
      const cleaned = clean(sentence);
      if (cleaned.text !== '' && cleaned.text.length <= maxSentenceLength) sentences.push(cleaned);
    }
    paragraph = [];
  };
  for (const line of proseLines(text)) {
    const priority = priorityMark.exec(line);
    if (priority !== null) {
      flush();
      const quote = line.slice(priority[0].length).replace(/\s+/g, ' ').trim();
      const text = sentenceCase(quote.replace(emphasis, '$1').trim());
      if (text !== '') sentences.push({ text, quote, priority: priority[1] as NonNullable<Sentence['priority']> });
    } else if (line.trim() === '') flush();
    else {
      if (listMark.test(line) || opensNote(line)) flush();
      paragraph.push(line.replace(listMark, ''));
    }
  }
  flush();
  return sentences;
}

const inversion =
  /^(?:(?:well|so|and|but|um|uh|okay|ok|hey|also|please) )?(?:do|does|did|can|could|would|should|is|are|am|was|were|has|have|had|will|shall|may|won't|don't|didn't|isn't|aren't|can't|couldn't|wouldn't|shouldn't) (?:i|you|u|ya|y'all|we|he|she|it|they|there|the|this|that|these|those|my|your|our|anyone|anybody|someone|everybody)\b/i;
const indirectQuestion =
  /^(?:(?:i|we)(?:'m| am|'re| are|'d| was| were)? )?(?:wonder(?:ing)?|curious|not sure|trying to (?:decide|figure out)|what about|how about|what if|why don't|why not|tell me|let me know|let us know)\b/i;

/** "What would happen then": asked without a mark; "what is new is that …" states. */
const unmarked =
  /^(?:what|how|why|where|who|when|which \p{Alpha}+) (?:would|do|does|did|can|could|should|will|have|has|(?:is|are|was|were)\b(?!.*\b(?:is|was|are|were)\b))\b/iu;

/** Tells whether a sentence asks rather than states. */
export function isQuestion(sentence: string): boolean {
  return (
    /\?["”'’)\s]*$/.test(sentence) ||
    /\?\s/.test(sentence) ||
    inversion.test(sentence) ||
    unmarked.test(sentence) ||
    indirectQuestion.test(sentence)
  );
}

/** "Could you answer me in German from now on?": asked for good, it orders. */
export const orderForGood =
  /^(?:(?:and|so|ok|okay|please|also),? )?(?:can|could|would|will) (?:you|u|we)(?: please| also| just)?\b(?!.*\b(?:tell me|talk|meet|visit|discuss|explain|know|see|imagine|what|how|why|where|who)\b)(?=.*\b(?:from (?:now|here|today) on|in (?:the )?future|going forward|every time|each time|whenever|for good)\b| (?:always|never|not|only ever) (?:give|write|send|use|put|answer|reply|respond|add|include|call|show|name|quote|cite|keep|speak|start|end|sign|format|ask|check)\b| (?:stop|quit|avoid) (?:using|writing|adding|putting|calling|sending|answering|starting|ending|repeating|apologi[sz]ing|asking|saying|making|giving|with)\b| (?:go back|switch|stick) to \p{Alpha}+)/iu;

/** Where a statement turns into a question: "I fly on Monday, what should I pack?" */
const questionTail =
  /(?:,|;| -| –| —) (?:and |so |but |or )?(?:(?:please )?(?:can|could|would|will|should|do|does|did|is|are|am|was|were|have|has) (?:you|i|we|it|there|that|this|they|he|she|the|my)\b|(?:what|how|where|which|why|when|who|whose|whom|any|anything|right|ok|okay|don't you|isn't it|you know|got any|thoughts)\b).*$/i;

/** Gives what a sentence states before it asks; undefined if it only asks. */
export function statedIn(sentence: string): string | undefined {
  if (
    !isQuestion(sentence) ||
    /^(?:can|could|would|will) (?:you|u) (?:please |also )*remind (?:me|us)\b/i.test(sentence) ||
    orderForGood.test(sentence)
  )
    return sentence;
  const tail = questionTail.exec(sentence);
  if (tail === null) return undefined;
  const stated = sentence.slice(0, tail.index).trim();
  return isQuestion(stated) || questionWord.test(stated) || stated.split(' ').length < 4 ? undefined : `${stated}.`;
}

const questionWord = /^(?:what|how|where|which|why|when|who|whose|any)\b/i;
const dependent =
  /^(?:(?:yesterday|today|last \p{Alpha}+|one day),? )?(?:if|when|whenever|after|before|because|since|while|although|though|as|once|until|unless|to|in|on|at|for|from|with|by|not|either|both)\b/iu;
const ownSubject =
  "(?:(?:I|we|he|she|they|it)(?:'s|'m|'re|'ll|'ve|'d| [a-z]+)|(?:[Tt]he|[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir|[Ii]ts)(?: [\\w'-]+){1,3} (?:is|are|was|were|has|have|will|can|[a-z]+s|[a-z]+ed)\\b|\\p{Upper}[\\p{Alpha}'-]+(?: \\p{Upper}[\\p{Alpha}'-]+)?(?: alone)? (?:is|was|has|will|'ll|may|can|must|shall|should|[a-z]+s|[a-z]+ed|took|went|got|made|left|kept)\\b|(?:[Nn]othing|[Nn]obody|[Nn]o one|[Ee]verything|[Ee]verybody)(?: else)? (?:is|was|has|will|may|can|[a-z]+s)\\b)";
/** Something is said already: a verb stands here. */
const verb =
  /\b(?:is|are|was|were|am|has|have|had|will|can|does|did|do|must|took|went|got|made|left|kept|goes|came|saw|met|ran|let|put|\p{Lower}{2,}(?:ed|ts|ks|ns|ls|rs|ds|ps|ys|ws|ves|tes|kes|nes|shes|ches|ses))\b|['’](?:s|re|m|ll|ve) |^(?:I|[Ww]e|[Tt]hey) /u;
/** Tells whether a verb is in a text; guessed from endings. */
export const saysSomething = (text: string): boolean => verb.test(text);

const joint = new RegExp(
  `(?:; |,? and (?:so |then )?(?=${ownSubject})|, (?=(?:he|she|they|it|his|her|their|my|our|I|we)\\b)(?=${ownSubject}))`,
  'u',
);

/** "Lead is Mateus, designer is Ines": two of a kind, each a short name and what is. */
const parallel =
  /^((?:\p{Upper}\p{Lower}+|\p{Upper}{2,5})(?: [\p{Lower}-]+){0,2} (?:is|are) [^,;:]{2,60}), ((?!(?:which|who|that|what|where|there|this|it|so|as|if|when|while|not|neither|nor|but|and|or|he|she|they|we|you|nothing|everything)\b)(?:\p{Lower}+|\p{Upper}{2,5})(?: [\p{Lower}-]+){0,2} (?:is|are) .+)$/u;

/**
 * Cuts a sentence in two where a second statement with a subject of its own begins; undefined where none does.
 *
 * `'Hugo owns billing, and Lien reviews it.'` is `['Hugo owns billing.', 'Lien reviews it.']`.
 */
export function statementsIn(sentence: string): readonly [string, string] | undefined {
  if (dependent.test(sentence)) return undefined;
  const alike = parallel.exec(sentence);
  if (alike !== null) return [`${alike[1]}.`, sentenceCase(alike[2]!)];
  const match = joint.exec(sentence);
  if (match === null) return undefined;
  const first = sentence.slice(0, match.index).trim();
  const second = sentence.slice(match.index + match[0].length).trim();
  // "When my sister and I met": one subject of two.
  if (
    /\b(?:when|because|that|while|where|since|after|before|if|as) (?:my|our|the|\p{Upper}\p{Lower}+)(?: [\p{Alpha}'-]+){0,3}$/u.test(
      first,
    ) &&
    !saysSomething(first.replace(/^.*\b(?:when|because|that|while|where|since|after|before|if|as) /, ''))
  )
    return undefined;
  // "My oldest friends and I": the same, where nothing stands before.
  const isPair = / and $/.test(match[0]) && /^I\b/.test(second);
  if (isPair && /^(?:my|our|the|some|an?) (?:[\p{Lower}'-]+ ){0,3}[\p{Lower}'-]+$/iu.test(first)) return undefined;
  const isTold =
    saysSomething(first) ||
    /^\p{Upper}[\p{Alpha}'-]+(?: \p{Upper}[\p{Alpha}'-]+)? \p{Lower}+(?:[lgcr]es)\b/u.test(first);
  if (!isTold || first.split(' ').length < 3 || second.split(' ').length < 4) return undefined;
  return [`${first}.`, sentenceCase(second)];
}

/** Tells whether a sentence was broken off, is a quotation, or is more code than words. */
export function isFragment(sentence: string): boolean {
  if (sentence.startsWith('[')) return true;
  if (/(?:- ?-|\.\.\.|…|,|-|–|—)["”'’)\s]*$/.test(sentence) || /\.\.\. /.test(sentence)) return true;
  // "Gas is cheaper so": the rest was never said.
  if (
    /\b(?:and|but|or|so|because|cause|cuz|the|an?|my|our|than|was an?)[.!]*$/i.test(sentence) &&
    !/\b(?:do|did|think|hope|said|say) so[.!]*$/i.test(sentence)
  )
    return true;
  if (/^["“'‘][^"“”]*["”'’][.!]?$/.test(sentence)) return true;
  const signs = sentence.match(/[{}<>=;|\\$[\]]/g)?.length ?? 0;
  return signs > 2 && signs * 25 > sentence.length;
}
