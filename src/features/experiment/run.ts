// The run of an experiment: begin the branch, replay every capture onto it, and commit what was found in few packs.
//
//   base ──► begin: what was extracted is left aside, memory.yaml as asked
//              └─► conversation 1 ─► … ─► n ──► one commit each, one pack and one move of the ref for all (or for each checkpoint)
//                                               └─► end: relations without their memories go

import { count } from '../../base/count.ts';
import { MemoryError } from '../../base/errors.ts';
import { monotonicMs } from '../../base/monotonic.ts';
import { takeTurns } from '../../base/take-turns.ts';
import { millisecondsOf } from '../../base/time.ts';
import type { ExperimentRunOptions, ExperimentRunResult, ExtractionCost } from '../../base/types.ts';
import {
  type ExtractionSettings,
  extractorName,
  type ReadTranscript,
  readTranscript,
} from '../../core/extract/plan-transcript.ts';
import { lineFollower, NamedMemories } from '../../core/ledger/line-follower.ts';
import { endsOf, lostEnds } from '../../core/lifecycle/relations.ts';
import { type BranchAccess, branchRef, createBranch, refuseInProject } from '../../history/index.ts';
import type { KnownLedgers } from '../../logs/index.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import { experimentFolder } from '../../store/experiment-names.ts';
import { flushBefore } from '../../store/flush-before.ts';
import type { MemoryCatalog } from '../../store/memory-catalog.ts';
import type { FileChange, Operation } from '../../store/operation.ts';
import { type Configuration, parseConfiguration } from '../../store/records/configuration.ts';
import { configurationPath, withKeys } from '../../store/records/configuration-text.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { conversationsOf, experimentBranch, findReport, stateOf } from './branch.ts';
import { experimentOperation, leaveAside } from './left-aside.ts';
import { ReplayState } from './replay-state.ts';
import { addCost, type ExperimentReport, formatReport, noCost } from './report-line.ts';

/** What extracts in an experiment, and what it has cost when it is asked. */
export interface ExperimentReader extends ExtractionSettings {
  cost?(): ExtractionCost;
}

export interface ExperimentDependencies extends BranchAccess {
  /** What an adoption tells the ledger with. */
  readonly ledger: KnownLedgers;
  readonly now: () => number;
  readonly catalog: MemoryCatalog;
  /** What `.meta.json` calls this machine. */
  readonly machine: string;
  readonly configurationOf: (snapshot: Snapshot) => Configuration;
  /** What a configuration says conversations are to be read with. */
  readonly readerOf: (configuration: Configuration) => Promise<ExperimentReader>;
}

const defaultParallel = 4;
const defaultCheckpoint = 1000;
/** What a model has found is not lost for longer. */
const checkpointMs = 60_000;
/** So much is held in memory at most before it is committed. */
const checkpointBytes = 64 << 20;
/** Others may work after so long. */
const breathMs = 40;

/**
 * Runs an experiment, or goes on with it where it was left; a finished one is left as it is.
 *
 * What waits on the open branch is committed when an experiment begins; else that branch and the work tree are not touched. Throws
 * INVALID_REF, INVALID_CONFIG, and INVALID_ARGUMENT for a number, or for an experiment that was begun otherwise. Throws EXTRACTION_FAILED:
 * what was found until then is committed, and the next run goes on there.
 */
export async function runExperiment(
  dependencies: ExperimentDependencies,
  name: string,
  options: ExperimentRunOptions,
): Promise<ExperimentRunResult> {
  const { scope, store, open } = dependencies;
  refuseInProject(scope, 'git branch');
  const branch = experimentBranch(name);
  checkNumbers(options);
  let begun: ExperimentReader | undefined;
  if (scope.repository.refs.read(branchRef(scope, branch)) === null) {
    // Before that, a branch would only be in the way.
    const asked = configuredText(store.snapshot(), options.config ?? {});
    begun = await dependencies.readerOf(configurationIn(dependencies, store.snapshot(), asked));
    await createBranch(scope, store, branch, undefined);
  }
  const other = await open(branch);
  try {
    await flushBefore(other.store);
    const short = branch.slice(experimentFolder.length);
    const tip = other.store.tip()!;
    const known = findReport(other.store, tip, short);
    if (known !== null) checkConfig(known, options.config);
    if (known?.isFinished) return { ...stateOf(store, branch, tip, known), read: 0, commits: [] };
    const snapshot = other.store.at(tip);
    const text = known === null ? configuredText(snapshot, options.config ?? {}) : null;
    const reader = begun ?? (await dependencies.readerOf(configurationIn(dependencies, snapshot, text)));
    const run = new Run(dependencies, { store: other.store, name: short, reader, known, text }, options);
    const commits = await run.finish();
    const state = stateOf(store, branch, other.store.tip()!, run.report);
    return { ...state, read: run.read, commits };
  } finally {
    other.dispose();
  }
}

