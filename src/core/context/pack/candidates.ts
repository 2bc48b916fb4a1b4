// Which lines belong into which section of the recall pack, in which order, and why. Rules alone decide, so the same tree and day give the
// same lines. How many of them fit is decided in recall-pack.ts.

import { count } from '../../../base/count.ts';
import { defined } from '../../../base/defined.ts';
import { dayOf, daysBetween } from '../../../base/time.ts';
import type { Freshness } from '../../../base/types/knowledge-types.ts';
import { activeEvents, openLoopsOf, type StoredEvent } from '../../../history/index.ts';
import type { Configuration } from '../../../store/records/configuration.ts';
import { freshnessOf } from '../../../store/records/freshness.ts';
import type { KnowledgeEntry } from '../../../store/records/knowledge-facts.ts';
import { saidOn } from '../../../store/records/knowledge-marks.ts';
import { snakeCase } from '../../../store/records/new-event.ts';
import { type Conflict, conflictMark } from './conflicts.ts';
import { countWords, cutWords, type PackCandidate, type PackCandidates } from './sections.ts';

export interface PackInput {
  /** The day the pack is for; ages count from it, not from a clock. */
  readonly day: string;
  readonly events: readonly StoredEvent[];
  readonly knowledge: readonly KnowledgeEntry[];
  /** One for each entity, the newest first. */
  readonly conflicts: readonly Conflict[];
  /** What is wrong with the ledger. */
  readonly problems: readonly string[];
  readonly configuration: Pick<Configuration, 'timezone' | 'ledger' | 'pack' | 'knowledge'>;
  /** Tells whether the text around the pack says what is of these memories or events; default: it says nothing. */
  isTold?(ids: readonly string[]): boolean;
}

/** No line but a constraint is longer: one could take the place of ten others. */
const mostWords = 60;
const mostFocus = 5;
const oldestNamed = 3;
const dayMs = 86_400_000;

type Told = Pick<StoredEvent, 'id' | 'time' | 'value'>;
type Aged = Told & { readonly day: string; readonly age: number };

/** Gives the candidates of every section, best first. */
export function packCandidates(input: PackInput): PackCandidates {
  const { day, configuration, knowledge } = input;
  const { timezone, ledger, pack } = configuration;
  const ages = new Map<string, number>();
  const ageOn = (on: string): number => {
    const age = ages.get(on) ?? Math.max(0, daysBetween(on, day));
    ages.set(on, age);
    return age;
  };
  const aged = ({ id, time, value }: StoredEvent): Aged => {
    const on = dayOf(time, timezone);
    return { id, time, value, day: on, age: ageOn(on) };
  };
  // Of one day comes first what is due first.
  const open = openLoopsOf(input.events)
    .map(({ event, since }) => ({ ...aged(event), age: ageOn(dayOf(since, timezone)) }))
    .sort((a, b) => b.age - a.age || byDue(a, b));
  const isOpen = new Set(open.map(({ id }) => id));
  // Of a long ledger most is over by far: a look at the clock spares asking for its day.
  const latest = Date.parse(`${day}T00:00:00Z`) - 2 * dayMs;
  const isOver = ({ time, value: { priority } }: StoredEvent): boolean =>
    (priority === 'P2' && time < latest - ledger.p2Days * dayMs) ||
    (priority === 'P3' && time < latest - ledger.p3Days * dayMs);
  const holds = activeEvents(input.events)
    .filter((event) => !isOver(event))
    .map(aged)
    .filter(({ value: { priority }, age }) => {
      if (priority === 'P2') return age <= ledger.p2Days;
      return priority !== 'P3' || age <= ledger.p3Days;
    });
  const focus = [...open]
    .filter(({ value }) => value.tags?.includes('waiting') !== true)
    .sort(byDue)
    .slice(0, mostFocus);
  const isFocus = new Set(focus.map(({ id }) => id));
  const relevant = new Set(
    [...focus, ...holds.filter(({ age }) => age <= 2)].flatMap(({ value }) => value.entity ?? []),
  );
  return {
    p0: holds
      .filter(({ id, value }) => value.priority === 'P0' && (value.type !== 'commitment' || isOpen.has(id)))
      .sort((a, b) => a.time - b.time)
      .map((event) => told(event, one(event.value.content), 'P0 is always in the pack')),
    mantra: [mantraOf(pack.mantra)],
    commitments: open.map((event, position) => ({
      ...told(event, commitmentText(event, day), 'an open commitment, oldest first'),
      ...(position < oldestNamed ? { isNeeded: true, why: 'one of the three oldest open commitments' } : {}),
      ...(isFocus.has(event.id) ? { isNeeded: true } : {}),
    })),
    waiting: open
      .filter(({ value }) => value.tags?.includes('waiting') === true)
      .map((event) =>
        told(
          event,
          cutWords(`${aboutIn(event.value)}${event.value.content} (${count(event.age, 'day')})`, mostWords),
          'open, with the tag waiting',
        ),
      ),
    // Its words stand above, among the open commitments.
    focus: focus.map((event) => told(event, focusReason(event, day), focusReason(event, day))),
    context: contextOf(input, holds, relevant),
    procedures: proceduresOf(
      holds.filter(({ id, value: { memory } }) => !input.isTold?.([memory ?? id])),
      knowledge,
    ),
    accounts: accountsOf(knowledge),
  };
}

