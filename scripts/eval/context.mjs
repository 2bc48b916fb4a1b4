// How often the text that an agent is handed for a question holds the turn that answers it, by its size in tokens. It measures the compiled context
// beside the best hits of recall, those of SQLite FTS5 in three ways, and the last turns that were said.
//   npm run eval -- context                     LoCoMo, REALTALK, BEAM (dev) and Apollo 13, 1,000 to 4,000 tokens
//   npm run eval -- context --set apollo        one of them.
//   npm run eval -- context --scoring spec      scored by spec 5 §6.3
//   npm run eval -- context --sizes 500,1500    other sizes
//   npm run eval -- context --write             puts the tables into docs/context-evaluation.md

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { estimateTokens } from '../../dist/base/token-estimate.js';
import { baselines, entriesOf } from './baselines.mjs';
import { locomo, placeOf, sets as recallSets } from './data.mjs';
import { mean } from './metrics.mjs';
import { unmarked } from './reading.mjs';
import { printTable, writeTablesTo } from './report.mjs';
import { memoryOf } from './systems.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const documentation = path.join(here, '../../docs/context-evaluation.md');
let sizes = [1000, 2000, 4000];
/** So many hits are put one behind the other, by whomever they are found. */
const mostHits = 200;
const percent = (value) => (value * 100).toFixed(1);

