// Speaks to git's upload-pack and receive-pack, alike over HTTP, ssh and pipes: refs, then one request, then its answer.
// Format: https://git-scm.com/docs/gitprotocol-pack (version 0). transport.ts makes the connection.

import { MemoryError } from '../../base/errors.ts';
import { checkRefName } from '../guard/ref-name.ts';
import { isOid, noOid } from './object-codec.ts';
import {
  type ByteReader,
  flushPacket,
  formatPacket,
  remoteRefused,
  remoteUnavailable,
  type TransferLimits,
} from './pkt-line.ts';

/** The two programs that a repository answers with. */
export type RemoteService = 'upload-pack' | 'receive-pack';

/** What a repository says of itself. */
export interface Advertisement {
  /** Object ids by full name, in the order they came; `HEAD` and peeled tags apart. */
  readonly refs: ReadonlyMap<string, string>;
  /** The branch that HEAD names, where the remote tells. */
  readonly head: string | null;
  readonly capabilities: ReadonlySet<string>;
}

/** One conversation with one program. */
export interface Connection {
  readonly advertisement: Advertisement;
  /** Says everything there is to say, and gives the answer. */
  request(parts: readonly Uint8Array[]): Promise<ByteReader>;
  close(): void;
}

const agent = 'agent=git-memory';

/**
 * Reads the refs that a program begins with.
 *
 * Throws REMOTE_REFUSED for whatever is no advertisement and for what {@link advertisementOf} refuses; REMOTE_UNAVAILABLE for what the
 * program gives as its reason.
 */
export async function readAdvertisement(reader: ByteReader, limits: TransferLimits): Promise<Advertisement> {
  const lines: [name: string, oid: string][] = [];
  let capabilities: ReadonlySet<string> | null = null;
  reader.limit(limits.advertisementBytes);
  for (;;) {
    const line = await reader.line();
    if (line === null) throw remoteUnavailable('the remote broke off', 'Look whether a repository is there');
    if (line === 'flush') return advertisementOf(lines, capabilities ?? new Set(), limits);
    if (line.startsWith('ERR ')) throw remoteSays(line.slice(4));
    if (capabilities === null && line === 'version 1') continue;
    const [ref, words] = line.split(/\0(.*)/s) as [string, string | undefined];
    if (capabilities === null) {
      if (words === undefined) throw remoteRefused('does not say what it can');
      capabilities = new Set(words.split(' ').filter((word) => word !== ''));
    }
    const [oid, name] = splitRef(ref);
    lines.push([name, oid]);
  }
}

/**
 * Looks at what a remote lists: refs by name, peeled tags behind their own, in the order they came.
 *
 * Throws REMOTE_REFUSED for names no ref may have, the same name twice, what points nowhere, shallow clones, and more than the limits allow.
 */
export function advertisementOf(
  lines: Iterable<readonly [name: string, oid: string]>,
  capabilities: ReadonlySet<string>,
  limits: TransferLimits,
): Advertisement {
  const refs = new Map<string, string>();
  let count = 0;
  for (const [name, oid] of lines) {
    if (oid === 'shallow' && isOid(name)) throw remoteRefused('is a shallow clone, which lacks a part of the history');
    if (!isOid(oid)) throw remoteRefused('lists a ref without an object');
    if (name === 'capabilities^{}' || name === '.have' || name === 'HEAD') continue;
    count += 1;
    if (count > limits.refs) throw remoteRefused(`lists more than ${limits.refs} refs`);
    const peeled = name.endsWith('^{}');
    const ref = peeled ? name.slice(0, -3) : name;
    checkAdvertised(ref);
    if (peeled ? !refs.has(ref) : refs.has(ref)) throw remoteRefused('lists a ref twice, or out of order');
    if (oid === noOid) throw remoteRefused('lists a ref that points nowhere');
    if (!peeled) refs.set(ref, oid);
  }
  const head = [...capabilities].find((word) => word.startsWith('symref=HEAD:'))?.slice('symref=HEAD:'.length);
  return { refs, head: head !== undefined && refs.has(head) ? head : null, capabilities };
}

function splitRef(text: string): [string, string] {
  const space = text.indexOf(' ');
  return space < 0 ? [text, ''] : [text.slice(0, space), text.slice(space + 1)];
}

function checkAdvertised(ref: string): void {
  try {
    checkRefName(ref);
  } catch (error) {
    throw remoteRefused('lists a ref of a name that no ref may have', error);
  }
}

/** Quotes a remote as text: short, on one line, without what a terminal would obey. */
export function remoteSays(text: string): ReturnType<typeof remoteUnavailable> {
  const quoted = text
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, 200);
  return remoteUnavailable(`the remote says: ${quoted}`, 'Look whether address and rights are as you mean them');
}

/** What is to be fetched, and what we have already. */
interface PackWish {
  readonly wants: readonly string[];
  readonly haves: readonly string[];
  /** Commits at which our own history ends. */
  readonly shallow: readonly string[];
}

