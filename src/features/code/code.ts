// The code that a memory sits by: what is checked out, citations of it, and where a commit stands. Nothing here writes but caches.

import { orElse } from '../../base/errors.ts';
import type { FileSystem } from '../../base/ports.ts';
import type { Citation, CitationVerdict, CodeLines, Standing } from '../../base/types.ts';
import { historyOf, hunksOf, patchesOf } from '../../history/index.ts';
import { discoverRepository, join, openRepository, type Repository, type Trust } from '../../store/git/repository.ts';
import type { BranchNote } from '../../store/records/branch-notes.ts';
import { type CitedText, cite, pathIn } from './cite.ts';
import { Judge } from './judge.ts';
import { type StandingOf, Standings } from './standing.ts';

/** Questions to a code repository. Each answers without an error: what the repository cannot tell is `null` or `unknown`. */
export interface Code {
  /** The folder that paths are relative to; `null` where there is no work tree. */
  readonly root: string | null;
  /** Gives the commit that is checked out; `null` before the first one. */
  head(): string | null;
  /** Names the branch that is checked out; `null` where HEAD is detached. */
  branch(): string | null;
  /** Gives a path as the repository names it, of an absolute one or one below {@link root}; `null` outside it. */
  pathOf(path: string): string | null;
  /**
   * Notes a place in a file of a commit, by default as it lies in the work tree. It is all of it, lines, or where a text stands.
   *
   * `null` where there is no such file, line or text, and for links and what a submodule holds.
   */
  cite(path: string, what?: CodeLines | CitedText, commit?: string): Citation | null;
  /** Tells how a citation stands at a commit; default HEAD. */
  judge(citation: Citation, at?: string): CitationVerdict;
  /** Tells where a commit stands, seen from HEAD; `branch` is where it was made. */
  standing(commit: string, branch?: string): Standing;
  /** The same for many commits, as things are at this moment. */
  standings(): StandingOf;
  /** Notes what a branch has beyond the trunk, to know it again when git has thrown it away; `null` for nothing. */
  noteOf(branch: string): BranchNote | null;
  /** Keeps what was found out for later processes, in caches that can be deleted at any time. */
  save(): void;
}

export interface CodeOptions {
  /** Gives what was noted of branches; see {@link Code.noteOf}. */
  readonly notes?: () => readonly BranchNote[];
}

/** Opens the code repository that a folder belongs to. Without one, or with one that cannot be read (SHA-256, partial), nothing is known. */
export function openCode(fs: FileSystem, dir: string, options: CodeOptions & { readonly trusts?: Trust } = {}): Code {
  const layout = orElse(() => discoverRepository(fs, join(dir, '.')), null);
  const repository = layout && orElse(() => openRepository(fs, layout, false, options.trusts), null);
  return repository ? codeOf(repository, options) : noCode;
}

const noCode: Code = {
  root: null,
  head: () => null,
  branch: () => null,
  pathOf: () => null,
  cite: () => null,
  judge: () => ({ state: 'unknown', at: null }),
  standing: () => 'unknown',
  standings: () => () => 'unknown',
  noteOf: () => null,
  save: () => {},
};

/** Gives the same for a repository that is open, such as that of a memory on a branch beside the code. */
export function codeOf(repository: Repository, { notes = () => [] }: CodeOptions = {}): Code {
  const judge = new Judge(repository);
  const all = new Standings(repository, (head) => judge.descentTo(head), notes);
  const head = () => orElse(() => repository.refs.read('HEAD'), null);
  const standings = (): StandingOf => {
    const at = head();
    return at === null
      ? () => 'unknown'
      : orElse(
          () => all.from(at),
          () => 'unknown',
        );
  };
  return {
    root: repository.workTree,
    head,
    branch: () => {
      const at = orElse(() => repository.refs.readHead(), null);
      return at && 'ref' in at ? at.ref.slice('refs/heads/'.length) : null;
    },
    pathOf: (path) => pathIn(repository, path),
    cite: (path, what, given) => {
      const commit = given ?? head();
      const place = { commit: commit ?? '', isCheckedOut: given === undefined };
      return commit === null ? null : orElse(() => cite(repository, path, what, place), null);
    },
    judge: (citation, at) => {
      const commit = at ?? head();
      return commit === null ? { state: 'unknown', at: null } : judge.judge(citation, commit);
    },
    standing: (commit, branch) => standings()(commit, branch),
    standings,
    noteOf: (branch) => orElse(() => all.noteOf(branch), null),
    save: () => {
      historyOf(repository).save();
      patchesOf(repository).save();
      hunksOf(repository).save();
    },
  };
}