/** Apollo 13 as one conversation of sessions, with our own questions; null where the transcription is not there. */
export function apollo() {
  const data = path.join(here, '../../../shared/data/apollo-13.json');
  if (!existsSync(data)) return null;
  const { stdout } = spawnSync(process.execPath, [path.join(here, '../apollo.mjs'), data], {
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  const turns = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const sessions = [];
  const placeAt = [];
  for (const [at, { time, speaker, text }] of turns.entries()) {
    const last = sessions.at(-1);
    const isNew = last === undefined || Date.parse(time) - last.ended >= 30 * 60_000;
    const session = isNew ? { id: `a13-${sessions.length + 1}`, started: time, ended: 0, turns: [] } : last;
    if (isNew) sessions.push(session);
    session.ended = Date.parse(time);
    session.turns.push({ role: 'user', speaker, text });
    placeAt[at] = placeOf(session.id, session.turns.length);
  }
  const { questions } = JSON.parse(readFileSync(path.join(here, '../../test/evals/apollo-questions.json'), 'utf8'));
  return [
    {
      name: 'apollo',
      sessions,
      questions: questions.map(({ question, utterances, category }) => ({
        text: question,
        category,
        gold: new Set(utterances.map((number) => placeAt[number])),
      })),
    },
  ];
}

/** The turns of a store by place, in order. */
function turnsOf(store) {
  return store.sessions.flatMap(({ id, turns }) =>
    turns.map(({ speaker, text }, at) => ({ place: placeOf(id, at + 1), line: `${speaker}: ${text}` })),
  );
}

const flat = (text) => text.replace(/\s+/g, ' ');

/** Whether a text has a line, or each of its sentences. */
const isIn = (line, shown) =>
  shown.includes(line) ||
  line.split(/(?<=[.!?]) /).every((sentence) => shown.includes(sentence.replace(/^[^:]{1,40}: /, '')));

/** FTS5 finds turns by words: `surround` turns on each side are put beside a hit, or `near` of them are indexed with it. */
function byWords(store, turns, { near = 0, surround = 0 }) {
  const { fts5 } = baselines();
  if (fts5 === undefined) return null;
  const entries = entriesOf({ ...store, documents: [] });
  const session = (at) => entries[at]?.id.replace(/#.*/, '');
  const around = (at, reach) =>
    Array.from({ length: 2 * reach + 1 }, (_, step) => at - reach + step).filter((one) => session(one) === session(at));
  // Its title stands for twice the weight: the turn itself is there, and what is around it is its text.
  const indexed = entries.map(({ id, text }, at) =>
    near === 0
      ? { id, title: '', text }
      : {
          id,
          title: text,
          text: around(at, near)
            .flatMap((one) => (one === at ? [] : entries[one].text))
            .join('\n'),
        },
  );
  const find = fts5(indexed, mostHits);
  const atOf = new Map(turns.map(({ place }, at) => [place, at]));
  return (question, tokens) => {
    const held = new Set();
    let used = 0;
    for (const hit of find(question)) {
      for (const at of around(atOf.get(hit), surround)) {
        const { place, line } = turns[at];
        if (held.has(place)) continue;
        const left = tokens - used;
        const cost = estimateTokens(`${line}\n`);
        used += Math.min(cost, left);
        // The last one is cut where the room ends; half of it counts as all.
        if (cost <= 2 * left) held.add(place);
        if (cost > left) return { held, tokens };
      }
    }
    return { held, tokens: used };
  };
}

/** The systems: each gives for a question and a size which turns its text holds, and how many tokens it has. */
function systemsFor(store, memory, sessionOfPath, options) {
  const turns = turnsOf(store);
  const lineOf = new Map(turns.map(({ place, line }) => [place, line]));
  const found = {
    FTS5: byWords(store, turns, {}),
    'FTS5, two turns around': byWords(store, turns, { surround: 2 }),
    'FTS5, neighbours indexed': byWords(store, turns, { near: 2 }),
  };
  return {
    ...Object.fromEntries(Object.entries(found).filter(([, ask]) => ask !== null)),
    'the last turns': (_, tokens) => {
      const held = new Set();
      let left = tokens;
      for (const { place, line } of [...turns].reverse()) {
        left -= estimateTokens(`${line}\n`);
        if (left < 0) break;
        held.add(place);
      }
      return { held, tokens: tokens - Math.max(0, left) };
    },
    'recall, best first': async (question, tokens) => {
      const { hits } = await memory.recall(question, { limit: mostHits });
      const held = new Set();
      let used = 0;
      for (const hit of hits) {
        // As people put hits before a model: where and when, who, and the words that recall shows.
        const line = `- ${hit.path}#${hit.turn} (${hit.time?.slice(0, 10)}) ${hit.speaker}: ${hit.snippet}`;
        const cost = estimateTokens(`${line}\n`);
        if (used + cost > tokens) break;
        used += cost;
        held.add(placeOf(hit.session, hit.turn));
      }
      return { held, tokens: used };
    },
    'compiled context': async (question, tokens) => {
      const { text, tokens: used, slots } = await memory.context(question, { tokens, ...options });
      if (used > tokens || estimateTokens(text) !== used) throw new Error(`${used} of ${tokens} tokens: ${question}`);
      const held = new Set();
      // What ended is marked within the turn; everything else of it is as it was said.
      const shown = unmarked(flat(text));
      for (const { path: from, turn, isCut } of slots.flatMap(({ blocks }) => blocks)) {
        if (from === undefined || turn === undefined) continue;
        const place = placeOf(sessionOfPath.get(from), turn);
        // What says that it is there has to be there, word for word.
        if (!isCut && !isIn(flat(lineOf.get(place)).trim(), shown)) throw new Error(`${place} is not in the text`);
        held.add(place);
      }
      return { held, tokens: used };
    },
  };
}

/** Measures all systems over all questions and sizes; rows of [any, all, share, turns held, evidence per 1,000 tokens]. */
async function measure(stores, options, only) {
  const results = new Map();
  for (const store of stores) {
    const memory = await memoryOf(store, options.memory);
    const sessionOfPath = new Map();
    for (const file of await memory.files('raw/conversations')) {
      const session = /^session_id: (.*)$/m.exec(await memory.read(file))[1].replace(/^['"]|['"]$/g, '');
      sessionOfPath.set(file, session);
    }
    for (const [name, ask] of Object.entries(systemsFor(store, memory, sessionOfPath, options.context))) {
      if (only !== undefined && only !== name) continue;
      for (const size of sizes) {
        const key = `${name}\n${size}`;
        const rows = results.get(key) ?? [];
        results.set(key, rows);
        for (const { text, gold } of store.questions) {
          const started = performance.now();
          const { held, tokens } = await ask(text, size);
          const found = [...gold].filter((place) => held.has(place)).length;
          rows.push([
            found > 0 ? 1 : 0,
            found === gold.size ? 1 : 0,
            found / gold.size,
            held.size,
            tokens,
            performance.now() - started,
          ]);
        }
      }
    }
    await memory.close();
  }
  return results;
}

function tableOf(results) {
  const names = [...new Set([...results.keys()].map((key) => key.split('\n')[0]))];
  const column = (rows, at) => mean(rows.map((row) => row[at]));
  return [
    ['', ...sizes.map((size) => `${size.toLocaleString('en-US')} tokens`)],
    ...names.map((name) => [
      name === 'compiled context' ? `**${name}**` : name,
      ...sizes.map((size) => {
        const rows = results.get(`${name}\n${size}`);
        return `${percent(column(rows, 0))} / ${percent(column(rows, 1))} (${Math.round(column(rows, 3))})`;
      }),
    ]),
  ];
}

/** Runs the evaluation with the arguments behind `context`. */
export async function evaluateContext(args) {
  const { values } = parseArgs({
    args,
    options: {
      set: { type: 'string' },
      only: { type: 'string' },
      scoring: { type: 'string' },
      sizes: { type: 'string' },
      write: { type: 'boolean', default: false },
    },
  });
  const sets = {
    locomo,
    realtalk: recallSets.realtalk.read,
    beam: recallSets['beam-roles'].read,
    apollo,
  };
  if (values.sizes !== undefined) sizes = values.sizes.split(',').map(Number);
  if (values.set !== undefined && !(values.set in sets))
    throw new Error(`no set ${values.set}; there are ${Object.keys(sets).join(', ')}`);
  const configured = values.scoring === undefined ? {} : { configuration: { 'context.scoring': values.scoring } };
  const tables = new Map();
  for (const [name, read] of Object.entries(sets)) {
    if (values.set !== undefined && values.set !== name) continue;
    const stores = read();
    if (!stores) {
      console.log(`${name}: skipped, data not present`);
      continue;
    }
    const count = stores.reduce((sum, { questions }) => sum + questions.length, 0);
    console.log(
      `\n${name}: ${count} questions; a turn / all turns of the evidence in the text, in % (turns in it on average)`,
    );
    const results = await measure(stores, { context: {}, memory: configured }, values.only);
    const table = tableOf(results);
    printTable(
      table,
      [...new Set([...results.keys()].map((key) => key.split('\n')[0]))].map((system) => {
        const rows = sizes.flatMap((size) => results.get(`${system}\n${size}`));
        return `${mean(rows.map((row) => row[5])).toFixed(1)} ms`;
      }),
    );
    tables.set(name, table);
  }
  if (values.write) console.log(`\n${writeTablesTo(documentation, tables)} tables are in the documentation`);
}
