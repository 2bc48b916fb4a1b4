// The page's server: the shell, which holds no word of the memory, and behind a token each verb's JSON and the events of the memory.

import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isJsonObject } from '../../base/canonical-json.ts';
import { attempt, defined, MemoryError } from '../../base/errors.ts';
import { dayOf } from '../../base/time.ts';
import type { LogResult, MemoryChange, WriteResult } from '../../base/types.ts';
import type { MemoryPart } from '../../memory/open-memory.ts';
import { flush } from '../cli/execute.ts';
import { errorShape } from '../error-shape.ts';
import { hasToken, listenOnLoopback } from '../loopback.ts';
import { toolContext } from '../tool-context.ts';
import { loadVerb } from '../verbs/index.ts';
import { runVerb, type Verb } from '../verbs/verb.ts';
import { type ConfigAnswer, daySpan, zoneOf } from './brought.ts';
import { type PageQuestion, paged, pageOf } from './lists.ts';
import { questionsTo } from './questions.ts';

/** What the page asks: verbs that read and change claims and pages. None of them reaches files of this machine or other machines. */
const offered: ReadonlySet<string> = new Set([
  ...['status', 'config', 'log', 'diff', 'list', 'show', 'recall', 'provenance', 'blame', 'knowledge', 'context'],
  ...['branch', 'experiment', 'quarantine', 'review', 'undo', 'restore', 'verify'],
]);

const mostBodyBytes = 1024 * 1024;
/** Tabs that wait for events; more are refused. */
const mostListeners = 64;

/** What to serve. */
export interface UiOptions {
  readonly memory: MemoryPart;
  /** The whole page, made by the build. */
  readonly page: string;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly isReadOnly: boolean;
}

/** A server that listens. */
export interface UiServer {
  /** With the token in its fragment, which no browser sends. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Listens on 127.0.0.1. A caller who reaches the port gets the shell. A question is answered only if it carries the token. Its `Host` has
 * to be this server's, and so has its `Origin`, where a browser sent one. What a request makes throw costs that request alone.
 *
 *     GET  /                                  the shell
 *     GET  /api/VERB?input={…}&at=…&dryRun=1  what the verb answers, as `git memory VERB --json`; of each list a hundred things at most
 *          …&cursor=…&limit=…&only={…}        the page that `next` of an answer names; fewer things; of commits those by one, or of a kind
 *     POST /api/VERB  {…}                     the same for what writes; committed when it is answered
 *     GET  /api/first                         what the page of today asks one after another, by its questions
 *     GET  /api/events                        a line `data: {commit, paths}` for each change, by whomever
 *
 * @throws MemoryError IO for a port that is taken.
 */
export async function serveUi({ memory, page, port, isReadOnly }: UiOptions): Promise<UiServer> {
  const token = randomBytes(16).toString('base64url');
  const shell = Buffer.from(page);
  const shellHeaders = { ...commonHeaders, 'Content-Type': 'text/html; charset=utf-8', ...policyOf(page) };
  const listeners = new Set<ServerResponse>();
  const watch = memory.watch(
    (change: MemoryChange) => {
      for (const listener of listeners) listener.write(`data: ${JSON.stringify(change)}\n\n`);
    },
    { everyMs: 500 },
  );

  // The pages behind the first come from the answer that the first was cut from, however the memory went on.
  const cut = new Map<string, object>();

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const own = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const names = [own, own.replace('127.0.0.1', 'localhost')];
    const { host = '', origin } = request.headers;
    if (!names.includes(host) || (origin !== undefined && !names.some((name) => origin === `http://${name}`)))
      return refuse(response, 403, 'This address belongs to somebody else');
    // As it was sent: a target such as `//` is no URL to parse.
    const [path = '', query = ''] = (request.url ?? '').split('?', 2);
    if (path === '/' && request.method === 'GET') {
      response.writeHead(200, shellHeaders).end(shell);
      return;
    }
    const name = /^\/api\/([a-z-]+)$/.exec(path)?.[1];
    if (name === undefined) return refuse(response, 404, 'There is nothing here');
    if (!hasToken(request, token)) return refuse(response, 401, 'The token is missing or wrong');
    if (isReadOnly) response.setHeader('Memory-Access', 'read-only');
    if (name === 'events') {
      listen(response);
      return;
    }
    if (name === 'first') return send(response, 200, await firstAnswers(memory));
    if (name === 'log') await learnt;
    const verb = offered.has(name) ? await loadVerb(name) : undefined;
    if (verb === undefined) return refuse(response, 404, 'There is no such verb here');
    await ask(verb, request, new URLSearchParams(query), response);
  };

  const listen = (response: ServerResponse): void => {
    if (listeners.size >= mostListeners) {
      refuse(response, 503, 'Too many pages are open');
      return;
    }
    response.writeHead(200, { ...commonHeaders, 'Content-Type': 'text/event-stream' });
    response.write(': the memory is watched\n\n');
    listeners.add(response);
    response.on('close', () => listeners.delete(response));
  };

