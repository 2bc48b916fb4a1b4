// Merges and reverts in the repositories of git's own test suite, against the answers of native git 2.47, wherever no side renamed a file.
// GIT_SUITE_FULL takes all cases.

import { afterAll, describe, expect, test } from 'vitest';
import { type Memory, openMemory } from '../../src/memory/open-memory.ts';
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

/** A part of the cases, every n-th; all of them with GIT_SUITE_FULL. */
function chosen<T>(cases: readonly T[], every: number): T[] {
  return cases.filter((_, position) => process.env.GIT_SUITE_FULL !== undefined || position % every === 0);
}

interface Outcome {
  readonly tree: string | null;
  readonly conflicts: readonly string[];
}

/** Judges the outcomes of all cases: each as git's. */
class Tally {
  private readonly wrong: unknown[] = [];
  private count = 0;

  judge(answer: Answer, commit: string, outcome: Outcome): void {
    const isSame = answer.clean
      ? outcome.conflicts.length === 0 && outcome.tree === answer.tree
      : outcome.tree === null && [...outcome.conflicts].sort().join('\n') === [...answer.conflicts].sort().join('\n');
    this.count += 1;
    if (!isSame) this.wrong.push({ ...answer, commit, outcome });
  }

  expectAgreement(): void {
    expect(this.wrong).toEqual([]);
    expect(this.count).toBeGreaterThan(100);
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

  /** Whether a file may have been renamed between two commits: one went and one came. */
  function mayRename(repo: string, from: string, to: string): boolean {
    const changes = git(
      suite.folderOf(repo),
      'diff-tree',
      '-r',
      '--no-renames',
      '--diff-filter=AD',
      '--name-status',
      from,
      to,
    );
    return /^A/m.test(changes) && /^D/m.test(changes);
  }

  test('merge as native git merges them', async () => {
    const tally = new Tally();
    for (const one of cases<MergeCase>('merges.jsonl', 5)) {
      const outcome = await (await open(one.repo)).merge(one.theirs, { into: one.ours, dryRun: true });
      expect([one.repo, outcome.bases]).toEqual([one.repo, one.bases]);
      if (one.bases.some((base) => mayRename(one.repo, base, one.ours) || mayRename(one.repo, base, one.theirs)))
        continue;
      tally.judge(one, one.theirs, outcome);
    }
    tally.expectAgreement();
  }, 600_000);

  test('undo as native git reverts', async () => {
    const tally = new Tally();
    for (const one of cases<RevertCase>('reverts.jsonl', 4)) {
      const before = `${one.revert}^`;
      if (mayRename(one.repo, one.revert, before) || mayRename(one.repo, one.revert, one.onto)) continue;
      const outcome = await (await open(one.repo)).undo(one.revert, { onto: one.onto, dryRun: true });
      tally.judge(one, one.revert, outcome);
    }
    tally.expectAgreement();
  }, 600_000);
});
