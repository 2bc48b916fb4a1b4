// The server as a child of its client, over standard input and output: one client, as long as its pipe is open.

import type { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { resourcesChanged, Subscriptions, tellClient } from './changes.ts';
import { LineTransport } from './lines.ts';
import { createServer, newSession, type ServerOptions } from './server.ts';

/** A longer line is answered with an error: a transcript of 16 MiB, escaped, fits. */
const maxLineBytes = 64 * 1024 * 1024;

/** Serves until the client closes its end or `signal` says so; the memory is committed and closed then. */
export async function serveOverStdio(
  options: ServerOptions,
  signal: AbortSignal,
  warn: (message: string) => void,
): Promise<void> {
  const transport = new LineTransport(process.stdin, process.stdout, { maxLineBytes });
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const clients = new Map<McpServer, Subscriptions | null>();
  const create = async ({ era }: { era: 'legacy' | 'modern' }) => {
    const server = await createServer({ ...options, canSubscribe: true, session: newSession() });
    // Of the later revision the transport knows what the client listens to, and lets nothing else through.
    clients.set(server, era === 'legacy' ? new Subscriptions(server, () => options.host.memory()) : null);
    return server;
  };
  options.host.onChange((memoryChange) => {
    const change = resourcesChanged(memoryChange);
    for (const [server, subscriptions] of clients) tellClient(server, subscriptions, change);
  });
  const handle = serveStdio(create, { transport, onerror: (error) => warn(error.message) });
  await ended;
  await handle.close();
  await options.host.close();
}
