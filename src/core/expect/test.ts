// Judges a state by expectations. Each question is put once to the state of its day, and what is wrong is traced to where it comes from.
//
//   expect/*.yaml ──► expectations ──► ask ──► judge ──► failures ──► commit and turn of a wrong line
//                                       │
//              one view for each pair of a state and a day, and each question once

import { defined, MemoryError } from '../../base/errors.ts';
import type {
  ExpectationProblem,
  ExpectationResult,
  ExpectationSource,
  TestOptions,
} from '../../base/types/expect-types.ts';
import { nearestWord, withGuess } from '../../store/records/nearest-word.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { type AskedView, ask, type Shown, type ShownPart, turnsOf } from './ask.ts';
import { type Expectation, expectFolder, isExpectationPath, parseExpectations } from './expectation.ts';
import { type Fault, judge } from './judge.ts';
import { type Matcher, shownText } from './matcher.ts';

/** A state as expectations ask it. */
export interface AskedState {
  /** Gives the state, or that of another day or revision, as it answers on a day. Throws INVALID_DATE, NOT_FOUND. */
  viewFor(when: Pick<Expectation, 'asOf' | 'on'>): AskedView;
}

/** The expectations of a state, as far as they can be used. */
export interface ExpectationSet {
  readonly expectations: readonly Expectation[];
  readonly problems: readonly ExpectationProblem[];
}

const mostSources = 3;

/** Reads the expectations of a state, in order of file and line. A name counts once: one that stands twice is a problem. */
export async function expectationsOf(snapshot: Snapshot): Promise<ExpectationSet> {
  const paths = [...snapshot.list(expectFolder).keys()].filter(isExpectationPath).sort();
  const expectations: Expectation[] = [];
  const problems: ExpectationProblem[] = [];
  const known = new Map<string, Expectation>();
  for (const path of paths) {
    const read = await parseExpectations(snapshot.textIfWhole(path) ?? '', path);
    problems.push(...read.problems);
    for (const expectation of read.expectations) {
      const same = known.get(expectation.name);
      if (same === undefined) {
        known.set(expectation.name, expectation);
        expectations.push(expectation);
      } else {
        const why = `"${expectation.name}" stands in ${same.path}, line ${same.line}, too`;
        problems.push({ path, line: expectation.line, why, hint: 'Give one of the two another name' });
      }
    }
  }
  return { expectations, problems };
}

/** Leaves those of some names, or of some files. Throws NOT_FOUND, with what was probably meant. */
export function chosen({ expectations, problems }: ExpectationSet, names: TestOptions['names']): ExpectationSet {
  if (names === undefined || names.length === 0) return { expectations, problems };
  const wanted = new Set<Expectation>();
  const wrong = new Set<ExpectationProblem>();
  for (const name of names) {
    const isMeant = ({ path }: { readonly path: string }) =>
      path === name || [`${expectFolder}${name}`, `${expectFolder}${name}.yaml`].includes(path);
    const found = expectations.filter((one) => one.name === name || isMeant(one));
    const broken = problems.filter((one) => one.name === name || isMeant(one));
    for (const one of found) wanted.add(one);
    for (const one of broken) wrong.add(one);
    if (found.length + broken.length > 0) continue;
    const guess = nearestWord(
      name,
      expectations.map((one) => one.name),
    );
    const hint = withGuess(guess, '`git memory test --all` lists them; they stand in expect/*.yaml');
    throw new MemoryError('NOT_FOUND', `no expectation is called ${name}`, { where: 'names', hint });
  }
  return {
    expectations: expectations.filter((one) => wanted.has(one)),
    problems: problems.filter((one) => wrong.has(one)),
  };
}

/** Judges a state; what cannot be asked is a failure of its own. Throws the reason of an abort. */
export async function judgeState(
  state: AskedState,
  expectations: readonly Expectation[],
  { onProgress, signal }: Pick<TestOptions, 'onProgress' | 'signal'> = {},
): Promise<ExpectationResult[]> {
  const asked = new Map<string, Shown>();
  const results: ExpectationResult[] = [];
  for (const expectation of expectations) {
    signal?.throwIfAborted();
    results.push(await judgeOne(state, expectation, asked));
    onProgress?.({ done: results.length, total: expectations.length });
  }
  return results;
}

