// A process that works on a memory until it is killed; started by kill.test.ts.
// Each line on standard output is one call: `{"try":…}` before it, `{"done":…}` once it was awaited. A line says which texts
// the call puts into which file (`has`) and which it takes out (`lacks`), and which commits it was told of.

import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { openMemory } from '../../dist/library/index.js';

const { dir, round, order } = JSON.parse(process.argv[2]);
const say = (line) => writeSync(1, `${JSON.stringify(line)}\n`);
const memory = await openMemory({ dir });

const fact = (path, text) => ({ path, text });
let number = 0;
const captured = [];
const records = [];
const files = [];
let sessions = 0;

/** One call: what is known of its effect before goes with the intent, what only the answer tells is added to it. */
async function call(name, intent, action) {
  say({ try: { call: name, ...intent } });
  say({ done: { call: name, ...intent, ...(await action()) } });
}

async function makeRecord() {
  const id = `r${round}n${number}x${records.length}`;
  const content = `Remembered as ${id}.`;
  await call('remember', {}, async () => {
    const { path } = await memory.remember({ id, content });
    records.push({ id, path, content });
    return { has: [fact(path, content)] };
  });
}

async function makeFile() {
  const path = `knowledge/reference/r${round}-${number}-${files.length}.md`;
  const text = `The page ${path} begins.`;
  await call('write', { has: [fact(path, text)] }, () => memory.write(path, `# Page\n\n- ${text}\n`));
  files.push({ path, text });
}

const calls = {
  async capture() {
    const name = `r${round}n${number}`;
    const text = `We decided to keep the archive of ${name} in Lisbon.`;
    await call('capture', {}, async () => {
      const { path, commit } = await memory.capture({ session: `ses_${name}`, messages: [{ role: 'user', text }] });
      captured.push({ path, commit, text, session: `ses_${name}` });
      return { has: [fact(path, text)], commits: [commit] };
    });
  },
  async captureText() {
    const text = `A note of r${round}n${number}.`;
    await call('captureText', {}, async () => {
      const results = await memory.captureText(text, { topic: `note r${round}n${number}` });
      return { has: [fact(results[0].path, text)], commits: results.map(({ commit }) => commit) };
    });
  },
  remember: makeRecord,
  write: makeFile,
  async touch() {
    if (records.length === 0) await makeRecord();
    const { id, path } = records.at(-1);
    await call('touch', { has: [fact(path, '"use_count": 1')] }, async () => {
      await memory.records.touch(id);
      // Each is touched once: the next count would be another text.
      records.pop();
    });
  },
  async archive() {
    if (records.length === 0) await makeRecord();
    const { id, path } = records.at(-1);
    await call('archive', { has: [fact(path, '"archived"')] }, async () => {
      await memory.records.archive(id);
      records.pop();
    });
  },
  async forget() {
    if (records.length === 0) await makeRecord();
    const { id, path, content } = records.at(-1);
    await call('forget', { lacks: [fact(path, content)] }, async () => {
      await memory.forget(id);
      records.pop();
    });
  },
  async edit() {
    if (files.length === 0) await makeFile();
    const { path, text } = files.at(-1);
    const after = `The page ${path} was edited in ${number}.`;
    await call('edit', { has: [fact(path, after)], lacks: [fact(path, text)] }, () => memory.edit(path, text, after));
    files.at(-1).text = after;
  },
  async remove() {
    if (files.length === 0) await makeFile();
    const { path, text } = files.at(-1);
    await call('remove', { lacks: [fact(path, text)] }, () => memory.remove(path));
    files.pop();
  },
  async session() {
    const name = `r${round}n${number}`;
    const session = await memory.startSession({ session: `ses_talk_${name}`, topic: `talk ${name}` });
    for (const word of ['first', 'second']) {
      const text = `The ${word} message of ${name}.`;
      await call('message', { has: [fact(session.path, text)] }, () => session.message('user', text));
    }
    // Long enough for the work tree to follow what is pending.
    sessions += 1;
    if (sessions % 2 === 0) await sleep(25);
    else await call('end', {}, async () => ({ commits: [(await session.end()).commit] }));
  },
  commit: () => call('commit', {}, () => memory.commit()),
  async snapshot() {
    const name = `before/r${round}n${number}`;
    await call('snapshot', {}, async () => {
      const { tag, commit } = await memory.snapshots.create(name);
      return { tag, commits: [commit] };
    });
  },
  async extract() {
    if (captured.length === 0) await calls.capture();
    const { session } = captured.at(-1);
    await call('extract', {}, async () => {
      const { transcripts } = await memory.extract({ from: session });
      const created = transcripts.flatMap((transcript) => transcript.created);
      return {
        has: created.map(({ path, content }) => fact(path, content)),
        commits: transcripts.map(({ commit }) => commit),
      };
    });
  },
  async undo() {
    if (captured.length === 0) await calls.capture();
    const { path, commit, text } = captured.shift();
    if (commit === null) return;
    await call('undo', { lacks: [fact(path, text)] }, async () => ({ commits: [(await memory.undo(commit)).commit] }));
  },
};

for (;;) {
  for (const name of order) {
    number += 1;
    await calls[name]();
  }
}
