// Names in a sentence: people, places, products, mentions. Guessed from capitals, without a dictionary.

const notNames = new Set(
  `i i'm i've i'll i'd a an the and or but so if then we you he she it they me my our your his her its their this that these
  those there here what when where who whom which why how yes no not never always ok okay please thanks also just now today
  tomorrow yesterday monday tuesday wednesday thursday friday saturday sunday january february march april may june july
  august september october november december jan feb mar apr jun jul aug sep sept oct nov dec am pm utc gmt todo fyi note
  decision decided important correction actually remember let let's all one two three for in on at to of by from with as is
  are was were be do does did has have had can could will would should must may might don't doesn't didn't can't won't
  make use go get got hey hi hello yeah yep oh wow bet last fri sat tues wed thurs thu tue everything everyone something excuse
  secondary primary correction clears well because since while after before during however although user client customer team okay roger copy over out on off open close closed`.split(
    /\s+/,
  ),
);

const name =
  /(?<![\p{Alpha}\d_.-])@[\p{Alpha}\d_][\p{Alpha}\d_-]*|\p{Upper}[\p{Alpha}\d]*(?:['’.&-]\p{Alpha}[\p{Alpha}\d]*)*(?: (?:of |de |van |von )?\p{Upper}[\p{Alpha}\d]*(?:['’.&-]\p{Alpha}[\p{Alpha}\d]*)*| \d{1,4}\b)*/gu;

/** What follows somebody's name at the start of a sentence, and hardly anything else. */
const doesAsPeopleDo =
  /^ (?:works|prefers|likes|loves|hates|dislikes|enjoys|wants|said|says|told|lives|joined|owns|manages|leads|reports|writes|thinks|is (?:my|our|an?|the|responsible|in charge|\p{Upper}\w*))\b/u;

const looksLikeName = /[\p{Lower}\d]\p{Upper}|^\p{Upper}{2,}|^@|\d/u;

const bare = (word: string): string => word.replace(/['’](?:s|re|ve|ll|d|m)$|n['’]t$/i, '');

const days = /^(?:mon|tues|wednes|thurs|fri|satur|sun)days?$/;

/** Days and months are times, also as "Tuesdays" and "Monday-Friday". */
function isNoName(word: string): boolean {
  const parts = bare(word).toLowerCase().split(/[-–&]/);
  return parts.every((part) => notNames.has(part) || days.test(part));
}

/**
 * Lists the names in a sentence, each once, in order, eight at most.
 *
 * The first word of a sentence has a capital anyway. It counts when the name goes on, has a capital or digit inside, comes again in the
 * sentence, or does what people do ("Maria works …").
 */
export function namesIn(sentence: string): string[] {
  const found = new Set<string>();
  for (const match of sentence.matchAll(name)) {
    const words = match[0].split(' ');
    while (words.length > 0 && isNoName(words[0]!)) words.shift();
    while (words.length > 0 && isNoName(words.at(-1)!)) words.pop();
    if (words.length === 0) continue;
    const opens =
      match.index === 0 || /[.!?:]["”'’)]?\s+$/.test(sentence.slice(Math.max(0, match.index - 4), match.index));
    const text = bare(words.join(' '));
    const isLoneOpener = opens && words.length === 1 && match[0].split(' ').length === 1;
    if (isLoneOpener && !looksLikeName.test(text) && sentence.indexOf(text, match.index + 1) < 0) {
      if (!doesAsPeopleDo.test(sentence.slice(match.index + match[0].length))) continue;
    }
    if (text.length < 2 || /^\d/.test(text)) continue;
    found.add(text);
    if (found.size === 8) break;
  }
  return [...found];
}
