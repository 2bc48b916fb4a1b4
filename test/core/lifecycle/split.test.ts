// Splitting of memories: which could be several, what the parts inherit, and that all of it can be taken back.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ideasOf, splitCandidateOf } from '../../../src/core/lifecycle/split.ts';
import { newMemory } from '../../../src/store/records/memory-record.ts';
import {
  formatRelation,
  newRelation,
  parseRelation,
  relationPath,
} from '../../../src/store/records/relation-record.ts';
import { newTestMemory } from '../../helpers/memories.ts';

const archive = 'The archive moves to Braga in November. It has 40 boxes, and the boxes of the archive are numbered.';
const chess = 'Ana plays chess with her brother every Sunday. She won the tournament in Porto.';
const build = 'The build of the website needs Node 20 and a quiet machine.';
const several = `${archive} ${chess} ${build}`;
/** The same three ideas, at more length than a memory should have. */
const lengthy = [
  `${archive} The boxes of the archive go to Braga by train, and the archive has a lift for the boxes.`,
  `${chess} Ana and her brother play chess in the tournament of Porto every year, and Ana plays chess by post.`,
  `${build} The build of the website takes an hour on the quiet machine, and the build needs the machine alone.`,
].join(' ');

const folded = (text: string): string => text.replace(/\s+/g, ' ').trim();

describe('ideasOf', () => {
  it('puts together sentences that share words or go on, and takes others apart', () => {
    expect(ideasOf(several)).toEqual([archive, chess, build]);
    expect(ideasOf(archive)).toEqual([archive]);
  });

  it('takes paragraphs and items of lists as they are', () => {
    expect(ideasOf(`${archive}\n\n- ${chess}\n- ${build}`)).toEqual([archive, `- ${chess}`, `- ${build}`]);
    expect(ideasOf(several, 2)).toEqual([archive, `${chess} ${build}`]);
  });

  it('leaves nothing out', () => {
    const sentence = fc.constantFrom(
      archive,
      chess,
      build,
      'Yes.',
      'It is so.',
      '- item one of a list',
      '\n',
      '\n\n',
      'e.g. 3.5 of them',
    );
    fc.assert(
      fc.property(fc.array(sentence, { maxLength: 8 }), fc.integer({ min: 1, max: 4 }), (sentences, most) => {
        const text = sentences.join(' ');
        const ideas = ideasOf(text, most);
        expect(folded(ideas.join(' '))).toBe(folded(text));
        expect(ideas.length).toBeLessThanOrEqual(most);
      }),
    );
  });
});

