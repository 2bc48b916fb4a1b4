// Bisect as a whole: reads what is asked, finds where to look, and asks view after view.

import { MemoryError } from '../errors.ts';
import type { Repository } from '../git/repository.ts';
import { historyOf } from '../history/catalogue.ts';
import type { BisectOptions, BisectResult, RecallOptions, RecallResult, TimeInput } from '../types.ts';
import { bisect } from './bisect.ts';
import { holds, touchesOf } from './find-again.ts';

/** A state that can be asked. */
interface AskedView {
  recall(query: string, options: RecallOptions): Promise<RecallResult>;
  read(path: string): Promise<string>;
}

export interface BisectPlace {
  readonly repository: Repository;
  /** The newest commit of the branch; `null` before the first. */
  readonly tip: string | null;
  stateOf(revision: TimeInput): string | null;
  at(commit: string): Promise<AskedView>;
}

const maxTouches = 24;
const defaultLimit = 10;

/** Finds since when a question does not find something; see `Memory.bisect`. */
export async function bisectRecall(place: BisectPlace, query: string, options: BisectOptions): Promise<BisectResult> {
  const { finds, good, limit = defaultLimit } = options ?? {};
  for (const [name, value] of Object.entries({ query, finds })) {
    if (typeof value === 'string' && value.trim() !== '') continue;
    throw new MemoryError(
      'INVALID_ARGUMENT',
      `bisect needs ${name === 'query' ? 'a question' : 'what it should find'}`,
      {
        where: name,
      },
    );
  }
  const { repository, tip } = place;
  if (tip === null) return { query, found: false, lost: null, lastFound: null, tested: 0, commits: 0, flips: 0 };
  const goodCommit = good === undefined ? undefined : place.stateOf(good);
  if (goodCommit === null) {
    throw new MemoryError('NOT_FOUND', 'the branch had no commit by then', { where: 'good' });
  }
  const catalogue = historyOf(repository);
  const result = await bisect(
    {
      tip,
      hints: goodCommit === undefined ? touchesOf(repository, tip, finds, maxTouches) : [],
      ...(goodCommit === undefined ? {} : { good: goodCommit }),
    },
    {
      catalogue,
      isFound: async (commit) => {
        const view = await place.at(commit);
        const { hits } = await view.recall(query, { limit });
        return holds(hits, finds, (path) => view.read(path));
      },
      onProgress: options.onProgress,
      signal: options.signal,
    },
  );
  catalogue.save();
  return { query, ...result };
}
