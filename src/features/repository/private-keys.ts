// The keys of private texts as questions and as acts: which one holds, another one from now on, and what native git has to know.

import { randomBytes } from 'node:crypto';
import { MemoryError } from '../../base/errors.ts';
import type { Clock } from '../../base/ports.ts';
import type { KeyChange, KeyStatus } from '../../base/types.ts';
import { waitingEntry } from '../../core/capture/record-now.ts';
import { planConfiguration } from '../../core/write/configuration.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import { hasFilter } from '../../store/file-content.ts';
import { flushBefore } from '../../store/flush-before.ts';
import type { KeyRing } from '../../store/key-ring.ts';
import type { FileChange, Operation } from '../../store/operation.ts';
import { keyIdOf, newKey, type PrivateKey, parseKey } from '../../store/records/private-text.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { type FilterCommands, installPrivateFilter } from './install-git-drivers.ts';

export interface KeyDependencies {
  readonly store: BranchStore;
  readonly keys: KeyRing;
  readonly commands: FilterCommands;
  readonly clock: Clock;
  /** False inside a project: what changes waits in the journal for a commit on request. */
  readonly isImmediate: boolean;
}

/** Tells what is private, under which keys it lies, and whether they are here. */
export function keyStatusOf(snapshot: Snapshot, keys: KeyRing, store: BranchStore): KeyStatus {
  const { privacy } = snapshot;
  const counts = new Map<string, number>();
  const open: string[] = [];
  if (privacy.patterns.length > 0) {
    for (const [path, oid] of snapshot.listStored()) {
      if (!privacy.isPrivate(path)) continue;
      const id = keyIdOf(snapshot.readStored(oid, path));
      if (id === null) open.push(path);
      else counts.set(id, (counts.get(id) ?? 0) + 1);
    }
  }
  if (privacy.keyId !== null && !counts.has(privacy.keyId)) counts.set(privacy.keyId, 0);
  return {
    paths: privacy.patterns,
    key: privacy.keyId,
    place: keys.store.place,
    keys: [...counts].map(([id, files]) => ({ id, files, isHere: keys.find(id) !== null })),
    open,
    filter: hasFilter(store.repository),
  };
}

/** Makes a key, keeps it, names it and stores private texts (and `paths`) under it, in one commit. Throws ALREADY_EXISTS, PRIVATE_KEY_MISSING. */
export async function nameNewKey(
  dependencies: KeyDependencies,
  { paths = [], isRotation }: { paths?: readonly string[]; isRotation: boolean },
): Promise<KeyChange> {
  const { store, keys, clock, isImmediate } = dependencies;
  const { privacy } = store.snapshot();
  if (privacy.keyId !== null && !isRotation) {
    throw new MemoryError('ALREADY_EXISTS', `private texts already have a key, ${privacy.keyId}`, {
      where: 'private_under',
      hint: '`git memory key rotate` replaces it; `git memory key import` brings it to another machine',
    });
  }
  if (privacy.keyId === null && isRotation) throw noKey();
  checkPatterns(paths);
  checkAllOpen(store.snapshot(), keys);
  const key = newKey(randomBytes(32));
  checkOutside(store, keys);
  keys.add(key);
  const patterns = [...new Set([...privacy.patterns, ...paths])];
  const gitFiles = install(dependencies, patterns);
  const values = { private_under: key.id, ...(paths.length === 0 ? {} : { private: patterns }) };
  const planned = planConfiguration(values);
  const plan = (snapshot: Snapshot): FileChange => {
    const edit = planned(snapshot) as { path: string; after: string };
    return { path: edit.path, before: snapshot.oidOf(edit.path), after: Buffer.from(edit.after) };
  };
  const subject = `private texts under the key ${key.id}`;
  const operation = (snapshot: Snapshot): Operation => {
    return { kind: 'maintenance', name: 'key', subject, trailers: [], changes: [plan(snapshot)], onConflict: 'refuse' };
  };
  if (!isImmediate) {
    await store.append((snapshot) => [waitingEntry(operation(snapshot), `key:${key.id}`, clock.now())]);
    return { id: key.id, place: keys.store.place, commit: null, gitFiles };
  }
  await flushBefore(store);
  const { commits, conflicts } = await store.commit((snapshot) => [operation(snapshot)], { onBusy: 'fail' });
  if (conflicts.length > 0) {
    throw new MemoryError('CONFLICT', 'memory.yaml has an edit that contradicts this change', {
      where: conflicts[0]!,
      hint: 'Check it and repeat the call',
    });
  }
  await store.showAgain();
  return { id: key.id, place: keys.store.place, commit: commits.at(-1) ?? null, gitFiles };
}

