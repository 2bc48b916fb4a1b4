// Serves clients of the revision of 2025 over HTTP, each by a server with a stream of changes; those without a session request by request.

import { randomUUID } from 'node:crypto';
import {
  legacyStatelessFallback,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { type ResourceChange, Subscriptions, tellClient } from './changes.ts';
import { createServer, newSession, type ServerOptions } from './server.ts';

/** Above it the session that was quiet for longest ends: its client begins another one. */
const mostSessions = 100;
const sessionHeader = 'mcp-session-id';

interface Session {
  readonly server: McpServer;
  readonly subscriptions: Subscriptions;
  readonly transport: WebStandardStreamableHTTPServerTransport;
}

/** Answers the requests of one revision, and tells its clients of changes. */
export class HttpSessions {
  private readonly options: ServerOptions;
  private readonly maxRequestBodySize: number;
  /** In the order in which they were last heard of. */
  private readonly sessions = new Map<string, Session>();
  private readonly answerOnce: (request: Request) => Promise<Response>;

  constructor(options: ServerOptions, { maxRequestBodySize }: { readonly maxRequestBodySize: number }) {
    this.options = options;
    this.maxRequestBodySize = maxRequestBodySize;
    this.answerOnce = legacyStatelessFallback(() => createServer(options), undefined, { maxRequestBodySize });
  }

  async answer(request: Request): Promise<Response> {
    const id = request.headers.get(sessionHeader);
    if (id !== null) {
      const session = this.sessions.get(id);
      if (session === undefined) return noSession();
      this.sessions.delete(id);
      this.sessions.set(id, session);
      return session.transport.handleRequest(request);
    }
    return (await beginsSession(request)) ? (await this.begin()).handleRequest(request) : this.answerOnce(request);
  }

  tell(change: ResourceChange): void {
    for (const { server, subscriptions } of this.sessions.values()) tellClient(server, subscriptions, change);
  }

  async close(): Promise<void> {
    const open = [...this.sessions.values()];
    this.sessions.clear();
    await Promise.all(open.map(({ server }) => server.close()));
  }

  private async begin(): Promise<WebStandardStreamableHTTPServerTransport> {
    const server = await createServer({ ...this.options, canSubscribe: true, session: newSession() });
    const subscriptions = new Subscriptions(server, () => this.options.host.memory());
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: this.maxRequestBodySize,
      onsessioninitialized: (id) => {
        this.sessions.set(id, { server, subscriptions, transport });
        if (this.sessions.size > mostSessions) this.end(this.sessions.keys().next().value!);
      },
      onsessionclosed: (id) => this.end(id),
    });
    await server.connect(transport);
    return transport;
  }

  private end(id: string): void {
    const session = this.sessions.get(id);
    if (session === undefined) return;
    this.sessions.delete(id);
    void session.server.close();
  }
}

/** Tells the handshake of a client that can hold a session from a request that stands for itself. */
async function beginsSession(request: Request): Promise<boolean> {
  if (request.method !== 'POST') return false;
  try {
    const message: unknown = await request.clone().json();
    return typeof message === 'object' && message !== null && 'method' in message && message.method === 'initialize';
  } catch {
    return false;
  }
}

/** As the protocol has it: the client begins a new session then. */
function noSession(): Response {
  const error = { code: -32001, message: 'There is no such session; begin a new one' };
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 404 });
}
