// Pages that people read stay short, and nothing is lost: what leaves them moves to the archive (spec 4, spec 5 §8.4 and §8.5). MEMORY.md
// loses what is superseded, said twice or elsewhere, then what is oldest; people's own lines last of all. Files about projects and people
// lose lines of the engine that hold no longer, or that a model finds untrue by another one. Reflections lose what is said again.

import { count } from '../../base/count.ts';
import { discrepancyReader } from '../../base/discrepancy.ts';
import { normaliseForHash, splitLines } from '../../base/text.ts';
import { dayOf } from '../../base/time.ts';
import { tokensOf } from '../../base/tokenizer.ts';
import { coreMemoryPath } from '../../store/records/kind.ts';
import { setFrontKey, withLastUpdated } from '../../store/records/knowledge-edit.ts';
import { countLines, warnLinesOf } from '../../store/records/knowledge-file.ts';
import {
  type KnowledgeItem,
  knowledgeItems,
  linesOfItems,
  withLineCount,
  withoutItems,
} from '../../store/records/knowledge-items.ts';
import { type KnownWords, knownWords } from './known-words.ts';
import { wordLikeness } from './likeness.ts';
import type { Adviser, Pass, PassItem, PassView } from './pass.ts';
import { archivedLines, changedFile } from './record-changes.ts';

/** From this share of common words on an entry says what a later one says. */
const twinLikeness = 0.85;

/** An entry that may leave, and why. */
export interface Leaving {
  readonly item: KnowledgeItem;
  readonly why: 'superseded' | 'said again' | 'said elsewhere' | 'the oldest';
}

/** Names entries that a model would rather see leave, by their number in the order of the file, the first being 0. */
export type Chooser = (text: string, items: readonly KnowledgeItem[], excess: number) => Promise<readonly number[]>;

/** Orders the entries of MEMORY.md by who may leave first. `elsewhere` holds the words of more specific files. */
function leavingOrder(
  items: readonly KnowledgeItem[],
  known: Pick<KnownWords, 'isSuperseded'>,
  elsewhere: ReadonlySet<string>,
): Leaving[] {
  const likeness = wordLikeness(items.map(({ words }) => words));
  const discrepancyOf = discrepancyReader();
  // What differs in a number, a name or a denial says something else, however alike the words are.
  const isTwin = (at: number, other: number) =>
    likeness.of(at, other) >= twinLikeness && discrepancyOf(items[at]!.words, items[other]!.words) === undefined;
  const saidAgain = (at: number) =>
    items.some(
      (later, other) =>
        other > at && later.speaker === items[at]!.speaker && (later.key === items[at]!.key || isTwin(at, other)),
    );
  const leaving = items.map((item, at): Leaving => {
    if (item.isOurs && known.isSuperseded(item.key)) return { item, why: 'superseded' };
    if (saidAgain(at)) return { item, why: 'said again' };
    if (elsewhere.has(item.key)) return { item, why: 'said elsewhere' };
    return { item, why: 'the oldest' };
  });
  const ranks = ['superseded', 'said again', 'said elsewhere', 'the oldest'];
  // What a person wrote without a date may be a rule that lasts.
  const age = ({ item }: Leaving) => `${item.isOurs ? 0 : 1}${item.day ?? '9999'}`;
  return leaving
    .map((one, at) => ({ one, at }))
    .sort(
      (a, b) =>
        ranks.indexOf(a.one.why) - ranks.indexOf(b.one.why) ||
        (age(a.one) < age(b.one) ? -1 : age(a.one) > age(b.one) ? 1 : a.at - b.at),
    )
    .map(({ one }) => one);
}

/**
 * Plans to shorten MEMORY.md where it has more than `memory_md.cap_lines`, and to keep its `line_count` right. An adviser is asked before
 * the rules choose what is oldest.
 */
