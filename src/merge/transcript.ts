// Three-way merge of transcripts: they only grow, so the longer one is the union.

import { cutFrontMatter } from '../records/front-matter.ts';
import { mergeBlocks } from './front-matter.ts';
import { type MergeResult, mergeTrivially } from './result.ts';

/**
 * Merges two versions of a transcript. Where the turns of one go on where the other's end, the longer ones stand; front matter merges by
 * key, so that a session that one side closed is closed. Turns that differ are a conflict: ours stand, and nothing is mixed.
 */
export function mergeTranscript(base: string | null, ours: string, theirs: string): MergeResult {
  const trivial = mergeTrivially(base, ours, theirs);
  if (trivial !== undefined) return trivial;
  const [before, mine, other] = [base ?? '', ours, theirs].map(cutFrontMatter);
  if (mine === undefined || other === undefined) return { merged: ours, conflicts: ['front matter'] };
  const front = mergeBlocks(before?.block ?? '', mine.block, other.block);
  const conflicts = front.conflicts.map((key) => `front matter: ${key}`);
  const isPrefix = mine.body.startsWith(other.body) || other.body.startsWith(mine.body);
  const body = isPrefix && other.body.length > mine.body.length ? other.body : mine.body;
  return {
    merged: `${mine.opening}${front.block}${mine.closing}${body}`,
    conflicts: isPrefix ? conflicts : [...conflicts, 'turns'],
  };
}
