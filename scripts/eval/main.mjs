// The evaluation: how well recall finds the turns and sessions that answer a question, beside plain MiniSearch.
//   npm run eval                        all sets, turns and sessions, every system
//   npm run eval -- locomo              one set: locomo, qmsum
//   npm run eval -- --file FILE locomo  another file of the same form
//   npm run eval -- --only default      one system; see `systems` below
//   npm run eval -- --model FOLDER      with a transformer model in place of the built-in embedder
//   npm run eval -- --extract           with what the rules extract beside the turns; a memory stands for the turns it was taken from
//   npm run eval -- --write             puts the tables into docs/search-evaluation.md
//   npm run eval -- context             how often a compiled context holds what answers, see context.mjs
//   npm run eval -- extraction          how well the rules extract, see extraction/main.mjs

import { parseArgs } from 'node:util';
import { transformersEmbedder } from '../../dist/index.js';
import { locomo, qmsum } from './data.mjs';
import { mean, score } from './metrics.mjs';
import { categoryTable, printTable, summaryTable, writeTables } from './report.mjs';
import { baseline, memoryOf, recall } from './systems.mjs';

if (process.argv[2] === 'extraction') {
  const { evaluateExtraction } = await import('./extraction/main.mjs');
  evaluateExtraction(process.argv.slice(3));
  process.exit();
}

// `npm run eval -- scripted RUNNER CASES`
if (process.argv[2] === 'scripted') {
  const { evaluateScripted } = await import('./scripted-model.mjs');
  process.exit(await evaluateScripted(process.argv.slice(3)));
}

// `npm run eval -- lives`: memories that come about day by day, judged by `git memory test`
if (process.argv[2] === 'lives') {
  const { evaluateLives } = await import('./lives.mjs');
  process.exit(await evaluateLives(process.argv.slice(3)));
}

if (process.argv[2] === 'context') {
  const { evaluateContext } = await import('./context.mjs');
  await evaluateContext(process.argv.slice(3));
  process.exit();
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    file: { type: 'string' },
    only: { type: 'string' },
    model: { type: 'string' },
    extract: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});

const sets = { locomo, qmsum };
const systems = {
  default: {},
  "mode: 'lexical'": { mode: 'lexical' },
  "mode: 'vector'": { mode: 'vector' },
  'vectorWeight: 0.1': { vectorWeight: 0.1 },
  'vectorWeight: 0.4': { vectorWeight: 0.4 },
  'vectorWeight: 0.6': { vectorWeight: 0.6 },
  "fusion: 'rrf', half and half": { fusion: 'rrf', vectorWeight: 0.5 },
  "fusion: 'spec'": { fusion: 'spec' },
  'recency: 0.2': { recency: 0.2 },
};

const goldOf = (question, level) =>
  level === 'turn' ? question.gold : new Set([...question.gold].map((place) => place.slice(0, place.lastIndexOf('#'))));

const names = positionals.length > 0 ? positionals : Object.keys(sets);
const unknown = names.find((name) => !(name in sets));
if (unknown !== undefined) throw new Error(`no set ${unknown}; there are ${Object.keys(sets).join(', ')}`);
if (values.only !== undefined && !(values.only in systems)) {
  throw new Error(`no system ${values.only}; there are ${Object.keys(systems).join(', ')}`);
}
if (values.write && (values.extract || (values.only ?? values.file ?? values.model) !== undefined)) {
  throw new Error('the tables of the documentation are those of all systems on the sets that lie beside the project');
}
const embedder = values.model === undefined ? undefined : await transformersEmbedder({ model: values.model });
const tables = new Map();

for (const name of names) {
  const stores = sets[name](values.file);
  if (!stores) {
    console.log(`${name}: skipped, data not present`);
    continue;
  }
  const memories = [];
  for (const store of stores) memories.push(await memoryOf(store, { embedder, extracts: values.extract }));
  const levels = stores.some(({ sessions }) => sessions.length > 1) ? ['turn', 'session'] : ['turn'];
  const questions = stores.flatMap((store) => store.questions);
  for (const level of levels) {
    console.log(`\n${name}, ${level}s: ${questions.length} questions in ${stores.length} conversations`);
    const measured = async (asked) => {
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
      return { rows, milliseconds: mean(times) };
    };
    const results = { 'MiniSearch, Porter, stop list': await measured((store) => baseline(store, level)) };
    for (const [system, options] of Object.entries(systems)) {
      if (values.only !== undefined && values.only !== system) continue;
      results[system] = await measured((_, memory) => recall(memory, level, options));
    }
    const summary = summaryTable(results);
    printTable(
      summary,
      Object.values(results).map(({ milliseconds }) => `${milliseconds.toFixed(1)} ms`),
    );
    tables.set(`${name} ${level}`, summary);
    const categories = categoryTable(results, questions);
    if (categories.length > 2) {
      console.log(`  by category: MiniSearch, ${Object.keys(results)[1]}`);
      printTable(categories);
      tables.set(`${name} ${level} categories`, categories);
    }
  }
  for (const memory of memories) await memory.close();
}
await embedder?.close?.();
if (values.write) console.log(`\n${writeTables(tables)} tables are in the documentation`);
