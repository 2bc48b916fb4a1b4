// The difference of one file as git writes it: header, modes, ids, hunks or a binary patch. `git apply` is the judge.

import { isUtf8 } from 'node:buffer';
import { deflateSync } from 'node:zlib';
import { type MarkedLines, unifiedDiff } from '../base/unified-diff.ts';
import { noOid } from '../store/git/object-codec.ts';
import type { FileMode, TreeDifference } from '../store/git/tree.ts';
import { isBinary } from './changed-text.ts';
import { quotedPath, quotedRawPath } from './path-quoting.ts';

/** What a patch says beside its text. */
interface FilePatch {
  readonly isBinary: boolean;
  /** Lines; 0 for binary files. */
  readonly added: number;
  readonly removed: number;
  readonly patch: string;
}

interface PatchOptions {
  readonly context: number;
  readonly read: (side: { readonly oid: string }) => Uint8Array;
  /** Gives the short form of an object id. */
  readonly abbreviate: (oid: string) => string;
  /** Marks changes within the lines; the outcome is for people, and no patch. */
  readonly marked?: MarkedLines | undefined;
}

const empty = new Uint8Array();

/**
 * Formats one changed file as `git diff --binary --no-renames` does.
 *
 * A text that is not UTF-8 is treated as binary, so that the patch is a text and still exact. A change of kind (file, link, submodule) is
 * a removal and an addition.
 */
export function filePatch(change: TreeDifference, options: PatchOptions): FilePatch {
  const { before, after } = change;
  if (before !== null && after !== null && kindOf(before.mode) !== kindOf(after.mode)) {
    const parts = [onePatch({ ...change, after: null }, options), onePatch({ ...change, before: null }, options)];
    return {
      isBinary: parts.some(({ isBinary }) => isBinary),
      added: parts[1]!.added,
      removed: parts[0]!.removed,
      patch: parts.map(({ patch }) => patch).join(''),
    };
  }
  return onePatch(change, options);
}

/** The part of a mode that says what kind of thing it is. */
const kindOf = (mode: FileMode): string => mode.slice(0, 2);

function onePatch(change: TreeDifference, options: PatchOptions): FilePatch {
  const { before, after, path, rawPath } = change;
  const name = (prefix: string) => (rawPath ? quotedRawPath(prefix, rawPath) : quotedPath(prefix, path));
  const header = [`diff --git ${name('a/')} ${name('b/')}`];
  if (before === null) header.push(`new file mode ${after!.mode}`);
  else if (after === null) header.push(`deleted file mode ${before.mode}`);
  else if (before.mode !== after.mode) header.push(`old mode ${before.mode}`, `new mode ${after.mode}`);
  if (before?.oid === after?.oid) return { isBinary: false, added: 0, removed: 0, patch: `${header.join('\n')}\n` };
  const [left, right] = [contentOf(before, options), contentOf(after, options)];
  const isOpaque = !isText(left) || !isText(right);
  const short = isOpaque ? (oid: string) => oid : options.abbreviate;
  const ids = [before?.oid ?? noOid, after?.oid ?? noOid].map((oid) =>
    oid === noOid && !isOpaque ? noOid.slice(0, short((before ?? after)!.oid).length) : short(oid),
  );
  const mode = before !== null && before.mode === after?.mode ? ` ${before.mode}` : '';
  header.push(`index ${ids.join('..')}${mode}`);
  if (isOpaque)
    return { isBinary: true, added: 0, removed: 0, patch: `${header.join('\n')}\n${binaryPatch(left, right)}` };
  const { added, removed, text } = unifiedDiff(textOf(left), textOf(right), options.context, options.marked);
  if (text !== '') {
    // A tab after a name with spaces tells where it ends.
    const line = (prefix: string) => `${name(prefix)}${path.includes(' ') ? '\t' : ''}`;
    header.push(
      `--- ${before === null ? '/dev/null' : line('a/')}`,
      `+++ ${after === null ? '/dev/null' : line('b/')}`,
    );
  }
  return { isBinary: false, added, removed, patch: `${header.join('\n')}\n${text}` };
}

function contentOf(side: TreeDifference['before'], options: PatchOptions): Uint8Array {
  if (side === null) return empty;
  // A submodule is a commit of another repository.
  if (side.mode === '160000') return Buffer.from(`Subproject commit ${side.oid}\n`);
  return options.read(side);
}

const isText = (bytes: Uint8Array): boolean => !isBinary(bytes) && isUtf8(bytes);

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');

// Binary files in patches: git's own form, both versions deflated and in base 85, so that the patch can be applied either way.
//
//     literal 6                       size of the bytes
//     NcmZSh&&2XPU                    lines of up to 52 deflated bytes; the first letter says how many (A…Z 1…26, a…z 27…52)

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~';
const lineBytes = 52;

/** Formats what stands below the header of a binary file, from `GIT binary patch` to the empty line at the end. */
const binaryPatch = (before: Uint8Array, after: Uint8Array): string =>
  `GIT binary patch\n${literal(after)}\n${literal(before)}\n`;

function literal(bytes: Uint8Array): string {
  const deflated = deflateSync(bytes);
  const lines = [`literal ${bytes.length}\n`];
  for (let start = 0; start < deflated.length; start += lineBytes) {
    const line = deflated.subarray(start, start + lineBytes);
    const { length } = line;
    const mark = String.fromCharCode(length <= 26 ? 64 + length : 96 + length - 26);
    lines.push(`${mark}${base85(line)}\n`);
  }
  return lines.join('');
}

function base85(bytes: Uint8Array): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += 4) {
    let value = 0;
    for (let place = 0; place < 4; place++) value = value * 256 + (bytes[start + place] ?? 0);
    let group = '';
    for (let place = 0; place < 5; place++) {
      group = alphabet.charAt(value % 85) + group;
      value = Math.floor(value / 85);
    }
    text += group;
  }
  return text;
}
