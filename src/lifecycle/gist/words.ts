// A text as words that a gist may leave out, and those it may not: numbers, names, code, and what turns a meaning round.

import { fenceReader } from '../../base/fenced-blocks.ts';
import { splitSentences } from '../../base/sentences.ts';
import { isStopWord } from '../../base/tokenizer.ts';
import { isOpener } from './fillers.ts';

/** How firmly a word stays: `never` is left out, or only with its whole sentence. */
export type Hold = 'free' | 'sentence' | 'never';

/** One word between spaces. */
export interface Word {
  /** Signs before and behind it that are no part of it: quotation marks and brackets, then marks of the sentence. */
  readonly lead: string;
  readonly core: string;
  readonly trail: string;
  /** The core in lower case, with straight apostrophes. */
  readonly lower: string;
  readonly hold: Hold;
  /** Opens or closes a quotation or bracket, so it does not go alone. */
  readonly isAnchor: boolean;
}

/** A sentence, a heading or an item of a list. */
export interface Sentence {
  readonly words: readonly Word[];
  /** What closes it where it has no mark of its own and more follows. */
  readonly end: '.' | ':' | ';';
}

const opening = /^[("'“‘«[{*_~>]*/;
const [closers, marks] = [')"\'”’»]}*_~', '.,;:!?…'];
const emphasis = /[*_~]{1,3}/g;
const listMark = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?/;

/** Words that turn or limit what is said. */
const turning = new Set(
  `not no never none nothing nobody neither nor without cannot unless except only if until instead rather or than before
  after versus vs must should may might least most all both each every always against despite although though however but
  because since while whether once down off out under between`.split(/\s+/),
);

const numberWords = new Set(
  `two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen
  twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands million millions billion billions
  zero half dozen twice third thirds quarter quarters minus plus percent`.split(/\s+/),
);

/** Stand before a name without being part of it. */
const greetings = new Set('okay ok hey hi hello thanks thank yes yeah yep oh ah please also'.split(' '));

const code = /[_`@#\\/=<>{}|$^]|[\p{L}\p{N}][.:][\p{L}\p{N}]|\(\)|^-{1,2}\p{L}/u;

function holdOf(core: string, lower: string, opensSentence: boolean, isBeforeName: boolean): Hold {
  if (/\p{N}/u.test(core) || code.test(core) || numberWords.has(lower)) return 'never';
  if (/\p{Lu}/u.test(core) && !/^i(?:'(?:m|ve|ll|d))?$/.test(lower)) {
    // Every sentence begins with a capital; only a word that all texts are full of is certainly no name there.
    const isStop = isStopWord(lower.replaceAll("'", ''));
    const isCommon = isStop || isOpener(lower) || turning.has(lower);
    const isName = isBeforeName && (lower === 'will' || (!isStop && !greetings.has(lower)));
    if (!opensSentence || !isCommon || isName || /\p{Lu}.*\p{Lu}/u.test(core)) return 'never';
  }
  if (turning.has(lower) || lower.endsWith("n't")) return 'sentence';
  // A word of no letters, such as an arrow or an equals sign, stands between two things.
  return core !== '' && !/\p{L}/u.test(core) && !/^[-–—.…]+$/.test(core) ? 'never' : 'free';
}

function partsOf(chunk: string): { lead: string; core: string; trail: string } {
  const lead = opening.exec(chunk)![0];
  let end = chunk.length;
  // By hand: a pattern tries each run of signs within a long word from all of its places.
  for (const signs of [closers, marks, closers]) while (end > lead.length && signs.includes(chunk[end - 1]!)) end -= 1;
  return {
    lead: lead.replace(emphasis, ''),
    core: chunk.slice(lead.length, end),
    trail: chunk.slice(end).replace(emphasis, ''),
  };
}

function wordsOf(sentence: string): Word[] {
  let isInCode = false;
  const chunks = sentence.split(/\s+/).filter((chunk) => chunk !== '');
  let isOpen = false;
  const parts = chunks.map((chunk) => {
    const isCode = isOpen || chunk.includes('`');
    if (chunk.split('`').length % 2 === 0) isOpen = !isOpen;
    return isCode ? { lead: '', core: chunk, trail: '' } : partsOf(chunk);
  });
  let opens = true;
  return parts.map(({ lead, core, trail }, at) => {
    const ticks = core.split('`').length - 1;
    const isCode = isInCode || ticks > 0;
    if (ticks % 2 === 1) isInCode = !isInCode;
    const lower = core.toLowerCase().replaceAll('’', "'");
    const next = parts[at + 1]?.core ?? '';
    const isBeforeName = trail === '' && /^\p{Lu}/u.test(next) && !/^I(?:['’]|$)/.test(next);
    const hold = isCode ? 'never' : holdOf(core, lower, opens, isBeforeName);
    opens = /^[-–—.…]*$/.test(core) || /[:…]$|\.{2}$/.test(trail) || (opens && isOpener(lower));
    return { lead, core, trail, lower, hold, isAnchor: /["“”«»()[\]{}]/.test(lead + trail) || lead !== '' };
  });
}

/** What goes on in lower case, or with a number, was no end: "in the U.K. by May", "figs. 2 and 3". */
function wholeSentences(paragraph: string): string[] {
  const whole: string[] = [];
  for (const sentence of splitSentences(paragraph)) {
    if (whole.length > 0 && /^(?:\p{Ll}|\p{N}+(?!\p{N}|[.)]))/u.test(sentence))
      whole.push(`${whole.pop()} ${sentence}`);
    else whole.push(sentence);
  }
  return whole;
}

/** Cuts a text, plain or markdown, into sentences; what is between code fences is kept as it stands, line by line. */
export function sentencesOf(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  let paragraph: string[] = [];
  const placeOf = fenceReader();
  const add = (sentence: string, end: Sentence['end']): void => {
    const words = wordsOf(sentence);
    if (words.length > 0) sentences.push({ words, end });
  };
  const flush = (end: Sentence['end'] = '.'): void => {
    for (const sentence of wholeSentences(paragraph.join(' '))) add(sentence, end);
    paragraph = [];
  };
  let isItem = false;
  for (const line of text.split('\n')) {
    const place = placeOf(line);
    if (place === 'opens' || place === 'closes') flush(isItem ? ';' : '.');
    else if (place === 'within') {
      if (line.trim() !== '') add(`\`${line.trim().replaceAll('`', "'")}\``, ';');
    } else if (/^\s*(?:[-=*_|: ]{3,}|<!--.*-->)?\s*$/.test(line)) {
      flush(isItem ? ';' : '.');
      isItem = false;
    } else if (/^\s{0,3}#{1,6}\s/.test(line)) {
      flush(isItem ? ';' : '.');
      isItem = false;
      add(line.replace(/^\s*#+\s*|\s*#*\s*$/g, ''), ':');
    } else if (listMark.test(line)) {
      flush(isItem ? ';' : '.');
      isItem = true;
      // A full stop behind its number would end a sentence.
      paragraph.push(
        line
          .replace(/^\s*(?:[-*+•])\s+(?:\[[ xX]\]\s+)?/, '')
          .replace(/^\s*(\d{1,3})\.\s/, '$1) ')
          .trim(),
      );
    } else paragraph.push(line.replace(/^\s*>+\s?/, '').trim());
  }
  flush(isItem ? ';' : '.');
  return sentences;
}

/** Lists the words of a text that nothing made of it may lack, in lower case: numbers, names, code, and what turns a meaning round. */
export function firmWordsOf(text: string): string[] {
  const words = sentencesOf(text).flatMap((sentence) => sentence.words);
  const denying = /^(?:not|no|never|none|nothing|nobody|neither|nor|without|unless|except|only)$/;
  return words
    .filter(({ hold, lower }) => hold === 'never' || denying.test(lower))
    .map(({ lower }) => lower.replace(/^`|`$/g, ''))
    .filter((word) => word !== '');
}
