// Limits sizes, in one function that says no. Every limit names the reason it is not higher.

import { MemoryError } from '../../base/errors.ts';

/** Records and markdown files, 1 MiB: a person reads them, and every edit stores the whole file again. */
export const maxFileBytes = 1 << 20;

/** Transcripts and artifacts under `raw/`, 16 MiB: a day of talk fits a hundred times, and one is held in memory at a time. */
export const maxRawBytes = 16 << 20;

/** Words that ask, name or explain, such as a query, a path, a tag or a reason, 64 KiB: far above what anybody types. */
const maxWordsBytes = 64 << 10;

/** Any git object, 64 MiB: a compressed bomb of zeros is a thousand times smaller on disk than in memory. */
export const maxObjectBytes = 64 << 20;

/** Git objects that a loose file or pack may inflate to while deltas are applied, 1 GiB of copying: a second at most. */
export const maxDeltaWorkBytes = 1 << 30;

/** A tree object, 8 MiB, a quarter of a million names: as values they take ten times that. */
export const maxTreeBytes = 8 << 20;

/** A commit or tag object that comes from a remote, 4 MiB: our own messages end at a quarter of that. */
export const maxCommitBytes = 4 << 20;

/** Files in one listing: a tree of trees of itself names more files than there are atoms in a few hundred bytes. */
export const maxListedFiles = 150_000;

/** Folders in folders of a tree that is read; what the engine writes ends at {@link maxPathDepth}. */
export const maxTreeDepth = 128;

/** Parents of a commit from elsewhere: git's own octopus merges end far below, and each parent is a tree to compare with. */
export const maxParents = 256;

/** Lines of a commit or tag above its message, 256 KiB: signatures and merged tags with theirs. */
export const maxObjectHeadBytes = 256 << 10;

/** A pack that is fetched or indexed, 1 GiB: it is held in memory while that goes on. */
export const maxPackBytes = 1 << 30;

/** HEAD, refs and other files of one line, 64 KiB. */
export const maxLineFileBytes = 64 << 10;

/** packed-refs, 32 MiB: four hundred thousand refs. */
export const maxPackedRefsBytes = 32 << 20;

/** The configuration of a repository, 1 MiB: it is read as a whole each time a memory is opened. */
export const maxGitConfigBytes = 1 << 20;

/** Any other file that is read as a whole, 256 MiB: an index of two million files, a pack index of nine million objects. */
export const maxWholeFileBytes = 256 << 20;

/** Object folders of other repositories that one may borrow from; git itself follows them five deep. */
export const maxAlternates = 32;

/** Front matter, 64 KiB: the YAML reader takes superlinear time on hostile input. */
export const maxFrontMatterBytes = 64 << 10;

/** Nesting of YAML, 20 levels: no format of the layout needs five, and a recursive reader overflows at thousands. */
export const maxYamlDepth = 20;

/** Keys of one YAML mapping: a mapping with more is a data set, not front matter. */
export const maxYamlKeys = 200;

/** Nodes of one YAML document: bounds the time of every walk over it. */
export const maxYamlNodes = 5_000;

/** A commit message with its trailers, 1 MiB: an operation over a thousand records names each of them in a trailer. */
export const maxMessageBytes = 1 << 20;

/** One trailer value in UTF-16 units: longer than any path of the layout with its turn. */
export const maxTrailerLength = 1_200;

/** The subject of a commit in characters: what `git log --oneline` and web pages show without cutting. */
export const maxSubjectLength = 72;

/** A path in UTF-8 bytes: leaves room for the folder that holds the repository within the 4,096 of a system call. */
export const maxPathBytes = 1_024;

/** One segment of a path in UTF-8 bytes: what common file systems hold. */
export const maxSegmentBytes = 255;

/** Folders and name of a path together: the layout needs six, and every level costs a tree object in each commit. */
export const maxPathDepth = 32;

/** A ref name in bytes: leaves room for `.lock` within what a file system holds. */
export const maxRefBytes = 1_000;

/** One component of a ref name in bytes: 255 less the five of `.lock`. */
export const maxRefComponentBytes = 250;

