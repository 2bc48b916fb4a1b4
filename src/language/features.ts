// What a scorer sees of a text: its words, neighbouring words, how it begins and ends, its shape, and where it stands. Nothing here knows a
// word of any language; what words mean is in the weights.

/** Where a text stands. */
export interface Setting {
  /** The role of the speaker: `user`, `agent`, `assistant`; default `user`. */
  readonly role?: string;
  /** The speaker's name, where it is known. */
  readonly speaker?: string | undefined;
  /** The turn before it, where there is one. */
  readonly before?: { readonly role: string; readonly text: string } | undefined;
}

/** A longer text is judged by its beginning. */
const mostRead = 4000;

/** Words, with what joins their parts (`don't`, `10:30`, `src/base`), and single signs. */
const token = /[\p{L}\p{N}]+(?:['’_.:/@-][\p{L}\p{N}]+)*|[^\s\p{L}\p{N}]/gu;
const isWord = /^[\p{L}\p{N}]/u;
const isCapital = /^\p{Lu}[\p{L}\p{N}]/u;
const isAllCapitals = /^\p{Lu}+$/u;
/** Behind these another sentence or clause begins, and a capital means nothing. */
const opensNext = /[.!?:;]/;
const endsWithQuestion = /\?["”'’)\s]*$/;

/** Steps of a measure: each is a feature once it is reached. Chosen by leaving writers out. */
const steps = {
  names: [0.01, 0.06, 0.12, 0.2, 0.3],
  numbers: [0.01, 0.06, 0.12, 0.2],
  letters: [3.5, 4, 4.5, 5],
  questions: [1, 2],
  cries: [1, 2],
  lines: [2, 4],
  signs: [1, 4, 9],
  quotes: [1, 3],
  sentences: [1, 2, 4, 7],
} as const;

/** Stands for all words of a shape: `10:30` is `0:0`, "Anna" inside a sentence `<Name>`. */
function keyOf(raw: string, word: string, opens: boolean): string {
  if (/\d/.test(word))
    return word.replace(/\p{L}+/gu, 'a').replace(/\d+/g, (digits) => (digits.length > 2 ? '000' : '0'));
  if (opens || !isCapital.test(raw)) return word;
  return isAllCapitals.test(raw) ? '<CAPS>' : '<Name>';
}

/**
 * Lists the features of a text, each once.
 *
 * `w word`, `b one two` (neighbours), `p begi` (beginnings of words), `1 first`, `2 first two`, `z last`, `y last two`; `# …` its shape;
 * `r role`; `a …` what it answers.
 */
export function featuresOf(text: string, { role = 'user', speaker, before }: Setting = {}): Set<string> {
  const read = text.length > mostRead ? text.slice(0, mostRead) : text;
  const features = new Set<string>();
  const count = { words: 0, names: 0, numbers: 0, letters: 0 };
  let opens = true;
  let first = '';
  let [before2, last] = ['', ''];
  let tokens = 0;
  for (const [raw] of read.matchAll(token)) {
    const word = raw.toLowerCase().replaceAll('’', "'");
    let key = word;
    if (isWord.test(raw)) {
      key = keyOf(raw, word, opens);
      opens = false;
      count.words += 1;
      count.letters += word.length;
      if (/\d/.test(key)) count.numbers += 1;
      else if (key[0] === '<') count.names += 1;
      if (key === word && word.length > 4) features.add(`p ${word.slice(0, 4)}`);
    } else opens ||= opensNext.test(raw);
    features.add(`w ${key}`);
    if (key !== word) features.add(`w ${word}`);
    if (tokens > 0) features.add(`b ${last} ${key}`);
    if (tokens === 0) first = key;
    if (tokens === 1) features.add(`2 ${first} ${key}`);
    [before2, last] = [last, key];
    tokens += 1;
  }
  if (tokens > 0) features.add(`1 ${first}`).add(`z ${last}`);
  if (tokens > 1) features.add(`y ${before2} ${last}`);
  const all = count.words || 1;
  const times = (sign: RegExp): number => read.match(sign)?.length ?? 0;
  const measures: Readonly<Record<keyof typeof steps, number>> = {
    names: count.names / all,
    numbers: count.numbers / all,
    letters: count.letters / all,
    questions: times(/\?/g),
    cries: times(/!/g),
    lines: times(/\n/g) + 1,
    signs: times(/[{}<>=|\\$[\]_#*`~^]/g),
    quotes: times(/["“”]/g),
    sentences: times(/[.!?]+(?:\s|$)/g),
  };
  for (const [name, value] of Object.entries(measures))
    for (const step of steps[name as keyof typeof steps]) if (value >= step) features.add(`# ${name} ${step}`);
  if (endsWithQuestion.test(read)) features.add('# asks');
  if (/^\p{Ll}/u.test(read)) features.add('# begins small');
  if (!/[.!?]["”'’)\s]*$/.test(read)) features.add('# is open');
  features.add(`r ${role === 'agent' ? 'assistant' : role}`);
  if (speaker !== undefined && speaker !== null) features.add('r named');
  if (before !== undefined) {
    features.add('a').add(`a ${before.role === 'agent' ? 'assistant' : before.role}`);
    if (endsWithQuestion.test(before.text)) features.add('a asked');
  }
  return features;
}

/** Hashes a feature to 32 bits: FNV-1a, with its last bits mixed. */
export function hashOf(feature: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let at = 0; at < feature.length; at++) hash = Math.imul(hash ^ feature.charCodeAt(at), 0x01_00_01_93);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c_1b_3c_6d);
  return (hash ^ (hash >>> 12)) >>> 0;
}
