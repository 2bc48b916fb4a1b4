// What happens to records over time: merged, shortened, split, promoted, brought in, kept in order, and when.

import { chooseModel } from '../adapters/configured-model.ts';
import { installedPaths } from '../adapters/installation.ts';
import { machineNetwork } from '../adapters/network.ts';
import { ulidSource } from '../adapters/node.ts';
import { defined } from '../base/defined.ts';
import type { ModelWriter } from '../operations/condense/writer.ts';
import type { ConsolidatePorts } from '../operations/consolidate.ts';
import type { SourceText } from '../operations/import/source.ts';
import type { Maintenance } from '../operations/maintain.ts';
import type { SchedulePorts } from '../operations/schedule.ts';
import type { ScheduleLines, Scheduler } from '../operations/schedule-lines.ts';
import type {
  BundleResult,
  ConsolidateMemoriesOptions,
  ConsolidateResult,
  ExtractResult,
  GistOptions,
  GistResult,
  ImportOptions,
  ImportResult,
  MaintainOptions,
  MaintainResult,
  NightlyOptions,
  NightlyResult,
  PassOptions,
  PromoteOptions,
  PromoteResult,
  ScheduleResult,
  ScheduleRunResult,
  SchemaOptions,
  SchemaResult,
  SplitCandidates,
  SplitOptions,
  SplitPartInput,
  SplitResult,
} from '../types.ts';
import { ExtractionVerbs } from './extraction-verbs.ts';

/** A branch whose records are kept in order. */
export abstract class PassVerbs extends ExtractionVerbs {
  /**
   * Merges memories that say the same: clusters above `consolidate.automatic` of memory.yaml, each in one commit that makes the new
   * memory, links it to its sources and removes them.
   *
   * Clusters in doubt are merged by the model, if one is set, and else left in `open`. Throws NOT_FOUND and INVALID_ARGUMENT for
   * `ids`, LOCKED.
   */
  consolidate(options: ConsolidateMemoriesOptions = {}): Promise<ConsolidateResult> {
    const consolidate = async () =>
      (await import('../operations/consolidate.ts')).consolidateMemories(this.passes(), options);
    return this.actingUnlessDry(options, consolidate);
  }

  /**
   * Gives short forms to the memories that have none, or makes those of `ids`, or `all`, anew, in one commit; says what they save.
   *
   * Throws NOT_FOUND, AMBIGUOUS, LOCKED.
   */
  gist(options: GistOptions = {}): Promise<GistResult> {
    const gist = async () => (await import('../operations/gists.ts')).makeGists(this.passes(), options);
    return this.actingUnlessDry(options, gist);
  }

  /**
   * Imports memories and notes from a file, a folder or texts: what is new, and what changed there since the last import; a second
   * import of the same changes nothing. What is another here stays and is named in the answer, unless `overwrite`.
   *
   * One commit, or one for each conversation, behind a tag of the state before, which stays when the import fails. Throws NOT_FOUND,
   * INVALID_ARGUMENT, TOO_LARGE, UNSAFE_FILE of the source, SECRET, QUOTA, LOCKED.
   */
  import(from: string | readonly SourceText[], options: ImportOptions = {}): Promise<ImportResult> {
    const run = async () => (await import('../operations/import/import.ts')).importFrom(this.passes(), from, options);
    return this.actingUnlessDry(options, run);
  }

  /**
   * Splits a memory into parts, each a memory as well known as the whole was, in one commit; without `parts`, one for each idea of it.
   *
   * The whole leaves; the parts name it. Throws NOT_FOUND, AMBIGUOUS, INVALID_ARGUMENT, SECRET, LOCKED.
   */
  split(id: string, parts?: readonly (string | SplitPartInput)[], options: SplitOptions = {}): Promise<SplitResult> {
    const split = async () => {
      const { splitMemory } = await import('../operations/split.ts');
      return splitMemory(this.passes(), this.found(id).id, parts, this.filter(), options);
    };
    return this.actingUnlessDry(options, split);
  }

  /** Lists memories that could be several: long, with many tags or entities, or used in many domains, and of two ideas or more. */
  splitCandidates(): Promise<SplitCandidates> {
    return this.asking(async () => {
      const { findSplitCandidates } = await import('../operations/split.ts');
      return findSplitCandidates(this.shared.catalog, this.store.snapshot(), this.configuration());
    });
  }

  /**
   * Makes a knowledge file of each memory that was used and is strong, or of those of `ids`, each in one commit; memory and file name
   * each other, and the memory stays. Throws NOT_FOUND, AMBIGUOUS, INVALID_ARGUMENT, LOCKED.
   */
  promote(options: PromoteOptions = {}): Promise<PromoteResult> {
    const promote = async () => (await import('../operations/promote.ts')).promoteMemories(this.passes(), options);
    return this.actingUnlessDry(options, promote);
  }

  /**
   * Distils clusters of promoted memories, or those of `ids`, into memories of the status `schema`, which name them; the members stay.
   *
   * Throws NOT_FOUND, AMBIGUOUS, INVALID_ARGUMENT, LOCKED.
   */
  distil(options: SchemaOptions = {}): Promise<SchemaResult> {
    const distil = async () => (await import('../operations/promote.ts')).distilSchemas(this.passes(), options);
    return this.actingUnlessDry(options, distil);
  }

  /** Gives the schemas that memory.yaml names under a bundle. Throws NOT_FOUND. */
  bundle(name: string): Promise<BundleResult> {
    return this.asking(async () => {
      const { bundleOf } = await import('../operations/promote.ts');
      return bundleOf(this.shared.catalog, this.store.snapshot(), this.configuration(), name);
    });
  }

