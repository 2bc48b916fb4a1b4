// Each call of the library takes what its type says: nothing else comes in, and what is refused has written nothing.

import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { MemoryError } from '../../src/base/errors.ts';
import type { KeyStore } from '../../src/base/ports.ts';
import { checkArguments } from '../../src/memory/arguments.ts';
import { doctor } from '../../src/memory/doctor-questions.ts';
import { openMemory } from '../../src/memory/open-memory.ts';
import { newTestMemory } from '../helpers/memories.ts';
import {
  alternativesOf,
  type Call,
  callsOf,
  fieldsOf,
  leastFor,
  methodsOf,
  sampleOf,
  takenBy,
  wrongFor,
} from './calls.ts';
import { contentOf } from './worlds.ts';

const keys: KeyStore = { place: '/elsewhere/keys', read: () => [], add: () => undefined };
const { memory, directory } = await newTestMemory({ keys });
await memory.write('knowledge/projects/a.md', '- The tea is green.\n');
await memory.commit();
const view = await memory.at('HEAD');
const part = await memory.scoped('knowledge/projects');
const session = await memory.startSession({ topic: 'tea' });

/** What the engine itself asks a session. */
const hidden = ['begin', 'onEnd', 'changed', 'acted', 'actsOn', 'say', 'filter', 'closed', 'record', 'inOrder'];
const open = [
  ['openMemory', openMemory as Call],
  ['doctor', doctor as Call],
] as const;
const held: readonly (readonly [holder: string, calls: readonly (readonly [string, Call])[]])[] = [
  ['a view', callsOf(view)],
  ['a part', callsOf(part)],
  ['a memory', callsOf(memory)],
  ['a session', methodsOf(session, hidden, 'session.')],
  ['the library', open],
];
/** They end whatever they are given. */
const ends = ['close', 'dispose'];
const calls = new Map(held.flatMap(([, all]) => all).filter(([name]) => !ends.includes(name)));

afterAll(() => {
  part.dispose();
  memory.dispose();
});

