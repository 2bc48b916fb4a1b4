// Merges and reverts in the repositories of git's own test suite, against the answers of native git 2.47. Native git says where it sees
// renames, which a merge of ours does not look for. GIT_SUITE_FULL takes all cases.

import { afterAll, describe, expect, test } from 'vitest';
import { type Memory, openMemory } from '../../src/memory.ts';
import { git } from '../helpers/native-git.ts';
import { Suite, suiteAnswers, suiteIsPresent, suiteNote } from './git-suite.ts';

interface Answer {
  readonly repo: string;
  readonly clean: boolean;
  readonly tree: string | null;
  readonly conflicts: readonly string[];
}
interface MergeCase extends Answer {
  readonly ours: string;
  readonly theirs: string;
  readonly bases: readonly string[];
}
interface RevertCase extends Answer {
  readonly revert: string;
  readonly onto: string;
}

/** What native git settles by a rename inside the base it makes of two, where a look at the tips shows none. */
const renamesInBases = ['t6416-recursive-corner-cases__rename-modify'];
/** Renames that git 2.47 sees and an older one does not. */
const renamesSeenLater = ['b0865a0174a2fccd0ef6d66883008348d6b4e259'];
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** A part of the cases, every n-th; all of them with GIT_SUITE_FULL. */
function chosen<T>(cases: readonly T[], every: number): T[] {
  return cases.filter((_, position) => process.env.GIT_SUITE_FULL !== undefined || position % every === 0);
}

interface Outcome {
  readonly tree: string | null;
  readonly conflicts: readonly string[];
}

interface Tally {
  compared: number;
  renamed: number;
  readonly wrong: unknown[];
}

function judge(tally: Tally, answer: Answer, outcome: Outcome, isRenamed: () => boolean): void {
  const isSame = answer.clean
    ? outcome.conflicts.length === 0 && outcome.tree === answer.tree
    : outcome.tree === null && [...outcome.conflicts].sort().join('\n') === [...answer.conflicts].sort().join('\n');
  if (isSame) tally.compared += 1;
  else if (isRenamed()) tally.renamed += 1;
  else tally.wrong.push({ ...answer, outcome });
}

describe.skipIf(!suiteIsPresent)(`the repositories of git's test suite${suiteNote}`, () => {
  const suite = new Suite();
  const memories = new Map<string, Memory>();
  afterAll(async () => {
    for (const memory of memories.values()) await memory.close();
  });

  async function open(repo: string): Promise<Memory> {
    const dir = suite.folderOf(repo);
    const memory = memories.get(repo) ?? (await openMemory({ dir, readOnly: true, anyRepository: true }));
    memories.set(repo, memory);
    return memory;
  }

  function hasRenames(repo: string, pairs: readonly (readonly [string, string])[]): boolean {
    const folder = suite.folderOf(repo);
    return pairs.some(([from, to]) => /^R/m.test(git(folder, 'diff-tree', '-r', '-M', '--name-status', from, to)));
  }

  /** The cases of one file; attributes change how git merges, and the engine does not read them. */
  function cases<T extends Answer>(name: string, every: number): T[] {
    const index = suiteAnswers<{ repo: string; has_gitattributes: boolean }>('index.jsonl');
    const left = new Set(index.filter((entry) => entry.has_gitattributes).map(({ repo }) => repo));
    return chosen(
      suiteAnswers<T>(name).filter(({ repo }) => !left.has(repo)),
      every,
    );
  }

  test('merge as native git merges them, where nothing was renamed', async () => {
    const tally: Tally = { compared: 0, renamed: 0, wrong: [] };
    const all = cases<MergeCase>('merges.jsonl', 5);
    for (const one of all) {
      const outcome = await (await open(one.repo)).merge(one.theirs, { into: one.ours, dryRun: true });
      expect([one.repo, outcome.bases]).toEqual([one.repo, one.bases]);
      judge(tally, one, outcome, () => {
        const sides = one.bases.flatMap((base) => [[base, one.ours] as const, [base, one.theirs] as const]);
        return renamesInBases.includes(one.repo) || hasRenames(one.repo, sides);
      });
    }
    expect(tally.wrong).toEqual([]);
    expect(tally.compared).toBeGreaterThan(all.length * 0.85);
  }, 600_000);

  test('undo as native git reverts, where nothing was renamed', async () => {
    const tally: Tally = { compared: 0, renamed: 0, wrong: [] };
    const all = cases<RevertCase>('reverts.jsonl', 4);
    for (const one of all) {
      const outcome = await (await open(one.repo)).undo(one.revert, { onto: one.onto, dryRun: true });
      judge(tally, one, outcome, () => {
        const [parent = emptyTree] = git(suite.folderOf(one.repo), 'rev-list', '--parents', '-1', one.revert)
          .trim()
          .split(' ')
          .slice(1);
        const sides = [[one.revert, one.onto] as const, [one.revert, parent] as const];
        return renamesSeenLater.includes(one.revert) || hasRenames(one.repo, sides);
      });
    }
    expect(tally.wrong).toEqual([]);
    expect(tally.compared).toBeGreaterThan(all.length * 0.85);
  }, 600_000);
});
