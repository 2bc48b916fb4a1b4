// Lives of months by the scheduler: what the engine adds to history beside what was recorded, and what a person sees of it.

import { expect, it } from 'vitest';
import { defined } from '../../src/base/errors.ts';
import type { EventInput, PackResult } from '../../src/base/types.ts';
import { countWords, packSections } from '../../src/core/context/pack/sections.ts';
import type { Memory } from '../../src/memory/open-memory.ts';
import type { ManualClock } from '../helpers/memories.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { fsck } from '../helpers/native-git.ts';
import { random } from '../helpers/random.ts';

const makers = ['Odile Brandt', 'Pavel Ruzek', 'Salt Lane Pottery', 'Birch Hall', 'Nadia Okoro'];
const kinds = [
  ['decision', 'P1', (n: number) => `Fire the blue glaze at ${1000 + n} degrees`],
  ['fact', 'P2', (n: number) => `The kiln of the yard holds ${n} bowls`],
  ['fact', 'P3', (n: number) => `It was ${n % 30} degrees in the yard`],
  ['commitment', 'P1', (n: number) => `Deliver crate ${n} to the market`],
  ['preference', 'P2', (n: number) => `Wants handles of ${n} millimetres`],
] as const;

/** Runs what is due every few hours of a day. */
async function aDay(memory: Memory, clock: ManualClock, noon?: () => Promise<void>): Promise<string[]> {
  const failed: string[] = [];
  for (let hour = 0; hour < 24; hour += 6) {
    clock.advance({ hours: 6 });
    if (hour === 6) await noon?.();
    const { runs } = await memory.maintenance.runDue();
    failed.push(...runs.flatMap(({ task, state, why }) => (state === 'failed' ? [`${task}: ${why}`] : [])));
  }
  return failed;
}

const operationsOf = async (memory: Memory) =>
  (await memory.log({ limit: 10_000 })).commits.map(({ operation }) => operation);
const tagsOf = async (memory: Memory) => (await memory.snapshots.list()).map(({ tag }) => tag);

it('makes of 145 events in five months, one a day, a commit a night beside them, and keeps few tags', async () => {
  const { memory, clock } = await newTestMemory();
  let events = 0;
  for (let day = 0; day < 150; day += 1) {
    const failed = await aDay(memory, clock, async () => {
      if (events < 145) {
        const [type, priority, say] = kinds[events % kinds.length]!;
        const entity = makers[events % makers.length]!;
        await memory.ledger.add({ type, priority, entity, content: say(events) });
        events += 1;
      }
      if (day % 3 !== 1) return;
      const text = `Bowl ${day} stands in the north room, because the yard is damp.`;
      await memory.capture({ session: `s${day}`, messages: [{ role: 'user', text }] });
    });
    expect(failed).toEqual([]);
  }
  expect(events).toBe(145);
  const recorded = ['init', 'event', 'capture', 'extract'];
  const own = (await operationsOf(memory)).filter((one) => !recorded.includes(one ?? ''));
  expect(own.length).toBeLessThanOrEqual(150);
  const tags = await tagsOf(memory);
  expect(tags.length).toBeLessThanOrEqual(60);
  expect(tags.filter((tag) => tag.startsWith('memory/daily/')).length).toBeLessThanOrEqual(15);
  // Reports of the last nights, and one for each month before.
  const reports = await memory.files('knowledge/consolidation-reports');
  expect(reports.length).toBeLessThan(70);
  const core = await memory.read('knowledge/memory/MEMORY.md');
  expect(core).toMatch(
    /## Key Decisions\n(?:.*\n)*- 2026-\d\d-\d\d: Fire the blue glaze at \d+ degrees \[source: EVT-/,
  );
  expect((await memory.ledger.check()).ok).toBe(true);
}, 900_000);

it('adds nothing in 130 days on which nothing happens, once what was left to do is done', async () => {
  const { memory, clock } = await newTestMemory();
  await memory.ledger.add({ type: 'decision', priority: 'P1', entity: 'Birch Hall', content: 'Rent the hall for May' });
  await memory.capture({ session: 's', messages: [{ role: 'user', text: 'We decided to rent the hall for May.' }] });
  for (let day = 0; day < 20; day += 1) expect(await aDay(memory, clock)).toEqual([]);
  const before = (await operationsOf(memory)).length;
  for (let day = 0; day < 130; day += 1) expect(await aDay(memory, clock)).toEqual([]);
  const later = (await operationsOf(memory)).slice(0, -before);
  // What fades, moves to the archive or becomes overdue is a change.
  expect(later.length).toBeLessThanOrEqual(6);
  expect((await tagsOf(memory)).length).toBeLessThanOrEqual(12);
}, 900_000);

