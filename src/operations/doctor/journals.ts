// Doctor looks at the journals: what waits in them, what was begun and not ended, and what was put aside.

import { decodeRef } from '../../git/refs.ts';
import type { Repository } from '../../git/repository.ts';
import { Journal } from '../../store/journal.ts';
import type { Examination } from './examination.ts';

/** Reads every journal of the repository; under the lock (`examination.mayRepair`) damaged ones are put aside as a copy. */
export function examineJournals(examination: Examination, repository: Repository): void {
  const { disk, ownDirectory } = repository;
  const folder = `${ownDirectory}/journal`;
  for (const name of disk.list(folder).sort()) {
    const path = `${folder}/${name}`;
    if (/\.journal\.damaged-[0-9a-f]+$/.test(name)) examination.part(() => examineCopy(examination, repository, path));
    else if (!name.endsWith('.journal')) continue;
    else if (decodeRef(name.slice(0, -'.journal'.length)) === null) {
      examination.find('JOURNAL_UNKNOWN', path, 'its name is not that of a branch', {
        does: 'move it into quarantine',
        run: () => `moved to ${examination.quarantine(path, 'a journal of no branch')}`,
      });
    } else examination.part(() => examineJournal(examination, repository, path));
  }
}

function examineJournal(examination: Examination, { disk }: Repository, path: string): void {
  const journal = new Journal(disk, path);
  journal.refresh();
  if (journal.isDamaged) {
    examination.find('JOURNAL_CORRUPT', path, `a part cannot be read; ${journal.pending().length} pending writes can`, {
      does: 'keep a copy of the whole file and go on with what can be read',
      run: () => {
        const copy = journal.keepCopy();
        // With a commit begun and not ended, whoever opens that branch settles both.
        if (journal.openMark === null) journal.compact();
        return `a copy is ${copy}; what can be read was written anew`;
      },
    });
  }
  const mark = journal.openMark;
  if (mark) {
    examination.find(
      'OPERATION_UNFINISHED',
      path,
      `the commit ${mark.to.slice(0, 12)} was begun and not ended`,
      'The next write finishes it or takes it back, and so does --fix',
    );
  }
  if (journal.pending().length > 0) {
    const oldest = new Date(journal.pending()[0]!.time).toISOString();
    examination.find(
      'PENDING',
      path,
      `${journal.pending().length} writes wait for a commit, the oldest of ${oldest}`,
      '`git memory commit` commits them now',
    );
  }
}

function examineCopy(examination: Examination, { disk }: Repository, path: string): void {
  const journal = new Journal(disk, path);
  journal.refresh();
  const count = journal.pending().length;
  examination.find('JOURNAL_PUT_ASIDE', path, `a copy of a damaged journal, with ${count} writes that can be read`, {
    does: 'move it into quarantine, once you have compared it with what the memory holds',
    run: () => `moved to ${examination.quarantine(path, 'a copy of a damaged journal')}`,
  });
}
