// What finding topics costs, by tier: 200 topics and messages of 2 kB, asked as an agent does, turn after turn. Some patterns were made to
// hang a process.

import { readingOf } from '../../dist/core/context/topics/reading.js';
import { likenessTo } from '../../dist/core/context/topics/similarity.js';
import { compileTopic } from '../../dist/core/context/topics/topic-catalog.js';
import { parseTopic } from '../../dist/store/records/topic-file.js';
import { randomOf } from '../random.mjs';
import { heading, median, ms, quantile, table, verdict } from './measure.mjs';

const topicCount = 200;
const messageBytes = 2048;
const rounds = 400;
/** The code of a process that lives for hours is compiled. */
const warmUp = 100;

/** Processor time of this process: what others do on the machine is no cost of ours. */
const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Words that no two topics share by chance, and a few hundred that everything shares. */
function vocabulary(next) {
  const letters = 'abcdefghijklmnoprstuvw';
  return Array.from({ length: 4000 }, () =>
    Array.from({ length: 3 + next(7) }, () => letters[next(letters.length)]).join(''),
  );
}

function topicText(next, words, trigger) {
  const some = (count, from, to) => Array.from({ length: count }, () => words[from + next(to - from)]).join(' ');
  return `---\ntype: topic\ntriggers:\n${trigger}\nactivation: gated\n---\n\n# ${some(2, 0, 4000)}\n\n${some(80, 0, 2000)}\n`;
}

const usual = (next, words) => {
  const pick = () => words[next(2000)];
  return [
    `  - {type: pattern, match: "${pick()}|${pick()}|${pick()}"}\n  - {type: keywords, words: [${pick()}, ${pick()}]}`,
    `  - {type: pattern, match: "\\\\b(${pick()}|${pick()})s?\\\\b"}\n  - {type: glob, match: "src/**/*.${pick().slice(0, 3)}"}`,
    `  - {type: pattern, match: "[A-Z]{2,8}-\\\\d{2,6}"}\n  - {type: mention, names: [${pick()}]}`,
    `  - {type: url, hosts: [${pick()}.org]}\n  - {type: code, languages: [python]}`,
  ][next(4)];
};
const hostile = (next) =>
  ['[ab]*a[ab]{90}[cd]', '([ab]{0,60}a){1,2}[cd]', '.*a.{180}[cd]', '(?:.{0,40}a){4}[^ab]']
    .map((pattern) => `  - {type: pattern, match: "${pattern}"}`)
    .slice(0, 1 + next(4))
    .join('\n');

async function topicsOf(next, words, triggers) {
  const texts = Array.from({ length: topicCount }, () => topicText(next, words, triggers(next, words)));
  const started = cpuMs();
  const topics = [];
  for (const [at, text] of texts.entries())
    topics.push(await compileTopic(parseTopic(text, `topics/t${at}.md`), `${at}`));
  return { topics, compiled: cpuMs() - started };
}

/** Looks for all topics of tier 1, then compares with all; a new message each round. */
function measure(topics, message, share) {
  const compare = likenessTo(topics.map(({ profile }) => profile));
  const likeness = { likeness: { tfidf: 0, bm25: 0, jaccard: 0, ngram: 0 }, threshold: 0.15 };
  const spent = { pattern: [], similarity: [] };
  let costly = 0;
  for (let round = -warmUp * share; round < rounds * share; round++) {
    const text = message();
    const started = cpuMs();
    const reading = readingOf(text, { language: null, sentiment: null });
    for (const { watchers } of topics) {
      for (const watcher of watchers) {
        if (watcher.kind === 'text' && watcher.tier === 1 && watcher.look(reading, likeness) === 'costly') costly += 1;
      }
    }
    const between = cpuMs();
    compare(reading);
    if (round < 0) continue;
    spent.pattern.push(between - started);
    spent.similarity.push(cpuMs() - between);
  }
  return { ...spent, costly: costly / ((rounds + warmUp) * share) };
}

export async function benchTopics() {
  heading(`Topics: ${topicCount} of them, messages of ${messageBytes} bytes, milliseconds of processor`);
  const uniform = randomOf(7);
  const next = (below) => Math.floor(uniform() * below);
  const words = vocabulary(next);
  const said = (from, to) => () => {
    let text = '';
    while (text.length < messageBytes) text += `${words[from + next(to - from)]} `;
    return text.slice(0, messageBytes);
  };
  const letters = () => Array.from({ length: messageBytes }, () => 'ab'[next(2)]).join('');
  const rows = [
    ['topics and messages', 'compile all', 'pattern p50', 'p95', 'max', 'given up', 'similarity p50', 'p95', 'max'],
  ];
  const cases = [
    ['usual, about something else', usual, said(2000, 4000)],
    ['usual, about many of them', usual, said(0, 4000)],
    ['made to hang a process', hostile, letters],
  ];
  const results = {};
  for (const [name, triggers, message] of cases) {
    const { topics, compiled } = await topicsOf(next, words, triggers);
    const { pattern, similarity, costly } = measure(topics, message, triggers === hostile ? 0.1 : 1);
    results[name] = { pattern, similarity };
    const told = (values) => [median(values), quantile(values, 0.95), Math.max(...values)].map(ms);
    rows.push([name, ms(compiled), ...told(pattern), costly.toFixed(0), ...told(similarity)]);
  }
  table(rows);
  const [usualTopics, , hang] = cases.map(([name]) => results[name]);
  verdict(median(usualTopics.pattern) < 1, 'half of the messages are looked through in less than 1 ms');
  verdict(Math.max(...hang.pattern) < 50, 'and the worst of them in less than 50 ms');
  verdict(quantile(results[cases[1][0]].similarity, 0.95) < 10, 'likeness to all topics takes less than 10 ms');
}