async function thrownBy(call: Call, given: readonly unknown[]): Promise<unknown> {
  try {
    const answer = Object((await call(...given)) ?? {}) as { stop?: () => void; dispose?: () => void };
    answer.stop?.();
    answer.dispose?.();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** What is not INVALID_ARGUMENT that names a field, for the list of complaints. */
const unlike = (error: unknown, where: string): boolean =>
  !(error instanceof MemoryError && error.code === 'INVALID_ARGUMENT' && `${error.where}`.includes(where));

it.each(held)('each call of %s has a type by which it is checked', (_, all) => {
  expect(all.length).toBeGreaterThan(1);
  expect(all.map(([name]) => name).filter((name) => takenBy[name] === undefined)).toEqual([]);
});

it('no type is checked that belongs to no call', () => {
  expect(Object.keys(takenBy).filter((name) => !calls.has(name) && !ends.includes(name))).toEqual([]);
});

/** Each set of fields that calls take, with what makes a whole call of a value of it. */
const options = [...calls.keys()].flatMap((name) =>
  takenBy[name]!.flatMap(([, shape], at) =>
    alternativesOf(shape).flatMap((one) => {
      const fields = fieldsOf(one);
      const given = (value: unknown) => {
        const all = takenBy[name]!.slice(0, at).map(([, other]) => sampleOf(other));
        return [...all, value, ...leastFor(name).slice(at + 1)];
      };
      return fields === undefined ? [] : [{ name, fields, least: sampleOf(one) as object, given }];
    }),
  ),
);

it('an unknown option is refused by its name, with the name that was meant', async () => {
  const before = contentOf(directory);
  const complaints: string[] = [];
  for (const { name, fields, least, given } of options) {
    for (const [field] of fields) {
      const wrong = `${field}s_`;
      const error = await thrownBy(calls.get(name)!, given({ ...least, [wrong]: 'x' }));
      const isTold = error instanceof MemoryError && /Did you mean \w+\?/.test(error.hint ?? '');
      if (unlike(error, wrong) || !isTold) complaints.push(`${name} ${wrong}: ${error}`);
    }
  }
  expect(complaints).toEqual([]);
  expect(contentOf(directory)).toBe(before);
});

it('an option of another kind is refused by its name', async () => {
  const before = contentOf(directory);
  const complaints: string[] = [];
  for (const { name, fields, least, given } of options) {
    for (const [field, , shape] of fields) {
      for (const wrong of wrongFor(shape)) {
        const error = await thrownBy(calls.get(name)!, given({ ...least, [field]: wrong }));
        if (unlike(error, field)) complaints.push(`${name} ${field} ${String(wrong)}: ${error}`);
      }
    }
  }
  expect(complaints).toEqual([]);
  expect(contentOf(directory)).toBe(before);
});

it('an argument of another kind, one too many and one too few are refused', async () => {
  const before = contentOf(directory);
  const complaints: string[] = [];
  for (const [name, call] of calls) {
    const taken = takenBy[name]!;
    for (const [at, [said, shape]] of taken.entries()) {
      const ahead = taken.slice(0, at).map(([, one]) => sampleOf(one));
      for (const wrong of wrongFor(shape)) {
        const error = await thrownBy(call, [...ahead, wrong]);
        if (unlike(error, said.replace('?', ''))) complaints.push(`${name} ${said} ${String(wrong)}: ${error}`);
      }
      if (said.endsWith('?')) continue;
      const error = await thrownBy(call, ahead);
      if (unlike(error, said)) complaints.push(`${name} without ${said}: ${error}`);
    }
    const most = [...taken.map(([, shape]) => sampleOf(shape)), 'x'];
    const error = await thrownBy(call, most);
    if (unlike(error, `argument ${most.length}`)) complaints.push(`${name} with more: ${error}`);
  }
  expect(complaints).toEqual([]);
  expect(contentOf(directory)).toBe(before);
});

it('each option that is documented is taken', () => {
  for (const [name] of calls) {
    for (const isWhole of [false, true])
      checkArguments(
        name,
        takenBy[name]!.map(([, shape]) => sampleOf(shape, isWhole)),
      );
  }
  for (const { name, fields, least, given } of options) {
    for (const [field, , shape] of fields) {
      for (const one of alternativesOf(shape)) checkArguments(name, given({ ...least, [field]: sampleOf(one, true) }));
    }
  }
});

const misnamed: readonly [string, readonly unknown[], string, string][] = [
  ['context', ['hello', { other: true }], 'other', 'others'],
  ['keys.new', [{ path: ['notes/**'] }], 'path', 'paths'],
  ['openMemory', [{ directory: '/nowhere' }], 'directory', 'dir'],
  ['recall', ['tea', { maxLimit: 3 }], 'maxLimit', 'limit'],
  ['capture', [{ messages: [{ role: 'user', text: 'Hello', speakers: 'Ada' }] }], 'messages.0.speakers', 'speaker'],
  ['rememberAll', [[{ content: 'x', tag: ['a'] }]], 'claims.0.tag', 'tags'],
];

it.each(misnamed)('%s of %j names %s and means %s', async (name, given, where, meant) => {
  const error = await thrownBy(calls.get(name)!, given);
  expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', where, hint: expect.stringContaining(`mean ${meant}?`) });
});

const cycle: Record<string, unknown> = { name: 'x' };
cycle.self = { deeper: [cycle] };
let deep: object = {};
for (let level = 0; level < 50_000; level += 1) deep = { deep };

it.each([
  ['holds itself', cycle],
  ['nests above 100 levels', deep],
])('a value that %s is refused where anything may stand', async (said, value) => {
  for (const [name, given] of [
    ['configure', [value]],
    ['records.relate', ['a', 'b', 'supports', { metadata: { x: value } }]],
    ['experiments.run', ['x', { config: value }]],
  ] as const)
    expect(await thrownBy(calls.get(name)!, given)).toMatchObject({
      code: 'INVALID_ARGUMENT',
      what: expect.stringContaining(said),
    });
});

const refused: readonly [string, readonly unknown[], RegExp][] = [
  ['recall', ['tea', { mode: 'lexicl' }], /mode is hybrid, lexical or vector, not "lexicl".*Did you mean lexical\?/],
  ['recall', ['tea', null], /recall takes an object as its second argument, not null.*Leave it out/],
  ['recall', ['tea', { limit: Number.NaN }], /limit is a number, not NaN/],
  ['get', [Promise.resolve('x')], /get takes a text as its first argument, not a promise that nobody waited for/],
  ['purge', [{ text: 'x', id: 'y' }], /purge takes no id beside text/],
  ['topics.turn', [{ type: 'webhok' }], /type is webhook or cron, not "webhok".*Did you mean webhook\?/],
  ['watch', [5], /watch takes a function as its first argument, not a number/],
  ['status', [{ verbose: true }], /status takes no arguments/],
];

it.each(refused)('%s of %j is answered in words', async (name, given, message) => {
  expect(await thrownBy(calls.get(name)!, given)).toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: expect.stringMatching(message),
  });
});