/** Lists expectations that held before a change and do not hold after it. */
export async function brokenBetween(
  { expectations }: ExpectationSet,
  before: AskedState,
  after: AskedState,
): Promise<ExpectationResult[]> {
  const failed = (await judgeState(after, expectations)).filter(({ holds }) => !holds);
  const names = new Set(failed.map(({ name }) => name));
  // What failed before is nobody's fault now.
  const was = await judgeState(
    before,
    expectations.filter(({ name }) => names.has(name)),
  );
  const held = new Set(was.filter(({ holds }) => holds).map(({ name }) => name));
  return failed.filter(({ name }) => held.has(name));
}

async function judgeOne(
  state: AskedState,
  expectation: Expectation,
  asked: Map<string, Shown>,
): Promise<ExpectationResult> {
  const { name, path, line, note } = expectation;
  const told = { name, path, line, ask: expectation.ask, asked: inWords(expectation), ...defined({ note }) };
  try {
    const view = state.viewFor(expectation);
    const { ask: kind, words, isShared, session, limit, tokens, on, asOf } = expectation;
    const key = JSON.stringify([kind, words, isShared, session, limit, tokens, on, asOf]);
    const shown = asked.get(key) ?? (await ask(view, expectation));
    asked.set(key, shown);
    const failures = await Promise.all(
      judge(expectation, shown).map(async ({ wrong, ...fault }: Fault) => {
        const from = wrong === undefined ? [] : await sourcesOf(view, shown, wrong);
        return from.length === 0 ? fault : { ...fault, from };
      }),
    );
    return { ...told, holds: failures.length === 0, failures };
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return { ...told, holds: false, failures: [{ kind: 'failed', wanted: 'an answer', found: [error.message] }] };
  }
}

/** Finds the parts of an answer that say what must not be said. */
async function sourcesOf(view: AskedView, { parts }: Shown, wrong: Matcher): Promise<ExpectationSource[]> {
  const sources = new Map<string, ExpectationSource>();
  for (const part of parts) {
    if (sources.size >= mostSources) break;
    const { path, id } = part;
    if (sources.has(path)) continue;
    try {
      const record = id === undefined ? undefined : await view.get(id);
      const said =
        part.text ??
        (record === undefined ? await wordsAt(view, part) : `${record.statement ?? ''}\n${record.content}`);
      if (!wrong.test(shownText(said))) continue;
      const { commits } = part.commit === undefined ? await view.log({ path, limit: 1 }) : { commits: [] };
      const commit = part.commit === undefined ? (commits[0]?.oid ?? null) : part.commit;
      const turns = part.turns.length > 0 ? part.turns : turnsOf(record?.sources);
      sources.set(path, { path, ...(id === undefined ? {} : { id }), commit, turns });
    } catch (error) {
      // What nobody finds any more is no help; the failure stands without it.
      if (!(error instanceof MemoryError)) throw error;
    }
  }
  return [...sources.values()];
}

/** The words of a part that is a file, or a turn of one: what follows the heading of that turn. */
async function wordsAt(view: AskedView, { path, turns }: ShownPart): Promise<string> {
  const text = await view.read(path);
  const number = Number(turns[0]?.split('#')[1]);
  if (!Number.isInteger(number)) return text;
  return text.split(/^(?=## \d)/m)[number] ?? text;
}

function inWords({ ask: kind, words, on, asOf, isShared, tokens, limit }: Expectation): string {
  return [
    [kind.replace('_', '-'), ...(words === '' ? [] : [JSON.stringify(words)])].join(' '),
    ...(on === undefined ? [] : [`on ${on}`]),
    ...(asOf === undefined ? [] : [`as of ${asOf}`]),
    ...(isShared ? ['with others'] : []),
    ...(tokens === undefined ? [] : [`within ${tokens} tokens`]),
    ...(limit === undefined ? [] : [`${limit} hits`]),
  ].join(', ');
}