function checkNumbers({ parallel, checkpoint }: ExperimentRunOptions): void {
  for (const [where, number] of Object.entries({ parallel, checkpoint })) {
    if (number === undefined || (Number.isSafeInteger(number) && number >= 1)) continue;
    throw new MemoryError('INVALID_ARGUMENT', `${where} must be a whole number of at least 1`, { where });
  }
}

function configurationIn(
  { configurationOf }: Pick<ExperimentDependencies, 'configurationOf'>,
  snapshot: Snapshot,
  text: string | null,
): Configuration {
  return text === null ? configurationOf(snapshot) : parseConfiguration(text, configurationPath).configuration;
}

/** Gives memory.yaml with other values, or null where there are none. Throws INVALID_CONFIG. */
function configuredText(snapshot: Snapshot, config: Readonly<Record<string, unknown>>): string | null {
  if (Object.keys(config).length === 0) return null;
  return withKeys(snapshot.readText(configurationPath) ?? '', configurationPath, config);
}

/** What a run begins with; `text` is memory.yaml where it is to be another one. */
interface Begun {
  readonly store: BranchStore;
  readonly name: string;
  readonly reader: ExperimentReader;
  readonly known: ExperimentReport | null;
  readonly text: string | null;
}

class Run {
  read = 0;
  report: ExperimentReport;
  private readonly dependencies: ExperimentDependencies;
  private readonly store: BranchStore;
  private readonly options: ExperimentRunOptions;
  private readonly reader: ExperimentReader;
  private readonly paths: readonly string[];
  private readonly state: ReplayState;
  private readonly costBefore: ExtractionCost;
  private operations: Operation[] = [];
  /** The last conversation if it changed nothing; it is a commit only where nothing else says how far the run is. */
  private idle: Operation | null = null;
  private readonly commits: string[] = [];
  private bytes = 0;
  private savedAt = monotonicMs();
  private tip: string;

  constructor(
    dependencies: ExperimentDependencies,
    { store, name, reader, known, text }: Begun,
    options: ExperimentRunOptions,
  ) {
    const { catalog } = dependencies;
    this.dependencies = dependencies;
    this.store = store;
    this.options = options;
    this.reader = reader;
    this.tip = store.tip()!;
    const base = known?.base ?? this.tip;
    this.paths = conversationsOf(store, base);
    const left = leaveAside(store, base);
    const origin = {
      former: new Map(catalog.stored(store.at(base)).map(({ record }) => [record.id, record])),
      gone: left.gone,
      consequences: lineFollower({ named: new NamedMemories(), configurationOf: dependencies.configurationOf }),
      now: millisecondsOf(store.repository.objects.readCommit(base).committer.time),
    };
    const extractor = extractorName(reader.extractor);
    if (known === null) {
      const config = options.config ?? {};
      const total = this.paths.length;
      const nothing = { done: 0, created: 0, updated: 0, skipped: 0, isFinished: false, cost: noCost };
      this.report = { name, base, extractor, config, total, leftAside: left.memories, ...nothing };
      const before = store.at(this.tip).oidOf(configurationPath);
      const changes =
        text === null ? left.changes : [...left.changes, { path: configurationPath, before, after: Buffer.from(text) }];
      this.operations.push(beginningOf(this.report, changes));
      this.state = new ReplayState(store, catalog, base, reader, origin, changes);
    } else {
      checkExtractor(known, extractor);
      this.report = known;
      this.state = new ReplayState(store, catalog, this.tip, reader, origin);
    }
    this.costBefore = this.report.cost;
  }

  async finish(): Promise<readonly string[]> {
    const { signal, onProgress } = this.options;
    const { total } = this.report;
    onProgress?.({ done: this.report.done, total });
    try {
      for await (const read of this.readAhead()) {
        this.plan(read);
        onProgress?.({ done: this.report.done, total });
        signal?.throwIfAborted();
        if (this.isDue()) await this.save();
      }
    } catch (error) {
      // What was found is worth keeping, above all where a model was paid for it.
      if (this.read > 0) await this.save();
      throw error;
    }
    this.report = { ...this.report, isFinished: true };
    this.operations.push(this.ending());
    await this.save();
    return this.commits;
  }