it('joins what the tasks of a round do into one commit, which can be taken back', async () => {
  const { memory, clock } = await newTestMemory();
  await memory.ledger.add({ type: 'fact', priority: 'P1', entity: 'Birch Hall', content: 'The hall has 90 chairs' });
  await memory.maintenance.runDue();
  clock.advance({ days: 1 });
  await memory.ledger.add({ type: 'fact', priority: 'P1', entity: 'Birch Hall', content: 'The hall has 12 tables' });
  const { commit: tip } = await memory.at('HEAD');
  const { runs } = await memory.maintenance.runDue();
  const made = (await memory.log({ limit: 10 })).commits.slice(0, 2);
  expect(made[1]!.oid).toBe(tip);
  expect(made[0]).toMatchObject({ operation: 'upkeep', paths: expect.arrayContaining(['recall/pack.md']) });
  expect(runs.find(({ task }) => task === 'nightly')!.result!.commits).toEqual([made[0]!.oid]);
  expect(await memory.read('knowledge/entities/birch-hall.md')).toContain('12 tables');
  expect(await memory.read('recall/pack.md')).toContain('12 tables');
  expect((await memory.ledger.check()).ok).toBe(true);
  await memory.undo(made[0]!.oid);
  expect(await memory.read('knowledge/entities/birch-hall.md')).not.toContain('12 tables');
});

// ── an assistant's 153 mornings ─────────────────────────────────────────────────────────────────────────────────────

const mornings = 153;

/** Something that is recorded at ten o'clock of a day; what it names is named by key, as ids are not known beforehand. */
interface Act {
  readonly day: number;
  readonly key: string;
  readonly kind: 'p0' | 'constraint' | 'account' | 'identity' | 'procedure' | 'figure' | 'rest' | 'promise';
  readonly event: Omit<EventInput, 'type'> & Required<Pick<EventInput, 'type'>>;
  readonly related?: readonly string[];
  readonly supersedes?: string;
  readonly closes?: string;
}

/** A promise from its first to its last day. */
interface Promised {
  readonly opened: number;
  readonly updated: number;
  readonly closed: number;
  /** As it is worded before and after the update, and until when it is due. */
  readonly words: readonly [string, string];
  readonly due: readonly [number, number];
  readonly isWaiting: boolean;
  readonly priority: 'P1' | 'P2';
}

/** Two that cannot both hold, from when to when nobody has said which does, and how it is told and solved. */
interface Rivals {
  readonly from: number;
  readonly to: number;
  readonly sides: readonly [string, string];
  readonly by: 'attribute' | 'relation' | 'event';
}

const day = (number: number): string => new Date(Date.UTC(2026, 0, 5 + number)).toISOString().slice(0, 10);
const two = (number: number): string => String(number).padStart(2, '0');

