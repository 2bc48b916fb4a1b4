// Doctor looks at objects and packs: everything the branch leads to is read, with `all` every copy of everything.

import { MemoryError, orElse } from '../../base/errors.ts';
import { blobInWorkTree } from '../../store/damaged-files.ts';
import { readIndex } from '../../store/git/index-file.ts';
import { hashObject, type NewObject, newObject } from '../../store/git/object-codec.ts';
import { indexPack } from '../../store/git/pack-indexer.ts';
import { dropDerived, packSuffixes } from '../../store/git/pack-purge.ts';
import type { Repository } from '../../store/git/repository.ts';
import { editTree, type TreeChange } from '../../store/git/tree.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import type { Examination, Examined } from './examination.ts';
import type { ReachableWalk, Unreadable } from './reachable.ts';

/** Packs first: what a lost index hides would all be missing. */
export function examinePacks(examination: Examination, { objects, disk }: Repository): void {
  objects.rescanPacks();
  const names = new Set(disk.list(objects.packDirectory));
  const paths = [...names].filter((name) => /^pack-[0-9a-f]{40}\.pack$/.test(name)).map((name) => name.slice(0, -5));
  for (const name of paths) {
    const pack = `${objects.packDirectory}/${name}.pack`;
    const index = `${objects.packDirectory}/${name}.idx`;
    const isThere = names.has(`${name}.idx`);
    const problem = objects.unreadablePacks.get(index);
    if (isThere && problem === undefined) continue;
    examination.find('PACK_UNREADABLE', isThere ? index : pack, problem?.what ?? 'the pack has no index', {
      does: 'make a new index from the pack',
      run: () => {
        const made = indexPack(disk, pack, (oid) => objects.read(oid));
        const moved = isThere ? `; the old one is ${examination.quarantine(index, problem!.what)}` : '';
        disk.writeNew(index, [made.index], { mode: 0o444 });
        objects.rescanPacks();
        return `a new index of ${made.count} objects was made${moved}`;
      },
    });
  }
  for (const [index, problem] of objects.unreadablePacks) {
    if (names.has(`${index.slice(index.lastIndexOf('/') + 1, -4)}.pack`)) continue;
    const hint = 'An index without its pack says nothing; look for the pack';
    examination.find('PACK_UNREADABLE', index, problem.what, hint);
  }
}

/** What nothing can be read of is mended where the right bytes lie elsewhere, which their name proves. */
export function reportUnreadable(examined: Examined, walk: ReachableWalk, present: Snapshot | null): void {
  for (const damage of walk.unreadable) {
    if (mendElsewhere(examined, damage, present)) continue;
    const hint = 'Fetch it from another clone, or restore it from a backup; what was written since does not need it';
    examined.examination.find(damage.error.code, damage.oid, told(damage), hint);
  }
}

const told = ({ error, oid, type, path, commit }: Unreadable) =>
  `${type} ${oid.slice(0, 12)}, ${path === '' ? '' : `${path} of `}commit ${commit.slice(0, 12)}: ${error.what}`;

/** Notes an object whose bytes lie elsewhere, with what mends it; false where they do not. */
export function mendElsewhere(examined: Examined, damage: Unreadable, present: Snapshot | null): boolean {
  const { error, oid, type } = damage;
  const { examination, repository } = examined;
  const find = type === 'blob' ? findBlob : type === 'tree' ? findTree : undefined;
  const healed = find?.(examined, damage, present) ?? null;
  if (healed === null) return false;
  examination.find(error.code, oid, told(damage), {
    does: `write it again from ${healed.source}, which holds the very bytes`,
    run: () => {
      repository.objects.write([newObject(healed.type, healed.data)])();
      repository.objects.read(oid);
      return `written again from ${healed.source}`;
    },
  });
  return true;
}

interface Found {
  readonly type: 'blob' | 'tree';
  readonly data: Buffer;
  readonly source: string;
}

function findBlob({ repository, codec }: Examined, { oid, path }: Unreadable, present: Snapshot | null): Found | null {
  const isIt = (data: Buffer | null | undefined): data is Buffer => data != null && hashObject('blob', data) === oid;
  const pending = present?.overlay?.files.get(path)?.bytes;
  if (isIt(pending)) return { type: 'blob', data: pending, source: 'the journal' };
  // The same key makes the same bytes of a private text.
  const data = blobInWorkTree(repository, oid, path, (plain) => codec.encode(path, plain));
  return data === null ? null : { type: 'blob', data, source: 'the work tree' };
}

/** A tree of the checked-out commit follows from git's index, which lists all its files. */
function findTree({ repository }: Examined, { oid, path }: Unreadable): Found | null {
  if (repository.workTree === null) return null;
  return orElse(() => {
    const { index } = readIndex(repository.disk, `${repository.gitDirectory}/index`);
    const prefix = path === '' ? '' : `${path}/`;
    const changes = new Map<string, TreeChange>();
    for (const entry of index.entries()) {
      if (!entry.path.startsWith(prefix)) continue;
      const mode = entry.mode === 0o100755 ? '100755' : '100644';
      changes.set(entry.path.slice(prefix.length), { mode, oid: entry.oid });
    }
    const made = editTree(null, changes, () => []).trees.find((tree) => tree.oid === oid);
    return made ? { type: 'tree', data: made.data, source: "git's index" } : null;
  }, null);
}

/** Reads every copy of every object. A damaged one that nothing needs goes aside, what is whole of its pack is written anew. `told`: needed, unread. */
export function* examineCopies(
  examination: Examination,
  repository: Repository,
  told: ReadonlySet<string>,
): Generator<number> {
  const { objects } = repository;
  const packs = new Map<string, string[]>();
  const kept = new Set<string>();
  let count = 0;
  for (const { oid, where, read } of objects.copies()) {
    count += 1;
    try {
      read();
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      const what = `${oid}: ${error.what}`;
      // A finding says already what something leads to, with what can be done about it; its only copy stays.
      if (told.has(oid) && !canRead(repository, oid)) kept.add(where);
      else if (where.endsWith('.pack')) packs.set(where, [...(packs.get(where) ?? []), what]);
      else {
        const mend = examination.moving(where, error.what, 'move the damaged file into quarantine');
        examination.find('COPY_DAMAGED', where, what, mend);
      }
    }
    yield count;
  }
  for (const [pack, [what, ...others]] of packs) {
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
    const mend = kept.has(pack)
      ? 'It stays, for it has the only copy of what something leads to'
      : {
          does: 'write what is whole of the pack anew, and put it aside',
          run: () => `what is whole was written anew; the pack is ${rewritePack(examination, repository, pack, what!)}`,
        };
    examination.find('COPY_DAMAGED', pack, `${what}${more}`, mend);
  }
}

function rewritePack(examination: Examination, repository: Repository, pack: string, why: string): string {
  const { objects, disk } = repository;
  const whole: NewObject[] = [];
  for (const { where, read } of objects.copies()) {
    const object = where === pack ? orElse(read, null) : null;
    if (object !== null) whole.push(newObject(object.type, object.data));
  }
  objects.write(whole)();
  dropDerived(repository);
  const beside = pack.slice(0, -'.pack'.length);
  for (const suffix of packSuffixes) {
    if (suffix !== 'pack' && disk.exists(`${beside}.${suffix}`)) examination.quarantine(`${beside}.${suffix}`, why);
  }
  const moved = examination.quarantine(pack, why);
  objects.rescanPacks();
  return moved;
}

function canRead(repository: Repository, oid: string): boolean {
  return orElse(() => repository.objects.read(oid), null) !== null;
}
