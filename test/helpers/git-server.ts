// A git server for tests: the real `git http-backend` behind node:http on this machine, with a name and password; see git-server.mjs.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import { git, hasGit } from './native-git.ts';
import { temporaryFolder } from './temporary.ts';

export interface GitServer {
  readonly origin: string;
  readonly port: number;
  /** Requests that came with the right name and password, and others. */
  readonly counts: { readonly welcome: number; readonly refused: number };
  close(): Promise<void>;
}

const program = fileURLToPath(new URL('git-server.mjs', import.meta.url));

export const serverCredential = { username: 'ada', password: 'correct horse' };

/** Makes a bare repository that takes pushes. */
export function bareRepository(folder: string): string {
  git('/', 'init', '--quiet', '--bare', '--initial-branch=main', folder);
  git(folder, 'config', 'http.receivepack', 'true');
  return folder;
}

/** Serves a folder of its own while the tests of a file run; where there is no git, nothing. */
export function gitServerForTests(): { readonly root: string; readonly server: GitServer } {
  const root = hasGit ? temporaryFolder() : '';
  // A proxy of this machine is not to be asked for it.
  process.env.no_proxy = '127.0.0.1';
  let server: GitServer | undefined;
  beforeAll(async () => {
    if (hasGit) server = await serveGit(root);
  });
  afterAll(() => server?.close());
  return {
    root,
    get server() {
      return server!;
    },
  };
}

/** Serves the repositories below a folder, from a small process: each request starts programs, which costs a large one much. */
export async function serveGit(root: string): Promise<GitServer> {
  const folder = temporaryFolder();
  const [welcome, refused] = ['welcome', 'refused'].map((name) => path.join(folder, name)) as [string, string];
  for (const file of [welcome, refused]) fs.writeFileSync(file, '');
  const environment = { ROOT: root, WELCOME: welcome, REFUSED: refused, BACKEND: git('/', '--exec-path').trim() };
  const { username, password } = serverCredential;
  const child = spawn(process.execPath, [program, `${username}:${password}`], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const port = Number(await new Promise((resolve) => child.stdout.once('data', resolve)));
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    // A byte for each request, written before it is answered.
    counts: {
      get welcome() {
        return fs.statSync(welcome).size;
      },
      get refused() {
        return fs.statSync(refused).size;
      },
    },
    close: () => new Promise((resolve) => child.once('close', () => resolve()).stdin.end()),
  };
}