function lifeOfAnAssistant() {
  const draw = random(58);
  const acts: Act[] = [];
  const add = (kind: Act['kind'], from: number, key: string, event: Act['event'], more: Partial<Act> = {}) =>
    acts.push({ day: from, key, kind, event, ...more });
  const promises = Array.from({ length: 30 }, (_, at): Promised => {
    const opened = 4 * at + (at % 3);
    const updated = opened + 2 + draw(9);
    const words = `Bring ${makers[at % 5]} the linen samples of lot ${two(at)}`;
    const due = opened + 3 + draw(14);
    return {
      opened,
      updated,
      closed: updated + 2 + draw(14),
      words: [words, at % 4 === 1 ? `Send lot ${two(at)} of linen by the post to ${makers[at % 5]}` : words],
      due: [due, at % 4 === 0 ? due + 7 : due],
      isWaiting: at % 6 === 5,
      priority: at % 3 === 0 ? 'P1' : 'P2',
    };
  });
  for (const [at, { words, due, ...one }] of promises.entries()) {
    const [key, then] = [`promise ${at}`, `update ${at}`];
    const event = {
      type: 'commitment',
      priority: one.priority,
      ...(one.isWaiting ? { tags: ['waiting'] } : {}),
    } as const;
    add('promise', one.opened, key, { ...event, content: words[0], due: day(due[0]) });
    if (at % 4 === 1)
      add('promise', one.updated, then, { ...event, content: words[1], due: day(due[1]) }, { supersedes: key });
    else {
      const said = { ...event, content: `Half of ${two(at)} is cut`, ...(at % 4 === 0 ? { due: day(due[1]) } : {}) };
      add('promise', one.updated, then, said, { related: [key] });
    }
    const named = at % 4 === 1 || draw(2) === 0 ? then : key;
    const done = { type: 'commitment', content: `Was done with sample ${two(at)}` } as const;
    if (draw(2) === 0) add('promise', one.closed, `end ${at}`, done, { closes: named });
    else add('promise', one.closed, `end ${at}`, { ...done, status: 'closed' }, { related: [named] });
  }
  for (let week = 0; week < 21; week += 1) {
    const content = `Week ${two(week)}: ${40 + draw(60)} books for ${900 + draw(800)} euros`;
    add('figure', 7 * week, `figure ${week}`, { type: 'fact', priority: 'P2', entity: 'bindery', content });
  }
  const lasting = [
    ['p0', 'constraint', 'P0', 'Never give the keys of the yard to a courier', 0, []],
    ['p0', 'constraint', 'P0', 'Pay nothing above 400 euros without Odile', 3, []],
    ['p0', 'constraint', 'P0', 'Pay nothing above 250 euros without Odile', 70, [], 'Pay nothing above 400'],
    ['constraint', 'constraint', 'P1', 'The press must not run after nine at night', 4, []],
    ['constraint', 'constraint', 'P1', 'Leather comes from the tannery of Tomar alone', 9, []],
    ['constraint', 'constraint', 'P1', 'No order leaves without a second pair of eyes', 20, []],
    ['constraint', 'constraint', 'P1', 'The press may run until ten at night', 90, [], 'The press must not run'],
    ['account', 'fact', 'P1', 'Customer number at the paper mill: PM-4471', 2, ['account']],
    ['account', 'fact', 'P1', 'Sender number at the post: 88-120', 6, ['account']],
    ['account', 'fact', 'P1', 'Sender number at the post: 90-334', 60, ['account'], 'Sender number at the post: 88'],
    ['identity', 'fact', 'P1', 'Odile Brandt was born on the third of May 1971', 1, ['identity']],
    ['identity', 'fact', 'P1', 'Pavel Ruzek is the brother of Odile', 1, ['identity']],
    ['procedure', 'procedure', 'P1', 'Offers go out as a draft, and Odile sends them', 5, []],
    ['procedure', 'procedure', 'P1', 'Invoices are numbered by year and month', 30, []],
  ] as const;
  for (const [kind, type, priority, content, from, tags, former] of lasting) {
    const old = lasting.find(([, , , words]) => former !== undefined && words.startsWith(former))?.[3];
    add(kind, from, content, { type, priority, content, tags }, old === undefined ? {} : { supersedes: old });
  }
  const passing = [
    ['decision', 'P1', (n: number) => `Bind series ${two(n)} in cloth`],
    ['preference', 'P2', (n: number) => `Wants thread ${two(n)} for the spine`],
    ['fact', 'P3', (n: number) => `Courier ${two(n)} came late`],
  ] as const;
  for (let at = 0; at < 33; at += 1) {
    const [type, priority, say] = passing[at % 3]!;
    const more = at === 21 ? { supersedes: 'rest 18' } : {};
    add('rest', 2 + 4 * at, `rest ${at}`, { type, priority, content: say(at), entity: `shelf ${at % 7}` }, more);
  }
  const rivals: Rivals[] = [
    {
      from: 22,
      to: 37,
      by: 'attribute',
      sides: ['The press weighs 900 kilograms', 'The press weighs 1,400 kilograms'],
    },
    { from: 30, to: 58, by: 'event', sides: ['The fair of Braga is in June', 'The fair of Braga is in September'] },
    { from: 35, to: 120, by: 'relation', sides: ['Nadia eats no fish', 'Nadia loves the trout of Birch Hall'] },
  ];
  for (const [at, content] of rivals[1]!.sides.entries())
    add('rest', rivals[1]!.from, `side ${at}`, { type: 'decision', priority: 'P1', content, entity: 'braga' });
  const odds = {
    type: 'fact',
    content: 'Nobody knows the month of the fair',
    tags: ['conflict'],
    entity: 'braga',
  } as const;
  add('rest', rivals[1]!.from, 'odds', odds, { related: ['side 0', 'side 1'] });
  const settled = { type: 'decision', priority: 'P1', content: 'To Braga in October', entity: 'braga' } as const;
  add('rest', rivals[1]!.to, 'settled', settled, { supersedes: 'side 0' });
  add(
    'rest',
    rivals[1]!.to,
    'dropped',
    { ...settled, content: 'The former month was an error' },
    { supersedes: 'side 1' },
  );
  return { acts: acts.sort((a, b) => a.day - b.day), promises, rivals };
}

