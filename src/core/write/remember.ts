// What is remembered outright: claims become records, take the place of others, and join the batch as one write.

import { defined, MemoryError, orElse } from '../../base/errors.ts';
import type { IdSource } from '../../base/ports.ts';
import { endOfDay, isDay, parseTime, startOfDay } from '../../base/time.ts';
import type { MemoryCategory, MemoryRecord, SourceReference } from '../../base/types/stored-types.ts';
import type { ClaimInput, RememberOptions, RememberResult, TimeInput } from '../../base/types.ts';
import { comingDay, comingTime, type MomentOptions } from '../../language/index.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import { closed } from '../../store/claims/claim.ts';
import { sayingOf } from '../../store/claims/saying.ts';
import type { SecretFilter } from '../../store/guard/secret-filter.ts';
import type { MemoryCatalog } from '../../store/memory-catalog.ts';
import type { Configuration } from '../../store/records/configuration.ts';
import { formatMemory, memoryPath, newMemory } from '../../store/records/memory-record.ts';
import type { StoreScope } from '../../store/scope.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { findTranscript } from '../capture/recorder.ts';
import { withGist } from '../lifecycle/gist/memory-gist.ts';
import type { Batch } from './batch.ts';
import type { EditPlan, PlannedEdit } from './edits.ts';
import { confirmed, type NearDuplicate, type NearDuplicates } from './near-duplicates.ts';
import type { Origin, Origins } from './origin.ts';

export interface RememberDependencies {
  readonly batch: Batch;
  readonly store: BranchStore;
  readonly catalog: MemoryCatalog;
  readonly nearDuplicates: NearDuplicates;
  readonly ids: IdSource;
  readonly origins: Origins;
  readonly scope: StoreScope | null;
  now(): number;
  filter(): SecretFilter;
  configuration(): Configuration;
  /** Gives what tells of a text whether it is a rule, a promise or the like. */
  standing(): Promise<TellsStanding>;
}

/** Tells what a text surely is that somebody asks to keep, and when a promise is due. `time` is in milliseconds since the Unix epoch. */
export type TellsStanding = (
  text: string,
  time: number,
  timeZone: string,
) => { readonly category: MemoryCategory; readonly due?: string } | undefined;

/** A claim that was read, and how it stands to what is known. */
interface ReadClaim {
  readonly record: MemoryRecord;
  /** What says the same already: a memory, or an earlier claim of the same call. */
  readonly same: MemoryRecord | null;
  readonly near: readonly NearDuplicate[];
  /** Whose place it takes: as it says itself (`isNamed`), or as another value of the same attribute. */
  readonly closes: readonly { readonly old: MemoryRecord; readonly isNamed: boolean }[];
}

const mostClaims = 100;

/**
 * Remembers claims, all or none, in one write. Throws INVALID_ARGUMENT, INVALID_DATE, NOT_FOUND and AMBIGUOUS for what they replace, CONFLICT
 * where that was closed before, ALREADY_EXISTS, SECRET, TOO_LARGE, QUOTA.
 */
export async function rememberClaims(
  dependencies: RememberDependencies,
  inputs: readonly ClaimInput[],
  options: RememberOptions,
): Promise<RememberResult[]> {
  if (inputs.length === 0 || inputs.length > mostClaims)
    throw new MemoryError('INVALID_ARGUMENT', `remember takes 1 to ${mostClaims} claims`, { where: 'claims' });
  const { batch, catalog } = dependencies;
  const isOpen = inputs.some((one) => one.category === undefined);
  const standingOf = isOpen ? await dependencies.standing() : () => undefined;
  const filter = dependencies.filter();
  const origin = dependencies.origins.of(options, filter);
  const reader = new ClaimReader({ ...dependencies, filter, origin, standingOf });
  const claims: ReadClaim[] = [];
  for (const input of inputs) claims.push(reader.read(input, claims));
  const closings = closingsOf(claims, Math.floor(reader.now / 1000));
  const plan = planClaims(catalog, claims, closings, { configuration: reader.configuration, now: reader.now });
  const records = claims.map(({ record, same }) => same ?? record);
  const write = { records: distinct(records), filter, origin, closes: closings.map(({ old }) => old.id) };
  const { redacted = [], pending } = await batch.write('remember', plan, write);
  return claims.map(({ record, same, near, closes }) => {
    const { id, category } = same ?? record;
    const path = same === null ? memoryPath(id) : (reader.pathOf(same) ?? memoryPath(id));
    const own = redacted.filter((one) => one.path === path);
    const others = near.filter((one) => !closes.some(({ old }) => old.id === one.id));
    return {
      id,
      path,
      pending,
      ...defined({ category }),
      ...(same === null ? {} : { isDuplicate: true as const }),
      ...(others.length === 0 ? {} : { near: others }),
      ...(closes.length === 0 ? {} : { closed: closes.map(({ old }) => ({ id: old.id, content: old.content })) }),
      ...(own.length === 0 ? {} : { redacted: own }),
    };
  });
}

