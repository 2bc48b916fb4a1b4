// HTTP through the proxy that the environment names, which Node's fetch goes around. A plain request names the whole address, and for https
// a tunnel is asked for, so that the proxy sees the host and nothing else.

import http from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';
import tls from 'node:tls';
import { defined } from '../base/errors.ts';
import type { HttpAnswer, HttpClient, HttpRequest } from '../base/ports.ts';

type Variable = (name: string) => string | undefined;

/** Names the proxy variable for an address by curl's rules, as git does; null for none. `HTTP_PROXY` is not read: a web request could set it. */
function proxyVariable(url: string, variable: Variable): string | null {
  const { protocol, hostname } = new URL(url);
  const names = protocol === 'https:' ? ['https_proxy', 'HTTPS_PROXY'] : ['http_proxy'];
  const name = [...names, 'all_proxy', 'ALL_PROXY'].find((one) => variable(one));
  const spared = (variable('no_proxy') ?? variable('NO_PROXY') ?? '').split(/[\s,]+/).filter((one) => one !== '');
  const isSpared = spared.some((one) => one === '*' || `.${hostname}`.endsWith(`.${one.replace(/^\.|:\d+$/g, '')}`));
  return name === undefined || isSpared ? null : name;
}

/** Speaks HTTP by the proxies that variables name, and by `direct` where none does. */
export function httpByProxy(direct: HttpClient, variable: Variable): HttpClient {
  return {
    async request(request) {
      const name = proxyVariable(request.url, variable);
      return name === null ? direct.request(request) : throughProxy(request, proxyOf(name, variable(name)!));
    },
  };
}

interface Proxy {
  /** The variable, since its value may hold a password. */
  readonly name: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

function proxyOf(name: string, value: string): Proxy {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new Error(`${name} names a proxy that is not of http or https`);
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const headers: Record<string, string> =
    url.username === '' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
  return { name, url, headers };
}

/** Puts the parts of a body into one piece, so that its length can be said. */
export async function bytesOf(body: NonNullable<HttpRequest['body']>): Promise<Buffer<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts);
}

async function throughProxy(asked: HttpRequest, proxy: Proxy): Promise<HttpAnswer> {
  const { url, method = 'GET', headers, signal } = asked;
  const body = asked.body === undefined ? undefined : await bytesOf(asked.body);
  const target = new URL(url);
  const isSecure = target.protocol === 'https:';
  const all = { ...headers, ...(body === undefined ? {} : { 'content-length': String(body.length) }) };
  const request = isSecure
    ? https.request(target, {
        method,
        headers: all,
        ...defined({ signal }),
        agent: false,
        createConnection: await tunnel(target, proxy, signal),
      })
    : askProxy(proxy, {
        method,
        path: url,
        headers: { ...all, ...proxy.headers, host: target.host },
        ...defined({ signal }),
      });
  const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
    request
      .on('response', resolve)
      .on('error', (error) => reject(isSecure ? error : silenceOf(proxy, error)))
      .end(body);
  });
  if (!isSecure && answer.statusCode === 407) throw refusedBy(proxy, 407);
  const told = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
  return {
    url,
    statusCode: answer.statusCode!,
    statusMessage: answer.statusMessage!,
    headers: Object.fromEntries(told),
    body: answer,
  };
}

/** Asks the proxy for a connection with the host, and makes what speaks TLS through it. */
async function tunnel(target: URL, proxy: Proxy, signal: AbortSignal | undefined): Promise<() => Duplex> {
  const host = target.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = target.port || '443';
  const place = `${target.hostname}:${port}`;
  const request = askProxy(proxy, {
    method: 'CONNECT',
    path: place,
    headers: { ...proxy.headers, host: place },
    ...defined({ signal }),
  });
  const socket = await new Promise<Duplex>((resolve, reject) => {
    const judge = (answer: http.IncomingMessage, opened: Duplex) => {
      if (answer.statusCode === 200) return resolve(opened);
      opened.destroy();
      reject(refusedBy(proxy, answer.statusCode!));
    };
    request
      .on('connect', judge)
      .on('response', (answer) => judge(answer, answer.socket))
      .on('error', (error) => reject(silenceOf(proxy, error)))
      .end();
  });
  return () => tls.connect({ socket, host, ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }) });
}

function askProxy({ url }: Proxy, options: http.RequestOptions): http.ClientRequest {
  const { request } = url.protocol === 'https:' ? https : http;
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  // An agent of its own: that of the process may use a proxy, too.
  return request({ ...options, host, ...(url.port === '' ? {} : { port: url.port }), agent: false });
}

function silenceOf({ name }: Proxy, cause: Error): Error {
  return new Error(`the proxy of ${name} cannot be reached`, { cause });
}

function refusedBy({ name }: Proxy, status: number): Error {
  return new Error(`the proxy of ${name} answers with status ${status}`);
}
