// The extraction of what is new as a pass: a task of maintenance, and the first step of a night.

import { count } from '../base/count.ts';
import type { PassOptions, PassResult } from '../types.ts';
import type { PassDependencies } from './run-pass.ts';

/** Reads what is new, each conversation a commit; rules cost nothing, and what a model may take stands in memory.yaml. */
export async function extractNew(
  { extract }: Pick<PassDependencies, 'extract'>,
  options: PassOptions,
): Promise<PassResult> {
  const { transcripts, notes = [], left = 0 } = (await extract?.(options)) ?? { transcripts: [] };
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
