// What is due for review, as callers see it: a list of its own, and hits among the hits of a recall.

import { MemoryError } from '../../base/errors.ts';
import { oneLine } from '../../base/text.ts';
import type { MemoryRecord } from '../../base/types/stored-types.ts';
import type { DueOptions, DueResult, RecallHit } from '../../base/types.ts';
import type { Stored } from '../../store/memory-catalog.ts';
import type { Configuration } from '../../store/records/configuration.ts';
import { gistLineOf } from '../lifecycle/gist/memory-gist.ts';
import {
  blendReviews,
  dueForReview,
  dueLimit,
  type Reviewed,
  urgentAmong,
  weakMemories,
} from '../lifecycle/spaced-review.ts';

/** As long as the snippets of a search. */
const maxSnippetLength = 240;
/** The share of hits that a recall gives to what is due. */
const blendRatio = 0.3;

/** Lists what is due, or all that is weak; throws INVALID_ARGUMENT. */
export function dueMemories(
  memories: readonly Stored<MemoryRecord>[],
  now: number,
  configuration: Configuration,
  { limit = dueLimit, weak = false }: DueOptions,
): DueResult {
  if (!(Number.isInteger(limit) && limit > 0))
    throw new MemoryError('INVALID_ARGUMENT', 'limit must be a whole number above 0', { where: 'limit' });
  const listed = (weak ? weakMemories : dueForReview)(memories, now, configuration, limit);
  return {
    memories: listed.map(({ stored: { record, path }, ...told }) => ({ ...record, path, ...told })),
    urgent: urgentAmong(memories, now, configuration),
  };
}

/** Puts what is due for review among the hits of a recall; see {@link blendReviews}. `share` may be true for {@link blendRatio}. */
export function withReviews(
  hits: readonly RecallHit[],
  memories: readonly Stored<MemoryRecord>[],
  context: {
    readonly share: true | number;
    readonly limit: number;
    readonly now: number;
    readonly configuration: Configuration;
    readonly category: string | undefined;
    commitOf(path: string): string | null;
  },
): RecallHit[] {
  const { share, limit, now, configuration, category, commitOf } = context;
  const ratio = share === true ? blendRatio : share;
  if (!(typeof ratio === 'number' && ratio >= 0 && ratio <= 1))
    throw new MemoryError('INVALID_ARGUMENT', 'review must be true, or a share from 0 to 1', { where: 'review' });
  const fits = ({ stored: { record } }: Reviewed) =>
    category === undefined || category === 'memory' || category === record.category;
  const due = dueForReview(memories, now, configuration, memories.length + 1).filter(fits);
  const reviews = due.slice(0, limit * 2).map(({ stored: { path, record }, score, priority }): RecallHit => {
    return {
      path,
      id: record.id,
      category: 'memory',
      line: 1,
      gist: gistLineOf(record),
      snippet: oneLine(record.content, maxSnippetLength),
      highlights: [],
      score,
      parts: { review: priority },
      review: true,
      commit: commitOf(path),
    };
  });
  return blendReviews(hits, reviews, { limit, ratio, keyOf: ({ path, line }) => `${path}:${line}` });
}
