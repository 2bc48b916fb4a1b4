// What becomes of the lines of a memory when it changes: pages of knowledge, journals, archives, boxes. A line is owned by the memories that it
// names, else by the turn that it was taken from. Pure; who asks, and when, is said in core/ledger/line-follower.ts. Other lines stay byte for byte.

import { normaliseForHash, oneLine, splitLines } from '../../base/text.ts';
import { dayMs } from '../../base/time.ts';
import { withoutEmptiedSections } from '../../store/merge/take-back.ts';
import { type BoxMemory, boxWords, formatBox, parseBox } from '../../store/records/box-file.ts';
import { cutFrontMatter } from '../../store/records/front-matter.ts';
import { noteChange, setFrontKey } from '../../store/records/knowledge-edit.ts';
import { withLineCount } from '../../store/records/knowledge-items.ts';
import {
  isTurn,
  linksIn,
  memoriesOfLine,
  memoryMark,
  ownersOfLine,
  saidBy,
  sourcesOfLine,
} from '../../store/records/knowledge-marks.ts';
import { entityHeadings } from '../../store/records/knowledge-templates.ts';

/** A memory and its words, of one line. */
export interface LineWords {
  readonly id: string;
  readonly words: string;
}

/**
 * What a line of a memory has to become.
 *
 * | fate | a page of what is so now | journal, archive, box, history |
 * |---|---|---|
 * | `gone` | goes | goes |
 * | `faded` by its age | goes | stays in journals and archives as the line of its turn, where it has one |
 * | `became` others, by consolidation or a split | theirs in its place | theirs in its place |
 * | `over` since a day | goes | stays, `(until 2026-03-10)` |
 * | `stands`, perhaps with other words, perhaps with an end to come | the words, `(until …)` | the same |
 *
 * `was` is what the memory said before, each wording on a line of its own; the first is the one that lines have. A line of several memories
 * says the words of each, in their order: what happens to one changes its words alone.
 */
export type Fate =
  | { readonly kind: 'gone'; readonly was: string }
  | { readonly kind: 'faded'; readonly was: string }
  | { readonly kind: 'became'; readonly was: string; readonly heirs: readonly LineWords[] }
  | { readonly kind: 'over'; readonly was: string; readonly until: string }
  | { readonly kind: 'stands'; readonly was: string; readonly words?: string; readonly until?: string };

/** What lines follow from. */
export interface Fates {
  /** What becomes of a memory, by its id. */
  readonly of: ReadonlyMap<string, Fate>;
  /** Which memory takes over the lines of a turn, by `path#turn`. */
  readonly heirOf?: ReadonlyMap<string, string>;
  /** Gives a memory that stays as it is; undefined where there is none. */
  standing?(id: string): Extract<Fate, { readonly kind: 'over' | 'stands' }> | undefined;
  /** The day of the change, for notes. */
  readonly day: string;
}

