// The built-in extractor: sentence by sentence, by rule, without a model. The tables that decide are in rules/.

import { splitSentences } from '../base/sentences.ts';
import { takeTurns } from '../base/take-turns.ts';
import { normaliseForHash } from '../base/text.ts';
import { dayOf } from '../base/time.ts';
import { tokensOf } from '../base/tokenizer.ts';
import { speakerOf } from '../claims/speaker.ts';
import type { MemoryCategory, Transcript, Turn } from '../records/types.ts';
import { dueOf, withDaysMarked, withoutDayMarks } from './due.ts';
import type { ExtractedItem, ExtractionContext, Extractor } from './extractor.ts';
import { type Labelled, labelledOf } from './labels.ts';
import { namesIn } from './names.ts';
import { type Cue, cues, dueWords } from './rules/categories.ts';
import { isEcho, opensAsHeard } from './rules/echo.ts';
import { inlineProceduresIn, proceduresIn } from './rules/procedures.ts';
import { inOneSpelling } from './rules/spelling.ts';
import { isWorthless, type Setting } from './rules/worth.ts';
import { isFragment, isQuestion, type Sentence, sentencesOf, statedIn, statementsIn } from './sentences.ts';

const minSentenceLength = 10;
const maxWords = 70;
const doubt =
  /\b(?:i (?:think|guess|believe|suppose|assume|feel like)|we (?:think|believe|guess)|seems?|apparently|probably|looks like|kind of|sort of|it appears)\b/i;
/** Half a tier: what somebody only thinks is implied at best. */
const doubtPenalty = 0.2;

/** Above this a cue tells what a sentence is, and not only what it may be. */
const sure = 0.8;
/** As sure as anything: somebody wrote down what kind of thing it is. */
const labelConfidence = 0.97;
/** "Note to self: ...": somebody wants it known. */
const keptConfidence = 0.9;
const minLabelledTerms = 2;
/** "Decision: pending." */
const nothingYet = /^(?:none|open|still open|pending|tbd|not yet|to be \w+|n\/a)\b.{0,12}$/i;

interface Finding {
  readonly category: MemoryCategory;
  readonly confidence: number;
  readonly tags: readonly string[];
  readonly day: string | undefined;
  readonly isTold: boolean;
  readonly isStanding: boolean;
}

/** Where a sentence stands. */
interface Place extends Setting {
  readonly turn: Turn;
  /** It opens a turn that follows a question. */
  readonly isAnswer: boolean;
  /** Its opening says that it is to be known. */
  readonly isForKeeping: boolean;
  /** It may answer the question of somebody else. */
  readonly isAsked: boolean;
  /** Whom "I" means. */
  readonly speaker: string;
  /** It was cut from a sentence that is kept. */
  readonly isPart?: boolean;
  /** The day that a text names, from that of the turn on; one that has passed is none. */
  readonly dayIn: (text: string) => string | undefined;
}

type WhoSays = Pick<Place, 'isProgram' | 'isAnswer' | 'isForKeeping' | 'dayIn'>;

/** What the cues are tried on: a text, with its days marked, and the first that has not passed. */
interface CueText {
  readonly text: string;
  readonly marked: string;
  readonly day: string | undefined;
  readonly isDoubtful: boolean;
}

function cueTextOf(text: string, { dayIn }: WhoSays): CueText {
  const marked = withDaysMarked(text);
  const due = dueWords.exec(marked)?.[0];
  return { text, marked, day: dayIn(due === undefined ? text : withoutDayMarks(due)), isDoubtful: doubt.test(text) };
}

const surestFirst = [...cues].sort((one, other) => other.confidence - one.confidence);

/** The first of some cues that fits. */
function fitting(of: readonly Cue[], { text, marked, day, isDoubtful }: CueText, says: WhoSays): Cue | undefined {
  return of.find((cue) => {
    if ((cue.personOnly === true && says.isProgram) || (cue.isNoAnswer === true && says.isAnswer)) return false;
    // Nobody is held to what he thinks he will do.
    if (cue.category === 'commitment' && isDoubtful) return false;
    if (cue.needsDay !== undefined && day === undefined) return false;
    return cue.pattern.test(cue.needsDay === 'marked' ? marked : text) && cue.unless?.test(text) !== true;
  });
}

