// The server as a child of its client, over standard input and output: one client, as long as its pipe is open.

import type { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { createServer, type ServerOptions } from './server.ts';

/** A call above this is refused by closing the connection: a transcript of 16 MiB, escaped, fits. */
const maxMessageBytes = 64 * 1024 * 1024;

/** Serves until the client closes its end or `signal` says so; the memory is committed and closed then. */
export async function serveOverStdio(
  options: ServerOptions,
  signal: AbortSignal,
  warn: (message: string) => void,
): Promise<void> {
  const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: maxMessageBytes });
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const create = async () => {
    const server: McpServer = await createServer({ ...options, onWrite: () => server.sendResourceListChanged() });
    return server;
  };
  const handle = serveStdio(create, { transport, onerror: (error) => warn(error.message) });
  await ended;
  await handle.close();
  await options.host.close();
}
