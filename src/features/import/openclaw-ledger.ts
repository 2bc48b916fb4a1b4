// A ledger in one file on its way into segments of days. Events keep their ids where those are free and in their row; others get the next of
// their day, and references follow. What is here already, word for word, is not taken again.

import { isJsonObject, parseJson } from '../../base/canonical-json.ts';
import { defined, MemoryError } from '../../base/errors.ts';
import { withLastLineEnded } from '../../base/text.ts';
import { dayOf, isDay, parseTime } from '../../base/time.ts';
import { eventTypes, type LedgerEvent, priorities } from '../../base/types/ledger-types.ts';
import { LedgerCatalog } from '../../logs/index.ts';
import { formatEvent, parseEvent } from '../../store/records/ledger-event.ts';
import { highestNumber, ledgerArchivePath, segmentPath } from '../../store/records/ledger-segment.ts';
import {
  compareSequenceIds,
  dayOfSeries,
  formatSequenceId,
  parseSequenceId,
  seriesOfDay,
} from '../../store/records/sequence-id.ts';
import type { ImportPlan } from './import-plan.ts';
import type { SourceFile } from './source.ts';

interface Incoming {
  event: LedgerEvent;
  /** As the source calls it; references name this. */
  readonly named: string;
  readonly source: string;
  readonly line: number;
  readonly isArchived: boolean;
  readonly day: string;
  /** As the source has them: its ids may be none of ours. */
  readonly references: Readonly<Record<'related' | 'supersedes' | 'compacts', readonly string[]>>;
}

/** Plans the events of ledger files and archives; what cannot be read is noted by file and line. */
export function planLedger(files: readonly SourceFile[], plan: ImportPlan, rewrite: (text: string) => string): void {
  const { snapshot, configuration } = plan.context.view;
  const incoming = files.flatMap((file) => readEvents(file, plan, configuration.timezone, rewrite));
  if (incoming.length === 0) return;
  const ledger = new LedgerCatalog().ledgerOf(snapshot);
  const known = new Map([...ledger.archived, ...ledger.events].map(({ value }) => [keyOf(value), value.id]));
  const names = new Map<string, string>();
  const fresh = incoming.filter((one) => {
    const present = known.get(keyOf(one.event));
    if (present === undefined) {
      known.set(keyOf(one.event), one.event.id);
      return true;
    }
    if (!names.has(one.named)) names.set(one.named, present);
    plan.unchanged += 1;
    return false;
  });
  const taken = new Set([...ledger.archived, ...ledger.events].map(({ id }) => id));
  const byDay = new Map<string, Incoming[]>();
  for (const one of fresh) byDay.set(one.day, [...(byDay.get(one.day) ?? []), one]);
  for (const [day, events] of byDay) {
    const series = seriesOfDay(day);
    const isRight = ({ named }: Incoming) => parseSequenceId(named)?.series === series && !taken.has(named);
    // Those that keep their ids come first, in their row; a segment only grows, so lower ids than it has are given anew.
    const floor = highestNumber(snapshot.readText(segmentPath(day)) ?? '');
    const keeps = (one: Incoming) => isRight(one) && (one.isArchived || parseSequenceId(one.named)!.number > floor);
    const kept = events.filter(keeps).sort((a, b) => compareSequenceIds(a.named, b.named));
    const unique = kept.filter(({ named }, at) => kept.findIndex((other) => other.named === named) === at);
    let last = Math.max(
      floor,
      ...[...taken, ...unique.map(({ named }) => named)].flatMap((id) => numberIn(id, series)),
    );
    for (const one of unique) taken.add(one.named);
    for (const one of events) {
      if (unique.includes(one)) {
        if (!names.has(one.named)) names.set(one.named, one.named);
        continue;
      }
      last += 1;
      const id = formatSequenceId({ series, number: last });
      taken.add(id);
      if (!names.has(one.named)) names.set(one.named, id);
      one.event = { ...one.event, id };
      plan.notes.push({ source: one.source, line: one.line, why: `${one.named} is ${id} here` });
    }
  }
  const texts = new Map<string, string[]>();
  const ordered = [...fresh].sort((a, b) => compareSequenceIds(a.event.id, b.event.id));
  for (const one of ordered) {
    const path = one.isArchived ? ledgerArchivePath(one.day) : segmentPath(one.day);
    texts.set(path, [...(texts.get(path) ?? []), formatEvent(withReferences(one, names, plan))]);
  }
  for (const [path, lines] of [...texts].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const before = withLastLineEnded(snapshot.readText(path) ?? '');
    plan.take({ path, text: `${before}${lines.join('')}`, source: files[0]!.path });
  }
  for (const { event } of fresh) plan.date(parseTime(event.ts));
}

