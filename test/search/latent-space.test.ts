import { describe, expect, it } from 'vitest';
import { dot, normalise } from '../../src/base/vectors.ts';
import { latentSpaceOf } from '../../src/search/latent-space.ts';

const words = (text: string): string[] => text.split(' ');
const sky = [
  'moon star night',
  'star night telescope',
  'moon telescope night',
  'telescope star lens',
  'lens moon star',
];
const sea = ['fish boat net', 'boat net harbour', 'fish harbour boat', 'net fish salt', 'salt boat harbour'];
const texts = [...sky, ...sea].map(words);

const cosine = (one: string, other: string, space = latentSpaceOf(texts)!): number =>
  dot(normalise(space.vectorOf(words(one))), normalise(space.vectorOf(words(other))));

describe('a space learnt from texts', () => {
  it('puts words together that share no text, but company', () => {
    expect(texts.some((text) => text.includes('lens') && text.includes('night'))).toBe(false);
    const toSea = [...new Set(sea.flatMap(words))].map((word) => cosine('lens', word));
    expect(cosine('lens', 'night')).toBeGreaterThan(Math.max(...toSea) + 0.2);
  });

  it('is the same for the same texts in the same order', () => {
    const [one, other] = [latentSpaceOf(texts)!, latentSpaceOf(texts)!];
    for (const text of texts) expect(one.vectorOf(text)).toEqual(other.vectorOf(text));
  });

  it('keeps no more than a quarter of the texts as directions, and 32 at most', () => {
    expect(latentSpaceOf(texts)!.dimensions).toBe(2);
    const many = Array.from({ length: 300 }, (_, at) => [`a${at % 60}`, `b${at % 7}`, `c${at % 11}`]);
    expect(latentSpaceOf(many)!.dimensions).toBe(32);
    expect(latentSpaceOf(texts.slice(0, 7))).toBeUndefined();
  });

  it('knows nothing of words that stand in one text only', () => {
    const space = latentSpaceOf([...texts, words('zeppelin')])!;
    expect([...space.vectorOf(['zeppelin'])]).toEqual([0, 0]);
    expect([...space.vectorOf([])]).toEqual([0, 0]);
  });

  it('adds texts up', () => {
    const space = latentSpaceOf(texts)!;
    const sum = space.vectorOf(['moon']).map((value, at) => value + space.vectorOf(['boat'])[at]!);
    expect(space.vectorOf(['moon', 'boat'])).toEqual(sum);
  });

  it('copes with texts that are all alike, or empty', () => {
    for (const same of [['a', 'b'], []]) {
      const space = latentSpaceOf(Array.from({ length: 20 }, () => same))!;
      expect(space.vectorOf(['a']).every(Number.isFinite)).toBe(true);
    }
  });
});