/** The surest category of a sentence, whether or not it is worth keeping. */
export const categoryOf = (text: string, says: WhoSays): Finding => findingIn(cueTextOf(text, says), says);

function findingIn(read: CueText, says: WhoSays): Finding {
  const cue = fitting(surestFirst, read, says)!;
  const confidence = says.isForKeeping ? Math.max(cue.confidence, keptConfidence) : cue.confidence;
  return {
    category: cue.category,
    confidence: read.isDoubtful ? confidence - doubtPenalty : confidence,
    tags: cue.tags ?? [],
    day: read.day,
    isTold: confidence > sure,
    isStanding: cue.isStanding === true,
  };
}

const tellingOf = ({ isTold, category, isStanding }: Finding) => (isTold ? { category, isStanding } : {});

function labelledFinding({ category, tags, words }: Labelled, place: WhoSays): Finding | undefined {
  if (isQuestion(words) || nothingYet.test(words)) return undefined;
  if (new Set(tokensOf(words)).size < minLabelledTerms) return undefined;
  // "Reminder: nobody leaves the kiln alone": what is reminded of is a rule.
  if (category === 'commitment') {
    const rule = categoryOf(straight(words), place);
    if (rule.category === 'principle' && rule.confidence > 0.9) return { ...rule, confidence: labelConfidence };
  }
  return { category, confidence: labelConfidence, tags, day: place.dayIn(words), isTold: true, isStanding: false };
}

