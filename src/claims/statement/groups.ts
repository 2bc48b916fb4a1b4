// Whom "we", "our" and "you" mean, as far as that can be said.

import type { Said } from '../said.ts';
import { possessive } from './persons.ts';

const agentRole = /^(?:agent|assistant|tool)$/;

const work =
  /\b(?:deploy\w*|customers?|clients?|users?|projects?|repo(?:sitory)?|codebase|releas\w+|shipp?(?:ed|ing|s)?|sprints?|standups?|retros?|budget|product\w*|server\w*|cluster|database|api|code|tests?|tickets?|invoices?|office|team|meetings?|market\w*|sales|revenue|hired?|hiring|vendors?|suppliers?|quarter|roadmap|launch\w*|prototype|design|bugs?|build|pipeline|staging|legal|contract\w*|price|workshop|engineers?|developers?|migrat\w+|department|company|board|grid|warehouse|shift|staff|branch|commits?|merge\w*|policy|agenda|agreed|decided|decision)\b/i;
const home = /\b(?:our|my|the) (?:\p{Alpha}+ )?(?:kids?|children|sons?|daughters?|grandparents|parents|family)\b/iu;
const couple =
  /\bwe (?:\w+ ){0,2}(?:got|are|were|'re|have been|had been)? ?(?:engaged|married|divorced|dating|expecting|broke up|split up)\b|\bour (?:wedding|engagement|honeymoon|anniversary|first date)\b/i;
/** "with my sister", "my wife and I", said just before or in the same breath. */
const company =
  /\bmy ((?:[\p{Lower}-]+ ){0,1}(?:family|wife|husband|partner|girlfriend|boyfriend|fiancée?|kids|children|sons?|daughters?|sisters?|brothers?|mother|mom|mum|father|dad|parents|friends?|team|colleagues?|coworkers?|roommates?|flatmates?|band|class|club|choir|crew)) and I\b|\bwith my ((?:[\p{Lower}-]+ ){0,1}(?:family|wife|husband|partner|girlfriend|boyfriend|fiancée?|kids|children|sons?|daughters?|sisters?|brothers?|mother|mom|mum|father|dad|parents|friends?|team|colleagues?|coworkers?|roommates?|flatmates?|band|class|club|choir|crew))\b/iu;

/** Names whom "we" means: who was named just before, the speaker's team or family where the words show it, else the speaker and others. */
export function groupOf(said: Said, text: string): string {
  const { speaker } = said;
  const lead = said.before.filter((one) => one.speaker === speaker).at(-1)?.text ?? '';
  if (couple.test(text)) return `${speaker} and ${possessive(speaker)} partner`;
  const beside =
    company.exec(text) ??
    company.exec(
      lead
        .split(/(?<=[.!?])\s+/)
        .slice(-2)
        .join(' '),
    );
  const who = beside?.[1] ?? beside?.[2];
  if (who !== undefined)
    return /^(?:team|family|band|class|club|choir|crew)$/i.test(who)
      ? `${possessive(speaker)} ${who}`
      : `${speaker} and ${possessive(speaker)} ${who}`;
  if (work.test(text)) return `${possessive(speaker)} team`;
  if (home.test(text)) return `${possessive(speaker)} family`;
  return `${speaker} and others`;
}

/** What all people share, and nobody's group alone. */
const shared =
  /^(?:[\p{Lower}-]+ )?(?:planet|world|atmosphere|society|universe|climate|oceans?|earth|environment|times|generations?|military|troops|veterans|infrastructure|government|economy|nation|future)\b/u;
const everyones =
  /\b[Oo]ur (?:own )?(?:[\p{Lower}-]+ )?(?:lives|life|bodies|body|minds?|brains?|hearts?|souls?|emotions|feelings|ancestors|health|selves|dreams|passions|actions|choices|mood|well-being|wellbeing|mental|physical)\b/u;
/** Of two who talk each has one: "our two teams", "we do our best". */
const ofEach = /\b(?:both )?[Oo]ur (?:two|respective|best(?=[.,;!?)]|$| (?:to|and|at|for)\b))\b|\b[Bb]oth our\b/u;

/** Tells whether "our" is everybody's, or each one's own: then it has no owner. */
export const isOursInGeneral = (text: string): boolean => everyones.test(text) || ofEach.test(text);
const household =
  /^(?:[\p{Lower}-]+ ){0,2}?(?:kids?|children|sons?|daughters?|baby|cats?|dogs?|puppy|kitten|pets?|house|flat|apartment|garden|car|parents|mother|father|grand\p{Alpha}+|team|company|family|group|crew|band|club|class|discussions?|conversations?|meetings?|chats?|calls?|talks?|area|neighbou?rhood|street|town|city|village|country|wedding|marriage|engagement|neighbou?rs?|landlord|home|friends?|trip|vacation|holiday)\b/u;

/**
 * Names whose "our" is; `the` for what all people share. What belongs to a household belongs to the speaker, too, and a friendship to both
 * who talk.
 */
export function ownerOf(thing: string, { speaker, before }: Said, group: string): string {
  const others = new Set(before.filter((one) => one.speaker !== speaker).map((one) => one.speaker));
  if (others.size === 1 && /^(?:\p{Lower}+ )?friendship\b/u.test(thing)) return `${speaker} and ${[...others][0]}`;
  if (shared.test(thing)) return 'the';
  return household.test(thing) || !/ team$/.test(group) ? speaker : group;
}

