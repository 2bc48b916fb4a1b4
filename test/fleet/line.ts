// What stands between a machine and the server: a line of TCP that breaks where it is told to.

import net from 'node:net';

/** How a line breaks: after so many bytes in one direction. */
export interface Cut {
  readonly direction: 'up' | 'down';
  readonly afterBytes: number;
  /** Ends as if all had been said, is reset, or says nothing more. */
  readonly manner: 'end' | 'reset' | 'stall';
  /** Whether whoever connects again is cut off, too. */
  readonly lasts: boolean;
}

export class Line {
  private readonly server: net.Server;
  private readonly sockets = new Set<net.Socket>();
  private readonly serverPort: number;
  private cut: Cut | null = null;
  private bytes = 0;
  private isBroken = false;
  private onStall: () => void = () => undefined;
  private beforePush: (() => Promise<void>) | null = null;

  constructor(serverPort: number) {
    this.serverPort = serverPort;
    this.server = net.createServer((client) => this.connect(client));
  }

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as net.AddressInfo).port}`;
  }

  /** Gives a new line, without what was kept open; `beforePush` happens once, while a push waits on its way. */
  async begin(plan: { cut?: Cut; onStall?: () => void; beforePush?: () => Promise<void> } = {}): Promise<void> {
    [this.cut, this.bytes, this.isBroken] = [plan.cut ?? null, 0, false];
    this.onStall = plan.onStall ?? (() => undefined);
    this.beforePush = plan.beforePush ?? null;
    const kept = [...this.sockets];
    for (const socket of kept) socket.destroy();
    // The client has to hear of it before it uses one of them.
    if (kept.length > 0) await new Promise((resolve) => setTimeout(resolve, 2));
  }

  private connect(client: net.Socket): void {
    if (this.isBroken && this.cut?.lasts) {
      client.on('error', () => undefined).destroy();
      return;
    }
    const server = net.connect(this.serverPort, '127.0.0.1');
    for (const socket of [client, server]) {
      this.sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('close', () => this.sockets.delete(socket));
      socket.on('error', () => undefined);
    }
    const pair = { client, server };
    // One after the other, also while a push waits.
    let turn: Promise<void> = Promise.resolve();
    client.on('data', (bytes) => {
      turn = turn.then(async () => {
        await this.waitBeforePush(bytes);
        this.pass('up', bytes, server, pair);
      });
    });
    server.on('data', (bytes) => this.pass('down', bytes, client, pair));
    client.on('close', () => void turn.then(() => server.destroy()));
    server.on('close', () => client.destroy());
    server.on('end', () => client.end());
  }

  private async waitBeforePush(bytes: Buffer): Promise<void> {
    const before = this.beforePush;
    if (before === null || !/^POST [^ ]*git-receive-pack /.test(bytes.toString('latin1', 0, 400))) return;
    this.beforePush = null;
    await before();
  }

  private pass(
    direction: Cut['direction'],
    bytes: Buffer,
    to: net.Socket,
    pair: { client: net.Socket; server: net.Socket },
  ): void {
    const { cut } = this;
    if (this.isBroken && (cut!.lasts || cut!.manner === 'stall')) return;
    if (cut === null || this.isBroken || cut.direction !== direction || this.bytes + bytes.length <= cut.afterBytes) {
      this.bytes += cut?.direction === direction ? bytes.length : 0;
      if (!to.destroyed) to.write(bytes);
      return;
    }
    this.isBroken = true;
    if (!to.destroyed) to.write(bytes.subarray(0, cut.afterBytes - this.bytes));
    if (cut.manner === 'stall') {
      this.onStall();
      return;
    }
    for (const socket of [pair.client, pair.server]) {
      if (cut.manner === 'reset') socket.resetAndDestroy();
      else socket.end();
    }
  }
}
