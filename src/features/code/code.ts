// The code that a memory sits by: what is checked out, citations of it, and where a commit stands. Nothing here writes but caches.

import { orElse } from '../../base/or-else.ts';
import type { FileSystem } from '../../base/ports.ts';
import type { Citation, CitationVerdict, CodeLines, Standing } from '../../base/types.ts';
import { discoverRepository, openRepository, type Repository, type Trust } from '../../store/git/repository.ts';

/** A text to be found in a file; the place is that of its first line. */
export interface CitedText {
  readonly text: string;
}

/**
 * Questions to a code repository. Each answers without an error: what the repository cannot tell is `null` or `unknown`.
 */
export interface Code {
  /** The folder that paths are relative to; `null` where there is no work tree. */
  readonly root: string | null;
  /** Gives the commit that is checked out; `null` before the first one. */
  head(): string | null;
  /** Names the branch that is checked out; `null` where HEAD is detached. */
  branch(): string | null;
  /** Gives a path as the repository names it; `null` for one outside it. Takes absolute paths and those below {@link root}. */
  pathOf(path: string): string | null;
  /**
   * Notes a place in a file as it lies in the work tree, or in a commit: all of it, lines, or where a text stands.
   *
   * `null` where there is no such file, line or text, and for links and submodules.
   */
  cite(path: string, what?: CodeLines | CitedText, commit?: string): Citation | null;
  /** Tells how a citation stands at a commit; default HEAD. */
  judge(citation: Citation, at?: string): CitationVerdict;
  /** Tells where a commit stands, seen from HEAD; `branch` is where it was made. */
  standing(commit: string, branch?: string): Standing;
}

/** Opens the code repository that a folder belongs to. Without one, or with one that cannot be read (SHA-256, partial), nothing is known. */
export function openCode(fs: FileSystem, dir: string, trusts?: Trust): Code {
  const layout = orElse(() => discoverRepository(fs, dir), null);
  const repository = layout && orElse(() => openRepository(fs, layout, false, trusts), null);
  return codeOf(repository);
}

/** Gives the same for a repository that is open, such as that of a memory on a branch beside the code. */
export function codeOf(repository: Repository | null): Code {
  const head = () => repository && orElse(() => repository.refs.read('HEAD'), null);
  return {
    root: repository?.workTree ?? null,
    head,
    branch: () => {
      const at = repository && orElse(() => repository.refs.readHead(), null);
      return at && 'ref' in at ? at.ref.slice('refs/heads/'.length) : null;
    },
    pathOf: () => null,
    cite: () => null,
    judge: (_citation, at = head() ?? undefined) => ({ state: 'unknown', at: at ?? null }),
    standing: () => 'unknown',
  };
}
