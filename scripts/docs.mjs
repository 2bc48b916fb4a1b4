// Writes docs/reference/, which the repository does not hold: functions and types of the library, what verbs print with --json, and the keys
// of memory.yaml. Then it fills the tables of what an import reads, in the README and the guide. All are read off the source and the built
// program.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadVerbs, outputSchemaOf } from '../dist/apps/verbs/index.js';
import { forms, formTitles } from '../dist/features/import/index.js';
import { pages, undocumented, unnamed } from './api-reference.mjs';
import { pageOf, readSchemas } from './configuration.mjs';
import { fillTable, historiesTable, programsTable } from './histories.mjs';
import { formatShapes } from './json-shapes.mjs';

const folder = join(dirname(fileURLToPath(import.meta.url)), '../docs/reference');
const verbs = await Promise.all(
  (await loadVerbs()).map(async (verb) => ({ ...verb, schema: await outputSchemaOf(verb.name) })),
);
const { api, types } = pages();
const { keys } = await readSchemas();

mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries({ api, types, json: formatShapes(verbs), configuration: pageOf(keys) })) {
  writeFileSync(join(folder, `${name}.md`), text);
}
const top = join(folder, '../..');
fillTable(join(top, 'docs/guide-people.md'), 'histories', historiesTable(forms, formTitles));
fillTable(join(top, 'README.md'), 'programs', programsTable(forms, formTitles));
console.log('docs/reference/: api.md, types.md, json.md, configuration.md');
for (const name of unnamed()) console.error(`not exported: ${name}`);
for (const name of undocumented()) console.error(`no docstring: ${name}`);
