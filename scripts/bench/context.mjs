// What an agent waits for: a context compiled over 10,000 knowledge files, warm and in a new process. It also says how much of the text
// stays the same from one turn of a session to the next. Texts are made as in search.mjs: words as frequent as in a language.

import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { estimateTokens } from '../../dist/base/token-estimate.js';
import { openMemory } from '../../dist/index.js';
import { randomOf } from '../random.mjs';
import { heading, median, ms, quantile, quiet, table, verdict } from './measure.mjs';

const self = fileURLToPath(import.meta.url);
const folders = ['people', 'projects', 'procedures', 'reference', 'insights'];
const syllables = 'ba ce di fo gu ka le mi no pu ra se ti vo zu'.split(' ');

/** The word of a rank, of three syllables and more. */
function wordOf(rank) {
  let word = '';
  for (let rest = rank + syllables.length ** 2; rest > 0; rest = Math.floor(rest / syllables.length))
    word += syllables[rest % syllables.length];
  return word;
}

/** Words with a chance in inverse proportion to their rank; the first `skipped` never come. */
function wordsOf(seed, count, skipped = 0) {
  const random = randomOf(seed);
  const rank = () => Math.min(29_999, Math.floor((skipped + 10) * (30_000 / (skipped + 10)) ** random()) - 10);
  return Array.from({ length: count }, () => wordOf(rank())).join(' ');
}

const lines = (seed, count) =>
  Array.from({ length: count }, (_, at) => `- ${wordsOf(seed * 1000 + at, 10)}`).join('\n');

/** A memory of so many knowledge files with what is in every context. */
async function build(dir, size) {
  const memory = await openMemory({ dir, create: true, durability: 'fast' });
  const day = new Date().toISOString().slice(0, 10);
  const standing = {
    'knowledge/identity/SOUL.md': `# Soul\n\n${lines(1, 30)}\n`,
    'knowledge/identity/USER.md': `# User\n\n${lines(2, 20)}\n`,
    'knowledge/memory/MEMORY.md': `# Core Memory\n\n${lines(3, 40)}\n`,
    [`knowledge/journal/${day}.md`]: `# ${day}\n\n${lines(4, 30)}\n`,
    'knowledge/projects/_active.md': `# Active Projects\n\n${lines(5, 8)}\n`,
  };
  for (const [path, text] of Object.entries(standing)) await memory.write(path, text);
  for (let at = 0; at < size; at++) {
    const folder = folders[at % folders.length];
    await memory.write(
      `knowledge/${folder}/f${at}.md`,
      `# F${at}\n\n## Facts\n\n${wordsOf(at, 40)}\n\n## More\n\n${wordsOf(-1 - at, 30)}\n`,
    );
  }
  await memory.commit();
  await memory.close();
}

const turnsOf = (count) =>
  Array.from({ length: count }, (_, at) => ({ role: at % 2 ? 'agent' : 'user', text: wordsOf(70_000 + at, 30) }));

/** In a process of its own: the first context, and those after it. */
async function measureIn(dir) {
  const start = performance.now();
  const memory = await openMemory({ dir, readOnly: true });
  const turns = turnsOf(60);
  const ask = (at, options) => memory.context(wordsOf(90_000 + at, 12, 40), options);
  await ask(0, { turns });
  const cold = performance.now() - start;
  const timed = async (options) => {
    const times = [];
    const before = process.cpuUsage();
    for (let at = 0; at < 100; at++) {
      const began = performance.now();
      const { tokens, budget } = await ask(at, options);
      times.push(performance.now() - began);
      if (tokens > budget) throw new Error(`${tokens} of ${budget} tokens`);
    }
    const { user, system } = process.cpuUsage(before);
    return { times, cpu: (user + system) / 1000 / times.length };
  };
  for (let at = 0; at < 20; at++) await ask(at, { turns });
  const session = await timed({ turns });
  const alone = await timed({});
  await memory.close();
  process.send({ cold, session, alone });
}

/** The share of a text that is the same as in the one before it, from its beginning, over 100 turns of one session. */
async function prefixShare(dir, tokens) {
  const memory = await openMemory({ dir, readOnly: true });
  const turns = turnsOf(200);
  const shares = [];
  let before = '';
  for (let count = 2; count <= 202; count += 2) {
    const { text } = await memory.context(wordsOf(80_000 + count, 12, 40), { turns: turns.slice(0, count), tokens });
    let same = 0;
    while (same < text.length && text[same] === before[same]) same += 1;
    if (before !== '') shares.push(estimateTokens(text.slice(0, same)) / estimateTokens(text));
    before = text;
  }
  await memory.close();
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

export async function benchContext({ root, chosenSizes }) {
  heading('context: compiled over knowledge files');
  const rows = [
    ['files', 'new process', 'in a session', 'p95', 'CPU', 'without turns', 'CPU', 'same from turn to turn'],
  ];
  let warm = 0;
  let share = 0;
  for (const size of chosenSizes ?? [1000, 10_000]) {
    const dir = `${root}-${size}`;
    await build(dir, size);
    const { cold, session, alone } = await new Promise((resolve, reject) => {
      const child = fork(self, ['--measure', dir]);
      child.once('message', resolve);
      child.once('exit', (code) => code !== 0 && reject(new Error(`exit ${code}`)));
    });
    share = await prefixShare(dir, 8192);
    warm = median(session.times);
    rows.push([
      size.toLocaleString('en-US'),
      `${ms(cold)} ms`,
      `${ms(warm)} ms (quiet ${ms(quiet(session.times))})`,
      `${ms(quantile(session.times, 0.95))} ms`,
      `${ms(session.cpu)} ms`,
      `${ms(median(alone.times))} ms`,
      `${ms(alone.cpu)} ms`,
      `${(share * 100).toFixed(1)} %`,
    ]);
  }
  table(rows);
  verdict(warm < 50, `a warm context over the most files takes ${ms(warm)} ms, below 50`);
  verdict(share >= 0.8, `${(share * 100).toFixed(1)} % of the text stays from one turn to the next, 80 or more`);
}

if (process.argv[2] === '--measure') await measureIn(process.argv[3]);
