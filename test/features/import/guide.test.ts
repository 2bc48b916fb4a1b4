// What README and guide say of forms is what the forms say of themselves; `npm run docs` writes both.

import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
// @ts-expect-error a script without types
import { historiesTable, programsTable } from '../../../scripts/histories.mjs';
import { forms, formTitles } from '../../../src/features/import/index.ts';
import { projectRoot } from '../../helpers/program.ts';

it.each([
  ['docs/guide-people.md', 'histories', historiesTable],
  ['README.md', 'programs', programsTable],
] as const)('%s has the table of the forms', (file, name, table) => {
  const text = fs.readFileSync(path.join(projectRoot, file), 'utf8');
  const [, shown] = new RegExp(`<!-- table: ${name} -->\\n([\\s\\S]*?)\\n?<!-- end -->`).exec(text) ?? [];
  expect(shown).toBe(table(forms, formTitles));
});
