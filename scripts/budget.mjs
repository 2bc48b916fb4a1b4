// Holds the house to its size: `npm run budget` prints what each package has left, and fails where one has more than scripts/budget.json gives it.
// A change that needs more raises the number there, and its commit says what was bought. Made modules are not counted. A limit that the house
// does not keep yet stands at what it has, and only falls.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));
const budget = JSON.parse(readFileSync(join(root, 'scripts/budget.json'), 'utf8'));

/** Lists the sources below a folder, with forward slashes. */
function sourcesOf(folder) {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((name) => /\.(?:ts|tsx|mjs)$/.test(name) && !name.includes('/generated/'))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

const lineCount = (text) => text.split('\n').length - 1;
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** Counts the regular expressions that a source has as literals. */
function patternCount({ path, text }) {
  let count = 0;
  const visit = (node) => {
    if (node.kind === ts.SyntaxKind.RegularExpressionLiteral) count += 1;
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.ES2023));
  return count;
}

/** Counts the names that a door hands out. */
const nameCount = ({ text }) =>
  sum(
    [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].map(
      ([, list]) => list.split(',').filter((name) => name.trim() !== '').length,
    ),
  );

const failures = [];

/** Prints one limit with what is left of it; places are shown where there are some. */
function check(what, used, limit, places = []) {
  console.log(`${what.padEnd(42)} ${String(used).padStart(6)} of ${String(limit).padStart(6)}, ${limit - used} left`);
  if (!(used <= limit)) failures.push([`${what}: ${used}, and ${limit} are allowed`, ...places].join('\n  '));
}

const code = sourcesOf('src');
for (const [name, limit] of Object.entries(budget.lines)) {
  const own = name === 'test' ? sourcesOf('test') : code.filter(({ path }) => path.startsWith(`src/${name}`));
  check(`lines of ${name}`, sum(own.map(({ text }) => lineCount(text))), limit);
}
const packages = code.map(({ path }) => path.split('/')[1]);
const unknown = [...new Set(packages)].filter((name) => !(name in budget.lines));
check('packages without a budget', unknown.length, 0, unknown);

// What reads a format may name it by patterns; elsewhere they are few.
const elsewhere = code.filter(({ path }) => !budget.formats.some((folder) => path.startsWith(`src/${folder}/`)));
check('regular expressions outside of formats', sum(elsewhere.map(patternCount)), budget.patterns);

const wide = code.flatMap(({ path, text }) =>
  text.split('\n').flatMap((line, at) => (line.length > budget.columns ? [`${path}:${at + 1}`] : [])),
);
check(`lines of src over ${budget.columns} columns`, wide.length, budget.wideLines, wide);

const long = code.filter(({ text }) => lineCount(text) > budget.fileLines).map(({ path }) => path);
check(`files of src over ${budget.fileLines} lines`, long.length, budget.longFiles, long);

for (const door of code.filter(({ path }) => /^src\/(?!apps\/).*\/index\.ts$/.test(path))) {
  const name = door.path.slice('src/'.length, -'/index.ts'.length);
  check(`names at the door of ${name}`, nameCount(door), budget.doors[name] ?? budget.names);
}

for (const failure of failures) console.error(failure);
process.exit(failures.length === 0 ? 0 : 1);
