// Two agents at once keep memories as fast as they are answered. They are real clients of the protocol, each with a server of its own on
// one memory.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { heading, median, ms, quantile, table } from './measure.mjs';
import { textOf } from './repositories.mjs';

export const program = fileURLToPath(new URL('../../dist/program/main.js', import.meta.url));
const each = 500;

export async function startClient(dir) {
  const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const args = [program, 'mcp', '--dir', dir];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: dir, stderr: 'ignore' }));
  await client.callTool({ name: 'memory_status', arguments: {} });
  return client;
}

async function keepAll(client, position) {
  const times = [];
  for (let number = 0; number < each; number += 1) {
    const content = textOf(9_000_000 + position * each + number, 20);
    const start = performance.now();
    const { isError } = await client.callTool({ name: 'memory_add', arguments: { content } });
    times.push(performance.now() - start);
    if (isError) throw new Error('a memory was refused');
  }
  return times;
}

export async function benchMcp({ root }) {
  heading(`agents over MCP on one memory, ${each} memories each, milliseconds a call`);
  const rows = [['agents', 'median', 'p95', 'slowest', '| a second, in all', '| lost']];
  for (const agents of [1, 2]) {
    const dir = `${root}/mcp-${agents}`;
    fs.mkdirSync(dir, { recursive: true });
    spawnSync(process.execPath, [program, 'init'], { cwd: dir });
    const clients = await Promise.all(Array.from({ length: agents }, () => startClient(dir)));
    const start = performance.now();
    const times = (await Promise.all(clients.map(keepAll))).flat();
    const seconds = (performance.now() - start) / 1000;
    await Promise.all(clients.map((client) => client.close()));
    const { stdout } = spawnSync(process.execPath, [program, 'status', '--json'], { cwd: dir, encoding: 'utf8' });
    const kept = JSON.parse(stdout).memories;
    rows.push([
      String(agents),
      ms(median(times)),
      ms(quantile(times, 0.95)),
      ms(Math.max(...times)),
      String(Math.round(times.length / seconds)),
      String(agents * each - kept),
    ]);
  }
  table(rows);
}
