// A process that begins takes over the view that another kept: it answers as one that keeps nothing, in whatever state.

import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openMemory } from '../../src/memory/open-memory.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { git } from '../helpers/native-git.ts';
import { random } from '../helpers/random.ts';

const words = 'harbour lantern violin cheese meadow ticket garden copper winter otter'.split(' ');
const queries = ['harbour lantern', 'violin cheese meadow', 'ticket', 'otter winter'];

it('whatever was written, by hand or not, pending or committed, taken back or gone', { timeout: 120_000 }, async () => {
  const { memory, directory, clock } = await newTestMemory();
  const below = random(11);
  const text = () => Array.from({ length: 8 }, () => words[below(words.length)]).join(' ');
  await memory.rememberAll(Array.from({ length: 90 }, (_, at) => ({ id: `m${at}`, content: `${text()} ${at}` })));
  await memory.commit();
  const cache = path.join(directory, '.git/git-memory/cache');
  const away = path.join(directory, '.git/git-memory/cache-away');
  const answers = async () => {
    const other = await openMemory({ dir: directory, clock, readOnly: true });
    const found = [];
    for (const query of queries) found.push((await other.recall(query, { limit: 30 })).hits);
    await other.close();
    return found;
  };
  const begins = [
    () => memory.remember(`${text()} told later`),
    () => memory.forget(`m${below(90)}`).catch(() => undefined),
    () => memory.commit(),
    () => memory.commit(),
    () => memory.capture({ text: text() }),
    () => memory.undo({ last: 1 } as never).catch(() => undefined),
    async () => fs.writeFileSync(path.join(directory, 'knowledge/notes.md'), `# Notes\n\n${text()}\n`),
    async () => {
      await memory.commit();
      git(directory, '-c', 'user.name=A', '-c', 'user.email=a@b.c', 'commit', '-q', '--allow-empty', '-m', 'by hand');
    },
  ];
  fs.mkdirSync(path.join(directory, 'knowledge'), { recursive: true });
  let kept = 0;
  for (let round = 0; round < 40; round++) {
    clock.advance({ minutes: 1 });
    await begins[below(begins.length)]!();
    const first = await answers();
    if (fs.existsSync(`${cache}/words-view`)) kept += 1;
    fs.renameSync(cache, away);
    const alone = await answers();
    fs.rmSync(cache, { recursive: true, force: true });
    fs.renameSync(away, cache);
    expect(first, `round ${round}`).toEqual(alone);
  }
  await memory.close();
  expect(kept).toBeGreaterThan(25);
});