  protected override async maintainAfterExtractions(): Promise<MaintainResult | null> {
    const { maintainAfterExtractions } = await import('../operations/maintain.ts');
    return maintainAfterExtractions(await this.maintenance());
  }

  /** The model that writes, as a person chose it; null where none is. */
  private async writer(): Promise<ModelWriter | null> {
    const configuration = this.configuration();
    const { choice } = chooseModel(configuration.extract.model, undefined, this.dependencies.model);
    if (choice === null) return null;
    const { openWriter } = await import('../operations/condense/writer.ts');
    return openWriter(choice, { place: this.repository, clock: this.dependencies.clock, configuration });
  }

  protected override async proposedSubject(): Promise<string | undefined> {
    const { extract, ...configuration } = this.configuration();
    if (chooseModel(extract.model, undefined, this.dependencies.model).choice === null) return undefined;
    const { proposedSubject } = await import('../operations/commit-message.ts');
    return proposedSubject(this.store, configuration, () => this.writer());
  }

  private passes(): ConsolidatePorts {
    const { clock, ids, model = null } = this.dependencies;
    const { catalog, configurationOf, ledgers } = this.shared;
    const { store, machine, isImmediate } = this;
    const semantics = () => this.semantics();
    return { store, catalog, clock, ids, configurationOf, machine, isImmediate, ledgers, semantics, model };
  }

  /** The tasks with what each of them takes. What maintains is loaded when it is wanted: a short command pays for no pass. */
  private async maintenance(): Promise<Maintenance> {
    const { maintenanceTasks } = await import('../operations/maintenance-tasks.ts');
    const { network = machineNetwork(), processes } = this.dependencies;
    const ports = this.passes();
    const tasks = maintenanceTasks({
      ...ports,
      writer: () => this.writer(),
      programs: network.programs,
      processes,
      nonce: () => ulidSource().next(),
      expireBranches: async (dryRun) => (this.isImmediate ? this.expiring(dryRun) : { dropped: [], kept: [] }),
      extract: (options) => this.extractEnded(options),
    });
    return { ...ports, tasks };
  }

  private extractEnded({ dryRun, signal, onProgress, run }: PassOptions & { run?: string }): Promise<ExtractResult> {
    return this.extractFrom({ onlyEnded: true, ...defined({ run, dryRun: dryRun || undefined, signal, onProgress }) });
  }

  /**
   * Runs the tasks of maintenance that are due, or those that are named: each is a plan with reasons, and a commit of its own.
   *
   * A task that fails is told and keeps no other from running; one that takes away more memories than `limits.removed_share` says needs
   * `force`. Throws INVALID_ARGUMENT for an unknown task, INVALID_CONFIG.
   */
  maintain(options: MaintainOptions = {}): Promise<MaintainResult> {
    const run = async () => (await import('../operations/maintain.ts')).maintain(await this.maintenance(), options);
    return this.actingUnlessDry(options, run);
  }

  /**
   * Consolidates what came since the last night: extracts, brings knowledge in step with the ledger, writes the pack, checks the ledger and
   * reports, each step a commit of one run. A second run finds nothing to do. Throws LOCKED.
   */
  nightly(options: NightlyOptions = {}): Promise<NightlyResult> {
    const run = async () => {
      const { nightly } = await import('../operations/nightly.ts');
      return nightly({ ...this.passes(), extract: (wanted) => this.extractEnded(wanted) }, options);
    };
    return this.actingUnlessDry(options, run);
  }

  /** Maintains again and again, as tasks become due, until the signal says stop; tells of each round, and how many there were. */
  maintainUntilStopped(
    options: MaintainOptions & { signal: AbortSignal; onRun?: (result: MaintainResult) => void },
  ): Promise<MaintainResult & { rounds: number }> {
    return this.acting(async () =>
      (await import('../operations/schedule.ts')).runUntilStopped(await this.scheduling(), options),
    );
  }

  /** Tells what is done by itself: when it last was, and when it is due. Throws INVALID_CONFIG. */
  schedule(): Promise<ScheduleResult> {
    return this.asking(async () => (await import('../operations/schedule.ts')).scheduleOf(await this.maintenance()));
  }

  /**
   * Does once what is due, as {@link maintain} does, unless another process is at it. Throws INVALID_CONFIG; a task that fails is told in the
   * result.
   */
  runSchedule(options: Omit<MaintainOptions, 'tasks'> = {}): Promise<ScheduleRunResult> {
    const run = async () => (await import('../operations/schedule.ts')).runSchedule(await this.scheduling(), options);
    return this.actingUnlessDry(options, run);
  }

  /** Makes ready lines for a scheduler of the machine, which call `git memory schedule run`; installs nothing. */
  scheduleLines(kind: Scheduler): Promise<ScheduleLines> {
    const { directory, branchName: branch } = this;
    return this.asking(async () =>
      (await import('../operations/schedule-lines.ts')).scheduleLines(kind, { ...installedPaths(), directory, branch }),
    );
  }

  /** Does what is due while the memory is open, from a minute after now on; {@link close} ends it. */
  async startSchedule(): Promise<void> {
    const { BackgroundSchedule } = await import('../operations/schedule.ts');
    const ports = await this.scheduling();
    this.background ??= new BackgroundSchedule(ports);
  }

  private async scheduling(): Promise<SchedulePorts> {
    const { processes, logger } = this.dependencies;
    return { maintenance: await this.maintenance(), processes, logger, nonce: () => ulidSource().next() };
  }
}
