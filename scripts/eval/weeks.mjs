// Weeks: five days of one person. On the morning of the sixth, what does a session begin with, and what is handed for a question?
//   npm run eval -- weeks                 all weeks of the data, and of scripts/train/sets.
//   npm run eval -- weeks FOLDER …        other weeks: a week.json is in each folder.
//   --tokens N  --asked N                 tokens of a beginning (default: the product's), and of a context (default 1,000).
//   --words                               without the table of vectors.
//   --scorer FOLDER                       with a scorer of turns, such as ../shared/models/keep.
//   --show NAME                           prints the beginning of one week, and what it lacks.
//
// Each session is captured at its time and extracted from at its end; each night has its maintenance. No model. A needed thing is there when all of
// its words are, and a value where it stands between other signs than letters and digits.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { turnScorer } from '../../dist/adapters/turn-scorer.js';
import { estimateTokens } from '../../dist/base/token-estimate.js';
import { at } from './data.mjs';
import { mean } from './metrics.mjs';
import { lettersOf } from './reading.mjs';
import { printTable } from './report.mjs';
import { emptyMemory } from './systems.mjs';

const dayMs = 86_400_000;
const homes = [at('english'), fileURLToPath(new URL('../train/sets', import.meta.url))];
const timeOf = (day, time) => Date.parse(`${day}T${time}:00Z`);

/** The folders of all weeks that are there. */
function allFolders() {
  return homes
    .filter((home) => existsSync(home))
    .flatMap((home) => readdirSync(home).map((name) => path.join(home, name)))
    .filter((folder) => existsSync(path.join(folder, 'week.json')));
}

/** Lives a week; gives the memory as it is on the next morning. */
async function lived({ days }, embedder, scorer) {
  let now = timeOf(days[0].day, '00:00');
  const memory = await emptyMemory(() => now, embedder, scorer);
  for (const { day, sessions } of days) {
    for (const [number, { topic, channel, turns }] of sessions.entries()) {
      const messages = turns.map(({ time, role, speaker, text }) => ({
        role: role === 'assistant' ? 'agent' : role,
        ...(speaker ? { speaker } : {}),
        text,
        time: new Date(timeOf(day, time)).toISOString(),
      }));
      now = timeOf(day, turns.at(-1).time) + 60_000;
      const session = `${day}-${number}`;
      const { path: from } = await memory.capture({ session, topic, channel, started: messages[0].time, messages });
      await memory.extract({ from });
    }
    now = timeOf(day, '00:00') + dayMs + 3 * 3_600_000;
    await memory.maintenance.night({});
  }
  now = timeOf(days.at(-1).day, '00:00') + dayMs + 8 * 3_600_000;
  return memory;
}

/** Everything that was ended although nobody ended it. */
async function endedIn(memory) {
  const lists = await Promise.all(
    [{}, { status: 'superseded' }].map((filter) => memory.list({ ...filter, limit: 1_000_000 })),
  );
  const claims = new Map(lists.flatMap(({ memories }) => memories).map((claim) => [claim.id, claim]));
  const { events } = await memory.ledger.list({});
  return (
    [...claims.values()].filter((one) => one.status === 'superseded' || one.replacedBy || one.validUntil !== undefined)
      .length + events.filter(({ supersededBy, status }) => supersededBy || status === 'closed').length
  );
}

const holds = (text, { words }) => words.every((word) => text.toLowerCase().includes(word.toLowerCase()));
const hasValue = (text, values) => values.every((value) => lettersOf(text).includes(lettersOf(value)));

/** The text of a context without the message that it answers. */
async function handed(memory, question, tokens) {
  const { text } = await memory.context(question, { tokens, counts: false });
  return text.replace(/<message>[\s\S]*<\/message>\s*$/, '');
}

/** The last turns within so many tokens, as they were said. */
function lastTurns({ days }, most) {
  const lines = [];
  let left = most;
  for (const { speaker, role, text } of days.flatMap((day) => day.sessions.flatMap((one) => one.turns)).reverse()) {
    const line = `${speaker ?? role}: ${text}`;
    left -= estimateTokens(`${line}\n`);
    if (left < 0) break;
    lines.unshift(line);
  }
  return lines.join('\n');
}

async function judge(week, { tokens, asked, embedder, scorer }) {
  const memory = await lived(week, embedder, scorer);
  const start = await memory.sessionStart(tokens === undefined ? {} : { tokens });
  const missing = week.needed.filter((need) => !holds(start.text, need));
  const lost = [];
  for (const need of week.needed) if (!holds(await handed(memory, need.what, asked), need)) lost.push(need);
  const old = [];
  let [present, outdated] = [0, 0];
  for (const { question, now, before } of week.changed) {
    const text = await handed(memory, question, asked);
    if (hasValue(text, now)) {
      present += 1;
      continue;
    }
    if (hasValue(text, before)) outdated += 1;
    old.push(`${question} ${now.join(', ')}`);
  }
  const ended = await endedIn(memory);
  await memory.close();
  return {
    text: start.text,
    missing,
    lost,
    old,
    figures: [
      week.needed.length - missing.length,
      start.tokens,
      week.needed.filter((need) => holds(lastTurns(week, start.tokens), need)).length,
      week.needed.length - lost.length,
      present,
      outdated,
      ended,
      week.false.filter((sentence) => hasValue(start.text, [sentence])).length,
    ],
  };
}

const columns = ['needed', 'tokens', 'in the last turns', 'asked', 'present', 'only the old', 'ended', 'false'];
/** Of these less is better. */
const isCost = [false, true, false, false, false, true, true, true];

export async function evaluateWeeks(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      ...Object.fromEntries(['tokens', 'asked', 'show', 'scorer'].map((name) => [name, { type: 'string' }])),
      words: { type: 'boolean', default: false },
    },
  });
  const how = {
    ...(values.tokens === undefined ? {} : { tokens: Number(values.tokens) }),
    asked: Number(values.asked ?? 1000),
    ...(values.words ? { embedder: null } : {}),
    ...(values.scorer === undefined ? {} : { scorer: await turnScorer(path.resolve(values.scorer)) }),
  };
  const folders = positionals.length > 0 ? positionals : allFolders();
  if (folders.length === 0) return console.log('weeks: skipped, data not present');
  const lines = [];
  for (const folder of folders) {
    const name = path.basename(folder);
    if (values.show !== undefined && values.show !== name) continue;
    const { figures, text, missing, lost, old } = await judge(
      JSON.parse(readFileSync(path.join(folder, 'week.json'), 'utf8')),
      how,
    );
    lines.push([name, figures]);
    if (values.show === undefined) continue;
    console.log(text);
    for (const { what } of missing) console.log(`not there: ${what}`);
    for (const { what } of lost) console.log(`asked for, and not there: ${what}`);
    for (const one of old) console.log(`asked for, and not as it is now: ${one}`);
  }
  const over = (fold) =>
    columns.map((_, at) =>
      fold(
        lines.map(([, figures]) => figures[at]),
        isCost[at],
      ),
    );
  const shown = (figures) => figures.map((value) => String(Math.round(value * 10) / 10));
  printTable([
    ['week', ...columns],
    ...lines.map(([name, figures]) => [name, ...shown(figures)]),
    ['mean', ...shown(over((figures) => mean(figures)))],
    ['worst', ...shown(over((figures, costs) => (costs ? Math.max(...figures) : Math.min(...figures))))],
  ]);
}
