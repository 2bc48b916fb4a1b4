// The page of JSON shapes tells of every verb.

import { expect, it } from 'vitest';
// @ts-expect-error a script without types
import { formatShapes } from '../../../scripts/json-shapes.mjs';
import { loadVerbs, outputSchemaOf } from '../../../src/apps/verbs/index.ts';

it('the page of JSON shapes has a part for each verb, and no shape that it cannot name', async () => {
  const verbs = await Promise.all(
    (await loadVerbs()).map(async (verb) => ({ ...verb, schema: await outputSchemaOf(verb.name) })),
  );
  const page: string = formatShapes(verbs);
  const parts = [...page.matchAll(/^## (\S+)\n\n.+\n\n```text\n(?:.+\n)+```$/gm)].map(([, name]) => name);
  expect(parts).toEqual(verbs.map(({ name }) => name));
  expect(page).not.toMatch(/undefined|\[object Object\]/);
});
