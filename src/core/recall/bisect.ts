// When a question stopped finding what it should: views of the first-parent history, searched by halves.

import { MemoryError } from '../../base/errors.ts';
import { singleSpaced } from '../../base/text.ts';
import { formatSeconds } from '../../base/time.ts';
import type {
  BisectOptions,
  BisectResult,
  BisectStep,
  RecallHit,
  RecallOptions,
  RecallResult,
  TimeInput,
} from '../../base/types.ts';
import { type HistoryCatalogue, historyOf, learnedOf, logOf } from '../../history/index.ts';
import type { Repository } from '../../store/git/repository.ts';
import { parseMessage } from '../../store/guard/message.ts';
import { memoryPath } from '../../store/records/memory-record.ts';

interface AskedView {
  recall(query: string, options: RecallOptions): Promise<RecallResult>;
  read(path: string): Promise<string>;
}

interface BisectLine {
  readonly repository: Repository;
  /** The newest commit of the branch; `null` before the first. */
  readonly tip: string | null;
  stateOf(revision: TimeInput): string | null;
}

interface BisectPlace extends BisectLine {
  at(commit: string): Promise<AskedView>;
}

const maxTouches = 24;
const defaultLimit = 10;

/** Finds since when a question does not find something; see `Memory.bisect`. */
export async function bisectRecall(place: BisectPlace, query: string, options: BisectOptions): Promise<BisectResult> {
  const { finds, good, limit = defaultLimit } = options ?? {};
  for (const [name, value] of Object.entries({ query, finds })) {
    if (typeof value === 'string' && value.trim() !== '') continue;
    const [what, hint] =
      name === 'query'
        ? ['a question', 'Ask as you would ask recall']
        : ['what it should find', 'Name an id, a path or words of the hit: --finds WORDS (`finds` in the library)'];
    throw new MemoryError('INVALID_ARGUMENT', `bisect needs ${what}`, { where: name, hint });
  }
  const isFound = async (commit: string): Promise<boolean> => {
    const view = await place.at(commit);
    const { hits } = await view.recall(query, { limit });
    return holds(hits, finds, (path) => view.read(path));
  };
  return bisectBy(place, isFound, { ...options, query, touches: [finds], good });
}

/** Finds since when something is not so any more; `touches` are words, ids or paths: commits that touched them are looked at first. */
export async function bisectBy(
  { repository, tip, stateOf }: BisectLine,
  isFound: (commit: string) => Promise<boolean>,
  {
    query,
    touches,
    good,
    onProgress,
    signal,
  }: Pick<BisectOptions, 'onProgress' | 'signal'> & {
    readonly query: string;
    readonly touches: readonly string[];
    readonly good: TimeInput | undefined;
  },
): Promise<BisectResult> {
  if (tip === null) return { query, found: false, lost: null, lastFound: null, tested: 0, commits: 0, flips: 0 };
  const goodCommit = good === undefined ? undefined : stateOf(good);
  if (goodCommit === null) throw new MemoryError('NOT_FOUND', 'the branch had no commit by then', { where: 'good' });
  const catalogue = historyOf(repository);
  const result = await bisect({
    ...{ catalogue, tip, good: goodCommit, onProgress, signal, isFound },
    hints: goodCommit === undefined ? touches.flatMap((words) => touchesOf(repository, tip, words, maxTouches)) : [],
  });
  catalogue.save();
  return { query, ...result };
}

interface Search {
  readonly catalogue: HistoryCatalogue;
  readonly tip: string;
  /** A commit at which it was found, as far as the caller knows. */
  readonly good: string | undefined;
  /** Commits that touched what is to be found: it may have been found there, or just before. */
  readonly hints: readonly string[];
  /** Asks the view of a commit whether the question finds it there. */
  readonly isFound: (commit: string) => Promise<boolean>;
  readonly onProgress: BisectOptions['onProgress'];
  readonly signal: AbortSignal | undefined;
}

/** Probed hints at most, newest first: each costs a question. */
const maxHints = 24;

/**
 * Finds the newest step from found to not found that its views show.
 *
 * ```
 * tip   ·   ·   ·   ·   ·   ·   ·   ·      1  the tip: still found? then nothing was lost
 *  ✗   (✗)     (✗)         (✓)             2  going back, in steps that double and where hints point, until a view finds it
 *                   ✗   ✓                  3  halving between that view and the next newer one that does not
 * ```
 *
 * Where it came and went several times, this is one such step, the newest that was seen: `flips` says how many were. Throws NOT_FOUND for a
 * `good` commit that is not on the first-parent line.
 */
