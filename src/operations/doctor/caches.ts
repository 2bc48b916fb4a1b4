// Doctor looks at how much room the caches take. All of them can go at any moment: what is in them is made anew when it is asked for.

import { grouped } from '../../base/count.ts';
import type { Repository } from '../../git/repository.ts';
import type { Examination } from './examination.ts';

/** Less than this is nobody's concern. */
const leastBytes = 256 << 20;
/** So many times the size of all packs a cache may have: a word index and vectors are larger than what they are of. */
const shareOfPacks = 8;

/** Tells when the caches are much larger than the memory, as after many models or versions, and removes them. */
export function examineCaches(examination: Examination, { disk, ownDirectory, objects }: Repository): void {
  const sizeOf = (path: string): number => {
    const stat = disk.stat(path);
    if (stat === null) return 0;
    return stat.isDirectory
      ? disk.list(path).reduce((sum, name) => sum + sizeOf(`${path}/${name}`), 0)
      : Number(stat.size);
  };
  const folder = `${ownDirectory}/cache`;
  const bytes = sizeOf(folder);
  if (bytes < leastBytes || bytes < sizeOf(objects.packDirectory) * shareOfPacks) return;
  const remove = (path: string): void => {
    if (disk.stat(path)?.isDirectory) for (const name of disk.list(path)) remove(`${path}/${name}`);
    else disk.remove(path);
  };
  examination.find('CACHE_LARGE', folder, `it takes ${grouped(Math.round(bytes / (1 << 20)))} MiB`, {
    does: 'empty it; what is needed is made anew when it is asked for',
    run: () => {
      remove(folder);
      return 'it is empty';
    },
  });
}
