// Doctor looks at how the memory stands to its remote, as far as is known here: nobody is asked, and a remote that is away is no fault.

import { formatSeconds } from '../../base/time.ts';
import { MemoryError } from '../../errors.ts';
import type { Repository } from '../../git/repository.ts';
import { commitsBeyond } from '../../history/merge-base.ts';
import { lastSync } from '../../sync/last-sync.ts';
import { findRemote, seenRef } from '../../sync/remotes.ts';
import type { Examination } from './examination.ts';
import { examineFetches } from './leftovers.ts';

const rescues = 'refs/git-memory/rescue/';

/** Tells how far the branch is from its remote, what a sync left when it was stopped, and what was kept from being lost. */
export function examineOtherMachines(examination: Examination, repository: Repository, ref: string): void {
  examination.part(() => examineRemote(examination, repository, ref));
  examination.part(() => examineFetches(examination, repository));
  for (const { ref: kept } of repository.refs.list(rescues)) {
    examination.find(
      'RESCUED',
      kept,
      'it keeps commits that the branch, or its remote, has left',
      `\`git memory log --at ${kept}\` shows them; \`git update-ref -d ${kept}\` lets them go once nobody needs them`,
    );
  }
}

function examineRemote(examination: Examination, repository: Repository, ref: string): void {
  const remote = remoteOf(examination, repository);
  if (remote === null) return;
  const { name, address } = remote;
  const tip = repository.refs.read(ref);
  const seen = repository.refs.read(seenRef(name, ref));
  const hint = '`git memory sync` brings both in step';
  if (seen === null || tip === null) {
    examination.find('NOT_SYNCED', name, `never in step with ${address.shown} yet`, hint);
    return;
  }
  const ahead = commitsBeyond(repository.objects, tip, [seen]).length;
  const behind = commitsBeyond(repository.objects, seen, [tip]).length;
  if (ahead + behind === 0) return;
  const last = lastSync(repository, name, ref);
  const time =
    last === null
      ? ''
      : formatSeconds(Math.floor(last / 1000))
          .slice(0, 16)
          .replace('T', ' ');
  const since = time === '' ? '' : `; both were in step ${time}`;
  const places = [...(ahead > 0 ? [`${ahead} ahead`] : []), ...(behind > 0 ? [`${behind} behind`] : [])];
  examination.find('NOT_SYNCED', name, `${places.join(' and ')} of ${address.shown}, in commits${since}`, hint);
}

/** The remote that `sync` would take; null where there is none, or several, or none that we speak to. */
function remoteOf(examination: Examination, repository: Repository): ReturnType<typeof findRemote> | null {
  try {
    return findRemote(repository);
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code === 'IO') throw error;
    if (!['NOT_FOUND', 'AMBIGUOUS'].includes(error.code)) {
      examination.find('NOT_SYNCED', error.where ?? 'remote', error.what, error.hint);
    }
    return null;
  }
}
