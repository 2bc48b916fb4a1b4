// The answer to "who wrote this": lines, and for JSON records values, each with its commit.

import { isJsonObject, isSameJson, parseJson } from '../base/canonical-json.ts';
import { MemoryError } from '../base/errors.ts';
import { splitLines } from '../base/text.ts';
import type { BlameOptions, BlameResult } from '../base/types.ts';
import { shownText } from '../store/forgotten.ts';
import type { Repository } from '../store/git/repository.ts';
import { findEntry } from '../store/git/tree.ts';
import type { Snapshot } from '../store/snapshot.ts';
import { blamesOf } from './blame-cache.ts';
import { type BlameSources, blameLines } from './blame-lines.ts';
import { historyOf } from './catalogue.ts';
import { CommitQueue } from './commit-queue.ts';
import { FileAncestry, type FileVersion } from './file-ancestry.ts';
import { hunksOf } from './hunk-cache.ts';
import { entryOf } from './log.ts';

/**
 * Blames a file of a snapshot; lines that are pending have no commit.
 *
 * Throws NOT_FOUND when there is no such file, INVALID_ARGUMENT for a folder, a submodule or lines that it does not have.
 */
export function blameOf(
  repository: Repository,
  snapshot: Snapshot,
  path: string,
  options: BlameOptions = {},
): BlameResult {
  const content = contentOf(repository, snapshot, path);
  const texts = splitLines(shownText(snapshot, path, content.toString('utf8'), 'forgotten'));
  const range = rangeOf(options.lines, texts.length, path);
  const catalogue = historyOf(repository);
  const blames = blamesOf(repository);
  const sources: BlameSources = {
    catalogue,
    ancestry: new FileAncestry(catalogue, repository.objects),
    hunks: hunksOf(repository),
    blames,
    read: (oid, original) => snapshot.readBlob(oid, original),
  };
  const version = snapshot.commit === null ? null : sources.ancestry.at(snapshot.commit, path);
  const isPending = snapshot.overlay?.files.has(path) === true;
  const isWhole = options.lines === undefined && !isPending;
  const target = { version, path, range, isWhole, ...(isPending ? { pending: content } : {}) };
  const lines = blameLines(sources, target).flatMap((part) =>
    Array.from({ length: part.count }, (_, offset) => ({
      line: part.start + offset + 1,
      commit: part.commit,
      originalLine: part.originalStart + offset + 1,
      originalPath: part.originalPath,
      text: texts[part.start + offset]!,
    })),
  );
  const fields = path.endsWith('.json') ? blameFields(sources, version, isPending ? content : undefined) : null;
  catalogue.save();
  sources.hunks.save();
  blames.save();
  const named = new Set([...lines, ...(fields ?? [])].map(({ commit }) => commit).filter((commit) => commit !== null));
  const commits = [...named].map((commit) => entryOf(repository, commit));
  return {
    path,
    commit: snapshot.commit,
    lines,
    ...(fields === null ? {} : { fields }),
    commits: commits.sort((a, b) => (a.time < b.time ? 1 : a.time > b.time ? -1 : 0)),
  };
}

function contentOf(repository: Repository, snapshot: Snapshot, path: string): Buffer {
  const isPending = snapshot.overlay?.files.has(path) === true;
  const entry = isPending ? null : findEntry(snapshot.tree, path, repository.objects.readTree);
  if (entry?.mode === '40000' || entry?.mode === '160000') {
    throw new MemoryError('INVALID_ARGUMENT', `${path} is a ${entry.mode === '40000' ? 'folder' : 'submodule'}`, {
      where: path,
      hint: 'Name a file in it; `git memory log <path>` shows what happened to all of them',
    });
  }
  const content = snapshot.read(path);
  if (content !== null) return content;
  throw new MemoryError('NOT_FOUND', `${path} is not there`, {
    where: path,
    hint: '`git memory log <path>` shows whether it ever existed; --at asks an earlier state',
  });
}

