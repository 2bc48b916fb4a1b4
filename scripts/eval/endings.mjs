// What is over although nobody ended it: everything there is gets captured and extracted from, without any act. Then no claim may be superseded or
// have an end, and no event may be closed.

import { apollo } from './context.mjs';
import { chosen, news, readData, sets, writersOf } from './data.mjs';
import { sampler } from './metrics.mjs';
import { printTable } from './report.mjs';
import { memoryOf } from './systems.mjs';

/** Turns `{ role?, speaker?, text, time?, session? }` as sessions, in the order of their times. */
function sessionsOf(turns) {
  const sessions = new Map();
  for (const { role = 'user', speaker, text, time, session } of turns) {
    if (!sessions.has(session)) sessions.set(session, { id: session, started: time, turns: [] });
    const who = { role: role === 'assistant' ? 'agent' : role, ...(speaker ? { speaker } : {}) };
    sessions.get(session).turns.push({ ...who, text, ...(time ? { time } : {}) });
  }
  return [...sessions.values()].sort((one, other) => Date.parse(one.started) - Date.parse(other.started));
}

/** A turn and what stood before it, a minute apart, as a session of its own. */
const withBefore = (session, day, before, turn) =>
  [...(before ?? []), turn].map((said, at) => ({
    ...said,
    session,
    time: `${day}T09:${String(at).padStart(2, '0')}:00Z`,
  }));

/** By name: stores; nothing where the data is not present. */
const sources = {
  pairs: news,
  turns: () =>
    writersOf('turns.jsonl')?.map(([, records]) => ({
      sessions: sessionsOf(
        records.flatMap(({ id, before, turn }) => withBefore(id, turn.day ?? '2026-03-02', before, turn)),
      ),
    })),
  weeks: () =>
    writersOf('turns.jsonl')
      ?.flatMap(([name]) => readData(`english/${name}/week.json`) ?? [])
      .map(({ days }) => ({
        sessions: sessionsOf(
          days.flatMap(({ day, sessions }) =>
            sessions.flatMap(({ turns }, at) =>
              turns.map((turn) => ({ ...turn, time: `${day}T${turn.time}:00Z`, session: `${day}-${at}` })),
            ),
          ),
        ),
      })),
  change: () => readData('change/updates-dev.json')?.map(({ turns }) => ({ sessions: sessionsOf(turns) })),
  statements: () => [
    {
      sessions: sessionsOf(
        (readData('handed/statements-dev.json') ?? []).flatMap(({ id, time, before, ...turn }) =>
          [...(before ?? []), turn].map((said) => ({ ...said, time, session: id })),
        ),
      ),
    },
  ],
  lives: () =>
    readData('handed/lives-dev.json')?.map(({ steps }) => ({
      sessions: sessionsOf(
        steps
          .filter(({ messages }) => messages)
          .flatMap(({ at, messages }) =>
            messages.map((said) => ({ time: at, ...said, session: at.replace(/\W/g, '-') })),
          ),
      ),
    })),
  'other-words-alone': sets['other-words-alone'].read,
  locomo: sets.locomo.read,
  realtalk: sets.realtalk.read,
  beam: sets['beam-roles'].read,
  qmsum: sets.qmsum.read,
  apollo,
};

export async function evaluateEndings({ positionals, every, offset }) {
  const lines = [];
  for (const name of chosen(positionals, Object.keys(sources))) {
    const stores = (sources[name]() ?? []).filter(({ sessions }) => sessions.length > 0);
    const sums = { claims: 0, over: 0, events: 0, closed: 0 };
    for (const store of sampler({ every, offset })(stores)) {
      const memory = await memoryOf(store, { embedder: null, extracts: 'each' });
      const all = await Promise.all(
        [{}, { status: 'superseded' }].map((filter) => memory.list({ ...filter, limit: 1_000_000 })),
      );
      const claims = new Map(all.flatMap(({ memories }) => memories).map((claim) => [claim.id, claim]));
      const { events } = await memory.ledger.list({});
      sums.claims += claims.size;
      sums.over += [...claims.values()].filter(
        ({ status, replacedBy, validUntil }) => status === 'superseded' || replacedBy || validUntil !== undefined,
      ).length;
      sums.events += events.length;
      sums.closed += events.filter(({ supersededBy, status }) => supersededBy || status === 'closed').length;
      await memory.close();
    }
    lines.push(
      stores.length === 0 ? [name, 'skipped, data not present', '', ''] : [name, ...Object.values(sums).map(String)],
    );
  }
  printTable([['', 'claims', 'over', 'events', 'closed'], ...lines]);
}
