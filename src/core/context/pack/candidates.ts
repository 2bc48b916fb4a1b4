// Which lines belong into which section of the recall pack, in which order, and why. Rules alone decide, so the same tree and day give the
// same lines. How many of them fit is decided in recall-pack.ts.

import { count } from '../../../base/count.ts';
import { defined } from '../../../base/errors.ts';
import { dayMs, dayOf, daysBetween } from '../../../base/time.ts';
import type { Freshness } from '../../../base/types/knowledge-types.ts';
import {
  activeEvents,
  isPermanent,
  openLoopsOf,
  permanentWords,
  proposal,
  type StoredEvent,
  waitingTag,
} from '../../../logs/index.ts';
import type { Configuration } from '../../../store/records/configuration.ts';
import { freshnessOf } from '../../../store/records/freshness.ts';
import type { KnowledgeEntry } from '../../../store/records/knowledge-facts.ts';
import { saidOn } from '../../../store/records/knowledge-marks.ts';
import { snakeCase } from '../../../store/records/new-event.ts';
import { mostLate, mostOverdue } from '../compile/standing-claims.ts';
import { type Conflict, conflictMark } from './conflicts.ts';
import { countWords, cutWords, type PackCandidate, type PackCandidates } from './sections.ts';

export interface PackInput {
  /** The day the pack is for; ages count from it, not from a clock. */
  readonly day: string;
  readonly events: readonly StoredEvent[];
  readonly archived: readonly StoredEvent[];
  readonly knowledge: readonly KnowledgeEntry[];
  /** The newest first. */
  readonly conflicts: readonly Conflict[];
  /** What is wrong with the ledger. */
  readonly problems: readonly string[];
  readonly configuration: Pick<Configuration, 'timezone' | 'ledger' | 'pack' | 'knowledge'>;
  /** Tells whether the text around the pack says what is of these memories or events; default: it says nothing. */
  isTold?(ids: readonly string[]): boolean;
  /** Names who said an event; default: nobody knows. */
  speakerOf?(event: StoredEvent): string | undefined;
}

/** No line but a constraint is longer: one could take the place of ten others. */
const mostWords = 60;
/** A reader knows a promise again by so many of its words. */
const fewWords = 8;
const mostFocus = 5;
const oldestNamed = 3;

type Told = Pick<StoredEvent, 'id' | 'time' | 'value'>;
type Aged = Told & { readonly day: string; readonly age: number };

/** An open commitment. */
interface Promised extends Aged {
  readonly due?: string;
  readonly speaker?: string;
  /** Its last update. */
  readonly then?: Aged;
  /** What was said of it and may be its end. */
  readonly beside?: Aged;
}

