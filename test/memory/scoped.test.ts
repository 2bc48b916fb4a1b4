// A part of a memory: whatever it is asked, nothing else is seen, and nothing else can be written.

import { afterEach, expect, it } from 'vitest';
import { toolContext } from '../../src/apps/tool-context.ts';
import { loadVerbs } from '../../src/apps/verbs/index.ts';
import { runVerb } from '../../src/apps/verbs/verb.ts';
import type { Memory, MemoryPart } from '../../src/memory/open-memory.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { fsck, hasGit } from '../helpers/native-git.ts';

const open: MemoryPart[] = [];
afterEach(async () => {
  for (const memory of open.splice(0).reverse()) await memory.close();
});

async function wholeMemory() {
  const { memory, directory } = await newTestMemory();
  open.push(memory);
  await memory.write('knowledge/projects/apollo/context.md', '# Apollo\n\nThe valve of Apollo is stuck.\n');
  await memory.write('knowledge/projects/zeus/context.md', '# Zeus\n\nThe valve of Zeus is a secret quasar.\n');
  await memory.write('knowledge/projects/apollo-2/context.md', '# Second\n\nAnother quasar valve.\n');
  const ours = (await memory.remember({ content: 'Apollo flies in May', tags: ['apollo'] })).id!;
  const other = (await memory.remember({ content: 'Zeus flies in June past the quasar', tags: ['zeus'] })).id!;
  await memory.records.relate(ours, other, 'related');
  await memory.capture({ messages: [{ role: 'user', text: 'Apollo and the quasar valve, said in private.' }] });
  await memory.commit();
  return { memory, directory, ours, other };
}

async function part(memory: MemoryPart, scope: Parameters<Memory['scoped']>[0]) {
  const scoped = await memory.scoped(scope);
  open.push(scoped);
  return scoped;
}

