// Questions as people ask them: recall beside SQLite FTS5 and MiniSearch in one process, over the chats and meetings of the evaluation, repeated
// to size. All numbers are processor time: of each question the least of several rounds, the systems in turns. "first" is the
// round in which a question comes for the first time.

import { openMemory } from '../../dist/index.js';
import { baselines } from '../eval/baselines.mjs';
import { placeOf, sets } from '../eval/data.mjs';
import { heading, quantile, ratio, slowness, table, tellSlowness, verdict } from './measure.mjs';

const names = ['locomo', 'qmsum', 'realtalk'];
const defaultSizes = [1000, 10_000, 100_000];
const maxQuestions = 300;
/** Asked before the clock runs, and not again. */
const warmUp = 200;
const rounds = 5;
/** So many commits, one after the other, each looked for at once. */
const freshCommits = 15;

/** Sessions of so many turns together, and the questions that are asked of them. */
function talksOf(stores, size) {
  const sessions = [];
  const used = new Set();
  let count = 0;
  for (let round = 0; count < size; round++) {
    for (const store of stores) {
      for (const { id, started, turns } of store.sessions) {
        if (count >= size) break;
        used.add(store);
        sessions.push({ id: `r${round}-${id}`, started, turns: turns.slice(0, size - count) });
        count += sessions.at(-1).turns.length;
      }
    }
  }
  const all = [...used].flatMap(({ questions }) => questions.map(({ text }) => text));
  const step = Math.ceil(all.length / maxQuestions);
  const isAsked = (_, at) => at % step === 0;
  return { sessions, questions: all.filter(isAsked), others: all.filter((_, at) => !isAsked(_, at)).slice(0, warmUp) };
}

async function cpuOf(action) {
  const before = process.cpuUsage();
  await action();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Asks all systems in turns; name → the least milliseconds of each question, and those of the first round. */
async function askInTurns(systems, questions, others) {
  const least = Object.fromEntries(Object.keys(systems).map((name) => [name, questions.map(() => Infinity)]));
  const first = {};
  for (const ask of Object.values(systems)) for (const question of others) await ask(question);
  for (let round = 0; round < rounds; round++) {
    for (const [name, ask] of Object.entries(systems)) {
      for (const [at, question] of questions.entries())
        least[name][at] = Math.min(least[name][at], await cpuOf(() => ask(question)));
      first[name] ??= [...least[name]];
    }
  }
  return { least, first };
}

/** Commits a turn and asks for it at once; milliseconds from the call that captures to the answer. */
async function findFresh(memory, texts) {
  const times = [];
  for (let number = 0; number < freshCommits; number++) {
    const word = `zyxw${'abcdefghijklmnopqrstuvw'[number]}q`;
    const started = performance.now();
    await memory.capture({
      session: `fresh_${number}`,
      messages: [{ role: 'user', text: `${word} ${texts[number % texts.length]}` }],
    });
    const { hits } = await memory.recall(word);
    times.push(performance.now() - started);
    if (hits[0]?.session !== `fresh_${number}`) throw new Error('what was just captured was not found');
  }
  return times;
}

export async function benchQuestions({ root, chosenSizes }) {
  heading('Whole questions beside FTS5 and MiniSearch: milliseconds of processor time, p50 / p95');
  const stores = names.flatMap((name) => sets[name].read() ?? []);
  if (stores.length === 0) return console.log('  skipped, data not present');
  const rows = [['turns', '', 'index', 'a question', 'first']];
  const verdicts = [];
  const slow = [await slowness()];
  for (const size of chosenSizes ?? defaultSizes) {
    const { sessions, questions, others } = talksOf(stores, size);
    const memory = await openMemory({ dir: `${root}-${size}`, create: true, durability: 'fast' });
    for (const { id, started, turns } of sessions) await memory.capture({ messages: turns, session: id, started });
    const entries = sessions.flatMap(({ id, turns }) =>
      turns.map(({ speaker, text }, at) => ({ id: placeOf(id, at + 1), title: '', text: `${speaker}: ${text}` })),
    );
    const systems = {};
    const index = {};
    for (const [name, make] of Object.entries(baselines())) {
      if (name !== 'fts5' && name !== 'minisearch') continue;
      index[name] = await cpuOf(() => {
        systems[name] = make(entries);
      });
    }
    // As the others are: without a question, which looks up who last changed what it finds.
    index.recall = await cpuOf(() => memory.maintenance.reindex());
    systems.recall = (question) => memory.recall(question);
    const { least, first } = await askInTurns(systems, questions, others);
    const found = await findFresh(
      memory,
      entries.map(({ text }) => text),
    );
    await memory.close();
    const shown = (times) => `${quantile(times, 0.5).toFixed(2)} / ${quantile(times, 0.95).toFixed(2)}`;
    for (const name of Object.keys(systems))
      rows.push([size, name, index[name].toFixed(0), shown(least[name]), shown(first[name])]);
    const [p50, p95] = [0.5, 0.95].map((share) => quantile(least.recall, share));
    slow.push(await slowness());
    if (size <= 1000)
      verdicts.push([(by) => p50 <= by, (by) => `p50 at ${size} ${p50.toFixed(2)} ms, ${by.toFixed(2)} at most`]);
    else if (least.fts5 !== undefined) {
      const [ofHalf, ofMost] = [p50 / quantile(least.fts5, 0.5), p95 / quantile(least.fts5, 0.95)];
      verdicts.push([ofHalf <= 2, `p50 at ${size} at most twice that of FTS5 (${ratio(ofHalf)})`]);
      verdicts.push([ofMost <= 4, `p95 at ${size} at most four times that of FTS5 (${ratio(ofMost)})`]);
    }
    const fresh = quantile(found, 0.5);
    verdicts.push([fresh <= 40, `what is captured is found within 40 ms at ${size} (${fresh.toFixed(1)})`]);
    if (size >= 100_000) {
      const share = index.recall / index.minisearch;
      verdicts.push([
        share <= 1.5,
        `the first index of ${size} at most 1.5 times that of MiniSearch (${ratio(share)})`,
      ]);
    }
  }
  table(rows);
  console.log('  index: recall reads and splits the transcripts of a repository, the others are given texts in memory');
  const by = tellSlowness(slow);
  for (const [isMet, text] of verdicts)
    if (typeof isMet === 'function') verdict(isMet(by), text(by));
    else verdict(isMet, text);
}
