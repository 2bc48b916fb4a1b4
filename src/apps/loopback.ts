// What servers of this machine have in common: they listen on the loopback address alone, and know their callers by a token.

import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isSystemError, MemoryError } from '../base/errors.ts';

/** Listens on 127.0.0.1; port 0 lets the system choose. Gives the port. Throws IO for one that is taken. */
export async function listenOnLoopback(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenError(error, port)));
    server.listen(port, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

/** Tells whether a request carries a token as `Authorization: Bearer …`. Compares hashes, which have one length, in constant time. */
export function hasToken({ headers }: IncomingMessage, token: string): boolean {
  const given = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(token));
}

function listenError(error: unknown, port: number): unknown {
  if (!isSystemError(error, 'EADDRINUSE', 'EACCES')) return error;
  return new MemoryError('IO', `port ${port} is not available`, {
    where: String(port),
    hint: 'Choose another one, or 0 for any',
    cause: error,
  });
}
