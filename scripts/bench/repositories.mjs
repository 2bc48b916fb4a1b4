// Repositories of a given size, made by native `git fast-import` in one commit or many: day-sharded conversations and sharded memories.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openMemory } from '../../dist/index.js';
import { randomOf } from '../random.mjs';

const words =
  'agent memory commit branch decision context user prefers project deploy test index build error retry cache token plan task note fact link source summary because after before never always remember update remove server client query result schema table column value shard merge conflict policy review'.split(
    ' ',
  );

/** A text of some words that no other call makes. */
export function textOf(seed, count = 90) {
  const random = randomOf(seed);
  return Array.from({ length: count }, () => words[Math.floor(random() * words.length)]).join(' ');
}

const two = (number) => String(number).padStart(2, '0');

function conversation(number) {
  const date = new Date(Date.UTC(2018, 0, 1) + Math.floor(number / 20) * 86_400_000 + (number % 20) * 3_000_000);
  const day = `${date.getUTCFullYear()}/${two(date.getUTCMonth() + 1)}/${two(date.getUTCDate())}`;
  const clock = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`;
  const id = `ses_base${String(number).padStart(6, '0')}`;
  const at = date.toISOString().replace('.000', '');
  const text = `---\nsession_id: ${id}\nchannel: bench\nstarted: ${at}\nended: ${at}\ntopic: base ${number}\n---\n\n# Base ${number}\n\n## ${clock} — user\n\n${textOf(number)}\n`;
  return { name: `raw/conversations/${day}/${clock.replace(':', '')}-${id}-base-${number}.md`, text };
}

function memory(number, fields) {
  const id = `base${String(number).padStart(6, '0')}`;
  const shard = createHash('sha256').update(id).digest('hex').slice(0, 2);
  const record = {
    id,
    content: textOf(number + 1_000_000, 20),
    meta: { tags: [`tag${number % 31}`], source: null, context: null, extra: {} },
    created_at: 1_514_764_800 + number * 600,
    last_used: 1_514_764_800 + number * 600,
    strength: 1,
    status: 'active',
    entities: [],
    ...fields,
  };
  return { name: `memories/${shard}/${id}.json`, text: `${JSON.stringify(record, null, 2)}\n` };
}

/** Makes a bare memory of about `count` files, `share` of them memories with more `fields`, `each` in a commit, and gives its folder. */
export async function makeBare(folder, count, share = 0.3, fields = {}, each = count) {
  mkdirSync(folder, { recursive: true });
  await (await openMemory({ dir: folder, create: true, placement: 'bare' })).close();
  const memories = Math.round(count * share);
  const files = [
    ...Array.from({ length: count - memories }, (_, number) => conversation(number)),
    ...Array.from({ length: memories }, (_, number) => memory(number, fields)),
  ];
  const stream = [];
  for (const [number, { name, text }] of files.entries()) {
    if (number % each === 0) {
      stream.push(
        `commit refs/heads/main\ncommitter Base <base@example.org> ${1_600_000_000 + number} +0000\ndata 4\nbase\n`,
      );
      if (number === 0) stream.push('from refs/heads/main^0\n');
    }
    stream.push(`M 100644 inline ${name}\ndata ${Buffer.byteLength(text)}\n${text}\n`);
  }
  git(folder, ['fast-import', '--quiet', '--force'], stream.join(''));
  return folder;
}

/** Checks a bare memory out beside it, with the settings that a memory of its own has. */
export function checkOut(bare, folder) {
  git(path.dirname(folder), ['clone', '-q', bare, folder]);
  const settings = {
    'core.trustctime': 'false',
    'gc.auto': '0',
    'maintenance.auto': 'false',
    'core.autocrlf': 'false',
  };
  for (const [key, value] of Object.entries(settings)) git(folder, ['config', key, value]);
  for (const [key, value] of Object.entries({ 'user.name': 'Bench', 'user.email': 'bench@example.org' })) {
    git(folder, ['config', key, value]);
  }
  return folder;
}

const environment = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };

export function git(folder, parameters, input) {
  const result = spawnSync('git', ['-C', folder, ...parameters], {
    env: environment,
    maxBuffer: 1 << 30,
    ...(input === undefined ? {} : { input }),
  });
  if (result.status !== 0) throw new Error(`git ${parameters[0]} failed: ${result.stderr}`);
  return result.stdout;
}

export function writeText(file, text) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
