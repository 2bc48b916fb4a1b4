// Trains the English table of token vectors after a teacher, and judges it. Plain JavaScript, one thread; the same inputs give the same table.
//   node scripts/train/table/main.mjs OUT --model FOLDER --data FOLDER --vocabulary FILE [--runtime FOLDER] [--leave-out] [--beside TABLE]
//     OUT           gets all/; with --leave-out also without-W/, trained without any text of W, for each writer W with questions;
//                   and teacher/, what the teacher said (200 MB), so that it reads nothing twice
//     --model       all-MiniLM-L6-v2 in 8 bits: vocab.txt and onnx/model_quantized.onnx, as `git memory model add` keeps it
//     --data        hand-written sets, a folder a writer: what there is of changes.jsonl, turns.jsonl, questions.jsonl and lines.txt
//     --vocabulary  the tokens, one a line: the teacher's word pieces, then whole words, each list by how common they are
//     --runtime     a folder that sees onnxruntime-node; default: this one. `git memory model add` installs it in <user's data>/transformers
//     --beside      a table made before, judged with the same questions
// The teacher reads for some ten minutes the first time; a table takes about one. It reads dist/: `npm run build` first.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { randomOf } from '../../random.mjs';
import { axesOf, meanOf, project } from './basis.mjs';
import { dotAt, toUnit } from './numbers.mjs';
import { learn, openTable, writeTable } from './table.mjs';
import { openTeacher, width } from './teacher.mjs';
import { drawPhrases, exchangeWords, questionsOfWriter, ranksOf, textsOfWriter, wordsByRank } from './texts.mjs';
import { readVocabulary, rowsOfTable } from './tokens.mjs';

const text = { type: 'string' };
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    model: text,
    data: text,
    vocabulary: text,
    runtime: { ...text, default: '.' },
    beside: text,
    'leave-out': { type: 'boolean', default: false },
  },
});
const [out] = positionals;
const missing = ['model', 'data', 'vocabulary'].find((name) => !existsSync(values[name] ?? ''));
if (out === undefined || missing !== undefined) {
  console.log(
    `No table is trained: ${out === undefined ? 'name a folder for it' : `--${missing} names nothing that is here`}.`,
  );
  process.exit(out === undefined ? 2 : 0);
}

// Chosen on tables that had not read the writer who judged; 3 epochs, the pace and the pull are those of the first table.
const recipe = { dimensions: 128, epochs: 3, batch: 128, rate: 0.01, alike: 20, pull: 2e-3 };
const seed = 5;
const { dimensions } = recipe;

const teacherOf = openTeacher({ ...values, cache: path.join(out, 'teacher') });
const names = readVocabulary(values.vocabulary);
const ranks = ranksOf(names, new Set(readVocabulary(path.join(values.model, 'vocab.txt'))));
const words = wordsByRank(names, ranks);
const frames = readFileSync(new URL('frames.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const cut = rowsOfTable(names);
const folderOf = (writer) => path.join(values.data, writer);
const writers = readdirSync(values.data).filter((writer) => textsOfWriter(folderOf(writer)).length > 0);
const judges = writers.filter((writer) => questionsOfWriter(folderOf(writer)).questions.length > 0);

const sources = [];
async function addSource(label, writer, texts) {
  sources.push({ writer, own: label === writer, bags: texts.map(cut), rows: await teacherOf(label, texts) });
}
for (const writer of writers) {
  const texts = textsOfWriter(folderOf(writer));
  await addSource(writer, writer, texts);
  for (const [nth, share] of [0.5, 0.35].entries()) {
    // Each writer has a seed, so that another writer changes nothing of this one's.
    const next = randomOf(writer.charCodeAt(writer.length - 1) + 77 * nth);
    await addSource(`${writer}-exchanged-${share}`, writer, exchangeWords(texts, { words, share, next }));
  }
}
await addSource('phrases', undefined, drawPhrases({ words, frames, next: randomOf(seed) }));

// The axes come from writers who judge nothing, so that they serve every table.
const forAxes = sources.filter(({ writer, own }) => own && !judges.includes(writer));
const axes = axesOf(joined((forAxes.length > 0 ? forAxes : sources).map(({ rows }) => rows)), dimensions);
for (const source of sources) {
  source.targets = project(source.rows, axes);
  for (let at = 0; at < source.targets.length; at += dimensions) toUnit(source.targets.subarray(at, at + dimensions));
}

const tokenRows = await teacherOf('tokens', names);
const common = [...ranks.keys()].filter((row) => ranks[row] < 20_000);
const mean = meanOf(joined(common.map((row) => tokenRows.subarray(row * width, (row + 1) * width))));
const start = project(tokenRows, { ...axes, mean });
// Rarity weighs a / (a + frequency), frequency by Zipf's law: Arora, Liang & Ma 2017, https://openreview.net/forum?id=SyK00v5xx
const allUses = ranks.reduce((sum, rank) => sum + 1 / (rank + 10), 0);
for (const [row, name] of names.entries()) {
  const weight = /[\p{L}\p{N}]/u.test(name) ? 1e-3 / (1e-3 + 1 / (ranks[row] + 10) / allUses) : 0.05;
  for (let at = row * dimensions; at < (row + 1) * dimensions; at++) start[at] *= weight;
}

/** Trains on all texts but one writer's; gives the folder of the table. */
function train(name, without) {
  const used = sources.filter(({ writer }) => writer === undefined || writer !== without);
  const bags = used.flatMap((source) => source.bags);
  const table = start.slice();
  learn(table, { ...recipe, bags, targets: joined(used.map(({ targets }) => targets)), next: randomOf(seed) });
  writeTable(path.join(out, name), names, table);
  console.log(`${name}: learnt from ${bags.length} texts`);
  return path.join(out, name);
}

/** Asks each judge's questions among all that this writer said, and counts those that find an answer first and in the first five. */
async function judge(label, readerOf) {
  const found = [];
  for (const writer of judges) {
    const { pool, questions } = questionsOfWriter(folderOf(writer));
    const read = readerOf(writer);
    const said = await read(pool);
    const asked = await read(questions.map((question) => question.asked));
    const size = said.length / pool.length;
    const places = questions.map(({ gold }, nth) => {
      const likeness = pool.map((_, at) => dotAt(asked, nth * size, said, at * size, size));
      const best = Math.max(...gold.map((at) => likeness[at]));
      return likeness.filter((value, at) => value > best && !gold.includes(at)).length;
    });
    found.push([1, 5].map((below) => (100 * places.filter((place) => place < below).length) / places.length));
  }
  for (const [nth, among] of ['first', 'in the first five'].entries()) {
    const shares = found.map((one) => one[nth]);
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
    const each = judges.map((writer, at) => `${writer} ${shares[at].toFixed(1)}`).join(', ');
    console.log(`${label}, ${among}: ${mean.toFixed(1)} % (${each})`);
  }
}

function joined(lists) {
  const all = new Float32Array(lists.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const list of lists) {
    all.set(list, at);
    at += list.length;
  }
  return all;
}

await judge('The teacher', (writer) => (texts) => teacherOf(`${writer}-judged`, texts));
if (values.beside !== undefined) await judge(values.beside, () => openTable(values.beside));
if (values['leave-out']) {
  const folders = new Map(judges.map((writer) => [writer, train(`without-${writer}`, writer)]));
  await judge('Tables that had not read the writer', (writer) => openTable(folders.get(writer)));
}
const folder = train('all');
await judge('The table of all, which had read them', () => openTable(folder));