export const coreMemoryPruning: Pass<Adviser<Chooser> | null> = {
  name: 'memory-md',
  async plan(view, _, adviser) {
    const { snapshot, configuration, now } = view;
    const { capLines: cap } = configuration.memoryMd;
    const text = snapshot.readText(coreMemoryPath);
    if (text === null) return { items: [], left: [] };
    const lines = countLines(text);
    const day = dayOf(now, configuration.timezone);
    if (lines <= cap) {
      const counted = withLineCount(text);
      if (counted === text) return { items: [], left: [] };
      const changes = [changedFile(snapshot, coreMemoryPath, counted)];
      return { items: [{ action: 'count', ids: [], why: `it has ${count(lines, 'line')}`, changes }], left: [] };
    }
    // Below the line of the warning, so that it is not due again with the next entry.
    const target = warnLinesOf(cap);
    const entries = knowledgeItems(text);
    const ordered = leavingOrder(entries, knownWords(view.memories), wordsElsewhere(view));
    const chosen = new Set((await adviser?.ask(text, entries, lines - target)) ?? []);
    const preferred = ordered.filter(({ item }) => chosen.has(entries.indexOf(item)));
    const byRule = ordered.filter((one) => !preferred.includes(one));
    const sure = byRule.filter(({ why }) => why !== 'the oldest');
    const gone: Leaving[] = [];
    let left = lines;
    for (const one of [...sure, ...preferred, ...byRule.filter(({ why }) => why === 'the oldest')]) {
      if (left <= target) break;
      gone.push(one);
      left -= one.item.end - one.item.start;
    }
    if (gone.length === 0) {
      const none = `it has ${count(lines, 'line')}, and none of them is in a list`;
      return { items: [], left: [{ id: coreMemoryPath, why: none }] };
    }
    const items = gone.map(({ item }) => item);
    const shorter = withLineCount(setFrontKey(withoutItems(text, items), 'updated', day));
    const isByModel = gone.some((one) => preferred.includes(one));
    const why = `it has ${count(lines, 'line')}, ${cap} are allowed; ${told(gone)} move to the archive`;
    const changes = [
      changedFile(snapshot, coreMemoryPath, shorter),
      archivedLines(snapshot, coreMemoryPath, day, linesOfItems(text, items)),
    ];
    const by = isByModel && adviser !== null ? { by: adviser.model } : {};
    const rest = `${count(left, 'line is', 'lines are')} left, for the rest is not in lists`;
    return {
      items: [{ action: 'prune', ids: [], why, changes, ...by }],
      left: left > cap ? [{ id: coreMemoryPath, why: rest }] : [],
    };
  },
  describe: (items) => ({
    subject: items.some(({ action }) => action === 'prune') ? 'MEMORY.md pruned' : 'MEMORY.md counted',
    body: items.map(({ why }) => why).join('\n'),
  }),
};

/** `12 entries (9 the oldest, 3 superseded; 2 written by hand)`. */
function told(gone: readonly Leaving[]): string {
  const counts = new Map<string, number>();
  for (const { why } of gone) counts.set(why, (counts.get(why) ?? 0) + 1);
  const hand = gone.filter(({ item }) => !item.isOurs).length;
  const kinds = [...counts].map(([why, count]) => `${count} ${why}`).join(', ');
  return `${count(gone.length, 'entry', 'entries')} (${kinds}${hand === 0 ? '' : `; ${hand} written by hand`})`;
}

/** The words of files that are about one project, person, procedure or lesson. */
function wordsElsewhere({ snapshot }: PassView): Set<string> {
  const words = new Set<string>();
  for (const [path, oid] of snapshot.list('knowledge/')) {
    if (!/^knowledge\/(?:projects|people|procedures|insights|entities|reference)\/.*\.md$/.test(path)) continue;
    for (const { key } of knowledgeItems(snapshot.readBlob(oid, path).toString('utf8'))) words.add(key);
  }
  return words;
}

const reviewed = /^knowledge\/(?:projects\/[^/]+|people|procedures|insights|reference)\/[^/]+\.md$/;

