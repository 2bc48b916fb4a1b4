// The scoreboard: recall with each of its rankings on every set, beside other indexes where they are asked for, and what is kept of it.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { baselines, entriesOf } from './baselines.mjs';
import { chosen, sets } from './data.mjs';
import { interval, mean, measures, sampler, score } from './metrics.mjs';
import { byStore, gained, points, printTable, within, writeDocumentation } from './report.mjs';
import { memoryOf, recall } from './systems.mjs';

const kept = fileURLToPath(new URL('results.json', import.meta.url));

/** The three that recall is never to be far below. */
const rivals = ['minisearch', 'fts5', 'lunr'];

const readResults = () => JSON.parse(readFileSync(kept, 'utf8'));

const column = (rows, name) => rows.map((row) => row[measures.indexOf(name)]);
const summaryOf = (rows) =>
  Object.fromEntries(measures.slice(2).map((name) => [name, points(mean(column(rows, name)))]));

/** The system that is compared with the others: what users get, if it was measured. */
const productOf = (systems) => ['table', 'model', 'words', ...Object.keys(systems)].find((name) => name in systems);

/** Measures sets and prints them, the worst first; with `write` keeps the figures and makes the tables of the documentation of them. */
export async function evaluateSets(positionals, { options, write, extract: extracts, found, ...given }) {
  const names = chosen(positionals, Object.keys(sets));
  if (write && (extracts || given.every > 1 || (given.file ?? given.table ?? given.model ?? options) !== undefined)) {
    throw new Error('what is kept is measured as recall comes, on whole sets that lie beside the project');
  }
  const others = [...rivals, 'bigrams'].filter((one) => write || given.system?.split(',').includes(one));
  const measured = new Map();
  for (const name of names) {
    const asked = await askSet(name, { ...given, options: JSON.parse(options ?? '{}'), found, others, extracts });
    if (asked === null) console.log(`${name}: skipped, data not present`);
    else if (Object.keys(asked.rows).length > 0) measured.set(name, asked);
    console.error(`${name}: done`);
  }
  const sorted = [...measured].sort(([, one], [, other]) => badness(one) - badness(other));
  printTable([headings, ...sorted.flatMap(([name, asked]) => linesOf(name, asked))]);
  const results = Object.fromEntries([...measured].map(([name, asked]) => [name, resultOf(asked)]));
  for (const [name, result] of Object.entries(results)) {
    const { sessions } = result;
    if (sessions !== undefined)
      console.log(`  ${name}, sessions: R@5 ${sessions['R@5']}, nDCG@10 ${sessions['nDCG@10']}`);
    const short = write ? shortfallOf(name, result) : null;
    if (short !== null) console.log(`  ${name} is short: ${short}`);
  }
  if (!write) return;
  writeResults({ ...(positionals.length > 0 ? readResults().sets : {}), ...results });
  writeDocumentation(readResults());
}

/**
 * Asks one set of every system: rows of `score` by system, and the store of each question. Rankings are those of `rankings`, `others` names
 * other indexes. Gives null where the data of the set is not present.
 */
async function askSet(name, { file, options = {}, found, others = [], extracts, every, offset }) {
  const stores = sets[name].read(file);
  if (!stores) return null;
  const rows = {};
  const add = (system, ranked, gold) => {
    rows[system] ??= [];
    rows[system].push(score(ranked, gold));
  };
  const storeOf = [];
  const sessionRows = [];
  const pick = sampler({ every, offset });
  for (const store of stores) {
    const questions = pick(store.questions);
    if (questions.length === 0) continue;
    storeOf.push(...questions.map(() => store.name));
    const entries = entriesOf(store);
    for (const [system, make] of Object.entries(others.length === 0 ? {} : baselines())) {
      if (!others.includes(system) || (system === 'bigrams' && name !== 'xquad-zh')) continue;
      const ask = make(entries);
      for (const { text, gold } of questions) add(system, ask(text), gold);
    }
    for (const [system, embedderOf] of Object.entries(found)) {
      const memory = await memoryOf(store, { embedder: embedderOf(store.name), extracts });
      const ask = await recall(memory, options);
      for (const { text, gold } of questions) add(system, await ask(text), gold);
      if (system === productOf(found) && stores.some(({ sessions }) => sessions.length > 1) && !sets[name].isByWriter) {
        const askSessions = await recall(memory, { level: 'session', ...options });
        for (const { text, gold } of questions) {
          const sessions = new Set([...gold].map((place) => place.slice(0, place.lastIndexOf('#'))));
          sessionRows.push(score(await askSessions(text), sessions));
        }
      }
      await memory.close();
    }
  }
  return { rows, storeOf, sessionRows };
}