it('shows what is below its paths and nothing else, now and then', async () => {
  const { memory, other } = await wholeMemory();
  const scoped = await part(memory, 'knowledge/projects/apollo');
  expect(await scoped.files()).toEqual(['knowledge/projects/apollo/context.md']);
  expect((await scoped.recall('quasar')).hits).toEqual([]);
  const { hits } = await scoped.recall('valve');
  expect(hits.map(({ path }) => path)).toEqual(['knowledge/projects/apollo/context.md']);
  // Statistics are those of the part: alone with its words it scores as in a memory that holds nothing else.
  const { memory: alone } = await newTestMemory();
  open.push(alone);
  await alone.write('knowledge/projects/apollo/context.md', await memory.read('knowledge/projects/apollo/context.md'));
  expect(hits[0]!.parts).toEqual((await alone.recall('valve')).hits[0]!.parts);
  expect((await scoped.list()).memories).toEqual([]);
  await expect(scoped.get(other)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  for (const path of ['knowledge/projects/zeus/context.md', 'knowledge/projects/apollo-2/context.md']) {
    await expect(scoped.read(path)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(scoped.blame(path)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(scoped.log({ path })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(scoped.diff('HEAD', 'now', { path })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect((await scoped.at('HEAD')).read(path)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  }
  const answers = [
    await scoped.context('Where is the valve of Zeus, and the quasar?'),
    await scoped.log(),
    await scoped.status(),
    await scoped.sessionStart(),
    await scoped.knowledge.entities(),
    await scoped.pack(),
    await scoped.blame('knowledge/projects/apollo/context.md'),
    await scoped.learned('quasar', { path: 'knowledge/projects/apollo' }),
    await (await scoped.at('HEAD')).recall('quasar Zeus valve'),
  ];
  for (const answer of answers) {
    expect(JSON.stringify(answer)).not.toMatch(/secret quasar|in private|June|zeus\/|raw\/conversations/);
  }
  await expect(scoped.provenance('knowledge/projects/apollo/context.md')).rejects.toMatchObject({ code: 'READ_ONLY' });
  await expect(scoped.learned('quasar')).rejects.toMatchObject({ code: 'READ_ONLY' });
});

it('lets nothing be written beside it, and leaves no trace of an attempt', async () => {
  const { memory, directory, ours, other } = await wholeMemory();
  const scoped = await part(memory, 'knowledge/projects/apollo');
  const before = (await memory.status()).commit;
  const refused = [
    () => scoped.write('knowledge/projects/zeus/context.md', 'x'),
    () => scoped.write('knowledge/projects/apollo.md', 'x'),
    () => scoped.edit('knowledge/projects/zeus/context.md', 'The', 'A'),
    () => scoped.remove('knowledge/projects/zeus/context.md'),
    () => scoped.move('knowledge/projects/apollo/context.md', 'knowledge/projects/zeus/other.md'),
    () => scoped.remember('Something else'),
    () => scoped.records.touch(ours),
    () => scoped.forget(other),
    () => scoped.capture({ messages: [{ role: 'user', text: 'Hello' }] }),
    () => scoped.note('Hello'),
    () => scoped.ledger.add({ type: 'decision', content: 'We fly' }),
    () => scoped.configure({ 'decay.half_life_days': 7 }),
    () => scoped.knowledge.changeEntities({ create: [{ name: 'Ada', entityType: 'person', observations: [] }] }),
  ];
  for (const attempt of refused) {
    await expect(attempt()).rejects.toMatchObject({ code: expect.stringMatching(/^(READ_ONLY|NOT_FOUND)$/) });
  }
  await expect(scoped.scoped('knowledge')).rejects.toMatchObject({ code: 'READ_ONLY' });
  expect((await memory.status()).pending).toEqual([]);
  expect((await memory.status()).commit).toBe(before);
  await scoped.edit('knowledge/projects/apollo/context.md', 'stuck', 'free');
  await (await part(scoped, 'knowledge/projects/apollo/notes')).write('knowledge/projects/apollo/notes/a.md', '# A\n');
  await scoped.commit();
  expect(await memory.read('knowledge/projects/apollo/context.md')).toContain('is free');
  expect(await memory.read('knowledge/projects/zeus/context.md')).toContain('secret quasar');
  if (hasGit) expect(fsck(directory)).toBe('');
});

/** What looks at the whole, or at other branches, and is no verb of a part. */
const wholeOnly = [
  'bisect branches.compare branches.drop branches.expire branches.list branches.open experiments.adopt experiments.compare experiments.drop',
  'experiments.list experiments.probes experiments.run extract git.follow git.installHooks git.resolveMerge git.trackWithLfs import',
  'knowledge.bundle knowledge.distil maintenance.night maintenance.reindex maintenance.run maintenance.runDue maintenance.runUntilStopped maintenance.schedule',
  'maintenance.scheduleLines maintenance.start merge mounts.add mounts.list mounts.remove purge quarantine.accept quarantine.drop',
  'quarantine.list quarantine.show readingCost records.consolidate records.restore review snapshots.create sync undo verdict',
].flatMap((names) => names.split(' '));

/** Names the verbs of a memory, those of a family as `family.verb`. */
function verbsOf(memory: object): string[] {
  return Object.entries(memory).flatMap(([name, member]: [string, unknown]) => {
    const verbs =
      member !== null && ['object', 'function'].includes(typeof member) ? Object.entries(member as object) : [];
    if (verbs.length === 0) return typeof member === 'function' ? [name] : [];
    return verbs.every(([, verb]) => typeof verb === 'function') ? verbs.map(([verb]) => `${name}.${verb}`) : [];
  });
}

it('has only the verbs that it may do; whoever asks a tool for another is refused', async () => {
  const { memory } = await wholeMemory();
  const scoped = await part(memory, 'knowledge/projects/apollo');
  const own = verbsOf(scoped);
  expect(
    verbsOf(memory)
      .filter((name) => !own.includes(name))
      .sort(),
  ).toEqual(wholeOnly);
  // @ts-expect-error: the compiler knows it, too
  expect(scoped.undo).toBeUndefined();
  const asked: Record<string, object> = {
    bisect: { query: 'quasar', finds: 'valve' },
    branch: {},
    bundle: { name: 'x' },
    consolidate: {},
    experiment: { action: 'list' },
    extract: {},
    hooks: { action: 'install' },
    maintain: {},
    merge: { theirs: 'other' },
    mount: {},
    nightly: {},
    purge: { text: 'quasar', yes: true },
    quarantine: { action: 'list' },
    reindex: {},
    resolve: {},
    restore: { id: 'x' },
    schedule: { action: 'list' },
    schema: {},
    snapshot: { name: 'now' },
    sync: {},
    undo: { revision: 'HEAD' },
  };
  for (const verb of (await loadVerbs()).filter(({ name }) => name in asked)) {
    const context = toolContext(async () => scoped, {});
    await expect(runVerb(verb, context, asked[verb.name]), verb.name).rejects.toMatchObject({
      code: 'READ_ONLY',
      message: expect.stringContaining(`${verb.name} needs the whole memory`),
    });
  }
  expect((await memory.status()).pending).toEqual([]);
});

it('holds memories by their tags', async () => {
  const { memory, ours, other } = await wholeMemory();
  const scoped = await part(memory, { tags: ['apollo'] });
  expect((await scoped.list()).memories.map(({ id }) => id)).toEqual([ours]);
  expect((await scoped.records.relations()).relations).toEqual([]);
  expect((await scoped.recall('flies in')).hits.map(({ id }) => id)).toEqual([ours]);
  const { id } = await scoped.remember('Apollo needs a new valve');
  expect((await memory.get(id!)).meta.tags).toEqual(['apollo']);
  await scoped.records.relate(ours, id!, 'causes');
  expect((await scoped.records.relations()).relations).toHaveLength(1);
  await scoped.records.touch(ours);
  // An id that is taken by somebody else's memory is neither told nor written over.
  await expect(scoped.remember({ id: other, content: 'Mine now' })).rejects.toMatchObject({ code: 'READ_ONLY' });
  await expect(scoped.records.relate(ours, other, 'causes')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect((await memory.get(other)).content).toContain('Zeus');
  // What loses the tag is seen no more.
  await memory.commit();
  expect((await scoped.list()).memories).toHaveLength(2);
  for (const bad of [{}, { paths: [] }, { paths: ['../x'] }, { tags: [''] }, { paths: 'x' } as never]) {
    await expect(memory.scoped(bad)).rejects.toMatchObject({ code: expect.stringMatching(/^INVALID_/) });
  }
});
