// One change on its way to another machine: our sync beside native git's push and fetch, over a bare repository in a folder. Both sides of
// native git commit with plumbing before, so that only the transfer is compared.

import fs from 'node:fs';
import { openMemory } from '../../dist/index.js';
import { heading, median, ms, ratio, table, time } from './measure.mjs';
import { checkOut, git, makeBare, textOf } from './repositories.mjs';

const rounds = 15;

export async function benchSync({ root, chosenSizes, hasGit }) {
  heading('One capture on its way, milliseconds: sync beside git push and git fetch, medians');
  if (!hasGit) return console.log('  needs native git to compare with');
  const rows = [
    [
      'files',
      'sync out',
      'git push',
      '/git',
      'sync in',
      'git fetch + merge',
      '/git',
      'nothing new',
      'git fetch',
      '/git',
    ],
  ];
  for (const size of chosenSizes ?? [1000, 10_000]) rows.push(await measureSize(`${root}/${size}`, size));
  table(rows);
}

async function measureSize(root, size) {
  fs.mkdirSync(root, { recursive: true });
  const base = await makeBare(`${root}/base`, size);
  const [ours, theirs] = ['ours', 'theirs'].map((name) => {
    git(root, ['clone', '-q', '--bare', base, `${root}/${name}.git`]);
    return `${root}/${name}.git`;
  });
  const [a, b] = ['a', 'b'].map((name) => checkOut(ours, `${root}/${name}`));
  const [c, d] = ['c', 'd'].map((name) => checkOut(theirs, `${root}/${name}`));
  const [first, second, native] = await Promise.all([a, b, c].map((dir) => openMemory({ dir })));
  for (const memory of [first, second]) await memory.sync();
  const times = Object.fromEntries(['out', 'push', 'in', 'fetch', 'none', 'noFetch'].map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    const note = { session: `ses_sync${round}`, messages: [{ role: 'user', text: textOf(round + 9_000_000) }] };
    await first.capture(note);
    await native.capture(note);
    times.out.push(await time(() => first.sync()));
    times.push.push(await time(() => git(c, ['push', '-q', 'origin', 'main'])));
    times.in.push(await time(() => second.sync()));
    times.fetch.push(
      await time(() => {
        git(d, ['fetch', '-q', 'origin']);
        git(d, ['merge', '-q', '--ff-only', 'origin/main']);
      }),
    );
    times.none.push(await time(() => second.sync()));
    times.noFetch.push(await time(() => git(d, ['fetch', '-q', 'origin'])));
  }
  for (const memory of [first, second, native]) await memory.close();
  const of = (name) => median(times[name]);
  const pair = (mine, other) => [ms(of(mine)), ms(of(other)), ratio(of(mine) / of(other))];
  return [size, ...pair('out', 'push'), ...pair('in', 'fetch'), ...pair('none', 'noFetch')];
}
