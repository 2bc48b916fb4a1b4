// What the evaluation shows: tables for people, on the terminal and in the documentation.

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { interval, mean, meanScores, measures } from './metrics.mjs';

const documentation = fileURLToPath(new URL('../../docs/search-evaluation.md', import.meta.url));

const percent = (value) => (value * 100).toFixed(1);
const signed = (value) => `${value < 0 ? '−' : '+'}${Math.abs(value * 100).toFixed(1)}`;

/** The measures of which the difference to MiniSearch is told. */
const compared = ['R@5', 'R@10', 'nDCG@10'];

function differences(rows, plain) {
  return compared.map((name) => {
    const at = measures.indexOf(name);
    const [own, other] = [rows.map((row) => row[at]), plain.map((row) => row[at])];
    const [low, high] = interval(own, other);
    return `${signed(mean(own) - mean(other))} (${signed(low)} to ${signed(high)})`;
  });
}

/** Gives a header and one line per system; the first is what the others are compared with. */
export function summaryTable(results) {
  const [plain] = Object.values(results);
  return [
    ['', ...measures, ...compared.map((name) => `Δ ${name}`)],
    ...Object.entries(results).map(([system, { rows }]) => [
      system === 'default' ? '**recall, as it comes**' : system,
      ...meanScores(rows).map(percent),
      ...(rows === plain.rows ? compared.map(() => '') : differences(rows, plain.rows)),
    ]),
  ];
}

/** Gives a header and one line per category: R@10 and nDCG@10 of the first system and of the second. */
export function categoryTable(results, questions) {
  const [plain, main] = Object.values(results);
  const shown = ['R@10', 'nDCG@10'];
  return [
    ['category (questions)', ...shown.map((name) => `${name}, MiniSearch`), ...shown.map((name) => `${name}, recall`)],
    ...[...new Set(questions.map(({ category }) => category))].sort().map((category) => {
      const inCategory = ({ rows }) => meanScores(rows.filter((_, at) => questions[at].category === category));
      const of = (result) => shown.map((name) => percent(inCategory(result)[measures.indexOf(name)]));
      const count = questions.filter((question) => question.category === category).length;
      return [`${category} (${count})`, ...of(plain), ...of(main)];
    }),
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

/** Puts tables into the documentation, each between `<!-- table: NAME -->` and `<!-- end -->`. Returns how many. */
export const writeTables = (tables) => writeTablesTo(documentation, tables);

/** The same for another file. */
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