const maxWords = 400;
const untilMark = / \(until \d{4}-\d\d-\d\d\)/;
const anyUntil = / \(until \d{4}-\d\d-\d\d\)/g;
/** The mark of a list, and day and speaker in front. */
const head = /^\s{0,40}(?:[-*+]|\d{1,9}[.)])[ \t](?:\d{4}-\d\d-\d\d(?: [^:\n[\]]{1,60})?: )?/;
/** Where what stands behind the words begins; nobody's words have a mark. */
const tail = /(?: \(due [\d-]{10}\))?(?: \(until [\d-]{10}\))?[ \t]?\[(?:source|verified|due|memory): /;
const headingLine = /^(#{1,6})[ \t]+(\S.*)$/;

/** Brings a file to what memories are by now. Null where nothing of it is left, and the text itself where no line has to change. */
export const followedText = (path: string, text: string, fates: Fates): string | null =>
  path.startsWith('boxes/') ? followedBox(path, text, fates) : followedPage(path, text, fates);

/** Lists the memories that a file names, in its lines or as the one that it was written from. */
export function memoriesNamedIn(text: string): Set<string> {
  const own = ownerOfPage(text);
  return new Set([...memoriesOfLine(text), ...(own === undefined ? [] : [own])]);
}

/** Lists who owns lines of a file: {@link memoriesNamedIn}, and the turns of lines that name no memory, as `path#turn`. */
export function ownersIn(text: string): Set<string> {
  const owners = memoriesNamedIn(text);
  if (text.includes('[source: raw/'))
    for (const line of splitLines(text)) for (const one of ownersOfLine(line)) owners.add(one);
  return owners;
}

/** Joins what several memories say to the words of one line. */
export const joinedWords = (words: readonly string[]): string => words.map((one) => one.trim()).join(' ');

/**
 * Gives a line of a turn to memories: it says their words, and names them last. A line that names memories already keeps them and their words
 * in front.
 */
export function takenOver(line: string, memories: readonly LineWords[]): string {
  const known = memoriesOfLine(line);
  const added = memories.filter(({ id }) => !known.includes(id));
  const words = joinedWords([...(known.length === 0 ? [] : [plainWords(line)]), ...added.map((one) => one.words)]);
  const most = maxWords * (known.length + added.length);
  return `${withWords(line, words, most)}${added.map(({ id }) => memoryMark(id)).join('')}`;
}

/** Lets a line say these words and name their memories, in place of all that it says and names. */
export function resaid(line: string, said: readonly { readonly id?: string; readonly words: string }[]): string {
  const bare = line.replace(/[ \t]*\[memory: [^\]\s]+\]/g, '').replace(anyUntil, '');
  const words = joinedWords(said.map((one) => one.words));
  return `${withWords(bare, words, maxWords * said.length)}${said.map(({ id }) => memoryMark(id)).join('')}`;
}

/** Finds the lines whose words somebody changed: memory id → the new words. A line that was cut short says too little to be taken at its word. */
export function rewordedLines(before: string, after: string): Map<string, string> {
  const [old, present] = [wordsByOwner(before), wordsByOwner(after)];
  const reworded = new Map<string, string>();
  for (const [id, words] of present) {
    const was = old.get(id);
    if (was === undefined || was === '' || words === '' || was.endsWith('…') || words === was) continue;
    reworded.set(id, words);
  }
  return reworded;
}

/** The words of each line that alone in its file names a memory, and names no other. */
function wordsByOwner(text: string): Map<string, string> {
  const found = new Map<string, string[]>();
  for (const line of splitLines(text)) {
    const [id, ...others] = memoriesOfLine(line);
    if (id === undefined || others.length > 0) continue;
    found.set(id, [...(found.get(id) ?? []), plainWords(line)]);
  }
  return new Map([...found].flatMap(([id, words]) => (words.length === 1 ? [[id, words[0]!] as const] : [])));
}

/** A line in three: what stands before its words, these, and what stands behind; undefined for what is no item. */
function partsOf(
  line: string,
): { readonly before: string; readonly words: string; readonly behind: string } | undefined {
  const before = head.exec(line)?.[0];
  if (before === undefined) return undefined;
  const rest = line.slice(before.length);
  const at = tail.exec(rest)?.index ?? rest.length;
  return { before, words: rest.slice(0, at), behind: rest.slice(at) };
}

function plainWords(line: string): string {
  const parts = partsOf(line);
  return parts === undefined ? '' : saidBy(parts.words);
}

// ── pages ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Tells whether a page says what a day brought, and not what is so now. */
export const tellsOfDays = (path: string): boolean => /^(?:knowledge\/journal|archive)\//.test(path);

function followedPage(path: string, text: string, fates: Fates): string | null {
  const keepsDays = tellsOfDays(path);
  const own = ownerOfPage(text);
  const page = own === undefined ? undefined : fates.of.get(own);
  const start = page === undefined ? text : withoutOwnWords(text, page);
  const lines = start.split('\n');
  const kept: string[] = [];
  const notes: string[] = [];
  const left: string[] = [];
  let section = '';
  for (const line of lines) {
    section = headingLine.exec(line)?.[2]?.trimEnd() ?? section;
    const made = followedLine(line, fates, keepsDays || section === 'History' || section === 'Changes', lines);
    kept.push(...made);
    if (made.length > 0 && made[0] === line) continue;
    const [owner] = ownersOfLine(line);
    const id = fates.heirOf?.get(owner ?? '') ?? owner;
    const fate = id === undefined ? undefined : fates.of.get(id);
    if (fate === undefined || id === undefined) continue;
    if (made.length === 0) left.push(line);
    // A page that follows the ledger notes at its bottom what changed (spec 3, update rules).
    if (fate.kind === 'over' && made.length === 0 && sourcesOfLine(line).some((source) => source.startsWith('EVT-')))
      notes.push(`${fates.day}: "${plainWords(line)}" was so until ${fate.until}${memoryMark(id)}`);
  }
  const gone = [...fates.of.values()].flatMap(({ kind, was }) => (kind === 'gone' ? wordingsOf(was) : []));
  const body = left.length === 0 ? kept : withoutEmptied(kept, lines, left);
  const bare = gone.length === 0 ? body : body.map((line) => withoutSaying(line, gone));
  let after = bare.join('\n');
  if (after === text) return text;
  for (const note of notes) after = noteChange(after, note);
  if (isEmptied(path, after, fates.day)) return null;
  return withLineCount(after.replace(/\n{2,}$/, '\n'));
}

function followedLine(line: string, fates: Fates, keepsDays: boolean, all: readonly string[]): string[] {
  const ids = memoriesOfLine(line);
  if (ids.length === 0) return followedTurnLine(line, fates, keepsDays, all);
  const found = ids.flatMap((id) => fates.of.get(id) ?? []);
  const [fate] = found;
  if (fate === undefined) return [line];
  if (fate.kind === 'faded' && sourcesOfLine(line).some(isTurn)) {
    const ofTurn = line.replace(memoryMark(ids.find((id) => fates.of.get(id) === fate)!), '');
    return ids.length === 1 ? [ofTurn] : followedLine(ofTurn, fates, keepsDays, all);
  }
  if (ids.length > 1) return followedJointLine(line, ids, fates, keepsDays);
  if (fate.kind === 'gone' || fate.kind === 'faded') return [];
  if (fate.kind === 'over') return keepsDays ? [withUntil(line, fate.until)] : [];
  if (fate.kind === 'became') {
    const there = new Set(all.flatMap(memoriesOfLine));
    return fate.heirs.flatMap(({ id, words }) =>
      there.has(id) ? [] : [withWords(line, words).replace(/\[memory: [^\]\s]+\]/, memoryMark(id).trim())],
    );
  }
  if (fate.kind !== 'stands') return [line];
  const renewed = fate.words === undefined || plainWords(line) === fate.words ? line : withWords(line, fate.words);
  return [withUntil(renewed, fate.until)];
}

