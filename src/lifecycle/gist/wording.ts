// The English of gists: which wordings say little, in the order in which they go. Lists only; cuts.ts applies them.

/** What opens a spoken sentence and says nothing of its own. */
const openers = new Set(
  `okay ok well so and now then right alright roger copy oh ah uh um hmm hey hi hello yeah yep sure great cool nice thanks
  thank please also anyway anyways actually basically honestly frankly look listen see plus over good very say`.split(
    /\s+/,
  ),
);

/** Tells whether a word opens sentences without saying anything. */
export function isOpener(lower: string): boolean {
  return openers.has(lower);
}

/** Openers that need no comma behind them. */
export const bareOpeners: ReadonlySet<string> = new Set('okay ok well so and then also roger oh ah uh um'.split(' '));

/** Whole sentences that only keep a conversation going. */
export const idleSentences: ReadonlySet<string> = new Set(
  `over|go ahead|all right|very good|good|fine|great|sounds good|okay sounds good|got it|i see|thank you|thank you very much|thanks|thanks a lot|many thanks|you're welcome|no problem|stand by|good morning|good evening|hello|hi|sure|of course|copy|copy that|roger that|understood|noted|say again|there you go|here we go|let's see|that's right|you're right|how are you|i hope this helps|let me know|let me know if you have any questions|sorry|sorry about that|excuse me|you bet|very well|right|well|okay`.split(
    '|',
  ),
);

/** Wordings and what it costs to lose them: fillers and politeness 1, hedges 2, scaffolding 4 to 6. */
const wordings: readonly (readonly [cost: number, phrases: string])[] = [
  [
    1,
    `kind of|sort of|or something like that|and that sort of thing|and all that sort of thing|and so on|and so forth|by the way|as a matter of fact|in fact|of course|at all|basically|actually|really|very|quite|just|simply|literally|obviously|clearly|certainly|definitely|absolutely|totally|pretty much|as you know|needless to say|it goes without saying that|to be honest|to be fair|for what it's worth|if you will|so to speak|more or less|uh|um|oh|ah|hmm|please|kindly|if you don't mind|if you please|thank you very much|thank you|thanks|sir|guys|folks|for sure|anyway|anyways|believe it or not|at the end of the day|when all is said and done|first of all|last but not least|essentially|honestly|frankly`,
  ],
  [
    2,
    `i think that|i think|i believe that|i believe|i guess|i suppose|i feel like|i feel that|i would say|i'd say|we think|we believe|it seems that|it seems like|it seems|it looks like|it looks as though|it appears that|as far as i know|as far as i can tell|in my opinion|in our opinion|from my point of view|i'd like to|i would like to|we'd like to|we would like to|i want to|i was wondering if|we might consider|it should be noted that|note that|please note that|it is important to note that|it is worth mentioning that|keep in mind that|bear in mind that|the fact that|it turns out that|what i'm saying is|the thing is|the point is that|as i said|as we said|as mentioned|as mentioned before|as mentioned above|as i mentioned|like i said|go ahead and|i'm going to go ahead and`,
  ],
  [
    4,
    `once again|there has been|there have been|there is|there are|there was|there were|there's|there'll be|here is|here's|in order|as well|as such|at this time|at this point in time|at this point|at the moment|right now|for the time being|in the meantime|in the process of|on the other hand|in addition|in addition to that|in general|in particular|in terms of|with regard to|with respect to|as far as|is concerned|are concerned|a little bit|a bit|a little|a lot of|lots of|a couple of|a number of|a variety of|whole bunch of|a bunch of|some kind of|some sort of|that is to say|that kind of thing|that sort of thing|and things like that|and stuff like that|and stuff|things like that|or whatever|or so|again|already|also|still|now|then|over here|over there|up there|down there|in there|out there|for now|later on|a little later on|in a little while|in a while|sometime|some time|somewhere|somehow|each and every|the whole`,
  ],
  [5, `which is|which are|which was|which were|who is|who are|who was|who were|that is|that are|that was|that were`],
];

/** First word → the wordings that begin with it, longest first. */
export const wordingsByFirst: ReadonlyMap<
  string,
  readonly { readonly words: readonly string[]; readonly cost: number }[]
> = (() => {
  const byFirst = new Map<string, { words: readonly string[]; cost: number }[]>();
  for (const [cost, phrases] of wordings) {
    for (const phrase of phrases.split('|')) {
      const words = phrase.split(' ');
      byFirst.set(words[0]!, [...(byFirst.get(words[0]!) ?? []), { words, cost }]);
    }
  }
  for (const list of byFirst.values()) list.sort((one, other) => other.words.length - one.words.length);
  return byFirst;
})();

const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

export const articles = set('a an the');
/** Words that stand alone between commas, and mean nothing there. */
export const interjections: ReadonlySet<string> = new Set([
  'you know',
  'i mean',
  'like',
  'well',
  'say',
  'right',
  'okay',
  'too',
]);

export const copulas = set("is are was were am it's that's he's she's we're they're you're i'm there's what's");
/** Behind these a copula stays: without it they would be nobody's. */
export const pronouns = set('i we you he she it they this that these those what who where which here there how');
export const perfects = set("have has had having we've i've you've they've");
export const participles = set(
  `been got had done made seen gone found taken given come lost left put set kept told said known begun become written
  chosen spoken sent built held led met paid read run sold thought understood won heard shown brought bought caught`,
);
export const ownSubjects = set("i we you i'll we'll you'll i'd we'd you'd");
export const clauseOpeners = set('and but so then or');
export const determiners = set('this that these those my our your some any such its their his her');
/** Verbs that lead to another one: "want to go". */
export const leading = set(
  `want wants wanted need needs needed going have has had like able ready try tries tried trying plan plans planned expect expects
  expected hope hopes continue continued start started`,
);
export const sayings = set(
  `say says said think thinks thought know knows knew believe believes believed agree agrees agreed decide decides decided
  show shows showed shown mean means meant see sees saw found find note noted hope hopes feel feels sure ensure ensures
  report reported promise promised assume assumed understand verify check checked make sure told tell learned notice`,
);
/** What limits nothing, or so vaguely that it can be missed. */
export const vague = set('little whole entire particular certain various');
/** End in -ly and are not what they seem, or say how exact something is. */
export const solidAdverbs = set(
  `only early daily weekly monthly hourly yearly family apply supply reply assembly anomaly likely unlikely nearly approximately
  exactly july italy fly rely multiply friendly partly mostly rarely hardly barely reply relatively manually automatically`,
);
/** Common words, of which many texts are full; they tell little about this one. */
export const commonWords = set(
  `get gets got getting go goes going gone went look looks looking looked see sees saw seeing want wants wanted make makes making
  made thing things stuff know knows knew known think thinks thought say says said tell tells told take takes took taking come
  comes coming came put puts let give gives gave given like way ways lot bit time times day guy guys good fine okay right left
  use uses used using need needs needed try tries trying tried work works working keep keeps kept find found show shows seem
  seems back well down just really around able back little new old big part place people person one ones something anything
  everything someone anybody everybody mean means start starts started ahead copy stand ready sure read back hear sound sounds`,
);
/** Words of a sentence that should rather stay. */
export const weighty = set(
  `decide decided decision agree agreed prefer prefers preferred must always never important because therefore remember promise
  promised deadline due required requires need needs want wants will shall should cause caused fix fixed broken failed error
  problem solution works lives likes hates correction actually instead`,
);
