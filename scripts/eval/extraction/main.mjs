// The evaluation of the rule extractor: of what it takes, how much is right; of what is worth keeping, how much it takes.
//   npm run eval -- extraction           all sets
//   npm run eval -- extraction locomo    one set: locomo, qmsum, apollo
//   npm run eval -- extraction --wrong   also names what is wrong, by id, category and its first words
//   npm run eval -- extraction --write   puts the tables into docs/extraction-evaluation.md

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ruleExtractor } from '../../../dist/core/extract/rules.js';
import { printTable } from '../report.mjs';
import { corpus, idOf, labelledTurns } from './corpus.mjs';
import { labelsOf, letters } from './labels.mjs';
import { kappa, Tally } from './score.mjs';

const documentation = fileURLToPath(new URL('../../../docs/extraction-evaluation.md', import.meta.url));

/** So many turns of each set were drawn at random, whatever was found in them. */
const drawn = { locomo: 300, qmsum: 120, apollo: 120 };

function tallies() {
  return Object.fromEntries(
    Object.keys(letters).map((category) => [
      category,
      { tuned: new Tally(), heldOut: new Tally(), all: new Tally(), recall: new Tally(), unlabelled: 0, readings: [] },
    ]),
  );
}

/** What the extractor finds in a session: turn → categories, each with what it took. */
function foundIn({ session, transcript }) {
  const found = new Map();
  for (const { category, content, turns } of ruleExtractor.extract(transcript, { path: session, maxItems: 100_000 })) {
    const id = idOf(session, turns[0]);
    if (!found.has(id)) found.set(id, new Map());
    found.get(id).set(category, content);
  }
  return found;
}

function measure(set, results, wrong) {
  const sessions = corpus(set);
  if (sessions.length === 0) return false;
  const labels = labelsOf(set);
  const turns = labelledTurns(sessions);
  const random = new Set(turns.slice(0, drawn[set]).map(({ id }) => id));
  const found = new Map(sessions.flatMap((session) => [...foundIn(session)]));
  for (const { id, isHeldOut } of turns) {
    const label = labels.get(id);
    for (const [category, result] of Object.entries(results)) {
      const words = found.get(id)?.get(category);
      if (label === undefined) {
        if (words !== undefined) result.unlabelled += 1;
        continue;
      }
      const [first, second, settled] = label.map((reading) => reading.includes(letters[category]));
      result.readings.push([first, second]);
      if (words !== undefined) {
        result[isHeldOut ? 'heldOut' : 'tuned'].add(settled);
        result.all.add(settled);
        if (!settled) wrong.push(`${set} ${id}${isHeldOut ? ' (held out)' : ''} ${category}: ${words.slice(0, 60)}`);
      }
      if (settled && random.has(id)) result.recall.add(words !== undefined);
    }
  }
  return true;
}

function tableOf(results) {
  return [
    [
      'category',
      'precision, held out',
      'precision, seen',
      'precision, all',
      'recall, random turns',
      'κ',
      'not labelled',
    ],
    ...Object.entries(results).map(([category, { heldOut, tuned, all, recall, readings, unlabelled }]) => [
      category,
      ...[heldOut, tuned, all, recall].map(String),
      kappa(readings).toFixed(2),
      String(unlabelled),
    ]),
  ];
}

const markdown = (lines) =>
  [lines[0], lines[0].map(() => '---'), ...lines.slice(1)].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

export function evaluateExtraction(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      wrong: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
    },
  });
  const sets = positionals.length > 0 ? positionals : Object.keys(drawn);
  const unknown = sets.find((set) => !(set in drawn));
  if (unknown !== undefined) throw new Error(`no set ${unknown}; there are ${Object.keys(drawn).join(', ')}`);
  const results = tallies();
  const wrong = [];
  const measured = sets.filter((set) => {
    if (measure(set, results, wrong)) return true;
    console.log(`${set}: skipped, data not present`);
    return false;
  });
  if (measured.length === 0) return;
  const table = tableOf(results);
  console.log(`\nrules, version ${ruleExtractor.version}, on ${measured.join(', ')}`);
  printTable(table);
  if (values.wrong) console.log(`\n${wrong.join('\n')}`);
  if (!values.write) return;
  if (measured.length < Object.keys(drawn).length)
    throw new Error('the table of the documentation is that of all sets');
  const text = readFileSync(documentation, 'utf8');
  const place = /(<!-- table: extraction -->\n)[\s\S]*?(?=<!-- end -->)/;
  if (!place.test(text)) throw new Error('the documentation has no place for the table');
  writeFileSync(
    documentation,
    text.replace(place, (_, open) => `${open}\n${markdown(table)}\n\n`),
  );
}
