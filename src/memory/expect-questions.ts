// What a memory must and must not say, judged: a state by the expectations of the present, and a change by what it broke.

import { parseMoment } from '../base/moment.ts';
import { parseTime } from '../base/time.ts';
import type { AskedView } from '../expect/ask.ts';
import { type Expectation, expectFolder } from '../expect/expectation.ts';
import type { AskedState } from '../expect/test.ts';
import { Searcher } from '../operations/searcher.ts';
import type { Snapshot } from '../store/snapshot.ts';
import type { Judged, TestOptions, TestResult } from '../types.ts';
import type { WholeBranch } from './branch.ts';
import type { LogState } from './log-questions.ts';
import { type SharedSources, type State, stateAt } from './state.ts';

const testing = () => import('../expect/test.ts');

/** Makes the questions to a state; a view does. */
export type QuestionsOf = (state: LogState) => AskedView;

/** Gives a snapshot as it answers at a time. */
function frozen(
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
export function askedState(state: State, questionsOf: QuestionsOf): AskedState {
  const { shared } = state;
  const [present, now] = [state.current(), state.now()];
  const views = new Map<string, AskedView>();
  const searchers = new Map<string, Searcher>();
  const open = ({ asOf, on }: Pick<Expectation, 'asOf' | 'on'>): AskedView => {
    const snapshot = asOf === undefined ? present : stateAt(shared, asOf);
    const time =
      asOf === undefined ? now : shared.repository.objects.readCommit(snapshot.commit!).committer.time * 1000;
    if (asOf !== undefined && !searchers.has(snapshot.version)) {
      searchers.set(snapshot.version, new Searcher(shared, false));
    }
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

/** Judges a state. */
export function expectQuestions(state: State, questionsOf: QuestionsOf) {
  return {
    /**
     * Judges this state by the expectations of the present, the files `expect/*.yaml`: what is asked, on which day, what the answer must say and
     * must not. What does not hold is a result, with the commit and the turn of a wrong line; a file that cannot be read is a problem, and the others
     * are judged. Writes nothing. Throws NOT_FOUND for a name that no expectation has.
     */
    async test(options: TestOptions = {}): Promise<TestResult> {
      const { chosen, expectationsOf, judgeState } = await testing();
      const { expectations, problems } = chosen(await expectationsOf(state.shared.expectations()), options.names);
      const results = await judgeState(askedState(state, questionsOf), expectations, options);
      return {
        commit: state.current().commit,
        total: results.length,
        failed: results.filter(({ holds }) => !holds).length,
        results,
        problems,
      };
    },
  };
}

type Changing = (...given: never[]) => Promise<Judged>;

/**
 * Lets verbs that change a memory say which expectations they broke: those that hold in the state before and not in the one after, both asked
 * now. Where there are no expectations, this costs a look at one folder.
 */
export function judgingChanges<Verbs extends Record<string, Changing>>(
  { store, shared, clock }: Pick<WholeBranch, 'store' | 'shared' | 'clock'>,
  questionsOf: QuestionsOf,
  verbs: Verbs,
): Verbs {
  const judged = Object.entries(verbs).map(([name, verb]) => [
    name,
    async (...given: never[]): Promise<Judged> => {
      const [tip, before] = [store.tip(), store.snapshot()];
      const result = await verb(...given);
      if (tip === null || store.tip() === tip) return result;
      const [state, files] = [store.snapshot(), shared.expectations()];
      if (files.list(expectFolder).size === 0) return result;
      const { brokenBetween, expectationsOf } = await testing();
      const now = clock.now();
      const asked = (snapshot: Snapshot) => askedState(frozen(shared, snapshot, now), questionsOf);
      const broke = await brokenBetween(await expectationsOf(files), asked(before), asked(state));
      return broke.length === 0 ? result : { ...result, broke };
    },
  ]);
  return Object.fromEntries(judged);
}
