// What a table learns from and is judged by: hand-written sets, one folder a writer, and phrases of random common words.

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The fields of a set that hold what somebody wrote. */
const written = new Set(['text', 'statement', 'statement_before', 'statement_after', 'question', 'q']);

function linesOf(folder, name) {
  const file = path.join(folder, name);
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

/** Gives every text of a writer's folder once. */
export function textsOfWriter(folder) {
  const texts = new Set();
  for (const name of ['changes', 'turns', 'questions']) {
    for (const line of linesOf(folder, `${name}.jsonl`)) {
      JSON.parse(line, (field, value) => {
        if (written.has(field) && typeof value === 'string' && value !== '') texts.add(value);
        return value;
      });
    }
  }
  return [...texts, ...linesOf(folder, 'lines.txt')];
}

/** Gives a writer's small memories as one pool, and the questions about them with the places of their gold texts. */
export function questionsOfWriter(folder) {
  const pool = [];
  const questions = [];
  for (const memory of linesOf(folder, 'questions.jsonl').map((line) => JSON.parse(line))) {
    const placeOf = new Map(memory.texts.map(({ id }, at) => [id, pool.length + at]));
    pool.push(...memory.texts.map(({ text }) => text));
    questions.push(...memory.questions.map(({ q, gold }) => ({ asked: q, gold: gold.map((id) => placeOf.get(id)) })));
  }
  return { pool, questions };
}

/**
 * Says how common each token is; 0 is the commonest.
 *
 * The vocabulary tells it: first the words that the teacher knows whole, then the rest of the 40,000 commonest of another list, both by
 * frequency. The places of the rest are stretched to reach 40,000. A part of a word counts as a rare word, a sign or number as the rarest.
 */
export function ranksOf(names, ofTeacher) {
  let [known, more] = [0, 0];
  return names.map((name) => {
    if (name.startsWith('##')) return 8000;
    if (!/^[a-z]{2,}$/.test(name)) return 40_000;
    return ofTeacher.has(name) ? known++ : 6000 + 1.8 * more++;
  });
}

/** Gives the words of three letters and more, the commonest first. */
export function wordsByRank(names, ranks) {
  const rows = [...names.keys()].filter((row) => /^[a-z]{3,}$/.test(names[row]));
  return rows.sort((a, b) => ranks[a] - ranks[b]).map((row) => names[row]);
}

/** So many of the commonest words are articles, pronouns and the like. */
const small = 150;

/** Writes each text twice with a share of its content words exchanged for others, common ones sooner: people's sentences about more things. */
export function exchangeWords(texts, { words, share, next }) {
  const kept = new Set(words.slice(0, small));
  const others = words.slice(small, small + 15_000);
  const exchanged = (word) =>
    kept.has(word.toLowerCase()) || next() > share ? word : others[Math.floor(others.length * next() ** 2)];
  return texts.flatMap((text) => [text, text].map((one) => one.replace(/[A-Za-z]{3,}/g, exchanged)));
}

/** Puts each of the common words into two phrases beside others: so each is learnt, and how much it counts among others. */
export function drawPhrases({ words, frames, next }) {
  const common = words.slice(small, small + 20_000);
  const usual = common.slice(0, 4000);
  const oneOf = (list) => list[Math.floor(next() * list.length)];
  return [...common, ...common].map((word) => {
    const frame = oneOf(frames);
    let place = Math.floor(next() * (frame.split('_').length - 1));
    return frame.replaceAll('_', () => (place-- === 0 ? word : oneOf(usual)));
  });
}
