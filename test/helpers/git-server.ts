// A git server for tests: the real `git http-backend` behind node:http on this machine, with a name and password.

import { spawn } from 'node:child_process';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';
import { git, hasGit } from './native-git.ts';
import { temporaryFolder } from './temporary.ts';

export interface GitServer {
  readonly origin: string;
  readonly port: number;
  /** Requests that came with the right name and password, and others. */
  readonly counts: { welcome: number; refused: number };
  close(): Promise<void>;
}

export const serverCredential = { username: 'ada', password: 'correct horse' };

/** Makes a bare repository that takes pushes. */
export function bareRepository(folder: string): string {
  git('/', 'init', '--quiet', '--bare', '--initial-branch=main', folder);
  git(folder, 'config', 'http.receivepack', 'true');
  return folder;
}

/** Serves a folder of its own while the tests of a file run; where there is no git, nothing. */
export function gitServerForTests(): { readonly root: string; readonly server: GitServer } {
  const root = hasGit ? temporaryFolder() : '';
  // A proxy of this machine is not to be asked for it.
  process.env.no_proxy = '127.0.0.1';
  let server: GitServer | undefined;
  beforeAll(async () => {
    if (hasGit) server = await serveGit(root);
  });
  afterAll(() => server?.close());
  return {
    root,
    get server() {
      return server!;
    },
  };
}

/** Serves the repositories below a folder. */
export async function serveGit(root: string): Promise<GitServer> {
  const counts = { welcome: 0, refused: 0 };
  // By its own path: `git` would start it as a child, which a signal to `git` does not reach.
  const backend = `${git('/', '--exec-path').trim()}/git-http-backend`;
  const expected = `Basic ${Buffer.from(`${serverCredential.username}:${serverCredential.password}`).toString('base64')}`;
  const server = http.createServer((request, response) => {
    if (request.headers.authorization !== expected) {
      counts.refused += 1;
      request.resume();
      response.writeHead(401, { 'www-authenticate': 'Basic realm="test"' }).end();
      return;
    }
    counts.welcome += 1;
    const url = new URL(request.url!, 'http://here');
    const child = spawn(backend, {
      env: {
        PATH: process.env.PATH,
        GIT_PROJECT_ROOT: root,
        GIT_HTTP_EXPORT_ALL: '1',
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_GLOBAL: '/dev/null',
        REMOTE_USER: 'ada',
        REMOTE_ADDR: '127.0.0.1',
        PATH_INFO: url.pathname,
        QUERY_STRING: url.search.slice(1),
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        ...(request.headers['content-length'] ? { CONTENT_LENGTH: request.headers['content-length'] } : {}),
      },
    });
    request.pipe(child.stdin);
    child.stdin.on('error', () => undefined);
    // It waits, and never rests, for the rest of a body that broke off.
    request.on('close', () => request.complete || child.kill());
    let head = Buffer.alloc(0);
    let isBody = false;
    child.stdout.on('data', (chunk: Buffer) => {
      if (isBody) {
        response.write(chunk);
        return;
      }
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      isBody = true;
      const headers = head
        .toString('latin1', 0, end)
        .split('\r\n')
        .map((line) => line.split(/: (.*)/s) as [string, string]);
      const status = Number.parseInt(headers.find(([name]) => name === 'Status')?.[1] ?? '200', 10);
      response.writeHead(status, Object.fromEntries(headers.filter(([name]) => name !== 'Status')));
      response.write(head.subarray(end + 4));
    });
    child.stdout.on('end', () => response.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    counts,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
