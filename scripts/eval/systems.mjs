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

/** Captures every session of a conversation into a memory repository of its own, in memory; `embedder` gives every turn its vector. */
export async function memoryOf(store, embedder) {
  let now = Date.parse(store.sessions[0].started);
  const memory = await openMemory({
    dir: '/memory',
    create: true,
    placement: 'bare',
    fs: ephemeralFileSystem(),
    clock: { now: () => now },
    ...(embedder === undefined ? {} : { embedder }),
  });
  for (const { id, started, turns } of store.sessions) {
    now = Date.parse(started) + 3_600_000;
    const messages = turns.map(({ speaker, text }) => ({
      role: speaker === turns[0].speaker ? 'user' : 'agent',
      speaker,
      text: text === '' ? '…' : text,
    }));
    await memory.capture({ messages, session: id, started });
  }
  if (embedder !== undefined) await memory.reindex();
  return memory;
}

/** Asks a memory; places of turns, or sessions. */
export function recall(memory, level, options) {
  const group = level === 'turn' ? {} : { group: 'session' };
  return async (question) => {
    const { hits } = await memory.recall(question, { limit: 50, ...group, ...options });
    return hits.map(({ session, turn }) => (level === 'turn' ? placeOf(session, turn) : session));
  };
}
