import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dot } from '../../src/base/vectors.ts';
import { tableEmbedder } from '../../src/index.ts';

/** Writes a table: by token its row of int8, all with the scale 1. */
function tableOf(rows: Record<string, number[]>): string {
  const folder = mkdtempSync(join(tmpdir(), 'table-'));
  const tokens = Object.keys(rows);
  const dimensions = Object.values(rows)[0]!.length;
  const header = Buffer.alloc(12 + 4 * tokens.length);
  header.write('GMT1', 'latin1');
  header.writeUInt32LE(tokens.length, 4);
  header.writeUInt32LE(dimensions, 8);
  for (const at of tokens.keys()) header.writeFloatLE(1, 12 + 4 * at);
  writeFileSync(
    join(folder, 'table.bin'),
    Buffer.concat([header, Buffer.from(Int8Array.from(Object.values(rows).flat()))]),
  );
  writeFileSync(join(folder, 'vocabulary.txt'), tokens.join('\n'));
  return folder;
}

const embed = async (folder: string, ...texts: string[]) =>
  (await tableEmbedder(folder).embed(texts)).map((vector) => [...vector]);

describe('a table of token vectors', () => {
  it('adds up the vectors of tokens, the longest from the left, and brings the sum to unit length', async () => {
    const folder = tableOf({ play: [3, 0], '##ing': [0, 4], playwright: [5, 0], p: [0, 1], '.': [0, 0] });
    expect(await embed(folder, 'playing', 'Playwright.', 'pláy', 'playzzz', 'zzz', '')).toEqual([
      [0.6, 0.8].map((value) => expect.closeTo(value)),
      [1, 0],
      [1, 0],
      [1, 0],
      [0, 0],
      [0, 0],
    ]);
  });

  it('is told from another by its fingerprint, and says what is wrong with its files', () => {
    const [one, other] = [tableOf({ a: [1, 0] }), tableOf({ a: [0, 1] })];
    expect(tableEmbedder(one).fingerprint).not.toBe(tableEmbedder(other).fingerprint);
    expect(tableEmbedder(one).fingerprint).toBe(tableEmbedder(tableOf({ a: [1, 0] })).fingerprint);
    writeFileSync(join(one, 'vocabulary.txt'), 'a\nb');
    const wrong = (folder: string) =>
      expect.objectContaining({ code: 'EMBEDDER_UNAVAILABLE', where: expect.stringContaining(folder) });
    expect(() => tableEmbedder(one)).toThrow(wrong(one));
    expect(() => tableEmbedder('/nowhere')).toThrow(wrong('/nowhere'));
  });
});

describe('the table of the package', () => {
  it('finds what is meant in other words', async () => {
    const [question, ...texts] = await tableEmbedder().embed([
      'Which injury is bothering her?',
      'Her knee still hurts when she climbs the stairs.',
      'The invoice for the printer is due on Monday.',
      'Tomatoes need more sun than basil does.',
    ]);
    const likeness = texts.map((text) => dot(question!, text!));
    expect(Math.max(...likeness)).toBe(likeness[0]);
    expect(likeness[0]! - Math.max(...likeness.slice(1))).toBeGreaterThan(0.1);
  });
});
