// Extraction over transcripts: each transcript is planned outside the lock and applied as one commit, all or nothing.

import { MemoryError } from '../errors.ts';
import { logOf } from '../history/log.ts';
import type { Clock } from '../ports.ts';
import { kindOf } from '../records/kind.ts';
import { memoryPath } from '../records/memory-record.ts';
import type { BranchStore } from '../store/branch-store.ts';
import type { MemoryCatalog } from '../store/memory-catalog.ts';
import type { Snapshot } from '../store/snapshot.ts';
import type { ExtractOptions, ExtractResult } from '../types.ts';
import { BarrenTranscripts } from './barren.ts';
import { type ExtractionSettings, extractorName, planTranscript, readTranscript } from './plan-transcript.ts';

export interface ExtractDependencies extends ExtractionSettings {
  readonly store: BranchStore;
  readonly catalog: MemoryCatalog;
  readonly clock: Clock;
  /** False inside a project: what is found waits in the journal for a commit on request, as the captures do. */
  readonly isImmediate: boolean;
}

type TranscriptResult = ExtractResult['transcripts'][number];

/** Runs an extractor over transcripts; those it has seen are left out unless named. */
export async function extractTranscripts(
  dependencies: ExtractDependencies,
  options: ExtractOptions,
): Promise<ExtractResult> {
  const { store, extractor } = dependencies;
  const name = extractorName(extractor);
  const barren = new BarrenTranscripts(store.repository, name, dependencies.context);
  const paths = selectTranscripts(store, name, options.from, barren);
  const transcripts: TranscriptResult[] = [];
  const fruitless: string[] = [];
  try {
    for (const [position, path] of paths.entries()) {
      options.signal?.throwIfAborted();
      const result = await extractOne(dependencies, path, options.dryRun ?? false);
      transcripts.push(result);
      if (result.created.length + result.updated.length + result.skipped.length === 0) fruitless.push(path);
      options.onProgress?.({ done: position + 1, total: paths.length });
    }
  } finally {
    const snapshot = store.snapshot();
    barren.add(fruitless.map((path) => snapshot.oidOf(path)).filter((oid) => oid !== null));
  }
  return { extractor: name, transcripts };
}

async function extractOne(
  dependencies: ExtractDependencies,
  path: string,
  isDryRun: boolean,
): Promise<TranscriptResult> {
  const { store, catalog, clock } = dependencies;
  const read = await readTranscript(dependencies, store.snapshot(), path);
  const plan = (snapshot: Snapshot) =>
    planTranscript(dependencies, snapshot, catalog.all(snapshot).values(), read, { now: clock.now() });
  // The last plan made under the lock is the one that was committed.
  let { planned, operation: made } = plan(store.snapshot());
  const planOperation = (snapshot: Snapshot) => {
    ({ planned, operation: made } = plan(snapshot));
    return made;
  };
  let commit: string | null = null;
  if (dependencies.isImmediate || isDryRun) {
    const options = { dryRun: isDryRun, onBusy: 'fail' } as const;
    const outcome = await store.commit((snapshot) => [planOperation(snapshot)], options);
    commit = isDryRun ? null : (outcome.commits.at(-1) ?? null);
  } else {
    await store.append((snapshot) => {
      const { kind, name: operation, subject, trailers, changes } = planOperation(snapshot);
      if (changes.length === 0) return [];
      return [
        { run: `extract:${path}`, kind, name: operation, subject: subject!, trailers, changes, time: clock.now() },
      ];
    });
  }
  return {
    path,
    commit,
    created: planned.created.map((record) => ({
      id: record.id,
      path: memoryPath(record.id),
      ...(record.category === undefined ? {} : { category: record.category }),
      content: record.content,
    })),
    updated: planned.updated.map(({ after }) => after.id),
    skipped: planned.skipped,
    boxes: made.changes.map((change) => change.path).filter((one) => kindOf(one) === 'box'),
  };
}

/** Lists the transcripts to work on, oldest first. */
function selectTranscripts(
  store: BranchStore,
  name: string,
  from: ExtractOptions['from'],
  barren: BarrenTranscripts,
): string[] {
  const snapshot = store.snapshot();
  const all = [...snapshot.list('raw/conversations/').keys()].filter((path) => path.endsWith('.md')).sort();
  if (from !== undefined) {
    const wanted = typeof from === 'string' ? [from] : from;
    return wanted.flatMap((one) => {
      const found = all.filter((path) => path === one || path.split('/').at(-1)!.includes(one));
      if (found.length === 0) {
        throw new MemoryError('NOT_FOUND', `no conversation is or contains ${one}`, {
          where: one,
          hint: 'Give the path of a transcript or its session id',
        });
      }
      return found;
    });
  }
  const seen = new Set(
    logOf(store.repository, snapshot.commit, { extractor: name, limit: Number.POSITIVE_INFINITY }).commits.flatMap(
      (commit) => commit.trailers.filter(({ key }) => key === 'Session').map(({ value }) => value),
    ),
  );
  for (const { kind, trailers } of store.pending()) {
    for (const { key, value } of trailers) if (kind === 'extract' && key === 'Session') seen.add(value);
  }
  return all.filter((path) => !seen.has(path) && !barren.has(snapshot.oidOf(path) ?? ''));
}
