// Items as claims that can be understood alone: names for I and you, days for "yesterday", what a pronoun means (claims/statement.ts).

import { type Listener, saidIn } from '../claims/said.ts';
import { statementOf } from '../claims/statement.ts';
import type { Transcript } from '../records/types.ts';
import type { ExtractedItem, Extraction, Extractor } from './extractor.ts';

/** Items that can be understood alone, and those that cannot. */
export interface Understood {
  readonly items: readonly ExtractedItem[];
  readonly dropped: NonNullable<Extraction['dropped']>;
}

/**
 * Gives each item its statement and its subject, where the extractor gave none.
 *
 * Of an extractor that hands on sentences as they were said, what nobody could understand alone is dropped; other items stay as they are.
 */
export function understood(
  items: readonly ExtractedItem[],
  transcript: Transcript,
  extractor: Pick<Extractor, 'isVerbatim'>,
  listener: Listener,
): Understood {
  const kept: ExtractedItem[] = [];
  const dropped: { content: string; why: string }[] = [];
  for (const item of items) {
    // Half of a sentence has a full stop of its own, and is looked for without it.
    const words = item.content.replace(/(?<=\p{Alpha}|\d)\.$/u, '');
    const said = item.statement === undefined ? saidIn(words, transcript.turns, item.turns[0]!, listener) : undefined;
    const made =
      said === undefined ? undefined : statementOf({ ...said, text: said.text + item.content.slice(words.length) });
    if (made !== undefined) {
      const isOwn = made.statement === item.content || extractor.isVerbatim !== true;
      kept.push({ ...item, ...(isOwn ? {} : { statement: made.statement }), subject: item.subject ?? made.subject });
    } else if (said === undefined || extractor.isVerbatim !== true || item.priority !== undefined) kept.push(item);
    else dropped.push({ content: item.content, why: 'what it speaks of cannot be said with certainty' });
  }
  return { items: kept, dropped };
}
