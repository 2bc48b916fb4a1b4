// What a state has forgotten, as everybody who hands out captures has to know it.

import { forgottenPath, parseForgotten, rewordedMark } from '../records/forgotten-file.ts';
import { memoryPath } from '../records/memory-record.ts';
import type { Snapshot } from './snapshot.ts';

/** Memories that a person forgot and that are not back, and the turns they came from. */
export interface ForgottenWords {
  /** Ids of memories. */
  readonly memories: ReadonlySet<string>;
  /** Memories whose words somebody put otherwise. */
  readonly reworded: ReadonlySet<string>;
  /** Path of a capture → 1-based numbers of turns, of a daily note of lines. */
  readonly turns: ReadonlyMap<string, ReadonlySet<number>>;
}

/**
 * Reads what is forgotten in a state; both are empty for most.
 *
 * A turn is forgotten with any memory that came from it. Its words are one piece, and its other memories say what else was in it. It is left
 * out likewise where it says nothing but words that somebody put otherwise in the memory.
 */
export function forgottenIn(files: Pick<Snapshot, 'oidOf' | 'textIfWhole'>): ForgottenWords {
  const memories = new Set<string>();
  const reworded = new Set<string>();
  const turns = new Map<string, Set<number>>();
  const text = files.oidOf(forgottenPath) === null ? null : files.textIfWhole(forgottenPath);
  for (const [id, sources] of parseForgotten(text)) {
    if (files.oidOf(memoryPath(id)) !== null) continue;
    if (id.endsWith(rewordedMark)) reworded.add(id.slice(0, -rewordedMark.length));
    else memories.add(id);
    for (const source of sources) {
      const [, path, turn] = /^(.+)#(\d+)$/.exec(source) ?? [];
      if (path === undefined) continue;
      const known = turns.get(path) ?? new Set();
      turns.set(path, known.add(Number(turn)));
    }
  }
  return { memories, reworded, turns };
}

/** Gives a daily note without the lines that were forgotten, and those that go on with them; another file as it is. */
export function withoutForgottenLines(
  files: Pick<Snapshot, 'oidOf' | 'textIfWhole'>,
  path: string,
  text: string,
): string {
  const forgotten = path.startsWith('raw/daily/') ? forgottenIn(files).turns.get(path) : undefined;
  if (forgotten === undefined) return text;
  let isGone = false;
  return text
    .split('\n')
    .filter((line, at) => {
      isGone = forgotten.has(at + 1) || (isGone && /^\s{2,}\S/.test(line));
      return !isGone;
    })
    .join('\n');
}
