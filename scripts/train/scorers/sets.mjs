// The sets of the writers, as rows to learn from: a text with its features, and what each scorer should say of it.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { featuresOf } from '../../../dist/language/features.js';
import { categories, textKinds } from '../../../dist/language/read.js';
import { sentencesOf } from '../../../dist/language/sentences.js';

/** The outputs in the order of the file: see src/language/read.ts. */
export const outputs = ['worth', 'standing', 'change', ...categories, ...textKinds];

/** These relations of two turns change what held; the others do not. */
const changes = new Set(['replaces', 'ends', 'corrects', 'future']);

/** How much a row counts that is no turn. Chosen by leaving writers out, as all such numbers here. */
const counts = { sentence: 0.12, statementStanding: 0.25, statementCategory: 0.5, change: 2.5, first: 0.75 };

function linesOf(file) {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line));
}

/** Reads all sets below a folder: those folders that hold turns.jsonl. */
export function setsIn(folder) {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => existsSync(path.join(folder, name, 'turns.jsonl')));
  return names.sort().map((name) => ({
    name,
    turns: linesOf(path.join(folder, name, 'turns.jsonl')),
    changes: linesOf(path.join(folder, name, 'changes.jsonl')),
  }));
}

/** Where a turn stands, as the product would know it. */
export function settingOf({ turn, before = [] }) {
  const last = before.at(-1);
  return {
    role: turn.role,
    speaker: turn.speaker ?? undefined,
    ...(last === undefined ? {} : { before: { role: last.role, text: last.text } }),
  };
}

/** Numbers features, over all sets. */
export class FeatureIndex {
  names = [];
  numbers = new Map();

  numberOf(name) {
    let number = this.numbers.get(name);
    if (number === undefined) {
      number = this.names.length;
      this.numbers.set(name, number);
      this.names.push(name);
    }
    return number;
  }

  /** Makes a row: its features by number, and how much each of them adds. */
  rowOf(text, setting) {
    const features = [...featuresOf(text, setting)];
    return { at: Int32Array.from(features, (name) => this.numberOf(name)), share: 8 / Math.sqrt(features.length) };
  }
}

const wordsOf = (text) => (text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []).map((word) => word.slice(0, 5));

/** Labels each sentence of a turn by the words that it shares with what was kept of it; undefined where that says nothing. */
function sentenceLabels(record, sentences) {
  if (record.worth !== 'keep') return sentences.map(() => ({ label: 0, count: 1 }));
  const kept = new Set(record.keep.flatMap(({ statement = record.turn.text }) => wordsOf(statement)));
  const shared = sentences.map((sentence) => {
    const words = wordsOf(sentence);
    const found = words.filter((word) => kept.has(word)).length;
    return { found, share: found / Math.max(4, words.length) };
  });
  const most = Math.max(...shared.map(({ found }) => found));
  return shared.map(({ found, share }) => {
    if (found === most || share >= 0.5) return { label: 1, count: 1 };
    return share < 0.15 ? { label: 0, count: 0.5 } : undefined;
  });
}

/** Makes the rows of a set. `goals` holds pairs of output and label; what is not there, a row says nothing of. */
export function rowsOf({ turns, changes: pairs }, index) {
  const rows = [];
  const add = (text, setting, goals, of) => rows.push({ ...index.rowOf(text, setting), goals, of });
  for (const record of turns) {
    const { turn, keep = [], worth } = record;
    const setting = settingOf(record);
    const isKept = worth === 'keep';
    const goals = { worth: [isKept ? 1 : 0, 1], standing: [keep.some(({ standing }) => standing) ? 1 : 0, 1] };
    if (isKept)
      for (const name of categories) goals[name] = [keep.some(({ category }) => category === name) ? 1 : 0, 1];
    if (record.class !== undefined) for (const name of textKinds) goals[name] = [record.class === name ? 1 : 0, 1];
    const sentences = sentencesOf(turn.text);
    add(turn.text, setting, goals, record);
    if (sentences.length > 1) {
      const labels = sentenceLabels(record, sentences);
      for (const [at, sentence] of sentences.entries()) {
        if (labels[at] === undefined) continue;
        const { label, count } = labels[at];
        const { before, ...own } = setting;
        add(sentence, at === 0 ? setting : own, { worth: [label, count * counts.sentence] });
      }
    }
    for (const { statement = turn.text, category, standing } of keep) {
      const own = { standing: [standing ? 1 : 0, counts.statementStanding] };
      for (const name of categories) own[name] = [category === name ? 1 : 0, counts.statementCategory];
      add(statement, {}, own);
    }
  }
  for (const { first, later, relation } of pairs) {
    add(
      later.text,
      { role: later.role },
      { change: [changes.has(relation) ? 1 : 0, counts.change] },
      { later, relation },
    );
    add(first.text, { role: first.role }, { change: [0, counts.first] });
  }
  return rows;
}

/** Tells whether a pair changes what held. */
export const isChange = ({ relation }) => changes.has(relation);
