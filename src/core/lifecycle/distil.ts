// The monthly look at files about projects and people (spec 5 §8.4). Lines that the engine wrote move to the archive when they no longer
// hold, or are there twice. People's own lines stay, and are named where one says the same twice. A model, where one is set, finds what
// rules cannot: a line that another one has made untrue. It has to name that other line, and nothing leaves that nobody can bring back.

import { count } from '../../base/count.ts';
import { dayOf } from '../../base/time.ts';
import { tokensOf } from '../../base/tokenizer.ts';
import { withLastUpdated } from '../../store/records/knowledge-edit.ts';
import { type KnowledgeItem, knowledgeItems, linesOfItems, withoutItems } from '../../store/records/knowledge-items.ts';
import { knownWords } from './known-words.ts';
import type { Adviser, Pass, PassItem } from './pass.ts';
import { archivedLines, changedFile } from './record-changes.ts';

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

function place({ section, key, speaker = '' }: KnowledgeItem): string {
  return `${section}\0${speaker}\0${key}`;
}

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
