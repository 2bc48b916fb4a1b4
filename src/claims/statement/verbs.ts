// English verbs as a sentence changes its person: which forms are past, and how a verb agrees with a name. A list of irregular forms and
// the rules of spelling; no dictionary.

/** Past forms that no ending shows, those apart that are also the base form. */
const irregularPasts = new Set(
  `arose ate awoke became began bent bit blew bought bred broke brought built burnt came caught chose clung crept dealt did
  dove drank dreamt drew drove dug fed fell felt fled flew flung forbade forgave forgot forgotten fought found froze gave
  got grew had heard held hid hung kept knelt knew knit laid lay leant leapt learnt led left lent lit lost made meant met mistook
  outgrew overcame overheard overslept paid rang ran rebuilt redid rethought rewrote rode rose said sang sank sat saw sent shook shone shot shrank
  slept slid smelt snuck sold spent spelt spilt spoke spoilt sprang spun stole stood strode struck stuck stung swam swept
  swore swung taught thought threw told took tore understood undertook undid went wept withdrew woke won wore wove wrote was were`.split(
    /\s+/,
  ),
);
/** Participles that differ from the past. */
const participles = new Set(
  `been become begun bitten blown broken chosen come done drawn driven drunk eaten fallen flown forgiven forgotten frozen given gone gotten grown
  hidden known mistaken overcome ridden risen run rung seen shaken shown shrunk spoken stolen sung sunk sworn swum taken thrown torn
  withdrawn woken worn woven written`.split(/\s+/),
);
/** Forms that are base and past alike: what stands around them decides. */
export const timelessForms = new Set(
  'beat bet bid broadcast burst cast cost cut fit hit hurt let put quit read rid set shed shut split spread thrust upset'.split(
    ' ',
  ),
);
/** Words in -ed that are no past. */
const baseInEd = new Set(
  'need feed seed speed embed bleed breed weed heed wed shed exceed proceed succeed sled'.split(' '),
);

/** Verbs that take no `s`, and stay with any person. */
export const modals = new Set(
  "will would can could may might must shall should ought cannot can't couldn't won't wouldn't shouldn't mustn't shan't mightn't used needn't".split(
    ' ',
  ),
);

/** Words that are no verb, so that nothing there has to agree. */
export const noVerb =
  /^(?:to|for|with|of|from|about|by|at|in|on|as|and|or|but|than|that|if|when|so|because|the|a|an|my|our|your|his|her|their|its|this|these|those|who|which|what|where|how|why|I|you|he|she|it|we|they|me|him|them|us|guys|too|there|here|now)$/i;

/** Adverbs that may come between a subject and its verb; those in -ly are known by their end. */
const adverbs = new Set(
  `also always never often usually just still already now then even only sometimes once ever soon again almost
  no longer not first last both kinda sorta somehow lowkey all each currently maybe perhaps quite rather either neither too myself ourselves honestly
  tomorrow today yesterday tonight`.split(/\s+/),
);
const verbsInLy = new Set(
  'apply rely supply reply fly multiply comply imply bully rally tally ally ply sully'.split(' '),
);

/** Tells whether a word may come between a subject and its verb. */
export function isAdverb(word: string): boolean {
  const low = word.toLowerCase();
  return adverbs.has(low) || (low.length > 4 && low.endsWith('ly') && !verbsInLy.has(low));
}

/** Tells whether a word is a past form, as far as its form shows. */
export function isPast(word: string): boolean {
  const low = word.toLowerCase();
  if (
    irregularPasts.has(low) ||
    irregularPasts.has(low.replace(/^(?:re|un|over|mis|out|under|fore|with|up)-?(?=\p{Alpha}{3})/u, ''))
  ) {
    return true;
  }
  return low.length > 3 && low.endsWith('ed') && !baseInEd.has(low);
}

/** Tells whether a word is a participle and no past: "seen", "gone". */
export const isOnlyParticiple = (word: string): boolean =>
  participles.has(word.toLowerCase()) && !/^(?:become|come|overcome|run)$/i.test(word);

/** Tells whether a word is a participle that stands after "have". */
export function isParticiple(word: string): boolean {
  return isPast(word) || participles.has(word.toLowerCase()) || timelessForms.has(word.toLowerCase());
}

/** Gives the form for one other person: `go` → `goes`; modals and past forms stay. */
export function agreeing(verb: string): string {
  const low = verb.toLowerCase();
  const fixed = irregularPresent.get(low);
  if (fixed !== undefined) return fixed;
  if (modals.has(low) || isPast(low) || !/^[a-z]+(?:-[a-z]+)*$/.test(low)) return verb;
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ies`;
  if (/quiz$/.test(verb)) return `${verb}zes`;
  return /(?:s|x|z|ch|sh|o)$/.test(verb) ? `${verb}es` : `${verb}s`;
}

const irregularPresent = new Map([
  ['am', 'is'],
  ['are', 'is'],
  ['were', 'was'],
  ['have', 'has'],
  ['do', 'does'],
  ["don't", 'does not'],
  ["haven't", 'has not'],
  ["aren't", 'is not'],
  ["weren't", 'was not'],
]);

/** Verbs that hardly ever are nouns: after "and" they go on with the subject, whatever follows. */
export const plainVerbs = new Set(
  `go live have eat take make get keep give find feel write teach learn prefer want need know think believe own bring buy sell become see hear
  speak wear sit stand sleep begin understand use enjoy love hate like say tell ask read spend pay meet lose send include
  listen try hope remember forget wait stay grow build belong carry choose drive sing swim throw cost hurt quit let`.split(
    /\s+/,
  ),
);
/** Verbs that are nouns as well: they count when an object or a place follows. */
export const doubtfulVerbs = new Set(
  `work study drink play run help cook walk plan travel call test review deploy ship move change watch train paint dance check fix
  handle manage lead share start stop finish practice volunteer report visit talk care support host commute run miss turn look cycle hike
  wash iron fold water clean feed tidy sew knit store pack rent drop pick order bake sort mend repair book sweep set sign open close`.split(
    /\s+/,
  ),
);
