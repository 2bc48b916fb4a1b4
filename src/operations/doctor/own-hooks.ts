// Doctor looks at the hooks of git-memory itself: whether they are there, and call what is installed now.

import { MemoryError } from '../../errors.ts';
import type { Repository } from '../../git/repository.ts';
import { type HookState, hookStates } from '../install-hooks.ts';
import type { Examination } from './examination.ts';
import type { OwnInstallation } from './surroundings.ts';

/** Tells of hooks that are missing, and makes those anew that are of another version: nobody but us has written them. */
export function examineOwnHooks(examination: Examination, repository: Repository, own: OwnInstallation): void {
  const states = statesOf(examination, repository, own);
  if (states === null) return;
  const named = (state: string) => states.filter((hook) => hook.state === state).map(({ name }) => name);
  const missing = named('missing');
  if (missing.length === states.length) {
    examination.find(
      'HOOKS_MISSING',
      `${repository.commonDirectory}/hooks`,
      'what is committed with git is not judged by the rules of the memory',
      '`git memory hooks install` lets git keep them',
    );
    return;
  }
  if (missing.length > 0) {
    examination.find(
      'HOOKS_MISSING',
      `${repository.commonDirectory}/hooks`,
      `of the hooks of git-memory these are not there: ${missing.join(', ')}`,
      '`git memory hooks install` puts them there',
    );
  }
  for (const { path, name } of states.filter(({ state }) => state === 'old')) {
    examination.find('HOOKS_OLD', path, 'the hook is of another version of git-memory, or of another place', {
      does: 'put it aside and write the one of this version',
      run: () => {
        const moved = examination.quarantine(path, 'a hook of another version of git-memory');
        const text = own.hooks.find((hook) => hook.name === name)!.text;
        repository.disk.writeNew(path, [Buffer.from(text)], { mode: 0o755 });
        return `written anew; the old one is ${moved}`;
      },
    });
  }
}

/** How our hooks stand; null, and a note, where git takes hooks from a folder that is not of this repository alone. */
function statesOf(examination: Examination, repository: Repository, own: OwnInstallation): HookState[] | null {
  try {
    return hookStates(repository, own.hooks, own.userHooksPath);
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code !== 'UNSUPPORTED_REPOSITORY') throw error;
    examination.find('HOOKS_MISSING', error.where ?? '', error.what, error.hint);
    return null;
  }
}
