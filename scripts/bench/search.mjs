// Searching 1,000 to 100,000 turns: recall in a memory beside SQLite FTS5 with sqlite-vec, each in its own process.
// Texts are made of 30,000 words, the frequent ones as frequent as in a language (Zipf); vectors of 384 dimensions are random.
//
// SQLite runs in Python's standard library. For its vectors install sqlite-vec anywhere outside of this project, as in
//   npm install --prefix ../sqlite-vec sqlite-vec-linux-x64
// and name the file without its ending:
//   SQLITE_VEC=../sqlite-vec/node_modules/sqlite-vec-linux-x64/vec0 npm run bench -- search
// It takes a Python whose sqlite3 loads extensions (PYTHON=/usr/bin/python3, if the first one on the PATH does not).

import { fork, spawnSync } from 'node:child_process';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { functionEmbedder, openMemory } from '../../dist/index.js';
import { randomOf } from '../random.mjs';
import { heading, median, quantile, ratio, table, verdict } from './measure.mjs';

const defaultSizes = [1000, 10_000, 100_000];
const dimensions = 384;
const coldStarts = 5;
/** So many commits, one after the other, each looked for at once. */
const freshCommits = 15;
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

/** A vector of unit length that depends on a text alone. */
function vectorOf(text) {
  let seed = 0;
  for (let at = 0; at < text.length; at++) seed = Math.imul(seed ^ text.charCodeAt(at), 0x01000193);
  const random = randomOf(seed);
  const vector = Float32Array.from({ length: dimensions }, () => random() + random() - 1);
  const length = Math.hypot(...vector);
  return vector.map((component) => component / length);
}

const embedder = functionEmbedder({
  name: 'random',
  fingerprint: 'random 1',
  dimensions,
  embed: async (texts) => texts.map(vectorOf),
});

/** Stop words are no part of the questions anyway. The two lists of a hybrid question are fused by their ranks. */
const sqlite = `
import json, sqlite3, sys, time
job = json.load(open(sys.argv[1]))
def connect():
    db = sqlite3.connect(sys.argv[2])
    if job["vec"]:
        db.enable_load_extension(True)
        db.load_extension(job["vec"])
    return db
db = connect()
size, width = len(job["texts"]), job["dimensions"] * 4
vectors = open(job["vectors"], "rb").read()
start = time.perf_counter()
db.execute("create virtual table turns using fts5(text, tokenize='porter unicode61')")
db.executemany("insert into turns(rowid, text) values (?, ?)", enumerate(job["texts"]))
if job["vec"]:
    db.execute("create virtual table vectors using vec0(embedding float[%d])" % job["dimensions"])
    db.executemany("insert into vectors(rowid, embedding) values (?, ?)", ((i, vectors[i * width:(i + 1) * width]) for i in range(size)))
db.commit()
built = time.perf_counter() - start
db.close()
start = time.perf_counter()
db = connect()
def words(question, limit=10):
    return db.execute("select rowid, bm25(turns) s from turns where turns match ? order by s limit ?", (" OR ".join(question.split()), limit)).fetchall()
def hybrid(question, vector):
    near = db.execute("select rowid from vectors where embedding match ? and k = 100", (vector,)).fetchall()
    scores = {}
    for found in (words(question, 100), near):
        for rank, row in enumerate(found): scores[row[0]] = scores.get(row[0], 0) + 1 / (60 + rank)
    return sorted(scores, key=scores.get, reverse=True)[:10]
short, long = job["questions"]
asked = [vectors[(size + i) * width:(size + i + 1) * width] for i in range(len(long))]
hybrid(short[0], asked[0]) if job["vec"] else words(short[0])
cold = time.perf_counter() - start
def measure(calls):
    for call in calls: call()
    times = []
    for call in calls:
        start = time.perf_counter(); call(); times.append((time.perf_counter() - start) * 1000)
    return times
times = [measure([lambda q=q: words(q) for q in questions]) for questions in (short, long)]
if job["vec"]: times.append(measure([lambda q=q, v=v: hybrid(q, v) for q, v in zip(long, asked)]))
print(json.dumps({"built": built, "cold": cold * 1000, "times": times}))
`;

