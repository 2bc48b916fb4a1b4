// The merge of one file by what it is. Sync, branches and undo come by tree-merge.ts, writes upon a moved tip by merge-stored.ts, hand edits by
// beside-hand-edits.ts, native git by driver.ts.

import { formatJson, isSameJson, keepDigits, parseJson, restoreDigits } from '../../base/canonical-json.ts';
import { MemoryError, orElse } from '../../base/errors.ts';
import { splitKeepingEnds, withLastLineEnded } from '../../base/text.ts';
import { type Box, formatBox, parseBox } from '../records/box-file.ts';
import { forgottenPath, parseForgotten } from '../records/forgotten-file.ts';
import { cutFrontMatter } from '../records/front-matter.ts';
import { kindOf } from '../records/kind.ts';
import { logReaderOf } from '../records/log-readers.ts';
import { formatRecentExtractions, recentExtractionsPath } from '../records/recent-extractions.ts';
import { formatTranscript, parseTranscript } from '../records/transcript.ts';
import { parseYamlObject } from '../records/yaml.ts';
import { mergeBlocks } from './front-matter.ts';
import { type JsonRule, mergeJson, mergeSets } from './json.ts';
import type { IdRule } from './log-ids.ts';
import { mergeRecord, unreadable } from './memory-record.ts';
import { mergeKnowledge } from './merge-knowledge.ts';
import { mergeLog } from './merge-log.ts';
import { type MergeResult, mergeTrivially, ofEach, type Sides, type Winner } from './result.ts';
import { mergeLines, mergeText } from './text.ts';

/**
 * Merges two versions of the file at `path` that both come from `base`; null is a file that is not there.
 *
 * Both sides may have anything in it: what a reader refuses merges as text. With conflicts the merged text is whole: the `winner`'s
 * change stands at every disputed place, but for a record used later on the other side. A file that one side removed and the other changed
 * stays and is a conflict, but for records with changed counters alone.
 */
export function mergeFile(path: string, sides: Sides, winner: Winner = 'ours', ids?: IdRule): MergeResult {
  const trivial = mergeTrivially(sides);
  if (trivial !== undefined) return trivial;
  if (!path.endsWith('.json')) return mergeByKind(path, sides, winner, ids);
  const whole = ofEach(sides, (text) => text && keepDigits(text));
  const { merged, conflicts } = mergeByKind(path, whole, winner);
  // Where a field of a record has more digits than a number holds, its text would be no value of that field.
  if (conflicts.includes(unreadable)) return mergeByKind(path, sides, winner);
  return { merged: merged && restoreDigits(merged), conflicts };
}

function mergeByKind(path: string, sides: Sides, winner: Winner, ids?: IdRule): MergeResult {
  const kind = kindOf(path);
  const [base, ours, theirs] = sides;
  if (kind === 'memory' || kind === 'relation') return mergeRecord(kind, path, sides, winner);
  const box = kind === 'box' ? mergeBox(sides, path) : undefined;
  if (box !== undefined) return box;
  if (path === recentExtractionsPath) {
    // A side that made or removed the whole file added or removed what it names.
    return mergeJsonFile(path, ...ofEach(sides, (text) => text ?? formatRecentExtractions([])), winner);
  }
  if (path === forgottenPath) {
    // The first thing that was forgotten made the file, and can come back although others were forgotten since.
    const whole = ofEach(sides, (text) => text ?? '{}');
    const { merged, conflicts } = mergeJsonFile(path, ...whole, winner);
    return { merged: parseForgotten(merged).size === 0 ? null : merged, conflicts };
  }
  // Derived files are rebuilt from what they are derived from, whatever stands there.
  if (kind === 'derived') return { merged: ours, conflicts: [] };
  const readLog = logReaderOf(path, ...sides);
  if (readLog !== null) return mergeLog(readLog, path, sides, winner, ids);
  if (ours === null || theirs === null) return { merged: ours ?? theirs, conflicts: ['removed on one side'] };
  if (kind === 'conversation') return mergeTranscript(base, ours, theirs);
  if (path.endsWith('.jsonl')) return mergeJsonLines(base, ours, theirs);
  if (kind === 'daily') return mergeGrowing(base, ours, theirs) ?? mergeKnowledge([base, ours, theirs], winner);
  if (path.endsWith('.json')) return mergeJsonFile(path, base, ours, theirs, winner);
  if (path.endsWith('.md') && kind !== 'artifact') return mergeKnowledge([base, ours, theirs], winner);
  if (/\.ya?ml$/.test(path) && kind === 'other' && [base ?? '', ours, theirs].every(isYamlMapping)) {
    const { block, conflicts } = mergeBlocks(base ?? '', ours, theirs, winner);
    return { merged: block, conflicts };
  }
  const { clean, text } = mergeText(base, ours, theirs, winner);
  return { merged: text, conflicts: clean ? [] : ['lines'] };
}

