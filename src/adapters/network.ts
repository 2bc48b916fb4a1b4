// Other machines and programs behind the ports: HTTP by Node's fetch or the user's proxy, programs by name, secrets from the environment or git's helpers.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { MemoryError } from '../base/errors.ts';
import type { Credential, HttpClient, Network, Programs } from '../base/ports.ts';
import { bytesOf, httpByProxy } from './http-by-proxy.ts';

const keptMessage = 2000;
const credentialPatienceMs = 20_000;

/** Redirects are the caller's to judge. */
const direct: HttpClient = {
  async request({ url, method = 'GET', headers = {}, body, signal = null }) {
    const sent = body === undefined ? {} : { body: await bytesOf(body) };
    const ask = () => fetch(url, { method, headers, redirect: 'manual', signal, ...sent });
    // As curl does, asks once more where a kept connection closed unanswered. A push names where each ref was, and moves none twice.
    const answer = await ask().catch((error) => {
      if (!isClosed(error)) throw error;
      return ask();
    });
    return {
      url,
      statusCode: answer.status,
      statusMessage: answer.statusText,
      headers: Object.fromEntries(answer.headers),
      ...(answer.body === null ? {} : { body: answer.body as AsyncIterable<Uint8Array> }),
    };
  },
};

function isClosed(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause as { code?: string } | undefined) : undefined;
  return ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(cause?.code ?? '');
}

/** Variables by which git would find another repository, or other programs, than those that were named. */
function environmentOf(variables: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('GIT_') || /^GIT_CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)$/.test(name),
  );
  return { ...Object.fromEntries(kept), ...variables };
}

const programs: Programs = {
  variable: (name) => process.env[name],
  start(command, parameters, environment) {
    // The root folder is no repository, so that none has a say.
    const child = spawn(command, parameters, {
      cwd: '/',
      env: environmentOf(environment),
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    let message = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      message = (message + text).slice(-keptMessage);
    });
    // A program that ends early breaks the pipe; its exit tells why.
    child.stdin.on('error', () => undefined);
    return {
      output: child.stdout,
      async write(bytes, isLast) {
        const isTaken = isLast ? child.stdin.end(bytes).writableLength === 0 : child.stdin.write(bytes);
        if (!isTaken && !isLast && !child.stdin.destroyed)
          await Promise.race([once(child.stdin, 'drain'), once(child, 'close')]);
      },
      ended: endOf(child, () => message),
      stop: () => {
        child.stdin.destroy();
        child.kill();
      },
    };
  },
};

function endOf(child: ChildProcess, message: () => string): Promise<{ code: number | null; message: string }> {
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: null, message: error.message }));
    child.on('close', (code) => resolve({ code: code ?? 1, message: message() }));
  });
}

/** Reads `GIT_MEMORY_CREDENTIALS`: addresses with name and password, separated by spaces, each for its own host alone. */
function fromEnvironment(origin: string): Credential | null {
  for (const text of (process.env.GIT_MEMORY_CREDENTIALS ?? '').split(/\s+/)) {
    if (!URL.canParse(text)) continue;
    const url = new URL(text);
    if (url.origin !== origin || url.password === '') continue;
    return { username: decodeURIComponent(url.username), password: decodeURIComponent(url.password) };
  }
  return null;
}

/** Asks the helpers that the user's own configuration names, away from any repository and without a question to a person. */
async function fromHelpers(origin: string, path: string): Promise<Credential | null> {
  const { protocol, host } = new URL(origin);
  const program = programs.start('git', ['-c', 'credential.interactive=false', 'credential', 'fill'], {
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    GIT_DIR: '/dev/null',
  });
  const timer = setTimeout(program.stop, credentialPatienceMs);
  try {
    const question = `protocol=${protocol.slice(0, -1)}\nhost=${host}\npath=${path.replace(/^\//, '')}\n\n`;
    await program.write(Buffer.from(question), true);
    let text = '';
    for await (const bytes of program.output) text += Buffer.from(bytes).toString('utf8');
    if ((await program.ended).code !== 0) return null;
    const value = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(text)?.[1];
    const [username, password] = [value('username'), value('password')];
    return username === undefined || password === undefined ? null : { username, password };
  } finally {
    clearTimeout(timer);
  }
}

/** The network of this machine, as the user has set it up. */
export function machineNetwork(): Network {
  return {
    http: httpByProxy(direct, programs.variable),
    programs,
    credentialFor: async (origin, path) => fromEnvironment(origin) ?? (await fromHelpers(origin, path)),
  };
}

/** Gives the network that a caller wants, with the http client in place of its own where there is one. Throws INVALID_ARGUMENT for what is none. */
export function networkOf(given: { readonly network?: Network; readonly http?: HttpClient }): Network | undefined {
  const { network, http } = given;
  if (http === undefined) return network;
  if (typeof http?.request !== 'function') {
    throw new MemoryError('INVALID_ARGUMENT', 'an http client has a function `request`', {
      where: 'http',
      hint: "Give one of isomorphic-git: `import http from 'isomorphic-git/http/node'`",
    });
  }
  return { ...(network ?? machineNetwork()), http };
}
