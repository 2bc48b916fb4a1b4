// Links between notes when files move, and those that lead to nothing.

import { expect, it } from 'vitest';
import { doctor } from '../../src/memory/doctor-questions.ts';
import { linkTargetsOf, withLinks } from '../../src/store/records/note-links.ts';
import { newTestMemory } from '../helpers/memories.ts';

it('lets links, relative paths and subscriptions follow a file and a folder', async () => {
  const { memory } = await newTestMemory();
  const pages = {
    'knowledge/people/odile.md': '# Odile\n\nKnows [the kiln](../reference/kiln.md#heat) and [[pavel]].\n',
    'knowledge/people/pavel.md': '# Pavel\n',
    'knowledge/reference/kiln.md': '# Kiln\n\n## Heat\n\nSee [[Odile|her]], [[people/odile#Work]] and `[[x]]`.\n',
    'knowledge/journal/2026-02-16.md':
      '- [[odile]] fired it. [source: knowledge/people/odile.md]\n- [her](../people/odile.md)\n',
    'topics/firing.md': '---\ntype: topic\nsubscriptions:\n  - knowledge/people/odile.md\n---\n\n# Firing\n',
  };
  for (const [path, text] of Object.entries(pages)) await memory.write(path, text);
  await memory.move('knowledge/people/odile.md', 'knowledge/people/makers/odile-brandt.md');
  expect(await memory.read('knowledge/people/makers/odile-brandt.md')).toBe(
    '# Odile\n\nKnows [the kiln](../../reference/kiln.md#heat) and [[pavel]].\n',
  );
  expect(await memory.read('knowledge/reference/kiln.md')).toBe(
    '# Kiln\n\n## Heat\n\nSee [[odile-brandt|her]], [[people/makers/odile-brandt#Work]] and `[[x]]`.\n',
  );
  expect(await memory.read('knowledge/journal/2026-02-16.md')).toBe(
    '- [[odile-brandt]] fired it. [source: knowledge/people/makers/odile-brandt.md]\n- [her](../people/makers/odile-brandt.md)\n',
  );
  expect(await memory.read('topics/firing.md')).toContain('  - knowledge/people/makers/odile-brandt.md\n');
  await memory.move('knowledge/people/makers', 'knowledge/makers');
  expect(await memory.read('knowledge/reference/kiln.md')).toContain('[[makers/odile-brandt#Work]]');
  expect(await memory.read('knowledge/makers/odile-brandt.md')).toContain('(../reference/kiln.md#heat)');
  await memory.commit();
});

it('names links that lead to nothing, by file and line', async () => {
  const { memory, directory } = await newTestMemory();
  await memory.write(
    'knowledge/reference/kiln.md',
    '# Kiln\n\nSee [[odile]], [[kiln]] and [x](gone.md), [web](https://a.example/b.md).\n',
  );
  await memory.commit();
  await memory.close();
  const found = (await doctor({ dir: directory })).findings.filter(({ code }) => code === 'LINK_DANGLING');
  expect(found.map(({ where, what, severity }) => [severity, where, what])).toEqual([
    ['note', 'knowledge/reference/kiln.md', 'line 3 links to odile, which is not there'],
    ['note', 'knowledge/reference/kiln.md', 'line 3 links to gone.md, which is not there'],
  ]);
});

it.each([
  ['Another one is Pavel Novak from next door', 'Another one is Pavel Novak from next door'],
  ["Pavel Novak's cousin Odile", "Pavel Novak's cousin [[odile|Odile]]"],
  ['There is another Pavel: Pavel Novak', 'There is another Pavel: Pavel Novak'],
  ['We met Mary Pavel', 'We met Mary Pavel'],
  ['Ask Pavel on Monday', 'Ask [[pavel|Pavel]] on Monday'],
  ['On Monday Pavel fires, and Mr Pavel says so', 'On Monday [[pavel|Pavel]] fires, and Mr Pavel says so'],
  ["Pavel's Honda", "[[pavel|Pavel]]'s Honda"],
  ['Pavel Monday is fine', '[[pavel|Pavel]] Monday is fine'],
  ['Kim and Kim Brandt', 'Kim and [[kim-brandt|Kim Brandt]]'],
])('links a first name to the one page of that name, and to none within a longer name: %s', (said, linked) => {
  const people = ['pavel', 'odile', 'kim', 'kim-brandt'].map((name) => `knowledge/people/${name}.md`);
  expect(withLinks(said, linkTargetsOf(people), 'knowledge/people/other.md')).toBe(linked);
});