const isYamlMapping = (text: string): boolean =>
  orElse(() => parseYamlObject(text, ''), undefined, 'INVALID_RECORD', 'TOO_LARGE') !== undefined;

/** A note to which both sides only added keeps both additions, ours first; undefined where one did something else. */
function mergeGrowing(base: string | null, ours: string, theirs: string): MergeResult | undefined {
  const before = base ?? '';
  if (before !== '' && !before.endsWith('\n')) return undefined;
  if (!ours.startsWith(before) || !theirs.startsWith(before)) return undefined;
  if (ours.startsWith(theirs)) return { merged: ours, conflicts: [] };
  if (theirs.startsWith(ours)) return { merged: theirs, conflicts: [] };
  const first = ours.endsWith('\n') ? ours : `${ours}\n`;
  return { merged: first + theirs.slice(before.length), conflicts: [] };
}

/** Lines of an append-only log: what both sides appended at the same place stays, ours first, equal lines once. */
function mergeJsonLines(base: string | null, ours: string, theirs: string): MergeResult {
  const closed = (text: string): string[] => splitKeepingEnds(withLastLineEnded(text));
  const lines: string[] = [];
  const conflicts: string[] = [];
  for (const region of mergeLines(closed(base ?? ''), closed(ours), closed(theirs))) {
    if ('lines' in region) lines.push(...region.lines);
    else {
      const mine = new Set(region.ours);
      // A line of the base that one side changed or dropped must not come back with the other's.
      const dropped = new Set(region.base);
      lines.push(...region.ours, ...region.theirs.filter((line) => !mine.has(line) && !dropped.has(line)));
      if (region.base.length > 0) conflicts.push('lines');
    }
  }
  return { merged: lines.join(''), conflicts: [...new Set(conflicts)] };
}

function mergeJsonFile(path: string, base: string | null, ours: string, theirs: string, winner: Winner): MergeResult {
  try {
    const [before, mine, other] = [base, ours, theirs].map((text) =>
      text === null ? undefined : parseJson(text, path),
    );
    const { value, conflicts } = mergeJson(before, mine, other, { ruleOf: (key) => ruleOf(path, key), winner });
    return { merged: formatJson(value), conflicts };
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code !== 'INVALID_RECORD') throw error;
    const { clean, text } = mergeText(base, ours, theirs);
    return {
      merged: clean ? text : winner === 'ours' ? ours : theirs,
      conflicts: clean ? [] : ['the file is not valid JSON'],
    };
  }
}

/** Times take the later, counts of `state/` add up, and which machine maintained last is no matter of dispute. */
function ruleOf(path: string, key: string): JsonRule {
  if (path === recentExtractionsPath) return key === 'since' ? 'set' : undefined;
  const name = key.slice(key.lastIndexOf('.') + 1);
  if (name === 'created_at') return 'min';
  if (name === 'machine_id') return 'ours';
  if (/_at$|^last_|^storage_version$|^epoch$/.test(name)) return 'max';
  return path.startsWith('state/') ? 'sum' : undefined;
}

