// Commit subjects by rule: what a change set did, in at most 72 characters, without quoting private text.

import type { TreeDifference } from '../git/tree.ts';
import { kindOf } from '../records/kind.ts';

/** Describes changes the way a person would list them: `2 memories added, knowledge/people/ana.md changed`. */
export function describeChanges(changes: readonly Pick<TreeDifference, 'path' | 'before' | 'after'>[]): string {
  const groups = new Map<string, string[]>();
  for (const change of changes) {
    const verb = change.before === null ? 'added' : change.after === null ? 'removed' : 'changed';
    const key = `${nounOf(change.path)}|${verb}`;
    groups.set(key, [...(groups.get(key) ?? []), change.path]);
  }
  const parts = [...groups].map(([key, paths]) => {
    const [noun, verb] = key.split('|') as [string, string];
    if (paths.length > 1) return `${paths.length} ${plural(noun)} ${verb}`;
    return `${noun === 'file' ? shortPath(paths[0]!) : `1 ${noun}`} ${verb}`;
  });
  if (parts.length <= 3) return parts.join(', ');
  return `${parts.slice(0, 2).join(', ')} and ${parts.length - 2} more kinds of change`;
}

function nounOf(path: string): string {
  const kind = kindOf(path);
  if (kind === 'memory' || kind === 'relation' || kind === 'conversation') return kind;
  if (kind === 'daily') return 'daily note';
  return 'file';
}

function plural(noun: string): string {
  return noun === 'memory' ? 'memories' : `${noun}s`;
}

function shortPath(path: string): string {
  return path.length <= 48 ? path : `…${path.slice(-47)}`;
}