type Life = ReturnType<typeof lifeOfAnAssistant>;
type Section = PackResult['lines'][number]['section'];

/** What is said aloud and is no act: it stands as a question beside what it is about until somebody acts. */
const spoken = [
  {
    day: 17,
    words: 'Here are the linen samples of lot 03 that I owed Nadia Okoro.',
    about: 'promise 3',
    asked: 'done?',
  },
  {
    day: 80,
    words: 'The press now runs after nine at night on some days.',
    about: 'press',
    asked: 'replace it?',
  },
] as const;

/** What has to stand on a morning, and what must not: by the script alone, with the ages of a day that may be an earlier one. */
interface Listed {
  readonly must: readonly (readonly [Section, words: string])[];
  readonly never: readonly string[];
  /** In this order. */
  readonly focus: readonly string[];
  readonly conflicts: readonly Rivals[];
  readonly stale: readonly string[];
}

const wordsAt = ({ words, updated }: Promised, morning: number): string => words[updated < morning ? 1 : 0];
const dueAt = ({ due, updated }: Promised, morning: number): number => due[updated < morning ? 1 : 0];

function listOf({ acts, promises, rivals }: Life, morning: number, on = morning): Listed {
  const known = acts.filter((act) => act.day < morning);
  const gone = new Set(known.flatMap(({ supersedes }) => supersedes ?? []));
  const open = promises.filter(({ opened, closed }) => opened < morning && closed >= morning);
  const over = promises.filter(({ closed }) => closed < morning);
  const conflicts = rivals.filter(({ from, to }) => from < morning && to >= morning);
  const must: (readonly [Section, string])[] = open.map((one) => ['commitments', wordsAt(one, morning)]);
  for (const one of open) if (one.isWaiting) must.push(['waiting', wordsAt(one, morning)]);
  const never = over.flatMap(({ words }) => [...words]);
  for (const one of open) if (wordsAt(one, morning) !== one.words[0]) never.push(one.words[0]);
  const stale: string[] = [];
  for (const { key, kind, day: from, event, related } of known) {
    const { content, type } = event;
    const age = on - from;
    if (kind === 'promise') {
      if (key.startsWith('end') || over.some((one) => `promise ${promises.indexOf(one)}` === related?.[0]))
        never.push(content);
      continue;
    }
    const most = kind === 'figure' ? 60 : event.priority === 'P3' ? 30 : Number.POSITIVE_INFINITY;
    const isSolved = key === 'odds' && morning > rivals[1]!.to;
    if (gone.has(key) || age > most || isSolved) never.push(content);
    else if (kind === 'p0') must.push(['p0', content]);
    else if (kind === 'account') must.push(['accounts', content]);
    else if (kind === 'procedure') must.push(['procedures', content]);
    else if (kind === 'constraint' || kind === 'identity') must.push(['context', content]);
    else if (key !== 'odds' && age <= 7 && (kind === 'figure' || type === 'decision')) must.push(['context', content]);
    if (kind === 'figure' && age >= 30) stale.push(content);
  }
  for (const { to, sides, by } of rivals) if (to < morning) never.push(...(by === 'relation' ? sides.slice(1) : sides));
  for (const { day: said, about, words, asked } of spoken) {
    const until = about === 'press' ? 90 : promises[3]!.closed;
    if (said < on && until >= morning) must.push([about === 'press' ? 'context' : 'commitments', asked]);
    if (until < morning) never.push(words);
  }
  const focus = open
    .filter(({ isWaiting }) => !isWaiting)
    .sort(
      (a, b) =>
        dueAt(a, morning) - dueAt(b, morning) ||
        (a.priority < b.priority ? -1 : a.priority > b.priority ? 1 : a.opened - b.opened),
    )
    .slice(0, 5)
    .map((one) => wordsAt(one, morning));
  return { must, never, focus, conflicts, stale };
}

