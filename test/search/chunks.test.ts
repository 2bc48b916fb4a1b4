import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunksOf } from '../../src/search/chunks.ts';

const sentence = 'The quick brown fox jumps over the lazy dog near the river bank. ';

describe('chunksOf', () => {
  it('leaves a short text whole, from the line where it begins', () => {
    expect(chunksOf('\n\nOne.\n\nTwo.\n')).toEqual([{ text: 'One.\n\nTwo.', line: 2 }]);
    expect(chunksOf(' \n\n')).toEqual([]);
  });

  it('cuts between paragraphs and list items, not inside code', () => {
    const paragraph = sentence.repeat(8).trim();
    const code = `\`\`\`\n${'x = 1\n\n'.repeat(60)}\`\`\``;
    const chunks = chunksOf(`${paragraph}\n\n${paragraph}\n\n${code}\n\n- item\n- item two\n`);
    expect(chunks.map(({ text }) => text)).toEqual([paragraph, paragraph, `${code}\n\n- item\n- item two`]);
    expect(chunks.map(({ line }) => line)).toEqual([0, 2, 4]);
  });

  it('cuts a paragraph without seams between sentences', () => {
    const chunks = chunksOf(sentence.repeat(40));
    expect(chunks.length).toBeGreaterThan(2);
    for (const { text } of chunks) expect(text).toMatch(/\.$/);
  });

  it('loses nothing but blank space, names the right line, and keeps pieces short', () => {
    const piece = fc.constantFrom(
      sentence,
      '\n',
      '\n\n',
      '- item ',
      '# x\n',
      '```\n',
      'word '.repeat(90),
      '😀'.repeat(700),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('');
        const lines = text.split('\n');
        const chunks = chunksOf(text);
        const solid = (value: string) => value.replace(/\s+/g, '');
        expect(chunks.map((chunk) => solid(chunk.text)).join('')).toBe(solid(text));
        for (const chunk of chunks) {
          expect(chunk.text.length).toBeLessThanOrEqual(1200);
          expect(chunk.text).not.toMatch(/\p{Cs}/u);
          expect(lines[chunk.line]).toContain(chunk.text.split('\n')[0]);
        }
      }),
    );
  });
});
