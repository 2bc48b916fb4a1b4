// What turns hold, by id alone: no word of the conversations is kept here. How they were labelled is in docs/extraction-evaluation.md.

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The letters that stand for categories in the files of labels. */
export const letters = {
  decision: 'D',
  commitment: 'C',
  preference: 'P',
  correction: 'K',
  principle: 'R',
  relationship: 'L',
  entity: 'E',
  moment: 'M',
  skill: 'S',
  fact: 'F',
};

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), 'labels');

/** Reads the labels of a set: id → `[first, second, settled]`, each a text of letters; empty for a turn that holds nothing. */
export function labelsOf(set) {
  const file = path.join(folder, `${set}.json`);
  return new Map(existsSync(file) ? Object.entries(JSON.parse(readFileSync(file, 'utf8'))) : []);
}
