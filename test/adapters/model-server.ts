// A server of models on the loopback interface, which answers as told, and the tiny model that it and the tests hold.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

/** Makes the tiny model of this repository in a folder and gives the folder. */
export function makeTinyModel(folder: string, ...options: string[]): string {
  const script = fileURLToPath(new URL('../../scripts/tiny-model/main.mjs', import.meta.url));
  execFileSync(process.execPath, [script, folder, ...options]);
  return folder;
}

/** How a request for a file is answered: with the file, half of it and then a broken connection, or never. */
export type Behaviour = 'file' | 'half' | 'silence' | 'nothing there';

export interface ModelServer {
  readonly url: string;
  /** The files asked for. */
  readonly requests: string[];
  close(): Promise<void>;
}

/** Serves `folder` as the model of any id: `/{id}/resolve/main/{file}`. */
export async function serveModel(folder: string, behaviour: Behaviour = 'file'): Promise<ModelServer> {
  const requests: string[] = [];
  const server = http.createServer((request, response) => {
    const name = decodeURIComponent(request.url ?? '').replace(/^.*\/resolve\/main\//, '');
    requests.push(name);
    const file = path.join(folder, name);
    if (behaviour === 'silence') return;
    if (behaviour === 'nothing there' || !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    const bytes = readFileSync(file);
    response.writeHead(200, { 'content-length': bytes.length });
    if (behaviour === 'file' || !name.endsWith('.onnx')) response.end(bytes);
    else response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  afterAll(close);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, requests, close };
}