type ReaderDependencies = Omit<RememberDependencies, 'filter'> & {
  readonly filter: SecretFilter;
  readonly origin: Origin;
  readonly standingOf: TellsStanding;
};

class ClaimReader {
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  readonly configuration: Configuration;
  private readonly dependencies: ReaderDependencies;
  private readonly snapshot: Snapshot;

  constructor(dependencies: ReaderDependencies) {
    this.dependencies = dependencies;
    this.now = dependencies.now();
    this.configuration = dependencies.configuration();
    this.snapshot = dependencies.store.snapshot(true);
  }

  /** Where a memory stands that was there before the call. */
  pathOf({ id }: MemoryRecord): string | undefined {
    const { catalog } = this.dependencies;
    return orElse(() => catalog.find(this.snapshot, id).path, undefined, 'NOT_FOUND');
  }

  /** Reads a claim; `before` are those of the same call that come before it. */
  read(given: ClaimInput, before: readonly ReadClaim[]): ReadClaim {
    const { catalog, nearDuplicates } = this.dependencies;
    const named = idsOf(given.replaces).map((id) => catalog.find(this.snapshot, id).record);
    const record = this.recordOf(given);
    const seconds = Math.floor(this.now / 1000);
    // The rules only tell what kind of thing it is: what says the same stays the same under another.
    const isOpen = given.category === undefined && given.due === undefined;
    const { category: _, due: __, ...open } = record;
    const found = nearDuplicates.find(this.snapshot, isOpen ? open : record, seconds);
    const said = before.find((one) => sayingOf(one.record.content) === sayingOf(record.content));
    const isWanted = given.id === undefined && named.every(({ id }) => id !== found.same?.id);
    const same = isWanted ? (found.same ?? said?.same ?? said?.record ?? null) : null;
    const closes = named.map((old) => ({ old, isNamed: true }));
    const values = same === null ? nearDuplicates.holding(record, seconds) : [];
    for (const old of values) {
      const isFirst = closes.every((one) => one.old.id !== old.id);
      if (isFirst && beginsAfter(record, old, seconds)) closes.push({ old, isNamed: false });
    }
    return { record, same, near: found.near, closes };
  }

  private recordOf(given: ClaimInput): MemoryRecord {
    const { ids, store, scope, filter, origin } = this.dependencies;
    const { id = ids.next(), replaces: _, validFrom, validUntil, ...words } = given;
    const name = filter.passName(id, 'id');
    const isPrivate = typeof name === 'string' && store.snapshot(true).privacy.isPrivate(memoryPath(name));
    const clean = isPrivate ? words : filter.passAll(words, 'the memory');
    for (const where of ['statement', 'subject', 'attribute'] as const) checkWords(clean[where], where);
    const { session, agent, path } = origin;
    const said = defined({ session, agent });
    const record = newMemory({
      ...clean,
      ...(typeof clean.due === 'string' ? { due: comingDay(clean.due, 'due', this.moment()) } : {}),
      // What has to be done by a day is a promise, unless somebody says what else it is.
      ...(typeof clean.due === 'string' && clean.category === undefined ? { category: 'commitment' as const } : {}),
      ...this.standingIn(clean),
      ...defined({
        validFrom: this.secondsOf(validFrom, 'validFrom'),
        validUntil: this.secondsOf(validUntil, 'validUntil'),
      }),
      ...scopeTags(scope, clean.tags),
      ...this.sourcesOf(clean.source ?? undefined, path),
      ...(session === undefined && agent === undefined ? {} : { extra: said }),
      id: name,
      now: this.now,
    });
    if (record.validUntil !== undefined && record.validUntil <= (record.validFrom ?? Number.NEGATIVE_INFINITY)) {
      const hint = 'Choose a later end, or an earlier validFrom';
      throw new MemoryError('INVALID_ARGUMENT', 'the memory would end before it begins', { where: 'validUntil', hint });
    }
    return withGist(record, this.configuration.gist);
  }

  /** "Never deploy on Fridays" is a rule, whoever remembers it without a word of that. */
  private standingIn({ content, category, due, statement }: Partial<ClaimInput>): ReturnType<TellsStanding> {
    if (category !== undefined || due !== undefined || typeof content !== 'string') return undefined;
    return this.dependencies.standingOf(statement ?? content, this.now, this.configuration.timezone);
  }

