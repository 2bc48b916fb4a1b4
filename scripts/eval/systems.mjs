// The recall of this library over a store: everything that is captured or written by the verbs a caller has.

import { ephemeralFileSystem, openMemory } from '../../dist/index.js';
import { placeOf } from './data.mjs';

/**
 * Puts a store into a memory of its own, without a disk. `embedder` gives every turn its vector; with `extracts` the rules make memories of
 * what was said.
 */
export async function memoryOf(store, { embedder, extracts = false, files = {}, configuration = null } = {}) {
  let now = Date.parse(store.sessions[0]?.started ?? '2026-01-01T00:00:00Z');
  const memory = await openMemory({
    dir: '/memory',
    create: true,
    placement: 'bare',
    fs: ephemeralFileSystem(),
    clock: { now: () => now },
    ...(embedder === undefined ? {} : { embedder }),
  });
  for (const [name, text] of Object.entries(files)) await memory.write(name, text);
  for (const { path, title, text } of store.documents ?? []) await memory.write(path, `# ${title}\n\n${text}\n`);
  if ((store.documents ?? []).length > 0) await memory.commit();
  if (configuration !== null) await memory.configure(configuration);
  const sessionAt = new Map();
  sessionsOf.set(memory, sessionAt);
  for (const { id, started, turns } of store.sessions) {
    now = Date.parse(started) + 3_600_000;
    const { path } = await memory.capture({ messages: turns, session: id, started });
    sessionAt.set(path, id);
  }
  if (extracts) await memory.extract();
  if (embedder !== undefined) await memory.maintenance.reindex();
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
