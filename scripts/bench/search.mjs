// Searching 1,000 to 100,000 turns: our recall on MiniSearch and on typed arrays, beside SQLite FTS5, each in its own process.
// Texts are made of 30,000 words, the frequent ones as frequent as in a language (Zipf).

import { fork, spawnSync } from 'node:child_process';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DocumentCache } from '../../dist/search/document-cache.js';
import { SearchIndex } from '../../dist/search/search-index.js';
import { randomOf } from '../random.mjs';
import { heading, quantile, table } from './measure.mjs';

const sizes = [1000, 10_000, 100_000];
const self = fileURLToPath(import.meta.url);
const turnsPerSession = 200;
const vocabulary = 30_000;
const syllables = 'ba ce di fo gu ka le mi no pu ra se ti vo zu'.split(' ');

/** The word of a rank: of three syllables and more, so that no stop word comes up. */
function wordOf(rank) {
  let word = '';
  for (let rest = rank + syllables.length ** 2; rest > 0; rest = Math.floor(rest / syllables.length)) {
    word += syllables[rest % syllables.length];
  }
  return word;
}

/** A rank with a chance in inverse proportion to it; the first `skipped` never come. */
const rankOf = (random, skipped = 0) =>
  Math.min(vocabulary - 1, Math.floor((skipped + 10) * (vocabulary / (skipped + 10)) ** random()) - 10);

function textOf(number) {
  const random = randomOf(number);
  return Array.from({ length: 40 }, () => wordOf(rankOf(random))).join(' ');
}

/** Questions of 3 and of 12 words; the forty most frequent words stand for stop words and are never asked for. */
function questionsOf(length) {
  const random = randomOf(length);
  return Array.from({ length: 60 }, () => Array.from({ length }, () => wordOf(rankOf(random, 40))).join(' '));
}

function sessionOf(number, turns) {
  const spoken = Array.from(
    { length: turns },
    (_, at) => `## 10:00 — ${at % 2 === 0 ? 'user' : 'agent'}\n\n${textOf(number * turnsPerSession + at)}\n`,
  );
  const started = new Date(Date.UTC(2020, 0, 1) + number * 86_400_000).toISOString().replace('.000', '');
  return `---\nsession_id: ses_${number}\nstarted: ${started}\nended: ${started}\n---\n\n# Talk\n\n${spoken.join('\n')}`;
}

/** Python's standard library brings SQLite with FTS5 nearly everywhere; stop words are no part of the questions anyway. */
const fts5 = `
import json, sqlite3, sys, time
job = json.load(open(sys.argv[1]))
db = sqlite3.connect(sys.argv[2])
start = time.perf_counter()
db.execute("create virtual table turns using fts5(text, tokenize='porter unicode61')")
db.executemany("insert into turns(text) values (?)", ((text,) for text in job["texts"]))
db.commit()
built = time.perf_counter() - start
db.close()
start = time.perf_counter()
db = sqlite3.connect(sys.argv[2])
ask = lambda words: db.execute("select rowid, bm25(turns) s from turns where turns match ? order by s limit 10", (" OR ".join(words.split()),)).fetchall()
ask(job["questions"][0][0])
cold = time.perf_counter() - start
times = []
for questions in job["questions"]:
    for question in questions: ask(question)
    times.append([])
    for question in questions:
        start = time.perf_counter(); ask(question); times[-1].append((time.perf_counter() - start) * 1000)
print(json.dumps({"built": built, "cold": cold * 1000, "times": times}))
`;

function askFts5(root, size) {
  mkdirSync(root, { recursive: true });
  const job = `${root}/job-${size}.json`;
  const texts = Array.from({ length: size }, (_, at) => textOf(at));
  writeFileSync(job, JSON.stringify({ texts, questions: [questionsOf(3), questionsOf(12)] }));
  const database = `${root}/fts5-${size}.db`;
  const { status, stdout } = spawnSync('python3', ['-c', fts5, job, database], { encoding: 'utf8' });
  if (status !== 0) return null;
  return { ...JSON.parse(stdout), megabytes: statSync(database).size / 2 ** 20 };
}

const askOurs = (kind, size) =>
  new Promise((resolve, reject) => {
    const child = fork(self, ['--child', kind, String(size)], { stdio: 'inherit', execArgv: ['--expose-gc'] });
    child.once('message', resolve);
    child.once('exit', (code) => code !== 0 && reject(new Error(`the searcher ended with ${code}`)));
  });

export async function benchSearch({ root }) {
  heading('Search: milliseconds per question, p50 / p95');
  const rows = [['turns', '', 'build s', 'MB', 'cold ms', '3 words', '12 words', '12 words, hybrid']];
  const shown = (times) => (times ? `${quantile(times, 0.5).toFixed(1)} / ${quantile(times, 0.95).toFixed(1)}` : '');
  for (const size of sizes) {
    for (const [name, asked] of [
      ['MiniSearch', () => askOurs('minisearch', size)],
      ['typed arrays', () => askOurs('arrays', size)],
      ['SQLite FTS5', () => askFts5(root, size)],
    ]) {
      const result = await asked();
      if (result === null) {
        rows.push([size, name, 'not here', '', '', '', '', '']);
        continue;
      }
      const { built, megabytes, cold, times } = result;
      rows.push([
        size,
        name,
        built.toFixed(2),
        megabytes.toFixed(0),
        cold.toFixed(0),
        ...[0, 1, 2].map((at) => shown(times[at])),
      ]);
    }
  }
  table(rows);
  console.log(
    '  build: ours from transcripts, parsed, split and stemmed; FTS5 from plain texts. MB: heap of ours with all texts, file of FTS5',
  );
}

if (process.argv[2] === '--child') {
  const [, , , kind, given] = process.argv;
  const size = Number(given);
  const sessions = new Map();
  for (let number = 0; number * turnsPerSession < size; number++) {
    const turns = Math.min(turnsPerSession, size - number * turnsPerSession);
    sessions.set(`raw/conversations/2020/01/01/1000-ses_${number}-talk.md`, Buffer.from(sessionOf(number, turns)));
  }
  const listing = new Map([...sessions.keys()].map((path) => [path, path]));
  globalThis.gc();
  const before = process.memoryUsage();
  const start = performance.now();
  const index = new SearchIndex((_, path) => sessions.get(path), {
    cache: new DocumentCache(),
    arraysFrom: kind === 'arrays' ? 0 : Number.POSITIVE_INFINITY,
  });
  index.moveTo(listing);
  const built = (performance.now() - start) / 1000;
  const ask = (question, mode) => {
    const asked = performance.now();
    index.recall(question, { now: Date.UTC(2021, 0, 1), mode });
    return performance.now() - asked;
  };
  const cold = built * 1000 + ask(questionsOf(3)[0], 'hybrid');
  const times = [
    [questionsOf(3), 'lexical'],
    [questionsOf(12), 'lexical'],
    [questionsOf(12), 'hybrid'],
  ].map(([questions, mode]) => {
    for (const question of questions) ask(question, mode);
    return questions.map((question) => ask(question, mode));
  });
  globalThis.gc();
  const after = process.memoryUsage();
  const bytes = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers;
  process.send({ built, megabytes: bytes / 2 ** 20, cold, times });
  process.disconnect();
}