/** Name or email of an author in bytes: the header line they are in is one line. */
export const maxIdentityBytes = 512;

/** A pattern that a person wrote, in UTF-16 units: a list of some hundred words. */
export const maxPatternLength = 2_000;

/** Instructions of a compiled pattern: with a text of the size below, the worst of them takes half a second. */
export const maxPatternSize = 500;

/** A text that a pattern is tried on, 64 KiB: longer than any message or knowledge file that people read. */
export const maxPatternTextBytes = 64 << 10;

/** Instructions times characters that counting in one line may take: about a second at worst, milliseconds as a rule. */
export const maxCountSteps = 1 << 26;

/** What texts may have that a caller gives in fields of these names; {@link maxWordsBytes} in all others. */
const maxBytesOf: Readonly<Record<string, number>> = {
  // What becomes a file or a part of one: memory.yaml says how large that may be, and cannot say more than this.
  text: maxObjectBytes,
  detail: maxObjectBytes,
  // Of both one line is kept, whatever a tool said.
  asked: maxObjectBytes,
  answered: maxObjectBytes,
  note: maxObjectBytes,
  conversation: maxObjectBytes,
  // Files of other programs, which hold many conversations.
  sources: maxWholeFileBytes,
  // One record, one passage, one side of a conversation: looked through by patterns and cut into words as a whole.
  content: maxFileBytes,
  claim: maxFileBytes,
  oldText: maxFileBytes,
  newText: maxFileBytes,
  message: maxFileBytes,
  output: maxFileBytes,
  turns: maxFileBytes,
  events: maxFileBytes,
};

/** How deep fields are looked into: the files of a message of a capture are the deepest. */
const maxGivenDepth = 6;

/**
 * Passes what a caller gives: each text, in lists and plain objects too, up to the limit of its field.
 *
 * `name` is that of the field. Where the field that holds others has a limit (`turns`, which have `text`), it is theirs.
 *
 * @throws MemoryError TOO_LARGE for the first text above its limit, naming its field.
 */
export function checkGiven(given: unknown, name: string, held?: number, depth = 0): void {
  const limit = maxBytesOf[name] === undefined ? undefined : limitWithin(name, held);
  const text = given instanceof RegExp ? given.source : given;
  if (typeof text === 'string') checkSize(text, limit ?? maxWordsBytes, name.slice(0, 60));
  if (typeof given !== 'object' || given === null || depth === maxGivenDepth) return;
  if (Array.isArray(given)) for (const one of given) checkGiven(one, name, held, depth + 1);
  else if (isPlain(given)) {
    for (const [key, value] of Object.entries(given)) {
      checkSize(key, maxWordsBytes, 'the name of a field');
      checkGiven(value, key, limitWithin(name, held), depth + 1);
    }
  }
}

/** Gives the limit that a field with one has for all that it holds; `held` is that of the field that holds it. */
export const limitWithin = (name: string, held: number | undefined): number | undefined => held ?? maxBytesOf[name];

/** Not what has a life of its own, such as a signal or a memory. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * Passes sizes up to `maxBytes`.
 *
 * `bytes` is a length, or what has one; a text counts as UTF-8. `where` names the file or argument in the error.
 *
 * @throws MemoryError TOO_LARGE above it; nothing has been written.
 */
export function checkSize(bytes: Uint8Array | string | number, maxBytes: number, where: string): void {
  const size = sizeOf(bytes, maxBytes);
  if (size > maxBytes) {
    const hint = 'Shorten it, or split it';
    throw new MemoryError('TOO_LARGE', `${where} has ${size} bytes, and ${maxBytes} are allowed`, { where, hint });
  }
}

function sizeOf(bytes: Uint8Array | string | number, maxBytes: number): number {
  if (typeof bytes === 'number') return bytes;
  if (typeof bytes !== 'string') return bytes.byteLength;
  // A UTF-16 unit is at most three bytes of UTF-8, so short texts need no counting.
  return bytes.length * 3 <= maxBytes ? bytes.length : Buffer.byteLength(bytes, 'utf8');
}
