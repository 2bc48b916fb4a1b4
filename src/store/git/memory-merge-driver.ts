// The merge of memories for programs that merge by isomorphic-git: its `mergeDriver` callback, by our rules.

import type { FsClient, MergeDriverCallback } from 'isomorphic-git';
import { MemoryError } from '../../base/errors.ts';
import { mergeForGit } from '../merge/driver.ts';
import { isSealed } from '../records/private-text.ts';
import { newObject } from './object-codec.ts';

/** The repository in which isomorphic-git merges, as it sees it. */
export interface MergeDriverOptions {
  readonly fs: FsClient;
  readonly dir?: string;
  readonly gitdir?: string;
  /** The branch that is merged into, as `merge` of isomorphic-git is given it; default `HEAD`. */
  readonly ours?: string;
  readonly cache?: object;
}

/**
 * Makes the callback with which isomorphic-git merges memories as git-memory does, field by field and item by item:
 * `git.merge({ fs, dir, ours, theirs, mergeDriver: memoryMergeDriver({ fs, dir, ours }) })`. One serves one merge.
 *
 * Two limits are isomorphic-git's. It hands over texts and no bytes, and names a file by the last part of its path. What is no UTF-8, as
 * private texts are, stays a conflict. So does a file whose text lies in another folder under the same name. And it asks nobody where one
 * side removed what the other one changed: `merge` stops there, while {@link Memory.merge} keeps the change. Throws INVALID_ARGUMENT.
 */
export function memoryMergeDriver(options: MergeDriverOptions): MergeDriverCallback {
  if (typeof options?.fs !== 'object' || (options.dir ?? options.gitdir) === undefined) {
    throw new MemoryError('INVALID_ARGUMENT', 'the merge driver needs the `fs` and `dir` of the merge', {
      where: 'options',
    });
  }
  const { ours = 'HEAD', ...place } = options;
  let paths: Promise<ReadonlyMap<string, string | null>> | null = null;
  return async ({ contents, path }) => {
    const [base, mine, theirs] = contents.map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer];
    paths ??= pathsByName(place, ours);
    const whole = (await paths).get(`${newObject('blob', mine).oid} ${path}`) ?? null;
    const isReadable =
      contents.every((text) => !text.includes('\ufffd')) && !contents.some((text) => isSealed(Buffer.from(text)));
    if (whole === null || !isReadable) return { cleanMerge: false, mergedText: contents[1]! };
    const { bytes, isConflict } = mergeForGit(whole, base, mine, theirs);
    return { cleanMerge: !isConflict, mergedText: bytes.toString('utf8') };
  };
}

/** Lists the files of a tree by blob and the last part of their path; null where several are alike. */
async function pathsByName(
  place: Omit<MergeDriverOptions, 'ours'>,
  ref: string,
): Promise<ReadonlyMap<string, string | null>> {
  const { TREE, walk } = await import('isomorphic-git');
  const found = new Map<string, string | null>();
  await walk({
    ...place,
    trees: [TREE({ ref })],
    map: async (path, [entry]) => {
      if ((await entry?.type()) !== 'blob') return path;
      const name = `${await entry!.oid()} ${path.slice(path.lastIndexOf('/') + 1)}`;
      found.set(name, found.has(name) ? null : path);
      return path;
    },
  });
  return found;
}
