// How often the text that an agent is handed holds what was said, whole. `news` asks for what changed, and for what did not. `pairs` asks the same
// in memories of two and of twenty turns, and `evidence` for what answers people's questions.

import { randomOf } from '../random.mjs';
import { chosen, news, placeOf, sets } from './data.mjs';
import { mean, sampler } from './metrics.mjs';
import { readerOf } from './reading.mjs';
import { byStore, points, printTable, within } from './report.mjs';
import { memoryOf } from './systems.mjs';

const dayMs = 86_400_000;

async function contextOf(memory, text, tokens) {
  const context = await memory.context(text, { tokens, counts: false });
  if (context.tokens > tokens) console.log(`a context has ${context.tokens} of ${tokens} tokens`);
  return { isHanded: readerOf(context.text, text), used: context.tokens };
}

/** The news of a writer's pairs, sampled so that both those that change something and those that do not are there. */
function pickedFrom({ every, offset }) {
  const [changes, others] = [sampler({ every, offset }), sampler({ every, offset })];
  return ({ questions }) => [
    ...changes(questions.filter(({ isChange }) => isChange)),
    ...others(questions.filter(({ isChange }) => !isChange)),
  ];
}

/** Asks about a pair: whether each of its turns is handed whole, and with `all` the share of those. */
async function outcomeOf(memory, writer, { text, isChange, first, later }, tokens, all = []) {
  const { isHanded, used } = await contextOf(memory, text, tokens);
  const whole = mean(all.map((turn) => Number(isHanded(turn))));
  return { writer, isChange, first: isHanded(first), later: isHanded(later), used, whole };
}

const pairColumns = ['', '', 'news whole', 'mean (worst writer)', 'only the old', 'no change: first missing', 'tokens'];
function pairLine(name, system, outcomes) {
  const changes = outcomes.filter(({ isChange }) => isChange);
  const others = outcomes.filter(({ isChange }) => !isChange);
  const writers = changes.map(({ writer }) => writer);
  const news = changes.map(({ later }) => Number(later));
  const old = changes.map(({ first, later }) => Number(first && !later));
  const missing = others.filter(({ first, later }) => later && !first).length;
  return [
    `${name} (${changes.length})`,
    system,
    within(news),
    byStore(news, writers),
    byStore(old, writers, Math.max),
    `${missing} of ${others.length}`,
    String(Math.round(mean(outcomes.map(({ used }) => used)))),
  ];
}

/** All turns of a writer in one memory: is the news handed that a question asks for? */
export async function evaluateNews({ found, every, offset, sizes = [1000, 2000] }) {
  const stores = news();
  if (stores === null) return console.log('news: skipped, data not present');
  const lines = [];
  for (const [system, embedderOf] of Object.entries(found)) {
    const outcomes = new Map(sizes.map((size) => [size, []]));
    const pick = pickedFrom({ every, offset });
    for (const store of stores) {
      const memory = await memoryOf(store, { embedder: embedderOf(store.name), extracts: true, restMs: dayMs });
      for (const question of pick(store))
        for (const size of sizes) outcomes.get(size).push(await outcomeOf(memory, store.name, question, size));
      await memory.close();
    }
    for (const [size, of] of outcomes) lines.push(pairLine(`News, ${size} tokens`, system, of));
  }
  printTable([pairColumns, ...lines]);
}

/** A memory for each pair: its two turns, and others of the same writer up to `counts` turns. All of it fits into the context. */
export async function evaluatePairs({ found, every, offset, positionals, sizes: [size] = [8000] }) {
  const stores = news();
  if (stores === null) return console.log('pairs: skipped, data not present');
  const lines = [];
  for (const count of positionals.length > 0 ? positionals.map(Number) : [2, 20]) {
    for (const [system, embedderOf] of Object.entries(found)) {
      const pick = pickedFrom({ every, offset });
      const outcomes = [];
      for (const store of stores) {
        for (const question of pick(store)) {
          const sessions = smallStore(store, question, count);
          const memory = await memoryOf(
            { sessions },
            { embedder: embedderOf(store.name), extracts: 'each', restMs: dayMs },
          );
          const turns = sessions.map(({ turns: [turn] }) => turn.text);
          outcomes.push(await outcomeOf(memory, store.name, question, size, turns));
          await memory.close();
        }
      }
      const share = points(mean(outcomes.map(({ whole }) => whole))).toFixed(1);
      lines.push([...pairLine(`${count} turns`, system, outcomes), share]);
    }
  }
  printTable([[...pairColumns, 'turns whole'], ...lines]);
}

/** The sessions of a pair, and others of its writer, drawn by a fixed seed. */
function smallStore({ sessions }, { id, gold }, count) {
  const isOf = (session) => gold.has(placeOf(session.id, 1));
  const next = randomOf(Number(id.replace(/\D/g, '')) + 1);
  const others = sessions.filter((session) => !isOf(session));
  const drawn = new Set();
  while (drawn.size < count - 2) drawn.add(others[Math.floor(next() * others.length)]);
  return sessions.filter((session) => isOf(session) || drawn.has(session));
}

/** Real conversations: is the evidence of a question handed whole? */
export async function evaluateEvidence({ found, every, offset, positionals, sizes = [2000, 8192] }) {
  const lines = [];
  for (const name of chosen(positionals, ['locomo', 'realtalk', 'beam-roles', 'beam-person'])) {
    const stores = sets[name].read();
    if (!stores) {
      console.log(`${name}: skipped, data not present`);
      continue;
    }
    for (const [system, embedderOf] of Object.entries(found)) {
      const rows = new Map(sizes.map((size) => [size, []]));
      const pick = sampler({ every, offset });
      for (const store of stores) {
        const questions = pick(store.questions);
        if (questions.length === 0) continue;
        const textAt = new Map(
          store.sessions.flatMap(({ id, turns }) => turns.map(({ text }, at) => [placeOf(id, at + 1), text])),
        );
        const memory = await memoryOf(store, { embedder: embedderOf(store.name), extracts: true });
        for (const { text, gold } of questions) {
          for (const size of sizes) {
            const { isHanded, used } = await contextOf(memory, text, size);
            const share = mean([...gold].map((place) => Number(isHanded(textAt.get(place)))));
            rows.get(size).push([share, Math.floor(share), Math.ceil(share), used]);
          }
        }
        await memory.close();
      }
      for (const [size, of] of rows) {
        const [shares, all, any, used] = [0, 1, 2, 3].map((at) => of.map((row) => row[at]));
        lines.push([
          `${sets[name].title} (${of.length}), ${size} tokens`,
          system,
          ...[shares, all, any].map(within),
          String(Math.round(mean(used))),
        ]);
      }
    }
  }
  printTable([['evidence handed whole', '', 'share', 'all of it', 'any of it', 'tokens'], ...lines]);
}