/** Gives the candidates of every section, best first. */
export function packCandidates(input: PackInput): PackCandidates {
  const { day, configuration } = input;
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
  const active = activeEvents(input.events);
  const ended = endedIn(input, active);
  const knowledge = input.knowledge.map((entry) => ({
    ...entry,
    facts: entry.facts.filter(({ sources, memories }) => ![...sources, ...memories].some((id) => ended.has(id))),
  }));
  const proposals = active.filter(isProposal);
  // Of one day comes first what is due first.
  const open = openLoopsOf(input.events)
    .map(({ event, since, due, updates, events }): Promised => {
      const names = new Set(events.map(({ id }) => id));
      const beside = proposals.findLast((one) => one.names?.some((id) => names.has(id)));
      const [then] = updates.slice(-1).map(aged);
      const given = { ...aged(event), age: ageOn(dayOf(since, timezone)) };
      const speaker = input.speakerOf?.(event);
      return { ...given, ...defined({ due, speaker, then, beside: beside && aged(beside) }) };
    })
    .sort((a, b) => b.age - a.age || byDue(a, b));
  const isOpen = new Set(open.map(({ id }) => id));
  // Of a long ledger most is over by far: a look at the clock spares asking for its day.
  const latest = Date.parse(`${day}T00:00:00Z`) - 2 * dayMs;
  const isOver = ({ time, value: { priority } }: StoredEvent): boolean =>
    (priority === 'P2' && time < latest - ledger.p2Days * dayMs) ||
    (priority === 'P3' && time < latest - ledger.p3Days * dayMs);
  const holds = active
    .filter((event) => !isOver(event) && !ended.has(event.id))
    .map(aged)
    .filter(({ value: { priority }, age }) => {
      if (priority === 'P2') return age <= ledger.p2Days;
      return priority !== 'P3' || age <= ledger.p3Days;
    });
  const focus = [...open]
    .filter((event) => !isWaiting(event))
    .sort((a, b) => Number(isLeft(a, day)) - Number(isLeft(b, day)) || byDue(a, b))
    .slice(0, mostFocus);
  const isFocus = new Set(focus.map(({ id }) => id));
  const entitiesOf = (events: readonly Aged[]) => new Set(events.flatMap(({ value }) => value.entity ?? []));
  const besides = new Set(open.map(({ beside }) => beside?.id));
  return {
    p0: holds
      .filter(({ id, value }) => value.priority === 'P0' && (value.type !== 'commitment' || isOpen.has(id)))
      .sort((a, b) => a.time - b.time)
      .map((event) => told(event, one(event.value.content), 'P0 is always in the pack')),
    mantra: [mantraOf(pack.mantra)],
    commitments: open.map((event, position) => ({
      ...told(event, commitmentText(event, day), 'an open commitment, oldest first'),
      ...defined({ due: event.due }),
      ...(position < oldestNamed ? { isNeeded: true, why: 'one of the three oldest open commitments' } : {}),
      ...(isFocus.has(event.id) ? { isNeeded: true } : {}),
    })),
    waiting: open.filter(isWaiting).map((event) => {
      const text = cutWords(`${leadIn(event)}${event.value.content} (${count(event.age, 'day')})`, mostWords);
      return told(event, text, 'open, with the tag waiting');
    }),
    // All of its words stand above, among the open commitments.
    focus: focus.map((event) => {
      const why = focusReason(event, day);
      return told(event, `${cutWords(`${leadIn(event)}${event.value.content}`, fewWords)} (${why})`, why);
    }),
    context: contextOf(
      { ...input, knowledge },
      holds.filter((event) => !isAccount(event) && !besides.has(event.id)),
      { tasks: entitiesOf(focus), lately: entitiesOf(holds.filter(({ age }) => age <= 2)) },
    ),
    procedures: proceduresOf(
      holds.filter(({ id, value: { memory } }) => !input.isTold?.([memory ?? id])),
      knowledge,
    ),
    accounts: accountsOf(holds.filter(isAccount), knowledge),
  };
}

const isWaiting = ({ value }: Told): boolean => value.tags?.includes(waitingTag) === true;

const isProposal = ({ value }: Told): boolean => value.tags?.includes(proposal) === true;

/**
 * Finds the events that an act ended: superseded ones, promises that are closed. By that what asks about them is answered, and ends as well.
 * Such are proposals with their memories, and events that say of two that they are at odds.
 */
function endedIn({ events, archived }: PackInput, active: readonly StoredEvent[]): Set<string> {
  const open = openLoopsOf(events).flatMap((loop) => loop.events);
  const inForce = new Set([...active.filter(({ value }) => value.type !== 'commitment'), ...open].map(({ id }) => id));
  // What is over by its age moves to the archive, too, and nobody ended it.
  const replaced = new Set([...archived, ...events].flatMap(({ supersedes }) => supersedes ?? []));
  const isEnded = ({ id, value }: StoredEvent) => replaced.has(id) || value.type === 'commitment';
  const aside = [...archived.filter(isEnded), ...events.filter(({ id }) => !inForce.has(id))];
  const ended = new Set(aside.map(({ id }) => id));
  for (const event of active) {
    const { related = [], tags, memory = event.id } = event.value;
    const least = isProposal(event) ? 1 : tags?.includes('conflict') && related.length > 1 ? 2 : 0;
    if (related.some((id) => ended.has(id)) && related.filter((id) => inForce.has(id)).length < least)
      ended.add(event.id).add(memory);
  }
  return ended;
}

function told({ id, value }: Told, text: string, why: string): PackCandidate {
  return { text: `[${value.priority}] ${text} ${id}`, why, events: [id] };
}

/** One line, however it was written. */
const one = (text: string): string => text.replace(/\s+/g, ' ').trim();

function mantraOf(mantra: string | undefined): PackCandidate {
  const why = mantra === undefined ? 'no mantra is set' : 'pack.mantra of memory.yaml';
  return { text: mantra === undefined ? '(set pack.mantra in memory.yaml)' : cutWords(mantra, 19), why, events: [] };
}

/** A promise is shown with who made it: "I will send it" is said by somebody. */
const leadIn = ({ speaker, value }: Promised): string => (speaker === undefined ? aboutIn(value) : `${speaker}: `);

/** What it is about is said where its words do not. */
function aboutIn({ entity = '', content }: Aged['value']): string {
  const name = entity.replaceAll('_', ' ');
  return name === '' || content.toLowerCase().includes(name.toLowerCase()) ? '' : `${name}: `;
}