// Three-way merge of transcripts: they only grow, so nothing that was said on either side goes.

/**
 * Merges two versions of a transcript. Where the turns of one go on where the other's end, the longer ones stand. Front matter merges by
 * key, so that a session that one side closed is closed. A session that went on in two ways is a conflict, which keeps both: the turns they
 * share, then the others by time.
 */
function mergeTranscript(base: string | null, ours: string, theirs: string): MergeResult {
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

// Three-way merge of memory boxes: the memories are a set, and a box that one side sealed is sealed. Nothing is ever in dispute.

/**
 * Merges two versions of a box, each null where the file is gone; undefined where one of them is no box.
 *
 * A memory that either side took out is gone, one that either side put in is there; a box without memories is gone. So an extraction that
 * began a box can be undone when others have added to it. The sides may be exchanged.
 */
export function mergeBox(sides: Sides, path: string): MergeResult | undefined {
  const trivial = mergeTrivially(sides);
  if (trivial !== undefined) return trivial;
  const [before, mine, other] = sides.map((text) =>
    text === null ? null : orElse(() => parseBox(text, path), undefined, 'INVALID_RECORD'),
  );
  if (before === undefined || mine === undefined || other === undefined) return undefined;
  const some = mine ?? other ?? before;
  if (some === null) return { merged: null, conflicts: [] };
  const byId = new Map(
    [before, mine, other].flatMap((box) => box?.memories.map((one) => [one.id, one] as const) ?? []),
  );
  const idsOf = (box: Box | null): string[] => box?.memories.map(({ id }) => id) ?? [];
  const ids = mergeSets(idsOf(before), idsOf(mine), idsOf(other));
  if (ids.length === 0) return { merged: null, conflicts: [] };
  const topicsOf = (box: Box | null): readonly string[] => box?.topics ?? before?.topics ?? [];
  const merged: Box = {
    ...some,
    started: Math.min(...[mine, other].flatMap((box) => (box === null ? [] : [box.started]))),
    ...sealOf(before, mine ?? before, other ?? before),
    topics: mergeSets(topicsOf(before), topicsOf(mine), topicsOf(other)),
    memories: ids.map((id) => byId.get(id)!),
    notes: notesOf(before?.notes ?? '', mine?.notes ?? before?.notes ?? '', other?.notes ?? before?.notes ?? ''),
  };
  return { merged: formatBox(merged), conflicts: [] };
}

type Seal = Pick<Box, 'status' | 'sealed' | 'reason' | 'traceId'>;

/** The side that changed the state of the box says it; of two seals the earlier wins. */
function sealOf(before: Box | null, mine: Box | null, other: Box | null): Seal {
  const text = (box: Box | null): string => JSON.stringify(box === null ? null : partsOf(box));
  const changed = [mine, other].filter((box): box is Box => box !== null && text(box) !== text(before));
  const seals = changed.filter(({ status }) => status === 'sealed').map(partsOf);
  if (seals.length > 0) {
    const key = (seal: Seal): string => JSON.stringify([seal.sealed, seal.reason, seal.traceId]);
    return seals.reduce((one, two) =>
      (two.sealed ?? 0) < (one.sealed ?? 0) || (two.sealed === one.sealed && key(two) < key(one)) ? two : one,
    );
  }
  return partsOf(changed[0] ?? mine ?? other ?? before!);
}

/** All four, so that an unsealed box loses what a sealed one has. */
const partsOf = ({ status, sealed, reason, traceId }: Box): Seal => ({ status, sealed, reason, traceId }) as Seal;

function notesOf(before: string, mine: string, other: string): string {
  const [first, second] = mine <= other ? [mine, other] : [other, mine];
  const { clean, text } = mergeText(before, first, second);
  return clean ? text : `${first}\n\n${second}`;
}
