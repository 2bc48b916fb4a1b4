// From the journals of a week to MEMORY.md (spec 5 §8.4): what was decided, learnt and is going on. Each line comes once, with its day.

import { count } from '../../base/count.ts';
import { defined } from '../../base/errors.ts';
import { decisionOpenings, lessonOpenings } from '../../base/generated/words.ts';
import { normaliseForHash } from '../../base/text.ts';
import { dayMs, dayOf } from '../../base/time.ts';
import type { MemoryRecord } from '../../base/types/stored-types.ts';
import { listed, oneOf } from '../../base/words.ts';
import { activeEvents, retracted } from '../../logs/index.ts';
import { formatFrontMatter } from '../../store/records/front-matter.ts';
import { coreMemoryPath } from '../../store/records/kind.ts';
import { appendItem, setFrontKey } from '../../store/records/knowledge-edit.ts';
import {
  type KnowledgeItem,
  knowledgeItems,
  linesOfItems,
  partsOf,
  withLineCount,
  withoutItems,
} from '../../store/records/knowledge-items.ts';
import { memoriesOfLine, memoryMark, sourcesOfLine, turnsOfLine } from '../../store/records/knowledge-marks.ts';
import { parseSequenceId } from '../../store/records/sequence-id.ts';
import { safeLine } from './journal.ts';
import { type KnownWords, knownWords } from './known-words.ts';
import type { Adviser, Pass, PassView } from './pass.ts';
import { leadOf } from './quoted.ts';
import { archivedLines, changedFile } from './record-changes.ts';

/** A week that was missed is made up for; what stands there already is not added again. */
const windowDays = 14;

/** The sections of MEMORY.md, as the specification names them. */
export const coreSections = ['Key Decisions', 'Lessons Learned', 'Active Context'] as const;
export type CoreSection = (typeof coreSections)[number];

/** A line of a journal that may be worth keeping. */
export interface RollupCandidate {
  readonly day: string;
  readonly words: string;
  /** The speaker, where it quotes. */
  readonly speaker?: string;
  /** What stands behind the words: sources, and the memories the line was written from. */
  readonly tail: string;
  readonly section: CoreSection;
  /** 0 to 1; what a person wrote into the journal counts for much. */
  readonly weight: number;
}

/** So many lines of journals a week adds to MEMORY.md. */
const weekLines = 10;

/** Chooses among candidates by their number, and may say them shorter; the rules do without one, or where it gives null. */
export type RollupChooser = (
  candidates: readonly RollupCandidate[],
  most: number,
) => Promise<readonly { readonly index: number; readonly words: string; readonly section: CoreSection }[] | null>;

/** Plans to add what the last two weeks' journals hold to MEMORY.md, and to take out what was superseded, or is past, since. */
export const weeklyRollup: Pass<Adviser<RollupChooser> | null> = {
  name: 'rollup',
  async plan(view, _, adviser) {
    const { snapshot, configuration, now } = view;
    const day = dayOf(now, configuration.timezone);
    const before = snapshot.readText(coreMemoryPath);
    const known = knownWords(view.memories);
    const holding = new Set(activeEvents(view.ledgers.ledgerOf(snapshot).events).map(({ id }) => id));
    const hasEnded = (line: string) => sourcesOfLine(line).some((source) => isEventId(source) && !holding.has(source));
    const isPast = (said: readonly MemoryRecord[]): boolean =>
      said.length > 0 && said.every(({ category, due = day }) => category === 'commitment' && due < day);
    const isOver = (item: KnowledgeItem): boolean =>
      item.isOurs && (known.isSuperseded(item.key) || hasEnded(item.line) || isPast(known.ofLine(item)));
    // Nothing comes in that the next run would take out.
    const candidates = rollupCandidates(view, known).filter(({ tail }) => !hasEnded(tail));
    const stale = before === null ? [] : knowledgeItems(before).filter(isOver);
    if (candidates.length === 0 && stale.length === 0) return { items: [], left: [] };
    const byModel = candidates.length === 0 ? null : ((await adviser?.ask(candidates, weekLines)) ?? null);
    const chosen = byModel ?? strongest(candidates, weekLines);
    const empty = formatFrontMatter({ type: 'memory', updated: day, line_count: 0 }, '\n# Core Memory\n');
    const kept = before === null ? empty : withoutItems(before, stale);
    let text = kept;
    for (const { index, words, section } of chosen) {
      const { day: of, tail, speaker, words: said } = candidates[index]!;
      // What a model says shorter is nobody's quote.
      const lead = leadOf(of, words === said ? speaker : undefined);
      text = appendItem(text, [`## ${section}`], `- ${lead}${words}${tail}`);
    }
    if (text === before || (before === null && text === kept)) return { items: [], left: [] };
    text = withLineCount(setFrontKey(text, 'updated', day), before === null);
    const changes = [changedFile(snapshot, coreMemoryPath, text)];
    const parts: string[] = [];
    if (chosen.length > 0) {
      const were = chosen.length === 1 ? 'was' : 'were';
      parts.push(`${chosen.length} of ${count(candidates.length, 'line')} of journals ${were} added`);
    }
    if (stale.length > 0) {
      changes.push(archivedLines(snapshot, coreMemoryPath, day, linesOfItems(before!, stale)));
      parts.push(`${stale.length} over since moved to the archive`);
    }
    const item = { action: 'rollup', ids: [], why: parts.join(', '), changes };
    return { items: [byModel === null ? item : { ...item, by: adviser!.model }], left: [] };
  },
  describe: ([item]) => ({ subject: `MEMORY.md: ${item?.why ?? ''}` }),
};

