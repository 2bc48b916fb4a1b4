// The recall pack of a state, as an answer and as the file recall/pack.md.

import { count } from '../../../base/count.ts';
import { defined, orElse } from '../../../base/errors.ts';
import { checkDay, dayOf, endOfDay } from '../../../base/time.ts';
import type { PackOptions, PackResult } from '../../../base/types.ts';
import { checkIntegrity, type LedgerCatalog, refusedProblems, type StoredEvent } from '../../../logs/index.ts';
import { speakerOfQuote } from '../../../store/claims/speaker.ts';
import type { StateFiles } from '../../../store/derive.ts';
import type { HandEdits } from '../../../store/hand-edits.ts';
import type { Configuration } from '../../../store/records/configuration.ts';
import { isPackKnowledge, readKnowledgeEntry } from '../../../store/records/knowledge-facts.ts';
import { memoryPath, parseMemory } from '../../../store/records/memory-record.ts';
import type { Pass } from '../../lifecycle/pass.ts';
import type { PackInput } from './candidates.ts';
import { conflictsAmong, type PackClaims, toldConflicts } from './conflicts.ts';
import { buildPack, dayOfPack } from './recall-pack.ts';

export const packPath = 'recall/pack.md';

export interface PackQuestion {
  readonly ledgers: LedgerCatalog;
  readonly snapshot: StateFiles;
  readonly claims: PackClaims;
  readonly configuration: Configuration;
  /** Milliseconds since the Unix epoch: says which day it is. */
  readonly now: number;
  /** Edits of the logs by hand that no commit takes in; default: none. */
  readonly refused?: HandEdits['skipped'];
}

/** Builds the pack; equal for equal files and days. Throws INVALID_DATE. */
export const packOf = (question: PackQuestion, options: PackOptions = {}): PackResult =>
  buildPack(packInputOf(question, options));

/** Gives the memory that an event of a state tells; null where there is none. */
export function memoryTold(files: Pick<StateFiles, 'readText'>, { memory = '' }: StoredEvent['value']) {
  const path = memoryPath(memory);
  return memory === '' ? null : orElse(() => parseMemory(files.readText(path) ?? '', path), null);
}

/** Gives what the pack is built of. Throws INVALID_DATE. */
export function packInputOf(
  { ledgers, snapshot, claims, configuration, now, refused = [] }: PackQuestion,
  { day = dayOf(now, configuration.timezone) }: PackOptions = {},
): PackInput {
  checkDay(day);
  const ledger = ledgers.ledgerOf(snapshot);
  // What stands beside the segments is left out: it depends on commits, and the page on files alone.
  const checks = checkIntegrity(ledger, { checkpoint: null, openLoops: null, ledgerAt: () => null });
  const problems = [...refusedProblems(refused), ...checks.flatMap((check) => check.problems)].map(
    ({ path, line, why }) => `${path}${line === undefined ? '' : `:${line}`} ${why}`,
  );
  const knowledge = [...snapshot.list('knowledge/')]
    .filter(([path]) => isPackKnowledge(path))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([path, oid]) => readKnowledgeEntry(path, snapshot.readBlob(oid, path).toString('utf8')) ?? []);
  const until = Math.floor(endOfDay(day, configuration.timezone) / 1000);
  return {
    day,
    events: ledger.events,
    archived: ledger.archived,
    knowledge,
    conflicts: [...conflictsAmong(claims, until), ...toldConflicts(ledger.events)],
    speakerOf({ value }) {
      const record = memoryTold(snapshot, value);
      return record === null ? undefined : speakerOfQuote(record);
    },
    problems: problems.length > 3 ? [...problems.slice(0, 3), `and ${problems.length - 3} more`] : problems,
    configuration,
  };
}

/** Plans to write the pack of today, unless the one that stands there differs by nothing but the day. */
export const packPass: Pass<void> = {
  name: 'pack',
  plan({ snapshot, memories, relations, configuration, now, ledgers, refused }) {
    const claims = { memories, relations };
    const question = { ledgers, snapshot, claims, configuration, now, ...defined({ refused: refused?.() }) };
    const before = snapshot.readText(packPath);
    const written = before === null ? null : dayOfPack(before);
    // Ages, marks and what is over by now follow from the day in its title: who asks for the pack gets them of today.
    if (written !== null && packOf(question, { day: written }).text === before) return { items: [], left: [] };
    const { text, day, words, lines } = packOf(question);
    // A memory without ledger and knowledge has nothing to put on a page.
    const isEmpty = lines.every(({ section }) => section === 'mantra');
    if (isEmpty && before === null) return { items: [], left: [] };
    const changes = [{ path: packPath, before: snapshot.oidOf(packPath), after: Buffer.from(text) }];
    const why = `the pack of ${day}, ${count(words, 'word')}`;
    return { items: [{ action: 'write', ids: [], why, changes }], left: [] };
  },
  describe: ([item]) => ({ subject: item?.why ?? 'the pack' }),
};
