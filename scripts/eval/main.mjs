// The evaluation: how well recall finds the turns and sessions that answer a question, beside plain MiniSearch.
//   npm run eval                        all sets, a summary and the categories of the default
//   npm run eval -- locomo              one set: locomo, qmsum
//   npm run eval -- --file FILE locomo  another file of the same form
//   npm run eval -- --only default      one system; see `systems` below

import { parseArgs } from 'node:util';
import { locomo, qmsum } from './data.mjs';
import { interval, mean, meanScores, measures, score } from './metrics.mjs';
import { baseline, memoryOf, recall } from './systems.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { file: { type: 'string' }, only: { type: 'string' } },
});

const sets = { locomo, qmsum };
const systems = {
  default: {},
  'words only': { mode: 'lexical' },
  'vectors only': { mode: 'vector' },
  'sum, vectors 0.2': { vectorWeight: 0.2 },
  'sum, vectors 0.6': { vectorWeight: 0.6 },
  'reciprocal ranks': { fusion: 'rrf', vectorWeight: 0.5 },
  'spec 5': { fusion: 'spec' },
  'recency 0.2': { recency: 0.2 },
};

const percent = (value) => (value * 100).toFixed(1).padStart(5);
const signed = (value) => `${value < 0 ? '−' : '+'}${Math.abs(value * 100).toFixed(1)}`;

function printTable(rows) {
  const width = Math.max(...rows.map(([name]) => name.length));
  console.log(`  ${''.padEnd(width)}  ${measures.map((name) => name.padStart(7)).join('')}`);
  for (const [name, scores, note = ''] of rows) {
    console.log(`  ${name.padEnd(width)}  ${scores.map((value) => percent(value).padStart(7)).join('')}  ${note}`);
  }
}

const goldOf = (question, level) =>
  level === 'turn' ? question.gold : new Set([...question.gold].map((place) => place.slice(0, place.lastIndexOf('#'))));

const names = positionals.length > 0 ? positionals : Object.keys(sets);
for (const name of names) {
  const stores = sets[name]?.(values.file);
  if (!stores) {
    console.log(`${name}: skipped, data not present`);
    continue;
  }
  const memories = [];
  for (const store of stores) memories.push(await memoryOf(store));
  const levels = stores.some(({ sessions }) => sessions.length > 1) ? ['turn', 'session'] : ['turn'];
  for (const level of levels) {
    const questions = stores.flatMap((store) => store.questions);
    console.log(`\n${name}, ${level}s: ${questions.length} questions in ${stores.length} conversations`);
    const rowsOf = {};
    const timesOf = {};
    const measured = async (system, asked) => {
      const rows = [];
      const times = [];
      for (const [at, store] of stores.entries()) {
        const ask = asked(store, memories[at]);
        for (const question of store.questions) {
          const start = performance.now();
          const ranked = await ask(question.text);
          times.push(performance.now() - start);
          rows.push(score(ranked, goldOf(question, level)));
        }
      }
      rowsOf[system] = rows;
      timesOf[system] = mean(times);
    };
    await measured('MiniSearch', (store) => baseline(store, level));
    for (const [system, options] of Object.entries(systems)) {
      if (values.only === undefined || values.only === system) {
        await measured(system, (_, memory) => recall(memory, level, options));
      }
    }
    const plain = rowsOf.MiniSearch;
    printTable(
      Object.entries(rowsOf).map(([system, rows]) => {
        const notes = [1, 2, 5].map((at) => {
          const [own, other] = [rows.map((row) => row[at]), plain.map((row) => row[at])];
          const [low, high] = interval(own, other);
          return `${measures[at]} ${signed(mean(own) - mean(other))} (${signed(low)} to ${signed(high)})`;
        });
        const note = system === 'MiniSearch' ? '' : notes.join('  ');
        return [system, meanScores(rows), `${timesOf[system].toFixed(1)} ms  ${note}`];
      }),
    );
    const categories = [...new Set(questions.map(({ category }) => category))].sort();
    const main = rowsOf.default ?? Object.values(rowsOf).at(-1);
    if (categories.length > 1) {
      console.log('  by category: MiniSearch, then the first system above');
      printTable(
        categories.flatMap((category) => {
          const of = (rows) => meanScores(rows.filter((_, at) => questions[at].category === category));
          const count = questions.filter((question) => question.category === category).length;
          return [
            [`${category} (${count})`, of(plain)],
            ['', of(main)],
          ];
        }),
      );
    }
  }
  for (const memory of memories) await memory.close();
}
