// What a memory must and must not say, judged: a state by the expectations of the present, and a change by what it broke.

import { packageVersion } from '../adapters/package.ts';
import { attempt, MemoryError } from '../base/errors.ts';
import { parseTime } from '../base/time.ts';
import type { CompareResult, ExpectationResult, Judged, TestOptions, TestResult } from '../base/types.ts';
import type { AskedView } from '../core/expect/ask.ts';
import { type Expectation, expectFolder } from '../core/expect/expectation.ts';
import type { AskedState } from '../core/expect/test.ts';
import { Searcher } from '../core/recall/searcher.ts';
import { parseMoment } from '../language/index.ts';
import { CacheFile } from '../store/cache-file.ts';
import type { Snapshot } from '../store/snapshot.ts';
import type { WholeBranch } from './branch.ts';
import { eachVerb } from './compose.ts';
import type { LogState } from './log-questions.ts';
import { type SharedSources, type State, stateAt } from './state.ts';

const testing = () => import('../core/expect/test.ts');

/** Makes the questions to a state; a view does. */
export type QuestionsOf = (state: LogState) => AskedView;

/** Gives a snapshot as it answers at a time. */
export function frozen(
  shared: SharedSources,
  snapshot: Snapshot,
  now: number,
  searcher = new Searcher(shared, false),
): LogState {
  return {
    shared,
    current: () => snapshot,
    searcher: () => searcher,
    now: () => now,
    asItLies: () => ({ snapshot }),
    agents: () => snapshot.readText('AGENTS.md'),
  };
}

/** Gives a state as expectations ask it: each pair of a state and a day is opened once. */
function askedState(state: State, questionsOf: QuestionsOf): AskedState {
  const { shared } = state;
  const [present, now] = [state.current(), state.now()];
  const views = new Map<string, AskedView>();
  const searchers = new Map<string, Searcher>();
  const open = ({ asOf, on }: Pick<Expectation, 'asOf' | 'on'>): AskedView => {
    const snapshot = asOf === undefined ? present : stateAt(shared, asOf);
    const time = asOf === undefined ? now : timeOf(shared, snapshot);
    if (asOf !== undefined && !searchers.has(snapshot.version))
      searchers.set(snapshot.version, new Searcher(shared, false));
    const searcher = asOf === undefined ? state.searcher() : searchers.get(snapshot.version)!;
    const day = on === undefined ? time : momentOf(on, time, shared.configurationOf(snapshot).timezone);
    return questionsOf(frozen(shared, snapshot, day, searcher));
  };
  return {
    viewFor(when) {
      const key = JSON.stringify([when.asOf, when.on]);
      const view = views.get(key) ?? open(when);
      views.set(key, view);
      return view;
    },
  };
}

/** A day is asked at its middle. Throws INVALID_DATE. */
function momentOf(on: string, now: number, timeZone: string): number {
  const stretch = parseMoment(on.trim(), { now, timeZone });
  return stretch === null ? parseTime(on, 'on') : Math.floor((stretch.start + stretch.end) / 2);
}

/** Gives an expectation of the present as it is judged at commits, and words that may have come or gone with it. Throws NOT_FOUND. */
export async function expectationAt(
  shared: SharedSources,
  questionsOf: QuestionsOf,
  name: string,
): Promise<{ readonly touches: readonly string[]; holdsAt(commit: string): Promise<boolean> }> {
  const { chosen, expectationsOf, judgeState } = await testing();
  const { expectations } = chosen(await expectationsOf(shared.expectations()), [name]);
  const [expectation] = expectations;
  if (expectation === undefined || expectations.length > 1) {
    throw new MemoryError('NOT_FOUND', `${name} is a file, or cannot be read`, {
      where: 'expect',
      hint: 'Give the name of an expectation; `git memory test --all` lists them',
    });
  }
  const { must, mustNot, notCurrent } = expectation;
  const words = [...must, ...mustNot, ...notCurrent].map(({ source }) => source);
  return {
    touches: words.filter((source) => !source.startsWith('/')).slice(0, 3),
    async holdsAt(commit) {
      const snapshot = stateAt(shared, commit);
      const state = askedState(frozen(shared, snapshot, timeOf(shared, snapshot)), questionsOf);
      return (await judgeState(state, [expectation])).every(({ holds }) => holds);
    },
  };
}

