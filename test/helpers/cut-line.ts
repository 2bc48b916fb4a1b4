// A line of bytes between a client and a server on this machine, that breaks where a test wants it.

import net, { type AddressInfo } from 'node:net';

/** What becomes of the bytes that the server sends behind those that still come through. */
export type Break = 'reset' | 'end' | 'stall' | 'garbage';

export interface CutLine {
  readonly port: number;
  /** Bytes of the server that came through since the last {@link cut}. */
  readonly passed: number;
  /** Lets so many bytes of the server through, over all connections from now on. */
  cut(after: number, how: Break): void;
  close(): void;
}

/** Opens a line to a port. */
export async function openLine(to: number): Promise<CutLine> {
  const sockets = new Set<net.Socket>();
  let [passed, after, how] = [0, Number.POSITIVE_INFINITY, 'end' as Break];
  const server = net.createServer((client) => {
    const far = net.connect(to, '127.0.0.1');
    for (const socket of [client, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => [client, far].map((one) => one.destroy()));
    }
    client.pipe(far);
    far.on('data', (bytes: Buffer) => {
      const rest = Math.max(0, after - passed);
      passed += Math.min(rest, bytes.length);
      if (rest > 0) client.write(bytes.subarray(0, rest));
      if (rest >= bytes.length) return;
      if (how === 'reset') client.resetAndDestroy();
      else if (how === 'end') client.end();
      else if (how === 'garbage') client.end(Buffer.alloc(bytes.length - rest, 0xa5));
    });
    far.on('end', () => how !== 'stall' && client.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    get passed() {
      return passed;
    },
    cut(bytes, kind) {
      [passed, after, how] = [0, bytes, kind];
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
