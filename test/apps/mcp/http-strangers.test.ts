// Two hundred rude requests by raw bytes: none ends the server or fills its memory, and a right one is answered behind them.

import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildProgram, programEnvironment, programPath, runHere } from '../../helpers/program.ts';
import { random } from '../../helpers/random.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const token = 'a token of a test, long enough';
let child: ChildProcess;
let port: number;
beforeAll(async () => {
  await buildProgram();
  const folder = temporaryFolder();
  expect(await runHere(folder, ['init'])).toMatchObject({ status: 0 });
  child = spawn(process.execPath, [programPath, 'mcp', '--http', '0'], {
    cwd: folder,
    env: programEnvironment({ GIT_MEMORY_MCP_TOKEN: token }),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  port = await new Promise<number>((resolve) => {
    createInterface({ input: child.stderr! }).on('line', (line) => {
      const found = /listening on http:\/\/127\.0\.0\.1:(\d+)\//.exec(line);
      if (found !== null) resolve(Number(found[1]));
    });
  });
});
afterAll(() => void child.kill());

/** Sends bytes; gives what came back until the server closed, or nothing where it is hung up on (`leave`) behind the last of them. */
function send(pieces: readonly (string | Buffer)[], leave: boolean): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.on('data', (data) => {
      answer += data.toString('latin1');
      // The end of a stream of events, behind which the server would keep the connection for the next request.
      if (answer.endsWith('\r\n0\r\n\r\n')) socket.destroy();
    });
    // A reset is an answer, too: the server did not wait for the rest.
    socket.on('error', () => undefined).on('close', () => resolve(answer));
    for (const piece of pieces.slice(0, -1)) socket.write(piece);
    socket.write(pieces.at(-1)!, () => leave && socket.destroy());
  });
}

const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });

/** A request that is right in every way, but for what a test changes. */
function request({
  method = 'POST',
  target = '/mcp',
  version = 'HTTP/1.1',
  host = 'Host: localhost',
  more = [] as readonly string[],
  known = true,
  body = ping as string | Buffer,
  length = Buffer.byteLength(body),
} = {}): Buffer {
  const head = [
    `${method} ${target} ${version}`,
    host,
    ...(known ? [`Authorization: Bearer ${token}`] : []),
    'Accept: application/json, text/event-stream',
    'Content-Type: application/json',
    'Connection: close',
    `Content-Length: ${length}`,
    ...more,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(body)]);
}

const targets = [
  '//',
  '//[',
  'http://',
  'http://evil.example/mcp',
  '/%',
  '/mcp?%ff=%',
  '/mcp/../x',
  '*',
  '/mcp#x',
  '/\u00ff',
  'mcp',
  '?',
];
const hosts = [
  '',
  'Host:',
  'Host: evil.example',
  'Host: [::1',
  'Host: localhost:99999999',
  'Host: a b',
  'Host: localhost\r\nHost: evil.example',
  'Host: \u00ff',
];
const headers = [
  'Authorization: Bearer',
  'Authorization: Bearer \u00ff\u00fe',
  'Origin: null',
  'Origin: http://[',
  'Origin: https://evil.example',
  'Mcp-Session-Id: ../../x',
  'Mcp-Protocol-Version: \u00ff',
  'Content-Type: application/json; charset=no-such',
  'Content-Encoding: gzip',
  'Transfer-Encoding: chunked',
  'Content-Length: 3',
  'Expect: 100-continue',
  'Expect: the-unexpected',
  'Upgrade: websocket',
  `X-Large: ${'x'.repeat(100_000)}`,
  'No colon',
  ': no name',
  'Last-Event-ID: x',
];
const bodies: readonly (string | Buffer)[] = [
  '',
  'x',
  '{',
  '[]',
  '3',
  'null',
  `[${ping}]`,
  '{"jsonrpc":"2.0","id":{},"method":"ping"}',
  '{"jsonrpc":"2.0","id":1,"method":"no/such"}',
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":3}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"none"}}',
  '['.repeat(200_000),
  Buffer.from([0x22, 0xff, 0xfe, 0x22]),
  Buffer.alloc(1_000_000),
];

it('outlives two hundred of them', async () => {
  const below = random(22);
  const any = <T>(list: readonly T[]): T => list[below(list.length)]!;
  const rude: (() => Promise<string>)[] = Array.from({ length: 200 }, (_, number) => {
    const known = below(2) === 0;
    const kinds: (() => [(string | Buffer)[], boolean])[] = [
      () => [
        [
          request({
            known,
            target: any(targets),
            method: any(['GET', 'POST', 'CONNECT', 'TRACE', 'DELETE', 'NONE', 'ge t']),
          }),
        ],
        false,
      ],
      () => [[request({ known, host: any(hosts) })], false],
      () => [[request({ known, more: [any(headers), any(headers)] })], true],
      () => [[request({ known, body: any(bodies) })], false],
      () => [[request({ known, version: any(['HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/9', '']) })], false],
      () => [[request({ known }).subarray(0, below(200))], true],
      () => [[request({ known, length: 1_000 }), 'more'], true],
      () => [[request({ known, length: 2 ** 40 })], true],
      () => [[...request({ known })].map((byte) => Buffer.from([byte])), false],
      () => [[Buffer.from(Array.from({ length: 300 }, () => below(256)))], true],
    ];
    const [pieces, leave] = kinds[number % kinds.length]!();
    return () => send(pieces, leave);
  });
  for (let at = 0; at < rude.length; at += 20) await Promise.all(rude.slice(at, at + 20).map((one) => one()));
  expect(child.exitCode).toBeNull();
  expect(await send([request()], false)).toMatch(/^HTTP\/1\.1 200 [\s\S]*"result":\{\}/);
  expect(await send([request({ known: false })], false)).toMatch(/^HTTP\/1\.1 401 /);
  if (process.platform === 'linux') {
    const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
    expect(Number(peak)).toBeLessThan(300 << 10);
  }
});
