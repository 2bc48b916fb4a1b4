// A purge that is under way, as a record whose every step can be done again: the next process that takes the lock finishes it.
//
//   objects written as a pack, files staged in git-memory/purge/ → index locks → record, synced   before: nothing has happened
//   → mark → refs → work trees and index → logs, journals → caches, lists, old packs, loose objects → record goes
//
// Nothing in the record or beside it holds what is purged.

import { isJsonObject } from '../base/canonical-json.ts';
import { isSystemError, MemoryError } from '../base/errors.ts';
import { isOid } from './git/object-codec.ts';
import { dropObjects, type PlannedDrop } from './git/pack-purge.ts';
import { privateMode } from './git/permissions.ts';
import { PurgeMark, purgeMarkName } from './git/purge-mark.ts';
import { type Repository, textlessCache } from './git/repository.ts';
import { checkRefName } from './guard/ref-name.ts';

/** A ref that moves, or goes. */
export interface PurgedRef {
  readonly ref: string;
  readonly from: string;
  readonly to: string | null;
}

/** A file of the git directory that becomes another one, or goes. */
interface PurgedFile {
  /** Below the common git directory. */
  readonly target: string;
  /** Name in `git-memory/purge/`; null when the file goes. */
  readonly staged: string | null;
}

/** All that is left to do, in ids and names alone. */
interface PurgeRecord {
  readonly version: 1;
  readonly id: string;
  readonly refs: readonly PurgedRef[];
  readonly files: readonly PurgedFile[];
  readonly drop: PlannedDrop;
}

const folderName = 'purge';
const recordName = 'record.json';
const version = 1;

const folderOf = (repository: Repository): string => `${repository.ownDirectory}/${folderName}`;

/** Tells whether a purge was begun that somebody has to finish. */
export const isPurging = (repository: Repository): boolean =>
  repository.disk.exists(`${folderOf(repository)}/${recordName}`);

/** Collects files for a record; what a killed attempt left is removed first. */
export class PurgeStage {
  readonly files: PurgedFile[] = [];
  private readonly repository: Repository;

  constructor(repository: Repository) {
    this.repository = repository;
    clearStage(repository);
    repository.disk.makeDirectory(folderOf(repository), privateMode);
  }

  /** Has a file of the git directory become these bytes. */
  replace(target: string, chunks: readonly Uint8Array[], mode = 0o600): void {
    const staged = `file-${this.files.length}`;
    this.repository.disk.writeNew(`${folderOf(this.repository)}/${staged}`, chunks, { mode });
    this.files.push({ target: checkTarget(target), staged });
  }

  /** Has a file of the git directory go. */
  remove(target: string): void {
    this.files.push({ target: checkTarget(target), staged: null });
  }

  /** Writes the record, from which on the purge happens whatever becomes of this process. */
  commit(record: Omit<PurgeRecord, 'version' | 'files'>): PurgeRecord {
    const { disk } = this.repository;
    const folder = folderOf(this.repository);
    const whole: PurgeRecord = { version, ...record, files: this.files };
    disk.writeNew(`${folder}/new`, [Buffer.from(JSON.stringify(whole))], { mode: 0o600 });
    disk.syncDirectory(folder);
    disk.rename(`${folder}/new`, `${folder}/${recordName}`);
    disk.syncDirectory(folder);
    disk.syncDirectory(this.repository.ownDirectory);
    return whole;
  }
}

/** Removes what was staged for a purge that was not begun. */
export function clearStage(repository: Repository): void {
  const { disk } = repository;
  const folder = folderOf(repository);
  for (const name of disk.list(folder)) disk.remove(`${folder}/${name}`);
  if (disk.exists(folder)) disk.fs.rmdirSync(folder);
}

/** Reads the record of a purge that is under way; null when there is none. Throws REPOSITORY_CORRUPT for one that is no record of ours. */
export function readPurge(repository: Repository): PurgeRecord | null {
  const path = `${folderOf(repository)}/${recordName}`;
  repository.disk.refuseLinks(repository.commonDirectory, path);
  const text = repository.disk.readText(path);
  if (text === null) return null;
  const record = parseRecord(text);
  if (record !== null) return record;
  const hint = 'Nothing was changed; back up the repository, move that folder elsewhere and repeat the purge';
  throw new MemoryError('REPOSITORY_CORRUPT', 'the record of an unfinished purge is damaged', { where: path, hint });
}

/**
 * Moves the refs of a record, and marks that history was rewritten. Gives the refs that somebody else has moved meanwhile: what they
 * hold must stay.
 */
export function moveRefs(repository: Repository, { refs: moves, files }: PurgeRecord): string[] {
  const { refs, objects } = repository;
  place(
    repository,
    files.find(({ target }) => target === `git-memory/${purgeMarkName}`),
    false,
  );
  const moved: string[] = [];
  for (const { ref, from, to } of moves) {
    const current = refs.read(ref);
    if (current === to) continue;
    const identity = to === null || objects.read(to).type !== 'commit' ? anybody : objects.readCommit(to).committer;
    refs.notes.forget(ref);
    const isDone = current === from && refs.update({ ref, from, to, reason: 'git-memory: purge', identity });
    if (!isDone) moved.push(ref);
  }
  if (moved.length === 0) refs.unpack(new Set(moves.map(({ ref }) => ref)));
  return moved;
}

