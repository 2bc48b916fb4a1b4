// Git over HTTP(S): isomorphic-git's client asks for the refs and puts the requests, by whatever http client it is given. A client of ours
// is between the two. It holds the other client to limits, follows redirects, and shows a secret only to the origin that it was given for.
//
//     GitRemoteHTTP ──► GuardedClient ──► our http client, or the caller's
//
// isomorphic-git takes an answer that breaks off for a whole one. What it reads (the refs) is read to its end before it gets it; it hands
// on unread the answer to a request.

import { MemoryError } from '../../base/errors.ts';
import type { Credential, HttpAnswer, HttpClient, HttpRequest, Network } from '../../base/ports.ts';
import {
  ByteReader,
  flushPacket,
  formatPacket,
  remoteRefused,
  remoteUnavailable,
  type TransferLimits,
  within,
} from './pkt-line.ts';
import { advertisementOf, type Connection, type RemoteService, remoteSays } from './remote-protocol.ts';

/** What a connection needs beside the address. */
export interface TransportSettings {
  readonly network: Network;
  readonly limits: TransferLimits;
  readonly signal?: AbortSignal | undefined;
  /** Names and passwords that let us in before, by origin; what lets us in is added. Nobody is asked twice then. */
  readonly credentials?: Map<string, Credential>;
}

const maxRedirects = 5;

/** Without `Git-Protocol`: the refs come first, as over a pipe. Nothing may be unpacked on the way: it would be large before it is counted. */
const baseHeaders = { 'user-agent': 'git/2.0 (git-memory)', 'accept-encoding': 'identity' };

/** Opens a conversation over HTTP; see `connect` of transport.ts. No configuration has a say: this is all that isomorphic-git gets. */
export async function connectHttp(
  address: string,
  service: RemoteService,
  settings: TransportSettings,
): Promise<Connection> {
  const { GitRemoteHTTP } = await import('isomorphic-git/managers');
  const http = new GuardedClient(address, service, settings);
  const program = `git-${service}`;
  try {
    const { refs, capabilities }: { refs?: ReadonlyMap<string, string>; capabilities: ReadonlySet<string> } =
      await GitRemoteHTTP.discover({ http, service: program, url: address, headers: {}, protocolVersion: 1 });
    if (refs === undefined) throw remoteRefused('speaks another version of the protocol than it was asked for');
    return {
      advertisement: advertisementOf(refs, capabilities, settings.limits),
      async request(body) {
        const asked = { http, service: program, url: http.base, headers: {}, auth: {}, body };
        return new ByteReader((await GitRemoteHTTP.connect(asked)).body!, settings.limits, settings.signal);
      },
      close: () => http.close(),
    };
  } catch (error) {
    http.close();
    settings.signal?.throwIfAborted();
    if (error instanceof MemoryError) throw error;
    throw remoteRefused('does not speak the protocol of git', error);
  }
}

/** Is what isomorphic-git takes for an http client; what goes wrong in it is thrown as it is. */
class GuardedClient {
  /** Where the repository is: behind all redirects. */
  base: string;
  private readonly service: RemoteService;
  private readonly settings: TransportSettings;
  private readonly client: HttpClient;
  private readonly stop = new AbortController();
  private credential: Credential | null;

  constructor(address: string, service: RemoteService, settings: TransportSettings) {
    this.base = address;
    this.service = service;
    this.settings = settings;
    this.client = settings.network.http;
    this.credential = settings.credentials?.get(new URL(address).origin) ?? null;
    settings.signal?.addEventListener('abort', this.close, { once: true });
  }

  readonly close = (): void => {
    const { signal } = this.settings;
    signal?.removeEventListener('abort', this.close);
    this.stop.abort(signal?.reason);
  };

  readonly request = async ({ method, url, headers, body }: HttpRequest) => {
    const { limits, signal } = this.settings;
    if (method === 'GET') {
      const answer = await this.discover();
      this.checkType(answer, 'advertisement');
      const refs = await wholeRefs(new ByteReader(partsOf(answer), limits, signal), limits);
      return { ...answer, body: partsOf({ body: [refs] }) };
    }
    const answer = await this.send({ method, url, headers, body }, limits.totalMs);
    if (answer.statusCode !== 200) throw refusedBy(this.base, answer.statusCode);
    this.checkType(answer, 'result');
    return { ...answer, body: partsOf(answer) };
  };

