// One transcript on its way to an operation. The extractor reads its words without any state; what it found is planned against one. Writes
// nothing.

import { count } from '../../base/count.ts';
import { defined, MemoryError } from '../../base/errors.ts';
import { oncePerValue } from '../../base/once-per.ts';
import type { LedgerEvent } from '../../base/types/ledger-types.ts';
import type { MemoryRecord, Transcript } from '../../base/types/stored-types.ts';
import type { KnownLedgers } from '../../logs/index.ts';
import { forgottenIn, shownText } from '../../store/forgotten.ts';
import { SecretFilter, type SecretPolicy } from '../../store/guard/secret-filter.ts';
import type { FileChange, Operation } from '../../store/operation.ts';
import type { Configuration } from '../../store/records/configuration.ts';
import { dayOfNote, parseDailyNote } from '../../store/records/daily-note.ts';
import { formatMemory, memoryPath } from '../../store/records/memory-record.ts';
import { parseTranscript } from '../../store/records/transcript.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { withGist } from '../lifecycle/gist/memory-gist.ts';
import { changedFile } from '../lifecycle/record-changes.ts';
import { doubtRelation } from '../lifecycle/relations.ts';
import { nothingAppended, planExtractedEvents } from './extracted-events.ts';
import type { ExtractedItem, Extraction, ExtractionContext, Extractor } from './extractor.ts';
import { planKnowledge } from './knowledge-lines.ts';
import { KnownMemories } from './known-memories.ts';
import { bare, namesIn } from './names.ts';
import { type ExtractionPlan, type PlanRules, planExtraction } from './plan.ts';
import { type KnowledgeBase, namesKnown } from './subjects.ts';
import { admit, type TrustPolicy } from './trust.ts';

/** What an extraction is made with, whatever it is made of. */
export interface ExtractionSettings {
  readonly extractor: Extractor;
  readonly secrets: SecretPolicy;
  readonly gist: Configuration['gist'];
  readonly trust: TrustPolicy;
  readonly context: Omit<ExtractionContext, 'path'>;
  /** Whether new memories also become lines of knowledge files; they do unless this is false. */
  readonly writesKnowledge?: boolean;
  /** Whether names in those lines become links to their files; they do unless this is false. */
  readonly linksKnowledge?: boolean;
  /** How items become records. */
  readonly rules?: Partial<PlanRules>;
  /** What tells the ledger of new memories; without it nothing does. */
  readonly ledger?: KnownLedgers;
  /** Plans what goes into the same commit beside the memories, such as their boxes. */
  readonly besides?: (snapshot: Snapshot, created: readonly MemoryRecord[], read: ReadTranscript) => FileChange[];
}

/** A transcript and what an extractor found in it. */
export interface ReadTranscript {
  readonly path: string;
  readonly transcript: Transcript;
  readonly items: readonly ExtractedItem[];
  /** What was found and not believed. */
  readonly dropped: NonNullable<Extraction['dropped']>;
  readonly confirmed?: Extraction['confirmed'];
  /** Turns that a model could not be got to read. */
  readonly unread?: Extraction['unread'];
}

/** Names an extractor as trailers do: `rules@9`. */
export const extractorName = ({ name, version }: Pick<Extractor, 'name' | 'version'>): string => `${name}@${version}`;

/** Reads what an extraction reads: a conversation, or a daily note as one. Throws INVALID_RECORD, INVALID_DATE, TOO_LARGE. */
export function parseCapture(text: string, path: string, timeZone = 'UTC'): Transcript {
  const day = dayOfNote(path);
  return day === null ? parseTranscript(text, path) : parseDailyNote(text, day, timeZone);
}

/** Reads a capture of a state as far as it was not forgotten. Throws NOT_FOUND, and as {@link parseCapture}. */
export function transcriptAt(snapshot: Snapshot, path: string, timeZone?: string): Transcript {
  const text = snapshot.readText(path);
  if (text === null) throw new MemoryError('NOT_FOUND', 'there is no such transcript', { where: path });
  return parseCapture(shownText(snapshot, path, text), path, timeZone);
}