/** Tells how many present expectations hold at two commits, and which at one alone; both are asked at the time of the later. */
export async function expectedOfBoth(
  shared: SharedSources,
  questionsOf: QuestionsOf,
  commits: readonly [string, string],
): Promise<CompareResult['expectations']> {
  const { expectationsOf, judgeState } = await testing();
  const { expectations } = await expectationsOf(shared.expectations());
  if (expectations.length === 0) return null;
  const states = commits.map((commit) => shared.at(commit));
  const now = Math.max(...states.map((state) => timeOf(shared, state)));
  const holding = async (state: Snapshot): Promise<string[]> => {
    const results = await judgeState(askedState(frozen(shared, state, now), questionsOf), expectations);
    return results.filter(({ holds }) => holds).map(({ name }) => name);
  };
  const [a, b] = [await holding(states[0]!), await holding(states[1]!)];
  return {
    total: expectations.length,
    a: a.length,
    b: b.length,
    onlyA: a.filter((name) => !b.includes(name)),
    onlyB: b.filter((name) => !a.includes(name)),
  };
}

function timeOf({ repository }: SharedSources, { commit }: Snapshot): number {
  return repository.objects.readCommit(commit!).committer.time * 1000;
}

interface Verdict {
  readonly version: string;
  readonly commit: string;
  /** When it was asked, in milliseconds since the Unix epoch. */
  readonly time: number;
  /** Names of those that held. */
  readonly held: readonly string[];
}

/** How the present was judged last on this machine, and by which version: a cache, by which an upgrade is found that broke something. */
function verdictsOf(shared: SharedSources) {
  const file = new CacheFile(shared.repository, 'expectations', 1);
  return {
    read: (): Verdict | undefined => {
      const payload = file.read().at(-1);
      return payload === undefined ? undefined : (JSON.parse(payload.toString('utf8')) as Verdict);
    },
    note: (verdict: Verdict): void => void file.replace([Buffer.from(JSON.stringify(verdict))]),
  };
}

/** Marks what another version of git-memory held for true in the same state, and this one does not. */
async function withUpgrade(
  shared: SharedSources,
  questionsOf: QuestionsOf,
  results: readonly ExpectationResult[],
  expectations: readonly Expectation[],
): Promise<readonly ExpectationResult[]> {
  const last = verdictsOf(shared).read();
  const failed = new Set(results.filter(({ holds }) => !holds).map(({ name }) => name));
  const suspects = expectations.filter(({ name }) => failed.has(name) && last?.held.includes(name) === true);
  const isGone = last === undefined || last.version === packageVersion() || !shared.repository.objects.has(last.commit);
  if (isGone || suspects.length === 0) return results;
  const { judgeState } = await testing();
  const then = askedState(frozen(shared, shared.at(last.commit), last.time), questionsOf);
  const broken = new Set((await judgeState(then, suspects)).filter(({ holds }) => !holds).map(({ name }) => name));
  return results.map((result) => (broken.has(result.name) ? { ...result, since: last.version } : result));
}

