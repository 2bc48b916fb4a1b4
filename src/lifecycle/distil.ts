// The monthly look at files about projects and people (spec 5 §8.4): lines that the engine wrote and that no longer hold, or that stand there
// twice, move to the archive. People's own lines stay, and are told of where one says the same twice.

import { dayOf } from '../base/time.ts';
import {
  archivePage,
  type KnowledgeItem,
  knowledgeItems,
  linesOfItems,
  withoutItems,
} from '../records/knowledge-items.ts';
import { changeOf } from './core-memory.ts';
import { knownWords } from './known-words.ts';
import type { Pass, PassItem } from './pass.ts';

const reviewed = /^knowledge\/(?:projects\/[^/]+|people|procedures|insights|reference)\/[^/]+\.md$/;

/** Plans to take superseded and repeated lines of ours out of files about projects, people, procedures, lessons and facts. */
export const distillation: Pass<void> = {
  name: 'distil',
  kind: 'maintenance',
  commits: 'together',
  plan({ snapshot, memories, configuration, now }) {
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
      const gone = [...superseded, ...repeated.filter(({ isOurs }) => isOurs)];
      const own = repeated.filter(({ isOurs }) => !isOurs);
      if (own.length > 0) left.push({ id: path, why: `${own.length} lines by hand stand there twice` });
      if (gone.length === 0) continue;
      const page = `archive/${path}`;
      const counts = `${superseded.length} lines superseded, ${gone.length - superseded.length} said twice`;
      items.push({
        action: 'distil',
        ids: superseded.flatMap(({ key }) => known.of(key)?.id ?? []),
        why: `${path}: ${counts}`,
        changes: [
          changeOf(snapshot, path, withoutItems(text, gone)),
          changeOf(snapshot, page, archivePage(snapshot.readText(page), path, day, linesOfItems(text, gone))),
        ],
      });
    }
    return { items, left };
  },
  describe: (items) => ({
    subject: `${items.length === 1 ? '1 file' : `${items.length} files`} of knowledge distilled`,
  }),
};

function place({ section, key }: KnowledgeItem): string {
  return `${section}\0${key}`;
}
