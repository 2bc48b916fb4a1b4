import { describe, expect, it } from 'vitest';
import { SearchIndex } from '../../src/search/search-index.ts';
import { apolloIsPresent, apolloSessions, skippedNote } from '../core/capture/apollo.ts';
import { Shelf } from './corpus.ts';

describe.skipIf(!apolloIsPresent)(`recall over 10,876 turns${skippedNote}`, () => {
  const shelf = new Shelf();
  const index = new SearchIndex(shelf.read);
  const now = Date.parse('1970-04-18T00:00:00Z');
  const files = apolloIsPresent ? apolloSessions() : [];
  const listing = shelf.listing(files.map(({ path, text }) => [path, text] as const));

  it('knows every turn', () => {
    index.moveTo(listing);
    expect(index.size).toBe(10_876);
  });

  it('finds the words everybody knows, where they stand', () => {
    const [hit] = index.recall("Houston, we've had a problem", { now, limit: 3 });
    expect(hit).toMatchObject({
      snippet: expect.stringContaining("Houston, we've had a problem."),
      document: { speaker: 'CDR' },
    });
    const file = files.find(({ path }) => path === hit!.document.path)!;
    expect(file.text.split('\n')[hit!.line - 1]).toContain("Houston, we've had a problem.");
    expect(file.transcript.turns[hit!.document.turn! - 1]!.text).toContain("Houston, we've had a problem.");
    expect(new Date(hit!.document.time!).toISOString()).toBe('1970-04-14T03:08:35.000Z');
  });

  it.each([
    ['lithium hydroxide canister', /lithium hydroxide canister/i],
    ['income tax return', /income tax/i],
    ['main B bus undervolt', /MAIN B(?: BUS)? UNDERVOLT/i],
    ['venting something into space', /venting something/i],
  ])('finds %s', (query, expected) => {
    expect(
      index
        .recall(query, { now, limit: 3 })
        .map(({ snippet }) => snippet)
        .join('\n'),
    ).toMatch(expected);
  });
});
