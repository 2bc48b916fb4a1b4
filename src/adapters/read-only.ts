// A file system on which nothing can be written, whatever is called: for repositories that belong to somebody else.

import type { FileSystem } from '../base/ports.ts';

const changing = [
  'writeSync',
  'fchmodSync',
  'ftruncateSync',
  'mkdirSync',
  'rmdirSync',
  'renameSync',
  'linkSync',
  'unlinkSync',
] as const;

/** Gives a file system as it is, except that every call that would change something fails with EROFS, as on a read-only disk. */
export function readOnlyFileSystem(fs: FileSystem): FileSystem {
  const { O_WRONLY, O_RDWR, O_CREAT, O_TRUNC } = fs.constants;
  const mayChange = (flags: unknown): boolean =>
    typeof flags === 'number'
      ? (flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)) !== 0
      : flags !== undefined && flags !== 'r';
  const refuse = (syscall: string): never => {
    throw Object.assign(new Error(`EROFS: read-only file system, ${syscall}`), { code: 'EROFS', errno: -30, syscall });
  };
  const openSync: FileSystem['openSync'] = (path, flags, mode) =>
    mayChange(flags) ? refuse('open') : fs.openSync(path, flags, mode);
  const refusals = Object.fromEntries(changing.map((name) => [name, () => refuse(name.slice(0, -4))]));
  return new Proxy(fs, {
    get: (target, name) => (name === 'openSync' ? openSync : (refusals[String(name)] ?? Reflect.get(target, name))),
  });
}