/** Says what of a page is not as listed. */
function untrue(text: string, { must, never, focus, conflicts, stale }: Listed): string[] {
  const parts = text.split(/^## /m).slice(1);
  const linesOf = (section: Section) =>
    parts[packSections.findIndex(({ name }) => name === section)]!.split('\n').filter((line) => line.startsWith('- '));
  const context = linesOf('context');
  const rival = context.filter((line) => line.includes('⚠️ CONFLICT'));
  const others = context.filter((line) => !rival.includes(line));
  const isTold = (sides: readonly string[], line: string) => sides.every((words) => line.includes(words));
  const said = linesOf('focus').filter((line) => line !== '- none');
  return [
    ...must.flatMap(([section, words]) =>
      linesOf(section).some((line) => line.includes(words)) ? [] : `${section} lacks ${words}`,
    ),
    ...never
      .filter((words) => text.includes(words))
      .map((words) => `it has ${words}: ${text.split('\n').find((line) => line.includes(words))}`),
    ...said.flatMap((line, at) => {
      const [, words = ''] = /^- \[P\d\] (.+) \(.+\) EVT-\d{8}-\d{3}$/.exec(line) ?? [];
      const of = focus[at] ?? 'nothing';
      const count = words.split(' ').length;
      return of.startsWith(words.replace(/ …$/, '')) && count >= 5 && count <= 8
        ? []
        : `focus ${at} should be of ${of}: ${line}`;
    }),
    ...(said.length === focus.length ? [] : [`focus has ${said.length} lines, not ${focus.length}`]),
    ...conflicts
      .filter(({ sides }) => !rival.some((line) => isTold(sides, line)))
      .map(({ sides }) => `no conflict of ${sides}`),
    ...(rival.length === conflicts.length ? [] : [`it has ${rival.length} conflicts, not ${conflicts.length}`]),
    ...others.filter((line) => stale.some((words) => line.includes(words)) && !line.includes('⚠️ STALE')),
    ...others.filter((line) => line.includes('⚠️ STALE') && !/Week|Courier|fair/.test(line)),
    ...(countWords(others.join(' ')) >= 0.6 * countWords(context.join(' ')) && others.length >= 0.6 * context.length
      ? []
      : [`of ${context.length} lines ${rival.length} are conflicts`]),
  ];
}

it('has a pack that is true on each of 153 mornings, by a list that was written beforehand', async () => {
  const life = lifeOfAnAssistant();
  const lists = Array.from({ length: mornings }, (_, morning) => listOf(life, morning));
  const { memory, clock, directory } = await newTestMemory();
  const ids = new Map<string, string>();
  const idOf = (key: string | undefined) => (key === undefined ? undefined : ids.get(key)!);
  const wrong: string[] = [];
  const overdue = new Map<string, number>();
  for (let morning = 0; morning < mornings; morning += 1) {
    clock.set(`${day(morning)}T03:30:00Z`);
    const { runs } = await memory.maintenance.runDue();
    wrong.push(...runs.flatMap(({ task, state, why }) => (state === 'failed' ? [`${task}: ${why}`] : [])));
    clock.set(`${day(morning)}T07:00:00Z`);
    const note = (where: string) => (what: string) => `${morning} ${where}: ${what}`;
    const { text } = await memory.pack();
    wrong.push(...untrue(text, lists[morning]!).map(note('pack')));
    const file = morning === 0 ? null : await memory.read('recall/pack.md');
    if (file !== null) {
      const on = Math.round((Date.parse(file.slice(16, 26)) - Date.parse(day(0))) / 86_400_000);
      wrong.push(...untrue(file, listOf(life, morning, on)).map(note(`file of ${on}`)));
    }
    const start = (await memory.sessionStart()).text;
    const untold = lists[morning]!.must.filter(([section, words]) => section === 'p0' && !start.includes(words));
    // What was said is quoted as it was, and what ended says so.
    const said = start
      .split('\n')
      .filter((line) => !/^(?:- \d{4}-\d\d-\d\d )?the user: | \(until \d{4}-/.test(line))
      .join('\n');
    wrong.push(...lists[morning]!.never.filter((words) => said.includes(words)).map(note('start has')));
    wrong.push(...untold.map(([, words]) => note('start lacks')(words)));
    for (const [, lot] of text.matchAll(/lot (\d\d).* ⚠️ overdue since/g))
      overdue.set(`${lot}`, (overdue.get(lot!) ?? 0) + 1);
    clock.set(`${day(morning)}T10:00:00Z`);
    for (const { key, event, ...named } of life.acts.filter((act) => act.day === morning)) {
      const names = {
        related: named.related?.map((one) => idOf(one)!),
        supersedes: idOf(named.supersedes),
        closes: idOf(named.closes),
      };
      ids.set(key, (await memory.ledger.add({ ...event, ...(defined(names) as object) })).id);
    }
    for (const one of spoken.filter((said) => said.day === morning)) {
      await memory.capture({ session: `said ${morning}`, messages: [{ role: 'user', text: one.words }] });
    }
    await meet(memory, life.rivals, morning, ids);
    // At once, before any night has brought pages in step.
    wrong.push(...untrue((await memory.pack()).text, listOf(life, morning + 1, morning)).map(note('evening')));
    await memory.maintenance.runDue();
  }
  expect(wrong).toEqual([]);
  expect([...overdue.values()].filter((times) => times > 2)).toEqual([]);
  clock.advance({ days: 40 });
  await memory.maintenance.runDue();
  const { events } = await memory.ledger.list({ archived: true, superseded: true });
  const own = events.filter(({ compacts, source }) => compacts === undefined && source !== 'upkeep');
  expect(own).toHaveLength(165);
  expect((await memory.ledger.loops()).loops).toEqual([]);
  expect((await memory.ledger.check()).ok).toBe(true);
  await memory.close();
  expect(fsck(directory)).toBe('');
}, 900_000);

/** Lets rivals come up and be solved, in the three ways there are. */
async function meet(
  memory: Memory,
  rivals: readonly Rivals[],
  morning: number,
  ids: Map<string, string>,
): Promise<void> {
  for (const { from, to, sides, by } of rivals) {
    const given = by === 'attribute' ? { subject: 'press', attribute: 'weight' } : {};
    if (morning === from && by !== 'event') {
      const [one, other] = [
        await memory.remember({ content: sides[0], ...given }),
        await memory.remember({
          content: sides[1],
          ...given,
          ...(by === 'attribute' ? { validFrom: '2026-01-02' } : {}),
        }),
      ];
      for (const [at, { id }] of [one, other].entries()) ids.set(`${by} ${at}`, id!);
      if (by === 'relation') await memory.records.relate(one.id!, other.id!, 'contradicts');
    } else if (morning === to && by === 'attribute') {
      const replaces = [ids.get('attribute 0')!, ids.get('attribute 1')!];
      await memory.remember({ content: 'The press weighs 1,150 kilograms by the scale', ...given, replaces });
    } else if (morning === to && by === 'relation') await memory.forget(ids.get('relation 1')!);
  }
}
it('leaves no commit for lists alone, which wait for something that is missed', async () => {
  const { memory, clock } = await newTestMemory();
  await memory.remember({ content: 'The hall is painted green', tags: ['hall'] });
  await memory.commit();
  await memory.maintenance.runDue();
  await memory.remember({ content: 'The doors are made of oak', tags: ['hall'] });
  await memory.commit();
  const { commit: tip } = await memory.at('HEAD');
  clock.advance({ days: 1 });
  const { runs } = await memory.maintenance.runDue();
  expect(runs.find(({ task }) => task === 'topics')).toMatchObject({ state: 'done', result: { commits: [] } });
  expect((await memory.at('HEAD')).commit).toBe(tip);
  await memory.ledger.add({ type: 'fact', priority: 'P1', entity: 'Birch Hall', content: 'The hall has 90 chairs' });
  clock.advance({ days: 1 });
  await memory.maintenance.runDue();
  expect((await memory.log({ limit: 1 })).commits[0]!.paths).toContain('state/topics.json');
});
