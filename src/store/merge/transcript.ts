// Three-way merge of transcripts: they only grow, so nothing that was said on either side goes.

import { isSameJson } from '../../base/canonical-json.ts';
import { orElse } from '../../base/or-else.ts';
import { cutFrontMatter } from '../records/front-matter.ts';
import { formatTranscript, parseTranscript } from '../records/transcript.ts';
import { mergeBlocks } from './front-matter.ts';
import { type MergeResult, mergeTrivially } from './result.ts';

/**
 * Merges two versions of a transcript. Where the turns of one go on where the other's end, the longer ones stand. Front matter merges by
 * key, so that a session that one side closed is closed. A session that went on in two ways is a conflict, which keeps both: the turns they
 * share, then the others by time.
 */
export function mergeTranscript(base: string | null, ours: string, theirs: string): MergeResult {
  const trivial = mergeTrivially([base, ours, theirs]);
  if (trivial !== undefined) return trivial;
  const [before, mine, other] = [base ?? '', ours, theirs].map(cutFrontMatter);
  if (mine === undefined || other === undefined) return { merged: ours, conflicts: ['front matter'] };
  const front = mergeBlocks(before?.block ?? '', mine.block, other.block);
  const conflicts = front.conflicts.map((key) => `front matter: ${key}`);
  const head = `${mine.opening}${front.block}${mine.closing}`;
  if (mine.body.startsWith(other.body)) return { merged: head + mine.body, conflicts };
  if (other.body.startsWith(mine.body)) return { merged: head + other.body, conflicts };
  const joined = joinTurns(head + mine.body, head + other.body);
  return { merged: joined ?? head + mine.body, conflicts: [...conflicts, 'turns'] };
}

/** One transcript of both: the turns in which they agree once, the others by time; undefined where one cannot be read. */
function joinTurns(ours: string, theirs: string): string | undefined {
  const read = (text: string, side: string) => orElse(() => parseTranscript(text, side), undefined, 'INVALID_RECORD');
  const [mine, other] = [read(ours, 'ours'), read(theirs, 'theirs')];
  if (mine === undefined || other === undefined) return undefined;
  let shared = 0;
  while (shared < mine.turns.length && isSameJson(mine.turns[shared], other.turns[shared])) shared += 1;
  const rest = [...mine.turns.slice(shared), ...other.turns.slice(shared)].sort((a, b) => a.time - b.time);
  return formatTranscript({ ...mine, turns: [...mine.turns.slice(0, shared), ...rest] });
}
