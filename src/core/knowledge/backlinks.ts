// Notes that link to a note, or name it without a link. A question and no file: Obsidian shows the same by itself. A list that is written
// into a note would change it with every other one.

import type { BacklinksResult } from '../../base/types.ts';
import { askedPath } from '../../store/guard/path.ts';
import { linksIn, wordsOfLine } from '../../store/records/knowledge-marks.ts';
import { resolvedPath } from '../../store/records/note-links.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { noKnowledge } from './knowledge-questions.ts';

/** Names of fewer letters are words of other things, too. */
const leastName = 3;
/** A longer title is a text of its own, which no other repeats; a pattern of any length cannot be made. */
const longestName = 200;

/** Finds the lines of other files that link to one, or name it by its title, file name or aliases. Throws INVALID_PATH, NOT_FOUND. */
export function backlinksTo(snapshot: Snapshot, asked: string): BacklinksResult {
  const path = askedPath(asked);
  const text = snapshot.readText(path);
  if (text === null) throw noKnowledge(path);
  const all = [...snapshot.list('knowledge/')]
    .filter(([name]) => name.endsWith('.md'))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const isUnique = all.filter(([name]) => stemOf(name) === stemOf(path)).length < 2;
  const names = namesOf(path, text);
  const links: BacklinksResult['links'][number][] = [];
  const mentions: BacklinksResult['mentions'][number][] = [];
  for (const [other, oid] of all) {
    if (other === path) continue;
    for (const [at, line] of snapshot.readBlob(oid, other).toString('utf8').split('\n').entries()) {
      const found = { path: other, line: at + 1, text: wordsOfLine(line).replace(/^[-*+] +/, '') };
      if (isLinked(line, other, path, isUnique)) links.push(found);
      else if (names?.test(wordsOfLine(line)) === true) mentions.push(found);
    }
  }
  return { path, links, mentions };
}

function stemOf(path: string): string {
  return path
    .slice(path.lastIndexOf('/') + 1)
    .replace(/\.md$/, '')
    .toLowerCase();
}

function isLinked(line: string, from: string, path: string, isUnique: boolean): boolean {
  const bare = path.replace(/\.md$/, '').toLowerCase();
  const isTo = (target: string): boolean => {
    const named = target.toLowerCase().replace(/\.md$/, '');
    return named === bare || (named.includes('/') ? bare.endsWith(`/${named}`) : isUnique && named === stemOf(path));
  };
  if (linksIn(line).some(({ target }) => isTo(target))) return true;
  return [...line.matchAll(/\]\(([^()\s]+\.md)(?:#[^()\s]*)?\)/g)].some(
    ([, target]) => resolvedPath(from, target!) === path,
  );
}

/** The names a note goes by, as a pattern of whole words; undefined where it has none that would be known again. */
function namesOf(path: string, text: string): RegExp | undefined {
  const title = /^# +(?:(?:Procedure|Principle|Insight): )?(.+?)\s*$/m.exec(text)?.[1];
  const aliases = /^aliases:[ \t]*\[([^\]]*)\]/m.exec(text)?.[1]?.split(',') ?? [];
  const names = [title, stemOf(path).replaceAll('-', ' '), ...aliases]
    .map((name) => (name ?? '').trim().replace(/^["']|["']$/g, ''))
    .filter((name) => name.length >= leastName && name.length <= longestName);
  if (names.length === 0) return undefined;
  const escaped = [...new Set(names)].map((name) =>
    name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+'),
  );
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${escaped.join('|')})(?![\\p{L}\\p{N}])`, 'iu');
}