/** Lets the extractor read a transcript. Throws NOT_FOUND, EXTRACTION_FAILED, and what a file that is none says. */
export async function readTranscript(
  { extractor, secrets, trust, context }: ExtractionSettings,
  snapshot: Snapshot,
  path: string,
): Promise<ReadTranscript> {
  // Its words are in the memory already, if only by hand or from before the rules: an extraction is not the place to refuse.
  const filter = new SecretFilter(secrets.mode === 'refuse' ? { ...secrets, mode: 'redact' } : secrets);
  const transcript = transcriptAt(snapshot, path, context.timeZone);
  try {
    const found = await extractor.extract(transcript, { ...context, path });
    const { items, dropped = [], confirmed, unread } = 'items' in found ? found : ({ items: found } as Extraction);
    // What is in no item any more must not come out of the answer either.
    const clean = filter.passAll({ items, dropped }, 'what was extracted');
    const forgotten = forgottenIn(snapshot).turns.get(path);
    // What a person forgot is found by no other extractor either.
    const kept = clean.items.filter(({ turns }) => !turns.every((turn) => forgotten?.has(turn)));
    const admitted = admit(kept, transcript, trust);
    return {
      path,
      transcript,
      items: admitted.items,
      dropped: [...clean.dropped, ...admitted.dropped],
      ...defined({ confirmed: confirmed?.filter(({ turn }) => !forgotten?.has(turn)), unread }),
    };
  } catch (error) {
    context.signal?.throwIfAborted();
    if (error instanceof MemoryError) throw error;
    const name = extractorName(extractor);
    throw new MemoryError('EXTRACTION_FAILED', `the extractor ${name} failed`, { where: path, cause: error });
  }
}

/** How to plan. */
export interface PlanSettings {
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** Has the last word on each record before it is written. Default: it stays as it is. */
  readonly revise?: (record: MemoryRecord) => MemoryRecord;
}

/** Plans what was found against a state, as records and as the operation that makes them. */
export function planTranscript(
  {
    extractor,
    gist,
    ledger,
    besides,
    context,
    rules = {},
    trust,
    writesKnowledge = true,
    linksKnowledge = true,
  }: ExtractionSettings,
  snapshot: Snapshot,
  existing: Iterable<MemoryRecord> | KnownMemories,
  read: ReadTranscript,
  { now, revise = (record) => record }: PlanSettings,
): { readonly planned: ExtractionPlan; readonly events: readonly LedgerEvent[]; readonly operation: Operation } {
  const { path, transcript, items, dropped, confirmed = [], unread = [] } = read;
  const { name, version } = extractor;
  const hash = snapshot.nameHash((name) => memoryPath(name.slice(0, 32)));
  const knowledge = knowledgeIn(snapshot);
  const known = existing instanceof KnownMemories ? existing : undefined;
  const isName = namesKnown(transcript.turns, knowledge);
  const named = withNames(items, (word) => isName(word) || known?.isNamed(bare(word)) === true);
  const input = { path, transcript, items: named, confirmed, extractor: { name, version }, existing, hash, now, rules };
  const found = planExtraction({ ...input, ...defined({ trust }) });
  const planned = {
    ...found,
    created: found.created.map((record) => revise(withGist(record, gist))),
    updated: found.updated.map(({ before, after }) => ({ before, after: revise(after) })),
    skipped: [...dropped, ...found.skipped],
    doubts: found.doubts,
  };
  const operation = extractionOf(snapshot, path, extractor, transcript.agent, planned, unread);
  const when = { now, timeZone: context.timeZone ?? 'UTC' };
  const appended =
    ledger === undefined ? nothingAppended : planExtractedEvents(snapshot, planned, transcript, ledger, when);
  const how = { timeZone: when.timeZone, hasLinks: linksKnowledge, ...defined({ owner: context.owner }) };
  const changes = [
    ...operation.changes,
    ...planned.doubts.map((pair) => doubtRelation(pair, now)),
    ...appended.changes,
    ...(writesKnowledge ? extractedKnowledge(snapshot, planned, { ...read, knowledge }, how) : []),
    ...(besides?.(snapshot, planned.created, read) ?? []),
  ];
  return withinPrivacy(snapshot, path, { planned, events: appended.events, operation: { ...operation, changes } });
}

/** Adds the names that a quote begins with, where more than its own words is known. */
const withNames = (items: readonly ExtractedItem[], isName: (word: string) => boolean): ExtractedItem[] =>
  items.map((item) => {
    if (item.statement !== undefined) return item;
    const entities = new Set([...item.entities, ...namesIn(item.content, isName)]);
    return { ...item, entities: [...entities].slice(0, 8) };
  });

