// What is kept: by the scorers of words alone, and with a scorer of turns where one is there, side by side.
//   npm run eval -- keep                  the sets of the data and of scripts/train/sets, and chats.
//   npm run eval -- keep FOLDER …         other sets: a turns.jsonl is in each folder.
//   --scorer FOLDER                       another scorer of turns.
//   --every N                             every Nth turn of the chats (default 4).
//
// The scorers were trained with most of the sets: their figures say how well those are known. What left-out writers show is printed by
// scripts/train/scorers/main.mjs. Chats are in no training.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { turnScorer } from '../../dist/adapters/turn-scorer.js';
import { scoresOf, thresholds, tierOf } from '../../dist/language/read.js';
import { settingOf } from '../train/scorers/sets.mjs';
import { at, sets } from './data.mjs';
import { points, printTable } from './report.mjs';

const homes = [at('english'), fileURLToPath(new URL('../train/sets', import.meta.url))];
const hasTurns = (folder) => existsSync(path.join(folder, 'turns.jsonl'));

function recordsOf(folder) {
  const lines = readFileSync(path.join(folder, 'turns.jsonl'), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}

/** Every Nth turn of conversations in the form of a set, without labels. */
function chat(stores, every) {
  const turns = stores.flatMap(({ sessions }) =>
    sessions.flatMap((session) =>
      session.turns.map((turn, nth) => ({ turn, before: session.turns.slice(0, nth).slice(-1) })),
    ),
  );
  return turns.filter((_, nth) => nth % every === 0);
}

/** Scores turns without and with a scorer of turns: [alone, both], where that is there. */
async function judged(records, scorer) {
  const settings = records.map(settingOf);
  const seen = await scorer?.score(
    records.map(({ turn }, nth) => ({ text: turn.text, role: settings[nth].role, before: settings[nth].before })),
  );
  const by = (logits) =>
    records.map((record, nth) => {
      const scores = scoresOf(record.turn.text, settings[nth], logits?.[nth]);
      const isStanding = scores.standing >= thresholds(logits !== undefined).standing;
      return { record, ...scores, isStanding, tier: tierOf(record.turn.text, scores.worth, logits !== undefined) };
    });
  return seen === undefined ? [by()] : [by(), by(seen)];
}

const share = (items, is) => (items.length === 0 ? '–' : points(items.filter(is).length / items.length).toFixed(0));
const isKept = ({ tier }) => tier === 'kept';

/** keeps kept, drops kept, drops that are no talk kept, standing right and found, category right. */
function figuresOf(scored) {
  const keeps = scored.filter(({ record }) => record.worth === 'keep');
  const drops = scored.filter(({ record }) => record.worth !== 'keep');
  const stands = ({ record }) => record.keep.some(({ standing }) => standing);
  return [
    share(keeps, isKept),
    share(drops, isKept),
    share(
      drops.filter(({ record }) => record.class !== undefined && record.class !== 'talk'),
      isKept,
    ),
    share(
      scored.filter((one) => one.isStanding),
      stands,
    ),
    share(scored.filter(stands), (one) => one.isStanding),
    share(keeps, ({ record, category }) => record.keep.some((kept) => kept.category === category)),
  ];
}

export async function evaluateKeep(args) {
  const text = { type: 'string' };
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { scorer: { ...text, default: at('../models/keep') }, every: { ...text, default: '4' } },
  });
  const scorer = await turnScorer(path.resolve(values.scorer)).catch((error) => {
    console.log(`scorer of turns: skipped, ${error.message}`);
  });
  const found = homes
    .filter((home) => existsSync(home))
    .flatMap((home) => readdirSync(home).map((name) => path.join(home, name)));
  const folders = (positionals.length > 0 ? positionals : found).filter(hasTurns);
  const columns = ['keeps', 'drops', 'no talk', 'standing right', 'found', 'category'];
  const rows = [];
  for (const folder of folders) {
    const by = await judged(recordsOf(folder), scorer);
    const [alone, both] = by.map(figuresOf);
    rows.push([
      path.basename(folder),
      ...alone.map((figure, nth) => (both === undefined ? figure : `${figure} ${both[nth]}`)),
    ]);
  }
  printTable([['set', ...columns], ...rows]);
  if (positionals.length === 0) {
    const chats = { LoCoMo: sets.locomo.read(), REALTALK: sets.realtalk.read() };
    const lines = [];
    for (const [name, stores] of Object.entries(chats)) {
      if (!stores) continue;
      const by = await judged(chat(stores, Number(values.every)), scorer);
      const tiers = ['kept', 'minor'].map((tier) =>
        by.map((scored) => share(scored, (one) => one.tier === tier)).join(' '),
      );
      lines.push([name, ...tiers]);
    }
    printTable([['chat', 'kept', 'of little importance'], ...lines]);
  }
  console.log('Percent; each first by words alone, then with the scorer of turns.');
  await scorer?.close();
}
