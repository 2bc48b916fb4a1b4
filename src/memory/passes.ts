// The passes over a branch: what they work upon, the model that writes, and the loop that runs them while a memory is open.

import { chooseModel } from '../adapters/configured-model.ts';
import { machineNetwork } from '../adapters/network.ts';
import { ulidSource } from '../adapters/node.ts';
import { defined } from '../base/errors.ts';
import type { ExpireResult, ExtractResult, MaintainResult, PassOptions } from '../base/types.ts';
import type { ModelWriter } from '../core/maintain/condense/writer.ts';
import type { Maintenance } from '../core/maintain/maintain.ts';
import type { ConsolidatePorts } from '../core/maintain/record-passes.ts';
import type { SchedulePorts } from '../core/maintain/schedule.ts';
import type { Round } from '../core/write/round.ts';
import type { Branch } from './branch.ts';
import type { Extraction } from './extraction-verbs.ts';

/** What runs the passes of one branch. */
export interface Passes {
  ports(): ConsolidatePorts;
  /** The tasks with what each of them takes. What maintains is loaded when it is wanted: a short command pays for no pass. */
  maintenance(round?: Round): Promise<Maintenance>;
  /** What consolidation works upon: with the model that the memory was opened with, or that a person chose where `condense.model` wants it. */
  merging(): Promise<ConsolidatePorts>;
  scheduling(): Promise<SchedulePorts>;
  extractEnded(options: PassOptions & { run?: string }): Promise<ExtractResult>;
  /** Runs the passes that follow every few extractions, if they are due. */
  afterExtractions(): Promise<MaintainResult | null>;
  /** Says what a commit of all that waits is to be called; undefined where the rules are to. */
  proposedSubject(): Promise<string | undefined>;
  startSchedule(): Promise<void>;
  stopSchedule(): Promise<void>;
}

interface PassesPort {
  readonly extractFrom: Extraction['extractFrom'];
  readonly expiring: (dryRun: boolean) => Promise<ExpireResult>;
}

/** Makes what the passes of a branch work with; `expiring` ends experiments, which a part of a memory does not see. */
export function passesOf(branch: Branch, { extractFrom, expiring }: PassesPort): Passes {
  const { store, clock, machine, repository, dependencies } = branch;
  const { catalog, configurationOf, ledgers, semantics } = branch.shared;
  const { ids, model = null, processes, logger } = dependencies;
  const nonce = () => ulidSource().next();
  let endSchedule: (() => Promise<void>) | undefined;

  /** The model that writes, as a person chose it; null where none is. */
  const writer = async (): Promise<ModelWriter | null> => {
    const configuration = branch.configuration();
    const { choice } = chooseModel(configuration.extract.model, undefined, dependencies.model);
    if (choice === null) return null;
    const { openWriter } = await import('../core/maintain/condense/writer.ts');
    return openWriter(choice, { place: repository, clock, configuration });
  };

  const passes: Passes = {
    ports() {
      const { isImmediate } = branch;
      return { store, catalog, clock, ids, configurationOf, machine, isImmediate, ledgers, semantics, model };
    },
    async merging() {
      const { condense, extract } = branch.configuration();
      const { choice } = condense.model ? chooseModel(extract.model, undefined, dependencies.model) : { choice: null };
      return { ...passes.ports(), model: model ?? (await choice?.open()) ?? null };
    },
    async maintenance(round) {
      const { maintenanceTasks } = await import('../core/maintain/maintenance-tasks.ts');
      const ports = { ...passes.ports(), ...defined({ round }) };
      const mayExpire = branch.isImmediate && branch.scope === null;
      const tasks = maintenanceTasks({
        ...ports,
        writer,
        programs: (dependencies.network ?? machineNetwork()).programs,
        processes,
        nonce,
        expireBranches: async (dryRun) => (mayExpire ? expiring(dryRun) : { dropped: [], kept: [] }),
        extract: passes.extractEnded,
      });
      return { ...ports, tasks };
    },
    async scheduling() {
      const { Round } = await import('../core/write/round.ts');
      return { maintenance: await passes.maintenance(new Round()), processes, logger, nonce };
    },
    extractEnded: ({ dryRun, signal, onProgress, run }) =>
      extractFrom({ onlyEnded: true, ...defined({ run, dryRun: dryRun || undefined, signal, onProgress }) }),
    async afterExtractions() {
      const { maintainAfterExtractions } = await import('../core/maintain/maintain.ts');
      const { Round } = await import('../core/write/round.ts');
      return maintainAfterExtractions(await passes.maintenance(new Round()));
    },
    async proposedSubject() {
      const { extract, ...configuration } = branch.configuration();
      if (chooseModel(extract.model, undefined, dependencies.model).choice === null) return undefined;
      const { proposedSubject } = await import('../core/maintain/commit-message.ts');
      return proposedSubject(store, configuration, writer);
    },
    async startSchedule() {
      const { startSchedule } = await import('../core/maintain/schedule.ts');
      const ports = await passes.scheduling();
      endSchedule ??= startSchedule(ports);
    },
    async stopSchedule() {
      await endSchedule?.();
    },
  };
  return passes;
}
