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

/** Writes dist/licences.txt. A package without a file of its licence is named with what its manifest says; what several have in common, stands once. */
export function writeLicences(root) {
  const alike = new Map();
  for (const name of [...bundled].sort()) {
    const folder = join(root, 'node_modules', name);
    const { version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
    const words = file === undefined ? (author?.name ?? author ?? '') : readFileSync(join(folder, file), 'utf8').trim();
    // Of the MIT licence everything from here on is the same for all; the copyright before it is not.
    const at = words.indexOf('Permission is hereby granted, free of charge, to any person obtaining a copy');
    const [own, common] = at < 0 ? [words, ''] : [words.slice(0, at), words.slice(at)];
    const same = common.replace(/\s+/g, ' ').replace(/["“”]/g, '"');
    const group = alike.get(same) ?? { common, owners: new Map() };
    const owner = own.trim();
    group.owners.set(owner, [...(group.owners.get(owner) ?? []), `${name} ${version}, ${license}`]);
    alike.set(same, group);
  }
  const rule = `\n${'-'.repeat(80)}\n\n`;
  const parts = [...alike.values()].flatMap(({ common, owners }) => {
    const heads = [...owners].map(([own, names]) => `${names.join('\n')}\n\n${own}\n`);
    return common === '' ? heads : [`${heads.join('\n')}\n${common}\n`];
  });
  writeFileSync(join(root, 'dist/licences.txt'), parts.join(rule));
}
