import { describe, expect, it } from 'vitest';
import { plainText, wordCutter } from '../../src/base/word-pieces.ts';

describe('wordCutter', () => {
  const { cut } = wordCutter('un\nunhappy\n##happi\n##ness\ncafe');

  it('takes the longest token from the left, and then those that continue a word', () => {
    expect(cut('unhappy')).toEqual({ rows: [1], isWhole: true });
    expect(cut('unhappiness')).toEqual({ rows: [0, 2, 3], isWhole: true });
  });

  it('says that a word is not whole where nothing covers the rest of it', () => {
    expect(cut('unx')).toEqual({ rows: [0], isWhole: false });
    expect(cut('xun')).toEqual({ rows: [], isWhole: false });
    expect(wordCutter('').cut('a')).toEqual({ rows: [], isWhole: false });
  });

  it('is asked for plain words', () => {
    expect(cut(plainText('Café'))).toEqual({ rows: [4], isWhole: true });
  });
});
