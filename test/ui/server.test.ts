// Who gets what from the server of the page, by raw requests: the shell for anybody, the memory for who has the token, and nothing ends it.

import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toolContext } from '../../src/apps/tool-context.ts';
import { serveUi, type UiServer } from '../../src/apps/ui/server.ts';
import { loadVerb } from '../../src/apps/verbs/index.ts';
import { runVerb } from '../../src/apps/verbs/verb.ts';
import type { Memory } from '../../src/memory/memory.ts';
import { newTestMemory } from '../helpers/memories.ts';

const secret = 'The spare key hangs behind the blue door.';
const page = '<html><style>p{}</style><script>void 0</script></html>';
let memory: Memory;
let server: UiServer;
let reader: UiServer;

beforeAll(async () => {
  ({ memory } = await newTestMemory());
  await memory.remember({ content: secret });
  await memory.write('knowledge/people/ada.md', '# Ada\n\nAda mends kites.\n');
  await memory.commit();
  server = await serveUi({ memory, page, port: 0, isReadOnly: false });
  reader = await serveUi({ memory, page, port: 0, isReadOnly: true });
});

afterAll(async () => {
  await server.close();
  await reader.close();
  await memory.close();
});

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Sends what a test changes of a request that is right in every way. */
function send(
  path: string,
  {
    method = 'GET',
    headers = {},
    body,
    to = server,
    known = true,
  }: { method?: string; headers?: Record<string, string>; body?: string; to?: UiServer; known?: boolean } = {},
): Promise<Answer> {
  const { port, hash } = new URL(to.url);
  const token = hash.replace('#token=', '');
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      {
        host: '127.0.0.1',
        port,
        path,
        method,
        headers: { ...(known ? { Authorization: `Bearer ${token}` } : {}), ...headers },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
        });
        response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

const asked = (verb: string, input: object, more = '') =>
  `/api/${verb}?input=${encodeURIComponent(JSON.stringify(input))}${more}`;

describe('the first view', () => {
  it('is answered in one go, word for word as its questions one by one', async () => {
    const { status, text } = await send('/api/first');
    const answers = JSON.parse(text) as Record<string, unknown>;
    expect(status).toBe(200);
    expect(Object.keys(answers).map((question) => (JSON.parse(question) as [string])[0])).toEqual([
      'config',
      'log',
      'diff',
    ]);
    for (const [question, answer] of Object.entries(answers)) {
      const [verb, input] = JSON.parse(question) as [string, object];
      expect(JSON.parse((await send(asked(verb, input))).text)).toEqual(answer);
    }
  });

  it('needs the token like every question', async () => {
    expect((await send('/api/first', { known: false })).status).toBe(401);
  });
});

it('the shell holds no word of the memory, and lets in nothing but its own script', async () => {
  const { status, text, headers } = await send('/', { known: false });
  expect({ status, text }).toEqual({ status: 200, text: page });
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toMatch(/script-src 'sha256-[\w+/=]+';/);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['referrer-policy']).toBe('no-referrer');
});