  const ask = async (verb: Verb, request: IncomingMessage, query: URLSearchParams, response: ServerResponse) => {
    const isPost = request.method === 'POST';
    if (!isPost && request.method !== 'GET') return refuse(response, 405, 'Ask with GET, write with POST');
    const input = parseJson(isPost ? await readBody(request) : (query.get('input') ?? '{}'));
    const dryRun = query.get('dryRun') === '1';
    const isWrite = verb.flags.writes !== undefined && verb.flags.asks?.(input) !== true && !dryRun;
    if (isWrite && isReadOnly) return refuse(response, 403, 'This page only reads: it was started with --read-only');
    if (isWrite !== isPost) return refuse(response, 405, isWrite ? 'Write with POST' : 'Ask with GET');
    const at = query.get('at') ?? undefined;
    const context = toolContext(async () => memory, { dryRun, ...defined({ at }) });
    const page = pageQuestionOf(query);
    const question = JSON.stringify([verb.name, input, at, dryRun, page.only]);
    const known = page.cursor === undefined || isPost ? undefined : cut.get(question);
    if (known !== undefined) return send(response, 200, pageOf(known, page));
    const output = await runVerb(verb, context, input);
    if (!isWrite) {
      const zone = verb.name === 'log' ? zoneOf(await questionsTo(memory).ask<ConfigAnswer>('config', {})) : '';
      const whole = paged(verb.name, output as object, zone, page);
      const part = pageOf(whole, page);
      if (part.next !== undefined) keepWhole(cut, question, whole);
      return send(response, 200, part);
    }
    const isBatched = verb.flags.writes === 'batch';
    const told = isBatched ? (await flush(memory, output as WriteResult)).output : output;
    watch.look();
    send(response, 200, told);
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else if (error instanceof TooLarge) refuse(response, 413, 'The request is too large');
      else send(response, statusOf(error), errorShape(error));
    });
  });
  const openPort = await listenOnLoopback(server, port);
  // What the first views ask is found out while a browser starts.
  const closing = new AbortController();
  const learnt = learnHistory(memory, closing.signal).catch(() => undefined);
  return {
    url: `http://127.0.0.1:${openPort}/#token=${token}`,
    close: async () => {
      closing.abort();
      watch.stop();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Answers at once what the page of today asks first: configuration, newest commit and its day, keyed by question (`["log",{"limit":1}]`). */
export async function firstAnswers(memory: MemoryPart): Promise<Record<string, unknown>> {
  const { answers, bring } = questionsTo(memory);
  const config = await bring<ConfigAnswer>('config', {});
  const zone = zoneOf(config);
  const { commits } = await bring<LogResult>('log', { limit: 1 });
  if (commits.length > 0) await bring('diff', daySpan(dayOf(Date.parse(commits[0]!.time), zone)));
  return Object.fromEntries(
    Object.entries(answers).map(([question, answer]) => {
      const [verb] = JSON.parse(question) as [string];
      return [question, pageOf(paged(verb, answer as object, zone), {})];
    }),
  );
}

/** Answers whose further pages may be asked for. */
const mostCut = 4;

function keepWhole(cut: Map<string, object>, question: string, whole: object): void {
  cut.delete(question);
  cut.set(question, whole);
  if (cut.size > mostCut) cut.delete(cut.keys().next().value!);
}

function pageQuestionOf(query: URLSearchParams): PageQuestion {
  const [cursor, limit] = [query.get('cursor'), query.get('limit')];
  for (const [where, given] of Object.entries({ cursor, limit })) {
    if (given === null || /^\d{1,9}$/.test(given)) continue;
    throw new MemoryError('INVALID_ARGUMENT', 'this is no number', { where });
  }
  const only = query.get('only');
  return {
    ...(cursor === null ? {} : { cursor }),
    ...(limit === null ? {} : { limit: Number(limit) }),
    ...(only === null ? {} : { only: parseJson(only) }),
  };
}

const commitsAtOnce = 8;

/** Learns what the first view asks, then what commits changed, newest first. It goes on a few at a time, so that no question waits for all. */
async function learnHistory(memory: MemoryPart, signal: AbortSignal): Promise<void> {
  await firstAnswers(memory);
  for (let from: string | undefined; !signal.aborted; ) {
    const view = from === undefined ? memory : await memory.at(from);
    const { commits } = await view.log({ limit: commitsAtOnce });
    if (commits.length < commitsAtOnce) return;
    from = commits.at(-1)!.oid;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const commonHeaders = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** Lets the page run the scripts and the style that it came with, ask this server, and nothing else. */
function policyOf(page: string): Record<string, string> {
  const rules = [...contentPolicy(page), "connect-src 'self'", "frame-ancestors 'none'"];
  return { 'Content-Security-Policy': rules.join('; ') };
}

/** Gives the rules of a page that asks nobody. */
export function contentPolicy(page: string): string[] {
  const hashesOf = (tag: string): string =>
    [...page.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'g'))]
      .map(([, text]) => `'sha256-${createHash('sha256').update(text!).digest('base64')}'`)
      .join(' ');
  return [
    "default-src 'none'",
    `script-src ${hashesOf('script')}`,
    `style-src ${hashesOf('style')}`,
    'font-src data:',
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
}

class TooLarge extends Error {}

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length;
    // Read to its end, so that the answer is heard.
    if (bytes <= mostBodyBytes) pieces.push(piece);
  }
  if (bytes > mostBodyBytes) throw new TooLarge();
  return Buffer.concat(pieces).toString('utf8');
}

function parseJson(text: string): Record<string, unknown> {
  const value: unknown = attempt(() => JSON.parse(text), null);
  if (isJsonObject(value)) return value;
  throw new MemoryError('INVALID_ARGUMENT', 'the input is no JSON object', { where: 'input' });
}

function statusOf(error: unknown): number {
  if (!(error instanceof MemoryError)) return 500;
  if (error.code === 'NOT_FOUND' || error.code === 'INVALID_REF') return 404;
  return error.code === 'READ_ONLY' ? 403 : 400;
}

function refuse(response: ServerResponse, status: number, what: string): void {
  send(response, status, { error: { code: status === 404 ? 'NOT_FOUND' : 'INVALID_ARGUMENT', what } });
}

function send(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { ...commonHeaders, 'Content-Type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(value));
}
