// Reaches the two programs of another repository: over HTTP (remote-http.ts), over ssh, or on this machine. remote-protocol.ts says what
// they are asked for. Nothing that a repository's own configuration says is run.

import { MemoryError } from '../../base/errors.ts';
import type { Network, RunningProgram } from '../../base/ports.ts';
import { ByteReader, remoteRefused, remoteUnavailable, within } from './pkt-line.ts';
import type { RemoteAddress } from './remote-address.ts';
import { connectHttp, type TransportSettings } from './remote-http.ts';
import { type Connection, type RemoteService, readAdvertisement, remoteSays } from './remote-protocol.ts';

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

/**
 * What a hostile repository of this machine could have run in its own folder. Its `uploadpack.packObjectsHook` git itself passes over; the
 * user's settings for safe folders still count. Which hooks that passes by passed-hooks.ts tells.
 */
const harmless = ['core.hooksPath=/dev/null', 'core.alternateRefsCommand=', 'gc.auto=0'];

async function connectProgram(
  address: Exclude<RemoteAddress, { kind: 'http' }>,
  service: RemoteService,
  { network, limits, signal }: TransportSettings,
): Promise<Connection> {
  const { programs } = network;
  const { command, parameters } =
    address.kind === 'ssh'
      ? sshCommand(address, service, network)
      : { command: 'git', parameters: [...harmless.flatMap((setting) => ['-c', setting]), service, address.path] };
  const program = programs.start(command, parameters, { GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' });
  try {
    const reader = new ByteReader(program.output, limits, signal);
    const advertisement = await readAdvertisement(reader, limits);
    return {
      advertisement,
      async request(parts) {
        for (const [position, part] of parts.entries())
          await within(program.write(part, position === parts.length - 1), limits.totalMs, signal);
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
  if (code === null)
    return remoteUnavailable(`the program ${command} cannot be run`, 'Install it, or use an https address', error);
  return message.trim() === '' ? error : remoteSays(message);
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
