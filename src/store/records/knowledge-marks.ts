// The square brackets behind a line of knowledge: where it comes from, when it was last true, whose line it is. And the links
// within it, as Obsidian writes them.

import { normaliseForHash } from '../../base/text.ts';
import { isDay } from '../../base/time.ts';

/** Marks at the end of a line: `[source: raw/…#3] [verified: 2026-02-16] [memory: 0a1b…]`. */
const mark = /\s*\[(?:source|verified|due|memory): [^\]]*\]/g;
/** What of them tells of the line, not of its matter; the first two are long, and for programs. */
const sourceMark = /[ \t]*\[(?:source|memory): [^\]\n]*\]/g;
const provenanceMark = /[ \t]*\[(?:source|memory|verified): [^\]\n]*\]/g;
const verifiedMark = /\[verified: ([^\]]*)\]/;
const dueMark = /\[due: ([^\]]*)\]/;
const ownerMark = /(?:[ \t]*\[memory: [^\]\s]+\])+[ \t]*$/;
const turnName = /^raw\/[^#]+#\d{1,9}$/;
const link = /\[\[([^[\]|\n]+)(?:\|([^[\]\n]*))?\]\]/g;

/** Gives the day on which a line was last said to be true, `YYYY-MM-DD`; undefined where nobody said. */
export const verifiedOf = (line: string): string | undefined => dayIn(line, verifiedMark);

/** Gives the day on which what a line says was due. */
export const dueIn = (line: string): string | undefined => dayIn(line, dueMark);

function dayIn(line: string, marked: RegExp): string | undefined {
  const day = marked.exec(line)?.[1];
  return day !== undefined && isDay(day) ? day : undefined;
}

/** Lists what a line names as its sources: paths with turns, ids of events. */
export const sourcesOfLine = (line: string): string[] =>
  [...line.matchAll(/\[source: ([^\]]*)\]/g)].map(([, source]) => source!.trim());

/** Lists the memories that a line names as those it was written from; a line that names one is the engine's. */
export const memoriesOfLine = (line: string): string[] =>
  [...line.matchAll(/\[memory: ([^\]\s]+)\]/g)].map(([, id]) => id!);

/**
 * Lists who owns a line of the engine: the memories that it names. Where it names none, these are its turns, as `path#turn`.
 *
 * A line of a person, and one that follows an event alone, has no owner here. Whatever is forgotten, ended or edited reaches a line by its owner.
 */
export function ownersOfLine(line: string): string[] {
  const memories = memoriesOfLine(line);
  return memories.length > 0 ? memories : turnsOfLine(line);
}

/** Lists the turns that a line was taken from, as `path#turn`; of a daily note they are lines. */
export const turnsOfLine = (line: string): string[] => sourcesOfLine(line).filter(isTurn);

/** Tells whether an owner is a turn, and not a memory. */
export const isTurn = (owner: string): boolean => turnName.test(owner);

/** Writes the mark by which a line names the memory it was written from; nothing for none. It stands last. */
export const memoryMark = (id: string | undefined): string => (id === undefined ? '' : ` [memory: ${id}]`);

/** Gives the words of a line: without marks, and with the names that links show in place of the links. */
export const wordsOfLine = (line: string): string => plainLinks(line.replace(mark, '')).trim();

/** Takes out of a line the day on which it was last true. */
export const withoutVerified = (line: string): string => line.replace(/[ \t]*\[verified: [^\]\n]*\]/g, '');

/** Takes out of a text what its lines say of where they come from; each stays on its line. */
export const withoutSources = (text: string): string => text.replace(sourceMark, '');

/** Takes out of a text also when its lines were last true. */
export const withoutProvenance = (text: string): string => text.replace(provenanceMark, '');

/** Lets a line say that it was true on a day, unless it says so of a later one; else as {@link withVerifiedOn}. */
export function withVerified(line: string, day: string): string {
  const present = verifiedOf(line);
  return present !== undefined && present >= day ? line : withVerifiedOn(line, day);
}

/**
 * Lets a line say that it was true on a day, whatever it says now. All its other bytes stay.
 *
 * The mark that is there gets the day; else a new one comes last, but for the mark that says whose line it is.
 */
export function withVerifiedOn(line: string, day: string): string {
  // A mark without a day in it is nobody's word.
  if (verifiedMark.test(line)) return line.replace(verifiedMark, `[verified: ${day}]`);
  const end = /\r?$/.exec(line)![0];
  const bare = line.slice(0, line.length - end.length);
  const owner = ownerMark.exec(bare)?.[0] ?? '';
  const words = bare.slice(0, bare.length - owner.length).trimEnd();
  return `${words} [verified: ${day}]${owner}${end}`;
}

/** A link from one note to another: `[[jonas|Jonas]]` leads to `jonas` and shows `Jonas`. */
interface WikiLink {
  /** The name of a note, or the end of its path, without `.md`; without the heading behind `#`. */
  readonly target: string;
  readonly shown: string;
}

/** Lists the links of a line. */
export function linksIn(line: string): WikiLink[] {
  return [...line.matchAll(link)].map(([, target = '', shown]) => ({
    target: target.replace(/[#^].*$/, '').trim(),
    shown: (shown ?? target).trim(),
  }));
}

/** Writes the names that links show in place of the links. */
const plainLinks = (text: string): string =>
  text.replace(link, (_, target: string, shown: string | undefined) => shown ?? target);

const item = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(.*)$/;

/** What stands before the words of a line of the engine: the day, and who is quoted. `2026-11-16 Jonas: We host on Hetzner.` */
export const saidOn = /^(\d{4}-\d\d-\d\d)(?: ([^:\n[\]]{1,60}))?: /;

/** Gives what an item says: without the mark of its list, links and other marks, day and speaker in front, and its `(due …)` or `(until …)`. */
export function saidBy(words: string): string {
  return wordsOfLine(words)
    .replace(saidOn, '')
    .replace(/(?: \(due [\d-]+\))?(?: \(until [\d-]+\))?$/, '');
}

/** Tells whether two items say the same; letter case, punctuation and white space do not count. */
export const isSaidBy = (words: string, other: string): boolean =>
  normaliseForHash(saidBy(words)) === normaliseForHash(saidBy(other));

/** Finds the first item of a list, at whatever depth, that says this: its 0-based line; undefined for none. */
export function lineSaying(text: string, words: string): number | undefined {
  const key = normaliseForHash(saidBy(words));
  const at = text.split('\n').findIndex((line) => {
    const content = item.exec(line)?.[1];
    return content !== undefined && normaliseForHash(saidBy(content)) === key;
  });
  return at < 0 ? undefined : at;
}

/** Changes one line of a text; `at` is 0-based. */
export function withLine(text: string, at: number, change: (line: string) => string): string {
  return text
    .split('\n')
    .map((line, position) => (position === at ? change(line) : line))
    .join('\n');
}