  /** Asks for the refs, from place to place and with the name and password that are wanted. */
  private async discover(): Promise<HttpAnswer> {
    const { credentials, network, limits } = this.settings;
    const suffix = `/info/refs?service=git-${this.service}`;
    let isAsked = false;
    for (let redirects = 0; ; ) {
      const answer = await this.send({ method: 'GET', url: this.base + suffix }, limits.idleMs);
      const { statusCode: status } = answer;
      const { origin, pathname } = new URL(this.base);
      if (status >= 300 && status < 400) {
        const next = redirected(this.base, answer.headers?.location, suffix);
        redirects += 1;
        if (redirects > maxRedirects) throw remoteRefused('sends us from place to place');
        // What was given for one origin is not shown to another.
        const { origin: there } = new URL(next);
        if (there !== origin) [this.credential, isAsked] = [credentials?.get(there) ?? null, false];
        this.base = next;
      } else if (status === 401 && !isAsked) {
        isAsked = true;
        this.credential = await network.credentialFor(origin, pathname);
        if (this.credential === null) throw refusedBy(this.base, 401);
      } else if (status !== 200) throw refusedBy(this.base, status);
      else {
        if (this.credential !== null) credentials?.set(origin, this.credential);
        return answer;
      }
    }
  }

  private async send(request: HttpRequest, milliseconds: number): Promise<HttpAnswer> {
    const { signal } = this.settings;
    const headers = { ...request.headers, ...baseHeaders, ...authorization(this.credential) };
    const fetchOptions = { redirect: 'manual', followRedirects: false };
    try {
      const work = this.client.request({ ...request, headers, fetchOptions, signal: this.stop.signal });
      const answer = await within(work, milliseconds, signal);
      const encoding = answer.headers?.['content-encoding'] ?? 'identity';
      if (encoding !== 'identity') throw remoteRefused('packs its answer as nobody asked it to');
      if (answer.url && new URL(answer.url, request.url).origin !== new URL(request.url).origin)
        throw remoteRefused('sends us to where we do not follow');
      return answer;
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof MemoryError) throw error;
      // Whatever stands between here and there (a proxy) says what it minds by the error.
      const why = error instanceof Error && /proxy/.test(error.message) ? `: ${error.message}` : '';
      throw remoteUnavailable(`the remote cannot be reached${why}`, 'Repeat the call when there is a network', error);
    }
  }

  private checkType({ headers }: HttpAnswer, kind: 'advertisement' | 'result'): void {
    if (headers?.['content-type'] === `application/x-git-${this.service}-${kind}`) return;
    throw remoteRefused('answers, but not as a git repository does');
  }
}

async function* partsOf({ body = [] }: Pick<HttpAnswer, 'body'>): AsyncGenerator<Uint8Array, void> {
  yield* body;
}

/** Reads refs to their end. isomorphic-git takes half of a list for all of it, and of a name that comes twice the later one. */
async function wholeRefs(reader: ByteReader, limits: TransferLimits): Promise<Buffer> {
  const parts: Buffer[] = [];
  const names = new Set<string>();
  reader.limit(limits.advertisementBytes);
  for (let flushes = 0; flushes < 2; ) {
    const packet = await reader.packet();
    if (packet === null) throw remoteUnavailable('the remote broke off', 'Look whether a repository is there');
    if (packet === 'flush') {
      flushes += 1;
      parts.push(flushPacket);
      continue;
    }
    const text = packet.toString('utf8');
    if (text.startsWith('ERR ')) throw remoteSays(text.slice(4));
    const name = text.split('\0', 1)[0]!.slice(41).trim();
    if (flushes === 1 && names.has(name) && name !== '.have') throw remoteRefused('lists a ref twice, or out of order');
    names.add(name);
    parts.push(formatPacket(packet));
  }
  return Buffer.concat(parts);
}

function authorization(credential: Credential | null): Record<string, string> {
  if (credential === null) return {};
  const pair = Buffer.from(`${credential.username}:${credential.password}`).toString('base64');
  return { authorization: `Basic ${pair}` };
}

/** Follows to the same question elsewhere, never from https to http. */
function redirected(base: string, location: string | undefined, suffix: string): string {
  const here = `${base}/info/refs`;
  const next = location !== undefined && URL.canParse(location, here) ? new URL(location, here) : null;
  const isSafe = next?.protocol === 'https:' || (next?.protocol === 'http:' && base.startsWith('http:'));
  if (next === null || !isSafe || next.username !== '' || !next.href.endsWith(suffix))
    throw remoteRefused('sends us to where we do not follow');
  return next.href.slice(0, -suffix.length);
}

function refusedBy(base: string, status: number): MemoryError {
  const { host } = new URL(base);
  if (status === 401 || status === 403) {
    return remoteUnavailable(
      `${host} does not let us in`,
      "Give a name and password to git's credential helpers, or by GIT_MEMORY_CREDENTIALS=https://name:password@host",
    );
  }
  if (status === 413) {
    return new MemoryError('TOO_LARGE', `${host} does not accept a request of this size`, {
      hint: 'Raise the limit of the server or its proxy (client_max_body_size in nginx), or push over ssh',
    });
  }
  if (status === 404)
    return remoteUnavailable(`${host} has no repository there, or does not show it`, 'Check the address');
  return remoteUnavailable(`${host} answers with status ${status}`, 'Repeat the call later');
}
