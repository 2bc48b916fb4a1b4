// Passes over what extraction made: notes that contradict each other, boxes in which nothing came any more, what earlier versions left out. What they find is extract/'s.

import { count } from '../base/count.ts';
import { defined } from '../base/defined.ts';
import { orElse } from '../base/or-else.ts';
import { closed } from '../claims/claim.ts';
import { readSaid } from '../claims/reading.ts';
import { type Listener, type Said, saidIn } from '../claims/said.ts';
import { statementOf } from '../claims/statement.ts';
import type { Pass, PassItem, PassView } from '../lifecycle/pass.ts';
import { changedMemory } from '../lifecycle/record-changes.ts';
import type { MemoryRecord, Transcript } from '../records/types.ts';
import { BoxCatalog } from '../store/memory-catalog.ts';
import { boxFileChange, planIdleSeals, planOneBoxEach } from './boxes.ts';
import { parseCapture } from './plan-transcript.ts';
import { reconcileNotes } from './reconcile.ts';

/** Plans to let notes that a newer memory contradicts be superseded by it; both stay. Nothing where notes and episodes are one. */
export const reconciliation: Pass<void> = {
  name: 'reconcile',
  commits: 'each',
  async plan({ snapshot, memories, configuration, now }, { signal }) {
    const { extract, owner, timezone } = configuration;
    if (!extract.episodesAndNotes) return { items: [], left: [] };
    const stored = new Map(memories.map((one) => [one.record.id, one]));
    const transcriptAt = transcriptsOf(snapshot, timezone);
    const saidOf = (record: MemoryRecord) =>
      saidWhere(record, transcriptAt, { timeZone: timezone, ...defined({ owner: owner ?? undefined }) });
    const records = memories.map(({ record }) => record);
    const items = (await reconcileNotes(records, saidOf, signal)).map(({ old, by }) => ({
      action: 'supersede',
      ids: [old.id, by.id],
      why: `memory ${by.id} was said later and says otherwise`,
      changes: [
        changedMemory(
          stored.get(old.id)!,
          closed(old, { by: by.id, from: by.validFrom ?? by.createdAt, now: Math.floor(now / 1000) }),
        ),
      ],
    }));
    return { items, left: [] };
  },
  describe: ([item]) => ({ subject: `${item!.ids[0]!.slice(0, 8)} superseded by ${item!.ids[1]!.slice(0, 8)}` }),
};

/** Plans to seal boxes in which nothing came for a while, and to take out of a box what an earlier one has. */
export const boxSealing: Pass<void> = {
  name: 'boxes',
  plan({ snapshot, now, configuration: { boxes, timezone } }) {
    if (!boxes.enabled) return { items: [], left: [] };
    const stored = new BoxCatalog().stored(snapshot);
    const cleared = planOneBoxEach(stored);
    const clearedPaths = new Set(cleared.map(({ path }) => path));
    const sealed = planIdleSeals(stored, boxes, timezone, now).filter(({ path }) => !clearedPaths.has(path));
    return {
      items: [
        ...cleared.map((change) => ({
          action: 'clear',
          ids: [],
          why: 'what stands in it stands in an earlier box too',
          changes: [
            change.box.memories.length === 0 ? { ...boxFileChange(change), after: null } : boxFileChange(change),
          ],
        })),
        ...sealed.map((change) => ({
          action: 'seal',
          ids: [],
          why: `nothing came for more than ${boxes.gapMinutes} minutes`,
          changes: [boxFileChange(change)],
        })),
      ],
      left: [],
    };
  },
  describe: (items) => ({ subject: `${count(items.length, 'box', 'boxes')} sealed or cleared` }),
};

/** Plans to give memories of earlier versions what extraction gives new ones, from the turns that they were taken from; ids and words stay. */
export const claimFilling: Pass<void> = {
  name: 'fill',
  plan({ snapshot, memories, configuration: { owner, timezone } }) {
    const listener = { timeZone: timezone, ...defined({ owner: owner ?? undefined }) };
    const transcriptAt = transcriptsOf(snapshot, timezone);
    const items: PassItem[] = [];
    const left: { id: string; why: string }[] = [];
    for (const stored of memories) {
      const { record } = stored;
      const { id, status, sources, statement, subject } = record;
      const source = sources?.find(({ turn }) => turn !== undefined);
      if (statement !== undefined || subject !== undefined || source === undefined || status === 'archived') continue;
      // What is private is not written where it is not.
      if (snapshot.privacy.isPrivate(source.path) && !snapshot.privacy.isPrivate(stored.path)) continue;
      const said = saidWhere(record, transcriptAt, listener);
      const filled = said === undefined ? null : filledFrom(record, said);
      if (filled === null) left.push({ id, why: 'its turn does not say in its words of whom or what it speaks' });
      else {
        const why = `${source.path}#${source.turn} says of whom or what it speaks`;
        items.push({ action: 'fill', ids: [id], why, changes: [changedMemory(stored, filled)] });
      }
    }
    return { items, left };
  },
  describe: (items) => ({ subject: `${count(items.length, 'memory', 'memories')} with what their turns say` }),
};

/** Reads captures of a view, each once; null for what is no transcript. */
function transcriptsOf(snapshot: PassView['snapshot'], timezone: string): (path: string) => Transcript | null {
  const transcripts = new Map<string, Transcript | null>();
  return (path) => {
    if (!transcripts.has(path)) {
      const text = snapshot.textIfWhole(path);
      const read = () => (text === null ? null : parseCapture(text, path, timezone));
      transcripts.set(path, orElse(read, null, 'INVALID_RECORD', 'TOO_LARGE'));
    }
    return transcripts.get(path)!;
  };
}

/** Finds the sentence that a memory was taken from, with what was said before it; undefined where its words are edited, or nobody's. */
function saidWhere(
  { content, sources }: MemoryRecord,
  transcriptAt: (path: string) => Transcript | null,
  listener: Listener,
): Said | undefined {
  const source = sources?.find(({ turn }) => turn !== undefined);
  const turns = source === undefined ? undefined : transcriptAt(source.path)?.turns;
  const words = turns?.[source!.turn! - 1]?.text.replace(/\s+/g, ' ').toLowerCase() ?? '';
  // Of edited words nobody knows in which sentence they were said.
  if (!words.includes(content.replace(/\s+/g, ' ').toLowerCase().slice(-60))) return undefined;
  return saidIn(content, turns!, source!.turn!, listener);
}

function filledFrom(record: MemoryRecord, said: Said): MemoryRecord | null {
  const made = statementOf(said);
  if (made === undefined) return null;
  const { content, createdAt } = record;
  const { from } = readSaid(said);
  const { statement, subject } = made;
  return {
    ...record,
    ...(statement === content ? {} : { statement }),
    subject,
    ...(from === undefined || from <= createdAt || record.validFrom !== undefined ? {} : { validFrom: from }),
  };
}