async function bisect(search: Search): Promise<Omit<BisectResult, 'query'>> {
  const { catalogue } = search;
  const line = firstParents(catalogue, search.tip);
  const tested = new Map<number, boolean>();
  const expectedTests = 2 * Math.ceil(Math.log2(line.length + 1)) + 1;
  const test = async (position: number): Promise<boolean> => {
    const known = tested.get(position);
    if (known !== undefined) return known;
    search.signal?.throwIfAborted();
    const isFound = await search.isFound(line[position]!);
    tested.set(position, isFound);
    search.onProgress?.({ done: tested.size, total: Math.max(expectedTests, tested.size) });
    return isFound;
  };
  const stepAt = (position: number): BisectStep => stepOf(catalogue, line[position]!);
  const answer = (lost: number | null) => {
    const order = [...tested].sort(([a], [b]) => b - a);
    const flips = order.filter(([, isFound], index) => !isFound && order[index - 1]?.[1] === true).length;
    return {
      found: tested.get(0) === true,
      lost: lost === null ? null : stepAt(lost),
      lastFound: lost === null ? null : stepAt(lost + 1),
      tested: tested.size,
      commits: line.length,
      flips,
    };
  };
  if (await test(0)) return answer(null);
  const firstGood = await findGood(search, line, test);
  if (firstGood === null) return answer(null);
  const newer = [...tested].filter(([position, isFound]) => !isFound && position < firstGood);
  let [good, bad] = [firstGood, Math.max(...newer.map(([position]) => position))];
  while (good - bad > 1) {
    const middle: number = (good + bad) >>> 1;
    if (await test(middle)) good = middle;
    else bad = middle;
  }
  return answer(bad);
}

async function findGood(
  { good, hints }: Search,
  line: readonly string[],
  test: (position: number) => Promise<boolean>,
): Promise<number | null> {
  if (good !== undefined) {
    const position = line.indexOf(good);
    if (position < 0) {
      throw new MemoryError('NOT_FOUND', `${good} is not on the first-parent line of this branch`, {
        where: 'good',
        hint: '`git memory log` lists the commits of the branch',
      });
    }
    return (await test(position)) ? position : null;
  }
  const places = new Map(line.map((oid, position) => [oid, position]));
  const candidates = new Set<number>();
  for (const oid of hints.slice(0, maxHints)) {
    const position = places.get(oid);
    // A hint may have brought it, or taken it away: then the commit before had it.
    if (position !== undefined) candidates.add(position).add(Math.min(position + 1, line.length - 1));
  }
  for (let step = 1; step < line.length; step *= 2) candidates.add(step);
  candidates.add(line.length - 1);
  for (const position of [...candidates].sort((a, b) => a - b)) if (await test(position)) return position;
  return null;
}

/** Lists the commits of the first-parent line, newest first. */
function firstParents(catalogue: HistoryCatalogue, tip: string): string[] {
  const line: string[] = [];
  for (let number: number | undefined = catalogue.numberOf(tip); number !== undefined; ) {
    line.push(catalogue.oidAt(number));
    number = catalogue.parentsAt(number)[0];
  }
  return line;
}

function stepOf(catalogue: HistoryCatalogue, oid: string): BisectStep {
  const { time, message } = catalogue.of(oid);
  const { subject, trailers } = parseMessage(message);
  const operation = trailers.find(({ key }) => key === 'Operation')?.value ?? null;
  return { oid, time: formatSeconds(time), operation, subject };
}

/** A shorter text is more likely a word than the beginning of an id. */
const minIdLength = 6;

/** Brings a text into the form in which it is compared: case and white space do not count. */
const folded = (text: string): string => singleSpaced(text).trim().toLowerCase();

/**
 * Tells whether a hit is what was looked for: by its path, its id, the beginning of one, or words of what it found.
 *
 * `read` gives the whole file of a hit in its view.
 */
async function holds(
  hits: readonly RecallHit[],
  wanted: string,
  read: (path: string) => Promise<string>,
): Promise<boolean> {
  const isName = (id: string) => id === wanted || (wanted.length >= minIdLength && id.startsWith(wanted));
  if (hits.some((hit) => hit.path === wanted || (hit.id !== undefined && isName(hit.id)))) return true;
  const words = folded(wanted);
  for (const hit of hits) {
    if (folded(hit.snippet).includes(words) || folded(sectionAt(await read(hit.path), hit.line)).includes(words))
      return true;
  }
  return false;
}

/** The text from a line to the next heading: a section, or a turn. Of a record, which has none, it is all. */
function sectionAt(text: string, line: number): string {
  const lines = text.split('\n').slice(line - 1);
  const end = lines.findIndex((candidate, index) => index > 0 && candidate.startsWith('#'));
  return lines.slice(0, end < 0 ? lines.length : end).join('\n');
}

/** Lists commits that touched what is wanted, newest first: of the file of that path or id, or in which the text came or went. */
function touchesOf(repository: Repository, tip: string, wanted: string, limit: number): string[] {
  const isName = /^[\w./-]+$/.test(wanted);
  for (const path of isName ? [wanted, memoryPath(wanted)] : []) {
    const { commits } = logOf(repository, tip, { path, limit });
    if (commits.length > 0) return commits.map(({ oid }) => oid);
  }
  const { commits } = learnedOf(repository, tip, { what: wanted, limit });
  return [...new Set(commits.map(({ oid }) => oid))];
}