function commitmentText(promise: Promised, day: string): string {
  const { value, age, due, speaker = '', then, beside } = promise;
  const late = due !== undefined && due < day ? daysBetween(due, day) : 0;
  const by =
    due === undefined
      ? ''
      : late > mostOverdue
        ? `, past due since ${due}: done, moved or dropped?`
        : `, ${late > 0 ? '⚠️ overdue since' : due === day ? 'due today' : 'due'}${due === day ? '' : ` ${due}`}`;
  const said = (label: string, one: Aged | undefined, ask = '') =>
    one === undefined ? '' : `; ${label} ${one.day}: "${cutWords(one.value.content, 2 * fewWords)}"${ask}`;
  const more = `${said('updated', then)}${said('said', beside, ` ${beside?.id} — done?`)}`;
  const entity = speaker === '' || snakeCase(speaker) === value.entity ? '' : aboutIn(value).slice(0, -2);
  const about = entity === '' ? '' : `, about ${entity}`;
  const on = isWaiting(promise) ? `, waiting on ${value.entity?.replaceAll('_', ' ') ?? 'others'}` : about;
  return `${leadIn(promise)}${cutWords(value.content, mostWords)} (open, ${count(age, 'day')}${on}${by}${more})`;
}

function focusReason({ due }: Promised, day: string): string {
  if (due === undefined) return 'open, without a day';
  return due < day ? `past due since ${due}` : due === day ? 'due today' : `the next to be due, ${due}`;
}

/** Tells whether a promise is long past, and nobody updated it. */
const isLeft = ({ due = '9', then }: Promised, day: string): boolean =>
  then === undefined && due < day && daysBetween(due, day) > mostLate;

const byPriority = ({ value: { priority: a } }: Told, { value: { priority: b } }: Told): number =>
  a < b ? -1 : a > b ? 1 : 0;

function byDue(a: Promised, b: Promised): number {
  const [first, second] = [a.due ?? '9999', b.due ?? '9999'];
  if (first !== second) return first < second ? -1 : 1;
  return byPriority(a, b) || b.age - a.age || (a.id < b.id ? -1 : 1);
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

/** Entities of what is to be done today, and of what was said in the last 48 hours. Only a task calls for what is stale. */
type Entities = Readonly<Record<'tasks' | 'lately', ReadonlySet<string>>>;

const contextTypes: ReadonlySet<string> = new Set(['decision', 'fact', 'preference', 'constraint', 'relationship']);

function contextOf(
  { day, knowledge, conflicts, problems, configuration, isTold = () => false }: PackInput,
  holds: readonly Aged[],
  { tasks, lately }: Entities,
): PackCandidate[] {
  const permanent = holds.filter(isPermanent).length;
  const most = configuration.ledger.compactAbove;
  const flags: PackCandidate[] = problems.map((problem) => ({
    text: `⚠️ INTEGRITY: ${cutWords(problem, mostWords)}`,
    why: 'the ledger is not whole',
    events: [],
  }));
  if (permanent > most) {
    const text = `⚠️ LEDGER: ${permanentWords(permanent, most)}`;
    flags.push({ text, why: 'compaction cannot shorten it', events: [] });
  }
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
        ![id, value.memory ?? ''].some((one) => inConflict.has(one)) &&
        !isTold([value.memory ?? id]),
    )
    .flatMap((event) => contextLine(event, tasks, day, configuration.knowledge))
    .sort(byRecency);
  const known = facts
    .filter(({ memories }) => !memories.some((id) => inConflict.has(id)))
    .flatMap((fact) => {
      // A quote says by itself when it was said, and by whom.
      const said = saidOn.exec(fact.text)?.[1];
      const { verified, due = day } = fact;
      // What was to be on a day that has passed is over, unless a promise says so.
      if (daysBetween(due, day) > mostOverdue) return [];
      const { state } = freshnessOf(fact, day, configuration.knowledge);
      const isTask = tasks.has(fact.entity);
      const isRelevant = isTask || lately.has(fact.entity);
      const isOld = state !== 'fresh' && state !== 'lasting';
      if (isOld && state !== 'aging' && !(state === 'stale' ? isTask : isRelevant)) return [];
      // "Ada has a bit of a cold on 2026-04-06": that was of its day.
      if (isOld && verified !== undefined && fact.text.includes(` on ${verified}`)) return [];
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
  const ordered = [...recent, ...known].sort((a, b) => a.tier - b.tier);
  return [...flags, ...amidst(ordered, lines)];
}

function conflictLine({ sides }: Conflict, holds: readonly Aged[]): PackCandidate {
  const [a, b] = sides.map(({ id, text }) => `${id} says "${cutWords(text, 20)}"`) as [string, string];
  return {
    text: `${conflictMark} ${a}, ${b} — needs resolution`,
    why: 'two open claims about one entity, and nobody ended either',
    events: holds.flatMap(({ id, value: { memory } }) =>
      sides.some((side) => side.id === memory || side.id === id) ? id : [],
    ),
  };
}

/** So many conflicts always have a place. */
const mostCertain = 3;

/**
 * Puts conflicts among other lines, so that of the first so many they are at most a third: of the lines, and of the words. The newest three
 * always have a place, and those without one are counted.
 */
function amidst(lines: readonly PackCandidate[], conflicts: readonly PackCandidate[]): PackCandidate[] {
  const placed: PackCandidate[] = [];
  let [at, own, all] = [0, 0, 0];
  for (const line of lines) {
    if (at < conflicts.length) {
      const words = countWords(conflicts[at]!.text);
      if (3 * (own + words) <= all + words && 3 * (at + 1) <= placed.length + 1) {
        placed.push({ ...conflicts[at]!, isNeeded: at < mostCertain });
        [at, own, all] = [at + 1, own + words, all + words];
      }
      all += countWords(line.text);
    }
    placed.push(line);
  }
  for (; at < Math.min(mostCertain, conflicts.length); at++) placed.push({ ...conflicts[at]!, isNeeded: true });
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
      const old =
        value.tags?.includes(proposal) === true
          ? `; said beside ${value.related?.join(', ')}: does it replace it?`
          : '';
      const words = `${isStale ? '⚠️ STALE ' : ''}${aboutIn(value)}${cutWords(value.content, mostWords)}`;
      return told(event, `${words} (${value.type}, ${day}${old})`, why).text;
    },
  };
}