  /** A source names a capture, or a turn of one as `path#turn` or `session#turn`. Where it names none, the open session is the source. */
  private sourcesOf(source: unknown, open: string | undefined): { sources?: readonly SourceReference[] } {
    const [, name, turn] = typeof source === 'string' ? (/^(.+?)(?:#(\d+))?$/.exec(source) ?? []) : [];
    const isPath = name?.startsWith('raw/') === true;
    const path = isPath || name === undefined || turn === undefined ? name : findTranscript(this.snapshot, name);
    if (path?.startsWith('raw/') && orElse(() => this.snapshot.oidOf(path), null, 'INVALID_PATH') !== null)
      return { sources: [turn === undefined ? { path } : { path, turn: Number(turn) }] };
    return open === undefined ? {} : { sources: [{ path: open }] };
  }

  private moment(): MomentOptions {
    return { now: this.now, timeZone: this.configuration.timezone };
  }

  /** A day begins, or as an end ends, in the zone of the memory. */
  private secondsOf(time: TimeInput | undefined, where: 'validFrom' | 'validUntil'): number | undefined {
    if (time === undefined) return undefined;
    const { timezone } = this.configuration;
    const edge = where === 'validFrom' ? startOfDay : endOfDay;
    const named = typeof time === 'string' ? comingTime(time, where, this.moment()) : time;
    const isWhole = typeof named === 'string' && isDay(named);
    return Math.floor((isWhole ? edge(named, timezone) : parseTime(named, where)) / 1000);
  }
}

function idsOf(replaces: ClaimInput['replaces']): readonly string[] {
  const ids = replaces === undefined ? [] : typeof replaces === 'string' ? [replaces] : replaces;
  if (!ids.includes('')) return ids;
  throw new MemoryError('INVALID_ARGUMENT', 'replaces is the id of a memory, or a list of ids', { where: 'replaces' });
}

function checkWords(words: unknown, where: string): void {
  if (words === undefined || (typeof words === 'string' && words.trim() !== '')) return;
  const hint = 'Leave it out, or say it in a few words';
  throw new MemoryError('INVALID_ARGUMENT', `the ${where} has no words`, { where, hint });
}

/** The tags of a memory that is to be seen within a scope: where it has none of the scope's, it gets them. */
function scopeTags(scope: StoreScope | null, tags: readonly string[] = []): { tags?: readonly string[] } {
  if (scope === null || scope.covers('memories') || scope.tags.some((tag) => tags.includes(tag))) return {};
  return { tags: [...tags, ...scope.tags] };
}

/** Whether a value takes the place of another of the same attribute: one that is over, or began before it, tells of an earlier time. */
function beginsAfter({ validFrom, validUntil }: MemoryRecord, old: MemoryRecord, now: number): boolean {
  if (validUntil !== undefined && validUntil <= now) return false;
  return validFrom === undefined || validFrom >= (old.validFrom ?? old.createdAt);
}

/** A memory that ends, and what ends it. */
interface Closing {
  readonly old: MemoryRecord;
  readonly isNamed: boolean;
  readonly by: string;
  /** Seconds. */
  readonly from: number;
}

/** Lists what claims close; of several that take the place of one, the first is what replaced it. */
function closingsOf(claims: readonly ReadClaim[], now: number): Closing[] {
  const closings = new Map<string, Closing>();
  for (const { record, same, closes } of claims) {
    for (const { old, isNamed } of closes) {
      if (closings.has(old.id)) continue;
      const from = Math.max(record.validFrom ?? now, old.validFrom ?? 0);
      closings.set(old.id, { old, isNamed, by: (same ?? record).id, from });
    }
  }
  return [...closings.values()];
}

/** Plans the files of claims and of what they close, each upon what was planned of it before. */
function planClaims(
  catalog: MemoryCatalog,
  claims: readonly ReadClaim[],
  closings: readonly Closing[],
  { configuration, now }: { readonly configuration: Configuration; readonly now: number },
): EditPlan {
  return (snapshot) => {
    const planned = new Map<string, { readonly path: string; readonly record: MemoryRecord }>();
    const find = (id: string) => planned.get(id) ?? catalog.find(snapshot, id);
    for (const { record, same } of claims) {
      if (same === null) planned.set(record.id, { path: freePath(record, snapshot), record });
      else {
        const { path, record: known } = find(same.id);
        planned.set(same.id, { path, record: confirmed(known, record, configuration, now) });
      }
    }
    for (const { old, isNamed, by, from } of closings) {
      const { path, record } = find(old.id);
      if (record.status === 'superseded') {
        if (!isNamed) continue;
        const hint =
          record.replacedBy === undefined ? 'Leave it out' : `Replace ${record.replacedBy}, which took its place`;
        throw new MemoryError('CONFLICT', `memory ${old.id} was replaced already`, { where: 'replaces', hint });
      }
      planned.set(old.id, { path, record: closed(record, { by, from, now: Math.floor(now / 1000) }) });
    }
    const edits = [...planned.values()].map(({ path, record }): PlannedEdit => ({ path, after: formatMemory(record) }));
    return edits as [PlannedEdit, ...PlannedEdit[]];
  };
}

/** Gives the path of a new memory, also in place of one whose bytes are lost; throws ALREADY_EXISTS. */
function freePath({ id }: MemoryRecord, snapshot: Snapshot): string {
  const path = memoryPath(id);
  if (snapshot.readIfWhole(path) === null) return path;
  const hint = 'Leave the id out, or change that memory';
  throw new MemoryError('ALREADY_EXISTS', `a memory of the id ${id} is there already`, { where: path, hint });
}

const distinct = (records: readonly MemoryRecord[]): MemoryRecord[] => [
  ...new Map(records.map((record) => [record.id, record])).values(),
];