function numberIn(id: string, series: string): number[] {
  const parsed = parseSequenceId(id);
  return parsed?.series === series ? [parsed.number] : [];
}

/** The words of an event, whatever it is called. */
function keyOf({ ts, type, priority, content, entity, status, source }: LedgerEvent): string {
  return JSON.stringify([parseTime(ts), type, priority, content, entity ?? '', status ?? '', source]);
}

/** Lets an event name others by the ids that they have here; what names nothing that could be an event is named and left out. */
function withReferences(
  { event, references, source, line }: Incoming,
  names: ReadonlyMap<string, string>,
  plan: ImportPlan,
): LedgerEvent {
  const now = (ids: readonly string[]) =>
    ids.flatMap((named) => {
      const id = names.get(named) ?? named;
      if (parseSequenceId(id)?.series.startsWith('EVT')) return [id];
      plan.notes.push({ source, line, why: `it names ${named}, which is no event` });
      return [];
    });
  const [related, [supersedes], compacts] = [
    now(references.related),
    now(references.supersedes),
    now(references.compacts),
  ];
  const lists = { related, compacts };
  const named = Object.fromEntries(Object.entries(lists).filter(([, ids]) => ids.length > 0));
  return { ...event, ...named, ...defined({ supersedes }) };
}

function readEvents(
  file: SourceFile,
  plan: ImportPlan,
  timeZone: string,
  rewrite: (text: string) => string,
): Incoming[] {
  const found: Incoming[] = [];
  const isArchived = file.path !== 'memory/ledger.jsonl';
  for (const { number: line, text } of file.lines()) {
    if (text?.trim() === '') continue;
    const source = file.path;
    try {
      if (text === null) throw new MemoryError('INVALID_RECORD', 'is not UTF-8 text');
      found.push({ ...readEvent(text, `${source}:${line}`, plan, timeZone, rewrite), source, line, isArchived });
    } catch (error) {
      if (!(error instanceof MemoryError) || error.code === 'SECRET') throw error;
      const why = error.what.startsWith(`${source}:${line} `)
        ? error.what.slice(`${source}:${line} `.length)
        : error.what;
      plan.left.push({ source, line, why });
    }
  }
  return found;
}

/**
 * Reads a line, and brings what is meant clearly into our form. Other types become facts with a tag, and ids of another form are given
 * anew.
 */
function readEvent(
  text: string,
  where: string,
  plan: ImportPlan,
  timeZone: string,
  rewrite: (text: string) => string,
): Pick<Incoming, 'event' | 'named' | 'day' | 'references'> {
  const value = parseJson(text, where);
  if (!isJsonObject(value)) throw new MemoryError('INVALID_RECORD', 'is not a JSON object');
  const { id, ts, type, tags, source, priority, related, supersedes, compacts, ...rest } = cleaned(value, plan, where);
  const named = typeof id === 'string' ? id : where;
  const series = parseSequenceId(named)?.series;
  const idDay = series?.startsWith('EVT') ? dayOfSeries(series) : null;
  if (typeof ts !== 'string') throw new MemoryError('INVALID_RECORD', 'ts: must be a time');
  const day = idDay !== null && isDay(idDay) ? idDay : dayOf(parseTime(ts), timeZone);
  const isKnown = (eventTypes as readonly unknown[]).includes(type);
  const isTag = type === 'insight' || type === 'milestone' || type === 'conflict';
  if (!isKnown && !isTag)
    throw new MemoryError('INVALID_RECORD', `type: ${JSON.stringify(type)} is none of ${eventTypes.join(', ')}`);
  const level = typeof priority === 'string' ? priority.toUpperCase() : priority;
  const words = Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [];
  const event = parseEvent(
    JSON.stringify({
      ts,
      id: formatSequenceId({ series: seriesOfDay(day), number: 1 }),
      type: isKnown ? type : 'fact',
      priority: (priorities as readonly unknown[]).includes(level) ? level : priority,
      tags: isTag ? [...new Set([...words, type])] : words,
      source: typeof source === 'string' && source !== '' ? rewrite(source) : 'import',
      ...withoutEmpty(rest),
    }),
    where,
  );
  const references = { related: idsOf(related), supersedes: idsOf(supersedes), compacts: idsOf(compacts) };
  return { event: idDay === null ? event : { ...event, id: named }, named, day, references };
}

function idsOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter((id) => typeof id === 'string' && id !== '');
}

function withoutEmpty(rest: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== '' && value !== null));
}

/** Names stay what they are; secrets are looked for in words. */
function cleaned(value: Record<string, unknown>, plan: ImportPlan, where: string): Record<string, unknown> {
  const { id, ts, related, supersedes, compacts, ...words } = value;
  return { ...plan.filter.passAll(words, where), id, ts, related, supersedes, compacts };
}
