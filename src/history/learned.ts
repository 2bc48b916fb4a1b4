// When was this learned? For a text, these are the commits in which the number of its occurrences changed (`git log -S`). For a pattern,
// they are those whose added or removed lines match it (`git log -G`).

import { defined, MemoryError } from '../base/errors.ts';
import { keptIn } from '../base/once-per.ts';
import { splitLines } from '../base/text.ts';
import { formatSeconds } from '../base/time.ts';
import type { LearnedEntry, LearnedResult } from '../base/types.ts';
import type { Repository } from '../store/git/repository.ts';
import type { TreeDifference } from '../store/git/tree.ts';
import { parseMessage } from '../store/guard/message.ts';
import type { Pattern } from '../store/guard/pattern.ts';
import { isSealed } from '../store/records/private-text.ts';
import { type HistoryCatalogue, historyOf } from './catalogue.ts';
import { changedStretches, isBinary } from './changed-text.ts';
import { numbersOf } from './log.ts';
import { findRename } from './renames.ts';
import { commitShape, fileShape, isLongEnough, runsOfNeedle, TextFilterBuilder } from './text-filter.ts';
import { FileFilters, formatFileFilters, type KnownFilters, textFiltersOf } from './text-filters.ts';

/** What to look for; times in milliseconds. */
interface LearnedQuery {
  readonly what: string | { readonly pattern: Pattern; readonly source: string; readonly ignoresCase: boolean };
  readonly path?: string;
  readonly since?: number;
  readonly until?: number;
  /** Commits at most. */
  readonly limit: number;
  readonly after?: string;
  /** What stored bytes say, or they themselves where that cannot be known. Default: always they themselves. */
  readonly plain?: (stored: Buffer) => Buffer;
}

/** A file that a commit changed, with where it was before. */
interface Pair extends TreeDifference {
  readonly renamedFrom?: string;
}

/** Renames are looked for up to so many pairs of a removed and an added file in one commit. */
const maxRenamePairs = 10_000;
/** Larger files are not compared for the filter, which then holds everything. */
const maxFilteredBytes = 4 << 20;
/** A commit that changed more files has a filter for each of them, too. */
const fewFiles = 8;

/**
 * Lists the commits, newest first, with each file in which the text came or went and how often it stood there before and after.
 *
 * Merges are passed over, as in `git log`. Looks no further back than the limit asks for, and makes the text filters of the commits it
 * passes that have none. Throws NOT_FOUND for an `after` that is not among them.
 */
export function learnedOf(repository: Repository, tip: string | null, query: LearnedQuery): LearnedResult {
  const catalogue = historyOf(repository);
  const filters = textFiltersOf(repository);
  const search = new Search(repository, query);
  const { damage } = catalogue;
  const scope = defined({ path: query.path });
  const commits: LearnedEntry[] = [];
  let [found, isPast] = [0, query.after === undefined];
  let last: string | undefined;
  let next: string | undefined;
  for (const number of tip === null ? [] : numbersOf(repository, catalogue, tip, scope)) {
    const oid = catalogue.oidAt(number);
    if (!isPast) {
      isPast = oid === query.after;
      continue;
    }
    const time = catalogue.timeAt(number) * 1000;
    if ((query.since !== undefined && time < query.since) || (query.until !== undefined && time > query.until))
      continue;
    if (catalogue.parentsAt(number).length > 1) continue;
    const entries = damage.passed(() => {
      const files = filesOf(search, filters, catalogue, number, oid);
      return files === null ? [] : search.entriesOf(catalogue, number, files);
    }, oid);
    if (entries === null || entries.length === 0) continue;
    if (found === query.limit) {
      next = last;
      break;
    }
    found += 1;
    last = oid;
    commits.push(...entries);
  }
  catalogue.save();
  filters.ofCommits.save();
  filters.ofFiles.save();
  if (!isPast) throw new MemoryError('NOT_FOUND', `${query.after} is not in this history`, { where: 'after' });
  return { commits, ...defined({ next }) };
}

/**
 * Asks the filters of a commit where the text may have come or gone, and makes those that are missing. It gives `null` for nowhere,
 * `undefined` for any file, else those whose own filter says so.
 */