it.each([
  ['no token', '/api/status', { known: false }, 401],
  ['a wrong token', '/api/status', { known: false, headers: { Authorization: 'Bearer AAAAAAAAAAAAAAAAAAAAAA' } }, 401],
  ['a token in the address', '/api/status?token=x', { known: false }, 401],
  ['events without a token', '/api/events', { known: false }, 401],
  ['a host that rebinds', '/api/status', { headers: { Host: 'evil.example' } }, 403],
  ['a host that rebinds, for the shell', '/', { headers: { Host: 'evil.example:80' } }, 403],
  ['another port', '/api/status', { headers: { Host: '127.0.0.1:1' } }, 403],
  ['another origin', '/api/status', { headers: { Origin: 'https://evil.example' } }, 403],
  ['an origin of no page', '/api/status', { headers: { Origin: 'null' } }, 403],
  ['two slashes', '//', {}, 404],
  ['a host in the target', '//evil.example/api/status', {}, 404],
  ['a way up', '/api/../../etc/passwd', {}, 404],
  ['a file', '/memory.yaml', {}, 404],
  ['a verb that reaches beyond the memory', '/api/sync', {}, 404],
  ['a verb that deletes history', '/api/purge', {}, 404],
  ['no verb', '/api/__proto__', {}, 404],
  ['no JSON', '/api/status?input=%7B', {}, 400],
  ['a list', '/api/status?input=%5B%5D', {}, 400],
  ['a field that is none', asked('status', { x: 1 }), {}, 400],
  ['a claim that is not there', asked('show', { what: 'nobody' }), {}, 404],
  ['a state that is not there', asked('list', {}, '&at=nowhere'), {}, 404],
  ['asking by POST', '/api/status', { method: 'POST', body: '{}' }, 405],
  ['writing by GET', asked('review', { action: 'forget', id: 'x' }), {}, 405],
  ['another method', '/api/status', { method: 'DELETE' }, 405],
  ['more than it takes', '/api/review', { method: 'POST', body: `{"content":"${'x'.repeat(2_000_000)}"}` }, 413],
])('strangers %s', async (_name, path, options, status) => {
  const answer = await send(path, options);
  expect(answer.status).toBe(status);
  expect(answer.text).not.toContain(secret);
  expect((await send('/api/status')).status).toBe(200);
});

describe('who has the token', () => {
  it.each([
    ['list', {}],
    ['show', { what: 'knowledge/people/ada.md' }],
    ['recall', { query: 'who mends kites' }],
    ['log', { limit: 5 }],
    ['blame', { what: 'knowledge/people/ada.md' }],
    ['knowledge', { all: true }],
  ])("gets %s as the verb's JSON", async (name, input) => {
    const verb = (await loadVerb(name))!;
    const wanted = await runVerb(
      verb,
      toolContext(async () => memory, {}),
      input,
    );
    expect(JSON.parse((await send(asked(name, input))).text)).toEqual(JSON.parse(JSON.stringify(wanted)));
  });

  it('may come by the name of this machine, and from this origin', async () => {
    const { host } = new URL(server.url);
    const headers = { Host: host.replace('127.0.0.1', 'localhost'), Origin: `http://${host}` };
    expect((await send('/api/status', { headers })).status).toBe(200);
  });

  it('writes by POST; each write is one commit, and is told to those who listen', async () => {
    const { port, hash } = new URL(server.url);
    const heard = new Promise<string>((resolve, reject) => {
      const headers = { Authorization: `Bearer ${hash.replace('#token=', '')}` };
      const listener = httpRequest({ host: '127.0.0.1', port, path: '/api/events', headers }, (response) => {
        response.setEncoding('utf8').on('data', (text: string) => {
          if (!text.includes('data:')) return;
          resolve(text);
          listener.destroy();
        });
      });
      listener.on('error', reject).end();
    });
    const before = (await memory.log({ limit: 100 })).commits.length;
    const { id } = (await memory.list()).memories[0]!;
    const answer = await send('/api/review', { method: 'POST', body: JSON.stringify({ action: 'keep', id }) });
    expect(answer.status).toBe(200);
    const { commits } = await memory.log({ limit: 100 });
    expect(commits.length).toBe(before + 1);
    expect((JSON.parse(answer.text) as { commit: string }).commit).toBe(commits[0]!.oid);
    expect(await heard).toContain(commits[0]!.oid);
  });

  it('changes nothing where the page only reads', async () => {
    const { id } = (await memory.list()).memories[0]!;
    const refused = await send('/api/review', {
      method: 'POST',
      body: JSON.stringify({ action: 'forget', id }),
      to: reader,
    });
    expect(refused.status).toBe(403);
    expect((await memory.get(id)).id).toBe(id);
    const [last] = (await memory.log({ limit: 1 })).commits;
    const plan = await send(asked('undo', { revision: last!.oid }, '&dryRun=1'), { to: reader });
    expect(JSON.parse(plan.text)).toMatchObject({ undone: [last!.oid], commit: null, conflicts: [] });
  });
});
