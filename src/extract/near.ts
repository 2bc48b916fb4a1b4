// Whether an item says nearly what a memory says already (spec 4, near duplicates): the same words in the same order, some left out.

import { tokensOf } from '../base/tokenizer.ts';
import { dot } from '../base/vectors.ts';
import { nearDuplicate } from '../lifecycle/clusters.ts';
import type { MemoryRecord } from '../records/types.ts';
import { vectorOfTerms } from '../search/built-in-embedder.ts';
import { isActive, type KnownMemories, voiceInWords } from './known-memories.ts';

/** What has fewer words may be the same by chance. */
const minWords = 3;
/** Words that deny. */
const denial =
  /\b(?:not|never|no longer|no|none|without|avoid|instead of|rather than|except|neither|nor|stop(?:ped)?|against)\b|n['’]t\b/i;
/** What holds sometimes, somewhere, once or perhaps. */
const qualified =
  /\b(?:if|unless|when|whenever|while|until|only|sometimes|usually|often|mostly|might|may(?! \d)|maybe|perhaps|could|probably|for now|for the moment|temporar\w+|today|tonight|tomorrow|this time|was|were|had|did|used to|ago|yesterday|last|previously|formerly|back then|both|either|or)\b/i;

/**
 * Finds the active memory that an item nearly repeats; undefined for almost all of them.
 *
 * All of this has to hold:
 *
 * - likeness is {@link nearDuplicate} or more by the built-in embedder, as for `remember`
 * - the memory has every word of the item in the same order, so that nothing it says is lost
 * - category, due day and speaker are the same
 * - both deny or limit what they say, or neither does
 *
 * The words of the item find the candidates, so that not every memory is looked at. What says more than a memory is another one, which
 * consolidation may join.
 */
export function nearlySaid(record: MemoryRecord, known: Pick<KnownMemories, 'mentioning'>): MemoryRecord | undefined {
  const terms = tokensOf(record.content);
  const words = new Set(terms);
  if (words.size < minWords) return undefined;
  let vector: Float32Array | undefined;
  let best: { likeness: number; memory: MemoryRecord } | undefined;
  for (const memory of known.mentioning(words)) {
    if (!isActive(memory) || memory.category !== record.category || memory.due !== record.due) continue;
    if (voiceInWords(record) !== voiceInWords(memory)) continue;
    if (denial.test(record.content) !== denial.test(memory.content)) continue;
    if (qualified.test(record.content) !== qualified.test(memory.content)) continue;
    const others = tokensOf(memory.content);
    if (!isSubsequence(terms, others)) continue;
    vector ??= vectorOfTerms(terms);
    const likeness = dot(vector, vectorOfTerms(others));
    if (likeness < nearDuplicate) continue;
    const isBetter =
      best === undefined || likeness > best.likeness || (likeness === best.likeness && memory.id < best.memory.id);
    if (isBetter) best = { likeness, memory };
  }
  return best?.memory;
}

function isSubsequence(some: readonly string[], all: readonly string[]): boolean {
  let at = 0;
  for (const term of all) if (some[at] === term) at += 1;
  return at === some.length;
}
