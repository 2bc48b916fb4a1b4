// Makes modules of the words of the language in data/english: src/base/generated/, a constant for each key.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Writes the modules that say something else than before. */
export function writeWords() {
  const folder = join(root, 'src/base/generated');
  mkdirSync(folder, { recursive: true });
  for (const name of ['times', 'words']) {
    const data = JSON.parse(readFileSync(join(root, `data/english/${name}.json`), 'utf8'));
    const constants = Object.entries(data).map(
      ([key, value]) => `export const ${key} = ${JSON.stringify(value)} as const;\n`,
    );
    const text = `// Made of data/english/${name}.json by the build.\n${constants.join('')}`;
    const path = join(folder, `${name}.ts`);
    if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
  }
}
