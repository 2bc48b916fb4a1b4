// What the guide says of forms is what the forms say of themselves.

import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { forms, formTitles } from '../../../src/features/import/index.ts';
import { projectRoot } from '../../helpers/program.ts';

/** Makes the table; to bring the guide in step, put what this expects between its marks. */
function table(): string {
  const rows = Object.values(forms).map(({ name, places }) => {
    const { title, what } = formTitles[name];
    const where = places.map(
      ({ root, variable, files }) => `\`${root}/${files}\`${variable === undefined ? '' : ` ($${variable})`}`,
    );
    return `| \`${name}\` | ${title} | ${what} | ${where.join(', ')} |`;
  });
  return ['| form | of | what | where it lies |', '|---|---|---|---|', ...rows].join('\n');
}

it('the guide has the table of the forms', () => {
  const guide = fs.readFileSync(path.join(projectRoot, 'docs/guide-people.md'), 'utf8');
  const [, shown] = /<!-- table: histories -->\n([\s\S]*?)\n?<!-- end -->/.exec(guide) ?? [];
  expect(shown?.trim()).toBe(table());
});
