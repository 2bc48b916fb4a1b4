import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MemoryRecord, Transcript } from '../../../src/base/types/stored-types.ts';
import { joinTopics, topicOverlap, topicsOf } from '../../../src/core/extract/box-topics.ts';
import { type BoxChange, planBoxes, planIdleSeals, type StoredBox } from '../../../src/core/extract/boxes.ts';
import { mergeBox } from '../../../src/store/merge/merge-file.ts';
import { formatBox, parseBox } from '../../../src/store/records/box-file.ts';
import { defaultConfiguration } from '../../../src/store/records/configuration.ts';
import { newMemory } from '../../../src/store/records/memory-record.ts';

const settings = defaultConfiguration().boxes;
const start = Date.parse('2026-02-16T09:00:00Z');
const minute = 60_000;

interface Session {
  readonly path: string;
  readonly transcript: Transcript;
}

const session = (name: string, topic: string, at = start): Session => ({
  path: `raw/conversations/2026/02/16/0900-${name}-x.md`,
  transcript: { sessionId: name, started: at, title: topic, turns: [{ role: 'user', time: at, text: 'x' }] },
});

let count = 0;
const memory = (of: Session, minutes: number, content: string, entities: readonly string[] = []): MemoryRecord =>
  newMemory({
    id: `m${(count++).toString().padStart(4, '0')}`,
    content,
    now: start + minutes * minute,
    entities,
    category: 'fact',
    sources: [{ path: of.path, turn: 1, role: 'user' }],
  });

/** Applies plans one after the other, as commits would. */
class Store {
  readonly files = new Map<string, string>();
  add(of: Session, memories: readonly MemoryRecord[], own = settings): BoxChange[] {
    return this.apply(planBoxes(this.stored(), memories, of, own, 'UTC'));
  }
  idle(at: number): BoxChange[] {
    return this.apply(planIdleSeals(this.stored(), settings, 'UTC', at));
  }
  stored(): StoredBox[] {
    return [...this.files].map(([path, text]) => ({ path, oid: text, record: parseBox(text, path) }));
  }
  boxes() {
    return this.stored()
      .map(({ record }) => record)
      .sort((a, b) => a.started - b.started || (a.id < b.id ? -1 : 1));
  }
  private apply(changes: BoxChange[]): BoxChange[] {
    for (const { path, before, box } of changes) {
      expect(before).toBe(this.files.get(path) ?? null);
      this.files.set(path, formatBox(box));
    }
    return changes;
  }
}

