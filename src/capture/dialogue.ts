// A conversation as people paste it: plain text in which a line that begins with a role, or a name, and a colon begins a message.

import { type MessageDraft, roleOf } from './messages.ts';

/** `User: …`, also in bold (`**User:** …`, `**User**: …`). */
const opening = /^(\*\*|__)?([\p{L}\p{M}][\p{L}\p{M}.'’ -]{0,39}?)(?:\1)?\s?:(?:\1)?(?:[ \t]+|$)(.*)$/u;
/** One to three words, each with a capital: `Anna`, `Jean-Luc`, `Maria de Souza`. */
const personName = /^\p{Lu}[\p{L}\p{M}.'’-]*(?: (?:d[aeo]s?|v[ao]n|der|den|el|al|\p{Lu}[\p{L}\p{M}.'’-]*)){0,2}$/u;
/** What else stands before a colon with a capital: in notes, records and mails, and within what somebody says. */
const labels = new Set(
  `a action actions address age agenda amount answer author bcc category cc city code color comment con cons context cost country
  created date decision deadline description email error example file from goal id idea input issue item kind language link location
  name new note number old option output owner phone place price priority pro problem pros q question reason reference result risk
  role section size solution source state status step steps subject summary tag tags task time tip title to todo topic total type
  update updated url value version warning when where who why
  also and anyway besides but btw finally first fyi however meanwhile nb no now oh ok okay plus ps second so still thanks then third
  well yes`.split(/\s+/),
);
const sentence = /\p{L}+[ ,].*[.!?…)]["'”’]?\s*$|[!?…]\s*$/u;

interface Opening {
  readonly role: string;
  readonly speaker?: string;
  readonly rest: string;
}

/** Tells whether a line begins a message, and whose. */
type ReadOpening = (line: string) => Opening | null;

const openingOfRole: ReadOpening = (line) => {
  const [, , name = '', rest = ''] = opening.exec(line) ?? [];
  const role = name === '' ? undefined : roleOf(name.toLowerCase());
  return role === undefined ? null : { role, rest };
};

const openingOfName: ReadOpening = (line) => {
  const [, , name = '', rest = ''] = opening.exec(line) ?? [];
  return personName.test(name) && !labels.has(name.toLowerCase()) ? { role: 'user', speaker: name, rest } : null;
};

/** The lines outside fences, where what is quoted may begin with anything. */
function* spoken(text: string, openingOf: ReadOpening): Generator<{ line: string; found: Opening | null }> {
  let isCode = false;
  for (const line of text.replaceAll('\r\n', '\n').split('\n')) {
    const found = isCode ? null : openingOf(line);
    if (/^\s*(```|~~~)/.test(found?.rest ?? line)) isCode = !isCode;
    yield { line, found };
  }
}

/** Two roles at least, and it begins with one of them. */
function isTalkOfRoles(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0 || openingOfRole(lines[0]!) === null) return false;
  return new Set(lines.map((line) => openingOfRole(line)?.role).filter((role) => role !== undefined)).size > 1;
}

/**
 * Between people: it begins with a name, two names come up twice, every second line begins a message and every second message is a
 * sentence. A record of fields (`Roast: dark`) is none of that, and stays one text.
 */
function isTalkOfPeople(text: string): boolean {
  const lines = [...spoken(text, openingOfName)].filter(({ line }) => line.trim() !== '');
  if (!lines[0]?.found) return false;
  const openings = lines.flatMap(({ found }) => found ?? []);
  const counts = new Map<string, number>();
  for (const { speaker } of openings) counts.set(speaker!, (counts.get(speaker!) ?? 0) + 1);
  const recurring = [...counts.values()].filter((count) => count > 1).length;
  const sentences = openings.filter(({ rest }) => sentence.test(rest)).length;
  return recurring > 1 && 2 * openings.length >= lines.length && 2 * sentences >= openings.length;
}

/** Tells a dialogue from prose. */
export function isDialogue(text: string): boolean {
  return isTalkOfRoles(text) || isTalkOfPeople(text);
}

/**
 * Cuts a dialogue into messages; what stands before the first is the user's. Names count where no line begins with a role: then each
 * person is a speaker of role `user`.
 */
export function messagesOfDialogue(text: string): MessageDraft[] {
  const hasRoles = [...spoken(text, openingOfRole)].some(({ found }) => found !== null);
  const messages: { role: string; speaker?: string; lines: string[] }[] = [];
  for (const { line, found } of spoken(text, hasRoles ? openingOfRole : openingOfName)) {
    if (found !== null) {
      const { rest, ...who } = found;
      messages.push({ ...who, lines: [rest] });
    } else if (messages.length > 0) messages.at(-1)!.lines.push(line);
    else if (line.trim() !== '') messages.push({ role: 'user', lines: [line] });
  }
  return messages.map(({ lines, ...who }) => ({ ...who, parts: [{ kind: 'text', text: lines.join('\n') }] }));
}
