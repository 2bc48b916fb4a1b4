// Files that come with words: stored once under the hash of their bytes, named in the transcript, in the commit of the capture.

import { sha256Hex } from '../base/hash.ts';
import { oneLine } from '../base/text.ts';
import { MemoryError } from '../errors.ts';
import type { SecretFilter } from '../guard/secret-filter.ts';
import type { Configuration } from '../records/configuration.ts';
import type { FileChange } from '../store/operation.ts';
import type { Attachment } from '../types.ts';

export type AttachmentRules = Configuration['attachments'];

/** What attachments become: lines of the message, and files. */
export interface ReadAttachments {
  /** `> [attachment:attachments/ab/abcd….png] photo.png`, one for each. */
  readonly lines: readonly string[];
  /** Bytes by path. */
  readonly files: ReadonlyMap<string, Buffer>;
}

const maxNameLength = 120;

/**
 * Reads the attachments of a message; none for undefined.
 *
 * The path is `attachments/{xx}/{hash}{ending}`, the first 32 digits of SHA-256 of the bytes: no name that somebody gave becomes a path, and the
 * same bytes are one file. Secrets are taken out of text; other bytes stay as they are.
 *
 * @throws MemoryError INVALID_ARGUMENT, TOO_LARGE, SECRET where they are refused.
 */
export function readAttachments(
  given: unknown,
  filter: SecretFilter,
  rules: AttachmentRules,
  where: string,
): ReadAttachments {
  const lines: string[] = [];
  const files = new Map<string, Buffer>();
  if (given === undefined) return { lines, files };
  if (!Array.isArray(given)) throw invalid('attachments are a list of { name, bytes }', where);
  if (given.length > rules.most) {
    throw new MemoryError('TOO_LARGE', `${given.length} attachments come at once, the limit is ${rules.most}`, {
      where,
      hint: 'Capture them with several messages, or raise attachments.most in memory.yaml',
    });
  }
  for (const one of given as Partial<Attachment>[]) {
    if (typeof one?.name !== 'string' || !(one.bytes instanceof Uint8Array)) {
      throw invalid('an attachment has a name and bytes', where);
    }
    const name = filter.passName(oneLine(one.name.replace(/[[\]]/g, ' '), maxNameLength), 'the name of an attachment');
    if (one.bytes.length > rules.maxBytes) {
      throw new MemoryError('TOO_LARGE', `${name} has ${one.bytes.length} bytes, the limit is ${rules.maxBytes}`, {
        where,
        hint: 'Keep it elsewhere and name it, or raise attachments.max_bytes in memory.yaml',
      });
    }
    const bytes = withoutSecretsIn(Buffer.from(one.bytes), filter, name);
    const hash = sha256Hex(bytes).slice(0, 32);
    const path = `attachments/${hash.slice(0, 2)}/${hash}${endingOf(name)}`;
    files.set(path, bytes);
    lines.push(`> [attachment:${path}]${name === '' ? '' : ` ${name}`}`);
  }
  return { lines, files };
}

/** Plans the files that are not there yet; `oidOf` tells what stands at a path. */
export function attachmentChanges(
  files: ReadonlyMap<string, Buffer>,
  oidOf: (path: string) => string | null,
): FileChange[] {
  return [...files].flatMap(([path, after]) => (oidOf(path) === null ? [{ path, before: null, after }] : []));
}

/** As git tells text from other bytes; what is no UTF-8 is none either. */
function withoutSecretsIn(bytes: Buffer, filter: SecretFilter, name: string): Buffer {
  if (bytes.subarray(0, 8000).includes(0)) return bytes;
  const text = bytes.toString('utf8');
  return Buffer.from(text).equals(bytes) ? Buffer.from(filter.pass(text, name)) : bytes;
}

function endingOf(name: string): string {
  const ending = /\.([A-Za-z0-9]{1,8})$/.exec(name)?.[1]?.toLowerCase();
  return ending === undefined ? '' : `.${ending}`;
}

function invalid(what: string, where: string): MemoryError {
  return new MemoryError('INVALID_ARGUMENT', what, {
    where,
    hint: 'Bytes are a Uint8Array, such as what readFile gives',
  });
}
