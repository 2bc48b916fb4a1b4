// SIMULATOR_SEEDS=n runs more of them, SIMULATOR_FROM=n begins with that seed.

import { describe, expect, test } from 'vitest';
import { memoryPath } from '../../src/store/records/memory-record.ts';
import { random } from '../helpers/random.ts';
import { type Fact, Replica, World } from './replicas.ts';

const seeds = Number(process.env.SIMULATOR_SEEDS ?? 20);
const from = Number(process.env.SIMULATOR_FROM ?? 1);

/** Lets three copies live apart and meet now and then, then meet until all are one; gives what must not be lost and is. */
function simulate(seed: number): { lost: string[]; trees: number; undos: number } {
  const next = random(seed);
  const world = new World();
  const root = world.commit(
    [],
    new Map([
      ['memory.yaml', ''],
      ['knowledge/list.md', '# List\n\n'],
    ]),
  );
  const replicas = ['a', 'b', 'c'].map((name) => new Replica(name, world, root, next));
  const any = () => replicas[next(3)]!;
  let undos = 0;
  for (let step = 0; step < 90; step += 1) {
    const replica = any();
    const choice = next(10);
    if (choice < 7) replica.act();
    else if (choice < 8) undos += replica.undo() ? 1 : 0;
    else {
      const other = any();
      if (other !== replica) replica.merge(other);
    }
  }
  // Everybody meets everybody, in any order: two rounds bring all there is to all.
  for (let round = 0; round < 2; round += 1) {
    for (const left of replicas) for (const right of replicas) if (left !== right) left.merge(right);
  }
  const [one] = replicas;
  const trees = new Set(replicas.map(({ tree }) => tree)).size;
  return { lost: lostIn(world, one!), trees, undos };
}

/**
 * How often a memory was touched, with the touches that passed on to it: those of what it was made of, by whoever did not know of that
 * yet. They need not, where an undo had a hand in it or others removed or consolidated the same.
 */
function touchesOf(world: World, id: string): { least: number; most: number } {
  const facts = (of: string) => world.facts.filter((fact) => fact.id === of);
  const count = { least: 0, most: 0 };
  for (const { kind } of facts(id)) if (kind === 'touch') for (const key of ['least', 'most'] as const) count[key] += 1;
  for (const { id: source, commit } of world.facts.filter(({ kind, heir }) => kind === 'consolidate' && heir === id)) {
    const known = world.closure(commit);
    const own = facts(source);
    const late = own.filter(({ kind, commit: at }) => kind === 'touch' && !known.has(at)).length;
    const isPlain = own.filter(({ kind }) => kind === 'remove').length === 1;
    const isUndone = own.some((fact) => world.undone.has(fact.commit));
    const more = touchesOf(world, source);
    const inherited = more.most - own.filter(({ kind }) => kind === 'touch').length;
    count.most += late + inherited;
    if (isPlain) count.least += late;
    // Taking back a touch of a source takes it from the heir, which here never had it.
    if (isUndone || more.least < 0) count.least = Number.NEGATIVE_INFINITY;
  }
  return count;
}

/** Whether a merge named a dispute about a memory, or about one that it was made of. */
function isNamed(world: World, id: string): boolean {
  const sources = world.facts.filter(({ kind, heir }) => kind === 'consolidate' && heir === id);
  return world.conflicts.has(memoryPath(id)) || sources.some((fact) => isNamed(world, fact.id));
}

function lostIn(world: World, replica: Replica): string[] {
  const lost: string[] = [];
  const of = (id: string, kind: Fact['kind']) => world.facts.filter((fact) => fact.id === id && fact.kind === kind);
  const isStanding = (fact: Fact) => !world.undone.has(fact.commit);
  for (const { id } of world.facts.filter((fact) => fact.kind === 'add' && isStanding(fact))) {
    const mentions = world.facts.filter((fact) => fact.id === id);
    if (of(id, 'remove').length > 0) continue;
    const record = replica.memory(id);
    if (record === null) {
      lost.push(`memory ${id}`);
      continue;
    }
    // Where an undo had a hand in it, what stands can be any of what was said.
    if (!mentions.every(isStanding)) continue;
    const touches = touchesOf(world, id);
    const isRight = record.useCount >= touches.least && record.useCount <= touches.most;
    if (!isRight)
      lost.push(`${id} was touched ${touches.least} to ${touches.most} times and counts ${record.useCount}`);
    const kept = [record.content, ...(record.alternatives ?? []).map(({ value }) => value)];
    const edits = of(id, 'edit');
    for (const { text } of [...of(id, 'add'), ...edits]) {
      const isReplaced = edits.some(({ before }) => before === text);
      if (!isReplaced && !kept.includes(text)) lost.push(`${id}: ${text} (kept are ${kept.join(', ')})`);
    }
    for (const { text } of of(id, 'tag')) if (!record.meta.tags.includes(text!)) lost.push(`${id}: tag ${text}`);
    if (kept.length > 1 && !isNamed(world, id)) lost.push(`${id}: a dispute that nobody named`);
  }
  const items = replica.items();
  for (const { id } of world.facts.filter((fact) => fact.kind === 'item' && isStanding(fact))) {
    const isDropped = of(id, 'drop item').length > 0;
    if (!isDropped && !items.includes(id)) lost.push(`item ${id}`);
    if (items.filter((item) => item === id).length > 1) lost.push(`item ${id} stands twice`);
  }
  return lost;
}

describe('three copies of a memory', () => {
  test('that were changed, undone and merged in any order become one, and nothing is lost', () => {
    let undos = 0;
    for (let seed = from; seed < from + seeds; seed += 1) {
      const outcome = simulate(seed);
      expect([seed, outcome.trees, outcome.lost]).toEqual([seed, 1, []]);
      undos += outcome.undos;
    }
    expect(undos).toBeGreaterThan(seeds);
  }, 600_000);
});