function rangeOf(lines: BlameOptions['lines'], count: number, path: string): [number, number] {
  if (lines === undefined) return [0, count];
  const [first, last] = lines;
  const isRange = Number.isSafeInteger(first) && Number.isSafeInteger(last) && first >= 1 && last >= first;
  if (!isRange)
    throw new MemoryError('INVALID_ARGUMENT', 'lines are a first and a last line, from 1', { where: 'lines' });
  if (first > count) {
    throw new MemoryError('INVALID_ARGUMENT', `${path} has ${count === 0 ? 'no lines' : `only ${count} lines`}`, {
      where: 'lines',
    });
  }
  return [first - 1, Math.min(last, count)];
}

interface BlamedField {
  /** Its name; those of an object in the record follow a dot: `meta.tags`. */
  readonly field: string;
  readonly value: unknown;
  /** `null` while the value is not in a commit yet. */
  readonly commit: string | null;
}

interface Waiting extends FileVersion {
  readonly names: Set<string>;
}

/**
 * Tells where the values of a record come from, in the order of the record; `null` when the text is not a JSON object. A field goes to the
 * first parent that has the same value.
 *
 * `pending` is the text to be blamed where it is not that of the commit.
 */
function blameFields(sources: BlameSources, version: FileVersion | null, pending?: Buffer): BlamedField[] | null {
  const texts = new Map<string, ReadonlyMap<string, unknown> | null>();
  const fieldsOf = ({ oid, path }: FileVersion) => {
    if (!texts.has(oid)) texts.set(oid, parseFields(sources.read(oid, path)));
    return texts.get(oid) ?? null;
  };
  const asked = pending === undefined ? fieldsOf(version!) : parseFields(pending);
  if (asked === null) return null;
  const commits = new Map<string, string | null>();
  const queue = new CommitQueue();
  const waiting = new Map<number, Waiting[]>();
  const hand = (to: FileVersion, names: Iterable<string>) => {
    const all = waiting.get(to.number) ?? [];
    let one = all.find((candidate) => candidate.path === to.path);
    if (!one) {
      one = { ...to, names: new Set() };
      all.push(one);
    }
    if (!waiting.has(to.number)) queue.push(to.number, sources.catalogue.timeAt(to.number));
    waiting.set(to.number, all);
    for (const name of names) one.names.add(name);
  };
  const isSame = (name: string, other: ReadonlyMap<string, unknown> | null) =>
    other?.has(name) === true && isSameJson(other.get(name), asked.get(name));
  const names = [...asked.keys()];
  if (pending === undefined) hand(version!, names);
  else {
    const committed = version && fieldsOf(version);
    const kept = names.filter((name) => isSame(name, committed));
    if (kept.length > 0) hand(version!, kept);
    for (const name of names) if (!kept.includes(name)) commits.set(name, null);
  }
  for (let number = queue.pop(); number !== undefined; number = queue.pop()) {
    const here = waiting.get(number) ?? [];
    waiting.delete(number);
    for (const one of here) {
      const before = sources.ancestry.before(one);
      if ('same' in before) {
        hand(before.same, one.names);
        continue;
      }
      const rest = new Set(one.names);
      for (const parent of before.different) {
        const passed = [...rest].filter((name) => isSame(name, fieldsOf(parent)));
        if (passed.length > 0) hand(parent, passed);
        for (const name of passed) rest.delete(name);
      }
      for (const name of rest) commits.set(name, sources.catalogue.oidAt(number));
    }
  }
  return names.map((name) => ({ field: name, value: asked.get(name), commit: commits.get(name) ?? null }));
}

/** What is no record in one revision has no fields there. */
function parseFields(bytes: Buffer): Map<string, unknown> | null {
  let value: unknown;
  try {
    value = parseJson(bytes.toString('utf8'), 'record');
  } catch (error) {
    if (error instanceof MemoryError) return null;
    throw error;
  }
  if (!isJsonObject(value)) return null;
  const fields = new Map<string, unknown>();
  for (const [name, field] of Object.entries(value)) {
    const inner = isJsonObject(field) ? Object.entries(field) : [];
    if (inner.length === 0) fields.set(name, field);
    for (const [key, part] of inner) fields.set(`${name}.${key}`, part);
  }
  return fields;
}
