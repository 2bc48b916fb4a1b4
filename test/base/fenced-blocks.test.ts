import { describe, expect, it } from 'vitest';
import { fencedBlocks, fenceReader } from '../../src/base/fenced-blocks.ts';

const placesIn = (lines: readonly string[]) => lines.map(fenceReader());

describe('the place of a line in a fenced block', () => {
  it('is known by the mark that opened it: another sign, fewer signs or words behind them close nothing', () => {
    const lines = ['a', '````sh', '```', '~~~~', '```` no', '````', 'b', '~~~', '```', '~~~  '];
    expect(placesIn(lines)).toEqual([
      null,
      'opens',
      'within',
      'within',
      'within',
      'closes',
      null,
      'opens',
      'within',
      'closes',
    ]);
  });

  it('is none for code within a line, and for what is indented by four', () => {
    expect(placesIn(['```sh``` is code', '    ```', 'a'])).toEqual([null, null, null]);
  });

  it('is seen where lines end in CR LF', () => {
    expect(placesIn(['```\r', '# no heading\r', '```\r', '# one\r'])).toEqual(['opens', 'within', 'closes', null]);
  });

  it('goes on to the end where nothing closes it, which is no block to take out', () => {
    expect(placesIn(['```', 'a'])).toEqual(['opens', 'within']);
    expect(fencedBlocks('```\na')).toEqual([]);
  });
});