/** Keeps a key that another machine made, and lets the work tree show what it opens. Throws INVALID_ARGUMENT for what is no key. */
export async function importKey(dependencies: KeyDependencies, text: string): Promise<KeyChange> {
  const { store, keys } = dependencies;
  const key = typeof text === 'string' ? parseKey(text.trim()) : null;
  if (key === null) {
    throw new MemoryError('INVALID_ARGUMENT', 'this is not a key of git-memory, or it was mistyped', {
      where: 'key',
      hint: 'A key begins with gmk1_ and has 53 characters; copy all of it from `git memory key show`',
    });
  }
  checkOutside(store, keys);
  keys.add(key);
  const gitFiles = install(dependencies, store.snapshot().privacy.patterns);
  await store.showAgain();
  return { id: key.id, place: keys.store.place, commit: null, gitFiles };
}

/** Gives a key as people pass it on; default: the one that memory.yaml names. Throws PRIVATE_KEY_MISSING, NOT_FOUND. */
export function shownKey(snapshot: Snapshot, keys: KeyRing, id?: string): PrivateKey {
  const wanted = id ?? snapshot.privacy.keyId;
  if (wanted === null) throw noKey();
  const key = keys.find(wanted);
  if (key !== null) return key;
  throw new MemoryError('PRIVATE_KEY_MISSING', `the key ${wanted} is not on this machine`, {
    where: keys.store.place,
    hint: 'Print it on the other machine with `git memory key show`, then run `git memory key import` here',
  });
}

/** Tells native git of the filter where it has files to filter; gives the paths of what was written. */
export function install(
  { store, commands }: Pick<KeyDependencies, 'store' | 'commands'>,
  patterns: readonly string[],
): string[] {
  const { repository } = store;
  return repository.workTree === null ? [] : installPrivateFilter(repository, commands, patterns);
}

function noKey(): MemoryError {
  const hint = 'Create one with `git memory key new`';
  return new MemoryError('NOT_FOUND', 'memory.yaml names no key of private texts', { where: 'private_under', hint });
}

function checkPatterns(paths: readonly string[]): void {
  for (const path of paths) {
    if (typeof path === 'string' && path !== '' && !/[\n\r\0]/.test(path) && !path.startsWith('/')) continue;
    throw new MemoryError('INVALID_ARGUMENT', 'a glob of private paths is empty, absolute, or has a line end', {
      where: 'paths',
      hint: 'Write it like knowledge/people/**',
    });
  }
}

/** Before anything is written: each text that is to be stored anew can be read. */
function checkAllOpen(snapshot: Snapshot, keys: KeyRing): void {
  for (const [path, oid] of snapshot.listStored()) {
    if (!snapshot.privacy.isPrivate(path)) continue;
    const id = keyIdOf(snapshot.readStored(oid, path));
    if (id !== null && keys.find(id) === null) snapshot.readBlob(oid, path);
  }
}

/** A key beside the texts that it locks would be given away with them. */
function checkOutside({ repository }: BranchStore, keys: KeyRing): void {
  const { place } = keys.store;
  const { workTree, commonDirectory } = repository;
  if (![workTree, commonDirectory].some((one) => one !== null && place.startsWith(`${one}/`))) return;
  throw new MemoryError('INVALID_ARGUMENT', 'the keys would be inside the repository that they lock', {
    where: place,
    hint: 'Nothing was written. Set XDG_CONFIG_HOME to a folder outside the repository',
  });
}
