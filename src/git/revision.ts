// Names of commits: branches, tags, ids and their abbreviations, `~n` and `^`, and dates on the first-parent line.

import { MemoryError } from '../errors.ts';
import type { Repository } from './repository.ts';

/** Where a short name is looked for, in this order. */
const namespaces = [
  '',
  'refs/heads/',
  'refs/heads/memory/',
  'refs/tags/',
  'refs/tags/memory/',
  'refs/tags/memory/milestone/',
  'refs/remotes/',
];

/** Finds the commit that a revision names; throws NOT_FOUND, AMBIGUOUS, INVALID_REF. */
export function resolveRevision(repository: Repository, revision: string, current: string): string {
  const match = /^(.*?)((?:~\d*|\^)*)$/s.exec(revision)!;
  let oid = repository.objects.peelToCommit(resolveName(repository, match[1]!, revision, current));
  for (const step of match[2]!.match(/~\d*|\^/g) ?? []) {
    const count = step === '^' || step === '~' ? 1 : Number(step.slice(1));
    for (let i = 0; i < count; i++) {
      const parent = repository.objects.readCommit(oid).parents[0];
      if (parent === undefined) {
        throw new MemoryError('NOT_FOUND', `${revision} goes back beyond the first commit`, { where: revision });
      }
      oid = parent;
    }
  }
  return oid;
}

function resolveName(repository: Repository, name: string, revision: string, current: string): string {
  const { refs, objects } = repository;
  if (name === 'HEAD' || name === '@') {
    const tip = refs.read(current);
    if (tip !== null) return tip;
  }
  for (const namespace of namespaces) {
    const ref = `${namespace}${name}`;
    if (!ref.startsWith('refs/')) continue;
    const oid = tryRead(repository, ref);
    if (oid !== null) return oid;
  }
  if (/^[0-9a-f]{4,40}$/.test(name)) {
    const found = objects.withPrefix(name);
    if (found.length === 1) return found[0]!;
    if (found.length > 1) {
      throw new MemoryError('AMBIGUOUS', `${name} fits ${found.length} objects`, {
        where: name,
        hint: 'Give more digits',
      });
    }
  }
  throw new MemoryError('NOT_FOUND', `${revision} is not a branch, tag, commit or date`, {
    where: revision,
    hint: 'Dates are written YYYY-MM-DD; `git memory log` lists commits, `git memory snapshot` lists tags',
  });
}

function tryRead(repository: Repository, ref: string): string | null {
  try {
    return repository.refs.read(ref);
  } catch (error) {
    if (error instanceof MemoryError && error.code === 'INVALID_REF') return null;
    throw error;
  }
}

/** Finds the newest commit on the first-parent line that was there by a time, in milliseconds; `null` when none was. */
export function commitAt(repository: Repository, tip: string | null, time: number): string | null {
  let oid = tip ?? undefined;
  while (oid !== undefined) {
    const commit = repository.objects.readCommit(oid);
    if (commit.committer.time * 1000 <= time) return oid;
    oid = commit.parents[0];
  }
  return null;
}