const anybody = { name: 'git-memory', email: 'git-memory@localhost', time: 0, zone: '+0000' };

/** Removes every cache that may hold words; they are made again from what may be kept. */
export function removeTextCaches(repository: Repository): void {
  const cache = `${repository.ownDirectory}/cache`;
  for (const name of repository.disk.list(cache))
    if (!textlessCache.test(name)) removeAll(repository, `${cache}/${name}`);
}

/** Does all the rest, when refs and work trees are in step: files, caches, objects, and last the record itself. */
export function finishPurge(repository: Repository, record: PurgeRecord): void {
  const { disk, ownDirectory } = repository;
  for (const file of record.files) place(repository, file, true);
  removeTextCaches(repository);
  for (const name of ['fetch', 'quarantine']) removeAll(repository, `${ownDirectory}/${name}`);
  dropObjects(repository, record.drop);
  touchMark(repository);
  disk.remove(`${folderOf(repository)}/${recordName}`);
  clearStage(repository);
}

/** Gives up a purge that could not move a ref: objects, logs and all stay. */
export function abandonPurge(repository: Repository, record: PurgeRecord): void {
  repository.disk.remove(`${folderOf(repository)}/${recordName}`);
  clearStage(repository);
  if (record.drop.pack === null) return;
  // What the refs that did move lead to is in it.
  repository.disk.removeQuietly(`${repository.objects.packDirectory}/${record.drop.pack}.keep`);
}

/** Gives the mark another stat, so that who read objects since it was made forgets them. */
function touchMark(repository: Repository): void {
  const { disk, ownDirectory } = repository;
  const path = `${ownDirectory}/${purgeMarkName}`;
  const temporary = `${folderOf(repository)}/mark`;
  disk.remove(temporary);
  disk.writeNew(temporary, [new PurgeMark(disk, ownDirectory).formatted(new Map())], { mode: 0o600 });
  disk.rename(temporary, path);
  disk.syncDirectory(ownDirectory);
}

function place(repository: Repository, file: PurgedFile | undefined, isLast: boolean): void {
  if (file === undefined) return;
  const { disk, commonDirectory } = repository;
  const target = `${commonDirectory}/${file.target}`;
  disk.refuseLinks(commonDirectory, target);
  if (file.staged === null) {
    disk.remove(target);
    return;
  }
  const staged = `${folderOf(repository)}/${file.staged}`;
  // Placed already, by whoever was here before.
  if (!disk.exists(staged)) return;
  const folder = target.slice(0, target.lastIndexOf('/'));
  if (!disk.exists(folder)) disk.makeDirectory(folder);
  disk.rename(staged, target);
  if (isLast) disk.syncDirectory(folder);
}

function removeAll(repository: Repository, path: string): void {
  const { disk } = repository;
  if (disk.stat(path)?.isDirectory !== true) {
    disk.remove(path);
    return;
  }
  for (const name of disk.list(path)) removeAll(repository, `${path}/${name}`);
  try {
    disk.fs.rmdirSync(path);
  } catch (error) {
    // Somebody has put something there meanwhile: of after the purge, since caches are fenced.
    if (!isSystemError(error, 'ENOTEMPTY', 'ENOENT')) throw error;
  }
}

/** The only files that a record may name: a repository from elsewhere may bring one along. */
const targetPattern =
  /^(?:(?:worktrees\/[^/]+\/)?(?:refs\/remotes\/[^/\0]+\/HEAD|logs\/[^\0]+|[A-Z_]+(?:_HEAD|MSG)|AUTO_MERGE)|git-memory\/(?:purged|dropped|journal\/[^/\0]+))$/;

function checkTarget(target: string): string {
  const isInside = targetPattern.test(target) && !target.split('/').some((name) => ['', '.', '..'].includes(name));
  if (isInside) return target;
  throw new MemoryError('UNSAFE_FILE', 'a purge writes no such file', { where: target });
}

function parseRecord(text: string): PurgeRecord | null {
  try {
    const raw = JSON.parse(text) as PurgeRecord;
    if (!isJsonObject(raw) || raw.version !== version || typeof raw.id !== 'string') return null;
    for (const { ref, from, to } of raw.refs) {
      if (checkRefName(ref) !== ref || !isOid(from) || (to !== null && !isOid(to))) return null;
    }
    for (const { target, staged } of raw.files) {
      checkTarget(target);
      if (staged !== null && !/^file-\d+$/.test(staged)) return null;
    }
    const { pack, keep, packs, loose } = raw.drop;
    const isPack = (name: unknown) => typeof name === 'string' && /^[A-Za-z0-9-]+$/.test(name);
    if (!(pack === null || isPack(pack)) || !packs.every(isPack) || !loose.every(isOid)) return null;
    return keep === null || typeof keep === 'string' ? raw : null;
  } catch {
    // No JSON, or of another shape.
    return null;
  }
}
