// knowledge/memory/MEMORY.md stays short (spec 5 §8.5, ruling 23). What is superseded, said twice or said elsewhere leaves first, then what
// is oldest; people's own lines last of all, and never silently. What leaves moves to the archive.

import { count } from '../../base/count.ts';
import { discrepancyReader } from '../../base/discrepancy.ts';
import { dayOf } from '../../base/time.ts';
import { coreMemoryPath } from '../../store/records/kind.ts';
import { setFrontKey } from '../../store/records/knowledge-edit.ts';
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
import type { Adviser, Pass, PassView } from './pass.ts';
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
      return {
        items: [],
        left: [{ id: coreMemoryPath, why: `it has ${count(lines, 'line')}, and none of them is in a list` }],
      };
    }
    const items = gone.map(({ item }) => item);
    const shorter = withLineCount(setFrontKey(withoutItems(text, items), 'updated', day));
    const isByModel = gone.some((one) => preferred.includes(one));
    const why = `it has ${count(lines, 'line')}, ${cap} are allowed; ${told(gone)} move to the archive`;
    return {
      items: [
        {
          action: 'prune',
          ids: [],
          why,
          changes: [
            changedFile(snapshot, coreMemoryPath, shorter),
            archivedLines(snapshot, coreMemoryPath, day, linesOfItems(text, items)),
          ],
          ...(isByModel && adviser !== null ? { by: adviser.model } : {}),
        },
      ],
      left:
        left > cap
          ? [{ id: coreMemoryPath, why: `${count(left, 'line is', 'lines are')} left, for the rest is not in lists` }]
          : [],
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
