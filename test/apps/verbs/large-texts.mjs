// A process that gives every text field of every verb a text of 10 MB; started by
// large-texts.test.ts with --expose-gc. Each line is what came of one.

import { z } from 'zod';
import { loadVerbs } from '../../../dist/apps/verbs/index.js';
import { runVerb } from '../../../dist/apps/verbs/verb.js';
import { openMemory } from '../../../dist/index.js';
import { peakBytes } from '../../helpers/peak.mjs';

const memory = await openMemory({ dir: process.argv[2], create: true, durability: 'fast' });
await memory.capture({ messages: [{ role: 'user', text: 'Tea is served at five.' }] });
const { id } = await memory.remember('Tea is green');
const other = await memory.remember('Coffee is black');
const path = 'knowledge/people/ada.md';
await memory.write(path, '# Ada\n\n- Lives in Paris\n');
await memory.commit();

const large = 'lorem ipsum dolor sit amet '.repeat(400_000);
/** What a verb needs beside the field that is tried, where the schema does not say it. */
const needs = {
  branch: [{}, { name: 'side' }],
  capture: [{}, { text: 'x' }],
  config: [{}, { action: 'set', key: 'timezone', value: 'UTC' }],
  experiment: [{}, { action: 'run', names: ['one'] }],
  mount: [{}, { name: 'one', folder: 'x' }],
  purge: [{ yes: true }],
  quarantine: [{}, { action: 'show' }],
  split: [{}, { id }],
  topics: ['new', 'test', 'turn', 'rate'].map((action) => ({ action, text: 'tea' })),
  undo: [{}, { from: 'HEAD~1', to: 'HEAD' }, { revision: 'HEAD' }],
};
const samples = {
  id,
  path,
  query: 'tea',
  message: 'tea',
  text: 'Paris',
  old: 'Paris',
  new: 'Rome',
  from: id,
  to: other.id,
};
const samplesOf = { diff: { from: 'HEAD' }, mv: { from: path, to: 'knowledge/people/ada-lovelace.md' } };
const context = {
  dryRun: false,
  memory: async () => memory,
  view: async () => memory,
  create: async () => memory,
  newFolder: () => null,
  plan: async () => ({}),
  doctor: async () => ({}),
  checkStaged: async () => ({}),
  readInput: async () => large,
  files: { read: () => Buffer.from('x'), write: () => undefined },
  keys: async () => ({ place: 'keys', read: () => [], add: () => undefined }),
  pathOf: (name) => `${process.argv[2]}/${name}`,
  onProgress: () => undefined,
};

const isText = (field) => JSON.stringify(field).includes('"string"') && (field.items ?? field).enum === undefined;
const filledIn = (field, text) => {
  if (field.type === 'array')
    return [field.items.enum?.[0] ?? (field.items.type === 'object' ? { role: 'user', text } : text)];
  return field.type === 'object' ? { x: text } : (field.enum?.[0] ?? (field.type === 'integer' ? 1 : text));
};
const state = async () => JSON.stringify([memory.tip, (await memory.status()).pending]);

let before = await state();
for (const verb of await loadVerbs()) {
  const { properties, required = [] } = z.toJSONSchema(verb.input, { io: 'input' });
  const given = { ...samples, ...samplesOf[verb.name] };
  const least = Object.fromEntries(required.map((name) => [name, filledIn(properties[name], given[name] ?? 'x')]));
  for (const [name, field] of Object.entries(properties).filter(([, one]) => isText(one))) {
    for (const more of needs[verb.name] ?? [{}]) {
      const answer = await runVerb(verb, context, { ...least, ...more, [name]: filledIn(field, large) }).then(
        () => ({}),
        ({ code, message }) => ({ code, message }),
      );
      const isWritten = answer.code !== undefined && (await state()) !== before;
      if (answer.code === undefined) {
        await memory.commit();
        before = await state();
        globalThis.gc();
      }
      console.log(JSON.stringify({ field: `${verb.name}.${name}`, ...answer, isWritten }));
    }
  }
}
console.log(JSON.stringify({ maxRssBytes: peakBytes() }));
memory.dispose();