  private async *readAhead(): AsyncGenerator<ReadTranscript> {
    const { signal, parallel = defaultParallel } = this.options;
    const snapshot = this.store.at(this.report.base);
    const begun: Promise<ReadTranscript>[] = [];
    const turn = takeTurns(breathMs);
    for (let next = this.report.done; ; ) {
      signal?.throwIfAborted();
      while (begun.length < parallel && next < this.paths.length) {
        const reading = readTranscript(this.reader, snapshot, this.paths[next++]!);
        // A failure is thrown when its turn comes.
        reading.catch(() => undefined);
        begun.push(reading);
      }
      const first = begun.shift();
      if (first === undefined) return;
      yield await first;
      await turn();
    }
  }

  private plan(read: ReadTranscript): void {
    const { operation, planned, skipped } = this.state.plan(read);
    const { report } = this;
    this.read += 1;
    this.report = {
      ...report,
      done: report.done + 1,
      created: report.created + planned.created.length,
      updated: report.updated + planned.updated.length,
      skipped: report.skipped + skipped,
    };
    this.idle = operation.changes.length === 0 ? operation : null;
    if (this.idle === null) this.operations.push(operation);
    for (const { after } of operation.changes) this.bytes += after?.length ?? 0;
  }

  private isDue(): boolean {
    const { checkpoint = defaultCheckpoint } = this.options;
    const isLong = monotonicMs() - this.savedAt > checkpointMs;
    return this.operations.length >= checkpoint || this.bytes > checkpointBytes || isLong;
  }

  /** Commits what was planned, in one pack and with one move of the ref; the last commit says how far it is. */
  private async save(): Promise<void> {
    const { store, tip, idle } = this;
    this.report = { ...this.report, cost: addCost(this.costBefore, this.reader.cost?.() ?? noCost) };
    const before = idle === null ? this.operations : [...this.operations, idle];
    const operations = before.map((one, at) => (at === before.length - 1 ? reporting(one, this.report) : one));
    const outcome = await store.commit(
      (snapshot) => {
        if (snapshot.commit === tip) return operations;
        throw new MemoryError('REF_MOVED', 'another program wrote to the branch of the experiment', {
          where: store.ref,
          hint: 'Nothing is lost; run the experiment again to continue',
        });
      },
      { onBusy: 'fail' },
    );
    this.commits.push(...outcome.commits);
    this.tip = outcome.tip ?? tip;
    this.operations = [];
    this.idle = null;
    this.bytes = 0;
    this.savedAt = monotonicMs();
    this.state.moveTo(this.tip);
  }

  /** Relations of memories that nobody extracted again have lost an end. */
  private ending(): Operation {
    const { report, state } = this;
    const ends = endsOf(this.dependencies.catalog.relations(state.present));
    const orphans = new Map<string, FileChange>();
    for (const id of lostEnds(state.present, ends)) {
      for (const { path, oid } of ends.get(id)!) orphans.set(path, { path, before: oid, after: null });
    }
    return {
      kind: 'extract',
      name: experimentOperation,
      subject: `${report.name} is finished: ${count(report.created, 'memory', 'memories')} of ${count(report.total, 'conversation')}`,
      trailers: [{ key: 'Extractor', value: report.extractor }],
      changes: [...orphans.values()],
      onConflict: 'refuse',
    };
  }
}

function beginningOf(report: ExperimentReport, changes: readonly FileChange[]): Operation {
  const settings = Object.entries(report.config).map(([key, value]) => `- ${key} is ${JSON.stringify(value)}`);
  return {
    kind: 'extract',
    name: experimentOperation,
    subject: `begin ${report.name}: ${count(report.leftAside, 'memory', 'memories')} left aside`,
    body: settings.join('\n'),
    trailers: [{ key: 'Extractor', value: report.extractor }],
    changes,
    onConflict: 'refuse',
    mayBeEmpty: true,
    bringsBack: true,
    mayRemoveMany: true,
  };
}

function reporting(operation: Operation, report: ExperimentReport): Operation {
  const body = [operation.body ?? '', formatReport(report)].filter((part) => part !== '').join('\n\n');
  return { ...operation, body, mayBeEmpty: true };
}

const otherwise = (name: string) => `Drop it with \`git memory experiment drop ${name}\`, or choose another name`;

function checkConfig(known: ExperimentReport, config: ExperimentRunOptions['config']): void {
  const isSame = config === undefined || JSON.stringify(sorted(config)) === JSON.stringify(sorted(known.config));
  if (isSame) return;
  const hint = otherwise(known.name);
  throw new MemoryError('INVALID_ARGUMENT', 'the experiment was begun with other settings', { where: 'config', hint });
}

function checkExtractor(known: ExperimentReport, extractor: string): void {
  if (extractor === known.extractor) return;
  throw new MemoryError(
    'INVALID_ARGUMENT',
    `the experiment was begun by ${known.extractor}, and this is ${extractor}`,
    { where: 'name', hint: otherwise(known.name) },
  );
}

const sorted = (values: Readonly<Record<string, unknown>>) =>
  Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
