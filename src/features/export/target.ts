// The folder that an export writes to: nothing outside it, nothing that was there unless asked, each file whole or not at all.

import { isSystemError, MemoryError } from '../../base/errors.ts';
import { withoutEndSlash } from '../../base/text.ts';
import type { Disk } from '../../store/git/disk.ts';
import { unsafeFile } from '../../store/git/file-errors.ts';
import { checkPath, foldPath, isGitName } from '../../store/guard/path.ts';

/** A file to write, below the target. */
export interface ExportFile {
  readonly path: string;
  readonly bytes: Buffer;
}

export interface WrittenFile {
  readonly path: string;
  readonly action: 'write' | 'replace' | 'same';
}

/** A folder that may not be there yet. */
export class ExportTarget {
  /** Absolute, links in what the caller named followed. */
  readonly root: string;
  private readonly disk: Disk;

  /** Throws INVALID_ARGUMENT for a file, and for a place inside a git directory. */
  constructor(disk: Disk, root: string) {
    this.disk = disk;
    this.root = realPathOf(disk, root);
    if (this.root.split('/').some(isGitName)) {
      throw new MemoryError('INVALID_ARGUMENT', 'an export cannot go into a git directory', {
        where: root,
        hint: 'Name another folder',
      });
    }
    const stat = disk.stat(this.root);
    if (stat !== null && !stat.isDirectory) {
      throw new MemoryError('INVALID_ARGUMENT', 'a file is in the place of the folder', {
        where: root,
        hint: 'Name a folder; it is created if it is missing',
      });
    }
  }

  /** Plans each file. Throws ALREADY_EXISTS for one that differs (unless `overwrite`), INVALID_PATH, UNSAFE_FILE for a link or folder there. */
  plan(files: readonly ExportFile[], overwrite: boolean): WrittenFile[] {
    const names = new Map<string, string>();
    const planned = files.map(({ path, bytes }): WrittenFile => {
      const twin = names.get(foldPath(checkPath(path)));
      if (twin !== undefined)
        throw new MemoryError('CONFLICT', `${twin} and ${path} would be one file`, { where: path });
      names.set(foldPath(path), path);
      const present = this.read(path, bytes.length);
      return { path, action: present === null ? 'write' : present.equals(bytes) ? 'same' : 'replace' };
    });
    const differing = planned.filter(({ action }) => action === 'replace');
    if (differing.length > 0 && !overwrite) {
      const others = differing.length === 1 ? '' : ` and ${differing.length - 1} more`;
      throw new MemoryError('ALREADY_EXISTS', `another ${differing[0]!.path}${others} is there already`, {
        where: this.root,
        hint: 'Export to an empty folder, or with --overwrite',
      });
    }
    return planned.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** Writes a file: beside its place first, then by rename. Throws UNSAFE_FILE where a folder became a link. */
  write({ path, bytes }: ExportFile): void {
    const { disk } = this;
    const { folders, name } = split(path);
    disk.makeDirectory(this.root);
    disk.inFolder(this.root, folders, true, (folder) => {
      const temporary = `${folder}/${disk.temporaryName('.git-memory-')}`;
      try {
        disk.writeNew(temporary, [bytes], { sync: false });
        disk.rename(temporary, `${folder}/${name}`);
      } catch (error) {
        disk.removeQuietly(temporary);
        throw error;
      }
    });
  }

  /** Reads what stands there, up to one byte more than is expected. */
  private read(path: string, length: number): Buffer | null {
    const { disk } = this;
    if (disk.stat(this.root) === null) return null;
    const { folders, name } = split(path);
    return disk.inFolder(this.root, folders, false, (folder) => {
      const stat = disk.stat(`${folder}/${name}`);
      if (stat === null) return null;
      if (!stat.isFile) throw unsafeFile(`${this.root}/${path}`);
      return stat.size === length ? disk.read(`${folder}/${name}`) : Buffer.alloc(0);
    });
  }
}

function split(path: string): { folders: string[]; name: string } {
  const folders = path.split('/');
  return { folders, name: folders.pop()! };
}

/** Follows links as far as the path is there; what is missing is added as it was named. */
function realPathOf(disk: Disk, path: string): string {
  if (typeof path !== 'string' || path === '') {
    throw new MemoryError('INVALID_ARGUMENT', 'the folder to export to is missing', { where: 'target' });
  }
  const missing: string[] = [];
  for (let rest = withoutEndSlash(path.replaceAll('\\', '/')) || '/'; ; ) {
    try {
      const real = withoutEndSlash(String(disk.fs.realpathSync(rest)).replaceAll('\\', '/'));
      return [real, ...missing].join('/');
    } catch (error) {
      if (!isSystemError(error, 'ENOENT')) throw error;
    }
    const slash = rest.lastIndexOf('/');
    missing.unshift(rest.slice(slash + 1));
    rest = slash <= 0 ? '/' : rest.slice(0, slash);
    if (slash < 0) throw new MemoryError('INVALID_ARGUMENT', 'the folder has to be an absolute path', { where: path });
  }
}
