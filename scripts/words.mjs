// Makes modules in src/base/generated/ of files in data/. A key of data/english is a constant, and so is a file of data/prompts; data/guard is one.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
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
    write(join(folder, `${name}.ts`), `// Made of data/english/${name}.json by the build.\n${constants.join('')}`);
  }
  const prompts = readdirSync(join(root, 'data/prompts')).filter((name) => name.endsWith('.txt'));
  const constants = prompts.sort().map((name) => {
    const [, version, text] = /^version: (\d+)\n\n(.*)\n$/s.exec(
      readFileSync(join(root, 'data/prompts', name), 'utf8'),
    );
    return `export const ${name.replace('.txt', '')} = ${JSON.stringify({ version, text })} as const;\n`;
  });
  write(join(folder, 'prompts.ts'), `// Made of data/prompts by the build.\n${constants.join('')}`);
  const told = readFileSync(join(root, 'data/guard/told-secrets.txt'), 'utf8');
  write(
    join(folder, 'told-words.ts'),
    `// Made of data/guard by the build.\nexport const toldWords = ${JSON.stringify(told.trim())};\n`,
  );
}

function write(path, text) {
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
}