/** Lines of one set, a system each: figures with their 95 % intervals, and by how much they differ from words alone. */
function linesOf(name, { rows, storeOf }) {
  return Object.entries(rows).map(([system, own]) => {
    const figures = ['nDCG@10', 'R@5'].map((measure) => column(own, measure));
    const words = system === 'words' ? undefined : rows.words;
    return [
      `${sets[name].title} (${own.length.toLocaleString('en-US')})`,
      system,
      ...figures.map(within),
      ...['nDCG@10', 'R@5'].map((measure, at) =>
        words === undefined ? '' : gained(column(words, measure).map((value, row) => figures[at][row] - value)),
      ),
      ...['first', 'first five'].map((measure) =>
        sets[name].isByWriter ? byStore(column(own, measure), storeOf) : '',
      ),
    ];
  });
}

const headings = ['', '', 'nDCG@10', 'R@5', 'nDCG@10 − words', 'R@5 − words', 'first', 'first five'];

/** What a set is sorted by: what was lost to words alone, or how little was found. The worst comes first. */
function badness({ rows }) {
  const of = (system) => mean(column(rows[system], 'nDCG@10'));
  const product = productOf(rows);
  return rows.words === undefined || product === 'words' ? of(product) : of(product) - of('words') - 1;
}

/** What is kept of a set: { questions, systems: { name: { 'R@5', 'R@10', 'nDCG@10' } }, best, difference: [mean, low, high] of nDCG@10 to the best }. */
function resultOf({ rows, sessionRows }) {
  const systems = Object.fromEntries(Object.entries(rows).map(([system, of]) => [system, summaryOf(of)]));
  const best = rivals
    .filter((rival) => rival in systems)
    .sort((one, other) => systems[other]['nDCG@10'] - systems[one]['nDCG@10'])[0];
  const own = column(rows[productOf(rows)], 'nDCG@10');
  const differences = best === undefined ? [] : column(rows[best], 'nDCG@10').map((value, at) => own[at] - value);
  return {
    questions: own.length,
    systems,
    ...(best === undefined ? {} : { best, difference: [mean(differences), ...interval(differences)].map(points) }),
    ...(sessionRows.length > 0 ? { sessions: summaryOf(sessionRows) } : {}),
  };
}

/** Says what a set falls short of: nothing where its figures are what they have to be. */
function shortfallOf(name, { systems, best }) {
  const own = systems[productOf(systems)]['nDCG@10'];
  const { least = 0, over = {} } = sets[name];
  const floors = Object.entries(over).map(([rival, more]) => {
    const system = rival === 'best' ? best : rival;
    return system in systems ? systems[system]['nDCG@10'] + more : 0;
  });
  const needed = Math.max(least, ...floors);
  return own + 0.05 < needed ? `${own.toFixed(1)} of ${needed.toFixed(1)}` : null;
}

/** Keeps what was measured, with the commit it was measured at; figures of FTS5 that were not measured stay as they were. */
function writeResults(results) {
  const commit = execFileSync('git', ['describe', '--always', '--dirty', '--abbrev=12'], { encoding: 'utf8' }).trim();
  writeFileSync(kept, `${JSON.stringify({ commit, node: process.version, sets: results }, null, 2)}\n`);
  execFileSync('npx', ['biome', 'format', '--write', kept], { stdio: 'ignore' });
}
