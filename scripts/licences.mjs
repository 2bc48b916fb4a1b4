// Makes dist/licences.txt: the licences of what is bundled, which ask to come along with each copy.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The page holds its letters as data. */
const bundled = new Set(['@fontsource/source-serif-4']);

/** Takes note of the packages whose modules are in what a bundler made. */
export function noteBundled(output) {
  for (const { moduleIds = [] } of output)
    for (const id of moduleIds) {
      const name = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(id)?.[1];
      if (name !== undefined) bundled.add(name.replaceAll('\\', '/'));
    }
}

/** Writes dist/licences.txt. A package without a file of its licence is named with what its manifest says. */
export function writeLicences(root) {
  const named = new Map();
  for (const name of [...bundled].sort()) {
    const folder = join(root, 'node_modules', name);
    const { version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
    const words = file === undefined ? (author?.name ?? author ?? '') : readFileSync(join(folder, file), 'utf8').trim();
    named.set(words, [...(named.get(words) ?? []), `${name} ${version}, ${license}`]);
  }
  const parts = [...named].map(([words, names]) => `${names.join('\n')}\n\n${words}\n`);
  writeFileSync(join(root, 'dist/licences.txt'), parts.join(`\n${'-'.repeat(80)}\n\n`));
}
