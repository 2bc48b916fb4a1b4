// Blame and log in the repositories of git's own test suite, against the answers of native git 2.47.

import { describe, expect, it } from 'vitest';
import { blamesOf } from '../../src/history/blame-cache.ts';
import { blameLines } from '../../src/history/blame-lines.ts';
import { historyOf } from '../../src/history/catalogue.ts';
import { FileAncestry } from '../../src/history/file-ancestry.ts';
import { hunksOf } from '../../src/history/hunk-cache.ts';
import { logOf } from '../../src/history/log.ts';
import { Suite, suiteAnswers, suiteIsPresent, suiteNote } from './git-suite.ts';

describe.skipIf(!suiteIsPresent)(`the repositories of git's test suite${suiteNote}`, () => {
  const suite = new Suite();

  it('are blamed line by line as native git does', () => {
    const different: string[] = [];
    let lines = 0;
    for (const answer of suiteAnswers<{ repo: string; rev: string; path: string; lines: [string, number][] }>(
      'blame.jsonl',
    )) {
      const repository = suite.repository(answer.repo);
      const { objects } = repository;
      const ancestry = new FileAncestry(historyOf(repository), objects);
      const ranges = blameLines(
        {
          catalogue: historyOf(repository),
          ancestry,
          hunks: hunksOf(repository),
          blames: blamesOf(repository),
          read: (oid) => objects.readBlob(oid),
        },
        { version: ancestry.at(answer.rev, answer.path), path: answer.path, isWhole: true },
      );
      const ours = ranges.flatMap(({ commit, originalStart, count }) =>
        Array.from({ length: count }, (_, line) => [commit, originalStart + line + 1]),
      );
      lines += answer.lines.length;
      if (JSON.stringify(ours) !== JSON.stringify(answer.lines)) {
        different.push(`${answer.repo} ${answer.rev} ${answer.path}`);
      }
    }
    expect(lines).toBeGreaterThan(10_000);
    expect(different).toEqual([]);
  });

  it('have the log of native git for every file, plain and following', () => {
    const different: string[] = [];
    for (const answer of suiteAnswers<{ repo: string; rev: string; path: string; plain: string[]; follow: string[] }>(
      'log_follow.jsonl',
    )) {
      const repository = suite.repository(answer.repo);
      for (const kind of ['plain', 'follow'] as const) {
        const query = { path: answer.path, follow: kind === 'follow', limit: Number.POSITIVE_INFINITY };
        const ours = logOf(repository, answer.rev, query).commits.map((commit) => commit.oid);
        if (JSON.stringify(ours) !== JSON.stringify(answer[kind])) {
          different.push(`${kind} ${answer.repo} ${answer.rev} ${answer.path}`);
        }
      }
    }
    expect(different).toEqual([]);
  });
});
