// The scoreboard: recall beside the baselines on every set, in one run, and what is kept of it.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { baselines, entriesOf } from './baselines.mjs';
import { sets } from './data.mjs';
import { interval, mean, score } from './metrics.mjs';
import { memoryOf, recall } from './systems.mjs';

const kept = fileURLToPath(new URL('results.json', import.meta.url));

/** The three that recall is never to be far below. */
export const rivals = ['minisearch', 'fts5', 'lunr'];

export const readResults = () => JSON.parse(readFileSync(kept, 'utf8'));

/** In points, to one digit. */
const points = (value) => Math.round(value * 1000) / 10;
/** Columns of the rows of `score`. */
const measured = { 'R@5': 1, 'R@10': 2, 'nDCG@10': 5 };

const summaryOf = (rows) =>
  Object.fromEntries(
    Object.entries(measured).map(([name, column]) => [name, points(mean(rows.map((row) => row[column])))]),
  );

/**
 * Measures one set: { questions, systems: { name: { 'R@5', 'R@10', 'nDCG@10' } }, best, difference: [mean, low, high] of nDCG@10 to the best }.
 * A store of several sessions has `sessions`, too. Gives null where the data of the set is not present.
 */
export async function measureSet(name, { file, options = {}, memory: how = {}, only } = {}) {
  const stores = sets[name].read(file);
  if (!stores) return null;
  const rows = {};
  const sessionRows = [];
  const categories = {};
  const hasSessions = stores.some(({ sessions }) => sessions.length > 1);
  const add = (system, ranked, gold) => {
    rows[system] ??= [];
    rows[system].push(score(ranked, gold));
  };
  for (const store of stores) {
    const entries = entriesOf(store);
    for (const [system, make] of Object.entries(only === 'recall' ? {} : baselines())) {
      if (system === 'bigrams' && name !== 'xquad-zh') continue;
      const ask = make(entries);
      for (const { text, gold } of store.questions) add(system, ask(text), gold);
    }
    const memory = await memoryOf(store, how);
    const ask = await recall(memory, options);
    for (const { text, gold, category } of store.questions) {
      add('recall', await ask(text), gold);
      categories[category] ??= [];
      categories[category].push(rows.recall.at(-1));
    }
    if (hasSessions) {
      const askSessions = await recall(memory, { level: 'session', ...options });
      for (const { text, gold } of store.questions) {
        const sessions = new Set([...gold].map((place) => place.slice(0, place.lastIndexOf('#'))));
        sessionRows.push(score(await askSessions(text), sessions));
      }
    }
    await memory.close();
  }
  const systems = Object.fromEntries(Object.entries(rows).map(([system, of]) => [system, summaryOf(of)]));
  const best = rivals
    .filter((rival) => rival in systems)
    .sort((one, other) => systems[other]['nDCG@10'] - systems[one]['nDCG@10'])[0];
  const column = (of) => of.map((row) => row[measured['nDCG@10']]);
  const compared =
    best === undefined
      ? {}
      : {
          best,
          difference: [
            mean(column(rows.recall)) - mean(column(rows[best])),
            ...interval(column(rows.recall), column(rows[best])),
          ].map(points),
        };
  return {
    questions: rows.recall.length,
    systems,
    ...compared,
    ...(hasSessions ? { sessions: summaryOf(sessionRows) } : {}),
    ...(Object.keys(categories).length > 1
      ? {
          categories: Object.fromEntries(
            Object.entries(categories)
              .sort()
              .map(([category, of]) => [category, { questions: of.length, 'nDCG@10': summaryOf(of)['nDCG@10'] }]),
          ),
        }
      : {}),
  };
}

/** Says what a set falls short of: nothing where its figures are what they have to be. */
export function shortfallOf(name, { systems, best }) {
  const own = systems.recall['nDCG@10'];
  const { least = 0, over = {} } = sets[name];
  const floors = Object.entries(over).map(([rival, more]) => {
    const system = rival === 'best' ? best : rival;
    return system in systems ? systems[system]['nDCG@10'] + more : 0;
  });
  const needed = Math.max(least, ...floors);
  return own + 0.05 < needed ? `${own.toFixed(1)} of ${needed.toFixed(1)}` : null;
}

/** Keeps what was measured, with the commit it was measured at; figures of FTS5 that were not measured stay as they were. */
export function writeResults(results) {
  const commit = execFileSync('git', ['describe', '--always', '--dirty', '--abbrev=12'], { encoding: 'utf8' }).trim();
  writeFileSync(kept, `${JSON.stringify({ commit, node: process.version, sets: results }, null, 2)}\n`);
  execFileSync('npx', ['biome', 'format', '--write', kept], { stdio: 'ignore' });
}
