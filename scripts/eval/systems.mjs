// What is compared: plain MiniSearch as many people would set it up, and the recall of this library under several options.

import MiniSearch from 'minisearch';
import { stemmer } from 'stemmer';
import { ephemeralFileSystem, openMemory } from '../../dist/index.js';
import { placeOf } from './data.mjs';

const stopWords = new Set(
  `a about above after again against all am an and any are aren as at be because been before being below between both but by
  can cannot could couldn d did didn do does doesn doing don down during each few for from further had hadn has hasn have haven
  having he her here hers herself him himself his how i if in into is isn it its itself just let ll m me more most mustn my
  myself no nor not of off on once only or other ought our ours ourselves out over own re s same shan she should shouldn so some
  such t than that the their theirs them themselves then there these they this those through to too under until up ve very was
  wasn we were weren what when where which while who whom why will with won would wouldn you your yours yourself yourselves`.split(
    /\s+/,
  ),
);

const processTerm = (term) => {
  const lower = term.toLowerCase();
  return stopWords.has(lower) ? null : stemmer(lower);
};

const spoken = ({ speaker, text }) => `${speaker}: ${text}`;

/** MiniSearch with Porter stemming and a stop list, over turns ("speaker: text") or whole sessions. */
export function baseline(store, level) {
  const index = new MiniSearch({ fields: ['text'], processTerm });
  if (level === 'turn') {
    for (const { id, turns } of store.sessions) {
      index.addAll(turns.map((turn, at) => ({ id: placeOf(id, at + 1), text: spoken(turn) })));
    }
  } else {
    index.addAll(store.sessions.map(({ id, turns }) => ({ id, text: turns.map(spoken).join('\n') })));
  }
  return (question) => index.search(question).map(({ id }) => id);
}

/**
 * Captures every session of a conversation into a memory repository of its own, in memory; `embedder` gives every turn its vector,
 * and with `extracts` the rules make memories of them.
 */
export async function memoryOf(store, { embedder, extracts = false, files = {}, configuration = null } = {}) {
  let now = Date.parse(store.sessions[0].started);
  const memory = await openMemory({
    dir: '/memory',
    create: true,
    placement: 'bare',
    fs: ephemeralFileSystem(),
    clock: { now: () => now },
    ...(embedder === undefined ? {} : { embedder }),
  });
  for (const [name, text] of Object.entries(files)) await memory.write(name, text);
  if (configuration !== null) await memory.configure(configuration);
  const sessionAt = new Map();
  sessionsOf.set(memory, sessionAt);
  for (const { id, started, turns } of store.sessions) {
    now = Date.parse(started) + 3_600_000;
    const messages = turns.map(({ speaker, text }) => ({
      role: speaker === turns[0].speaker ? 'user' : 'agent',
      speaker,
      text: text === '' ? '…' : text,
    }));
    const { path } = await memory.capture({ messages, session: id, started });
    sessionAt.set(path, id);
  }
  if (extracts) await memory.extract();
  if (embedder !== undefined) await memory.reindex();
  return memory;
}

/** By memory: the session of each transcript, by path. */
const sessionsOf = new WeakMap();

/** Says which turns a hit tells of: its own, those of what it was folded with, and those that a memory was taken from. */
async function turnsToldIn(memory) {
  const { memories } = await memory.list();
  const sources = new Map(memories.map(({ id, sources = [] }) => [id, sources]));
  return (hit) =>
    [hit, ...(hit.also ?? [])].flatMap(({ session, turn, id }) => [
      ...(turn === undefined ? [] : [placeOf(session, turn)]),
      ...(sources.get(id) ?? []).map(({ path, turn: said }) => placeOf(sessionsOf.get(memory).get(path), said)),
    ]);
}

/** Asks a memory; places of turns, or sessions. A hit that tells nothing that those before it did not tell keeps its rank. */
export function recall(memory, level, options) {
  const group = level === 'turn' ? {} : { group: 'session' };
  const told = turnsToldIn(memory);
  return async (question) => {
    const { hits } = await memory.recall(question, { limit: 50, ...group, ...options });
    const turnsOf = await told;
    const seen = new Set();
    return hits.map((hit) => {
      const places = turnsOf(hit).map((place) => (level === 'turn' ? place : place.slice(0, place.lastIndexOf('#'))));
      const place = places.find((one) => !seen.has(one)) ?? hit.path;
      seen.add(place);
      return place;
    });
  };
}