/** A line of ours, and the line of the same file that replaces it; both by their number among the items, from 0. */
export interface Replaced {
  readonly line: number;
  readonly by: number;
}

/** Names lines of a file that another line of it has made untrue or says better. */
export type Reviewer = (path: string, items: readonly KnowledgeItem[]) => Promise<readonly Replaced[]>;

/** Of one file no more leaves by the word of a model than this share of what the engine wrote. */
const mostReviewed = 1 / 3;

/** Plans to take superseded and repeated lines of ours out of files about projects, people, procedures, lessons and facts. */
export const distillation: Pass<Adviser<Reviewer> | null> = {
  name: 'distil',
  async plan({ snapshot, memories, configuration, now }, _, adviser) {
    const known = knownWords(memories);
    const day = dayOf(now, configuration.timezone);
    const items: PassItem[] = [];
    const left: { id: string; why: string }[] = [];
    for (const [path, oid] of snapshot.list('knowledge/')) {
      if (!reviewed.test(path)) continue;
      const text = snapshot.readBlob(oid, path).toString('utf8');
      const found = knowledgeItems(text);
      const firstOf = new Map<string, KnowledgeItem>();
      for (const item of found) {
        const first = firstOf.get(place(item));
        // Of two that say the same a person's stays.
        if (first === undefined || (first.isOurs && !item.isOurs)) firstOf.set(place(item), item);
      }
      const superseded = found.filter((item) => item.isOurs && known.isSuperseded(item.key));
      const repeated = found.filter(
        (item) => !superseded.includes(item) && firstOf.get(place(item)) !== item && item.key !== '',
      );
      const byRule = [...superseded, ...repeated.filter(({ isOurs }) => isOurs)];
      const standing = found.filter((item) => !byRule.includes(item));
      const untrue = adviser === null ? [] : acceptable(standing, await adviser.ask(path, standing));
      const gone = [...byRule, ...untrue];
      const own = repeated.filter(({ isOurs }) => !isOurs);
      if (own.length > 0)
        left.push({ id: path, why: `${count(own.length, 'line by hand stands', 'lines by hand stand')} there twice` });
      if (gone.length === 0) continue;
      const counts = [
        `${count(superseded.length, 'line')} superseded`,
        `${byRule.length - superseded.length} said twice`,
        ...(untrue.length === 0 ? [] : [`${untrue.length} replaced by another line, as ${adviser!.model} says`]),
      ].join(', ');
      items.push({
        action: 'distil',
        ids: superseded.flatMap(({ key }) => known.of(key)?.id ?? []),
        why: `${path}: ${counts}`,
        changes: [
          changedFile(snapshot, path, withLastUpdated(withoutItems(text, gone), day)),
          archivedLines(snapshot, path, day, linesOfItems(text, gone)),
        ],
        ...(untrue.length === 0 ? {} : { by: adviser!.model }),
      });
    }
    return { items, left };
  },
  describe: (items) => ({ subject: `${count(items.length, 'file')} of knowledge distilled` }),
};

const place = ({ section, key, speaker = '' }: KnowledgeItem): string => `${section}\0${speaker}\0${key}`;

/**
 * What of a review counts: a line of ours leaves for one that stays, of the same section and not of an earlier day. Both speak of something
 * in common. Never more than a third of what the engine wrote leaves.
 */
function acceptable(items: readonly KnowledgeItem[], replaced: readonly Replaced[]): KnowledgeItem[] {
  const going = new Set(replaced.map(({ line }) => line));
  const accepted = new Set<KnowledgeItem>();
  for (const { line, by } of replaced) {
    const [item, other] = [items[line], items[by]];
    if (item === undefined || other === undefined || going.has(by) || !item.isOurs) continue;
    if (item.section !== other.section || (item.day ?? '') > (other.day ?? '9999')) continue;
    const words = new Set(tokensOf(other.words));
    if (tokensOf(item.words).some((word) => words.has(word))) accepted.add(item);
  }
  const most = Math.floor(items.filter(({ isOurs }) => isOurs).length * mostReviewed);
  return [...accepted].slice(0, most);
}