function filesOf(
  search: Search,
  { ofCommits, ofFiles }: KnownFilters,
  catalogue: HistoryCatalogue,
  number: number,
  oid: string,
): FileFilters | null | undefined {
  // What a commit at a shallow boundary did depends on where the boundary is.
  if (search.runs === null || catalogue.isBoundary(oid)) return undefined;
  const add = (made: ReturnType<typeof filtersOf>) => {
    if (!ofCommits.has(oid)) ofCommits.add(oid, made.ofCommit);
    if (made.ofFiles !== null && !ofFiles.has(oid)) ofFiles.add(oid, made.ofFiles);
  };
  if (!ofCommits.has(oid)) add(filtersOf(search, catalogue, number));
  if (!ofCommits.mayHold(oid, search.runs)) return null;
  if (!search.asksFiles || catalogue.changeCountAt(number) <= fewFiles) return undefined;
  if (!ofFiles.has(oid)) add(filtersOf(search, catalogue, number));
  return new FileFilters(ofFiles.bytesOf(oid)!);
}

/** Makes the filter of a commit, and those of its files where they are many; they know nothing of the question. */
function filtersOf(
  search: Search,
  catalogue: HistoryCatalogue,
  number: number,
): { ofCommit: Uint8Array; ofFiles: Uint8Array | null } {
  const whole = new TextFilterBuilder(commitShape);
  const changes = catalogue.changesAt(number);
  const parts: Uint8Array[] = [];
  for (const { path, before, after } of changes) {
    const part = changes.length > fewFiles ? new TextFilterBuilder(fileShape) : null;
    const sides = catalogue.damage.passed(
      () => [search.read(before), search.read(after)] as const,
      catalogue.oidAt(number),
      path,
    );
    if (sides === null) {
      whole.addAny();
      part?.addAny();
      if (part !== null) parts.push(part.finish());
      continue;
    }
    const [left, right] = sides;
    // Of a private text nothing is kept, not even which words it may hold.
    const isPrivate = [before, after].some((side) => side !== null && search.sealed.has(side.oid));
    if (isPrivate || left.length + right.length > maxFilteredBytes) {
      whole.addAny();
      part?.addAny();
    } else {
      for (const { bytes, start, end } of changedStretches(left, right)) {
        whole.add(bytes, start, end);
        part?.add(bytes, start, end);
      }
    }
    if (part !== null) parts.push(part.finish());
  }
  return { ofCommit: whole.finish(), ofFiles: parts.length === 0 ? null : formatFileFilters(parts) };
}

const nothing = Buffer.alloc(0);

class Search {
  /** What a filter can be asked; `null` when it cannot. */
  readonly runs: readonly number[] | null;
  /** Whether the filters of files can be asked, too. */
  readonly asksFiles: boolean;
  /** Blob ids of private texts that were read. */
  readonly sealed = new Set<string>();
  private readonly repository: Repository;
  private readonly query: LearnedQuery;
  private readonly needle: Buffer | null;
  /** Blob id → occurrences; a version is the older one of one commit and the newer one of another. */
  private readonly counts = new Map<string, number>();
  /** The last versions that were read, for the same reason. */
  private readonly blobs = new Map<string, Buffer>();

  constructor(repository: Repository, query: LearnedQuery) {
    this.repository = repository;
    this.query = query;
    const { what } = query;
    this.needle = typeof what === 'string' ? Buffer.from(what) : null;
    const required = typeof what === 'string' ? what : what.ignoresCase ? '' : requiredText(what.source);
    this.runs = runsOfNeedle(Buffer.from(required));
    this.asksFiles = isLongEnough(Buffer.byteLength(required));
  }

  /** Reads one side of a change; a submodule is the line that git shows for it. */
  read(side: TreeDifference['before']): Buffer {
    if (side === null) return nothing;
    if (side.mode === '160000') return Buffer.from(`Subproject commit ${side.oid}\n`);
    const { oid } = side;
    const read = () => {
      const stored = this.repository.objects.readBlob(oid);
      if (isSealed(stored)) this.sealed.add(oid);
      return this.query.plain?.(stored) ?? stored;
    };
    return keptIn(this.blobs, oid, read, 64);
  }

  /** Lists the files of a commit in which the text came or went; `files` tells where it may have. */
  entriesOf(catalogue: HistoryCatalogue, number: number, files: FileFilters | undefined): LearnedEntry[] {
    const { path } = this.query;
    const all = catalogue.changesAt(number);
    const changes =
      path === undefined ? all : all.filter((change) => change.path === path || change.path.startsWith(`${path}/`));
    const found = this.candidates(all, this.pairsOf(changes), files).flatMap((pair) => {
      const counts = catalogue.damage.passed(() => this.compare(pair), catalogue.oidAt(number), pair.path);
      return counts === null ? [] : [{ pair, ...counts }];
    });
    if (found.length === 0) return [];
    const { subject, trailers } = parseMessage(catalogue.messageAt(number));
    const oid = catalogue.oidAt(number);
    const time = formatSeconds(catalogue.shownTimeAt(number));
    const operation = trailers.find(({ key }) => key === 'Operation')?.value ?? null;
    const isBoundary = catalogue.isBoundary(oid);
    return found.map(({ pair, before, after }) => ({
      oid,
      time,
      operation,
      subject,
      path: pair.path,
      ...defined({ renamedFrom: pair.renamedFrom }),
      before,
      after,
      ...(isBoundary ? { boundary: true } : {}),
    }));
  }

