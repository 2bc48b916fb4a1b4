// The recall of this library over a store: everything that is captured or written by the verbs a caller has. And what it ranks with.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { ephemeralFileSystem, openMemory, transformersEmbedder } from '../../dist/index.js';
import { at, placeOf } from './data.mjs';

/**
 * What memories rank with, by name: a function that gives the embedder for a store. Those that cannot be had are named and left out.
 *
 * For `words` there is none. For `table` it is the table of vectors that comes with the package, or one in a folder. There `{w}` becomes the name
 * of the store, such as a writer's; where that folder is not there, the package's table is taken. For `model` it is a transformer in a folder, if a runtime is there.
 */
export async function rankings({ system = 'words,table,model', table, model = at('../models/minilm') } = {}) {
  const named = system.split(',');
  const found = {};
  const opened = new Map();
  const once = (key, make) => opened.get(key) ?? opened.set(key, make()).get(key);
  const makers = {
    words: async () => () => null,
    async table() {
      const file = new URL('../../dist/adapters/table-embedder.js', import.meta.url);
      if (!existsSync(file)) throw new Error('this build has none');
      const { tableEmbedder } = await import(file);
      const open = (folder) => once(folder, () => tableEmbedder(folder && path.resolve(folder)));
      if (!table?.includes('{w}')) return () => open(table);
      // Stores of nobody who wrote a training text have no table of their own.
      return (store) => open([table.replace('{w}', store)].find((folder) => existsSync(folder)));
    },
    async model() {
      const embedder = await transformersEmbedder({ model: path.resolve(model) });
      opened.set('model', embedder);
      return () => embedder;
    },
  };
  for (const name of named.filter((one) => one in makers)) {
    try {
      found[name] = await makers[name]();
    } catch (error) {
      console.log(`${name}: skipped, ${error.message}`);
    }
  }
  return { found, close: () => Promise.all([...opened.values()].map((embedder) => embedder.close?.())) };
}

/** Opens an empty memory without a disk, whose time is what `now` gives. No scorer of turns judges unless one is given. */
export const emptyMemory = (now, embedder, turnScorer = null) =>
  openMemory({
    dir: '/memory',
    create: true,
    placement: 'bare',
    fs: ephemeralFileSystem(),
    clock: { now },
    model: null,
    turnScorer,
    ...(embedder === undefined ? {} : { embedder }),
  });

/**
 * Puts a store into a memory of its own, without a disk. `embedder` gives every turn its vector; undefined is what the product takes, null
 * none. With `extracts` the rules make memories of what was said, at the end or after `each` session. It is asked `restMs` after the last.
 */
export async function memoryOf(
  store,
  { embedder, extracts = false, restMs = 0, files = {}, configuration = null } = {},
) {
  let now = Date.parse(store.sessions[0]?.started ?? '2026-01-01T00:00:00Z');
  const memory = await emptyMemory(() => now, embedder);
  for (const [name, text] of Object.entries(files)) await memory.write(name, text);
  for (const { path: name, title, text } of store.documents ?? []) await memory.write(name, `# ${title}\n\n${text}\n`);
  if ((store.documents ?? []).length > 0) await memory.commit();
  if (configuration !== null) await memory.configure(configuration);
  const sessionAt = new Map();
  sessionsOf.set(memory, sessionAt);
  for (const { id, started, turns } of store.sessions) {
    now = Date.parse(started) + 3_600_000;
    const captured = await memory.capture({ messages: turns, session: id, started });
    sessionAt.set(captured.path, id);
    if (extracts === 'each') await memory.extract();
  }
  if (extracts) await memory.extract();
  if (embedder !== null) await memory.maintenance.reindex();
  now += restMs;
  return memory;
}

/** By memory: the session of each transcript, by path. */
const sessionsOf = new WeakMap();

/** Says which turns a hit tells of: its own, those of what it was folded with, and those that a memory was taken from. */
async function turnsToldIn(memory) {
  const { memories } = await memory.list();
  const sources = new Map(memories.map(({ id, sources: from = [] }) => [id, from]));
  return (hit) =>
    [hit, ...(hit.also ?? [])].flatMap(({ session, turn, id, path }) => [
      ...(turn === undefined ? (path.startsWith('knowledge/') ? [path] : []) : [placeOf(session, turn)]),
      ...(sources.get(id) ?? []).map(({ path: from, turn: said }) => placeOf(sessionsOf.get(memory).get(from), said)),
    ]);
}

/** Asks a memory; gives places, or sessions. A hit that tells nothing that those before it did not tell keeps its rank. */
export async function recall(memory, { level = 'place', ...options } = {}) {
  const group = level === 'place' ? {} : { group: 'session' };
  const placesOf = await turnsToldIn(memory);
  return async (question) => {
    const { hits } = await memory.recall(question, { limit: 50, ...group, ...options });
    const seen = new Set();
    return hits.map((hit) => {
      const places = placesOf(hit).map((place) => (level === 'place' ? place : place.slice(0, place.lastIndexOf('#'))));
      const place = places.find((one) => !seen.has(one)) ?? '';
      seen.add(place);
      return place;
    });
  };
}
