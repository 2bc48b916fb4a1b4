// Captures of low trust, which wait on branches of their own until somebody lets them in.

import type { CaptureTextOptions, SessionOptions } from '../capture/recorder.ts';
import type { Session } from '../capture/session.ts';
import { answer } from '../git/disk.ts';
import type { Location } from '../open.ts';
import { Quarantine } from '../operations/quarantine.ts';
import type {
  AcceptQuarantineOptions,
  AcceptQuarantineResult,
  CaptureInput,
  CaptureResult,
  DropQuarantineResult,
  QuarantineListResult,
  QuarantineShowResult,
} from '../types.ts';
import { BranchVerbs } from './branch-verbs.ts';
import type { MemoryDependencies } from './dependencies.ts';
import type { Memory } from './memory.ts';

/** A branch beside which captures of low trust lie. */
export abstract class QuarantineVerbs extends BranchVerbs {
  private readonly quarantine: Quarantine<Memory>;

  constructor(location: Location, dependencies: MemoryDependencies) {
    super(location, dependencies);
    this.quarantine = new Quarantine<Memory>({
      access: () => this.branchAccess(),
      open: (name, isNew) => this.branch(name, { create: isNew }),
      ids: dependencies.ids,
      machine: this.machine,
      policy: () => this.configuration().trust,
    });
  }

  /**
   * Records a finished conversation or note; closed and committed when the call returns. With `trust.quarantine` one of low trust goes, with
   * what is extracted from it, to a branch of its own, which the result names: {@link acceptQuarantined} lets it in.
   */
  override capture(input: CaptureInput): Promise<CaptureResult> {
    return answer(async () => {
      if (this.isClosed || !this.quarantine.takes(input)) return super.capture(input);
      return (await this.quarantine.capture(async (branch) => [await branch.capture(input)]))[0]!;
    });
  }

  override captureText(text: string, options: CaptureTextOptions = {}): Promise<CaptureResult[]> {
    return answer(() => {
      if (this.isClosed || !this.quarantine.takes(options)) return super.captureText(text, options);
      return this.quarantine.capture((branch) => branch.captureText(text, options));
    });
  }

  /**
   * Begins a session, or goes on with an open one of that id. With `trust.quarantine` one of low trust is recorded on a branch of its own,
   * which the result of its end names. Throws ALREADY_EXISTS when it has ended.
   */
  override startSession(options: SessionOptions = {}): Promise<Session> {
    return this.acting(async () => (await this.quarantine.startSession(options)) ?? super.startSession(options));
  }

  /** Lists what lies in quarantine: captures, and what was extracted from them; and the tags of what was dropped. */
  quarantined(): Promise<QuarantineListResult> {
    return this.asking(() => this.quarantine.list());
  }

  /** Tells what a branch of quarantine would bring, word for word, and where it contradicts the present. Throws NOT_FOUND. */
  showQuarantined(name: string): Promise<QuarantineShowResult> {
    return this.asking(() => this.quarantine.show(name));
  }

  /**
   * Lets a branch of quarantine in, in one commit that undo takes back, and ends it. With `commit` only if it is still what was looked at.
   *
   * Throws NOT_FOUND; CONFLICT when it went on since, or a session goes on there; LOCKED.
   */
  acceptQuarantined(name: string, options: AcceptQuarantineOptions = {}): Promise<AcceptQuarantineResult> {
    return this.acting(() => this.quarantine.accept(name, options));
  }

  /**
   * Ends a branch of quarantine and lets nothing in; the tag `memory/quarantine/<name>` keeps it. Throws NOT_FOUND; CONFLICT while a session
   * goes on there, unless `force` is set.
   */
  dropQuarantined(name: string, options: { force?: boolean } = {}): Promise<DropQuarantineResult> {
    return this.acting(() => this.quarantine.drop(name, options));
  }

  override async close(): Promise<void> {
    if (!this.isClosed) await answer(() => this.quarantine.close());
    return super.close();
  }

  override dispose(): void {
    this.quarantine.dispose();
    super.dispose();
  }
}
