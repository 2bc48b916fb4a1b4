// The expectation that somebody wants who takes a mistake back: what was said wrongly stays away, and what replaced it is said.

import { oneLine, slugOf, splitLines } from '../../base/text.ts';
import { wordsOfClaim } from '../../store/claims/claim.ts';
import { kindOf } from '../../store/records/kind.ts';
import { parseMemory } from '../../store/records/memory-record.ts';
import { formatYamlObject } from '../../store/records/yaml.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { expectFolder } from './expectation.ts';

/** So many statements of one undo are written down; of more the person chooses better. */
const mostStatements = 20;
const mostWords = 200;

/** A file that is ready to be written. */
export interface ReadyFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Writes expectations of what an undo changed: of each statement that went, that it stays away; of each that came back, that it is said.
 *
 * Gives null where no statement went or came. `name` tells what was taken back, as in `undo of 1a2b3c4`.
 */
export function readyExpectations(before: Snapshot, after: Snapshot, name: string): ReadyFile | null {
  const entries: [string, Record<string, unknown>][] = [];
  for (const { path } of after.diffFrom(before) ?? []) {
    const [was, is] = [before, after].map((state) => statementsAt(state, path));
    const wrong = was!.filter((one) => !is!.includes(one));
    const right = is!.filter((one) => !was!.includes(one));
    // A record has one statement: what it says now should have been said then.
    if (wrong.length === 1 && right.length === 1) {
      entries.push([nameOf(right[0]!, 'is said'), { recall: right[0], must: right[0], must_not: wrong[0] }]);
    } else {
      for (const said of wrong) entries.push([nameOf(said, 'stays away'), { recall: said, must_not: said }]);
      for (const said of right) entries.push([nameOf(said, 'is said'), { recall: said, must: said }]);
    }
  }
  if (entries.length === 0) return null;
  const text = formatYamlObject(Object.fromEntries(entries.slice(0, mostStatements)));
  const head = [
    `# Written by the ${name}: what was wrong stays away.`,
    '# Add below an expectation what should have been said, as must: words. See `git memory help test`.',
  ];
  return { path: `${expectFolder}${slugOf(name)}.yaml`, text: `${head.join('\n')}\n${text}` };
}

const nameOf = (said: string, what: string): string => `"${oneLine(said, 60)}" ${what}`;

/** The statement of a memory, or the lines of a page that say something. */
function statementsAt(state: Snapshot, path: string): string[] {
  const kind = kindOf(path);
  const text = kind === 'memory' || kind === 'knowledge' ? state.textIfWhole(path) : null;
  if (text === null) return [];
  if (kind === 'memory') {
    const record = parseMemory(text, path);
    return record.status === 'archived' ? [] : [oneLine(wordsOfClaim(record), mostWords)];
  }
  const body = text.replace(/^---\n[\s\S]*?\n---\n/, '');
  return splitLines(body)
    .map((line) => line.replace(/\s*\[memory: [^\]]*\]\s*$/, '').replace(/^\s*(?:[-*+]|\d+\.)\s+/, ''))
    .filter((line) => /\p{L}.* .*\p{L}/u.test(line) && !line.startsWith('#'))
    .map((line) => oneLine(line, mostWords));
}