/** "We" as people in general: "we need more people like that in the world". */
const weInGeneral =
  /\bwe\b(?=.*\b(?:life|lives|world|society|humans?|humanity|(?<!\b(?:the|those|these|our|my|his|her|their)(?: [\p{Alpha}-]+){0,3} )people|each other|one another|everyone|everybody)\b)|\b(?:life|world|society|humans?|people|each other|everyone|everybody)\b.*\bwe\b|\bourselves\b/iu;

/** Tells whether "we" is people in general, or may be: then it has no name. */
export function isWeInGeneral(text: string): boolean {
  return (
    weInGeneral.test(text) &&
    !/\bwe (?:\p{Alpha}+ly |all |just |also )?(?:\p{Alpha}+ed|had|went|got|met|saw|did|made|were|have been|decided)\b/iu.test(
      text,
    )
  );
}

/** "You" as people in general: advice, and what happens to anybody. */
const youInGeneral =
  /\band you(?:'ll| will)\b|\b(?:when|if|whenever|where|once|how|what|as|the more|makes?|helps?|lets?|gives?|until|unless) you(?:r|'\p{Alpha}+)?\b|\byou (?:all|guys|can|can't|cannot|could|never|always|have to|need to|get to|got to|should|must|might|may|know|just|don't|do|want|see|feel|think|need|get|go|start|find|really|also|learn|understand|put|keep|look)\b|\byourself\b|\byourselves\b/iu;
/** "You" as the one who is spoken to: what they did, are or will do, and what somebody does to them. */
const youInParticular =
  /(?:^|\b(?:I (?:\p{Alpha}+ )?(?:think|know|hope|guess|believe|see|heard|hear)|glad|happy|sorry|sure|that) )you(?: (?:are|have|will)\b|'(?:re|ve|ll)\b)|\byou (?:\p{Alpha}+ly |never |always |just |still |also )?(?:were|had|would|did|said|told|told|mentioned|went|got|made|gave|sent|asked|bought|took|came|left|found|lost|won|met|saw|wrote|\p{Alpha}{3,}ed)\b|\byou'd\b/iu;
const doneToYou =
  /\b(?:need|want|ask|asked|expect|invite|invited|allow|allowed) you to\b|\b(?:I|we|my|our|me)\b.*\b(?:tell|told|ask|asked|give|gave|show|showed|send|sent|help|helped|meet|met|see|saw|visit|visited|call|called|join|joined|owe|owes|promise|promised|with|for|to|from|about|of|and|lend|lent|bring|brought|thank|agree with|like) you\b/i;
const yoursInParticular =
  /\bI(?:'ve| have| will|'ll|'m| am)?(?: just| now| already)? (?:\p{Alpha}{3,}(?:ed|ing)|sent|put|set|paid|made|got|bought|wrote|rewrote) your\b|^[Yy]our (?:[\p{Alpha}-]+ ){0,2}?[\p{Alpha}-]+(?:'s| is| was| are| were| has| had| will| looks| sounds)\b|\b(?:I|we|my)\b.*\b(?:with|at|from|to|about|in|for|saw|met|got|read|used|found|borrowed|reviewed|sent|liked|love|loved|like) your\b/iu;

/** "You can reach the office under ...": what anybody can do. */
const anybody =
  /\b(?:(?<=^|[,;:] )you|You) (?=(?:can|could|may|have to|need to|must) (?:only |also |always |still )?(?:reach|find|get|use|see|log|order|book|park|rent|buy|download|access|call|run|start|check|install|send|submit|register|enter|pay|open|apply|sign)\b)/gu;

/** Writes "one can" for what anybody can do, where no other person may be meant. */
export const withAnybody = (text: string, said: Said): string =>
  said.before.some(({ speaker, role }) => speaker !== said.speaker && !agentRole.test(role))
    ? text
    : text
        .replace(anybody, (you) => (you.startsWith('Y') ? 'One ' : 'one '))
        .replace(/\bone (have|need) to\b/gi, (all) => all.replace(/have/, 'has').replace(/need/, 'needs'));

/** How answers should be: it is said to whoever gives them. */
const answering =
  /\b(?:when|how|that|if|want|like|hate) (?:it when )?you (?:to )?(?:write|answer|reply|respond|explain|format|summari[sz]e|phrase|word)\b/i;

/** Names whom "you" means; undefined where there is nobody, more than one, or the word may mean people in general. */
export function hearerOf(said: Said, text: string): string | undefined {
  const others = new Map(
    said.before.filter(({ speaker }) => speaker !== said.speaker).map(({ speaker, role }) => [speaker, role]),
  );
  const [other] = others;
  if (answering.test(text) && (other === undefined || (others.size === 1 && agentRole.test(other[1]))))
    return other?.[0] ?? 'the assistant';
  if (others.size > 1 || youInGeneral.test(text)) return undefined;
  // Nobody else has spoken yet: a user without a name talks to a program, people talk to anybody.
  if (other === undefined && said.speaker !== 'the user') return undefined;
  if (!youInParticular.test(text) && !doneToYou.test(text) && !yoursInParticular.test(text)) return undefined;
  return other?.[0] ?? 'the assistant';
}
