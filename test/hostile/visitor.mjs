// A process that visits repositories: asks a memory everything it can be asked, writes, calls the doctor; says what came back.
// It reads visits from standard input, one JSON object a line, and answers each with one line.

import { createInterface } from 'node:readline';
import { doctor, openMemory } from '../../dist/library/index.js';
import { peakBytes } from '../helpers/peak.mjs';

/** What is asked of every repository; answers are compared with those of the undamaged one. */
const questions = {
  status: async (memory) => {
    const { branch, commit, files, memories, conversations, pending, damaged } = await memory.status();
    return { branch, commit, files, memories, conversations, pending, lacks: damaged?.map(({ path }) => path) };
  },
  list: async (memory) => (await memory.list()).memories.map(({ id, content }) => [id, content]),
  log: async (memory) => (await memory.log({ limit: 1000 })).commits.map(({ oid, paths }) => [oid, paths]),
  read: (memory) => memory.read('knowledge/people/ada.md'),
  recall: async (memory) => {
    const { hits, damaged } = await memory.recall('tea');
    const found = hits.map(({ path, commit }) => [path, commit]);
    return damaged === undefined ? found : { found, lacks: damaged.map(({ path }) => path) };
  },
  old: async (memory) => (await memory.at('memory/milestone/first')).read('knowledge/people/ada.md'),
  snapshots: async (memory) => {
    const snapshots = await memory.snapshots.list();
    const tags = snapshots.map(({ tag, commit }) => [tag, commit]);
    return snapshots.damaged === undefined ? { tags } : { tags, lacks: snapshots.damaged.map(({ path }) => path) };
  },
};

async function ask(dir) {
  const answers = {};
  let memory;
  try {
    memory = await openMemory({ dir, readOnly: true });
  } catch (error) {
    return { open: failure(error) };
  }
  for (const [name, question] of Object.entries(questions)) {
    try {
      answers[name] = { answer: await question(memory) };
    } catch (error) {
      answers[name] = failure(error);
    }
  }
  await memory.close().catch(() => {});
  return answers;
}

async function write(dir) {
  let memory;
  try {
    memory = await openMemory({ dir, indexWaitMs: 50, lockWaitMs: 50 });
    await memory.capture({ text: 'A visitor was here.', time: '2026-11-02T12:00:00Z' });
    const { path } = await memory.remember({ id: 'visit', content: 'A visitor was here' });
    await memory.commit();
    const text = await memory.read(path);
    await memory.close();
    return { answer: text.includes('visitor') };
  } catch (error) {
    memory?.dispose();
    return failure(error);
  }
}

/** Everything the engine refuses has a code; what has none is a failure of the engine itself. */
function failure(error) {
  return { code: error.code && error.constructor.name === 'MemoryError' ? error.code : `UNEXPECTED ${error.stack}` };
}

async function examine(dir, options) {
  try {
    const { findings, isHealthy } = await doctor({ dir, lockWaitMs: 50, ...options });
    return { findings, isHealthy };
  } catch (error) {
    return failure(error);
  }
}

const steps = {
  ask: ({ dir }) => ask(dir),
  write: ({ dir }) => write(dir),
  doctor: ({ dir }) => examine(dir, { all: true }),
  fix: ({ dir }) => examine(dir, { all: true, fix: true }),
  restore: ({ dir }) => examine(dir, { all: true, tip: 'restore' }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const visit = JSON.parse(line);
  const results = [];
  for (const step of visit.steps) results.push(await steps[step](visit));
  process.stdout.write(`${JSON.stringify({ results, maxRssBytes: peakBytes() })}\n`);
}
