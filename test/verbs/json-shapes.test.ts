// docs/json.md is what the schemas say.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
// @ts-expect-error a script without types
import { formatShapes } from '../../scripts/json-shapes.mjs';
import { describeVerb } from '../../src/entry/cli/help.ts';
import { loadVerbs } from '../../src/verbs/index.ts';
import { projectRoot } from '../helpers/program.ts';

it('docs/json.md tells of every verb what its schema says; `npm run docs` writes it', async () => {
  const verbs = (await loadVerbs()).map((verb) => ({ ...verb, schema: describeVerb(verb).output }));
  expect(readFileSync(join(projectRoot, 'docs/json.md'), 'utf8')).toBe(formatShapes(verbs));
});