/** A line of a turn goes the way of a memory that was taken from it; what stands becomes its line. */
function followedTurnLine(line: string, fates: Fates, keepsDays: boolean, all: readonly string[]): string[] {
  const heirs = ownersOfLine(line).flatMap((turn) => fates.heirOf?.get(turn) ?? []);
  const id = heirs.find((one) => fates.of.has(one));
  if (id === undefined) return [line];
  const fate = fates.of.get(id)!;
  if (fate.kind === 'faded') return [line];
  // Its line stands here already.
  if (fate.kind === 'gone' || all.some((other) => memoriesOfLine(other).includes(id))) return [];
  const words = fate.kind === 'stands' && fate.words !== undefined ? fate.words : wordingIn(fate);
  return followedLine(takenOver(line, [{ id, words }]), { ...fates, heirOf: new Map() }, keepsDays, all);
}

/**
 * A line of several memories says what is left of them. Words that somebody chose otherwise (a model, a person) stay, unless a memory of
 * theirs is gone: that is known to be in them.
 */
function followedJointLine(line: string, ids: readonly string[], fates: Fates, keepsDays: boolean): string[] {
  const all = ids.map((id) => ({ id, fate: fates.of.get(id) ?? fates.standing?.(id) }));
  const isOwn =
    all.every(({ fate }) => fate !== undefined) &&
    normaliseForHash(plainWords(line).replace(anyUntil, '')) ===
      normaliseForHash(oneLine(joinedWords(all.map(({ fate }) => wordingIn(fate!))), maxWords * ids.length));
  if (!isOwn) return all.some(({ fate }) => fate?.kind === 'gone') ? [] : [line];
  const left = all.flatMap(({ id, fate }): LineWords[] => {
    if (fate === undefined || fate.kind === 'gone' || fate.kind === 'faded') return [];
    if (fate.kind === 'became') return [...fate.heirs];
    if (fate.kind === 'over') return keepsDays ? [{ id, words: `${wordingIn(fate)} (until ${fate.until})` }] : [];
    const until = fate.until === undefined ? '' : ` (until ${fate.until})`;
    return [{ id, words: `${fate.words ?? wordingIn(fate)}${until}` }];
  });
  return left.length === 0 ? [] : [resaid(line, left)];
}

