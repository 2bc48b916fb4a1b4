// What memory.yaml may say, as people read it: made of the schema and of the comments in it.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
// @ts-expect-error: a script, without types
import { keysOf, pageOf } from '../../../scripts/configuration.mjs';
import type { ConfigurationKey } from '../../../src/base/types/stored-types.ts';
import { camelKeys } from '../../../src/store/records/camel-keys.ts';
import { defaultConfiguration } from '../../../src/store/records/configuration.ts';
import { configurationSchema, knownNames } from '../../../src/store/records/configuration-schema.ts';
import { configurationKeys } from '../../../src/store/records/generated/configuration-keys.ts';

const pathOf = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const source = readFileSync(pathOf('src/store/records/configuration-schema.ts'), 'utf8');
const made: ConfigurationKey[] = keysOf(z.toJSONSchema(configurationSchema(), { io: 'input' }), source);

describe('the keys of memory.yaml', () => {
  it('each say in a comment what they do', () => {
    expect(made.filter(({ sentence }) => sentence === '').map(({ key }) => key)).toEqual([]);
    expect(made.filter(({ sentence }) => !/[.?]$/.test(sentence)).map(({ key }) => key)).toEqual([]);
  });

  it('are all there, sections too', () => {
    expect(made.map(({ key }) => key).sort()).toEqual(knownNames().sort());
    expect(made.length).toBeGreaterThan(100);
  });

  it('say what a value is and in which unit', () => {
    const byName = new Map(made.map((key) => [key.key, key]));
    expect(byName.get('flush_minutes')).toMatchObject({ takes: 'number, 0 or more', unit: 'minutes', default: 30 });
    expect(byName.get('decay.model')!.takes).toBe('power_law | exponential | two_component');
    expect(byName.get('pack.max_words')).toMatchObject({ unit: 'words', default: 3000 });
    expect(byName.get('maintain.every_hours')).toMatchObject({ takes: 'mapping of names to numbers', unit: 'hours' });
    expect(byName.get('name')).not.toHaveProperty('default');
  });

  it('hold as the schemas say where a file says nothing', () => {
    const defaults = camelKeys(configurationSchema().parse({}));
    expect(defaultConfiguration()).toEqual(defaults);
  });

  it('each have a line on the page of the configuration', () => {
    const lines = (pageOf(made) as string).split('\n').filter((line) => /^\| (?:\*\*)?`/.test(line));
    expect(lines.length).toBe(made.length);
  });

  it('are what the verb config knows', () => {
    expect(configurationKeys, 'run `npm run build`').toEqual(made);
  });
});
