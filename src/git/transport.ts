// Reaches the two programs of another repository: over HTTP, over ssh, or on this machine. Who is asked for what stands in
// remote-protocol.ts. Nothing that a repository's own configuration says is run, and a secret goes to the host it was given for.

import { MemoryError } from '../errors.ts';
import type { Credential, HttpAnswer, Network, RunningProgram } from '../ports.ts';
import { ByteReader, remoteRefused, remoteUnavailable, type TransferLimits, within } from './pkt-line.ts';
import type { RemoteAddress } from './remote-address.ts';
import { type Connection, type RemoteService, readAdvertisement, remoteSays } from './remote-protocol.ts';

/** What a connection needs beside the address. */
export interface TransportSettings {
  readonly network: Network;
  readonly limits: TransferLimits;
  readonly signal?: AbortSignal | undefined;
  /** Names and passwords that let us in before, by origin; what lets us in is added. Nobody is asked twice then. */
  readonly credentials?: Map<string, Credential>;
}

/**
 * Opens a conversation and reads the refs with which it begins.
 *
 * Throws REMOTE_UNAVAILABLE when nobody answers or lets us in, REMOTE_REFUSED for an answer that is not followed, and the reason of an
 * abort.
 */
export async function connect(
  address: RemoteAddress,
  service: RemoteService,
  settings: TransportSettings,
): Promise<Connection> {
  settings.signal?.throwIfAborted();
  const connection =
    address.kind === 'http'
      ? await connectHttp(address.url, service, settings)
      : await connectProgram(address, service, settings);
  const format = [...connection.advertisement.capabilities].find((word) => word.startsWith('object-format='));
  if (format === undefined || format === 'object-format=sha1') return connection;
  connection.close();
  throw remoteRefused(`names objects by ${format.slice('object-format='.length, 60)}, and this repository by sha1`);
}

// ── programs ────────────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * What a hostile repository of this machine could have run in its own folder. Its `uploadpack.packObjectsHook` git itself passes over; the
 * user's settings for safe folders still count.
 */
const harmless = ['core.hooksPath=/dev/null', 'core.alternateRefsCommand=', 'gc.auto=0'];

