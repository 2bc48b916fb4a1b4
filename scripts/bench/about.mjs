// What it costs to ask what is known of code before each tool. Processes are put beside a node that does nothing: the verb, and each event of a
// hook that starts one. There are 300 sessions of an agent, alone and beside 10,000 memories. A busy machine changes processor time least.

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

/** What hooks send that start a process; the first is answered by what is kept ready, a prompt by all that was said. */
const events = [
  { hook_event_name: 'SessionStart', source: 'startup' },
  { hook_event_name: 'PreToolUse', tool_name: 'Edit', tool_input: { file_path: 'src/part7/file2.ts' } },
  { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'npm run test:7' } },
  {
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'npm run test:7' },
    tool_response: 'TypeError: part7 is not iterable',
  },
  { hook_event_name: 'UserPromptSubmit', prompt: 'Where is part 7 read, and how?' },
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
    const asked = [
      ...targets.map((target) => {
        const [[kind, words]] = Object.entries(target);
        return { name: `${kind} ${words.slice(0, 20)}`, target, args: ['about', '--kind', kind, words] };
      }),
      ...events.map((event) => ({
        name: `hook ${event.hook_event_name} ${event.tool_name ?? ''}`,
        event,
        args: ['hook'],
      })),
    ];
    const times = asked.map(() => ({ own: [], cpu: [], served: [] }));
    const nodes = [];
    for (let round = -3; round < rounds; round += 1) {
      for (const [at, { target, event, args }] of asked.entries()) {
        const alone = timed(dir, ['-e', '0']);
        const input = event && JSON.stringify({ session_id: `bench-${round}-${at}`, cwd: dir, ...event });
        const own = timed(dir, [program, ...args], input);
        const start = performance.now();
        if (target !== undefined) await client.callTool({ name: 'memory_about', arguments: target });
        if (round < 0) continue;
        nodes.push(alone);
        times[at].own.push(own.wall);
        times[at].cpu.push(own.cpu);
        if (target !== undefined) times[at].served.push(performance.now() - start);
      }
    }
    await client.close();
    const base = { wall: median(nodes.map(({ wall }) => wall)), cpu: median(nodes.map(({ cpu }) => cpu)) };
    const beyond = ({ own }) => own.map((one) => one - base.wall);
    const both = (all) => [ms(median(all)), ms(quantile(all, 0.95))];
    table([
      ['beyond node', 'median', 'p95', 'processor, median', 'p95', 'server, median', 'p95'],
      ...asked.map(({ name }, at) => [
        name,
        ...both(beyond(times[at])),
        ...both(times[at].cpu.map((one) => one - base.cpu)),
        ...(times[at].served.length === 0 ? ['', ''] : both(times[at].served)),
      ]),
    ]);
    const isAbout = (_, at) => asked[at].event?.prompt === undefined;
    const own = quantile(times.filter(isAbout).flatMap(beyond), 0.95);
    const served = quantile(
      times.flatMap((one) => one.served),
      0.95,
    );
    verdict(own <= most.process, `a process within ${most.process} ms of node, p95 (${ms(own)})`);
    verdict(served <= most.server, `the server within ${most.server} ms, p95 (${ms(served)})`);
  }
}

/** Runs a process by a shell that says how much of the processor it took. */
function timed(cwd, args, input) {
  const start = performance.now();
  const run = ['-c', 'TIMEFORMAT="%3U %3S"; time "$@"', 'bash', process.execPath, ...args];
  const { status, stderr } = spawnSync('bash', run, { cwd, encoding: 'utf8', input });
  const wall = performance.now() - start;
  const [, user, system] = /^(\d+\.\d+) (\d+\.\d+)\n$/.exec(stderr) ?? [];
  if (status !== 0 || user === undefined) throw new Error(stderr);
  return { wall, cpu: 1000 * (Number(user) + Number(system)) };
}
