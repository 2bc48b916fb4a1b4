// Every verb of a memory answers arguments of the wrong kind with a MemoryError or an answer, never with another error.

import { expect, it } from 'vitest';
import { MemoryError } from '../../src/errors.ts';
import type { Memory } from '../../src/memory/open-memory.ts';
import { newTestMemory } from '../helpers/memories.ts';

type Verb = (...given: unknown[]) => unknown;

/** Lists the verbs of a memory by their names; those of a family are `family.verb`. */
function verbsOf(members: object, family = ''): [string, Verb][] {
  return Object.entries(members).flatMap(([name, member]: [string, unknown]): [string, Verb][] => {
    const isPlain = Object.getPrototypeOf(Object(member)) === Object.prototype;
    const isFamily = isPlain || (typeof member === 'function' && Object.keys(member).length > 0);
    if (isFamily) return family === '' ? verbsOf(member as object, `${name}.`) : [];
    return typeof member === 'function' ? [[`${family}${name}`, member as Verb]] : [];
  });
}

/** What takes no arguments, and goes on or ends the memory. */
const without = new Set(['close', 'dispose', 'maintenance.start']);

/** What takes no arguments, and acts whatever it is given. */
const acts = new Set(['git.trackWithLfs']);

const cycle: Record<string, unknown> = { content: 'x', text: 'x' };
cycle.self = { deeper: [cycle] };
let deep: object = {};
for (let level = 0; level < 50_000; level += 1) deep = { deep };

const wrong: [string, unknown][] = [
  ['null', null],
  ['a number', 5],
  ['a function', () => 1],
  ['a cycle', cycle],
  ['a deep object', deep],
  ['fields of wrong kinds', { ids: 'x', paths: 5, session: 5 }],
  ['a signal that is none', { signal: {} }],
  ['a progress that is no function', { onProgress: 'x' }],
];

async function thrownBy(call: () => unknown): Promise<unknown> {
  try {
    const answer = Object((await call()) ?? {}) as { stop?: () => void; dispose?: () => void };
    answer.stop?.();
    answer.dispose?.();
    return undefined;
  } catch (error) {
    return error;
  }
}

const { memory } = await newTestMemory();
const verbs = verbsOf(memory).filter(([name]) => !without.has(name));

it('walks the families of a memory', () => {
  expect(verbs.map(([name]) => name)).toEqual(expect.arrayContaining(['remember', 'ledger.add', 'branches.open']));
});

it.each(wrong)('each verb answers %s as its argument, and commits nothing', { timeout: 120_000 }, async (_, value) => {
  const complaints: string[] = [];
  for (const [name, verb] of verbs) {
    const before = memory.tip;
    for (const given of [[value], ['x', value]]) {
      const error = await thrownBy(() => verb(...given));
      if (error !== undefined && !(error instanceof MemoryError)) complaints.push(`${name}/${given.length}: ${error}`);
      const mayCommit = given.length > 1 || acts.has(name);
      if (!mayCommit && memory.tip !== before) complaints.push(`${name} has committed`);
    }
  }
  expect(complaints).toEqual([]);
});

const calls: [string, string, (memory: Memory) => unknown][] = [
  ['branches.open()', 'name', (m) => m.branches.open(undefined as never)],
  ['branches.drop(5)', 'name', (m) => m.branches.drop(5 as never)],
  ['captureText()', 'sources', (m) => m.captureText(undefined as never)],
  ['commit(5)', 'message', (m) => m.commit(5 as never)],
  ['commit(null)', 'message', (m) => m.commit(null as never)],
  ['files(5)', 'prefix', (m) => m.files(5 as never)],
  ['config(5)', 'name', (m) => m.config(5 as never)],
  ['git.checkStaged(5)', 'indexFile', (m) => m.git.checkStaged(5 as never)],
  ['knowledge.bundle(-1)', 'name', (m) => m.knowledge.bundle(-1 as never)],
  ['keys.new with paths that are none', 'paths', (m) => m.keys.new({ paths: 5 as never })],
  ['startSession with a session that is none', 'session', (m) => m.startSession({ session: 5 as never })],
  ['knowledge.promote with ids that are none', 'ids', (m) => m.knowledge.promote({ ids: 'x' as never })],
  ['knowledge.distil with ids that are none', 'ids', (m) => m.knowledge.distil({ ids: 'x' as never })],
  ['records.gist with ids that are none', 'ids', (m) => m.records.gist({ ids: 'x' as never })],
  ['records.consolidate with ids that are none', 'ids', (m) => m.records.consolidate({ ids: [5] as never })],
  ['remember of a cycle', 'content', (m) => m.remember(cycle as never)],
  ['extract with a signal that is none', 'signal', (m) => m.extract({ signal: 'stop' as never })],
  ['a night with a progress that is none', 'onProgress', (m) => m.maintenance.night({ onProgress: 5 as never })],
  ['upkeep without a signal', 'signal', (m) => m.maintenance.runUntilStopped({} as never)],
  ['a watch without a function', 'onChange', (m) => m.watch(undefined as never)],
  ['recall with null', 'argument 2', (m) => m.recall('x', null as never)],
];

it.each(calls)('%s names the argument', async (_, where, call) => {
  expect(await thrownBy(() => call(memory))).toMatchObject({ code: 'INVALID_ARGUMENT', where });
});