/** Asks for a pack, and hands its bytes on as they come. Throws REMOTE_REFUSED, REMOTE_UNAVAILABLE. */
export async function fetchPack(
  connection: Connection,
  { wants, haves, shallow }: PackWish,
  limits: TransferLimits,
  take: (bytes: Buffer) => void,
): Promise<void> {
  const { capabilities } = connection.advertisement;
  const isSideband = capabilities.has('side-band-64k');
  const asked = ['ofs-delta', 'no-progress', 'side-band-64k'].filter((word) => capabilities.has(word));
  const [first, ...others] = [...new Set(wants)];
  const reader = await connection.request([
    formatPacket(`want ${first} ${[...asked, agent].join(' ')}\n`),
    ...others.map((oid) => formatPacket(`want ${oid}\n`)),
    ...(capabilities.has('shallow') ? shallow.map((oid) => formatPacket(`shallow ${oid}\n`)) : []),
    flushPacket,
    ...haves.map((oid) => formatPacket(`have ${oid}\n`)),
    formatPacket('done\n'),
  ]);
  reader.limit(limits.packBytes);
  const acknowledged = await reader.line();
  if (acknowledged === null || acknowledged === 'flush') throw remoteRefused('does not answer what it was asked');
  if (acknowledged.startsWith('ERR ')) throw remoteSays(acknowledged.slice(4));
  if (acknowledged !== 'NAK' && !/^ACK [0-9a-f]{40}$/.test(acknowledged)) throw remoteRefused('answers out of turn');
  if (!isSideband) {
    for (let bytes = await reader.chunk(); bytes !== null; bytes = await reader.chunk()) take(bytes);
    return;
  }
  for (;;) {
    const packet = await reader.packet();
    if (packet === 'flush') return;
    if (packet === null) throw remoteUnavailable('the remote broke off', 'Repeat the call; nothing was changed');
    if (packet[0] === 1) take(packet.subarray(1));
    else if (packet[0] === 3) throw remoteSays(packet.toString('utf8', 1));
    // git acknowledges once more what lies behind the first that it has.
    else if (/^ACK [0-9a-f]{40}\n?$/.test(packet.toString('latin1'))) continue;
    else if (packet[0] !== 2 && packet.length > 0) throw remoteRefused('answers out of turn');
  }
}

/** A ref of the remote that is to move if it still is where we saw it. */
export interface RefCommand {
  readonly ref: string;
  /** Null for a new one. */
  readonly from: string | null;
  /** Null for one that is to go; only where the remote can `delete-refs`. */
  readonly to: string | null;
}

/** What became of one command: null when it was done, else the remote's reason. */
export type PushReport = ReadonlyMap<string, string | null>;

const notTaken = 'the pack is not taken: ';

/** Whether a push failed for its pack as a whole: it may be larger than the server, or what stands before it, lets in. */
export function isPackRefused(error: unknown): error is MemoryError {
  if (!(error instanceof MemoryError)) return false;
  return error.code === 'TOO_LARGE' || (error.code === 'REMOTE_UNAVAILABLE' && error.what.includes(notTaken));
}

/** Sends a pack and moves refs. Throws REMOTE_REFUSED, REMOTE_UNAVAILABLE, and TOO_LARGE over HTTP; a ref that did not move is reported. */
export async function sendPack(
  connection: Connection,
  commands: readonly RefCommand[],
  pack: Uint8Array,
): Promise<PushReport> {
  const { capabilities } = connection.advertisement;
  if (!capabilities.has('report-status')) throw remoteRefused('does not report what becomes of a push');
  const lines = commands.map(({ ref, from, to }) => `${from ?? noOid} ${to ?? noOid} ${ref}`);
  const reader = await connection.request([
    formatPacket(`${lines[0]}\0report-status ${agent}`),
    ...lines.slice(1).map((line) => formatPacket(line)),
    flushPacket,
    pack,
  ]);
  reader.limit(1 << 20);
  const unpacked = await reader.line();
  if (unpacked === null || unpacked === 'flush') throw remoteRefused('does not report what became of the push');
  if (unpacked.startsWith('ERR ')) throw remoteSays(unpacked.slice(4));
  if (unpacked !== 'unpack ok') throw remoteSays(`${notTaken}${unpacked.replace(/^unpack /, '')}`);
  const report = new Map<string, string | null>(commands.map(({ ref }) => [ref, 'no report']));
  for (let line = await reader.line(); line !== null && line !== 'flush'; line = await reader.line()) {
    const [, outcome, ref, reason] = /^(ok|ng) (\S+) ?(.*)$/s.exec(line) ?? [];
    if (outcome === undefined || !report.has(ref!)) throw remoteRefused('reports on what it was not asked');
    report.set(ref!, outcome === 'ok' ? null : (reason ?? '').replace(/[\p{Cc}\p{Cf}]+/gu, ' ').slice(0, 200));
  }
  return report;
}
