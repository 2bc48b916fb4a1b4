// Merges and reverts in the repositories of git's own test suite, against the answers of native git 2.47. GIT_SUITE_FULL takes all cases.

import { afterAll, describe, expect, test } from 'vitest';
import { type Memory, openMemory } from '../../src/memory.ts';
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

/** What differs from native git 2.47 and stays so, by repository and first letters of the commit that is merged or reverted. */
const known: Readonly<Record<string, string>> = {
  // One file was renamed, and the other side put its old content in the new place and changed what was left. Git takes the new place for
  // settled, since both sides have the same there, and so drops the change or the other file. A conflict here.
  't6422-merge-rename-corner-cases__break-detection-3 424023f7': 'git drops a change',
  't6422-merge-rename-corner-cases__break-detection-3 7a8ac38e': 'git drops a change',
  't6416-recursive-corner-cases__basic-rename 6592516d': 'git drops a change',
  't6416-recursive-corner-cases__basic-rename bd994456': 'git drops a change',
  't6416-recursive-corner-cases__rename-modify edf7b548': 'git drops a change',
  // Git says that the merge is not clean and names no path; here the file is named that cannot follow its folder.
  't6423-merge-rename-directories__2a db43152d': 'files that cannot follow their folder are named',
  't6423-merge-rename-directories__5a 2a8bd7da': 'files that cannot follow their folder are named',
  't6423-merge-rename-directories__9e e5547dea': 'files that cannot follow their folder are named',
  // Several files have the very content that was renamed; git takes the first of a hash table.
  't6409-merge-subtree__git c9333beb': 'a choice among equals',
  't6430-merge-recursive 7e1ee82e': 'a choice among equals',
  // Answered with merge.directoryRenames=true in these three; by git's default they are conflicts at this path.
  't6429-merge-sequence-rename-caching__dir-rename-unneeded-until-file-moved-inside c5454142': 'another setting',
  't6429-merge-sequence-rename-caching__dir-rename-unneeded-until-new-file c5454142': 'another setting',
  't6429-merge-sequence-rename-caching__rename-rename-1to1-then-add-file-to-old-dir 19abd358': 'another setting',
};

/** A part of the cases, every n-th; all of them with GIT_SUITE_FULL. */
function chosen<T>(cases: readonly T[], every: number): T[] {
  return cases.filter((_, position) => process.env.GIT_SUITE_FULL !== undefined || position % every === 0);
}

interface Outcome {
  readonly tree: string | null;
  readonly conflicts: readonly string[];
}

/** Judges the outcomes of all cases: each as git's, or known to differ, and never clean where git finds a conflict. */
class Tally {
  private readonly conflicting: boolean[] = [];
  private readonly wrong: unknown[] = [];

  judge(answer: Answer, commit: string, outcome: Outcome): void {
    const isSame = answer.clean
      ? outcome.conflicts.length === 0 && outcome.tree === answer.tree
      : outcome.tree === null && [...outcome.conflicts].sort().join('\n') === [...answer.conflicts].sort().join('\n');
    if (!answer.clean) this.conflicting.push(isSame);
    const isMissed = !answer.clean && outcome.conflicts.length === 0;
    const isKnown = `${answer.repo} ${commit.slice(0, 8)}` in known;
    if (isMissed || !(isSame || isKnown)) this.wrong.push({ ...answer, commit, outcome });
  }

  expectAgreement(): void {
    expect(this.wrong).toEqual([]);
    expect(this.conflicting.filter(Boolean).length).toBeGreaterThanOrEqual(this.conflicting.length * 0.98);
  }
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

  /** The cases of one file; attributes change how git merges, and the engine does not read them. */
  function cases<T extends Answer>(name: string, every: number): T[] {
    const index = suiteAnswers<{ repo: string; has_gitattributes: boolean }>('index.jsonl');
    const left = new Set(index.filter((entry) => entry.has_gitattributes).map(({ repo }) => repo));
    return chosen(
      suiteAnswers<T>(name).filter(({ repo }) => !left.has(repo)),
      every,
    );
  }

  test('merge as native git merges them', async () => {
    const tally = new Tally();
    for (const one of cases<MergeCase>('merges.jsonl', 5)) {
      const outcome = await (await open(one.repo)).merge(one.theirs, { into: one.ours, dryRun: true });
      expect([one.repo, outcome.bases]).toEqual([one.repo, one.bases]);
      tally.judge(one, one.theirs, outcome);
    }
    tally.expectAgreement();
  }, 600_000);

  test('undo as native git reverts', async () => {
    const tally = new Tally();
    for (const one of cases<RevertCase>('reverts.jsonl', 4)) {
      const outcome = await (await open(one.repo)).undo(one.revert, { onto: one.onto, dryRun: true });
      tally.judge(one, one.revert, outcome);
    }
    tally.expectAgreement();
  }, 600_000);
});
