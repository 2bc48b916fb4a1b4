// Looks for words in all that a repository is made of: every object, reachable or not, every name, and every file as it lies there.

import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { git, hasGit, tryGit } from './native-git.ts';

/** What native git can show, reachable or not; nothing where it is not there. */
function nativeTexts(directory: string): string[] {
  const shown = tryGit(directory, ['cat-file', '--batch-all-objects', '--batch', '--unordered']);
  if (shown.status !== 0) throw new Error(`git cat-file: ${shown.stderr}`);
  return [shown.stdout, git(directory, 'rev-list', '--all', '--objects', '--reflog')];
}

/** Every name and file below a folder; of packs and loose objects also what is in each stream, wherever it begins. */
function* filesOf(directory: string): Generator<string> {
  for (const entry of fs.readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    yield path.relative(directory, file);
    if (!entry.isFile()) continue;
    const bytes = fs.readFileSync(file);
    yield bytes.toString('utf8');
    yield bytes.toString('latin1');
    // Packs also lie where they are made, and where they are fetched to.
    if (!/\/objects\/|\/git-memory\/(?:tmp|fetch|quarantine)\//.test(file)) continue;
    for (let at = 0; at < bytes.length; at++) {
      if ((bytes[at]! & 0x0f) !== 8 || (bytes[at]! * 256 + (bytes[at + 1] ?? 0)) % 31 !== 0) continue;
      try {
        yield zlib.inflateSync(bytes.subarray(at), { finishFlush: zlib.constants.Z_SYNC_FLUSH }).toString('utf8');
      } catch {
        // No stream begins here.
      }
    }
  }
}

/** Gives, for each of the words that is there, a place with what stands around it. With `isNative` native git is asked, too. */
export function tracesOf(directory: string, wanted: readonly string[], isNative = hasGit): string[] {
  const found = new Map<string, string>();
  const look = (text: string) => {
    for (const trace of wanted) {
      const at = found.has(trace) ? -1 : text.indexOf(trace);
      if (at >= 0) found.set(trace, `…${text.slice(Math.max(0, at - 60), at + 40)}…`);
    }
  };
  for (const text of isNative ? nativeTexts(directory) : []) look(text);
  for (const text of filesOf(directory)) look(text);
  return [...found.values()];
}