const wordingIn = ({ was }: Fate): string => was.split('\n', 1)[0]!;

function withWords(line: string, words: string, most = maxWords): string {
  const safe = oneLine(words, most).replace(/\[(?=(?:source|verified|due|memory):)/gi, '(');
  const parts = partsOf(line);
  if (parts === undefined) return line;
  // Names that were links stay links.
  const linked = linksIn(parts.words).reduce(
    (text, { target, shown }) =>
      text.replace(shown, () => (target === shown ? `[[${target}]]` : `[[${target}|${shown}]]`)),
    safe,
  );
  return `${parts.before}${linked}${parts.behind}`;
}

function withUntil(line: string, until: string | undefined): string {
  const bare = line.replace(untilMark, '');
  if (until === undefined) return bare;
  const parts = partsOf(bare);
  return parts === undefined ? line : `${parts.before}${parts.words} (until ${until})${parts.behind}`;
}

/** Takes out headings under which only lines stood that left. */
function withoutEmptied(kept: readonly string[], all: readonly string[], left: readonly string[]): string[] {
  const lost = new Set(left);
  const emptied = new Set<string>();
  let heading: string | undefined;
  for (const line of all) {
    if (headingLine.test(line)) heading = line;
    else if (heading !== undefined && lost.has(line)) emptied.add(heading);
  }
  const result = withoutEmptiedSections(kept, emptied);
  if (result.length > 0 && result.at(-1) !== '') result.push('');
  return result;
}

const wordingsOf = (was: string): string[] => was.split('\n').map(normaliseForHash);

/** A heading that was made of the words of what is gone says so no more. */
function withoutSaying(line: string, gone: readonly string[]): string {
  const [, marks = '', words = ''] = headingLine.exec(line) ?? [];
  const key = normaliseForHash(words.replace(/…$/, ''));
  const isSaying = marks.length > 1 && key.split(' ').length > 2 && gone.some((was) => was.includes(key));
  return isSaying ? `${marks} General` : line;
}

/** Conversations of so many days past get lines in journals. The journal of a day names those that it has told of. */
export const summariseDays = 7;

/**
 * Tells whether a page that the engine began has nothing left but its title. So has a journal of a day that no pass comes back to; MEMORY.md
 * stays.
 */
export function isEmptied(path: string, text: string, today: string): boolean {
  const day = /^knowledge\/journal\/(\d{4}-\d\d-\d\d)\.md$/.exec(path)?.[1];
  const isTold = day !== undefined && Date.parse(today) - Date.parse(day) > (summariseDays + 2) * dayMs;
  if (
    !isTold &&
    !/^knowledge\/(?:people|entities|reference|insights|principles|procedures|projects\/[^/]+)\//.test(path)
  )
    return false;
  const cut = cutFrontMatter(text);
  if (cut === undefined || cut.block.split('\n').some((line) => line !== '' && !frontKey.test(line))) return false;
  const rest = cut.body.split('\n').filter((line) => line.trim() !== '');
  const templates = [...entityHeadings, day].map((heading) => `## ${heading}`);
  return rest.every((line) => /^# /.test(line) || templates.includes(line.trim()));
}

/** What the engine writes into front matter; another key is a person's. */
const frontKey =
  /^(?:type|name|project|updated|date|sessions|line_count|source|memory|priority|established|learned)[ \t]*:[ \t]*\S/;

// ── pages written from one memory ─────────────────────────────────────────────────────────────────────────────────

function ownerOfPage(text: string): string | undefined {
  const block = cutFrontMatter(text)?.block ?? '';
  return /^memory:[ \t]*(\S+)[ \t]*$/m.exec(block)?.[1]?.replace(/^["']|["']$/g, '');
}

/** Brings a page that was written from one memory to its words, or takes them out. Only lines that say a part of them change. */
function withoutOwnWords(text: string, fate: Fate): string {
  const words = fate.kind === 'stands' ? fate.words : fate.kind === 'became' ? fate.heirs[0]?.words : undefined;
  if (fate.kind === 'stands' && words === undefined) return text;
  const wordings = wordingsOf(fate.was);
  const cut = cutFrontMatter(text)!;
  const lines = cut.body.split('\n').flatMap((line): string[] => {
    const [, marks, title] = headingLine.exec(line) ?? [];
    if (marks !== undefined && marks.length > 1) return [line];
    const named = /^(?:(?:Principle|Insight|Procedure): )?(.*)$/.exec(title ?? line.replace(/^\d+\. /, ''))![1]!;
    const key = normaliseForHash(named.replace(/…$/, ''));
    if (key === '' || memoriesOfLine(line).length > 0 || !wordings.some((one) => one.includes(key))) return [line];
    if (words === undefined) return [];
    if (marks !== undefined) return [line.replace(named, () => oneLine(words, 72).replace(/[.!?:;,]+$/, ''))];
    return wordings.includes(key) ? [words] : [];
  });
  const body = lines.join('\n').replace(/\n{3,}/g, '\n\n');
  const page = `${cut.opening}${cut.block}${cut.closing}${words === undefined ? withoutHeadings(body) : body}`;
  const heir = fate.kind === 'became' ? fate.heirs[0] : undefined;
  return heir === undefined ? page : setFrontKey(page, 'memory', heir.id);
}

/** Leaves out headings of the second level below which nothing stands. */
const withoutHeadings = (body: string): string => body.replace(/^## [^\n]*\n\s*(?=## |$(?![\s\S]))/gm, '');

// ── boxes ─────────────────────────────────────────────────────────────────────────────────────────────────────────

function followedBox(path: string, text: string, { of }: Fates): string | null {
  const box = parseBox(text, path);
  const memories = box.memories.flatMap((memory): BoxMemory[] => {
    const fate = of.get(memory.id);
    if (fate === undefined) return [memory];
    if (fate.kind === 'gone' || fate.kind === 'faded') return [];
    const bare = memory.words.replace(untilMark, '');
    if (fate.kind === 'over') return [{ ...memory, words: untilWords(bare, fate.until) }];
    if (fate.kind === 'became') {
      const there = new Set(box.memories.map(({ id }) => id));
      return fate.heirs.flatMap(({ id, words }) => (there.has(id) ? [] : [{ ...memory, id, words: boxWords(words) }]));
    }
    const words = fate.words === undefined ? bare : boxWords(fate.words);
    return [{ ...memory, words: fate.until === undefined ? words : untilWords(words, fate.until) }];
  });
  const left = memories.map(({ words }) => normaliseForHash(words)).join('\n');
  const lost = box.memories.map(({ words }) => normaliseForHash(words)).join('\n');
  // What it is about was said by those that left alone.
  const topics = box.topics.filter((topic) => {
    const key = normaliseForHash(topic);
    return left.includes(key) || !lost.includes(key);
  });
  if (memories.length === 0 && box.memories.length > 0 && box.notes === '') return null;
  const isSame = memories.every(
    ({ id, words }, at) => id === box.memories[at]?.id && words === box.memories[at]?.words,
  );
  return isSame && memories.length === box.memories.length ? text : formatBox({ ...box, topics, memories });
}

const untilWords = (words: string, until: string): string => `${oneLine(words, 220)} (until ${until})`;