async function connectProgram(
  address: Exclude<RemoteAddress, { kind: 'http' }>,
  service: RemoteService,
  { network, limits, signal }: TransportSettings,
): Promise<Connection> {
  const { programs } = network;
  const { command, parameters } =
    address.kind === 'ssh' ? sshCommand(address, service, network) : localCommand(address.path, service);
  const program = programs.start(command, parameters, { GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' });
  try {
    const reader = new ByteReader(program.output, limits, signal);
    const advertisement = await readAdvertisement(reader, limits);
    return {
      advertisement,
      async request(parts) {
        for (const [position, part] of parts.entries()) {
          await within(program.write(part, position === parts.length - 1), limits.totalMs, signal);
        }
        return reader;
      },
      // It waits for a request: the end of its input is the end of it.
      close: () => program.stop(),
    };
  } catch (error) {
    program.stop();
    throw await reasonOf(program, command, error);
  }
}

/** What a program said before it gave up tells more than that it did. */
async function reasonOf(program: RunningProgram, command: string, error: unknown): Promise<unknown> {
  if (!(error instanceof MemoryError) || error.code !== 'REMOTE_UNAVAILABLE') return error;
  const { code, message } = await within(program.ended, 2000).catch(() => ({ code: 0, message: '' }));
  if (code === null) {
    return remoteUnavailable(`the program ${command} cannot be run`, 'Install it, or use an https address', error);
  }
  return message.trim() === '' ? error : remoteSays(message);
}

function localCommand(path: string, service: RemoteService): { command: string; parameters: string[] } {
  return { command: 'git', parameters: [...harmless.flatMap((setting) => ['-c', setting]), service, path] };
}

/** The shell of the other machine reads one line; ssh's own questions are never asked. */
function sshCommand(
  { host, port, path }: Extract<RemoteAddress, { kind: 'ssh' }>,
  service: RemoteService,
  { programs }: Network,
): { command: string; parameters: string[] } {
  const line = `git-${service} '${path.replaceAll("'", "'\\''").replaceAll('!', "'\\!'")}'`;
  const place = [...(port === null ? [] : ['-p', String(port)]), '--', host.replace(/\[(.*)\]/, '$1'), line];
  const own = programs.variable('GIT_SSH_COMMAND');
  // A line that the user wrote, read by the shell as git does.
  if (own) return { command: 'sh', parameters: ['-c', `${own} "$@"`, own, ...place] };
  const named = programs.variable('GIT_SSH');
  if (named) return { command: named, parameters: place };
  return { command: 'ssh', parameters: ['-o', 'BatchMode=yes', ...place] };
}

// ── HTTP ────────────────────────────────────────────────────────────────────────────────────────────────────────────────

const maxRedirects = 5;

/** Without `Git-Protocol`: the refs come first, as over a pipe. */
const baseHeaders = { 'user-agent': 'git/2.0 (git-memory)', 'accept-encoding': 'identity' };

async function connectHttp(address: string, service: RemoteService, settings: TransportSettings): Promise<Connection> {
  const { network, limits, signal, credentials } = settings;
  const stop = new AbortController();
  const end = () => stop.abort(signal?.reason);
  signal?.addEventListener('abort', end, { once: true });
  const close = () => {
    signal?.removeEventListener('abort', end);
    stop.abort();
  };
  let base = address;
  let credential = credentials?.get(new URL(base).origin) ?? null;
  const send = (request: { method: 'GET' | 'POST'; url: string; headers: Record<string, string>; body?: Uint8Array }) =>
    answerOf(
      network.http.request({
        ...request,
        headers: { ...baseHeaders, ...request.headers, ...authorization(credential) },
        signal: stop.signal,
      }),
      request.method === 'GET' ? limits.idleMs : limits.totalMs,
      signal,
    );
  try {
    const suffix = `/info/refs?service=git-${service}`;
    let answer: HttpAnswer | null = null;
    let isAsked = false;
    for (let redirects = 0; answer === null; ) {
      const given = await send({ method: 'GET', url: base + suffix, headers: {} });
      if (given.status >= 300 && given.status < 400) {
        const next = redirected(base, given.header('location'), suffix);
        redirects += 1;
        if (redirects > maxRedirects) throw remoteRefused('sends us from place to place');
        // What was given for one host is not shown to another.
        const { origin } = new URL(next);
        if (origin !== new URL(base).origin) [credential, isAsked] = [credentials?.get(origin) ?? null, false];
        base = next;
      } else if (given.status === 401 && !isAsked) {
        isAsked = true;
        const { origin, pathname } = new URL(base);
        credential = await network.credentialFor(origin, pathname);
        if (credential === null) throw refusedBy(base, 401);
      } else if (given.status !== 200) throw refusedBy(base, given.status);
      else answer = given;
    }
    if (credential !== null) credentials?.set(new URL(base).origin, credential);
    if (answer.header('content-type') !== `application/x-git-${service}-advertisement`) {
      throw remoteRefused('answers, but not as a git repository does');
    }
    const reader = new ByteReader(answer.body, limits, signal);
    reader.limit(limits.advertisementBytes);
    const first = await reader.line();
    if (first !== `# service=git-${service}` || (await reader.packet()) !== 'flush') {
      throw remoteRefused('does not speak the protocol of git');
    }
    return {
      advertisement: await readAdvertisement(reader, limits),
      async request(parts) {
        const given = await send({
          method: 'POST',
          url: `${base}/git-${service}`,
          headers: {
            'content-type': `application/x-git-${service}-request`,
            accept: `application/x-git-${service}-result`,
          },
          body: Buffer.concat(parts),
        });
        if (given.status !== 200) throw refusedBy(base, given.status);
        if (given.header('content-type') !== `application/x-git-${service}-result`) {
          throw remoteRefused('answers, but not as a git repository does');
        }
        return new ByteReader(given.body, limits, signal);
      },
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

async function answerOf(work: Promise<HttpAnswer>, milliseconds: number, signal?: AbortSignal): Promise<HttpAnswer> {
  try {
    return await within(work, milliseconds, signal);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof MemoryError) throw error;
    // Whatever stands between here and there (a proxy) says what it minds by the error.
    const why = error instanceof Error && /proxy/.test(error.message) ? `: ${error.message}` : '';
    throw remoteUnavailable(`the remote cannot be reached${why}`, 'Repeat the call when there is a network', error);
  }
}

function authorization(credential: Credential | null): Record<string, string> {
  if (credential === null) return {};
  const pair = Buffer.from(`${credential.username}:${credential.password}`).toString('base64');
  return { authorization: `Basic ${pair}` };
}

/** Follows to the same question elsewhere, never from https to http. */
function redirected(base: string, location: string | null, suffix: string): string {
  const next =
    location !== null && URL.canParse(location, `${base}/info/refs`) ? new URL(location, `${base}/info/refs`) : null;
  const isSafe = next?.protocol === 'https:' || (next?.protocol === 'http:' && base.startsWith('http:'));
  if (next === null || !isSafe || next.username !== '' || !next.href.endsWith(suffix)) {
    throw remoteRefused('sends us to where we do not follow');
  }
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
    return new MemoryError('TOO_LARGE', `${host} does not take so much in one request`, {
      hint: 'Let the server, or the proxy before it, take larger ones (of nginx it is client_max_body_size), or push over ssh',
    });
  }
  if (status === 404)
    return remoteUnavailable(`${host} has no repository there, or does not show it`, 'Check the address');
  return remoteUnavailable(`${host} answers with status ${status}`, 'Repeat the call later');
}