describe('memories of an extraction', () => {
  it('go into a box that is open, and into the same one while the talk is about the same', () => {
    const store = new Store();
    const talk = session('s1', 'Billing with Postgres');
    store.add(talk, [memory(talk, 0, 'We use Postgres for billing.', ['Postgres'])]);
    store.add(talk, [memory(talk, 10, 'Postgres runs on port 5432.', ['Postgres'])]);
    const boxes = store.boxes();
    expect(boxes).toMatchObject([{ status: 'open', started: start }]);
    expect(boxes[0]!.memories).toHaveLength(2);
    expect(boxes[0]!.topics[0]).toBe('postgres');
    expect(store.stored()[0]!.path).toBe(`boxes/2026-02-16/box-${boxes[0]!.id}.md`);
  });

  it('go into the box of another conversation that is about the same at that time', () => {
    const store = new Store();
    const [one, other] = [session('s1', 'Billing'), session('s2', 'Billing')];
    store.add(one, [memory(one, 0, 'Invoices leave on Mondays.')]);
    store.add(other, [memory(other, 5, 'Dunning begins after ten days.')]);
    expect(store.boxes()).toHaveLength(1);
  });

  it('seal the box when the talk turns to something else, and leave boxes of other conversations open', () => {
    const store = new Store();
    const [one, other] = [session('s1', 'Billing'), session('s2', 'Gardening')];
    store.add(one, [memory(one, 0, 'x y', ['Postgres', 'Stripe', 'Invoice'])]);
    store.add(other, [memory(other, 1, 'x y', ['Roses'])]);
    const shifted = { ...one, transcript: { ...one.transcript, topic: 'Holidays', title: 'Holidays' } };
    store.add(shifted, [memory(one, 8, 'x y', ['Lisbon', 'Anna'])]);
    expect(store.boxes().map(({ status, reason, topics }) => [status, reason, topics[0]])).toEqual([
      ['sealed', 'topic', 'postgres'],
      ['open', undefined, 'roses'],
      ['open', undefined, 'holidays'],
    ]);
  });

  it('seal boxes after a silence of more than thirty minutes, whatever they are about', () => {
    const store = new Store();
    const talk = session('s1', 'Billing');
    store.add(talk, [memory(talk, 0, 'One about Stripe.', ['Stripe'])]);
    store.add(talk, [memory(talk, 30, 'Two about Stripe.', ['Stripe'])]);
    store.add(talk, [memory(talk, 60.5, 'Three about Stripe.', ['Stripe'])]);
    expect(
      store.boxes().map(({ status, reason, sealed, memories }) => [status, reason, sealed, memories.length]),
    ).toEqual([
      ['sealed', 'pause', start + 60 * minute, 2],
      ['open', undefined, undefined, 1],
    ]);
    expect(store.idle(start + 90 * minute)).toEqual([]);
    expect(store.idle(start + 91 * minute)).toMatchObject([{ box: { status: 'sealed', reason: 'pause' } }]);
    expect(store.idle(start + 99 * minute)).toEqual([]);
  });

  it('fill a box up to fifty, and then the next', () => {
    const store = new Store();
    const talk = session('s1', 'Billing');
    store.add(
      talk,
      Array.from({ length: 120 }, (_, at) => memory(talk, at / 10, `Number ${at} of Stripe.`, ['Stripe'])),
    );
    expect(store.boxes().map(({ reason, memories }) => [reason, memories.length])).toEqual([
      ['full', 50],
      ['full', 50],
      [undefined, 20],
    ]);
  });

  it('get a trace that the boxes of a subject share when it comes back, and others do not', () => {
    const store = new Store();
    const days = [
      [0, 'Billing with Stripe', 'Stripe'],
      [1, 'The garden', 'Roses'],
      [2, 'More about billing', 'Stripe'],
      [50, 'Billing, again', 'Stripe'],
    ] as const;
    for (const [day, topic, name] of days) {
      const talk = session(`d${day}`, topic);
      store.add(talk, [memory(talk, day * 1440, `About ${name}.`, [name])]);
    }
    store.idle(start + 60 * 1440 * minute);
    const traces = store.boxes().map(({ traceId }) => traceId);
    expect(traces[0]).toMatch(/^[0-9a-f]{16}$/);
    expect(traces[2]).toBe(traces[0]);
    expect(new Set(traces).size).toBe(3);
  });

  it('that stand in a box are not put into another one', () => {
    const store = new Store();
    const talk = session('s1', 'Billing');
    const all = [memory(talk, 0, 'One.'), memory(talk, 50, 'Two.')];
    store.add(talk, all);
    const before = new Map(store.files);
    expect(store.add(talk, all)).toEqual([]);
    expect(store.files).toEqual(before);
  });

  it('go nowhere when boxes are off', () => {
    const talk = session('s1', 'Billing');
    expect(planBoxes([], [memory(talk, 0, 'One.')], talk, { ...settings, enabled: false }, 'UTC')).toEqual([]);
  });
});

