// The evaluation: how well recall finds what answers a question, beside MiniSearch, SQLite FTS5 and lunr in the same run.
//   npm run eval                        all sets, every system.
//   npm run eval -- locomo beam-roles   some sets.
//   npm run eval -- locomo --file FILE  another file of the same form.
//   npm run eval -- --only recall       without the baselines.
//   npm run eval -- --options JSON      with options of recall, such as {"recency":0.2}.
//   npm run eval -- --model FOLDER      with a transformer model beside words.
//   npm run eval -- --extract           with what the rules extract beside the turns; a memory stands for the turns it was taken from.
//   npm run eval -- --write             keeps the figures in results.json and makes docs/search-evaluation.md of them.
//   npm run eval -- context             how often a compiled context holds what answers, see context.mjs.
//   npm run eval -- extraction          how well the rules extract, see extraction/main.mjs.

import { parseArgs } from 'node:util';

const others = {
  async extraction(args) {
    const { evaluateExtraction } = await import('./extraction/main.mjs');
    evaluateExtraction(args);
  },
  // `npm run eval -- scripted RUNNER CASES`
  async scripted(args) {
    const { evaluateScripted } = await import('./scripted-model.mjs');
    process.exit(await evaluateScripted(args));
  },
  // Memories that come about day by day, judged by `git memory test`.
  async lives(args) {
    const { evaluateLives } = await import('./lives.mjs');
    process.exit(await evaluateLives(args));
  },
  async context(args) {
    const { evaluateContext } = await import('./context.mjs');
    await evaluateContext(args);
  },
};

const [command, ...rest] = process.argv.slice(2);
if (Object.hasOwn(others, command ?? '')) {
  await others[command](rest);
  process.exit();
}

const { sets } = await import('./data.mjs');
const { measureSet, readResults, shortfallOf, writeResults } = await import('./scoreboard.mjs');
const { printTable, scoreTable, writeDocumentation } = await import('./report.mjs');
const { transformersEmbedder } = await import('../../dist/index.js');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    file: { type: 'string' },
    only: { type: 'string' },
    options: { type: 'string' },
    model: { type: 'string' },
    extract: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const names = positionals.length > 0 ? positionals : Object.keys(sets);
const unknown = names.find((name) => !Object.hasOwn(sets, name));
if (unknown !== undefined) throw new Error(`no set ${unknown}; there are ${Object.keys(sets).join(', ')}`);
if (values.write && (values.extract || (values.only ?? values.file ?? values.model ?? values.options) !== undefined)) {
  throw new Error('what is kept is measured as recall comes, on the sets that lie beside the project');
}
const embedder = values.model === undefined ? undefined : await transformersEmbedder({ model: values.model });
const results = values.write && positionals.length > 0 ? readResults().sets : {};
const measured = {};
for (const name of names) {
  const result = await measureSet(name, {
    file: values.file,
    options: values.options === undefined ? {} : JSON.parse(values.options),
    memory: { embedder, extracts: values.extract },
    only: values.only,
  });
  if (result === null) {
    console.log(`${name}: skipped, data not present`);
    continue;
  }
  measured[name] = result;
  const short = values.only === undefined ? shortfallOf(name, result) : null;
  console.error(`${name}: ${result.systems.recall['nDCG@10'].toFixed(1)}${short === null ? '' : `, short: ${short}`}`);
}
await embedder?.close?.();
printTable(scoreTable(measured));
for (const [name, { sessions, categories }] of Object.entries(measured)) {
  if (sessions !== undefined)
    console.log(`  ${name}, sessions: R@5 ${sessions['R@5']}, nDCG@10 ${sessions['nDCG@10']}`);
  if (positionals.length > 0 && categories !== undefined) console.log(`  ${name}: ${JSON.stringify(categories)}`);
}
if (values.write) {
  writeResults({ ...results, ...measured });
  writeDocumentation(readResults());
}
