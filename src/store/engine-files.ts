// Files that the engine keeps: `.meta.json`, and its own lines of `.gitattributes`. The engine puts back hand edits of them, in the work
// tree or in a commit. What people write into `.gitattributes` beside our lines is theirs. An epoch stands as far as receipts prove it.

import { isJsonObject, parseJson } from '../base/canonical-json.ts';
import { MemoryError } from '../base/errors.ts';
import type { Codec } from './codec.ts';
import { damagedFilesOf } from './damaged-files.ts';
import { TreeFiles } from './derive.ts';
import type { Repository } from './git/repository.ts';
import { parseMessage } from './guard/message.ts';
import type { Operation } from './operation.ts';
import { epochOfReceipts, parseReceipt, receiptFolder } from './records/purge-receipt.ts';
import { formatMeta, metaPath, parseMeta } from './records/storage-meta.ts';

const attributesPath = '.gitattributes';
/** So many commits of others are looked through for the last one of the engine. */
const maxForeign = 1000;

/** A kept file that is not as it must be. */
export interface KeptProblem {
  readonly path: string;
  readonly why: string;
  readonly before: string | null;
  readonly text: string;
}

/** Tells whether the engine keeps some of a file at least. */
export const isKept = (path: string): boolean => path === metaPath || path === attributesPath;

/** Says why a file is written again as it was committed. */
export const whyPutBack = (path: string): string =>
  isKept(path) ? 'the engine keeps it' : 'only the beginning of what was committed is left of it';

/** Gives a text of `.gitattributes` with our lines that another one has; the same text where none is missing. */
function withOwnLines(text: string, from: string): string {
  const isOwn = (line: string) => /\s(?:merge|filter)=git-memory(?:\s|$)/.test(line) || line === '* -text';
  const present = new Set(text.split(/\r?\n/));
  const missing = from.split('\n').filter((line) => isOwn(line) && !present.has(line));
  // In front, so that what people say behind it holds.
  return missing.length === 0 ? text : `${missing.join('\n')}\n${text}`;
}

/** Gives what a file edited by hand is to be, or the edit itself; `before` is what was committed. */
export function restoredEdit(path: string, before: Buffer | null, edit: Buffer | null): Buffer | null {
  if (before === null) return edit;
  if (path === metaPath) return before;
  if (path !== attributesPath) return edit;
  const own = before.toString('utf8');
  const text = withOwnLines(edit?.toString('utf8') ?? '', own);
  return edit !== null && text === edit.toString('utf8') ? edit : Buffer.from(text);
}

/** Finds kept files that a commit by hand, or another machine, left otherwise than they must be. */
export function keptProblems(repository: Repository, codec: Codec, tip: string, isProject: boolean): KeptProblem[] {
  const filesAt = (commit: string) =>
    new TreeFiles(repository.objects.readCommit(commit).tree, repository.objects as never, codec);
  const files = filesAt(tip);
  const last = lastOfEngine(repository, tip);
  const base = last === null || last === tip ? null : filesAt(last);
  const problems: KeptProblem[] = [];
  const note = (path: string, text: string, why: string) =>
    problems.push({ path, why, before: files.oidOf(path), text });
  const read = (state: TreeFiles | null, path: string) =>
    state && damagedFilesOf(repository).passed(() => state.readText(path), tip, path);
  const [meta, was] = [read(files, metaPath), read(base, metaPath)];
  const kept = was ?? meta;
  const healed = kept === null ? null : withProvenEpoch(kept, files);
  if (was !== null && was !== meta) note(metaPath, healed ?? was, 'it was changed by hand, and the engine keeps it');
  else if (healed !== null) note(metaPath, healed, 'it tells of another epoch than the receipts of purges prove');
  const lines = isProject ? null : read(base, attributesPath);
  if (lines !== null) {
    const present = read(files, attributesPath);
    const text = withOwnLines(present ?? '', lines);
    // What people wrote beside is not given up for lost.
    const isLost = present === null && files.oidOf(attributesPath) !== null;
    if (text !== present && !isLost) note(attributesPath, text, 'lines that the engine keeps were taken away');
  }
  return problems;
}

/** Remembers the tip whose kept files are as they must be. A commit of ours that touches nothing they are made of leaves them so. */
export class KeptFiles {
  private sound: string | null = null;

  /** Plans to put the kept files of a tip back; null where all are as they must be. */
  restoring(repository: Repository, codec: Codec, tip: string, isProject: boolean): Operation | null {
    if (tip === this.sound) return null;
    const problems = keptProblems(repository, codec, tip, isProject);
    if (problems.length === 0) this.sound = tip;
    return planRestoring(problems);
  }

  /** Notes what commits of ours have made of a tip. */
  moved(from: string | null, to: string | null, touched: Iterable<string>): void {
    const isSource = (path: string) => isKept(path) || path.startsWith(`${receiptFolder}/`);
    if (from !== null && from === this.sound && ![...touched].some(isSource)) this.sound = to;
  }
}

/** Plans to put kept files back; null where all are as they must be. */
function planRestoring(problems: readonly KeptProblem[]): Operation | null {
  if (problems.length === 0) return null;
  return {
    kind: 'maintenance',
    name: 'keep',
    subject: `put back ${problems.map(({ path }) => path).join(' and ')}`,
    trailers: [],
    changes: problems.map(({ path, before, text }) => ({ path, before, after: Buffer.from(text) })),
    onConflict: 'later',
  };
}

/** The newest commit on the way back that is the engine's, or brings another side in, which judged its own; null for a long way. */
function lastOfEngine({ objects }: Repository, tip: string): string | null {
  let oid: string | undefined = tip;
  for (let steps = 0; oid !== undefined && steps < maxForeign; steps += 1) {
    const { parents, message } = objects.readCommit(oid);
    if (parents.length > 1 || parseMessage(message).trailers.some(({ key }) => key === 'Operation')) return oid;
    if (objects.isBoundary(oid)) return null;
    oid = parents[0];
  }
  return null;
}

/** Null where the epoch is what receipts prove, or the file is of another version. */
function withProvenEpoch(text: string, files: TreeFiles): string | null {
  try {
    const raw = parseJson(text, metaPath);
    const claimed = isJsonObject(raw) ? raw.epoch : undefined;
    // Purges alone make one, so that most memories have none, and no receipt needs to be read.
    if (claimed === undefined) return null;
    const receipts = [...files.list(`${receiptFolder}/`)].flatMap(
      ([path, oid]) => parseReceipt(files.readBlob(oid, path).toString('utf8'), path) ?? [],
    );
    const proven = epochOfReceipts(receipts);
    if (claimed === proven) return null;
    const meta = parseMeta(text);
    const { epoch: _, ...others } = meta.unknown ?? {};
    return formatMeta({ ...meta, unknown: proven === 0 ? others : { ...others, epoch: proven } });
  } catch (error) {
    if (error instanceof MemoryError) return null;
    throw error;
  }
}
