// The lines in which git programs talk: four hex digits of length, then bytes; and a reader of them with limits.
// Format: https://git-scm.com/docs/protocol-common#_pkt_line_format

import { defined, MemoryError } from '../../base/errors.ts';
import { monotonicMs } from '../../base/monotonic.ts';
import { maxPackBytes } from '../guard/limits.ts';

/** How much a remote may say, and how long it may take. */
export interface TransferLimits {
  /** Silence after which a remote is given up. */
  readonly idleMs: number;
  /** One exchange as a whole, beside what its bytes take at the slowest rate. */
  readonly totalMs: number;
  /** The slowest rate at which a large answer may come; who sends a byte a minute is not silent, and never ends. */
  readonly leastBytesPerSecond: number;
  readonly advertisementBytes: number;
  readonly refs: number;
  readonly packBytes: number;
}

/** A minute of silence, half an hour and what a modem takes; a pack is held in memory while it is checked. */
export const defaultTransferLimits: TransferLimits = {
  idleMs: 60_000,
  totalMs: 30 * 60_000,
  leastBytesPerSecond: 4096,
  advertisementBytes: 16 << 20,
  refs: 100_000,
  packBytes: maxPackBytes,
};

/** The failure that a remote does not follow the protocol, or wants too much. */
export function remoteRefused(what: string, cause?: unknown): MemoryError {
  return new MemoryError('REMOTE_REFUSED', `the remote ${what}`, {
    hint: 'Nothing was fetched; check that the address is that of your own repository',
    ...defined({ cause }),
  });
}

export const remoteUnavailable = (what: string, hint: string, cause?: unknown): MemoryError =>
  new MemoryError('REMOTE_UNAVAILABLE', what, { hint, ...defined({ cause }) });

/** Formats one line; text gets no line feed of its own. */
export function formatPacket(content: string | Uint8Array): Buffer {
  const bytes = Buffer.from(content as string);
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0')), bytes]);
}

/** Ends a list of lines. */
export const flushPacket: Buffer = Buffer.from('0000');

const maxPacketBytes = 65_520;

/** Reads bytes as they come, with an end to patience and to size. */
export class ByteReader {
  private readonly source: AsyncIterator<Uint8Array>;
  private readonly idleMs: number;
  private readonly signal: AbortSignal | undefined;
  private readonly leastBytesPerMs: number;
  private deadline: number;
  private rest: Buffer = Buffer.alloc(0);
  private taken = 0;
  private mostBytes = Number.POSITIVE_INFINITY;

  constructor(source: AsyncIterable<Uint8Array>, limits: TransferLimits, signal?: AbortSignal) {
    this.source = source[Symbol.asyncIterator]();
    this.idleMs = limits.idleMs;
    this.signal = signal;
    this.leastBytesPerMs = limits.leastBytesPerSecond / 1000;
    this.deadline = monotonicMs() + limits.totalMs;
  }

  /** From here on no more than so many bytes may come. */
  limit(bytes: number): void {
    this.taken = 0;
    this.mostBytes = bytes;
  }

  /** Gives the next bytes, as many as came together; null at the end. */
  async chunk(): Promise<Buffer | null> {
    if (this.rest.length > 0) {
      const { rest } = this;
      this.rest = Buffer.alloc(0);
      return this.counted(rest);
    }
    const next = await this.pull();
    return next === null ? null : this.counted(next);
  }

  /** Reads exactly so many bytes; null when the end is there at once. */
  async exactly(length: number): Promise<Buffer | null> {
    const parts: Buffer[] = [];
    let have = 0;
    while (have < length) {
      const part = this.rest.length > 0 ? this.rest : await this.pull();
      this.rest = Buffer.alloc(0);
      if (part === null) {
        if (have === 0) return null;
        throw remoteUnavailable('the remote broke off', 'Repeat the call; nothing was changed');
      }
      const wanted = part.subarray(0, length - have);
      this.rest = part.subarray(wanted.length);
      parts.push(wanted);
      have += wanted.length;
    }
    return this.counted(parts.length === 1 ? parts[0]! : Buffer.concat(parts));
  }

  /** Reads one line: its content, `flush`, or null at the end. */
  async packet(): Promise<Buffer | 'flush' | null> {
    const head = await this.exactly(4);
    if (head === null) return null;
    const digits = head.toString('latin1');
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw remoteRefused('does not speak the protocol of git');
    const length = Number.parseInt(digits, 16);
    if (length === 0) return 'flush';
    if (length < 4 || length > maxPacketBytes) throw remoteRefused('sends a line of impossible length');
    if (length === 4) return Buffer.alloc(0);
    const content = await this.exactly(length - 4);
    if (content === null) throw remoteUnavailable('the remote broke off', 'Repeat the call; nothing was changed');
    return content;
  }

  /** Reads one line as text without its line feed. */
  async line(): Promise<string | 'flush' | null> {
    const packet = await this.packet();
    return packet === null || packet === 'flush' ? packet : packet.toString('utf8').replace(/\n$/, '');
  }

  private counted(bytes: Buffer): Buffer {
    this.taken += bytes.length;
    if (this.taken <= this.mostBytes) return bytes;
    throw remoteRefused(`sends more than ${this.mostBytes} bytes`);
  }

  private async pull(): Promise<Buffer | null> {
    this.signal?.throwIfAborted();
    const patience = Math.min(this.idleMs, this.deadline - monotonicMs());
    const next = await within(this.source.next(), patience, this.signal).catch((error: unknown) => {
      // A line that breaks says so in the words of whatever carries it: a TypeError of fetch, a reset of a socket.
      if (error instanceof MemoryError || this.signal?.aborted) throw error;
      throw remoteUnavailable('the remote broke off', 'Repeat the call; nothing was changed', error);
    });
    if (next.done) return null;
    this.deadline += next.value.byteLength / this.leastBytesPerMs;
    return Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength);
  }
}

/** Waits so long and no longer; throws REMOTE_UNAVAILABLE, or the reason of an abort. */
export async function within<T>(work: Promise<T>, milliseconds: number, signal?: AbortSignal): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let stop: (() => void) | undefined;
  const end = new Promise<never>((_, reject) => {
    const silent = () =>
      reject(remoteUnavailable('the remote does not answer', 'Repeat the call later; nothing was changed'));
    timer = setTimeout(silent, Math.max(milliseconds, 0));
    stop = () => reject(signal!.reason);
    signal?.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, end]);
  } catch (error) {
    // What was raced may fail later, when nobody looks any more.
    work.catch(() => undefined);
    throw error;
  } finally {
    clearTimeout(timer);
    if (stop) signal?.removeEventListener('abort', stop);
  }
}