/** Judges a state. */
export function expectQuestions(state: State, questionsOf: QuestionsOf) {
  return {
    /**
     * Judges this state by the expectations of the present, the files `expect/*.yaml`. They say what is asked, on which day, and what the
     * answer must say and must not. What does not hold is a result, with the commit and the turn of a wrong line. A file that cannot be
     * read is a problem, and the others are judged. Writes nothing but a cache. Throws NOT_FOUND for a name that no expectation has.
     */
    async test(options: TestOptions = {}): Promise<TestResult> {
      const { chosen, expectationsOf, judgeState } = await testing();
      const { expectations, problems } = chosen(await expectationsOf(state.shared.expectations()), options.names);
      const { shared } = state;
      const [{ commit, version }, time] = [state.current(), state.now()];
      const judged = await judgeState(askedState(state, questionsOf), expectations, options);
      const isPresent = version === shared.present().version;
      const results = isPresent ? await withUpgrade(shared, questionsOf, judged, expectations) : judged;
      if (isPresent && commit !== null && options.names === undefined && results.length > 0) {
        // What a version broke stays named until it holds again.
        const held = results.filter(({ holds, since }) => holds || since !== undefined).map(({ name }) => name);
        const by = results.find(({ since }) => since !== undefined)?.since ?? packageVersion();
        verdictsOf(shared).note({ version: by, commit, time, held });
      }
      return { commit, total: results.length, failed: results.filter(({ holds }) => !holds).length, results, problems };
    },
  };
}

/** Lists expectations that hold in one state and do not in another, both asked at a time; without files of them, none. */
export async function brokenIn(
  shared: SharedSources,
  questionsOf: QuestionsOf,
  [before, after]: readonly [Snapshot, Snapshot],
  files: Snapshot,
  now: number,
): Promise<readonly ExpectationResult[]> {
  if (files.list(expectFolder).size === 0) return [];
  const { brokenBetween, expectationsOf } = await testing();
  const asked = (snapshot: Snapshot) => askedState(frozen(shared, snapshot, now), questionsOf);
  return brokenBetween(await expectationsOf(files), asked(before), asked(after));
}

/** What looks after a memory looks, too, what another version of git-memory made of it. */
const upkeep: ReadonlySet<string> = new Set(['maintenance.run', 'maintenance.night']);

/** Lists expectations that an upgrade broke since this machine judged the present last; asks nothing where none came between. */
async function brokenByUpgrade(
  shared: SharedSources,
  questionsOf: QuestionsOf,
  snapshot: Snapshot,
  now: number,
): Promise<readonly ExpectationResult[]> {
  const last = verdictsOf(shared).read();
  if (last === undefined || last.version === packageVersion()) return [];
  const { results } = await expectQuestions(frozen(shared, snapshot, now), questionsOf).test();
  return results.filter(({ since }) => since !== undefined);
}

interface Before {
  readonly tip: string;
  readonly snapshot: Snapshot;
}

/** The state before a change; null where there is none, or where it cannot be read: the verb meets the same, and answers it. */
function stateOf(store: WholeBranch['store']): Before | null {
  return attempt(() => {
    const tip = store.tip();
    return tip === null ? null : { tip, snapshot: store.snapshot() };
  }, null);
}

/** Lets verbs that change a memory say which expectations they broke: held before, not after, both asked now. Without any it costs one look. */
export function judgingChanges<Verbs extends object>(
  { store, shared, clock }: Pick<WholeBranch, 'store' | 'shared' | 'clock'>,
  questionsOf: QuestionsOf,
  verbs: Verbs,
): Verbs {
  const brokenBy = async (name: string, before: Before): Promise<readonly ExpectationResult[]> => {
    const files = shared.expectations();
    if (files.list(expectFolder).size === 0) return [];
    const upgraded = upkeep.has(name) ? await brokenByUpgrade(shared, questionsOf, store.snapshot(), clock.now()) : [];
    const states = [before.snapshot, store.snapshot()] as const;
    const changed = store.tip() === before.tip ? [] : await brokenIn(shared, questionsOf, states, files, clock.now());
    const known = new Set(upgraded.map((one) => one.name));
    return [...upgraded, ...changed.filter((one) => !known.has(one.name))];
  };
  return eachVerb(verbs, (name, verb) => async (...given): Promise<Judged> => {
    const before = stateOf(store);
    const result = (await verb(...given)) as Judged;
    if (before === null) return result;
    try {
      const broke = await brokenBy(name, before);
      return broke.length === 0 ? result : { ...result, broke };
    } catch {
      // The change stands and was promised. What cannot be judged now is named by the next `git memory test`.
      return result;
    }
  });
}
