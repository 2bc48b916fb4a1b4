// What holds ids or words beside the objects: logs of refs, journals, git's notes beside HEAD, and what lies around.

import { defined } from '../../base/errors.ts';
import { formatSignature, type Signature } from '../../store/git/commit-object.ts';
import { filesBelow } from '../../store/git/files-below.ts';
import { isOid, newObject, noOid } from '../../store/git/object-codec.ts';
import { decodeRef } from '../../store/git/refs.ts';
import type { Repository } from '../../store/git/repository.ts';
import type { PendingEntry } from '../../store/journal-records.ts';
import type { PurgedRef, PurgeStage } from '../../store/purge-record.ts';
import { journalOf } from '../../store/recovery.ts';
import { checkedOut } from './arrangement.ts';
import type { Needles } from './needles.ts';
import type { HistoryRewrite } from './rewrite.ts';
import { isWithin } from './targets.ts';

const maxLookedAt = 16 << 20;

/** A file of the git directory, by its path below the common one, and its text. */
export interface LogFile {
  readonly target: string;
  readonly text: string;
}

/** Lists the logs of all refs, of every work tree. */
export function* logFiles({ disk, commonDirectory }: Repository): Generator<LogFile> {
  const folders = ['logs', ...disk.list(`${commonDirectory}/worktrees`).map((name) => `worktrees/${name}/logs`)];
  for (const folder of folders) {
    for (const { path, stat } of filesBelow(disk, `${commonDirectory}/${folder}`)) {
      const text = stat.isFile ? disk.read(path)?.toString('latin1') : undefined;
      if (text !== undefined) yield { target: path.slice(commonDirectory.length + 1), text };
    }
  }
}

/** Lists the objects that a log names. */
export function oidsOfLog(text: string): string[] {
  const found = text.split('\n').flatMap((line) => [line.slice(0, 40), line.slice(41, 81)]);
  return found.filter((oid) => isOid(oid) && oid !== noOid);
}

