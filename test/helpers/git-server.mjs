// The git server of git-server.ts, as a process: ends with its standard input, that is with the tests that started it.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';

const { PATH, ROOT, WELCOME, REFUSED, BACKEND } = process.env;
// By its own path: `git` would start it as a child, which a signal to `git` does not reach.
const backend = path.join(BACKEND, 'git-http-backend');
const expected = `Basic ${Buffer.from(process.argv[2]).toString('base64')}`;

const server = http.createServer((request, response) => {
  if (request.headers.authorization !== expected) {
    fs.appendFileSync(REFUSED, '.');
    request.resume();
    response.writeHead(401, { 'www-authenticate': 'Basic realm="test"' }).end();
    return;
  }
  fs.appendFileSync(WELCOME, '.');
  const url = new URL(request.url, 'http://here');
  const child = spawn(backend, {
    env: {
      PATH,
      GIT_PROJECT_ROOT: ROOT,
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
  child.stdout.on('data', (chunk) => {
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
      .map((line) => line.split(/: (.*)/s));
    const status = Number.parseInt(headers.find(([name]) => name === 'Status')?.[1] ?? '200', 10);
    response.writeHead(status, Object.fromEntries(headers.filter(([name]) => name !== 'Status')));
    response.write(head.subarray(end + 4));
  });
  child.stdout.on('end', () => response.end());
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
process.stdin.resume().on('end', () => {
  server.closeAllConnections();
  server.close(() => process.exit());
});