/** From this share of common words on the newer of two reflections says both; the requirements name no number. */
const twinReflections = 0.8;
/** What is consolidated goes down to this share of the limit, so that it is not due again with the next line. */
const aim = 0.75;
const heading = /^#{1,6} +reflections?\b.*$/i;
const anyHeading = /^#{1,6} /;

/** Reflections of a larger file are consolidated (spec 4). */
const maxBytes = 8192;

/**
 * Shortens reflections, items of lists below a heading "Reflections", the later ones further down; undefined where nothing has to leave. Tells
 * which lines are said again further down, and which are the oldest.
 */
export function shortenReflections(text: string) {
  if (Buffer.byteLength(text) <= maxBytes) return undefined;
  const lines = splitLines(text);
  let isInside = false;
  const places: number[] = [];
  for (const [at, line] of lines.entries()) {
    if (anyHeading.test(line)) isInside = heading.test(line);
    else if (isInside && /^[-*] /.test(line)) places.push(at);
  }
  const gone = new Map<number, 'repeated' | 'moved'>();
  const words = places.map((at) => normaliseForHash(lines[at]!.replace(/^[-*] +(?:\d{4}-\d\d-\d\d:? *)?/, '')));
  const likeness = wordLikeness(words);
  for (let older = 0; older < places.length; older++) {
    for (let newer = older + 1; newer < places.length && !gone.has(places[older]!); newer++) {
      if (words[older] === words[newer] || likeness.of(older, newer) >= twinReflections)
        gone.set(places[older]!, 'repeated');
    }
  }
  const sizeOf = () => lines.reduce((sum, line, at) => (gone.has(at) ? sum : sum + Buffer.byteLength(line) + 1), 0);
  let size = sizeOf();
  for (const at of places) {
    if (size <= aim * maxBytes) break;
    if (gone.has(at)) continue;
    gone.set(at, 'moved');
    size -= Buffer.byteLength(lines[at]!) + 1;
  }
  if (gone.size === 0) return undefined;
  const linesOf = (what: string) => lines.filter((_, at) => gone.get(at) === what);
  return {
    text: `${lines.filter((_, at) => !gone.has(at)).join('\n')}\n`,
    repeated: linesOf('repeated'),
    moved: linesOf('moved'),
  };
}

/** Plans to shorten the reflections of identity files above {@link maxBytes}, and to put what left them into the archive. */
export const reflections: Pass<void> = {
  name: 'reflections',
  kind: 'identity',
  plan({ snapshot }) {
    const items: PassItem[] = [];
    const left: { id: string; why: string }[] = [];
    for (const path of snapshot.list('knowledge/identity/').keys()) {
      const text = path.endsWith('.md') ? (snapshot.readText(path) ?? '') : '';
      if (Buffer.byteLength(text) <= maxBytes) continue;
      const shorter = shortenReflections(text);
      if (shorter === undefined) {
        left.push({ id: path, why: `it is larger than ${maxBytes} bytes and has no reflections` });
        continue;
      }
      const archive = `archive/${path}`;
      const archived = snapshot.readText(archive) ?? `# Reflections of ${path}\n`;
      const gone = [...shorter.moved, ...shorter.repeated];
      const whole = `${archived.trimEnd()}\n${archived.includes('\n- ') ? '' : '\n'}${gone.join('\n')}\n`;
      items.push({
        action: 'shorten',
        ids: [],
        why: `it has ${Buffer.byteLength(text)} bytes: ${shorter.repeated.length} reflections are said again, ${shorter.moved.length} are the oldest`,
        changes: [changedFile(snapshot, path, shorter.text), changedFile(snapshot, archive, whole)],
      });
    }
    return { items, left };
  },
  describe: (items) => ({ subject: `reflections of ${count(items.length, 'file')} shortened` }),
};
