// Things promised or owed: by whom and until when. "Todo: …" stands in labels.ts.

import { dayForm, nearDayForm } from '../due.ts';
import { anyOf, rulesOf } from './rule.ts';

const deeds = anyOf(
  `send write fix deploy email mail book schedule prepare review complete update create implement investigate order pay submit
  share document migrate test deliver draft publish release upload ship arrange organize organise contact notify file refactor
  rewrite report_back follow_up look_into set_up work_out sign_up design develop present apply register visit return host
  volunteer donate teach enroll uplink troubleshoot reconfigure`,
);
/** Deeds too common to be worth keeping, unless a day is named. */
const smallDeeds = anyOf('finish add bring call start move buy make pick_up put_together hand_over close open');
const adverb = '(?: also| then| definitely| certainly| now| be sure to| make sure to| gladly| personally| help)?';
/** The one it is done for may stand between; what is done must be named. */
const something =
  '(?: (?:you|him|her|them|us|me|everyone))?(?= \\w)(?! (?:it|that|this|those|these|them|one|you|soon|later|now|again|there|here|up|out|back|off|as|when|if)\\b)';
const firstPersonWill =
  "\\b(?:I|we)(?:'ll| will| shall|'m going to| am going to|'re going to| are going to|'m gonna|'re gonna)";
/** What nobody promises, even with a day: being, feeling, meeting again. `going to the sea` is no deed either. */
const noDeed = `(?!(?:be(?! (?:done|finished|ready)\\b)|not|never|always|probably|likely|hopefully|perhaps|maybe|possibly|just|then|all|both|still|${anyOf(
  `see know need want like love feel think miss hope enjoy remember wait stay live sleep rest relax celebrate turn become die lose watch
  wake listen hear dream wonder guess bet a an the my our your his her their this that school church bed work town home dinner lunch`,
)}|(?:talk|speak|chat)(?: to| with)? (?:you|ya)|discuss|go(?! live\\b))\\b)`;
const limitWord = '(?:by|before|until|till|no later than|on or before|within)';
const hour = '(?:(?:noon|midnight|\\d{1,2}(?::\\d\\d)? ?(?:[ap]\\.?m\\.?|UTC)?)(?: on)? )?';
/** "I'll do it by Friday" can be understood by nobody later. */
const namedObject = (until: string): string =>
  `(?! (?:(?:it|that|this|those|these|them|so|one|you|there|here|again|back|in|out|up|off) ){0,2}${until})`;
