// A client of the Model Context Protocol: starts `git memory mcp` as Claude Code or Cursor would, keeps something and finds it again.
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { scratch } from './scratch.mjs';

const dir = scratch();
const program = fileURLToPath(new URL('../dist/program/main.js', import.meta.url));

async function client() {
  const one = new Client({ name: 'example', version: '1.0.0' });
  await one.connect(new StdioClientTransport({ command: process.execPath, args: [program, 'mcp', '--dir', dir] }));
  return one;
}

const first = await client();
const { tools } = await first.listTools();
console.log(
  'has memory_search:',
  tools.some(({ name }) => name === 'memory_search'),
);
await first.callTool({ name: 'memory_add', arguments: { content: 'The router is in the attic' } });
await first.close();

// Another session, another process: what the first one kept is a commit.
const second = await client();
const { structuredContent } = await second.callTool({
  name: 'memory_search',
  arguments: { query: 'where is the router' },
});
console.log('found:', structuredContent.hits[0].snippet);
await second.close();
