// The conversations that extraction is measured on, as transcripts, with an id for every turn. They lie beside the project.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { locomo, qmsum } from '../data.mjs';

const apolloFile = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../../../shared/data/apollo-13.json');
const launch = Date.parse('1970-04-11T19:13:00Z');
const pauseMs = 30 * 60_000;
const aboard = new Set(['CDR', 'CMP', 'LMP', 'SC', 'MS']);

/** A turn is labelled when it has so many words: shorter ones say nothing, longer ones say something of everything. */
const labelledWords = { least: 5, most: 120 };

/** The meetings were written down with marks for noises and spaces before punctuation. */
const written = (text) =>
  text
    .replace(/\{[a-z]+\}/g, ' ')
    .replace(/ (?='(?:s|re|ve|ll|d|m|t)\b|n't\b)/g, '')
    .replace(/ +(?=[.,!?;:](?: |$))/g, '')
    .replace(/\s+/g, ' ')
    .trim();

const hashOf = (text) => createHash('sha256').update(text).digest('hex');

function transcriptOf(session, started, turns) {
  return { sessionId: session, started: turns[0]?.time ?? started, title: session, turns };
}

function sessionsOf(stores) {
  return (stores ?? []).flatMap(({ name, sessions }) =>
    sessions.map(({ id, started, turns }) => ({
      conversation: name,
      session: id,
      transcript: transcriptOf(
        id,
        Date.parse(started),
        turns.map(({ speaker, text }, at) => ({
          role: speaker === turns[0].speaker ? 'user' : 'agent',
          speaker,
          time: Date.parse(started) + at * 1000,
          text: written(text),
          words: text.split(/\s+/).length,
        })),
      ),
    })),
  );
}

function apollo() {
  if (!existsSync(apolloFile)) return [];
  const { transcript } = JSON.parse(readFileSync(apolloFile, 'utf8'));
  const sessions = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const { timestamp, speaker, text } of transcript) {
    const [hours, minutes, seconds] = timestamp.split(':').map(Number);
    const time = launch + ((hours * 60 + minutes) * 60 + seconds) * 1000;
    if (time - last >= pauseMs) sessions.push([]);
    last = time;
    sessions
      .at(-1)
      .push({ role: aboard.has(speaker) ? 'agent' : 'user', speaker, time, text, words: text.split(/\s+/).length });
  }
  return sessions.map((turns, at) => ({
    conversation: `session-${at + 1}`,
    session: `session-${at + 1}`,
    transcript: transcriptOf(`session-${at + 1}`, turns[0].time, turns),
  }));
}

const readers = { locomo: () => sessionsOf(locomo()), qmsum: () => sessionsOf(qmsum()), apollo };

/**
 * Reads a set of conversations: sessions `{ set, session, isHeldOut, transcript }`; none if the data is not there.
 *
 * Every fourth conversation of a set is held out. Its labels were not looked at while the rules were changed, but for the last round, which
 * the documentation tells of.
 */
export function corpus(set) {
  const sessions = readers[set]();
  const conversations = [...new Set(sessions.map(({ conversation }) => conversation))];
  return sessions.map(({ conversation, session, transcript }) => ({
    set,
    session,
    isHeldOut: conversations.indexOf(conversation) % 4 === 3,
    transcript,
  }));
}

/** The id of a turn, `session#turn`, turns counted from 1. */
export const idOf = (session, turn) => `${session}#${turn}`;

/** Lists the turns of sessions that may be labelled, in an order that is random and always the same. */
export function labelledTurns(sessions) {
  return sessions
    .flatMap((one) => one.transcript.turns.map((turn, at) => ({ ...one, turn, id: idOf(one.session, at + 1), at })))
    .filter(({ turn: { words } }) => words >= labelledWords.least && words <= labelledWords.most)
    .map((one) => ({ ...one, order: hashOf(`${one.set} ${one.id}`) }))
    .sort((one, other) => (one.order < other.order ? -1 : 1));
}
