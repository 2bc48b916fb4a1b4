// The extraction of what is new as a pass: a task of maintenance, and the first step of a night.

import { count } from '../base/count.ts';
import type { ExtractResult, PassOptions, PassResult } from '../types.ts';
import type { RunOptions } from './run-pass.ts';

/** Extracts from the conversations that have ended and are new. */
export type ExtractEnded = (options: PassOptions & Pick<RunOptions, 'run'>) => Promise<ExtractResult>;

/** Reads what is new, each conversation a commit; rules cost nothing, and what a model may take stands in memory.yaml. */
export async function extractNew(extract: ExtractEnded, options: PassOptions): Promise<PassResult> {
  const { transcripts, notes = [], left = 0 } = await extract(options);
  return {
    pass: 'extract',
    commits: transcripts.flatMap(({ commit }) => commit ?? []),
    tree: null,
    items: transcripts
      .filter(({ created, updated }) => created.length + updated.length > 0)
      .map(({ path, created, updated }) => ({
        action: 'extract',
        ids: [...created.map(({ id }) => id), ...updated],
        why: `${created.length} new memories from ${path}`,
        paths: created.map((record) => record.path),
      })),
    left: [
      ...notes.map((why) => ({ id: 'model', why })),
      ...(left === 0 ? [] : [{ id: 'rest', why: `${count(left, 'conversation is', 'conversations are')} left` }]),
    ],
    dropped: [],
  };
}