interface PlannedTranscript {
  readonly planned: ExtractionPlan;
  readonly events: readonly LedgerEvent[];
  readonly operation: Operation;
}

/**
 * Keeps what was found in a private conversation to private paths. Where a memory would not be private, nothing is
 * written. What goes with memories (events, knowledge, boxes) is written only where that is private, too.
 */
function withinPrivacy({ privacy }: Snapshot, path: string, made: PlannedTranscript): PlannedTranscript {
  if (!privacy.isPrivate(path)) return made;
  const { planned, events, operation } = made;
  const records = [...planned.created, ...planned.updated.map(({ after }) => after)];
  if (!records.every(({ id }) => privacy.isPrivate(memoryPath(id)))) {
    const nothing = { ...planned, created: [], updated: [] };
    return { planned: nothing, events: [], operation: { ...operation, changes: [] } };
  }
  const changes = operation.changes.filter((change) => privacy.isPrivate(change.path));
  const isTold = changes.some((change) => change.path.startsWith('ledger/'));
  return { planned, events: isTold ? events : [], operation: { ...operation, changes } };
}

/** Makes a plan the operation that carries it out. */
export function extractionOf(
  snapshot: Snapshot,
  path: string,
  extractor: Pick<Extractor, 'name' | 'version' | 'model'>,
  agent: string | undefined,
  planned: ExtractionPlan,
  unread: NonNullable<Extraction['unread']> = [],
): Operation {
  const records = [...planned.created, ...planned.updated.map(({ after }) => after)];
  const changes: FileChange[] = records.map((record) => ({
    path: memoryPath(record.id),
    before: snapshot.oidOf(memoryPath(record.id)),
    after: Buffer.from(formatMemory(record)),
  }));
  return {
    kind: 'extract',
    name: 'extract',
    subject: `${count(planned.created.length, 'memory', 'memories')} from ${path.split('/').at(-1)!.replace(/\.md$/, '')}`,
    body: planned.created.map((record) => `- ${record.category ?? 'memory'} ${record.id}`).join('\n'),
    trailers: [
      { key: 'Session', value: path },
      { key: 'Extractor', value: extractorName(extractor) },
      ...(extractor.model === undefined ? [] : [{ key: 'Model', value: extractor.model } as const]),
      ...(agent === undefined ? [] : [{ key: 'Agent', value: agent } as const]),
      ...records.map((record) => ({ key: 'Memory', value: record.id }) as const),
      ...closedIn(planned).map((value) => ({ key: 'Closes', value }) as const),
      // The conversation is to be read again for these.
      ...unread.map(({ first, last }) => ({ key: 'Unread', value: `${path}#${first}-${last}` }) as const),
    ],
    changes,
    onConflict: 'drop',
  };
}

/** Lists the claims that a plan closes, and those that were closed by the time they became known. */
function closedIn({ created, updated }: ExtractionPlan): string[] {
  const closed = [
    ...created.filter(({ replacedBy }) => replacedBy !== undefined),
    ...updated.filter(({ before, after }) => after.replacedBy !== before.replacedBy).map(({ after }) => after),
  ];
  return closed.map(({ id }) => id);
}

/** Plans the knowledge that new memories of a conversation become, against a state, and which of what is there it confirms. */
function extractedKnowledge(
  snapshot: Snapshot,
  { created, updated }: Pick<ExtractionPlan, 'created' | 'updated'>,
  {
    path,
    transcript,
    knowledge,
  }: { readonly path: string; readonly transcript: Transcript; readonly knowledge: KnowledgeBase },
  how: { readonly timeZone: string; readonly hasLinks: boolean; readonly owner?: string },
): FileChange[] {
  // A memory that was only taken back was not said again.
  const heard = updated
    .filter(({ before, after }) => (after.sources?.length ?? 0) > (before.sources?.length ?? 0))
    .map(({ after }) => after);
  return planKnowledge({ path, transcript, created, heard, knowledge, ...how }).map(({ path: file, after }) =>
    changedFile(snapshot, file, after),
  );
}

/** Reads knowledge of a state; folders are listed once. */
function knowledgeIn(snapshot: Snapshot): KnowledgeBase {
  return {
    read: (path) => snapshot.readText(path),
    list: oncePerValue((folder: string) => [...snapshot.list(folder).keys()]),
  };
}
