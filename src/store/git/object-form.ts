// Checks the form of objects as `git fsck --strict` does. Nothing is written, and nothing comes in, that breaks it.

import { MemoryError } from '../../base/errors.ts';
import { checkSize, maxCommitBytes, maxObjectHeadBytes, maxParents, maxTreeBytes } from '../guard/limits.ts';
import { withTakenTimes } from './commit-object.ts';
import type { GitObject } from './object-codec.ts';
import { cutTree, entryAt, entryCount } from './tree-bytes.ts';

const oid = '[0-9a-f]{40}';
const person = '[^<>\\n\\0]+ <[^<>\\n\\0]*> (?:0|[1-9]\\d{0,18}) [+-]\\d{4}';
const commitHead = new RegExp(
  `^tree ${oid}\\n(?:parent ${oid}\\n)*author ${person}\\ncommitter ${person}\\n(?:[a-z0-9-]+ [^\\n\\0]*\\n(?: [^\\n\\0]*\\n)*)*$`,
);
const tagHead = new RegExp(
  `^object ${oid}\\ntype (?:commit|tree|blob|tag)\\ntag [^\\n\\0]+\\n(?:tagger ${person}\\n)?$`,
);

/**
 * Passes an object whose form git would not complain about. `hasPlainNames`: its names have to be UTF-8, too.
 *
 * Throws OBJECT_CORRUPT or TOO_LARGE, naming the object.
 */
export function checkForm(name: string, { type, data }: GitObject, hasPlainNames = false): void {
  if (type === 'blob') return;
  if (type === 'tree') {
    checkSize(data, maxTreeBytes, `tree ${name}`);
    checkTree(name, data, hasPlainNames);
    return;
  }
  checkSize(data, maxCommitBytes, `${type} ${name}`);
  const end = data.indexOf('\n\n');
  const head = data.toString('utf8', 0, end < 0 ? data.length : end + 1);
  // Before any pattern is tried on it.
  checkSize(end < 0 ? data.length : end, maxObjectHeadBytes, `the head of ${type} ${name}`);
  if (head.split('\nparent ', maxParents + 2).length > maxParents + 1)
    throw malformed(name, `commit ${name} has more than ${maxParents} parents`);
  if (withTakenTimes(head) !== head) throw malformed(name, `${type} ${name} has a time that git does not take`);
  if (!(type === 'commit' ? commitHead : tagHead).test(head))
    throw malformed(name, `${type} ${name} is not well formed`);
  if (data.includes(0)) throw malformed(name, `${type} ${name} has a character that is none`);
}

function malformed(name: string, what: string): MemoryError {
  return new MemoryError('OBJECT_CORRUPT', what, {
    where: name,
    hint: 'Nothing was written. It is a fault of git-memory; `git memory --version` says which one to report it for',
  });
}

function checkTree(name: string, data: Buffer, hasPlainNames: boolean): void {
  const tree = cutTree(data, name);
  for (let index = 0; index < entryCount(tree); index += 1) {
    // Nearly all trees are written plainly, and nearly all ids begin with no zero.
    if (tree.isPlain && data[tree.starts[index + 1]! - 20] !== 0) continue;
    const start = tree.starts[index]!;
    if (data[start] === 0x30) throw malformed(name, `tree ${name} writes a mode with a zero before it`);
    const written = data.toString('latin1', start, data.indexOf(0x20, start));
    const entry = entryAt(tree, index);
    if (written !== entry.mode) throw malformed(name, `tree ${name} writes a mode as nobody does`);
    if (hasPlainNames && entry.rawName !== undefined) throw malformed(name, `tree ${name} has a name that is no UTF-8`);
    if (/^0{40}$/.test(entry.oid)) throw malformed(name, `tree ${name} points nowhere`);
  }
}
