// Doctor looks at git's index and the files: whether they are in step with the branch, and what people changed.

import { count } from '../../base/count.ts';
import { MemoryError } from '../../base/errors.ts';
import { changeLimits } from '../../store/change-rules.ts';
import { Checkout } from '../../store/checkout.ts';
import { isKept } from '../../store/engine-files.ts';
import { contentOf } from '../../store/file-content.ts';
import { readIndex } from '../../store/git/index-file.ts';
import type { Repository } from '../../store/git/repository.ts';
import type { Journal } from '../../store/journal.ts';
import { indexOf, WorkTree } from '../../store/projection.ts';
import type { Configuration } from '../../store/records/configuration.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import type { Examination, Examined } from './examination.ts';

/** A damaged index is put aside; a new one lists the last commit, and git looks at every file once. */
export function examineIndex(examination: Examination, repository: Repository): boolean {
  const { disk, gitDirectory } = repository;
  const path = `${gitDirectory}/index`;
  try {
    readIndex(disk, path);
    return true;
  } catch (error) {
    if (!(error instanceof MemoryError) || (error.code !== 'REPOSITORY_CORRUPT' && error.code !== 'UNSAFE_FILE')) {
      examination.findError(error);
      return false;
    }
    examination.find('INDEX_DAMAGED', path, error.what, {
      does: 'put it aside and make a new one of the last commit; what was staged and not committed is in the old one only',
      run: () => {
        const moved = examination.quarantine(path, error.what);
        const temporary = disk.temporaryName(`${repository.temporaryDirectory}/doctor_`);
        disk.makeDirectory(repository.temporaryDirectory);
        disk.writeNew(temporary, indexOf(repository, commitOfHead(repository)).format());
        disk.rename(temporary, path);
        return `a new one was made of the last commit; the damaged one is ${moved}`;
      },
    });
    return examination.mayRepair;
  }
}

function commitOfHead({ refs }: Repository): string | null {
  const head = refs.readHead();
  return 'oid' in head ? head.oid : refs.read(head.ref);
}

interface FilesBeside {
  readonly ref: string;
  readonly snapshot: Snapshot;
  readonly journal: Journal;
  readonly isProject: boolean;
  readonly configuration: Configuration;
}

/** Tells what of the work tree is not what the branch and the journal say. */
export function examineFiles(
  { examination, repository, codec }: Examined,
  { ref, snapshot, journal, isProject, configuration }: FilesBeside,
): void {
  const workTree = new WorkTree(repository, ref, contentOf(repository, codec));
  if (!workTree.isCheckedOut()) return;
  const limits = () => changeLimits(configuration);
  const checkout = new Checkout({ repository, ref, journal, isProject, codec, limits });
  const edits = checkout.look(checkout.standing(), snapshot, 'all');
  const judged = checkout.judged(edits, snapshot);
  const changed = judged.flatMap(({ path, why }) => (why === undefined ? path : []));
  const leftOut = judged.flatMap(({ path, why }) => (why === undefined ? [] : { path, why }));
  if (changed.length > 0) {
    const names = changed.slice(0, 3).join(', ') + (changed.length > 3 ? ', …' : '');
    const what = `${count(changed.length, 'file differs', 'files differ')} from the branch: ${names}`;
    const hint = 'The next commit takes them in; `git memory commit` does it now';
    examination.find('HAND_EDIT', workTree.files.root, what, hint);
  }
  for (const path of edits.torn) {
    const [code, what] = isKept(path)
      ? (['KEPT_FILE', 'the engine keeps this file, and it was changed by hand'] as const)
      : (['FILE_TORN', 'the file is only the beginning of what was committed'] as const);
    examination.find(code, path, what, {
      does: 'write it again from the commit',
      run: () => {
        const oid = snapshot.oidOf(path)!;
        const bytes = snapshot.overlay?.files.get(path)?.bytes ?? repository.objects.readBlob(oid);
        workTree.files.place({ path, bytes, oid, isExecutable: false });
        return 'written again from the commit';
      },
    });
  }
  for (const { path, why } of [...leftOut, ...edits.skipped]) examination.find('FILE_LEFT_OUT', path, why);
  for (const { path, why } of edits.missing)
    examination.find('FILE_MISSING', path, why, 'When it comes back nothing needs doing');
}
