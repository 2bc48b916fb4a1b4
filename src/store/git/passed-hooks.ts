// Hooks of a remote in a folder that a push to it passes by: nothing that another repository names is run here, see transport.ts.

import { orElse } from '../../base/errors.ts';
import { readConfigFile } from './config-file.ts';
import { discoverRepository, resolvePath } from './discovery.ts';
import type { Disk } from './disk.ts';
import type { Remote } from './remotes.ts';

/** Those that may refuse a push. */
const judges = ['pre-receive', 'update'];

/** Warns of the hooks that would judge a push to a remote if they were run; null where there are none. What cannot be read has none. */
export function passedHooks(disk: Disk, { name, address, pushAddress = address }: Remote): string | null {
  if (pushAddress.kind !== 'local') return null;
  const { path } = pushAddress;
  const layout = orElse(() => discoverRepository(disk.fs, disk.exists(path) ? path : `${path}.git`), null);
  if (layout === null) return null;
  const { commonDirectory, gitDirectory } = layout;
  const values = orElse(() => readConfigFile(disk, `${commonDirectory}/config`), null);
  const named = values?.get('core.hookspath')?.at(-1);
  // Git looks from the folder in which it receives.
  const folder = named ? resolvePath(gitDirectory, named) : `${commonDirectory}/hooks`;
  const hooks = judges.filter((hook) => {
    const stat = orElse(() => disk.stat(`${folder}/${hook}`), null);
    return stat?.isExecutable === true && (stat.isFile || stat.isSymbolicLink);
  });
  if (hooks.length === 0) return null;
  const way = `\`git remote set-url ${name} ssh://localhost${path}\` goes through ssh, which has git run them`;
  return `the remote ${path} has hooks that a push to a folder does not run: ${hooks.join(', ')}. ${way}`;
}
