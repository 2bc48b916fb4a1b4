// Which turns keep a claim, and claims drawn at random to be read one by one.
//   npm run eval -- extraction --draw SEED    coverage of LoCoMo, REALTALK and BEAM, and 200 claims of the first two.
//   npm run eval -- extraction --draw SEED --pairs    and 50 questions, each with the claims of a turn that answers it.

import { createHash } from 'node:crypto';
import { ruleExtractor } from '../../../dist/extract/rules.js';
import { placeOf, sets } from '../data.mjs';

const drawnClaims = 200;
const drawnPairs = 50;
const hashOf = (text) => createHash('sha256').update(text).digest('hex');
const drawn = (list, seed, keyOf, count) =>
  list
    .map((one) => ({ ...one, order: hashOf(`${seed} ${keyOf(one)}`) }))
    .sort((one, other) => (one.order < other.order ? -1 : 1))
    .slice(0, count);

/** The claims of a session: `{ place, category, said, speaker, turn, before, started }`. */
function claimsIn({ id, started, turns }) {
  const transcript = {
    sessionId: id,
    title: id,
    started: Date.parse(started),
    turns: turns.map((turn, at) => ({ ...turn, time: Date.parse(started) + at * 1000 })),
  };
  const found = ruleExtractor.extract(transcript, { path: id, maxItems: 100_000 });
  return found.map(({ category, content, turns: [turn] }) => ({
    place: placeOf(id, turn),
    category,
    said: content,
    speaker: turns[turn - 1].speaker,
    turn: turns[turn - 1].text,
    before: turns[turn - 2]?.text ?? '',
    started,
  }));
}

/** Reads a set: its claims, how many turns it has, and its questions with the claims of their turns. */
function readSet(name) {
  const stores = sets[name].read();
  if (stores === undefined || stores === null) return undefined;
  const claims = stores.flatMap(({ sessions }) => sessions.flatMap(claimsIn));
  const byPlace = new Map();
  for (const claim of claims) byPlace.set(claim.place, [...(byPlace.get(claim.place) ?? []), claim]);
  const gold = new Set(stores.flatMap(({ questions }) => questions.flatMap((one) => [...one.gold])));
  return {
    claims,
    turns: stores.flatMap(({ sessions }) => sessions).reduce((sum, { turns }) => sum + turns.length, 0),
    gold,
    covered: [...gold].filter((place) => byPlace.has(place)),
    pairs: stores.flatMap(({ questions }) =>
      questions.flatMap(({ text, gold: places }) =>
        [...places].filter((place) => byPlace.has(place)).map((place) => ({ text, place, claims: byPlace.get(place) })),
      ),
    ),
  };
}

/** Prints coverage, and what is drawn with this seed. */
export function drawClaims(seed, withPairs) {
  const [claims, pairs] = [[], []];
  for (const name of ['locomo', 'realtalk', 'beam-person']) {
    const read = readSet(name);
    if (read === undefined) {
      console.log(`${name}: skipped, data not present`);
      continue;
    }
    const share = Math.round((100 * read.covered.length) / read.gold.size);
    console.log(
      `${name}: ${(read.claims.length / read.turns).toFixed(2)} claims a turn, ${read.covered.length} of ${read.gold.size} turns of evidence (${share} %)`,
    );
    if (name === 'beam-person') continue;
    claims.push(...read.claims);
    pairs.push(...read.pairs);
  }
  for (const { place, category, said, turn, before, started } of drawn(
    claims,
    seed,
    ({ place: at, said }) => `${at} ${said}`,
    drawnClaims,
  ))
    console.log(`\n${place} ${started.slice(0, 10)} ${category}: ${said}\n  ${before.slice(-160)}\n  > ${turn}`);
  if (!withPairs) return;
  for (const { text, place, claims: held } of drawn(pairs, seed, (one) => `${one.place} ${one.text}`, drawnPairs))
    console.log(`\n${place} ${text}\n  ${held.map(({ said }) => said).join('\n  ')}`);
}
