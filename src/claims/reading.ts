// A sentence as it is read: its clauses as frames, and what the words around it lend to them. Whether one reading ends another is closing.ts's.

import { once } from '../base/once-per.ts';
import { splitSentences } from '../base/sentences.ts';
import { type Frame, framesOf } from './reading/frames.ts';
import { isOrder } from './reading/modes.ts';
import { isItsOwnStart, startOf } from './reading/starts.ts';
import type { Topic } from './reading/topics.ts';
import { differ } from './reading/values.ts';
import { ownBefore, type Said, type SaidBefore } from './said.ts';
import { agreeing } from './statement/verbs.ts';

/** A sentence, read. */
export interface Reading {
  readonly said: Said;
  readonly isAssistant: boolean;
  /** Whether it is an assistant's word that what a person just asked for is so: the person changed it. */
  readonly isConfirmed: boolean;
  readonly frames: readonly Frame[];
  /** What the sentences around it name; a clause that says "it" or nothing takes its topic from there. */
  readonly near: readonly Topic[];
  /** Frames of what was said around it. */
  readonly around: readonly Frame[];
  /** Those of the same turn: what is gone there makes room here. */
  readonly turn: readonly Frame[];
  /** The second from which it holds, where it names a day to come or a day of the past. */
  readonly from?: number;
  /** Whether that day is what it tells: "the audit starts on 16 June". */
  readonly isItsOwnStart: boolean;
  /** What was said just before, joined. */
  readonly before: string;
  /** Whether it is more than one sentence. */
  readonly isSeveral: boolean;
  /** The beginnings of what its frames name, and of what stands around it: two readings without a common one share no topic. */
  readonly keys: ReadonlySet<string>;
  readonly nearKeys: ReadonlySet<string>;
}

const maxTurn = 600;
const maxSentences = 8;

const isAgent = (role: string): boolean => /^(?:agent|assistant|model|bot|tool|system)$/i.test(role);

/** "Summary of your call with the vet: ...": what others said, told by a program. */
const report =
  /^\W*(?:here (?:is|are|'s) )?(?:(?:the|a|my|your) )?(?:summary|notes|minutes|recap|transcript|protocol)\b[^.:!?]{0,80}[:.]/iu;
const isReport = ({ text, before, role, speaker }: Said): boolean => {
  const last = before.at(-1);
  return report.test(last !== undefined && last.role === role && last.speaker === speaker ? last.text : text);
};

const allKeys = (frames: readonly Frame[]): ReadonlySet<string> => new Set(frames.flatMap(({ keys }) => [...keys]));

function turnFrames(text: string): Frame[] {
  return splitSentences(text.slice(-maxTurn)).slice(-maxSentences).flatMap(framesOf);
}

/** "Mr. Chair, the budget is ..." */
const formal =
  /^(?:mr|mrs|ms|madam|honou?rable)\.? (?:chair(?:man|woman|person)?|speaker|president|minister|mayor),\s+(?=\p{Alpha})/iu;

/** "Hey John, …", "Thanks, Maria!": whom something is said to is not what it is about. */
function withoutAddress(text: string, names: readonly string[]): string {
  let bare = text.replace(formal, '');
  for (const name of names) {
    if (!bare.includes(name)) continue;
    const at = bare.indexOf(name);
    const rest = bare.slice(at + name.length);
    if (at < 16 && /^[,!.]\s/.test(rest)) bare = bare.slice(0, at) + rest.slice(2);
    else if (
      /^[.!?]*$/.test(rest) &&
      /[,\s]$/.test(bare.slice(0, at)) &&
      /(?:^\W*\p{Alpha}+|,)\s*$/u.test(bare.slice(0, at))
    )
      bare = bare.slice(0, at).replace(/[,\s]+$/, '') + rest;
  }
  return bare;
}

/** What was decided is how things are: "We decided to use Redis" states that they do. */
const decided =
  /\b(?:(?:have|has|had) )?(?:decided|agreed|chosen|chose|opted|resolved) to (?=\p{Lower})|\b[Ww]e(?:'ve| have)? (?:decided|agreed)(?: that)? (?=(?:the|our|my) )|\b[Ii]t (?:was|has been|is) (?:decided|agreed|resolved|settled) that (?=\p{Alpha})/gu;

/** "The board resolved to sell the boathouse": it sells it. */
const decidedByOne =
  /\b((?:[Tt]he|[Oo]ur|[Mm]y|[Hh]is|[Hh]er|[Tt]heir) [\p{Alpha}-]+|[Hh]e|[Ss]he|(?!(?:We|They|You|Both|All)\b)\p{Upper}\p{Lower}+)(?: ha[sd])? (?:decided|agreed|chosen|chose|opted|resolved) to (\p{Lower}+)/gu;

/** Whether the turn before asks for a change and names what the frames say: the same value, or the same name. */
function confirms(frames: readonly Frame[], asked: SaidBefore | undefined): boolean {
  if (asked === undefined || isAgent(asked.role)) return false;
  const orders = splitSentences(asked.text).filter(isOrder).flatMap(framesOf);
  return orders.some((order) =>
    frames.some(
      ({ values, topics }) =>
        values.some((value) => order.values.some((other) => other.type === value.type && !differ(other, value))) ||
        topics.some(({ isName, stem }) => isName && order.topics.some((other) => other.isName && other.stem === stem)),
    ),
  );
}

/**
 * Reads a sentence with what stands around it. Pure, and quick enough for some hundred sentences a question. What stands around it is read
 * when it is asked for: most pairs of sentences differ in what they say themselves.
 *
 * The turn before lends its topic to a reply, the same turn to a sentence without one of its own.
 */
export function readSaid(said: Said): Reading {
  const names = [
    ...new Set(
      said.before.filter(({ speaker }) => speaker !== said.speaker).map(({ speaker }) => speaker.split(' ')[0]!),
    ),
  ];
  const plain = said.text
    .replaceAll('’', "'")
    .replace(/\s+/g, ' ')
    .trim()
    .replace(decidedByOne, (_, who: string, verb: string) => `${who} ${agreeing(verb)}`)
    .replace(decided, '');
  const text = withoutAddress(plain, names);
  const frames = framesOf(text);
  const own = ownBefore(said);
  const asked = said.before.at(own === undefined ? -1 : -2);
  const turn = once(() => [
    ...(own === undefined ? [] : turnFrames(own.text)),
    ...turnFrames(said.after.slice(0, maxTurn)),
  ]);
  const around = once(() => {
    const isOther = asked !== undefined && !(asked.speaker === said.speaker && asked.role === said.role);
    // "Sorry, typo! 24,000": who puts right what they just said need not name it again.
    const isMending = () => [...frames, ...turn()].some(({ cues }) => cues.has('correction'));
    return [...turn(), ...(asked !== undefined && (isOther || isMending()) ? turnFrames(asked.text) : [])];
  });
  const near = once(() => around().flatMap(({ topics }) => topics));
  const nearKeys = once(() => allKeys(around()));
  const from = startOf(said);
  const isAssistant = isAgent(said.role) && !isReport(said);
  return {
    said,
    isAssistant,
    isConfirmed: isAssistant && confirms(frames, asked),
    isItsOwnStart: from !== undefined && isItsOwnStart(said),
    frames,
    get near() {
      return near();
    },
    get around() {
      return around();
    },
    get turn() {
      return turn();
    },
    before: said.before.map((one) => one.text).join('\n'),
    isSeveral: splitSentences(text).length > 1,
    keys: allKeys(frames),
    get nearKeys() {
      return nearKeys();
    },
    ...(from === undefined ? {} : { from }),
  };
}