describe('boxes', () => {
  const names = ['Stripe', 'Postgres', 'Roses', 'Lisbon', 'Anna', 'Redis'];
  const anyExtractions = fc.array(
    fc.record({
      day: fc.nat({ max: 3 }),
      minute: fc.nat({ max: 300 }),
      session: fc.nat({ max: 3 }),
      about: fc.subarray(names, { minLength: 1, maxLength: 3 }),
      size: fc.integer({ min: 1, max: 9 }),
      step: fc.nat({ max: 40 }),
    }),
    { minLength: 1, maxLength: 40 },
  );
  const small = { ...settings, most: 7 };

  it('hold each memory once, in any order of extractions, and never more than they may', () => {
    fc.assert(
      fc.property(anyExtractions, (extractions) => {
        const store = new Store();
        const all: string[] = [];
        for (const { day, minute: at, session: number, about, size, step } of extractions) {
          const talk = session(`s${number}`, about.join(' '));
          const made = Array.from({ length: size }, (_, index) =>
            memory(talk, day * 1440 + at + index * step, `About ${about.join(' and ')}, ${index}.`, about),
          );
          all.push(...made.map(({ id }) => id));
          store.add(talk, made, small);
        }
        const boxes = store.boxes();
        expect(boxes.flatMap(({ memories }) => memories.map(({ id }) => id)).sort()).toEqual(all.sort());
        expect(new Set(boxes.map(({ id }) => id)).size).toBe(boxes.length);
        for (const { status, sealed, reason, traceId, memories, topics } of boxes) {
          expect(memories.length).toBeLessThanOrEqual(small.most);
          expect(topics.length).toBeLessThanOrEqual(12);
          expect([sealed, reason, traceId].every((part) => (part !== undefined) === (status === 'sealed'))).toBe(true);
          for (const [at, { time }] of memories.entries()) {
            // Within one box nobody was silent for longer, whatever came late.
            if (at > 0) expect(time - memories[at - 1]!.time).toBeLessThanOrEqual(30 * minute * 1000);
          }
        }
        store.idle(start + 99 * 1440 * minute);
        expect(store.boxes().every(({ status }) => status === 'sealed')).toBe(true);
      }),
      { numRuns: 25 },
    );
  });

  it('are the same when the same extractions run again, and 200 of them make no more than they need', () => {
    const run = () => {
      count = 0;
      const store = new Store();
      for (let at = 0; at < 200; at++) {
        const name = names[Math.floor(at / 5) % names.length]!;
        const talk = session(`s${Math.floor(at / 5)}`, `Talk of ${name}`);
        store.add(talk, [
          memory(talk, at * 12, `About ${name}, ${at}.`, [name]),
          memory(talk, at * 12 + 1, `More of ${name}.`, [name]),
        ]);
      }
      store.idle(start + 99 * 1440 * minute);
      return store;
    };
    const [one, other] = [run(), run()];
    expect(one.files).toEqual(other.files);
    const boxes = one.boxes();
    expect(boxes).toHaveLength(40);
    expect(boxes.every(({ memories }) => memories.length === 10)).toBe(true);
    expect(new Set(boxes.map(({ traceId }) => traceId)).size).toBe(names.length);
  });

  it('merge whatever two machines did, in either order, and give back what is undone', () => {
    fc.assert(
      fc.property(anyExtractions, fc.nat(), (extractions, cut) => {
        const make = (store: Store, list: typeof extractions) => {
          for (const { day, minute: at, session: number, about, size } of list) {
            const talk = session(`s${number}`, about.join(' '));
            store.add(
              talk,
              Array.from({ length: size }, () => memory(talk, day * 1440 + at, `Of ${about[0]}.`, about)),
              small,
            );
          }
          return store;
        };
        const middle = cut % extractions.length;
        const base = make(new Store(), extractions.slice(0, middle));
        const [mine, other] = [extractions.slice(middle), extractions.slice(middle).reverse()].map((list) => {
          const store = new Store();
          for (const [path, text] of base.files) store.files.set(path, text);
          return make(store, list);
        }) as [Store, Store];
        const paths = new Set([...base.files.keys(), ...mine.files.keys(), ...other.files.keys()]);
        for (const path of paths) {
          const [before, ours, theirs] = [base, mine, other].map((store) => store.files.get(path) ?? null) as [
            string | null,
            string | null,
            string | null,
          ];
          const merged = mergeBox([before, ours, theirs], path)!;
          expect(merged.conflicts).toEqual([]);
          expect(mergeBox([before, theirs, ours], path)).toEqual(merged);
          const ids = (text: string | null) => (text === null ? [] : parseBox(text, path).memories.map(({ id }) => id));
          expect(ids(merged.merged).sort()).toEqual([...new Set([...ids(ours), ...ids(theirs)])].sort());
          // Undo: what ours brought is taken out of the merged box again.
          const undone = mergeBox([ours, merged.merged, before], path)!;
          expect(undone.conflicts).toEqual([]);
          expect(ids(undone.merged).sort()).toEqual([...new Set([...ids(before), ...ids(theirs)])].sort());
        }
      }),
      { numRuns: 25 },
    );
  });
});

describe('topics', () => {
  it('are names, tags, words that come again and the title, and not who speaks or what kind of thing it is', () => {
    const talk = session('s1', 'Invoices of May');
    const transcript = { ...talk.transcript, turns: [{ role: 'user', speaker: 'Jo', time: start, text: 'x' }] };
    const made = [
      { ...memory(talk, 0, 'Reminders go to Stripe by mail.', ['Stripe', 'Jo']), tags: [] },
      memory(talk, 1, 'The reminder has a link.', []),
    ].map((one) => ({ ...one, meta: { ...one.meta, tags: ['P1', 'decision', 'dunning'] } }));
    expect(topicsOf(made, transcript, 12)).toEqual(['dunning', 'stripe', 'reminders', 'invoices', 'may']);
    expect(topicsOf(made, transcript, 2)).toEqual(['dunning', 'stripe']);
    // Every daily note is called that way, and a conversation about notes is not.
    const titled = (title: string) => topicsOf(made.slice(1), { turns: [], title }, 12);
    expect(titled('Note of 2026-02-16')).toEqual(['dunning']);
    expect(titled('Note of Ada')).toEqual(['dunning', 'note', 'ada']);
  });

  it('overlap by what the shorter list has, its first topics before all', () => {
    expect(topicOverlap(['Deployments', 'redis'], ['deployment'])).toBe(1);
    expect(topicOverlap(['a1', 'b1', 'c1'], ['c1', 'd1'])).toBeCloseTo(2 / 3);
    expect(topicOverlap(['a1', 'b1', 'c1'], ['d1', 'c1'])).toBeCloseTo(1 / 3);
    expect(topicOverlap(['a1', 'b1'], ['b1', 'c1'])).toBe(topicOverlap(['b1', 'c1'], ['a1', 'b1']));
    expect(topicOverlap([], ['a1'])).toBe(0);
    expect(joinTopics(['a1', 'b1', 'c1'], ['c1', 'd1'], 3)).toEqual(['c1', 'a1', 'b1']);
  });
});
