// What native git is answered when it asks for the merge of one file. It asks for each file of a merge, so no memory is opened.

import { userKeys } from '../adapters/key-file.ts';
import { nodeFileSystem } from '../adapters/node.ts';
import { packagedHooks } from '../adapters/package.ts';
import { userTrust } from '../adapters/trust.ts';
import { userSettings } from '../adapters/user-settings.ts';
import { orElse } from '../base/errors.ts';
import type { KeyStore } from '../base/ports.ts';
import { hookStates, mergePrivateForGit } from '../features/repository/index.ts';
import { PrivateCodec } from '../store/codec.ts';
import { ConfigurationReader } from '../store/configuration-reader.ts';
import { branchUnderWay, isRebasing } from '../store/git/native-operation.ts';
import { publishedTips } from '../store/git/remotes.ts';
import { discoverRepository, openRepository } from '../store/git/repository.ts';
import { KeyRing } from '../store/key-ring.ts';
import type { DriverIds, DriverMerge } from '../store/merge/driver.ts';
import { idRuleAt } from '../store/merge-logs.ts';
import { logReaderOf } from '../store/records/log-readers.ts';

/** Merges the versions of a file, the common one first; of a log the ids stay that the repository around `dir` has published. */
export function mergeFileIn(dir: string, path: string, versions: readonly [Buffer, Buffer, Buffer]): DriverMerge {
  const keys = userKeys();
  const ids = logReaderOf(path) === null ? undefined : orElse(() => idRuleIn(dir, path, keys), undefined);
  return mergePrivateForGit(keys, path, versions, ids);
}

/** In a rebase git calls theirs what the person on the branch did. Throws for a repository that cannot be read. */
function idRuleIn(dir: string, path: string, keys: KeyStore): DriverIds | undefined {
  const layout = discoverRepository(nodeFileSystem, dir);
  if (layout === null) return undefined;
  const repository = openRepository(nodeFileSystem, layout, true, userTrust());
  try {
    const branch = branchUnderWay(repository);
    const published = branch === null ? [] : publishedTips(repository, branch);
    const codec = new PrivateCodec(new KeyRing(keys), new ConfigurationReader());
    const hooks = hookStates(repository, packagedHooks(), userSettings('core.hookspath').at(-1));
    const isRebase = isRebasing(repository);
    // So git names to its children what it merges; behind a cherry-pick or a stash no hook knows where it came from.
    const isMerge = Object.keys(process.env).some((name) => name.startsWith('GITHEAD_'));
    const isFollowed = (isRebase || isMerge) && hooks.every(({ state }) => state === 'installed' || state === 'old');
    const choice = { codec, published, first: isRebase ? 'theirs' : 'ours' } as const;
    return { ...idRuleAt(repository.objects, choice, [path]), isFollowed };
  } finally {
    repository.objects.close();
  }
}