  /** Leaves out the pairs where neither side can have gained or lost the text. */
  private candidates(
    changes: readonly TreeDifference[],
    pairs: readonly Pair[],
    files: FileFilters | undefined,
  ): readonly Pair[] {
    if (files === undefined) return pairs;
    const wanted = new Set<string>();
    for (const [place, { path }] of changes.entries()) if (files.mayHold(place, this.runs!)) wanted.add(path);
    return pairs.filter(
      ({ path, renamedFrom }) => wanted.has(path) || (renamedFrom !== undefined && wanted.has(renamedFrom)),
    );
  }

  /** Counts occurrences on both sides; `null` where nothing came or went. */
  private compare(pair: Pair): { before: number; after: number } | null {
    if (pair.before?.oid === pair.after?.oid) return null;
    const { what } = this.query;
    if (typeof what === 'string') {
      const [before, after] = [this.count(pair.before), this.count(pair.after)];
      return before === after ? null : { before, after };
    }
    const [left, right] = [this.read(pair.before), this.read(pair.after)];
    if (isBinary(left) || isBinary(right)) return null;
    const hasMatch = changedStretches(left, right).some(({ bytes, start, end }) =>
      splitLines(bytes.toString('utf8', start, end)).some((line) => what.pattern.test(line)),
    );
    return hasMatch ? { before: this.count(pair.before), after: this.count(pair.after) } : null;
  }

  private count(side: TreeDifference['before']): number {
    if (side === null) return 0;
    return keptIn(this.counts, side.oid, () => {
      const { what } = this.query;
      const bytes = this.read(side);
      return typeof what === 'string' ? occurrences(bytes, this.needle!) : what.pattern.count(bytes.toString('utf8'));
    });
  }

  /** Joins a removed file with the added one that it became, as `git log` does, so that moving text is not learning it. */
  private pairsOf(changes: readonly TreeDifference[]): readonly Pair[] {
    const added = changes.filter(({ before, after }) => before === null && after !== null);
    const removedCount = changes.filter(({ after }) => after === null).length;
    if (added.length === 0 || removedCount === 0) return changes;
    const isFeasible = added.length * removedCount <= maxRenamePairs;
    const pairs = new Map<string, Pair>(changes.map((change) => [change.path, change]));
    for (const { path, after } of added) {
      const source = isFeasible
        ? findRename(this.repository.objects, changes, path)
        : changes.find((change) => change.after === null && change.before?.oid === after!.oid);
      const before = source && changes.find((change) => change.path === source.path)!.before;
      if (!source || !before) continue;
      pairs.delete(source.path);
      pairs.set(path, { path, before, after, renamedFrom: source.path });
    }
    return [...pairs.values()];
  }
}

/** Counts occurrences that do not overlap. */
function occurrences(bytes: Buffer, needle: Buffer): number {
  let count = 0;
  for (let place = bytes.indexOf(needle); place >= 0; place = bytes.indexOf(needle, place + needle.length)) count += 1;
  return count;
}

// A text that whatever matches a pattern must contain, so that texts without it need not be looked at.

/** The characters that mean something in RE2 syntax. */
const special = /[\\^$.|?*+()[\]{}]/;

/**
 * Gives the longest plain text of a pattern outside groups, classes and choices; empty when it has none.
 *
 * `we decided to (ship|wait)` needs `we decided to `. Says nothing about patterns that leave case out of account.
 */
function requiredText(source: string): string {
  if (source.includes('|')) return '';
  let best = '';
  let text = '';
  const end = () => {
    if (text.length > best.length) best = text;
    text = '';
  };
  for (let place = 0; place < source.length; place++) {
    const character = source[place]!;
    const next = source[place + 1] ?? '';
    if (!special.test(character)) text += character;
    else if (character === '\\' && special.test(next)) {
      text += next;
      place += 1;
    } else if ('+.^$'.includes(character)) end();
    else if ('?*{'.includes(character)) {
      // What it repeats may be absent.
      text = [...text].slice(0, -1).join('');
      end();
      if (character === '{') place = Math.max(place, source.indexOf('}', place));
    } else {
      // A group, a class or an escape of letters: what follows may be part of it.
      break;
    }
  }
  end();
  return best;
}
