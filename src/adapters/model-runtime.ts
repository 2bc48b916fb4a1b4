// Installs a package that runs models into the user's folder, by npm, all or nothing. What it needs only for images and browsers is left
// out, no install script runs, and of its binaries those of this machine stay.
//
//   <user's data>/transformers/          package.json, node_modules/: whole, since it got its name last
//   <user's data>/.transformers-…        one that is being made, or was broken off

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { defined, MemoryError } from '../base/errors.ts';
import type { ModelRuntime } from '../base/types.ts';
import { removeUnfinished } from './model-folder.ts';
import { userData } from './user-data.ts';

/** The packages that can run a model, the one that is maintained first, and the version that is known to. */
export const runtimeVersions = { '@huggingface/transformers': '4.3.1', '@xenova/transformers': '2.17.2' } as const;

export type RuntimePackage = keyof typeof runtimeVersions;

/** What both need for images and in browsers alone; `sharp` fails where its library is missing, and takes its process along. */
const neededElsewhere = ['sharp', 'onnxruntime-web'];

/** Gives the folder in which packages installed here are looked up. */
export const runtimeFolder = (): string => path.join(userData(), 'transformers');

/** Reads what is installed; null for nothing. */
export function installedRuntime(): ModelRuntime | null {
  const folder = runtimeFolder();
  const name = Object.keys(runtimeVersions).find((one) => fs.existsSync(manifestIn(folder, one)));
  if (name === undefined) return null;
  const licences: Record<string, string[]> = {};
  for (const found of packagesIn(path.join(folder, 'node_modules'))) {
    const { name: one, version, license } = JSON.parse(fs.readFileSync(found, 'utf8')) as Record<string, string>;
    if (neededElsewhere.includes(path.basename(path.dirname(found)))) continue;
    const licence = String(license ?? 'not said');
    licences[licence] = [...(licences[licence] ?? []), `${one} ${version}`];
  }
  const { version } = JSON.parse(fs.readFileSync(manifestIn(folder, name), 'utf8')) as { version: string };
  return { name, version, folder, bytes: bytesBelow(folder), licences };
}

/** Installs a package unless that version is there; npm's cache comes first. Throws EMBEDDER_UNAVAILABLE (nothing stays) or the abort's reason. */
export async function installRuntime(
  name: RuntimePackage,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<void> {
  const installed = installedRuntime();
  if (installed?.name === name && installed.version === runtimeVersions[name]) return;
  const parent = userData();
  fs.mkdirSync(parent, { recursive: true });
  removeUnfinished(parent, prefix);
  const unfinished = fs.mkdtempSync(path.join(parent, prefix));
  try {
    const nothing = path.join(unfinished, 'nothing');
    fs.mkdirSync(nothing);
    fs.writeFileSync(
      path.join(nothing, 'package.json'),
      '{ "name": "nothing", "version": "1.0.0", "license": "MIT" }\n',
    );
    fs.writeFileSync(path.join(nothing, 'index.js'), 'module.exports = {};\n');
    const manifest = {
      private: true,
      dependencies: { [name]: runtimeVersions[name] },
      overrides: Object.fromEntries(neededElsewhere.map((one) => [one, 'file:./nothing'])),
    };
    fs.writeFileSync(path.join(unfinished, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    await npmInstall(name, unfinished, signal);
    leaveOtherMachines(path.join(unfinished, 'node_modules', 'onnxruntime-node', 'bin'));
    const folder = runtimeFolder();
    const old = `${unfinished}-old`;
    if (fs.existsSync(folder)) fs.renameSync(folder, old);
    fs.renameSync(unfinished, folder);
    fs.rmSync(old, { recursive: true, force: true });
  } finally {
    fs.rmSync(unfinished, { recursive: true, force: true });
  }
}

/** Removes what {@link installRuntime} made; says how many bytes that were. */
export function removeRuntime(): number {
  const folder = runtimeFolder();
  const bytes = bytesBelow(folder);
  fs.rmSync(folder, { recursive: true, force: true });
  return bytes;
}

const prefix = '.transformers-';

function manifestIn(folder: string, name: string): string {
  return path.join(folder, 'node_modules', ...name.split('/'), 'package.json');
}

function npmInstall(name: RuntimePackage, folder: string, signal: AbortSignal | undefined): Promise<void> {
  const args = ['install', '--prefix', '.', '--ignore-scripts', '--install-links', '--prefer-offline', '--omit=dev'];
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  return new Promise((resolve, reject) => {
    const failed = (why: string, hint: string, cause?: unknown): void => {
      const what = `npm cannot install ${name}: ${why}`;
      reject(
        signal?.aborted ? signal.reason : new MemoryError('EMBEDDER_UNAVAILABLE', what, { where: 'npm', hint, cause }),
      );
    };
    // No word of a caller is among them, and npm of Windows is a script of its shell.
    const npm = spawn('npm', [...args, ...quiet], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      shell: process.platform === 'win32',
      ...defined({ signal }),
    });
    let said = '';
    npm.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-20_000);
    });
    npm.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT'
        ? failed('there is no npm on the PATH', 'Install npm, which comes with Node.js, and say it again', error)
        : failed(error.message, 'Say it again when that is mended', error),
    );
    npm.on('close', (code) => {
      if (code === 0) return resolve();
      const lines = said.split('\n').map((line) => line.replace(/^npm (?:error|ERR!) ?/, '').trim());
      const why = lines.find((line) => line !== '' && !/^(?:code|errno|syscall|network This is) /.test(line));
      failed(
        why?.slice(0, 300) ?? `it ended with ${code}`,
        "Say it again where npm reaches its registry; what is in npm's cache needs none",
      );
    });
  });
}

/** Removes the binaries of other systems: four fifths of all that was installed. */
function leaveOtherMachines(bin: string): void {
  for (const version of namesIn(bin)) {
    for (const system of namesIn(path.join(bin, version))) {
      const folder = path.join(bin, version, system);
      if (system !== process.platform) fs.rmSync(folder, { recursive: true, force: true });
      else for (const processor of namesIn(folder)) leaveOther(path.join(folder, processor), processor);
    }
  }
}

function leaveOther(folder: string, processor: string): void {
  if (processor !== process.arch) fs.rmSync(folder, { recursive: true, force: true });
}

const namesIn = (folder: string): string[] => (fs.existsSync(folder) ? fs.readdirSync(folder) : []);

/** Lists the manifests of the packages of a folder `node_modules`, and of those within them. */
function packagesIn(modules: string): string[] {
  return namesIn(modules).flatMap((name) => {
    const folder = path.join(modules, name);
    if (name.startsWith('.')) return [];
    if (name.startsWith('@')) return packagesIn(folder);
    const manifest = path.join(folder, 'package.json');
    return [...(fs.existsSync(manifest) ? [manifest] : []), ...packagesIn(path.join(folder, 'node_modules'))];
  });
}

/** Sums up the sizes of all files below a folder. */
export function bytesBelow(folder: string): number {
  if (!fs.existsSync(folder)) return 0;
  const files = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce(
    (sum, { parentPath, path: older, name }) => sum + fs.statSync(path.join(parentPath ?? older, name)).size,
    0,
  );
}