/** Gives a log as it would be: new ids, no words of what is purged; a line whose history is not whole goes. */
export function cleanLog(
  text: string,
  needles: Needles,
  idOf: (oid: string) => string | null,
  reworded: ReadonlySet<string>,
): string {
  const lines = text.split('\n').flatMap((line) => {
    const tab = line.indexOf('\t');
    const [from, to] = [line.slice(0, 40), line.slice(41, 81)];
    if (!isOid(from) || !isOid(to)) return [];
    const [newFrom, newTo] = [from, to].map((oid) => (oid === noOid ? oid : idOf(oid)));
    if (newFrom === null || newTo === null) return [];
    const who = clean(line.slice(81, tab < 0 ? undefined : tab), needles, 'plain');
    // A log repeats the subjects of commits: of one that is called otherwise now it says no more than that.
    const told = reworded.has(to) ? '\tgit-memory: a commit' : tab < 0 ? '' : line.slice(tab);
    const why = clean(told, needles, 'text');
    return [`${newFrom} ${newTo}${who}${why}`];
  });
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

/** A line for a log whose ref moves on to the receipt. */
export function logLine(from: string, to: string, identity: Signature, id: string): string {
  return `${from} ${to} ${formatSignature(identity)}\tgit-memory: purge ${id}\n`;
}

function clean(text: string, needles: Needles, form: 'text' | 'plain'): string {
  const bytes = Buffer.from(text, 'latin1');
  const after = needles.replace(bytes, form);
  return after === bytes ? text : after.toString('latin1');
}

/** What is done to journals and to what lies around them. */
export interface JournalCleaning {
  /** How many writes change or go. */
  readonly pending: number;
  readonly journals: readonly { readonly target: string; readonly chunks: readonly Uint8Array[] }[];
}

/** Gives the journals of all branches as they would be. Throws JOURNAL_CORRUPT for a damaged one. */
export function cleanJournals(
  repository: Repository,
  needles: Needles,
  gone: readonly string[],
  names: ReadonlyMap<string, string>,
  rewrite: HistoryRewrite,
): JournalCleaning {
  const { disk, ownDirectory } = repository;
  let pending = 0;
  const journals: { target: string; chunks: readonly Uint8Array[] }[] = [];
  for (const name of disk.list(`${ownDirectory}/journal`)) {
    const path = `${ownDirectory}/journal/${name}`;
    const target = `git-memory/journal/${name}`;
    const branch = name.endsWith('.journal') ? decodeRef(name.slice(0, -'.journal'.length)) : null;
    if (branch === null) {
      // A copy of a damaged one: nothing reads it by its checksums.
      const bytes = disk.read(path);
      const after = bytes === null ? null : needles.replace(bytes, 'text');
      if (bytes !== null && after !== bytes) journals.push({ target, chunks: [after!] });
      continue;
    }
    const journal = journalOf(repository, branch);
    journal.refresh();
    journal.checkWhole();
    const versions = new Map<string, string>();
    const entries = journal.pending().flatMap((entry) => {
      const after = cleanEntry(entry, needles, gone, names, rewrite, versions);
      if (after !== entry) pending += 1;
      return after === null ? [] : [after];
    });
    journals.push({ target, chunks: journal.formatted(entries) });
  }
  return { pending, journals };
}

function cleanEntry(
  entry: PendingEntry,
  needles: Needles,
  gone: readonly string[],
  names: ReadonlyMap<string, string>,
  rewrite: HistoryRewrite,
  versions: Map<string, string>,
): PendingEntry | null {
  const nameOf = (name: string) => names.get(name) ?? needles.renamed(name);
  const line = (text: string) => {
    const bytes = Buffer.from(text);
    const after = needles.replace(bytes, 'text');
    return after === bytes ? text : after.toString('utf8');
  };
  let isChanged = false;
  const note = <T>(before: T, after: T): T => {
    if (before !== after) isChanged = true;
    return after;
  };
  const changes = entry.changes.flatMap((change) => {
    if (isWithin(change.path, gone)) {
      isChanged = true;
      return [];
    }
    const path = note(change.path, change.path.split('/').map(nameOf).join('/'));
    const form = /\.ya?ml$/i.test(path) ? 'plain' : 'text';
    const after = note(change.after, change.after === null ? null : needles.replace(change.after, form));
    const known = change.before === null ? null : (versions.get(change.before) ?? rewrite.changed.get(change.before));
    const before = known === undefined ? change.before : note(change.before, known);
    if (change.after !== null && after !== null && after !== change.after)
      versions.set(newObject('blob', change.after).oid, newObject('blob', after).oid);
    return [{ path, before, after }];
  });
  if (changes.length === 0) return null;
  const trailers = entry.trailers.map(({ key, value }) => ({ key, value: note(value, line(value)) }));
  const subject = entry.subject === undefined ? undefined : note(entry.subject, line(entry.subject));
  const run = note(entry.run, line(entry.run));
  return isChanged ? { ...entry, run, changes, trailers, ...defined({ subject }) } : entry;
}

/** Stages what git keeps beside HEAD: notes of where it was, and messages that were being written. */
export function stageNotes(
  repository: Repository,
  needles: Needles,
  idOf: (oid: string) => string | null,
  stage: PurgeStage | null,
): { readonly where: string; readonly why: string }[] {
  const { disk, commonDirectory } = repository;
  const left: { where: string; why: string }[] = [];
  const folders = ['', ...disk.list(`${commonDirectory}/worktrees`).map((name) => `worktrees/${name}/`)];
  for (const folder of folders) {
    for (const name of disk.list(`${commonDirectory}/${folder}`)) {
      const target = `${folder}${name}`;
      const path = `${commonDirectory}/${target}`;
      const stat = disk.stat(path);
      if (!stat?.isFile || stat.size > maxLookedAt || name === 'index' || name.startsWith('git-memory-index')) continue;
      const bytes = disk.read(path);
      if (bytes === null) continue;
      if (/^[A-Z_]+_HEAD$|^AUTO_MERGE$/.test(name)) {
        const oid = bytes.toString('latin1', 0, 40);
        const after = isOid(oid) ? idOf(oid) : oid;
        if (name === 'FETCH_HEAD' || after === null) stage?.remove(target);
        else if (after !== oid) stage?.replace(target, [Buffer.from(`${after}\n`)], 0o644);
        continue;
      }
      const after = needles.replace(bytes, 'text');
      if (after === bytes) continue;
      if (/^[A-Z_]+MSG$/.test(name)) stage?.replace(target, [after], 0o644);
      else left.push({ where: path, why: 'a file of git that people write; edit it' });
    }
  }
  for (const folder of ['hooks', 'info']) {
    for (const { path, stat } of filesBelow(disk, `${commonDirectory}/${folder}`)) {
      const bytes = stat.isFile && stat.size <= maxLookedAt ? disk.read(path) : null;
      if (bytes !== null && needles.isIn(bytes))
        left.push({ where: path, why: 'a file of git that people write; edit it' });
    }
  }
  return left;
}

/** Lists files of the work trees that hold it and are in no commit: they are their owner's. */
export function lyingAround(repository: Repository, needles: Needles): { where: string; why: string }[] {
  const left: { where: string; why: string }[] = [];
  const views = checkedOut(repository);
  let count = 0;
  for (const { disk, workTree } of views) {
    const visit = (folder: string): void => {
      for (const name of disk.list(folder)) {
        if (name === '.git' || count > maxFiles) continue;
        const path = `${folder}/${name}`;
        const stat = disk.stat(path);
        if (stat?.isDirectory) visit(path);
        if (!stat?.isFile || stat.size > maxLookedAt) continue;
        count += 1;
        const bytes = disk.read(path);
        if (bytes !== null && needles.isIn(bytes))
          left.push({ where: path, why: 'a file of yours that is in no commit, or edited since' });
      }
    };
    visit(workTree!);
  }
  return left;
}

const maxFiles = 50_000;

/** Whether a ref of a remote tells of history as it is there: what is rewritten here would not be true of it. */
export function tellsOfRemote(ref: string): boolean {
  return ref.startsWith('refs/remotes/') || ref.startsWith('refs/git-memory/remotes/');
}

/** Finds names of remotes' main branches that would lead nowhere. */
export function danglingHeads({ disk, commonDirectory }: Repository, refs: readonly PurgedRef[]): string[] {
  const gone = new Set(refs.filter(({ to }) => to === null).map(({ ref }) => ref));
  return disk.list(`${commonDirectory}/refs/remotes`).flatMap((name) => {
    const target = `refs/remotes/${name}/HEAD`;
    const text = disk.readText(`${commonDirectory}/${target}`) ?? '';
    return gone.has(/^ref: (.+?)\s*$/.exec(text)?.[1] ?? '') ? [target] : [];
  });
}
