// Somebody confirms what a knowledge file says: its lines get the day on which that was true. Nothing else of the file changes.

import { MemoryError } from '../../base/errors.ts';
import { checkDay } from '../../base/time.ts';
import type { VerifyOptions, VerifyResult } from '../../base/types.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import { parseKnowledgeEntry } from '../../store/records/knowledge-facts.ts';
import { withVerifiedOn } from '../../store/records/knowledge-marks.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import type { Batch } from '../write/batch.ts';
import { noKnowledge } from './knowledge-questions.ts';

/**
 * Plans the confirmation of one line, by its number or some of its words, or of all facts that decay. Throws NOT_FOUND for a file or line
 * that is not there, AMBIGUOUS for words of several lines, INVALID_ARGUMENT for a line that claims nothing, INVALID_RECORD.
 */
function planVerify(snapshot: Snapshot, path: string, options: VerifyOptions, day: string) {
  const before = snapshot.readText(path);
  if (before === null) throw noKnowledge(path);
  const lines = before.split('\n');
  const chosen = chosenLines(path, before, lines, options);
  for (const { line: number } of chosen) lines[number - 1] = withVerifiedOn(lines[number - 1]!, day);
  return { text: lines.join('\n'), lines: chosen };
}

/**
 * Confirms lines of a knowledge file by a write that joins the batch; nothing is written where they say so already. Another day that they
 * name is corrected.
 */
export async function verifyFacts(
  { batch, store }: { readonly batch: Pick<Batch, 'write'>; readonly store: BranchStore },
  path: string,
  options: VerifyOptions,
  today: string,
): Promise<VerifyResult> {
  const { day = today } = options;
  checkDay(day);
  if (day > today) {
    const hint = `Give a day up to today, ${today}`;
    throw new MemoryError('INVALID_ARGUMENT', `${day} has not come yet`, { where: 'day', hint });
  }
  const { text } = options;
  if (!path.startsWith('knowledge/') || !path.endsWith('.md'))
    throw new MemoryError('INVALID_ARGUMENT', `${path} is not a knowledge file`, { where: 'path' });
  if (text !== undefined && text.trim() === '')
    throw new MemoryError('INVALID_ARGUMENT', 'the words of the line are missing', { where: 'text' });
  const present = store.snapshot();
  let verified = planVerify(present, path, options, day);
  if (verified.text === present.readText(path))
    return { path, pending: false, day, lines: verified.lines, unchanged: true };
  const { pending } = await batch.write('verify', (snapshot) => {
    verified = planVerify(snapshot, path, options, day);
    return { path, after: verified.text };
  });
  return { path, pending, day, lines: verified.lines };
}

function chosenLines(
  path: string,
  before: string,
  lines: readonly string[],
  { text, line }: VerifyOptions,
): VerifyResult['lines'] {
  const { facts } = parseKnowledgeEntry(path, before);
  const told = facts.map(({ line: number, text: words }) => ({ line: number, text: words }));
  const items = lines.flatMap((one, at) => {
    const words = /^[ \t]*[-*+] +(.*\S)/.exec(one)?.[1];
    return words === undefined ? [] : [{ line: at + 1, text: words }];
  });
  if (line !== undefined) {
    const found = told.find((one) => one.line === line) ?? items.find((one) => one.line === line);
    if (found !== undefined) return [found];
    const hint = 'Choose a line that is a list item';
    throw new MemoryError('INVALID_ARGUMENT', `line ${line} of ${path} states no fact`, { where: 'line', hint });
  }
  if (text !== undefined) {
    const wanted = text.toLowerCase();
    const has = (one: { text: string }) => one.text.toLowerCase().includes(wanted);
    const facing = told.filter(has);
    const found = facing.length > 0 ? facing : items.filter(has);
    if (found.length === 1) return found;
    if (found.length === 0) {
      const hint = '`git memory knowledge` lists the facts of its lines';
      throw new MemoryError('NOT_FOUND', `no list item of ${path} has these words`, { where: 'text', hint });
    }
    const hint = `Give more words, or the line: ${found.map((one) => one.line).join(', ')}`;
    throw new MemoryError('AMBIGUOUS', `${found.length} lines of ${path} have these words`, { where: 'text', hint });
  }
  const decaying = new Set(facts.filter(({ decays }) => decays).map((fact) => fact.line));
  const all = told.filter((one) => decaying.has(one.line));
  if (all.length > 0) return all;
  const hint = 'Name a line, or some of its words';
  throw new MemoryError('INVALID_ARGUMENT', `${path} has no facts that age`, { where: path, hint });
}