it('no secret is quoted that stands where a word or a name should be', async () => {
  const secret = `ghp_${'a1B2c3D4e5F6g7H8i9'.repeat(2)}`;
  for (const options of [{ mode: secret }, { [secret]: 1 }])
    expect(String(await thrownBy(memory.recall as Call, ['tea', options]))).not.toContain(secret);
});

it('what was answered may be handed back as it came', async () => {
  await memory.remember({ content: 'Ada likes tea', id: 'tea0000001' });
  const { hits } = await memory.recall('tea');
  await memory.handed.noteShown(hits);
  await memory.knowledge.changeEntities({
    create: [{ name: 'Ada', entityType: 'person', observations: ['likes tea'] }],
  });
  const { entities, relations } = await memory.knowledge.entities();
  await memory.knowledge.changeEntities({ create: entities, relate: relations });
  const { active } = await memory.topics.test('tea');
  await memory.context('tea', { activeTopics: active });
});

it('former names are checked by the type of the present one, and a former option still answers', async () => {
  // biome-ignore lint/suspicious/noExplicitAny: these names are in no type.
  const former = memory as any;
  expect(await thrownBy(former.event, [{ type: 'fact', content: 'x', tag: [] }])).toMatchObject({ where: 'tag' });
  await memory.write('knowledge/memory/MEMORY.md', '- The owner likes rain.\n');
  const texts = [];
  for (const options of [{ main: false }, { others: true }, { main: true }, {}])
    texts.push((await former.context('rain', { ...options, counts: false })).text);
  expect(texts[0]).toBe(texts[1]);
  expect(texts[2]).toBe(texts[3]);
  expect(texts[0]).not.toBe(texts[2]);
  expect(await thrownBy(former.sessionStart, [{ main: 'no' }])).toMatchObject({ where: 'main' });
});

it('objects of other realms and of classes are read like ours', async () => {
  const { runInNewContext } = await import('node:vm');
  const given = runInNewContext('({ limit: 3, paths: ["knowledge/**"], review: 0.5 })') as object;
  class Options {
    limit = 3;
  }
  for (const one of [given, new Options(), Object.assign(Object.create(null), { limit: 3 })])
    expect(await thrownBy(memory.recall as Call, ['tea', one])).toBeUndefined();
  const hostile = {
    get limit() {
      throw new Error('no');
    },
  };
  expect(await thrownBy(memory.recall as Call, ['tea', hostile])).toMatchObject({ code: 'INVALID_ARGUMENT' });
});

/** What goes on until it is told to stop, or reaches other machines. */
const endless = new Set(['maintenance.runUntilStopped', 'maintenance.start', 'sync', 'openMemory']);

it('whatever a call is given, it answers or throws a MemoryError that has written nothing', {
  timeout: 240_000,
}, async () => {
  const random = fc.sample(
    fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true, withTypedArray: true, maxDepth: 3 }),
    12,
  );
  const written = () => `${memory.tip} ${contentOf(`${directory}/.git/git-memory`)}`;
  const complaints: string[] = [];
  for (const [name, call] of calls) {
    if (endless.has(name)) continue;
    const taken = takenBy[name]!;
    for (const value of random) {
      for (const at of taken.keys()) {
        const before = written();
        const error = await thrownBy(call, [...taken.slice(0, at).map(([, shape]) => sampleOf(shape)), value]);
        if (error === undefined) continue;
        if (!(error instanceof MemoryError)) complaints.push(`${name}/${at}: ${error}`);
        if (written() !== before) complaints.push(`${name}/${at} has written, and threw ${error}`);
      }
    }
  }
  expect(complaints).toEqual([]);
});
