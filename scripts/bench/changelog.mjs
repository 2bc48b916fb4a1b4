// A changelog of 5,000 events: reading it, appending one more, and what is asked of all of them, beside the floor of splitting its lines.

import fs from 'node:fs';
import { openMemory } from '../../dist/index.js';
import { parseChangelog } from '../../dist/store/records/changelog.js';
import { heading, median, ms, quiet, table, time, verdict } from './measure.mjs';

const count = 5000;
const types = ['decision', 'create', 'modify', 'test', 'fix', 'escalation'];
const start = Date.UTC(2025, 0, 1);

function changelog() {
  let text = '# Changelog\n\n## Event Log\n';
  for (let number = 1; number <= count; number++) {
    const when = new Date(start + number * 3_600_000).toISOString().slice(0, 16).replace('T', ' ');
    const id = (one) => `evt-${String(one).padStart(3, '0')}`;
    const refs = number > 3 ? `${id(number - 1)}, ${id(number - 3)}` : 'none';
    text +=
      `\n### ${id(number)} | ${when} | agent-${number % 5} | ${types[number % types.length]}\n\n` +
      `**Scope**: module ${number % 50}\n**Summary**: Number ${number}: module ${number % 50} reads what it is given and says what it found\n\n` +
      `**Details**:\n- entity: module-${number % 50}\n- target: module-${number % 50}\n- reason: somebody asked for it\n\n` +
      `**Refs**: ${refs}\n**Tags**: module, number-${number % 7}\n`;
  }
  return text;
}

/** Measures the log of a project; its graph and narrative are in the section `graph`. */
export async function benchChangelog({ root }) {
  heading(`A changelog of ${count} events`);
  const text = changelog();
  let now = start + (count + 24) * 3_600_000;
  const clock = { now: () => (now += 10) };
  const memory = await openMemory({ dir: `${root}/many`, create: true, clock });
  const small = await openMemory({ dir: `${root}/few`, create: true, clock });
  await memory.write('CHANGELOG.md', text);
  // What follows from it is made anew by every append.
  for (const path of ['.memory/graph.md', '.memory/context.md']) await memory.write(path, '');
  await memory.commit();
  const change = { type: 'decision', scope: 'all', summary: 'One more', agent: 'bench', refs: [] };
  const few = [];
  const many = [];
  for (let turn = 0; turn < 15; turn++) {
    few.push(await time(() => small.logChange(change)));
    many.push(await time(() => memory.project.change(change)));
  }
  const floor = [];
  const parse = [];
  for (let turn = 0; turn < 9; turn++) {
    floor.push(await time(() => text.split('\n').map((line) => line.trim())));
    parse.push(await time(() => parseChangelog(text, 'CHANGELOG.md')));
  }
  const list = await time(() => memory.project.changes({ type: 'fix' }));
  const integrity = await time(() => memory.ledger.check());
  const archival = await time(() => memory.maintenance.run({ tasks: ['changelog-archive'] }));
  const after = await time(() => memory.project.change(change));
  table([
    ['', 'median', 'quiet'],
    [`splitting ${(text.length / 1e6).toFixed(1)} MB into lines`, ms(median(floor)), ms(quiet(floor))],
    ['parse', ms(median(parse)), ms(quiet(parse))],
    ['append, behind few', ms(median(few)), ms(quiet(few))],
    [`append, behind ${count}, with graph and narrative`, ms(median(many)), ms(quiet(many))],
    ['list', ms(list), ''],
    ['integrity', ms(integrity), ''],
    ['archival', ms(archival), ''],
    ['append, after it', ms(after), ''],
    ['size of the file after it', `${fs.statSync(`${root}/many/CHANGELOG.md`).size} B`, ''],
  ]);
  await memory.close();
  await small.close();
  verdict(median(parse) < 250, `parses ${count} events in under 250 ms: ${ms(median(parse))} ms`);
  verdict(median(many) < 50, `appends behind ${count} events in under 50 ms: ${ms(median(many))} ms`);
}
