// Real conversations at size: the six days of Apollo 13 are imported, extracted and searched.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openMemory } from '../../dist/index.js';
import { heading, median, ms, quantile, table, time, verdict } from './measure.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const data = path.join(here, '../../../shared/data/apollo-13.json');

const questions = [
  'Houston we have had a problem',
  'main bus undervolt',
  'oxygen tank pressure',
  'stir the cryos',
  'fuel cell one and three',
  'lithium hydroxide canister',
  'carbon dioxide partial pressure',
  'free return trajectory',
  'PC plus two burn',
  'gimbal angles',
  'lunar module consumables',
  'water usage rate',
  'battery charge',
  'command module power up',
  'service module separation',
  'reentry procedure checklist',
  'splashdown recovery ship',
  'weather in the landing area',
  'Lovell commander',
  'Swigert tax return',
  'Fred Haise',
  'Jack Lousma',
  'television broadcast',
  'venting something out into space',
  'alignment star check',
  'passive thermal control',
  'omni antenna',
  'signal strength',
  'quantity two oxygen',
  'hydrogen tank heater',
  'master alarm',
  'caution and warning',
  'thruster quads',
  'roll rate',
  'midcourse correction',
  'descent engine',
  'ascent battery',
  'suit loop hose',
  'tape and plastic bag',
  'cold in the command module',
  'sleep period',
  'food and hot dogs',
  'music',
  'moon view out the window',
  'earth terminator',
  'time of ignition',
  'state vector update',
  'entry interface',
  'parachutes',
  'thank you everybody in mission control',
];

export async function benchApollo({ root }) {
  heading('Apollo 13: 10,876 utterances');
  if (!existsSync(data)) return console.log(`  skipped: ${data} is not here`);
  const script = path.join(here, '../apollo.mjs');
  const lines = spawnSync(process.execPath, [script, data], { encoding: 'utf8', maxBuffer: 1 << 28 }).stdout;
  const rows = [
    ['', 'import s', 'sessions', 'turns', 'extract s', 'memories', 'first recall ms', 'warm median', 'p95', 'RSS MB'],
  ];
  const results = [];
  for (const placement of ['bare', 'repository']) {
    const dir = `${root}/${placement}`;
    mkdirSync(dir, { recursive: true });
    let memory = await openMemory({ dir, create: true, placement });
    let captures = [];
    const importMs = await time(async () => {
      captures = await memory.captureText(lines, { format: 'jsonl', pauseMinutes: 30, topic: 'apollo 13' });
    });
    let extracted;
    const extractMs = await time(async () => {
      extracted = await memory.extract();
    });
    await memory.close();
    memory = await openMemory({ dir });
    const first = await time(() => memory.recall(questions[0]));
    await memory.recall(questions[1]);
    const warm = [];
    for (let round = 0; round < 3; round++) {
      for (const question of questions) warm.push(await time(() => memory.recall(question)));
    }
    globalThis.gc?.();
    await memory.close();
    const turns = captures.reduce((sum, capture) => sum + capture.turns, 0);
    rows.push([
      placement,
      (importMs / 1000).toFixed(1),
      captures.length,
      turns,
      (extractMs / 1000).toFixed(1),
      extracted.transcripts.reduce((sum, { created }) => sum + created.length, 0),
      ms(first),
      ms(median(warm)),
      ms(quantile(warm, 0.95)),
      (process.memoryUsage().rss / 2 ** 20).toFixed(0),
    ]);
    results.push({ placement, importMs, warm: median(warm), turns });
  }
  table(rows);
  verdict(Math.max(...results.map(({ importMs }) => importMs)) < 60_000, 'imports in under a minute');
  verdict(
    results.every(({ turns }) => turns === 10_876),
    'every utterance is there',
  );
  verdict(Math.max(...results.map(({ warm }) => warm)) < 20, 'a warm recall answers in under 20 ms at the median');
}
