// The merge of one file by what it is.

import { formatJson, keepDigits, parseJson, restoreDigits } from '../../base/canonical-json.ts';
import { MemoryError } from '../../base/errors.ts';
import { orElse } from '../../base/or-else.ts';
import { splitKeepingEnds, withLastLineEnded } from '../../base/text.ts';
import { forgottenPath, parseForgotten } from '../records/forgotten-file.ts';
import { kindOf } from '../records/kind.ts';
import { logReaderOf } from '../records/log-readers.ts';
import { formatRecentExtractions, recentExtractionsPath } from '../records/recent-extractions.ts';
import { parseYamlObject } from '../records/yaml.ts';
import { mergeBox } from './box.ts';
import { mergeBlocks } from './front-matter.ts';
import { type JsonRule, mergeJson } from './json.ts';
import type { IdRule } from './log-ids.ts';
import { mergeRecord, unreadable } from './memory-record.ts';
import { mergeKnowledge } from './merge-knowledge.ts';
import { mergeLog } from './merge-log.ts';
import { type MergeResult, mergeTrivially, ofEach, type Sides, type Winner } from './result.ts';
import { mergeLines, mergeText } from './text.ts';
import { mergeTranscript } from './transcript.ts';

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

function isYamlMapping(text: string): boolean {
  return orElse(() => parseYamlObject(text, ''), undefined, 'INVALID_RECORD', 'TOO_LARGE') !== undefined;
}

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
