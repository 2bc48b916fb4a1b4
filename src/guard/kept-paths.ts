// Files that no everyday write reaches: what the engine keeps for itself, and what people alone decide. An agent that is talked into
// writing there would lock other machines out, or change the rules it is under.

import { MemoryError } from '../errors.ts';
import { foldPath } from './path.ts';

/** Why a path is kept, and what to do instead. */
const keptFiles: ReadonlyMap<string, string> = new Map([
  ['memory.yaml', 'People change it: `git memory config`, or an editor and a commit'],
  ['memory-config.yaml', 'People change it, with an editor and a commit'],
  ['.meta.json', 'The engine writes it by itself'],
  ['.gitattributes', 'The engine keeps its lines there; people add theirs with an editor and a commit'],
]);
/** Receipts prove how often a memory was purged. */
const keptFolder = '.memory/purges';

/** Refuses a path that everyday writes do not reach, and a folder above it; throws INVALID_PATH. */
export function refuseKept(path: string): void {
  const folded = foldPath(path);
  const isReceipt = folded === keptFolder || folded.startsWith(`${keptFolder}/`);
  const hint = isReceipt ? '`git memory purge` writes it' : keptFiles.get(folded);
  if (hint === undefined) return;
  throw new MemoryError('INVALID_PATH', `${path} cannot be changed like other files`, { where: path, hint });
}
