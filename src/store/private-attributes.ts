// The part of info/attributes that gives private paths to the filter. A file lies open in the work tree only where it stands here.
//
//   # private: knowledge/people/**                                          the glob of memory.yaml
//   "/knowledge/people/**" filter=git-memory diff=git-memory -text          the same for gitattributes(5)

import { withLastLineEnded } from '../base/text.ts';
import type { Repository } from '../git/repository.ts';
import { maxGitConfigBytes } from '../guard/limits.ts';

const mark = '# private: ';
const attributes = 'filter=git-memory diff=git-memory -text';

function pathOf({ commonDirectory }: Repository): string {
  return `${commonDirectory}/info/attributes`;
}

/** Lists the globs that stand there. */
export function readPrivateAttributes(repository: Repository): string[] {
  const text = repository.disk.readText(pathOf(repository), maxGitConfigBytes) ?? '';
  return text.split('\n').flatMap((line) => (line.startsWith(mark) ? [line.slice(mark.length)] : []));
}

/** Adds globs that are not there yet; those that are stay, since older states have private texts, too. Tells whether it wrote. */
export function writePrivateAttributes(repository: Repository, patterns: readonly string[]): boolean {
  const known = new Set(readPrivateAttributes(repository));
  const missing = patterns.filter((pattern) => !known.has(pattern) && !/[\n\r]/.test(pattern));
  if (missing.length === 0) return false;
  const path = pathOf(repository);
  const { disk, commonDirectory } = repository;
  const present = disk.readText(path, maxGitConfigBytes) ?? '';
  const lines = missing.flatMap((pattern) => [
    `${mark}${pattern}`,
    `${attributePattern(pattern)} ${attributes}`,
    `${attributePattern(`archive/${pattern}`)} ${attributes}`,
  ]);
  disk.makeDirectory(`${commonDirectory}/info`);
  disk.replace(path, [Buffer.from(`${withLastLineEnded(present)}${lines.join('\n')}\n`)]);
  return true;
}

/** Writes a glob over whole paths as a pattern of gitattributes: from the root on, with its special signs escaped, in quotes. */
function attributePattern(glob: string): string {
  const escaped = `/${glob}`.replace(/[\\[\]]/g, '\\$&');
  return `"${escaped.replace(/[\\"]/g, '\\$&').replaceAll('\t', '\\t')}"`;
}