function askSqlite(root, size) {
  const vec = process.env.SQLITE_VEC ?? null;
  const [job, vectors, database] = ['json', 'vectors', 'db'].map((ending) => `${root}/sqlite-${size}.${ending}`);
  const texts = Array.from({ length: size }, (_, at) => textOf(at));
  const questions = [questionsOf(3), questionsOf(12)];
  const all = vec === null ? [] : [...texts, ...questions[1]].map((text) => Buffer.from(vectorOf(text).buffer));
  writeFileSync(vectors, Buffer.concat(all));
  writeFileSync(job, JSON.stringify({ texts, questions, vectors, vec, dimensions }));
  const { status, stdout, stderr } = spawnSync(process.env.PYTHON ?? 'python3', ['-c', sqlite, job, database], {
    encoding: 'utf8',
  });
  if (status !== 0) return { failure: stderr.trim().split('\n').at(-1) };
  return { ...JSON.parse(stdout), bytes: statSync(database).size };
}

const inChild = (task, ...given) =>
  new Promise((resolve, reject) => {
    const child = fork(self, ['--child', task, ...given.map(String)], { stdio: 'inherit', execArgv: ['--expose-gc'] });
    child.once('message', resolve);
    child.once('exit', (code) => code !== 0 && reject(new Error(`the searcher ended with ${code}`)));
  });

async function askOurs(root, size) {
  const dir = `${root}/memory-${size}`;
  const asked = await inChild('ask', dir, size);
  const cold = [];
  for (let start = 0; start < coldStarts; start++) cold.push((await inChild('start', dir, size)).cold);
  return { ...asked, cold: median(cold) };
}

export async function benchSearch({ root, chosenSizes }) {
  mkdirSync(root, { recursive: true });
  heading('Search: milliseconds per question, p50 / p95');
  const rows = [['turns', '', 'build s', 'MiB', 'cold ms', '3 words', '12 words', 'hybrid', 'with a model']];
  const shown = (times) => (times ? `${quantile(times, 0.5).toFixed(2)} / ${quantile(times, 0.95).toFixed(2)}` : '');
  const verdicts = [];
  for (const size of chosenSizes ?? defaultSizes) {
    const ours = await askOurs(root, size);
    const theirs = askSqlite(root, size);
    for (const [name, { failure, built, bytes, cold, times }] of [
      ['recall', ours],
      ['SQLite', theirs],
    ]) {
      if (failure !== undefined) {
        rows.push([size, name, failure]);
        continue;
      }
      const cells = [built.toFixed(2), (bytes / 2 ** 20).toFixed(0), cold.toFixed(0), ...times.map(shown)];
      // What SQLite does with vectors is to be compared with both of ours.
      rows.push([size, name, ...cells, ...(name === 'SQLite' && times[2] ? [shown(times[2])] : [])]);
    }
    if (theirs.failure !== undefined) continue;
    const ratios = ours.times.map((times, at) => {
      const other = theirs.times[Math.min(at, 2)];
      return other && quantile(times, 0.5) / quantile(other, 0.5);
    });
    rows.push([size, 'ratio of p50', '', '', '', ...ratios.map((one) => (one === undefined ? '' : ratio(one)))]);
    for (const [name, one] of [
      ['hybrid', ratios[2]],
      ['hybrid with a model', ratios[3]],
    ]) {
      if (one !== undefined)
        verdicts.push([one <= 1, `${name} at ${size} takes at most what SQLite does (${ratio(one)})`]);
    }
    verdicts.push([
      quantile(ours.found, 0.5) <= 50,
      `what was committed is found within 50 ms at ${size} (${quantile(ours.found, 0.5).toFixed(1)} / ${quantile(ours.found, 0.95).toFixed(1)})`,
    ]);
    const past = quantile(ours.past, 0.5) / quantile(ours.times[2], 0.5);
    verdicts.push([past <= 2, `the middle of the history takes at most twice the present at ${size} (${ratio(past)})`]);
    const most = { 10000: 400, 100000: 1000 }[size];
    if (most !== undefined)
      verdicts.push([ours.cold < most, `cold start at ${size} within ${most} ms (${ours.cold.toFixed(0)})`]);
    if (size === 100_000)
      verdicts.push([ours.bytes < 2 ** 30, `within a gigabyte (${(ours.bytes / 2 ** 20).toFixed(0)} MiB)`]);
  }
  table(rows);
  console.log(
    '  build: ours from commits, read, split and stemmed; of SQLite from plain texts and vectors. MiB: all memory of our process, with the\n' +
      '  vectors of the model; file of SQLite. cold: opening, and the first hybrid question, in a new process. hybrid: 12 words and vectors',
  );
  for (const [isMet, text] of verdicts) verdict(isMet, text);
  if (process.env.SQLITE_VEC === undefined)
    console.log('  without sqlite-vec: see the head of scripts/bench/search.mjs');
}

