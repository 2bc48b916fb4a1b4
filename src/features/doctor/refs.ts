// Doctor looks at HEAD and the refs: whether each can be read, and whether what it names is there.

import { MemoryError } from '../../base/errors.ts';
import { filesBelow } from '../../store/git/files-below.ts';
import { isOid } from '../../store/git/object-codec.ts';
import { isRefName } from '../../store/git/packed-refs.ts';
import type { Repository } from '../../store/git/repository.ts';
import type { Examination } from './examination.ts';
import { isWhole } from './reachable.ts';

/** Gives the refs that can be read, after mending what can be proved. */
export function examineRefs(examination: Examination, repository: Repository): Map<string, string> {
  examinePacked(examination, repository);
  const names = refNames(examination, repository);
  const found = new Map<string, string>();
  for (const ref of names) {
    examination.part(() => {
      const oid = readRef(examination, repository, ref);
      if (oid !== null) found.set(ref, oid);
    });
  }
  examineHead(examination, repository, [...found.keys()]);
  return found;
}

function readRef(examination: Examination, repository: Repository, ref: string): string | null {
  const { refs, commonDirectory } = repository;
  try {
    return refs.read(ref);
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code !== 'REF_CORRUPT') throw error;
    const path = `${commonDirectory}/${ref}`;
    const oid = provenTip(repository, ref);
    const isThere = examination.disk.exists(path);
    const run = () => {
      if (isThere) examination.quarantine(path, error.what);
      refs.restore(ref, oid!);
      return `put back at ${oid}, where its log ends; all of that history is there`;
    };
    const mend = oid === null ? undefined : { does: `put back at ${oid}, where its log ends`, run };
    const hint = 'Its log does not prove where it was; `git fsck --lost-found` lists commits that nothing leads to';
    examination.find(isThere ? 'REF_CORRUPT' : 'REF_LOST', path, error.what, mend ?? hint);
    return mend !== undefined && examination.mayRepair ? refs.read(ref) : null;
  }
}

/** Gives the commit at which the log of a branch ends, if that and all it leads to can be read. */
function provenTip(repository: Repository, ref: string): string | null {
  const last = repository.refs.readLog(ref).at(-1)?.to;
  return last !== undefined && isWhole(repository, last) ? last : null;
}

function refNames(examination: Examination, { commonDirectory, refs, disk }: Repository): Set<string> {
  const names = new Set<string>();
  const below = (folder: string) =>
    [...filesBelow(disk, `${commonDirectory}/${folder}`)].map(({ path }) => path).sort();
  for (const path of below('refs')) {
    const ref = path.slice(commonDirectory.length + 1);
    if (ref.endsWith('.lock')) continue;
    if (isRefName(ref)) names.add(ref);
    else {
      const name = JSON.stringify(ref.slice(ref.lastIndexOf('/') + 1));
      const mend = examination.moving(path, 'not the name of a ref', 'move the file into quarantine');
      examination.find('REF_NAME', path, `${name} is not the name of a ref`, mend);
    }
  }
  examination.part(() => {
    for (const { ref } of refs.listPacked()) names.add(ref);
  });
  // A branch without a file is found by its log.
  for (const path of below('logs/refs/heads')) {
    const ref = path.slice(`${commonDirectory}/logs/`.length);
    if (isRefName(ref)) names.add(ref);
  }
  return names;
}

/** A damaged packed-refs makes all of git refuse: what is whole of it can be kept, with the original put aside. */
function examinePacked(examination: Examination, { disk, refs, commonDirectory }: Repository): void {
  const path = `${commonDirectory}/packed-refs`;
  try {
    refs.listPacked();
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code !== 'REPOSITORY_CORRUPT') {
      examination.findError(error);
      return;
    }
    examination.find(error.code, path, error.what, {
      does: 'put it aside and keep the lines that are whole; branches that it loses are then looked for in their logs',
      run: () => {
        const lines = (disk.readText(path) ?? '').split('\n').slice(0, -1);
        const seen = new Set<string>();
        const whole = lines.filter((line) => {
          const ref = line.slice(41);
          const isEntry = isOid(line.slice(0, 40)) && line[40] === ' ' && isRefName(ref) && !seen.has(ref);
          if (isEntry) seen.add(ref);
          return isEntry;
        });
        const moved = examination.quarantine(path, error.what);
        disk.writeNew(path, [Buffer.from(whole.map((line) => `${line}\n`).join(''))]);
        return `${whole.length} refs were kept; the damaged file is ${moved}`;
      },
    });
  }
}

function examineHead(examination: Examination, repository: Repository, names: readonly string[]): void {
  const { refs, disk, gitDirectory } = repository;
  try {
    const head = refs.readHead();
    const branches = names
      .filter((name) => name.startsWith('refs/heads/'))
      .map((name) => name.slice('refs/heads/'.length));
    if ('ref' in head && branches.length > 0 && !names.includes(head.ref)) {
      const what = `it names ${head.ref}, which is not there; there ${branches.length === 1 ? 'is' : 'are'} ${branches.join(', ')}`;
      examination.find(
        'HEAD_UNBORN',
        `${gitDirectory}/HEAD`,
        what,
        `\`git symbolic-ref HEAD refs/heads/${branches[0]}\` sets it`,
      );
    }
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code !== 'REF_CORRUPT') {
      examination.findError(error);
      return;
    }
    const path = `${gitDirectory}/HEAD`;
    const branch = provenHead(repository, names);
    const hint = '`git symbolic-ref HEAD refs/heads/<branch>` sets it, once you know which branch was checked out';
    const run = () => {
      if (disk.exists(path)) examination.quarantine(path, error.what);
      refs.writeHead(branch!);
      return `it points to ${branch}`;
    };
    const mend = branch === null ? hint : { does: `point it to ${branch}`, run };
    examination.find('REF_CORRUPT', path, error.what, mend);
  }
}

/** What HEAD named: the branch that its log says was checked out last, or the only one there is. */
function provenHead(repository: Repository, names: readonly string[]): string | null {
  const branches = names.filter((name) => name.startsWith('refs/heads/'));
  const moves = repository.refs
    .readLog('HEAD')
    .map(({ message }) => /^checkout: moving from .* to (\S+)$/.exec(message));
  const last = moves.findLast((move) => move !== null)?.[1];
  if (last !== undefined) return branches.find((name) => name === `refs/heads/${last}`) ?? null;
  return branches.length === 1 ? branches[0]! : null;
}
