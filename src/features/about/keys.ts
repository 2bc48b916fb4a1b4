// What code is asked by: paths, commands, names, and the signatures of errors. A key is what stays the same where numbers, folders and options
// differ. Nothing here knows a language of people.

/** Words of a command that its key has at most, and steps of a command that are looked at. */
const mostWords = 3;
const mostSteps = 4;

/** Steps of a shell that do nothing but set the scene. */
const settings: ReadonlySet<string> = new Set(['cd', 'export', 'set', 'source', 'echo', 'sleep']);

/** Gives the keys of the steps of a command line, without options, quoted texts and absolute paths: `npm run build`. */
export function commandKeys(command: string): string[] {
  const keys = stepsOf(command).map((step) => wordsOfStep(step.replace(/'[^']*'|"[^"]*"/g, '""')).join(' '));
  return [...new Set(keys)].filter((key) => key !== '').slice(0, mostSteps);
}

/** Gives the steps of a command line that do something, as they are written: without what is behind a pipe, and where output goes. */
export function stepsOf(command: string): string[] {
  // What is quoted is no structure; a mask of the same length tells where it is.
  const masked = command.replace(/'[^']*'|"[^"]*"/g, (quoted) => '_'.repeat(quoted.length));
  const steps: string[] = [];
  let start = 0;
  for (const { 0: mark, index } of [...masked.matchAll(/&&|\|\|?|[;\n]|(?<![>&])&(?![>\d])|$/g)]) {
    if (start >= 0) steps.push(command.slice(start, index));
    start = mark === '|' ? -1 : index + mark.length;
  }
  return steps
    .map((step) =>
      step
        .replace(/\s*\d?>>?\s*(?:&\d|\S+)/g, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((step) => step !== '' && !settings.has(wordsOfStep(step)[0] ?? 'set'));
}

/** Tells whether a command does all that another does, so that where it goes well, the other would have: the same steps, or broader ones. */
export function covers(broad: string, narrow: string): boolean {
  const steps = stepsOf(broad);
  const wanted = stepsOf(narrow);
  return wanted.length > 0 && wanted.every((step) => steps.some((one) => step === one || step.startsWith(`${one} `)));
}

function wordsOfStep(step: string): string[] {
  const words = step.trim().split(/\s+/);
  while (words.length > 0 && /^(?:\w+=.*|sudo|time)$/.test(words[0]!)) words.shift();
  return words.filter((word) => word !== '' && !/^["'`$<>&(){}~/-]|^\d*[<>]|^[\d.]+$/.test(word)).slice(0, mostWords);
}

/** Tells whether two commands are the same one with more or fewer arguments: the words of one begin the other's. */
export function isSameCommand(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  return short === long || (short.includes(' ') && long.startsWith(`${short} `));
}

/** Gives a key and what it begins with, down to two words: `npm run build`, `npm run`. */
export function prefixesOf(key: string): string[] {
  const words = key.split(' ');
  return words.map((_, at) => words.slice(0, words.length - at).join(' ')).slice(0, Math.max(1, words.length - 1));
}

/** Writes a line of an error without what differs from run to run: addresses, numbers, hashes, folders, case. Codes such as `TS2345` stay. */
export function signatureOf(line: string): string {
  return line
    .replace(/\b0x[0-9a-f]+\b|\b(?=[a-f]*\d)[0-9a-f]{7,64}\b/gi, '#')
    .replace(/(?:[A-Za-z]:)?(?:[\w.@~+-]*[/\\])+(?=[\w.])/g, '')
    .replace(/(?<!\w)\d+/g, '#')
    .replace(/#(?:[.:,]#)+/g, '#')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

/** Finds codes of errors as they are written: `ERR_INVALID_ARG`, `ENOENT`, `TS2345`, `E0308`. */
export const codesAsWritten = (text: string): string[] => [
  ...new Set(text.match(/\b(?:[A-Z][A-Z0-9]*_[A-Z0-9_]+|E[A-Z]{4,15}|[A-Z]{1,6}\d{3,5})\b/g)),
];
/** The same in lower case. */
export const codesIn = (text: string): string[] => codesAsWritten(text).map((code) => code.toLowerCase());

const bagOf = (signature: string): Set<string> => new Set(signature.match(/[\p{L}\p{N}_]{2,}/gu) ?? []);

/** What a line quotes: `number` of "Type 'number' is not assignable". */
const quotes = (signature: string): string[] => signature.match(/(?<=(["'`])).+?(?=\1)/g) ?? [];

/**
 * Tells how much of two signatures is the same, 0 to 1; one of the two may be a part of the other. Those that both quote something, and nothing
 * that is the same, are of two errors.
 */
export function likenessOf(one: string, other: string): number {
  if (one === other) return 1;
  const [mine, theirs] = [quotes(one), quotes(other)];
  if (mine.length > 0 && theirs.length > 0 && !mine.some((word) => theirs.includes(word))) return 0;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  const [few, many] = [bagOf(short), bagOf(long)];
  if (few.size >= 3 && long.includes(short)) return 0.9;
  const shared = [...few].filter((word) => many.has(word)).length;
  return shared < 3 ? 0 : shared / Math.max(few.size, many.size);
}

/** Gives the ways by which a path can be named: all of it, and each ending from a folder on. */
export function endingsOf(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, at) => parts.slice(at).join('/'));
}

const fileName = /(?<![\w/.-])(?:[\w.-]+\/)*[\w-][\w.-]*\.[A-Za-z]\w{0,5}(?![\w/])/g;
const codeWord = /(?<![\w$])[A-Za-z_$][\w$]{2,63}(?![\w$])/g;

/** Finds the files that a text names. */
export const filesIn = (text: string): string[] => [...new Set(text.match(fileName) ?? [])];

/** Finds the words of a text that may name something in code, or a program. */
export const codeWordsIn = (text: string): string[] => [...new Set(text.match(codeWord) ?? [])];
