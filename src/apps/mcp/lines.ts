// JSON-RPC over lines: each is a message, or is answered with what is wrong with it, and the next one is served. The transport of the SDK
// drops what is no JSON without an answer. It copies all it has of a long line with each piece that comes.

import type { Readable, Writable } from 'node:stream';
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/server';
import { messageAsMeant } from './message.ts';

/** Codes of JSON-RPC 2.0. */
const parseError = -32_700;
const invalidRequest = -32_600;
const invalidParams = -32_602;

interface Refusal {
  readonly id: string | number | null;
  readonly code: number;
  readonly message: string;
}

/** A client at the other end of two streams. */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  private readonly input: Readable;
  private readonly output: Writable;
  private readonly maxLineBytes: number;
  /** Pieces of the line that is not whole yet; null while the rest of one that is too long goes by. */
  private pieces: Buffer[] | null = [];
  private length = 0;
  private isClosed = false;

  constructor(input: Readable, output: Writable, { maxLineBytes }: { readonly maxLineBytes: number }) {
    this.input = input;
    this.output = output;
    this.maxLineBytes = maxLineBytes;
  }

  async start(): Promise<void> {
    this.input.on('data', this.take);
    this.input.on('error', (error) => this.onerror?.(error));
    for (const event of ['end', 'close']) this.input.once(event, () => void this.close());
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      this.output.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    this.input.off('data', this.take);
    this.input.pause();
    this.onclose?.();
  }

  private readonly take = (chunk: Buffer): void => {
    let rest = chunk;
    for (let end = rest.indexOf(10); end >= 0 && !this.isClosed; end = rest.indexOf(10)) {
      this.keep(rest.subarray(0, end));
      const line = this.pieces && Buffer.concat(this.pieces);
      this.pieces = [];
      this.length = 0;
      rest = rest.subarray(end + 1);
      if (line !== null) this.deliver(line);
    }
    this.keep(rest);
  };

  private keep(piece: Buffer): void {
    this.length += piece.length;
    if (this.pieces !== null && this.length > this.maxLineBytes) {
      this.pieces = null;
      this.refuse({ id: null, code: invalidRequest, message: `A line has at most ${this.maxLineBytes} bytes` });
    }
    this.pieces?.push(piece);
  }

  private deliver(line: Buffer): void {
    try {
      const message = messageOf(line);
      if (message === null) return;
      if ('refusal' in message) this.refuse(message.refusal);
      else this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }

  private refuse({ id, code, message }: Refusal): void {
    this.onerror?.(new Error(`a line is no message: ${message}`));
    const answer = { jsonrpc: '2.0', id, error: { code, message } };
    // A client that went away has no use for it.
    this.output.write(`${JSON.stringify(answer)}\n`, () => undefined);
  }
}

/** Reads a line; null for what must not be answered: an empty one, a broken notification, a broken answer. */
function messageOf(line: Buffer): JSONRPCMessage | { readonly refusal: Refusal } | null {
  let value: unknown;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(line);
    if (text.trim() === '') return null;
    value = messageAsMeant(JSON.parse(text));
  } catch {
    return { refusal: { id: null, code: parseError, message: 'The line is no JSON' } };
  }
  try {
    return parseJSONRPCMessage(value);
  } catch {
    return refusalOf(value);
  }
}

function refusalOf(value: unknown): { readonly refusal: Refusal } | null {
  const refusal = (id: Refusal['id'], code: number, message: string) => ({ refusal: { id, code, message } });
  if (Array.isArray(value)) return refusal(null, invalidRequest, 'Messages come one by one, not as a list');
  if (typeof value !== 'object' || value === null) return refusal(null, invalidRequest, 'A message is an object');
  const { jsonrpc, id, method, params: _, ...others } = value as Record<string, unknown>;
  if (method === undefined && ('result' in others || 'error' in others)) return null;
  const isId = typeof id === 'string' || Number.isSafeInteger(id);
  if (id !== undefined && !isId) return refusal(null, invalidRequest, 'The id is a text or a whole number');
  const known = isId ? (id as string | number) : null;
  if (jsonrpc !== '2.0') return refusal(known, invalidRequest, 'jsonrpc is "2.0"');
  if (typeof method !== 'string') return refusal(known, invalidRequest, 'The method is missing');
  if (known === null) return null;
  const [stranger] = Object.keys(others);
  if (stranger !== undefined) return refusal(known, invalidRequest, `A request has no ${stranger.slice(0, 60)}`);
  return refusal(known, invalidParams, 'params is an object as the protocol has it');
}