const hashtag = /(?<![\p{Alpha}\d_/#&])#(\p{Alpha}[\p{Alpha}\d_-]{1,40})/gu;

/** Short forms without their apostrophe, those of "I" apart: who chats so says little of it for long. */
const shortForm =
  /(?<![\p{Alpha}\d'-])(?:(?:that|what|there|here|he|she|they|you)(?:s|re|ve|ll)|(?:is|does|did|was|are|were|has|do|wo|ca)nt)(?![\p{Alpha}\d'-])/giu;

/** Rules are written with straight apostrophes, and words in full. */
const straight = (text: string): string =>
  text
    .replace(/[‘’ʼ]/g, "'")
    .replace(shortForm, inOneSpelling)
    .replace(/\bpl[sz]\b|(?<=^|[,;:.] |\band )kindly(?= \p{Lower})/giu, 'please')
    .replace(/^(?=gotta\b)/i, 'I ')
    .replace(/(?<![\p{Alpha}\d'.-])u(?![\p{Alpha}\d'.-])/gu, 'you');

/** "..., so you can skip the basics": said to who listens, and nothing of the matter. */
const toHearer =
  /,? (?:so|and|but) (?:you|feel free|don't|please|let me|ask me|just|no need|no worries)\b[^,;]*[.!]*$|, (?:please|feel free|just|let me|ask me|don't)\b[^,;]*[.!]*$/i;
/** A number, a day or a place: what somebody may ask for. */
const hasValue =
  /\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:in|on|at|under|behind|above|below|next to|near|with|by) (?:the|my|our|his|her|a|an|\p{Upper})/u;

/** The same, with a subject that it names or that is a person: "she studies maths in Delft". */
const telling = new RegExp(`^(?!(?:[Ii]t|[Tt]his|[Tt]hat|[Tt]here)\\b).*(?:${hasValue.source})`, 'u');

/** The statements of a sentence that are worth keeping: where there is one, the sentence is. */
function statementsOf(sentence: string, place: Place): string[] {
  const stated = statedIn(sentence);
  if (stated === undefined || stated.length < minSentenceLength || stated.split(' ').length > maxWords) return [];
  if (isFragment(stated)) return [];
  const isWorth = (text: string, setting: Setting = place) => {
    const words = straight(text);
    return !isWorthless(words, { ...setting, ...tellingOf(categoryOf(words, place)) });
  };
  const isKept = (text: string) => {
    // "Where's the key?" – "It's in the tin": the answer is worth what both say.
    const isAnswer = place.isAsked && text === stated && hasValue.test(text);
    const head = text.replace(toHearer, '.');
    return (
      isWorth(text) ||
      (head !== text && isWorth(head)) ||
      (isAnswer && isWorth(text, { ...place, answers: true, isAskedFor: true }))
    );
  };
  const parts = statementsIn(stated);
  // Of a sentence that is worth it each statement is that has a number, a day or a place.
  const isPart = (text: string) => isKept(text) || (!place.isTalk && telling.test(text) && isKept(stated));
  if (parts?.every(isPart) === true)
    return [parts[0], ...statementsOf(parts[1], { ...place, isAnswer: false, answers: false, isPart: true })];
  return isKept(stated) || (place.isPart === true && telling.test(stated)) ? [stated] : [];
}

function itemOf({ text, quote, priority }: Sentence, finding: Finding, place: Place, number: number): ExtractedItem {
  const { turn, speaker } = place;
  const isPersonal = /\b(?:I|[Mm]y|[Mm]e)\b/.test(text);
  const due = finding.category === 'commitment' || priority !== undefined ? finding.day : undefined;
  return {
    category: finding.category,
    content: quote,
    subject: speaker,
    confidence: Math.round(finding.confidence * 100) / 100,
    turns: [number],
    role: turn.role,
    // "I" of a sentence is known only from who said it.
    entities: [
      ...new Set([...(isPersonal && turn.speaker !== undefined ? [turn.speaker] : []), ...namesIn(text)]),
    ].slice(0, 8),
    tags: [
      ...new Set([
        ...finding.tags,
        ...(priority === undefined ? [] : [priority]),
        ...(due === undefined ? [] : ['deadline']),
        ...[...text.matchAll(hashtag)].map((match) => match[1]!.toLowerCase()),
      ]),
    ],
    ...(due === undefined ? {} : { due }),
    ...(priority === undefined ? {} : { priority }),
  };
}

function itemsIn(sentence: Sentence, place: Place, number: number): ExtractedItem[] {
  const { text, priority } = sentence;
  const label = labelledOf(text);
  const words = label?.words ?? text;
  if (label === undefined && priority === undefined) {
    // Of a sentence that says more than one thing, the surest tells what it is.
    const [finding] = statementsOf(text, place)
      .map((one) => categoryOf(straight(one), place))
      .sort((one, other) => other.confidence - one.confidence);
    if (finding === undefined) return [];
    // "I owe Femi a letter; he needs it in two weeks": the other half has the day.
    const isOpen = finding.category === 'commitment' && finding.day === undefined && awaited.test(text);
    return [itemOf(sentence, isOpen ? { ...finding, day: place.dayIn(text) } : finding, place, number)];
  }
  let finding: Finding | undefined =
    label === undefined ? categoryOf(straight(words), place) : labelledFinding(label, place);
  // Somebody marked it as worth keeping; the rules only say what kind of thing it is.
  if (priority !== undefined)
    finding = {
      category: 'fact',
      tags: [],
      day: place.dayIn(words),
      isTold: true,
      isStanding: false,
      ...finding,
      confidence: 0.98,
    };
  return finding === undefined ? [] : [itemOf(sentence, finding, place, number)];
}

const awaited = /\b(?:he|she|they|it|who|which) (?:needs?|wants?|expects?|is due|has to)\b/i;

/** Lists of steps that a person wrote; a program's are general advice. */
function stepsIn(turn: Turn, number: number, isOfPerson: boolean, speaker: string): ExtractedItem[] {
  if (!isOfPerson) return [];
  const inline = inlineProceduresIn(turn.text).map(({ words }) => words);
  return [...proceduresIn(turn.text), ...inline].map((content) => ({
    category: 'skill',
    content,
    subject: speaker,
    confidence: 0.85,
    turns: [number],
    role: turn.role,
    entities: namesIn(content),
    tags: ['procedure'],
  }));
}

const longTurn = 400;
const wantsValue = /\b(?:who|whose|where|when|which|what|how (?:much|many|long|often|far|old))\b[^.?!]*\?["”’')\s]*$/i;

/** "Got it, training Mondays at 5:30": an assistant that says what it was just told says nothing, unless a number is new. */
function repetitionIn(answer: string, before: string): (sentence: string) => boolean {
  if (before === '') return () => false;
  const said = new Set(tokensOf(before));
  const isWhole = splitSentences(answer).length < 3 && isEcho(answer, said);
  return (sentence) =>
    (isWhole || isEcho(sentence, said)) && (sentence.match(/\d+/g) ?? []).every((number) => before.includes(number));
}
const programName =
  /^(?:(?:ai|the|my|our) )?(?:assistant|ai|(?:chat ?)?bot|agent|aide|helper|coder|copilot|companion|desk|office|support|system|service|buddy|butler|scribe|clerk|concierge|planner|keeper|memory|claude|chatgpt|gpt|gemini|codex|siri|alexa)(?: ?\d+)?$/i;

/** What a program says it does. */
const serving =
  /\bI(?:(?:['’]ll| will) (?:note|remember|keep|do|save|remind|record|use|see to)\b|(?:['’]ve| have) (?:noted|saved|recorded|updated|added)\b| see\b| understand\b)/gi;
/** "Since Wren is nine, she could join the squad": what a program makes of what it takes to be so. */
const concludes =
  /^\W*(?:since|as|given(?: that)?|because|if|assuming|seeing that) [^?]{3,120}, (?:\p{Alpha}+ ){1,3}?(?:could|can|might|may|should|would)\b/iu;
/** "Very well, Walter.", "Sounds like a busy summer.": a few words that tell nothing of who says them. */
const isNod = (text: string): boolean =>
  text.split(' ').length <= 8 && !/\b(?:I|my|mine|our|we|us|me)\b/i.test(text.replace(serving, ''));

/** Whom an import calls an agent may be a person, with a name. A program is called by what it is, or does nothing but note what it hears. */
function personsIn(turns: readonly Turn[]): (turn: Turn) => boolean {
  const programs = new Set<string>();
  for (const { role, speaker } of turns) if (role === 'agent' && speaker !== undefined) programs.add(speaker);
  for (const { role, speaker = '', text } of turns)
    if (
      programs.has(speaker) &&
      !programName.test(speaker) &&
      !(role === 'agent' && (opensAsHeard(text) || isNod(text)))
    )
      programs.delete(speaker);
  return ({ role, speaker }) => role !== 'agent' || (speaker !== undefined && !programs.has(speaker));
}

/** Finds the day that a text names, from the day of a time on. */
function daysToCome(time: number, timeZone = 'UTC'): Place['dayIn'] {
  const today = dayOf(time, timeZone);
  return (words) => {
    const day = dueOf(words, time, timeZone);
    return day !== undefined && day >= today ? day : undefined;
  };
}

/** What is handed out whatever a conversation is about, or takes the place of something. */
const standing: ReadonlySet<MemoryCategory> = new Set([
  'principle',
  'preference',
  'correction',
  'commitment',
  'decision',
]);

const standingCues = surestFirst.filter(({ category, confidence }) => standing.has(category) && confidence > sure);

/** Most sentences are none of these, and half of the cues tell that. */
const standingIn = (read: CueText, says: WhoSays): Finding | undefined =>
  fitting(standingCues, read, says) && findingIn(read, says);

/**
 * Tells what a sentence is that somebody asks to keep: a rule, a preference, a correction, a decision, or a promise with its due day.
 *
 * Undefined where the rules are not sure, for anything else, and for several sentences. `time` is in milliseconds since the Unix epoch.
 */
export function standingOf(
  text: string,
  time: number,
  timeZone?: string,
): { readonly category: MemoryCategory; readonly due?: string } | undefined {
  if (text.length > longTurn || splitSentences(text).length !== 1 || isQuestion(text)) return undefined;
  const says = { isProgram: false, isAnswer: false, isForKeeping: false, dayIn: daysToCome(time, timeZone) };
  const label = labelledOf(text);
  const finding =
    label === undefined ? standingIn(cueTextOf(straight(text), says), says) : labelledFinding(label, says);
  if (finding === undefined || finding.confidence <= sure || !standing.has(finding.category)) return undefined;
  const { category, day } = finding;
  return { category, ...(category === 'commitment' && day !== undefined ? { due: day } : {}) };
}

/** Reads a transcript, a sentence in each step. */
function* reading(
  transcript: Transcript,
  { owner, timeZone, minConfidence = 0, maxItems = 200 }: ExtractionContext,
): Generator<undefined, ExtractedItem[]> {
  const items: ExtractedItem[] = [];
  const seen = new Set<string>();
  const isPerson = personsIn(transcript.turns);
  // Talk with a program is none among people.
  const people = transcript.turns.filter(isPerson);
  const isTalk = new Set(people.map(({ speaker }) => speaker).filter(Boolean)).size > 1;
  for (const [index, turn] of transcript.turns.entries()) {
    // Turns that report what memory did would feed it with itself; instructions of a program are nobody's words.
    if (turn.flag !== undefined || turn.role === 'system' || turn.role === 'tool') continue;
    const before = transcript.turns[index - 1]?.text ?? '';
    const isAsked = /\?["”'’)\s]*$/.test(before) && transcript.turns[index - 1]!.speaker !== turn.speaker;
    const dayIn = daysToCome(turn.time, timeZone);
    const isOfPerson = isPerson(turn);
    const speaker = speakerOf(turn, owner);
    const found = stepsIn(turn, index + 1, isOfPerson, speaker);
    const spans = isOfPerson ? inlineProceduresIn(turn.text).map(({ span }) => normaliseForHash(span)) : [];
    const sentences = sentencesOf(turn.text);
    const mayRepeat = turn.role === 'agent' && (!isTalk || opensAsHeard(turn.text));
    const repeats = repetitionIn(turn.text, mayRepeat ? before : '');
    for (const [at, sentence] of sentences.entries()) {
      yield;
      const words = normaliseForHash(sentence.text);
      if (sentence.priority === undefined && spans.some((span) => span.includes(words))) continue;
      if (repeats(sentence.text)) continue;
      if (!isOfPerson && concludes.test(sentence.text)) continue;
      const place: Place = {
        turn,
        dayIn,
        isAgent: turn.role === 'agent',
        isProgram: !isOfPerson,
        isTalk,
        isEssay: turn.text.length > longTurn,
        isAnswer: at === 0 && /\?["”'’)\s]*$/.test(before),
        answers: at === 0 && wantsValue.test(before),
        isAsked: at === 0 && isOfPerson && isAsked,
        isForKeeping: sentence.isForKeeping === true,
        speaker,
      };
      found.push(...itemsIn(sentence, place, index + 1));
    }
    for (const item of found) {
      const words = normaliseForHash(item.content);
      if (words === '' || seen.has(words) || item.confidence < minConfidence) continue;
      seen.add(words);
      items.push(item);
    }
  }
  if (items.length <= maxItems) return items;
  const surest = new Set(
    items
      .map((item, order) => ({ item, order }))
      .sort((one, other) => other.item.confidence - one.item.confidence || one.order - other.order)
      .slice(0, maxItems)
      .map(({ item }) => item),
  );
  return items.filter((item) => surest.has(item));
}

/**
 * Finds what is worth keeping by rule. A sum of traits decides whether a sentence is kept, the surest cue what kind of thing it is.
 *
 * Works on single sentences of English prose; takes time in proportion to the text. Each item is one whole sentence of a turn as it was said.
 * Its subject is who says it; it has no statement and no attribute. A label ("Decision: …") decides the category. A list of steps is one item,
 * and so are steps told in a row. Questions, suppositions, quotations, code and tool lines are left out, for a wrong memory costs more than a
 * missing one. Lines such as `- [P0] …` are always taken (Priority Extracts, spec 3 layer 1).
 */
export const ruleExtractor = {
  name: 'rules',
  version: '5',
  extract(transcript: Transcript, context: ExtractionContext): ExtractedItem[] {
    const steps = reading(transcript, context);
    for (;;) {
      const { done, value } = steps.next();
      if (done === true) return value;
    }
  },
} satisfies Extractor;

/** Reads the same, and lets others in between: a turn may be a log of a megabyte. */
export const patientRules = {
  ...ruleExtractor,
  async extract(transcript: Transcript, context: ExtractionContext): Promise<ExtractedItem[]> {
    const steps = reading(transcript, context);
    const turn = takeTurns();
    for (;;) {
      const { done, value } = steps.next();
      if (done === true) return value;
      await turn();
      context.signal?.throwIfAborted();
    }
  },
} satisfies Extractor;
