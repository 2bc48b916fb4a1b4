// Knowledge files that nobody refers to and nobody changed for long move to the archive, where they are found on request (spec 5 §8.5).

import { count } from '../../base/count.ts';
import { orElse } from '../../base/errors.ts';
import { dayMs, dayOf } from '../../base/time.ts';
import { splitFrontMatter } from '../../store/records/front-matter.ts';
import { coreMemoryPath } from '../../store/records/kind.ts';
import { archivePage } from '../../store/records/knowledge-items.ts';
import { linksIn } from '../../store/records/knowledge-marks.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { isLasting } from './ageing.ts';
import type { Pass, PassItem, PassView } from './pass.ts';

/** By so much a day the score of a file shrinks: half in about 14 days (spec 5 §8.5). */
const decayPerDay = 0.05;
/** Files of a lower score move to the archive, unless they changed in so many days. */
const leastScore = 0.01;
const leastDays = 30;
/** What is of a lasting kind by its folder, as by its category in ageing.ts; lists; journals and reports, which have times of their own. */
const kept =
  /^knowledge\/(?:identity|people|principles|decisions|procedures|journal|consolidation-reports)\/|\/_[^/]*\.md$/;

export interface EvictOptions {
  /** When a file last changed in history, in milliseconds; asked only where its front matter does not tell of the last days. */
  readonly changedAt: (path: string) => number | null;
}

/**
 * Plans to archive files whose score fell: `exp(-decay · days) · references`. Days count from the last change. References are the file
 * itself, the files that name or link it, and the uses of the memory that became it. What {@link isLasting} by its category stays.
 */
export const eviction: Pass<EvictOptions> = {
  name: 'evict',
  plan(view, _, { changedAt }) {
    const { snapshot, configuration, now } = view;
    const references = referencesIn(view);
    const today = dayOf(now, configuration.timezone);
    const items: PassItem[] = [];
    for (const [path, oid] of snapshot.list('knowledge/')) {
      if (!path.endsWith('.md') || path === coreMemoryPath || kept.test(path) || references.isSubscribed(path))
        continue;
      const front = frontOf(snapshot.readText(path) ?? '', path);
      if (typeof front.category === 'string' && isLasting(front.category)) continue;
      const days = daysSince(front.updated, path, now, configuration.timezone, changedAt);
      const weight = references.of(path);
      const score = Math.exp(-decayPerDay * days) * weight;
      if (days <= leastDays || score >= leastScore) continue;
      const to = `archive/${path}`;
      const referred = weight === 1 ? 'nothing refers to it' : count(weight - 1, 'reference');
      const age = `last changed ${count(Math.floor(days), 'day')} ago`;
      const moved = { path: to, before: snapshot.oidOf(to), after: archived(snapshot, path, oid, to, today) };
      const changes = [{ path, before: oid, after: null }, moved];
      const why = `${path} ${age}, ${referred}, score ${score.toPrecision(2)}`;
      items.push({ action: 'archive', ids: [], why, changes });
    }
    return { items, left: [] };
  },
  describe: (items) => ({ subject: `${count(items.length, 'file')} of knowledge archived` }),
};

/** What is in the archive already, such as lines that left the file before it, stays above. */
function archived(snapshot: Snapshot, path: string, oid: string, to: string, day: string): Buffer {
  const bytes = snapshot.readBlob(oid, path);
  const page = snapshot.readText(to);
  return page === null ? bytes : Buffer.from(archivePage(page, path, day, [bytes.toString('utf8').trimEnd()]));
}

function daysSince(
  updated: unknown,
  path: string,
  now: number,
  timeZone: string,
  changedAt: EvictOptions['changedAt'],
): number {
  const said = typeof updated === 'string' && /^\d{4}-\d\d-\d\d/.test(updated) ? updated.slice(0, 10) : null;
  // A file that says it is new needs no look into history.
  if (said !== null && said >= dayOf(now - leastDays * dayMs, timeZone)) return 0;
  const times = [said === null ? null : Date.parse(said), changedAt(path)].filter((time) => time !== null);
  return times.length === 0 ? 0 : Math.max(0, (now - Math.max(...times)) / dayMs);
}

const frontOf = (text: string, path: string): Readonly<Record<string, unknown>> =>
  orElse(() => splitFrontMatter(text, path).data, {});

/** Counts who refers to which file: paths and links in knowledge, topics and the pack, and uses of promoted memories. */
function referencesIn({ snapshot, memories }: PassView) {
  const byPath = new Map<string, Set<string>>();
  const byName = new Map<string, Set<string>>();
  const subscribed: string[] = [];
  const note = (map: Map<string, Set<string>>, name: string, from: string) =>
    map.set(name, (map.get(name) ?? new Set()).add(from));
  for (const folder of ['knowledge/', 'topics/', 'recall/']) {
    for (const [from, oid] of snapshot.list(folder)) {
      const text = snapshot.readBlob(oid, from).toString('utf8');
      for (const [found] of text.matchAll(/\bknowledge\/[\w./*-]+/g)) {
        if (folder === 'topics/') subscribed.push(found);
        note(byPath, found.replace(/\.$/, ''), from);
      }
      for (const { target } of linksIn(text)) note(byName, target.split('/').at(-1)!.toLowerCase(), from);
    }
  }
  const uses = new Map<string, number>();
  for (const { record } of memories) {
    if (record.promotedTo !== null) uses.set(record.promotedTo, (uses.get(record.promotedTo) ?? 0) + record.useCount);
  }
  return {
    of(path: string): number {
      const name = path.split('/').at(-1)!.replace(/\.md$/, '').toLowerCase();
      const from = new Set([...(byPath.get(path) ?? []), ...(byName.get(name) ?? [])]);
      from.delete(path);
      return 1 + from.size + (uses.get(path) ?? 0);
    },
    /** What a topic brings along stays where the topic looks for it. */
    isSubscribed: (path: string) =>
      subscribed.some((one) => (one.includes('*') ? path.startsWith(one.slice(0, one.indexOf('*'))) : one === path)),
  };
}
