// The answer to "who wrote this": lines, and for JSON records values, each with its commit.

import { MemoryError } from '../base/errors.ts';
import { splitLines } from '../base/text.ts';
import type { BlameOptions, BlameResult } from '../base/types.ts';
import { shownText } from '../store/forgotten.ts';
import type { Repository } from '../store/git/repository.ts';
import { findEntry } from '../store/git/tree.ts';
import type { Snapshot } from '../store/snapshot.ts';
import { blamesOf } from './blame-cache.ts';
import { blameFields } from './blame-fields.ts';
import { type BlameSources, blameLines } from './blame-lines.ts';
import { historyOf } from './catalogue.ts';
import { FileAncestry } from './file-ancestry.ts';
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
