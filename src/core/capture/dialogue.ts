// A conversation as people paste it, in plain text. A line that begins with a role, or a name, and a colon begins a message.

import * as words from '../../base/generated/words.ts';
import { anyOf, listed } from '../../base/words.ts';
import { fencedLines } from './fences.ts';
import { type MessageDraft, roleOf } from './messages.ts';

/** `User: …`, also in bold (`**User:** …`, `**User**: …`). */
const opening = /^(\*\*|__)?([\p{L}\p{M}][\p{L}\p{M}.'’ -]{0,39}?)(?:\1)?\s?:(?:\1)?(?:[ \t]+|$)(.*)$/u;
/** `## User`, `### Assistant`: what is said stands below. */
const heading = /^#{1,4}\s+(?:\p{Extended_Pictographic}\S*\s+)?(?:\*\*)?(\p{L}[\p{L} ]{0,19}?)(?:\*\*)?:?\s*$/u;
/** One to three words, each with a capital: `Anna`, `Jean-Luc`, `Maria de Souza`. */
const personName = /^\p{Lu}[\p{L}\p{M}.'’-]*(?: (?:d[aeo]s?|v[ao]n|der|den|el|al|\p{Lu}[\p{L}\p{M}.'’-]*)){0,2}$/u;
/** What else stands before a colon with a capital: in notes, records and mails, and within what somebody says. */
const labels = new Set(listed(words.labels));
/** What people and pages of chat programs write for the two sides: `You said:`, `ChatGPT said:`, `Me: …`. */
const you = new Set(['you', 'me']);
const assistants = new Set(['chatgpt', 'claude', 'codex', 'copilot', 'gemini', 'grok']);
const sentence = /\p{L}+[ ,].*[.!?…)]["'”’]?\s*$|[!?…]\s*$/u;

interface Opening {
  readonly role: string;
  readonly speaker?: string;
  readonly rest: string;
}

/** Tells whether a line begins a message, and whose. */
type ReadOpening = (line: string) => Opening | null;

/** Gives the role that a name stands for, or that of a person with this name. */
export const whoIs = (written: string): { readonly role: string; readonly speaker?: string } =>
  sideOf(written) ?? { role: 'user', speaker: written };

function sideOf(written: string): { readonly role: string; readonly speaker?: string } | undefined {
  const name = written.replace(/ (?:said|responded|wrote|answered|replied)$/i, '').toLowerCase();
  if (you.has(name)) return { role: 'user' };
  if (assistants.has(name)) return { role: 'agent', speaker: written.slice(0, name.length) };
  const role = roleOf(name);
  return role === undefined ? undefined : { role };
}

const openingOfRole: ReadOpening = (line) => {
  const [, , written, rest = ''] = opening.exec(line) ?? [];
  const side = sideOf(written ?? heading.exec(line)?.[1] ?? '');
  return side === undefined ? null : { ...side, rest };
};

/** Where one side is `Me`, the other is `You`. */
const openingOfMeAndYou: ReadOpening = (line) => {
  const found = openingOfRole(line);
  const isYou = found !== null && /^\W*you\b/i.test(line);
  return isYou ? { ...found, role: 'agent' } : found;
};

function readsMeAndYou(text: string): boolean {
  const begins = (side: string): boolean => new RegExp(`^(?:\\*\\*|__)?${side}(?:\\*\\*|__)?\\s?:`, 'im').test(text);
  return begins('me') && begins('you') && [...rolesIn(text)].join() === 'user';
}

const openingOfName: ReadOpening = (line) => {
  const [, , name = '', rest = ''] = opening.exec(line) ?? [];
  return personName.test(name) && !labels.has(name.toLowerCase()) ? { role: 'user', speaker: name, rest } : null;
};

const openingOfEither: ReadOpening = (line) => openingOfRole(line) ?? openingOfName(line);

/** The lines with what they begin; within fences what is quoted may begin with anything. */
function* spoken(text: string, openingOf: ReadOpening): Generator<{ line: string; found: Opening | null }> {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const fenced = fencedLines(lines, (line) => openingOf(line)?.rest);
  for (const [at, line] of lines.entries()) yield { line, found: fenced[at] ? null : openingOf(line) };
}

/** Lines that say something, each with what it begins. */
const spokenLines = (text: string, openingOf: ReadOpening) =>
  [...spoken(text, openingOf)].filter(({ line }) => line.trim() !== '');

const rolesIn = (text: string): ReadonlySet<string> =>
  new Set([...spoken(text, openingOfRole)].flatMap(({ found }) => found?.role ?? []));

/** It begins with a role, and has two at least; or nothing but sentences of one. */
function isTalkOfRoles(text: string): boolean {
  const lines = spokenLines(text, openingOfRole);
  if (lines[0]?.found == null) return false;
  return rolesIn(text).size > 1 || lines.every(({ found }) => found !== null && sentence.test(found.rest));
}

const inPerson = anyOf(words.inPerson);

/**
 * The text begins with a message, every second line begins one, and every second message is a sentence. A record of fields (`Roast: dark`)
 * is none of that, and stays one text. Between people two names come up twice, or one where each line is a message and it answers another,
 * or all are sentences. Where each of these says "I", "we" or "you", none has to. Between people and an agent, whose lines bear its role, all
 * messages are sentences where they are too few for that. They need not be where each line bears one of two labels. Where lines have the roles of
 * both sides, names are part of what is said.
 */
function isTalkOfNames(text: string, openingOf: typeof openingOfName | typeof openingOfEither): boolean {
  const lines = spokenLines(text, openingOf);
  if (!lines[0]?.found) return false;
  const openings = lines.flatMap(({ found }) => found ?? []);
  const sentences = openings.filter(({ rest }) => sentence.test(rest)).length;
  if (2 * openings.length < lines.length || 2 * sentences < openings.length) return false;
  const counts = new Map<string, number>();
  for (const { speaker, role } of openings) counts.set(speaker ?? role, (counts.get(speaker ?? role) ?? 0) + 1);
  const recurring = [...counts.values()].filter((count) => count > 1).length;
  if (openingOf === openingOfName) {
    if (recurring > 1) return true;
    if (openings.length !== lines.length || counts.size < 2) return false;
    const nameAt = (at: number): string | undefined => openings[at]?.speaker;
    const isAnswered = openings.some((_, at) => nameAt(at) === nameAt(at + 2) && nameAt(at) !== nameAt(at + 1));
    const isOfSentences = sentences === openings.length;
    return isAnswered || (isOfSentences && (recurring === 1 || openings.every(({ rest }) => inPerson.test(rest))));
  }
  const isNamed = ({ role, speaker }: Opening): boolean => role === 'user' && speaker !== undefined;
  if (!openings.some(isNamed) || openings.every(isNamed)) return false;
  const isOfTwo = counts.size === 2 && openings.length === lines.length;
  if (!openings.some(({ role }) => role === 'agent')) return isOfTwo && sentences === openings.length;
  return isOfTwo || recurring > 1 || sentences === openings.length;
}

/** `Ada: …` where it is known that Ada takes part, or a role; also in bold, in a list, with a time, or as a heading. */
const openingOfOne =
  (names: ReadonlySet<string>): ReadOpening =>
  (line) => {
    const [, , label = '', inner = ''] = ofNamed.exec(line) ?? [];
    const written = label === '' ? (heading.exec(line)?.[1] ?? '') : label;
    return names.has(written.toLowerCase()) ? { role: 'user', speaker: written, rest: inner } : openingOfRole(line);
  };

/** Names that are known to take part, with parts of them, and others that stand where names do: in bold, or twice. */
function namesIn(text: string, known: readonly string[]): Set<string> {
  const names = new Set(known.flatMap((name) => [name, ...name.split(' ')]).map((name) => name.toLowerCase()));
  const once = new Set<string>();
  for (const line of text.split('\n')) {
    const [, bold, label = ''] = ofNamed.exec(line) ?? [];
    const name = label.toLowerCase();
    if (!personName.test(label) || labels.has(name)) continue;
    if (bold !== undefined || once.has(name)) names.add(name);
    once.add(name);
  }
  return names;
}

const ofNamed =
  /^(?:[-*>]\s+)?(\*\*|__)?([\p{L}\p{N}].{0,59}?)(?:\1)?(?:\s*[([]\d[\d:.]*[)\]])?\s?:(?:\1)?(?:[ \t]+|$)(.*)$/u;

/** How the lines of a dialogue begin, or null for prose. */
function openingsOf(text: string, names: readonly string[] = []): ReadOpening | null {
  if (names.length > 0) {
    const openingOf = openingOfOne(namesIn(text, names));
    return [...spoken(text, openingOf)].filter(({ found }) => found !== null).length > 1 ? openingOf : null;
  }
  const roles = rolesIn(text);
  if (readsMeAndYou(text)) return spokenLines(text, openingOfRole)[0]?.found == null ? null : openingOfMeAndYou;
  if (roles.size === 1 && isTalkOfNames(text, openingOfEither)) return openingOfEither;
  if (isTalkOfRoles(text)) return openingOfRole;
  return !roles.has('user') && !roles.has('agent') && isTalkOfNames(text, openingOfName) ? openingOfName : null;
}

/** Tells a dialogue from prose; `names` are those of who takes part, where they are known. */
export const isDialogue = (text: string, names?: readonly string[]): boolean => openingsOf(text, names) !== null;

/** Counts the lines that stand before the first message. */
export function linesAbove(text: string, names?: readonly string[]): number {
  const openingOf = openingsOf(text, names);
  return openingOf === null
    ? 0
    : Math.max(
        0,
        [...spoken(text, openingOf)].findIndex(({ found }) => found !== null),
      );
}

/**
 * Cuts a dialogue into messages; what stands before the first is the user's. A name is that of a person, whose role is `user`, unless lines
 * bear the roles of both sides.
 */
export function messagesOfDialogue(text: string, names?: readonly string[]): MessageDraft[] {
  const openingOf = openingsOf(text, names) ?? (rolesIn(text).size > 1 ? openingOfRole : openingOfEither);
  const messages: { role: string; speaker?: string; lines: string[] }[] = [];
  for (const { line, found } of spoken(text, openingOf)) {
    if (found !== null) {
      const { rest, ...who } = found;
      messages.push({ ...who, lines: [rest] });
    } else if (messages.length > 0) messages.at(-1)!.lines.push(line);
    else if (line.trim() !== '') messages.push({ role: 'user', lines: [line] });
  }
  return messages.map(({ lines, ...who }) => ({ ...who, parts: [{ kind: 'text', text: lines.join('\n') }] }));
}