/** Lists the lines of journals that say something lasting and stand neither in MEMORY.md nor in its archive. */
function rollupCandidates(view: PassView, known: KnownWords): RollupCandidate[] {
  const { snapshot, configuration, now } = view;
  const first = dayOf(now - (windowDays - 1) * dayMs, configuration.timezone);
  const seen = new Set<string>();
  for (const path of [coreMemoryPath, `archive/${coreMemoryPath}`]) {
    for (const item of knowledgeItems(snapshot.readText(path) ?? '')) for (const name of namesOf(item)) seen.add(name);
  }
  const candidates: RollupCandidate[] = [];
  const journals = [...snapshot.list('knowledge/journal/')].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [path, oid] of journals) {
    const day = /\/(\d{4}-\d\d-\d\d)\.md$/.exec(path)?.[1];
    if (day === undefined || day < first) continue;
    for (const item of knowledgeItems(snapshot.readBlob(oid, path).toString('utf8'))) {
      const judged = judge(item, known, day, dayOf(now, configuration.timezone));
      if (judged === null || namesOf(item).some((name) => seen.has(name))) continue;
      for (const name of namesOf(item)) seen.add(name);
      const sources = sourcesOfLine(item.line);
      const owners = memoriesOfLine(item.line).map(memoryMark).join('');
      const tail = ` [source: ${sources.length === 0 ? path : sources.join('] [source: ')}]${owners}`;
      candidates.push({ day, tail, ...judged, ...defined({ speaker: item.speaker }) });
    }
  }
  return [...candidates, ...eventCandidates(view, first, seen)];
}

/** A line is known by its words, by the turns it was taken from (each turn has one line), and by its events and memories. */
const namesOf = ({ key, line }: KnowledgeItem): string[] => [
  key,
  ...turnsOfLine(line),
  ...memoriesOfLine(line),
  ...sourcesOfLine(line).filter(isEventId),
];

const isEventId = (source: string): boolean => parseSequenceId(source)?.series.startsWith('EVT') === true;

const decides = new RegExp(`^${oneOf(listed(decisionOpenings))}\\b|^decision:`, 'i');
const teaches = new RegExp(`^${oneOf(listed(lessonOpenings))}\\b`, 'i');

/** Says where a line of a journal belongs and what it weighs; null for what need not be kept. */
function judge(item: KnowledgeItem, known: KnownWords, day: string, today: string) {
  const { words } = item;
  const memories = known.ofLine(item);
  const said = memories.length > 0 ? undefined : known.of(normaliseForHash(partsOf(words).words));
  if (memories.length > 0 || said !== undefined) {
    const sayers = said === undefined ? memories : [...memories, said];
    const places = sayers.flatMap((memory) => placeOf(memory, day, today) ?? []);
    const [best] = places.sort((one, other) => other.weight - one.weight);
    return best === undefined ? null : { ...best, words };
  }
  if (decides.test(words)) return { section: 'Key Decisions', words, weight: 0.7 } as const;
  if (teaches.test(words)) return { section: 'Lessons Learned', words, weight: 0.7 } as const;
  return null;
}

function placeOf(
  { status, importance: weight = 0.5, meta, category, due }: MemoryRecord,
  day: string,
  today: string,
): { readonly section: CoreSection; readonly weight: number } | null {
  if (!['active', 'promoted', 'schema'].includes(status)) return null;
  const section = meta.tags.includes('lesson') ? 'Lessons Learned' : sections[category ?? ''];
  if (category === 'commitment' && (due ?? day) < today) return null;
  // What is only told has to weigh more than what somebody holds to.
  return section === undefined || (told.includes(category ?? '') && weight < leastTold) ? null : { section, weight };
}

/** Where a memory of a category belongs. */
const sections: Readonly<Record<string, CoreSection>> = {
  decision: 'Key Decisions',
  principle: 'Lessons Learned',
  correction: 'Lessons Learned',
  preference: 'Lessons Learned',
  skill: 'Lessons Learned',
  commitment: 'Active Context',
  moment: 'Active Context',
  fact: 'Active Context',
  relationship: 'Active Context',
};
const told = ['moment', 'fact', 'relationship'];
const leastTold = 0.6;

/** Where an event of the ledger belongs. */
const sectionOfEvent: Readonly<Record<string, CoreSection>> = {
  decision: 'Key Decisions',
  constraint: 'Lessons Learned',
  preference: 'Lessons Learned',
};

/** Lists what holds of the ledger's decisions and rules of P0 and P1 that came since a day and are not in MEMORY.md. */
function eventCandidates(
  { snapshot, ledgers, configuration }: PassView,
  first: string,
  seen: Set<string>,
): RollupCandidate[] {
  return activeEvents(ledgers.ledgerOf(snapshot).events).flatMap(({ id, time, value }): RollupCandidate[] => {
    const { type, priority, content, memory, tags = [] } = value;
    const section = tags.includes('insight') ? 'Lessons Learned' : sectionOfEvent[type];
    const day = dayOf(time, configuration.timezone);
    const words = safeLine(content);
    const key = normaliseForHash(words);
    const isWanted = section !== undefined && (priority === 'P0' || priority === 'P1') && !tags.includes(retracted);
    if (!isWanted || day < first || seen.has(key) || seen.has(id) || (memory !== undefined && seen.has(memory)))
      return [];
    seen.add(key);
    return [
      { day, words, section, weight: priority === 'P0' ? 1 : 0.8, tail: ` [source: ${id}]${memoryMark(memory)}` },
    ];
  });
}

function strongest(candidates: readonly RollupCandidate[], most: number) {
  return candidates
    .map(({ words, section, weight, day }, index) => ({ index, words, section, weight, day }))
    .sort((a, b) => b.weight - a.weight || (a.day > b.day ? -1 : a.day < b.day ? 1 : a.index - b.index))
    .slice(0, most)
    .sort((a, b) => a.index - b.index);
}
