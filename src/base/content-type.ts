// Tells what some bytes are from the bytes alone: a name can say anything.

/** A kind of file, as its first bytes tell it. */
export interface ContentType {
  /** A media type (RFC 6838), such as `image/png`; `application/octet-stream` for what is not known. */
  readonly type: string;
  /** The usual ending, without its dot; `null` for what is not known, and for text, which has many. */
  readonly ending: string | null;
}

interface Signature extends ContentType {
  readonly ending: string;
  /** Where the mark stands; default 0. */
  readonly at?: number;
  /** One character for each byte. */
  readonly mark: string;
}

/** After the formats' own documents. What begins like another stands behind it. */
const signatures: readonly Signature[] = [
  { type: 'image/png', ending: 'png', mark: '\x89PNG\r\n\x1a\n' },
  { type: 'image/jpeg', ending: 'jpg', mark: '\xff\xd8\xff' },
  { type: 'image/gif', ending: 'gif', mark: 'GIF87a' },
  { type: 'image/gif', ending: 'gif', mark: 'GIF89a' },
  { type: 'image/webp', ending: 'webp', at: 8, mark: 'WEBP' },
  { type: 'image/tiff', ending: 'tif', mark: 'II*\0' },
  { type: 'image/tiff', ending: 'tif', mark: 'MM\0*' },
  { type: 'image/avif', ending: 'avif', at: 4, mark: 'ftypavif' },
  { type: 'image/heic', ending: 'heic', at: 4, mark: 'ftypheic' },
  { type: 'video/quicktime', ending: 'mov', at: 4, mark: 'ftypqt  ' },
  { type: 'audio/mp4', ending: 'm4a', at: 4, mark: 'ftypM4A ' },
  { type: 'video/mp4', ending: 'mp4', at: 4, mark: 'ftyp' },
  { type: 'video/webm', ending: 'webm', mark: '\x1aE\xdf\xa3' },
  { type: 'audio/wav', ending: 'wav', at: 8, mark: 'WAVE' },
  { type: 'audio/mpeg', ending: 'mp3', mark: 'ID3' },
  { type: 'audio/ogg', ending: 'ogg', mark: 'OggS' },
  { type: 'audio/flac', ending: 'flac', mark: 'fLaC' },
  { type: 'application/pdf', ending: 'pdf', mark: '%PDF-' },
  { type: 'application/gzip', ending: 'gz', mark: '\x1f\x8b' },
  { type: 'application/zip', ending: 'zip', mark: 'PK\x03\x04' },
];

/** Containers: many formats are one inside, and only their names tell which. */
const containers: ReadonlySet<string> = new Set(['zip', 'gz', 'webm', 'ogg', 'tif']);

const known: ReadonlySet<string> = new Set([...signatures.map(({ ending }) => ending), 'jpeg', 'tiff']);

/** Tells what bytes are. Text is what git takes for text (no zero byte in the first 8000) and is UTF-8. */
export function contentTypeOf(bytes: Uint8Array): ContentType {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 32)).toString('latin1');
  const found = signatures.find(({ at = 0, mark }) => start.startsWith(mark, at));
  if (found !== undefined) return { type: found.type, ending: found.ending };
  return isText(bytes) ? { type: 'text/plain', ending: null } : { type: 'application/octet-stream', ending: null };
}

/** Tells whether bytes can be shown as words. */
export function isText(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (buffer.subarray(0, 8000).includes(0)) return false;
  const text = buffer.toString('utf8');
  return !text.includes('\ufffd') || Buffer.from(text).equals(buffer);
}

/**
 * Gives the ending that a file of these bytes gets, without its dot; empty where nothing is known of it.
 *
 * What the bytes say goes before what `name` says. The ending of a name counts where the bytes say nothing (`csv`), or only that many
 * formats may be meant (`docx` is a zip). An ending whose format the bytes do not have never counts.
 */
export function endingFor(bytes: Uint8Array, name: string): string {
  const named = /\.([A-Za-z0-9]{1,8})$/.exec(name)?.[1]?.toLowerCase() ?? '';
  const { type, ending } = contentTypeOf(bytes);
  if (ending !== null) return containers.has(ending) && named !== '' && !known.has(named) ? named : ending;
  if (!known.has(named)) return named;
  return type === 'text/plain' ? 'txt' : 'bin';
}