/** To go to Berlin is not to berlin; what I will do is a question in disguise. */
const notGoing = /\bgoing to \p{Lu}|\b[Ww]hat (?:I|we)(?:'ll|'m|'re| will| am| are)\b/u;
/** What is done while it is said is nothing to be held to. */
const atOnce =
  /\b(?:send|write|drop) (?:(?:you|him|her|them|us) )?(?:an? )?(?:e-?mail|mail|message|note|text)[.!]?$|\bif you (?:want|like|wish)\b|\b(?:right )?(?:now|here)[.!]?$|\bnow,|\b(?:going to|gonna|'ll|will) (?:first|just|quickly|briefly)\b|\bwhen(?:ever)? [^,]{3,80}, /i;
const appointments = anyOf(
  `meeting appointment interview flight exam demo presentation call game match tournament concert wedding party trip race competition
  fundraiser event launch release deadline review workshop conference session audit rehearsal hearing sprint kickoff kick-off
  standup retrospective surgery check-up checkup performance exhibition ceremony move handover cutover migration visit birthday`,
);
const byDay = `${limitWord} ${hour}${dayForm}`;
const onDay = `(?:on ${hour}${dayForm}|${nearDayForm})`;

export const commitmentRules = rulesOf('commitment', [
  {
    confidence: 0.95,
    minTerms: 2,
    pattern:
      /^(?:\p{Lu}\p{Ll}+ says )?(?:(?:can|could|would|will) you )?(?:please )?(?:remind (?:me|us|him|her|them) (?:to|about)|(?:don't|do not|never) forget to|remember to)\b(?! (?:be|have|prepare|breathe|enjoy|smile|love|find|focus|stay|keep|take|appreciate|never|always|celebrate)\b)/iu,
    mayAsk: true,
  },
  {
    confidence: 0.95,
    pattern:
      /\b(?:i|we|he|she|they)(?:'ve| have| had)? (?:promised?|committed|pledged?|vowed?|swore|swear) (?:(?:you|him|her|them|us|me) )?(?:to|that|we|i)\b/i,
    unless:
      /\bpromise(?:d)? (?:to )?(?:be|i'm|it's)\b|\b(?:as|than|what|which) (?:i|we|he|she|they)(?:'ve| have| had)? /i,
  },
  {
    confidence: 0.95,
    minTerms: 2,
    needsDay: true,
    pattern: /\b(?:deadline|due date|launch date|release date|delivery date|cut-?off date)\b/i,
  },
  { confidence: 0.95, needsDay: true, minTerms: 2, pattern: /\b(?:is|are|was|were|falls|come|comes|be) due\b/i },
  {
    confidence: 0.9,
    minTerms: 2,
    pattern: /\b(?:i|we) (?:still )?owe (?:you|him|her|them|\p{L}+) (?:an?|the|some|\d+|[$€£])/iu,
    unless: /\bowe (?:you|it) (?:all|everything|a lot|so much|an apology)\b/i,
  },
  { confidence: 0.9, minTerms: 2, pattern: /^follow up (?:with|on|about)\b/i },
  {
    confidence: 0.95,
    needsDay: true,
    minTerms: 2,
    pattern: new RegExp(
      `\\b(?:I|[Ww]e)(?:'ll|'m going to|'re going to| will| shall| am going to| are going to| need to| have to| must| plan to)${adverb} (?:${deeds}|${smallDeeds})\\b.{1,200}?\\b(?<due>${byDay}|${onDay})`,
      'iu',
    ),
    unless: /\bwhat (?:I|we)\b/,
  },
  {
    confidence: 0.9,
    needsDay: true,
    minTerms: 2,
    // Of others only what they owe by a day: that the president will open a fair today is news.
    pattern: new RegExp(
      `\\b(?!(?:it|that|this|there|what|which|who|you|i|we)\\b)(?:(?:the|my|our) )?\\p{L}+(?:'ll| will| shall| is going to| are going to| needs to| need to| has to| have to| must| plans to| promised to| agreed to)${adverb} (?:${deeds}|${smallDeeds})\\b.{1,200}?\\b(?<due>${byDay})`,
      'iu',
    ),
    unless: /\bwhat (?:he|she|they)\b/,
  },
  {
    confidence: 0.9,
    needsDay: true,
    minTerms: 2,
    // Whatever is done: the day says that it is meant.
    pattern: new RegExp(
      `(?:${firstPersonWill}|\\b(?:I|we) (?:need to|have to|must))${adverb} ${noDeed}[a-z][a-z'-]*(?= )${namedObject(byDay)} .{1,200}?\\b(?<due>${byDay})`,
      'iu',
    ),
    unless: notGoing,
  },
  {
    confidence: 0.8,
    needsDay: true,
    minTerms: 3,
    pattern: new RegExp(
      `${firstPersonWill}${adverb} ${noDeed}(?!have\\b)[a-z][a-z'-]*(?= )${namedObject(onDay)} .{1,200}?(?<!['’]s )\\b(?<due>${onDay})`,
      'iu',
    ),
    unless: notGoing,
  },
  {
    confidence: 0.75,
    minTerms: 2,
    personOnly: true,
    pattern: new RegExp(
      `\\b(?:I|we)(?:'ll| will| shall|'m going to| am going to|'re going to| are going to|'m gonna)${adverb} (?:${deeds})\\b${something}`,
      'i',
    ),
    unless: atOnce,
  },
  {
    confidence: 0.8,
    needsDay: true,
    personOnly: true,
    // What somebody means to do becomes a plan by its day.
    pattern: new RegExp(
      `\\b(?:I|[Ww]e)(?:'m| am|'re| are)? (?:plan(?:ning)? (?:to|on)|intend(?:ing)? to|scheduled to|booked to|set to) (?!(?:do|try|get|be|have|see|keep) (?:it|that|this|so)\\b)\\w+.{1,160}?\\b(?<due>${byDay}|${onDay})`,
      'iu',
    ),
    unless: /\b(?:what|how|why|when|where|think|thinking) (?:I|we)(?:'m| am|'re| are)? (?:plan|intend)/i,
  },
  {
    confidence: 0.8,
    needsDay: true,
    minTerms: 2,
    personOnly: true,
    // The present of departures: "I'm flying to Oslo on Friday".
    pattern: new RegExp(
      `(?:^(?:leaving|flying|planning)|\\b(?:I|we)(?:'m| am|'re| are)(?: also| both| all)? (?:leaving|flying|planning|travell?ing|moving|starting|presenting|returning|driving|launching|releasing|shipping|meeting|hosting|running|visiting)) .{0,120}?(?<!['’]s )\\b(?<due>${byDay}|${onDay})`,
      'iu',
    ),
  },
  {
    confidence: 0.85,
    needsDay: true,
    minTerms: 2,
    role: 'user',
    pattern: new RegExp(
      `^(?:please )?(?:${deeds}|${smallDeeds})\\b.{1,200}\\b(?:by|before|until|no later than)\\b`,
      'i',
    ),
  },
  {
    confidence: 0.85,
    needsDay: true,
    minTerms: 2,
    // An appointment.
    pattern: new RegExp(
      `\\b(?:I|[Ww]e)(?:'ve got| have| got| do have)(?: also)? (?:an?|my|our|the|another) (?:[\\w-]+ ){0,4}?(?:${appointments})\\b[^.]{0,60}?(?<!['’]s )\\b(?<due>${byDay}|${onDay})`,
      'iu',
    ),
  },
  {
    confidence: 0.85,
    needsDay: true,
    minTerms: 2,
    pattern: new RegExp(
      `\\b(?:the|our|my|next|this|\\p{L}+'s) (?:[\\w-]+ ){0,4}?(?:${appointments}) (?:is|will be|starts|begins|takes place|ends|happens|(?:is |has been |was )?(?:moved|scheduled|planned|set|rescheduled|booked)) (?:(?:to|for|at|until) )?(?<due>${onDay}|${dayForm})`,
      'iu',
    ),
  },
  {
    confidence: 0.8,
    needsDay: true,
    minTerms: 2,
    pattern: new RegExp(
      `\\b(?:[Tt]he|[Oo]ur|[Mm]y) (?:[\\w-]+ ){1,4}?(?:launches|expires|goes live|ships|renews|runs out) (?:(?:at|in|until) )?(?<due>${onDay}|${dayForm})`,
      'iu',
    ),
  },
]);
