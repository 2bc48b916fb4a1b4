// Does one verdict of a review by the operations that are there; a trailer of its commit says so, from which all else follows.

import { defined, MemoryError } from '../../base/errors.ts';
import type { MemoryRecord } from '../../base/types/stored-types.ts';
import type * as types from '../../base/types.ts';
import { type ConsolidatePorts, consolidateMemories } from '../../core/maintain/record-passes.ts';
import type { Batch } from '../../core/write/batch.ts';
import { planChange, planForget, planUse } from '../../core/write/memory-edits.ts';
import type { Origins } from '../../core/write/origin.ts';
import { formatVerdict } from '../../history/index.ts';
import { closed } from '../../store/claims/claim.ts';
import { flushBefore } from '../../store/flush-before.ts';
import { isLine, judgeLine } from './disputed-lines.ts';

export interface JudgePorts extends ConsolidatePorts {
  readonly batch: Batch;
  readonly origins: Origins;
  remember(input: types.RememberInput): Promise<types.RememberResult>;
  commit(): Promise<types.CommitResult>;
}

/** Which verdicts are about a second memory, and whether they need one. */
const others: Readonly<Partial<Record<types.VerdictKind, 'needed' | 'possible'>>> = {
  keep: 'possible',
  merge: 'needed',
  close: 'possible',
};

/** Gives a verdict. Throws INVALID_ARGUMENT, NOT_FOUND, AMBIGUOUS, CONFLICT for what was closed before, LOCKED. */
export async function judge(
  ports: JudgePorts,
  verdict: types.VerdictKind,
  given: string,
  options: types.VerdictOptions = {},
): Promise<types.VerdictResult> {
  const { store, catalog, batch, origins, isImmediate, configurationOf, clock } = ports;
  checkVerdict(verdict, given, options);
  if (isImmediate) await flushBefore(store);
  if (isLine(given)) return judgeLine(ports, verdict, given, options);
  const snapshot = store.snapshot();
  const find = (id: string): MemoryRecord => catalog.find(snapshot, id).record;
  const record = find(given);
  const other = options.other === undefined ? undefined : find(options.other);
  if (other?.id === record.id) throw invalid('other', 'a memory is not judged beside itself', 'Name two');
  const records = other === undefined ? [record] : [record, other];
  const ids = records.map(({ id }) => id);
  const said = { key: 'Verdict', value: formatVerdict(verdict, ids) } as const;
  const origin = { ...origins.of(), verdict: said.value };
  const write: Batch['write'] = (name, plan, how) => batch.write(name, plan, { ...how, origin });
  let into: string | undefined;
  let commit: string | undefined;
  const acts: Readonly<Record<types.VerdictKind, () => Promise<unknown>>> = {
    keep: () =>
      write('touch', planUse(catalog, ids, { now: clock.now(), boost: true }, configurationOf(snapshot)), { records }),
    forget: () => write('forget', planForget(catalog, record.id), { records }),
    close() {
      if (record.status === 'superseded')
        throw new MemoryError('CONFLICT', `memory ${record.id} was closed already`, { where: record.id });
      const now = Math.floor(clock.now() / 1000);
      const ending = { from: Math.max(now, record.validFrom ?? 0), now, ...defined({ by: other?.id }) };
      const plan = planChange(catalog, record.id, (present) => closed(present, ending));
      return write('close', plan, { records: [record], closes: [record.id] });
    },
    async edit() {
      into = (await origins.speaking(origin, () => ports.remember(reworded(record, options.content!)))).id;
    },
    async merge() {
      const merged = await consolidateMemories(ports, { ids }, { trailers: [said] });
      into = merged.items[0]?.into;
      [commit] = merged.commits;
      if (into === undefined)
        throw new MemoryError('CONFLICT', 'these memories cannot be merged', { where: record.id });
    },
  };
  await acts[verdict]();
  if (isImmediate && verdict !== 'merge') commit = (await ports.commit()).commits.at(-1);
  return { verdict, ids, ...defined({ into }), commit: commit ?? null };
}

/** Gives what new words take over from the memory in whose place they come: all but its words. */
function reworded(record: MemoryRecord, content: string): types.RememberInput {
  const { id, entities, meta, category, subject, attribute, importance, due, sources = [] } = record;
  const [source] = sources;
  const from =
    source === undefined ? meta.source : `${source.path}${source.turn === undefined ? '' : `#${source.turn}`}`;
  return {
    content,
    replaces: id,
    entities,
    tags: meta.tags,
    // It held as long as the words that it corrects.
    validFrom: new Date((record.validFrom ?? record.createdAt) * 1000),
    ...defined({
      category,
      subject,
      attribute,
      importance,
      due,
      source: from ?? undefined,
      context: meta.context ?? undefined,
    }),
  };
}

function checkVerdict(verdict: types.VerdictKind, id: string, { other, content }: types.VerdictOptions): void {
  if (id === '') throw invalid('id', 'the id of the memory is missing', '`git memory review` lists what waits');
  if (other !== undefined && others[verdict] === undefined)
    throw invalid('other', `${verdict} is about one memory`, 'keep, merge and close may name another one');
  if (other === undefined && others[verdict] === 'needed')
    throw invalid('other', 'merge needs the memory that it becomes one with', 'Name both');
  const hasWords = typeof content === 'string' && content.trim() !== '';
  if (hasWords !== (verdict === 'edit') || (content !== undefined && !hasWords)) {
    const isEdit = verdict === 'edit';
    const hint = isEdit ? 'Give them behind the id: `git memory review edit ID "NEW WORDS"`' : 'edit does';
    throw invalid('content', isEdit ? 'the new words are missing' : `${verdict} takes no words`, hint);
  }
}

function invalid(where: string, what: string, hint: string): MemoryError {
  return new MemoryError('INVALID_ARGUMENT', what, { where, hint });
}