async function make(dir, size) {
  const memory = await openMemory({ dir, create: true, durability: 'fast' });
  for (let first = 0; first < size; first += turnsPerSession) {
    const messages = Array.from({ length: Math.min(turnsPerSession, size - first) }, (_, at) => ({
      role: at % 2 === 0 ? 'user' : 'agent',
      text: textOf(first + at),
    }));
    await memory.capture({ session: `ses_${first / turnsPerSession}`, messages });
  }
  await memory.close();
}

async function measure(memory, questions, options) {
  const times = [];
  for (const isCounted of [false, true]) {
    for (const question of questions) {
      const started = performance.now();
      await memory.recall(question, options);
      if (isCounted) times.push(performance.now() - started);
    }
  }
  return times;
}

/** Asks the state in the middle of the history, once warm, as the present is asked. */
async function pastOf(memory) {
  const { commits } = await memory.log({ limit: 100_000 });
  const view = await memory.at(commits[Math.floor(commits.length / 2)].oid);
  return measure(view, questionsOf(12), {});
}

/** Commits a note and times the question that finds it, as one that comes right behind the commit. */
async function findFresh(memory) {
  const times = [];
  for (let number = 0; number < freshCommits; number++) {
    const word = `zyxw${'abcdefghijklmnopqrstuvw'[number]}q`;
    await memory.capture({
      session: `fresh_${number}`,
      messages: [{ role: 'user', text: `${word} ${textOf(number)}` }],
    });
    const started = performance.now();
    const { hits } = await memory.recall(word);
    times.push(performance.now() - started);
    if (hits[0]?.session !== `fresh_${number}`) throw new Error('what was just committed was not found');
  }
  return times;
}

const tasks = {
  async ask(dir, size) {
    await make(dir, Number(size));
    const started = performance.now();
    const memory = await openMemory({ dir, durability: 'fast' });
    await memory.recall(questionsOf(3)[0]);
    const built = (performance.now() - started) / 1000;
    const times = [
      await measure(memory, questionsOf(3), { mode: 'lexical' }),
      await measure(memory, questionsOf(12), { mode: 'lexical' }),
      await measure(memory, questionsOf(12), {}),
    ];
    const past = await pastOf(memory);
    const found = await findFresh(memory);
    await memory.close();
    const withModel = await openMemory({ dir, durability: 'fast', embedder });
    await withModel.reindex();
    times.push(await measure(withModel, questionsOf(12), {}));
    await withModel.close();
    globalThis.gc();
    return { built, times, past, found, bytes: process.memoryUsage().rss };
  },
  async start(dir) {
    const started = performance.now();
    const memory = await openMemory({ dir, durability: 'fast' });
    await memory.recall(questionsOf(3)[0]);
    const cold = performance.now() - started;
    await memory.close();
    return { cold };
  },
};

if (process.argv[2] === '--child') {
  const [, , , task, ...given] = process.argv;
  process.send(await tasks[task](...given));
  process.disconnect();
}
