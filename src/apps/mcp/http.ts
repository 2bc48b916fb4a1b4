// The server for clients of this machine over HTTP: bound to the loopback address, behind a token, closed to web pages.

import { randomBytes } from 'node:crypto';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server';
import { MemoryError } from '../../base/errors.ts';
import { hasToken, listenOnLoopback } from '../loopback.ts';
import { resourcesChanged } from './changes.ts';
import { HttpSessions } from './http-sessions.ts';
import { messageAsMeant } from './message.ts';
import { createServer, type ServerOptions } from './server.ts';

const maxRequestBodySize = 64 * 1024 * 1024;
const endpoint = '/mcp';

/** How the server is reached over HTTP. */
export interface HttpOptions {
  /** 0 lets the system choose. */
  readonly port: number;
  /** What clients show as `Authorization: Bearer …`; made up if left out. */
  readonly token?: string;
}

/** A server that listens. */
export interface HttpServer {
  readonly url: string;
  readonly token: string;
  /** Stops listening, and commits and closes the memory. */
  close(): Promise<void>;
}

/**
 * Listens on 127.0.0.1. A request is answered only if its `Host` names this machine, its `Origin`, if a browser sent one, too, and it
 * carries the token. A web page that resolves its own name to the loopback address gets nowhere.
 *
 * @throws MemoryError INVALID_ARGUMENT for a token that is too short, IO for a port that is taken.
 */
export async function serveOverHttp(
  options: ServerOptions,
  { port, token = randomBytes(24).toString('base64url') }: HttpOptions,
): Promise<HttpServer> {
  if (token.length < 16) {
    throw new MemoryError('INVALID_ARGUMENT', 'the token is shorter than 16 characters', {
      where: 'token',
      hint: 'Choose a longer one',
    });
  }
  const handler = createMcpHandler(() => createServer({ ...options, canSubscribe: true }), {
    legacy: 'reject',
    maxRequestBodySize,
  });
  const sessions = new HttpSessions(options, { maxRequestBodySize });
  options.host.onChange((memoryChange) => {
    const change = resourcesChanged(memoryChange);
    for (const uri of change.uris) handler.notify.resourceUpdated(uri);
    if (change.isListChanged) handler.notify.resourcesChanged();
    sessions.tell(change);
  });
  const fetch = async (sent: Request) => {
    const incoming = await asMeant(sent);
    const isLegacy = await isLegacyRequest(incoming, undefined, { maxRequestBodySize });
    return isLegacy ? sessions.answer(incoming) : handler.fetch(incoming);
  };
  const answer = toNodeHandler({ fetch }, { maxRequestBodySize });
  const isOurHost = localhostHostValidation();
  const isOurOrigin = localhostOriginValidation();
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!isOurHost(request, response) || !isOurOrigin(request, response)) return;
    // As it was sent: a target such as `//` is no URL to parse before the token is known.
    if (request.url?.split('?', 1)[0] !== endpoint) return refuse(response, 404, 'There is nothing here');
    if (!hasToken(request, token)) {
      response.setHeader('WWW-Authenticate', 'Bearer');
      return refuse(response, 401, 'The token is missing or wrong');
    }
    await answer(request as Parameters<typeof answer>[0], response);
  };
  // Whatever a request makes throw, at whichever step, costs that request alone.
  const server = createHttpServer((request, response) => {
    serve(request, response).catch(() => {
      if (response.headersSent) response.destroy();
      else refuse(response, 500, 'The request could not be answered');
    });
  });
  const openPort = await listenOnLoopback(server, port);
  return {
    url: `http://127.0.0.1:${openPort}${endpoint}`,
    token,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      await sessions.close();
      await handler.close();
      server.closeAllConnections();
      await closed;
      await options.host.close();
    },
  };
}

/** Gives a request with its message as it was meant; one that is no JSON stays as it is, for the answer that says so. */
async function asMeant(request: Request): Promise<Request> {
  if (request.method !== 'POST') return request;
  const text = await request.clone().text();
  try {
    const body = JSON.stringify(messageAsMeant(JSON.parse(text)));
    const headers = new Headers(request.headers);
    headers.delete('content-length');
    return body === text ? request : new Request(request, { body, headers });
  } catch {
    return request;
  }
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32600, message }, id: null }));
}