function byRecency({ tier, event: a }: EventLine, { tier: other, event: b }: EventLine): number {
  return tier - other || byPriority(a, b) || b.time - a.time || (a.id < b.id ? -1 : 1);
}

/** A tag says that a fact is of a person's identity: it does not age. */
const isIdentity = ({ value: { tags } }: Told): boolean => tags?.includes('identity') === true;

/**
 * Recency first: the last 48 hours, the last week, the last month, and before. Identity and constraints come with the last week, however
 * long ago they were said.
 */
function contextLine(
  event: Aged,
  tasks: ReadonlySet<string>,
  today: string,
  rules: Configuration['knowledge'],
): EventLine[] {
  const { age, value, day } = event;
  const decays = value.type === 'fact' && !isIdentity(event);
  const { state } = freshnessOf({ verified: day, decays }, today, rules);
  if (state === 'stale' && !tasks.has(value.entity ?? '')) return [];
  const isStale = state === 'aging' || state === 'stale';
  if (age <= 2) return [eventLine(event, 1, 'of the last 48 hours', isStale)];
  if (age <= 7) return [eventLine(event, 2, 'of the last week', isStale)];
  if (isIdentity(event)) return [eventLine(event, 2, 'who somebody is', false)];
  if (value.type === 'constraint') return [eventLine(event, 2, 'a constraint in force', false)];
  if (age <= 30) return [eventLine(event, 3, 'of the last month', isStale)];
  return [eventLine(event, 4, `older, and ${value.priority}`, isStale)];
}

// ── procedures and accounts ─────────────────────────────────────────────────────────────────────────────────────────

function proceduresOf(holds: readonly Aged[], knowledge: readonly KnowledgeEntry[]): PackCandidate[] {
  const events = holds
    .filter(({ value }) => value.type === 'procedure' && value.priority !== 'P0')
    .sort((a, b) => byPriority(a, b) || b.time - a.time)
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

const isAccount = ({ value: { tags, type, priority } }: Told): boolean =>
  type !== 'commitment' && priority !== 'P0' && tags?.some((tag) => tag === 'account' || tag === 'accounts') === true;

/** Events with the tag, and names and ids of the entities that are accounts; what describes them stays in ledger and files. */
function accountsOf(events: readonly Aged[], knowledge: readonly KnowledgeEntry[]): PackCandidate[] {
  const tagged = events.toReversed().map((event) => {
    const words = `${aboutIn(event.value)}${cutWords(event.value.content, 2 * fewWords)}`;
    return told(event, words, 'an event with the tag account');
  });
  const files = knowledge
    .filter(({ type }) => type === 'account')
    .map(({ path, title, facts }) => {
      const ids = facts.map(({ text }) => text).filter((text) => /^[^:]{1,40}: *\S+$/.test(text));
      const text = cutWords([title, ...ids].join(' · '), 30);
      return { text, why: 'an entity of the type account', events: [], path };
    });
  return [...tagged, ...files];
}
