// What looking for secrets costs beside the least a look at the text could cost: hashing it, as git does with every blob.
// What checking a path costs beside normalising it. And what patterns cost that people write to hang a process.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { checkPath } from '../../dist/store/guard/path.js';
import { compilePattern } from '../../dist/store/guard/pattern.js';
import { findSecrets } from '../../dist/store/guard/secrets.js';
import { heading, ms, quiet, ratio, table } from './measure.mjs';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const source = readFileSync(new URL('../../src/store/guard/secret-names.ts', import.meta.url), 'utf8');

const texts = {
  'a capture, 690 bytes of prose': readme.slice(1000, 1690),
  'prose, 64 KiB': readme.repeat(8).slice(0, 65_536),
  'source of a program': source,
  'other scripts, 64 KiB': '世界は広い。Größe und Maß — привет мир. '.repeat(2000).slice(0, 65_536),
  'names of secrets, 64 KiB': 'password= token: api_key '.repeat(3000).slice(0, 65_536),
  'beginnings of keys, 64 KiB': 'ghp_ sk-ant- eyJ. AKIA ://a: '.repeat(3000).slice(0, 65_536),
  'one word, 64 KiB': 'aA1'.repeat(30_000).slice(0, 65_536),
};

/** Patterns that take a backtracking engine longer than the universe has been there. */
const evil = [
  '(a+)+$',
  '^(a|a)*$',
  '(a|aa)+$',
  '(.*a){12}$',
  '(a*)*b',
  '^(([a-z])+.)+[A-Z]$',
  '(x+x+)+y',
  '(a|b)*a(a|b){12}$',
  'a[ab]{400}c$',
];

const paths = Array.from({ length: 1000 }, (_, i) => `knowledge/projects/project-${i}/context.md`);

/** Microseconds that a call takes for each path, round by round. */
function perPath(call) {
  return Array.from({ length: 60 }, () => {
    const started = performance.now();
    for (const path of paths) call(path);
    return ((performance.now() - started) * 1000) / paths.length;
  });
}

export async function benchGuard() {
  heading('Looking for secrets, milliseconds a text (fastest tenth)');
  const rows = [['text', 'secrets', 'sha-1', 'secrets/sha-1', 'MB/s']];
  for (const [name, text] of Object.entries(texts)) {
    const rounds = text.length > 10_000 ? 60 : 2000;
    const spent = { secrets: [], hash: [] };
    for (let round = 0; round < rounds * 2; round++) {
      const started = performance.now();
      findSecrets(text);
      const between = performance.now();
      createHash('sha1').update(text).digest();
      if (round < rounds) continue;
      spent.secrets.push(between - started);
      spent.hash.push(performance.now() - between);
    }
    const secrets = quiet(spent.secrets);
    const rate = Buffer.byteLength(text) / 1000 / secrets;
    rows.push([
      name,
      secrets.toFixed(3),
      quiet(spent.hash).toFixed(3),
      ratio(secrets / quiet(spent.hash)),
      rate.toFixed(0),
    ]);
  }
  table(rows);

  heading('Checking a path, microseconds (fastest tenth; goal 5)');
  const [checked, normalised] = [quiet(perPath(checkPath)), quiet(perPath(posix.normalize))];
  table([
    ['checkPath', 'posix.normalize', 'ratio'],
    [checked.toFixed(2), normalised.toFixed(2), ratio(checked / normalised)],
  ]);

  heading('Patterns made to hang a process, on 64 KiB, milliseconds');
  const text = `${'ab'.repeat(16_384)}${'a'.repeat(32_767)}!`;
  const lines = [['pattern', 'milliseconds']];
  for (const pattern of evil) {
    const compiled = await compilePattern(pattern, { where: 'the bench' });
    const spent = Array.from({ length: 5 }, () => {
      const started = performance.now();
      compiled.test(text);
      return performance.now() - started;
    });
    lines.push([pattern, ms(Math.max(...spent))]);
  }
  table(lines);
}
