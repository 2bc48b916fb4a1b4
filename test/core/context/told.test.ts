import { describe, expect, it } from 'vitest';
import type { ShownFiles } from '../../../src/core/context/compile/outdated.ts';
import { Told } from '../../../src/core/context/compile/told.ts';
import type { SearchDocument } from '../../../src/search/search-document.ts';

const page = `# Core Memory

## Key Decisions

- 2026-03-02: Dana ships on Tuesday. [memory: m1]

## Notes

- Written by hand.
- 2026-03-03: Dana likes tea. [source: raw/a.md#1] [memory: m2]
- From the ledger. [source: EVT-20260303-001]
`;
const files = {
  textIfWhole: (path: string) => (path === 'knowledge/memory/MEMORY.md' ? page : null),
} as unknown as ShownFiles;
const shown = (told: Told) => told.filesOf(files).textIfWhole('knowledge/memory/MEMORY.md');
const document = (fields: Partial<SearchDocument>): SearchDocument =>
  ({ key: 'k', path: 'raw/a.md', text: 'I like tea.', line: 1, category: 'conversation', ...fields }) as SearchDocument;
const textOf = (path: string) => files.textIfWhole(path);

describe('what the text has', () => {
  it('is left out of pages, with headings that are empty then; lines of people stay', () => {
    const told = new Told();
    expect(shown(told)).toBe(page);
    told.add(['m1', 'EVT-20260303-001']);
    expect(shown(told)).toBe(
      '# Core Memory\n\n## Notes\n\n- Written by hand.\n- 2026-03-03: Dana likes tea. [source: raw/a.md#1] [memory: m2]\n',
    );
    told.addFile(files, 'knowledge/memory/MEMORY.md');
    expect(shown(told)).toBe('# Core Memory\n\n## Notes\n\n- Written by hand.\n');
  });

  it('is no hit again: neither the record, nor its event, nor a turn that says no more', () => {
    const origins = {
      turnsOf: (id: string) => (id === 'm2' ? [{ turn: 'raw/a.md#1', said: 'I like tea.' }] : []),
      claimsOf: (turn: string) => (turn === 'raw/a.md#1' ? ['m2'] : []),
    };
    const said = (text: string) =>
      new Told([{ kind: 'preference', text, source: 's', since: 0, ids: ['m2'] }], origins);
    const told = said('2026-02-16 Dana: I like tea.');
    // Other words are not those of the turn.
    expect(said('Dana likes tea.').untold(document({ turn: 1 }), textOf).text).toBe('I like tea.');
    // A turn that says more tells its claims, too.
    expect(new Told([], origins).untold(document({ turn: 1 }), textOf)).toEqual({ text: 'I like tea.', ids: ['m2'] });
    expect(told.untold(document({ turn: 1 }), textOf).text).toBe('');
    expect(
      told.untold(document({ turn: 1, text: 'I like tea. And the roof leaks above the kitchen.' }), textOf).text,
    ).not.toBe('');
    expect(told.untold(document({ turn: 2 }), textOf).text).toBe('I like tea.');
    expect(told.untold(document({ category: 'ledger', id: 'EVT-1', tells: { memory: 'm2' } }), textOf).text).toBe('');
    expect(told.untold(document({ category: 'ledger', id: 'EVT-2', tells: { memory: 'm3' } }), textOf)).toEqual({
      text: 'I like tea.',
      ids: ['m3', 'EVT-2'],
    });
  });

  it('is each sentence of a turn by itself, also where another passage of that turn says it', () => {
    const told = new Told();
    told.addTurn('raw/a.md#1', 'The roof leaks. I like tea.', ['m2']);
    expect(['I like tea!', 'the roof  leaks', 'I like coffee.'].map((one) => told.has('raw/a.md#1', one))).toEqual([
      true,
      true,
      false,
    ]);
    expect(told.has('raw/a.md#2', 'I like tea.')).toBe(false);
    expect([told.hasAll(['m2']), told.hasAll(['m2', 'm3']), told.hasAll([])]).toEqual([true, false, false]);
  });

  it('is a copy of its own for each try', () => {
    const told = new Told();
    const copy = told.copy();
    copy.add(['m1']);
    expect(shown(told)).toBe(page);
    expect(shown(copy)).not.toBe(page);
  });
});
