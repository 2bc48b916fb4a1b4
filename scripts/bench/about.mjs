// What it costs to ask what is known of code before each tool: a process is put beside a node that does nothing. There are 300
// sessions of an agent, alone and beside 10,000 memories.

import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { openMemory } from '../../dist/index.js';
import { program, startClient } from './mcp.mjs';
import { heading, median, ms, quantile, table, verdict } from './measure.mjs';
import { textOf } from './repositories.mjs';
import { fill } from './start.mjs';

const sessions = 300;
const rounds = 15;
const most = { process: 150, server: 35 };

const targets = [
  { path: 'src/part7/file2.ts' },
  { path: 'src/nowhere.ts' },
  { command: 'npm run test:7' },
  { error: 'TypeError: part7 is not iterable' },
  { symbol: 'readPart7' },
];

/** One session: five requests, each with an edit, a check that fails, another edit, and the check again. */
function sessionOf(number) {
  const [cwd, sessionId] = ['/w/made', `0000${number}-made`];
  let time = Date.UTC(2026, 0, 1) + number * 3_600_000;
  let count = 0;
  const lines = [];
  const entry = (type, content) => {
    time += 20_000;
    count += 1;
    const of = { cwd, sessionId, gitBranch: 'main', uuid: `${sessionId}-entry-of-${count}-in-it` };
    lines.push(
      JSON.stringify({ ...of, type, timestamp: new Date(time).toISOString(), message: { role: type, content } }),
    );
  };
  const tool = (name, input, content, is_error = false) => {
    const id = `t${count}`;
    entry('assistant', [{ type: 'tool_use', id, name, input }]);
    entry('user', [{ type: 'tool_result', tool_use_id: id, content, is_error }]);
  };
  for (let turn = 0; turn < 5; turn += 1) {
    const part = (number * 5 + turn) % 40;
    const file_path = `${cwd}/src/part${part}/file${turn}.ts`;
    entry('user', `Please see to part ${part}: ${textOf(number * 5 + turn, 20)}`);
    tool('Edit', { file_path, old_string: `part${part}()`, new_string: `readPart${part}(${number})` }, 'Done.');
    tool(
      'Bash',
      { command: `npm run test:${part}` },
      `TypeError: part${part} is not iterable\n${textOf(number, 60)}`,
      true,
    );
    tool('Edit', { file_path, old_string: 'x', new_string: `for (const one of listPart${part}()) use(one);` }, 'Done.');
    tool('Bash', { command: `npm run test:${part}` }, '12 passed');
    entry('assistant', [{ type: 'text', text: textOf(number * 7 + turn, 40) }]);
  }
  return { path: `${sessionId}.jsonl`, text: `${lines.join('\n')}\n` };
}

export async function benchAbout({ root }) {
  for (const memories of [0, 10_000]) {
    heading(`about, ${sessions} sessions, ${memories.toLocaleString('en')} memories, milliseconds`);
    const dir = path.join(root, `about-${memories}`);
    if (memories > 0) await fill(dir, memories);
    const memory = await openMemory({ dir, create: true, durability: 'fast' });
    await memory.import(Array.from({ length: sessions }, (_, number) => sessionOf(number)));
    await memory.close();
    const client = await startClient(dir);
    const rows = [['', 'median', 'p95']];
    const nodes = [];
    const [inProcess, byServer] = [[], []];
    for (const target of targets) {
      const [[kind, words]] = Object.entries(target);
      const [own, served] = [[], []];
      for (let round = -2; round < rounds; round += 1) {
        const [alone, asked] = [
          ['-e', '0'],
          [program, 'about', '--kind', kind, words],
        ].map((args) => timed(dir, args));
        const start = performance.now();
        await client.callTool({ name: 'memory_about', arguments: target });
        if (round < 0) continue;
        served.push(performance.now() - start);
        nodes.push(alone);
        own.push(asked);
      }
      const base = median(nodes);
      const beyond = own.map((one) => one - base);
      rows.push([
        `${kind} ${words.slice(0, 20)}: process, beyond node`,
        ms(median(beyond)),
        ms(quantile(beyond, 0.95)),
      ]);
      rows.push([`${kind} ${words.slice(0, 20)}: server`, ms(median(served)), ms(quantile(served, 0.95))]);
      inProcess.push(...beyond);
      byServer.push(...served);
    }
    await client.close();
    table(rows);
    const [own, served] = [quantile(inProcess, 0.95), quantile(byServer, 0.95)];
    verdict(own <= most.process, `a process within ${most.process} ms of node, p95 (${ms(own)})`);
    verdict(served <= most.server, `the server within ${most.server} ms, p95 (${ms(served)})`);
  }
}

function timed(cwd, args) {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return performance.now() - start;
}