function told({ id, value }: Told, text: string, why: string): PackCandidate {
  return { text: `[${value.priority}] ${text} ${id}`, why, events: [id] };
}

/** One line, however it was written. */
function one(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function mantraOf(mantra: string | undefined): PackCandidate {
  const why = mantra === undefined ? 'no mantra is set' : 'pack.mantra of memory.yaml';
  return { text: mantra === undefined ? '(set pack.mantra in memory.yaml)' : cutWords(mantra, 19), why, events: [] };
}

/** What it is about is said where its words do not: "I will send it" is said by somebody. */
function aboutIn({ entity = '', content }: Aged['value']): string {
  const name = entity.replaceAll('_', ' ');
  return name === '' || content.toLowerCase().includes(name.toLowerCase()) ? '' : `${name}: `;
}

function commitmentText({ value, age }: Aged, day: string): string {
  const { content, due } = value;
  const by =
    due === undefined ? '' : due < day ? `, ⚠️ overdue since ${due}` : due === day ? ', due today' : `, due ${due}`;
  return `${aboutIn(value)}${cutWords(content, mostWords)} (open, ${count(age, 'day')}${by})`;
}

function focusReason({ value: { due } }: Told, day: string): string {
  if (due === undefined) return 'open, without a day';
  return due < day ? `overdue since ${due}` : due === day ? 'due today' : `the next to be due, ${due}`;
}

function byDue(a: Aged, b: Aged): number {
  const [first, second] = [a.value.due ?? '9999', b.value.due ?? '9999'];
  if (first !== second) return first < second ? -1 : 1;
  if (a.value.priority !== b.value.priority) return a.value.priority < b.value.priority ? -1 : 1;
  return b.age - a.age || (a.id < b.id ? -1 : 1);
}

// ── context ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Why a fact of a file that is not about what matters today is on the page. */
const reasons: Readonly<Record<Freshness, string>> = {
  fresh: 'a fact that is still fresh',
  aging: 'a fact that ages, and is not stale yet',
  stale: 'a stale fact',
  undated: 'a fact without a day',
  lasting: 'of a kind that does not age',
};

const contextTypes: ReadonlySet<string> = new Set(['decision', 'fact', 'preference', 'constraint', 'relationship']);

function contextOf(
  { day, knowledge, conflicts, problems, configuration, isTold = () => false }: PackInput,
  holds: readonly Aged[],
  relevant: ReadonlySet<string>,
): PackCandidate[] {
  const flags = problems.map((problem) => ({
    text: `⚠️ INTEGRITY: ${cutWords(problem, mostWords)}`,
    why: 'the ledger is not whole',
    events: [],
  }));
  // What a line and an event, or two pages, have from one memory comes once.
  const ofEvents = new Set(holds.flatMap(({ id, value: { memory } }) => [id, memory ?? id]));
  const seen = new Set<string>();
  const facts = knowledge
    .flatMap((entry) => (entry.type === 'account' ? [] : entry.facts))
    .filter(({ sources, memories }) => ![...sources, ...memories].some((id) => ofEvents.has(id)) && !isTold(memories))
    .filter(({ memories }) => {
      const isNew = memories.length === 0 || memories.some((id) => !seen.has(id));
      for (const id of memories) seen.add(id);
      return isNew;
    });
  const inConflict = new Set(conflicts.flatMap(({ sides }) => sides.map(({ id }) => id)));
  const recent = holds
    .filter(
      ({ id, value }) =>
        value.priority !== 'P0' &&
        contextTypes.has(value.type) &&
        !(value.memory && inConflict.has(value.memory)) &&
        !isTold([value.memory ?? id]),
    )
    .flatMap((event) => contextLine(event, relevant, day, configuration.knowledge))
    .sort(byRecency);
  const known = facts
    .filter(({ memories }) => !memories.some((id) => inConflict.has(id)))
    .flatMap((fact) => {
      // A quote says by itself when it was said, and by whom.
      const said = saidOn.exec(fact.text)?.[1];
      const verified = fact.verified ?? said;
      const { state } = freshnessOf({ decays: fact.decays, ...defined({ verified }) }, day, configuration.knowledge);
      const isRelevant = relevant.has(fact.entity);
      const isOld = state !== 'fresh' && state !== 'lasting';
      if (isOld && state !== 'aging' && !isRelevant) return [];
      // "Ada has a bit of a cold on 2026-04-06": that was of its day.
      if (isOld && fact.verified !== undefined && fact.text.includes(` on ${fact.verified}`)) return [];
      const tier = isRelevant ? 1.5 : 4.5;
      const when = verified === undefined ? ' (never verified)' : verified === said ? '' : ` (verified ${verified})`;
      const about = said === undefined ? `${snakeCase(fact.entity).replaceAll('_', ' ')}: ` : '';
      return [
        {
          text: `${isOld ? '⚠️ STALE ' : ''}${about}${cutWords(fact.text, mostWords)}${when}`,
          why: isRelevant ? 'about an entity that matters today' : reasons[state],
          events: [],
          memories: fact.memories,
          path: fact.path,
          tier,
          // Lines verified lately come first; otherwise files and their lines keep their order.
          verified: verified ?? '',
        },
      ];
    })
    .sort((a, b) => a.tier - b.tier || (a.verified > b.verified ? -1 : a.verified < b.verified ? 1 : 0));
  const lines = conflicts.map((conflict) => conflictLine(conflict, holds));
  return [
    ...flags,
    ...amidst(
      [...recent, ...known].sort((a, b) => a.tier - b.tier),
      lines,
    ),
  ];
}

function conflictLine({ sides }: Conflict, holds: readonly Aged[]): PackCandidate {
  const [a, b] = sides.map(({ id, text }) => `${id} says "${cutWords(text, 20)}"`) as [string, string];
  return {
    text: `${conflictMark} ${a}, ${b} — needs resolution`,
    why: 'two open claims about one entity, and nobody ended either',
    events: holds.flatMap(({ id, value: { memory } }) => (sides.some((side) => side.id === memory) ? [id] : [])),
  };
}

/**
 * Puts conflicts among other lines, so that of the first so many they are at most a third: of the lines, and of the words. One always has a
 * place, and those without one are counted.
 */
function amidst(lines: readonly PackCandidate[], conflicts: readonly PackCandidate[]): PackCandidate[] {
  const placed: PackCandidate[] = [];
  let [at, own, all] = [0, 0, 0];
  for (const line of lines) {
    if (at < conflicts.length) {
      const words = countWords(conflicts[at]!.text);
      if (3 * (own + words) <= all + words && 3 * (at + 1) <= placed.length + 1) {
        placed.push(conflicts[at]!);
        [at, own, all] = [at + 1, own + words, all + words];
      }
      all += countWords(line.text);
    }
    placed.push(line);
  }
  if (at === 0) placed.push(...conflicts.slice(at, ++at));
  const left = conflicts.length - at;
  const more = { text: `⚠️ … ${count(left, 'more conflict')}`, why: 'no room', events: [] };
  return left > 0 ? [...placed, more] : placed;
}

/** An event as a candidate, and where it stands among the others. */
interface EventLine extends PackCandidate {
  readonly tier: number;
  readonly event: Aged;
}

/** Of thousands of lines some dozen are shown, the others only counted: words are made when they are asked for. */
function eventLine(event: Aged, tier: number, why: string, isStale: boolean): EventLine {
  const { id, value, day } = event;
  return {
    event,
    tier,
    why,
    events: [id],
    get text() {
      const words = `${isStale ? '⚠️ STALE ' : ''}${aboutIn(value)}${cutWords(value.content, mostWords)} (${value.type}, ${day})`;
      return told(event, words, why).text;
    },
  };
}

function byRecency({ tier, event: a }: EventLine, { tier: other, event: b }: EventLine): number {
  if (tier !== other) return tier - other;
  if (a.value.priority !== b.value.priority) return a.value.priority < b.value.priority ? -1 : 1;
  return b.time - a.time || (a.id < b.id ? -1 : 1);
}

/** Recency first: the last 48 hours, the last week, the last month, and before. */
function contextLine(
  event: Aged,
  relevant: ReadonlySet<string>,
  today: string,
  rules: Configuration['knowledge'],
): EventLine[] {
  const { age, value, day } = event;
  const { state } = freshnessOf({ verified: day, decays: value.type === 'fact' }, today, rules);
  if (state === 'stale' && !(value.entity !== undefined && relevant.has(value.entity))) return [];
  const isStale = state === 'aging' || state === 'stale';
  if (age <= 2) return [eventLine(event, 1, 'of the last 48 hours', isStale)];
  if (age <= 7) return [eventLine(event, 2, 'of the last week', isStale)];
  if (age <= 30) return [eventLine(event, 3, 'of the last month', isStale)];
  return [eventLine(event, 4, `older, and ${value.priority}`, isStale)];
}

// ── procedures and accounts ─────────────────────────────────────────────────────────────────────────────────────────

function proceduresOf(holds: readonly Aged[], knowledge: readonly KnowledgeEntry[]): PackCandidate[] {
  const events = holds
    .filter(({ value }) => value.type === 'procedure' && value.priority !== 'P0')
    .sort((a, b) =>
      a.value.priority < b.value.priority ? -1 : a.value.priority > b.value.priority ? 1 : b.time - a.time,
    )
    .map((event) => told(event, cutWords(event.value.content, mostWords), 'a procedure of the ledger'));
  const files = knowledge
    .filter(({ path }) => path.startsWith('knowledge/procedures/'))
    .map(({ path, title, when }) => ({
      text: `${cutWords(`${title}${when === undefined ? '' : `: ${when}`}`, mostWords)} (${path})`,
      why: 'a procedure of the knowledge base',
      events: [],
      path,
    }));
  return [...events, ...files];
}

/** Names and ids of the entities that are accounts; what describes them stays in their files. */
function accountsOf(knowledge: readonly KnowledgeEntry[]): PackCandidate[] {
  return knowledge
    .filter(({ type }) => type === 'account')
    .map(({ path, title, facts }) => {
      const ids = facts.map(({ text }) => text).filter((text) => /^[^:]{1,40}: *\S+$/.test(text));
      return {
        text: cutWords([title, ...ids].join(' · '), 30),
        why: 'an entity of the type account',
        events: [],
        path,
      };
    });
}
