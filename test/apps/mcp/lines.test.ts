// What is no message, on the standard input of the server: each line is answered as JSON-RPC has it, and the next one is served.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildProgram, programEnvironment, programPath, runHere } from '../../helpers/program.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

interface Reply {
  readonly id: unknown;
  readonly error?: { readonly code: number; readonly message: string };
  readonly result?: unknown;
}

/** A server that is spoken to by bytes. */
class Spoken {
  readonly child: ChildProcessWithoutNullStreams;
  private readonly replies: Reply[] = [];
  private look = () => {};
  private count = 0;

  constructor(folder: string) {
    this.child = spawn(process.execPath, [programPath, 'mcp'], { cwd: folder, env: programEnvironment() });
    createInterface({ input: this.child.stdout }).on('line', (line) => {
      this.replies.push(JSON.parse(line) as Reply);
      this.look();
    });
    this.child.stderr.resume();
  }

  /** Sends bytes, asks behind them whether the server is there, and gives what it said before it answered that. */
  async say(...bytes: readonly (string | Buffer)[]): Promise<Reply[]> {
    const id = `there-${this.count++}`;
    for (const piece of bytes) this.child.stdin.write(piece);
    this.child.stdin.write(`\n${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n`);
    await this.until(id);
    const said = this.replies.splice(0);
    expect(said.find((reply) => reply.id === id)?.result).toEqual({});
    return said.filter((reply) => reply.id !== id && !('method' in reply));
  }

  /** Gives the answer to a request once it is there. */
  async until(id: unknown): Promise<Reply> {
    return new Promise((resolve) => {
      this.look = () => {
        const reply = this.replies.find((one) => one.id === id);
        if (reply !== undefined) resolve(reply);
      };
      this.look();
    });
  }
}

let spoken: Spoken;
beforeAll(async () => {
  await buildProgram();
  const folder = temporaryFolder();
  expect(await runHere(folder, ['init'])).toMatchObject({ status: 0 });
  spoken = new Spoken(folder);
});
afterAll(() => spoken.child.kill());

const refused = (code: number, id: unknown = null) => [
  { jsonrpc: '2.0', id, error: { code, message: expect.any(String) } },
];
const request = (fields: object) => JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'ping', ...fields });

const cases: [string, string | Buffer, unknown][] = [
  ['garbage', 'hello there', refused(-32700)],
  ['half an object', '{"jsonrpc":"2.0","id":1,', refused(-32700)],
  ['a NUL', '\0', refused(-32700)],
  ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22]), refused(-32700)],
  ['brackets, a million deep', '['.repeat(1_000_000), refused(-32700)],
  ['nothing', '', []],
  ['blanks', ' \t\r', []],
  ['a number', '3', refused(-32600)],
  ['null', 'null', refused(-32600)],
  ['an empty list', '[]', refused(-32600)],
  ['a batch', `[${request({})}]`, refused(-32600)],
  ['an empty object', '{}', refused(-32600)],
  ['another version', request({ jsonrpc: '1.0' }), refused(-32600, 7)],
  ['no method', request({ method: undefined }), refused(-32600, 7)],
  ['a method that is no text', request({ method: 3 }), refused(-32600, 7)],
  ['an id that is null', request({ id: null }), refused(-32600)],
  ['an id that is a fraction', request({ id: 1.5 }), refused(-32600)],
  ['an id that is an object', request({ id: {} }), refused(-32600)],
  ['an id that is true', request({ id: true }), refused(-32600)],
  ['params by place', request({ params: [1] }), refused(-32602, 7)],
  ['params that are a text', request({ params: 'x' }), refused(-32602, 7)],
  ['a field that there is not', request({ extra: 1 }), refused(-32600, 7)],
  ['a method that there is not', request({ method: 'no/such' }), refused(-32601, 7)],
  ['a tool that there is not', request({ method: 'tools/call', params: { name: 'none' } }), refused(-32602, 7)],
  ['a call without a name', request({ method: 'tools/call', params: {} }), refused(-32602, 7)],
  ['a notification that there is not', request({ id: undefined, method: 'notifications/none' }), []],
  ['a broken notification', request({ id: undefined, method: 'notifications/none', params: 3 }), []],
  ['an answer to nothing', '{"jsonrpc":"2.0","id":99,"result":{}}', []],
  ['a broken answer', '{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}', []],
];

it.each(cases)('%s', async (_, line, answer) => {
  expect(await spoken.say(line)).toEqual(answer);
});

it('a line of 70 MB, and one that comes in many pieces', async () => {
  const megabyte = Buffer.alloc(1 << 20, 0x61);
  expect(await spoken.say(...Array.from({ length: 70 }, () => megabyte))).toEqual(refused(-32600));
  const pieces = [...request({ params: {} })];
  expect(await spoken.say(...pieces)).toEqual([{ jsonrpc: '2.0', id: 7, result: {} }]);
});

it('a call with 10 MB of query is a failure of that call', async () => {
  const params = { name: 'memory_search', arguments: { query: 'tea '.repeat(2_500_000) } };
  spoken.child.stdin.write(`${request({ id: 'search', method: 'tools/call', params })}\n`);
  expect(await spoken.until('search')).toMatchObject({
    result: { isError: true, content: [{ text: expect.stringMatching(/^TOO_LARGE: query has/) }] },
  });
});
