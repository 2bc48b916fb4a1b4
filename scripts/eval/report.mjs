// What the evaluations show: tables for people, on the terminal and in the documentation.

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sets } from './data.mjs';
import { interval, mean } from './metrics.mjs';

const documentation = fileURLToPath(new URL('../../docs/search-evaluation.md', import.meta.url));

const signed = (value) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(1)}`;
/** A share in points, to one digit. */
export const points = (value) => Math.round(value * 1000) / 10;

/** A mean with its 95 % interval: `63.5 (61.2–65.9)`. */
export function within(values) {
  const [low, high] = interval(values).map(points);
  return `${points(mean(values)).toFixed(1)} (${low.toFixed(1)}–${high.toFixed(1)})`;
}

/** The mean of paired differences with its 95 % interval: `+1.2 (−0.3 to +2.8)`. */
export function gained(values) {
  const [by, low, high] = [mean(values), ...interval(values)].map((value) => signed(points(value)));
  return `${by} (${low} to ${high})`;
}

/** The mean over stores, and the worst of them: `41.2 (wb 33.0)`. */
export function byStore(values, storeOf, worstOf = Math.min) {
  const names = [...new Set(storeOf)];
  const means = names.map((name) => points(mean(values.filter((_, at) => storeOf[at] === name))));
  const worst = worstOf(...means);
  return `${mean(means).toFixed(1)} (${names[means.indexOf(worst)]} ${worst.toFixed(1)})`;
}

const shown = (figures) =>
  figures === undefined ? '' : `${figures['nDCG@10'].toFixed(1)} (${figures['R@5'].toFixed(1)})`;
const ours = ['words', 'table', 'model'];

/** Gives a header and one line for each set: nDCG@10 (R@5) of each system, and the difference to the best baseline. */
export function scoreTable(results) {
  const measured = ours.filter((name) => Object.values(results).some(({ systems }) => name in systems));
  return [
    ['set (questions)', 'MiniSearch', 'FTS5', 'lunr', ...measured.map((name) => `**${name}**`), 'recall − best (95 %)'],
    ...Object.entries(results).map(([name, { questions, systems, best, difference }]) => [
      `${sets[name].title} (${questions.toLocaleString('en-US')})`,
      `${shown(systems.minisearch)}${systems.bigrams ? `; pairs of letters ${shown(systems.bigrams)}` : ''}`,
      shown(systems.fts5),
      shown(systems.lunr),
      ...measured.map((name) => shown(systems[name])),
      best === undefined
        ? ''
        : `${signed(difference[0])} (${signed(difference[1])} to ${signed(difference[2])}) ${best}`,
    ]),
  ];
}

function sessionTable(results) {
  return [
    ['set', 'R@5', 'R@10', 'nDCG@10'],
    ...Object.entries(results).flatMap(([name, { sessions }]) =>
      sessions === undefined
        ? []
        : [[sets[name].title, ...['R@5', 'R@10', 'nDCG@10'].map((measure) => sessions[measure].toFixed(1))]],
    ),
  ];
}

export function printTable(lines, notes = []) {
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  for (const [at, line] of lines.entries()) {
    const cells = line.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])));
    console.log(`  ${cells.join('  ')}  ${at === 0 ? '' : (notes[at - 1] ?? '')}`.trimEnd());
  }
}

const markdownOf = ([header, ...lines]) =>
  [header, header.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** Makes the tables of the page on search from what was measured. */
export function writeDocumentation({ commit, sets: results }) {
  const tables = new Map([
    ['places', scoreTable(results)],
    ['sessions', sessionTable(results)],
    ['measured at', [['commit', commit]]],
  ]);
  return writeTablesTo(documentation, tables);
}

/** Puts tables into a file, each between `<!-- table: NAME -->` and `<!-- end -->`. Returns how many. */
export function writeTablesTo(file, tables) {
  let text = readFileSync(file, 'utf8');
  for (const [name, lines] of tables) {
    const begin = `<!-- table: ${name} -->\n`;
    const from = text.indexOf(begin);
    const to = text.indexOf('<!-- end -->', from);
    if (from < 0 || to < 0) throw new Error(`${file} has no place for the table ${name}`);
    text = `${text.slice(0, from + begin.length)}${markdownOf(lines)}\n${text.slice(to)}`;
  }
  writeFileSync(file, text);
  return tables.size;
}
