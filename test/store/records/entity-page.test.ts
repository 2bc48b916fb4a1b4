// Entities in their files: whatever a name or a text holds, it comes back as it was.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  newEntityPage,
  readEntityPage,
  withObservations,
  withoutStretches,
  withRelations,
} from '../../../src/store/records/entity-page.ts';

const path = 'knowledge/entities/x.md';
const line = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    '',
    '- x',
    '## Relations',
    '# T',
    '---',
    '```',
    '  two',
    '[[a]] b [[c]]',
    '- [source: x]',
    '\r',
    'a\r',
  ),
);
const text = fc.array(line, { minLength: 1, maxLength: 4 }).map((lines) => lines.join('\n'));
const name = fc
  .oneof(text, fc.constantFrom('a|b', '[[x]]', '42', 'null', ' padded ', '`'))
  .filter((one) => one.trim() !== '');
const created = '2026-02-16T09:00:00.000Z';

it('gives back what was written, and nothing else', () => {
  fc.assert(
    fc.property(
      fc.record({
        name,
        entityType: text,
        observations: fc.array(text, { maxLength: 4 }),
        later: fc.array(text, { maxLength: 2 }),
        relations: fc.array(fc.record({ from: name, to: name, relationType: text }), { maxLength: 3 }),
      }),
      ({ name, entityType, observations, later, relations }) => {
        let page = withObservations(newEntityPage({ name, entityType, created }), observations);
        page = withRelations(page, relations, (one) => (one === name ? 'x' : undefined));
        page = withObservations(page, later);
        const read = readEntityPage(path, page)!;
        expect(read).toMatchObject({ name, entityType, created });
        const all = [...observations, ...later];
        expect(read.observations.map((item) => item.text)).toEqual(all);
        expect(read.relations.map(({ from, to, relationType }) => ({ from, to, relationType }))).toEqual(relations);
        // Taking one out leaves the others.
        const rest = readEntityPage(path, withoutStretches(page, read.observations.slice(0, 1)))!;
        expect(rest.observations.map((item) => item.text)).toEqual(all.slice(1));
        expect(rest.relations).toHaveLength(relations.length);
      },
    ),
    { numRuns: 300 },
  );
});

it('gives back a type of blank lines', () => {
  for (const entityType of [' \n', '\n', ' \n \n']) {
    const page = newEntityPage({ name: '---', entityType, created });
    expect(readEntityPage(path, page)).toMatchObject({ name: '---', entityType });
  }
});

it('reads what people and passes wrote', () => {
  const page = readEntityPage(
    'knowledge/people/ada.md',
    '# Ada Lovelace\n\nBorn in London.\n\n## Key Facts\n\n- Speaks Spanish [source: raw/a.md#1]\n- Knows [[babbage|Babbage]]\n\n' +
      '## Relations\n\n- [[ada|Ada Lovelace]] works with [[Babbage]]\n- a remark of somebody\n',
  );
  expect(page).toMatchObject({ name: 'Ada Lovelace', entityType: 'person', created: '' });
  expect(page!.observations.map((item) => item.text)).toEqual(['Speaks Spanish', 'Knows Babbage']);
  expect(page!.relations).toMatchObject([{ from: 'Ada Lovelace', to: 'Babbage', relationType: 'works with' }]);
  expect(readEntityPage(path, '---\nname: [\n---\n')).toBeUndefined();
});