describe('splitCandidateOf', () => {
  const record = (given: Partial<Parameters<typeof newMemory>[0]>) =>
    newMemory({ id: 'whole', content: lengthy, now: 0, ...given });
  const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`);

  it.each([
    ['length', record({}), ['527 characters']],
    ['tags', record({ content: `${chess} ${build}`, tags: words(7) }), ['7 tags']],
    ['entities', record({ content: `${chess} ${build}`, entities: words(7) }), ['7 entities']],
    [
      'use in other domains',
      record({ content: `${chess} ${build}`, crossDomainCount: 4 }),
      ['used in other domains 4 times'],
    ],
  ])('judges by %s', (_, one, reasons) => {
    expect(splitCandidateOf(one)?.reasons).toEqual(reasons);
  });

  it('finds nothing to split in what is about one thing, or small', () => {
    expect(splitCandidateOf(record({ content: archive.repeat(9) }))).toBeUndefined();
    expect(splitCandidateOf(record({ content: `${chess} ${build}` }))).toBeUndefined();
  });

  it('gives parts the tags and entities that occur in them', () => {
    const candidate = splitCandidateOf(record({ tags: ['chess', 'archives', 'misc'], entities: ['Ana', 'Braga'] }))!;
    expect(candidate.parts.map(({ tags, entities }) => [tags, entities])).toEqual([
      [['archives'], ['Braga']],
      [['chess'], ['Ana']],
      [['chess', 'archives', 'misc'], []],
    ]);
  });
});

describe('split', () => {
  async function memoryWithWhole() {
    const { memory, clock } = await newTestMemory();
    await memory.remember({
      id: 'whole',
      content: several,
      tags: ['misc'],
      source: 'talk',
      context: 'lunch',
      strength: 1.3,
    });
    await memory.remember({ id: 'friend', content: 'Chess is what Ana likes.' });
    await memory.records.touch('whole');
    const edge = newRelation({
      id: 'r',
      fromMemoryId: 'friend',
      toMemoryId: 'whole',
      relationType: 'supports',
      now: 0,
    });
    await memory.write(relationPath('r'), formatRelation(edge));
    await memory.commit();
    clock.advance({ hours: 5 });
    return { memory, clock };
  }

  it('puts parts in the place of a memory in one commit, which undo takes back exactly', async () => {
    const { memory, clock } = await memoryWithWhole();
    const before = (await memory.at('HEAD')).tree;
    const whole = await memory.get('whole');
    const shown = await memory.records.split('whole', undefined, { dryRun: true });
    expect((await memory.at('HEAD')).tree).toBe(before);
    const { items, commits } = await memory.records.split('whole');
    expect(items).toEqual(shown.items);
    const { parts } = items[0]!;
    expect(parts.map(({ content }) => content)).toEqual([archive, chess, build]);
    await expect(memory.get('whole')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    for (const [index, { id }] of parts.entries()) {
      const part = await memory.get(id);
      expect(part).toMatchObject({
        strength: whole.strength,
        useCount: whole.useCount,
        createdAt: whole.createdAt,
        lastUsed: Math.floor(clock.now() / 1000),
        meta: { tags: ['misc'], source: 'talk', context: 'lunch' },
        status: 'active',
      });
      const { from } = await memory.provenance(id);
      expect(from).toMatchObject([{ relation: 'split_from', id: 'whole', origin: { alive: false, content: several } }]);
      const relations = await Promise.all(
        (await memory.files('relations/')).map(async (path) => parseRelation(await memory.read(path), path)),
      );
      expect(relations.find(({ fromMemoryId }) => fromMemoryId === id)).toMatchObject({
        toMemoryId: 'whole',
        metadata: { split_index: index, total_splits: 3 },
      });
      expect(relations.find(({ relationType }) => relationType === 'supports')!.toMemoryId).toBe(parts[1]!.id);
    }
    const [commit] = (await memory.log({ limit: 1 })).commits;
    expect(commit!.subject).toBe('split: whole into 3 memories');
    await memory.undo(commits[0]!);
    expect((await memory.at('HEAD')).tree).toBe(before);
    await memory.close();
  });

  it('takes parts with tags and entities of their own, and keeps secrets out', async () => {
    const { memory } = await memoryWithWhole();
    const token = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;
    const { items } = await memory.records.split('who', [
      { content: 'Ana sings.', tags: ['music'], entities: ['Ana'] },
      `The token is ${token}`,
    ]);
    const [one, two] = await Promise.all(items[0]!.parts.map(({ id }) => memory.get(id)));
    expect(one).toMatchObject({ content: 'Ana sings.', meta: { tags: ['music'] }, entities: ['Ana'] });
    expect(two!.content).not.toContain(token);
    await memory.close();
  });

  it('is proposed, and refused where it makes no sense', async () => {
    const { memory } = await memoryWithWhole();
    await memory.remember({ id: 'lengthy', content: lengthy });
    const { candidates } = await memory.records.splitCandidates();
    expect(candidates.map(({ id, parts }) => [id, parts.length])).toEqual([['lengthy', 3]]);
    await expect(memory.records.split('friend')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(memory.records.split('nobody', ['a', 'b'])).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(memory.records.split('whole', ['only one'])).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(memory.records.split('whole', ['a', ' '])).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(memory.records.split('whole', 'ab' as never)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await memory.records.archive('whole');
    await expect(memory.records.split('whole')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect((await memory.log({ operation: 'split' })).commits).toEqual([]);
    await memory.close();
  });
});
