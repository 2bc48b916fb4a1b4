// The oracle of the two indexes over words: whole answers of recall, on states of every size at which one takes over from the other, and
// behind edits. lexical-index.test.ts holds single scores to the same.

import { describe, expect, it } from 'vitest';
import { miniSearchIndex } from '../../src/adapters/mini-search-index.ts';
import { recallDefaults } from '../../src/search/recall-options.ts';
import { SearchIndex } from '../../src/search/search-index.ts';
import { memoryFile, noon, Shelf, transcriptFile } from './corpus.ts';

const words =
  `valve tank oxygen pump pressure crew moon engine docking antenna battery burn capsule descent earth fuel gauge hatch ignition
   jettison landing module navigation orbit platform quarantine radar signal telemetry undervolt vector window yaw zenith`.split(
    /\s+/,
  );

/** The words of a number: few are frequent and many are rare, as in a language. */
function textOf(number: number): string {
  let seed = number + 1;
  const next = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((seed / 2 ** 32) ** 2 * below);
  };
  return Array.from({ length: 4 + next(12) }, () => words[next(words.length)]).join(' ');
}

type Files = Map<string, string>;

/** Files with exactly so many documents: sessions of up to 40 turns, and memories. */
function filesOf(documents: number, salt: number): Files {
  const files: Files = new Map();
  const memories = Math.floor(documents / 5);
  for (let at = 0; at < memories; at++) {
    files.set(...memoryFile(`m${at}`, textOf(salt + at), { category: at % 2 === 0 ? 'decision' : 'fact' }));
  }
  for (let at = memories; at < documents; at += 40) {
    const turns = Array.from({ length: Math.min(40, documents - at) }, (_, turn) => ({
      text: textOf(salt + at + turn),
    }));
    files.set(...transcriptFile(`s${at}`, turns, noon - at * 3_600_000));
  }
  return files;
}

const queries = [
  'valve tank',
  'when did the crew lose pressure in the module?',
  'antenna',
  'telemetri',
  'undervlt',
  'docking OR burn category:decision',
  '"oxygen pump"',
  'zenith yaw quarantine valve',
  'to be or not to be',
];

function answersOf(index: SearchIndex) {
  return queries.map((query, at) =>
    index
      .recall(query, { now: noon, limit: 50, mode: at === 0 ? 'hybrid' : 'lexical' })
      .map(({ document: { path, turn, line }, score, parts }) => ({ path, turn, line, score, parts })),
  );
}

/** MiniSearch alone, arrays alone, and whichever the size asks for. */
const kinds = { MiniSearch: Number.POSITIVE_INFINITY, arrays: 0, chosen: recallDefaults.arraysFrom };

function following(): (files: Files) => void {
  const shelf = new Shelf();
  const indexes = Object.values(kinds).map(
    (arraysFrom) => new SearchIndex(shelf.read, { smallIndex: miniSearchIndex, arraysFrom }),
  );
  return (files) => {
    const answers = indexes.map((index) => {
      index.moveTo(shelf.listing(files));
      expect(index.size).toBe(indexes[0]!.size);
      return answersOf(index);
    });
    expect(answers[0]!.filter((hits) => hits.length > 0).length).toBeGreaterThan(5);
    // Scores are rounded to six digits: MiniSearch keeps running averages.
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  };
}

describe('both indexes over words rank alike', () => {
  it.each([64, 1000])('while a state grows beyond %d documents, is edited, and shrinks again', (border) => {
    const ask = following();
    const files = filesOf(border - 1, 7);
    ask(files);
    files.set(...memoryFile('new1', 'the valve of the oxygen tank'));
    ask(files);
    files.set(...memoryFile('new2', textOf(99)));
    ask(files);
    files.set(...memoryFile('m0', 'another wording about the antenna'));
    files.delete(memoryFile('m1', 'gone')[0]);
    ask(files);
    for (const path of [...files.keys()].slice(0, files.size / 2)) files.delete(path);
    ask(files);
    for (const [path, text] of filesOf(border, 8)) files.set(path, text);
    ask(files);
  });
});
