// The batch: small writes that wait in the journal, and the commit that takes them when it is due, full, or asked for.

import { defined } from '../../base/errors.ts';
import type { Clock, Logger } from '../../base/ports.ts';
import { oneLine } from '../../base/text.ts';
import type { MemoryRecord } from '../../base/types/stored-types.ts';
import type { CommitOptions, CommitResult, Redaction, WriteResult } from '../../base/types.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import { refuseJournalled } from '../../store/flush-before.ts';
import { asMemoryError } from '../../store/git/file-errors.ts';
import { asEngine, checkFileWrite } from '../../store/guard/agent-door.ts';
import { SecretFilter } from '../../store/guard/secret-filter.ts';
import type { Configuration } from '../../store/records/configuration.ts';
import { coreMemoryPath } from '../../store/records/kind.ts';
import { withLineCount } from '../../store/records/knowledge-items.ts';
import { kindOfChanges } from '../../store/runs.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { refreshGist } from '../lifecycle/gist/memory-gist.ts';
import { changedFile } from '../lifecycle/record-changes.ts';
import { cleanEdit, type EditPlan, type PlannedEdit } from './edits.ts';
import { type Origin, originTrailers } from './origin.ts';

export interface BatchDependencies {
  readonly store: BranchStore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** False inside a project: commits are made on request only. */
  readonly isImmediate: boolean;
  readonly configuration: () => Configuration;
  /** Says what the commit of all that waits is to be called; undefined where the rules are to. */
  readonly subject?: () => Promise<string | undefined>;
}

export interface BatchWriteOptions {
  /** The memories that the write is about; they are named in trailers and subject, one alone in the answer. */
  readonly records?: readonly MemoryRecord[];
  /** The filter that has seen the words of the records already. */
  readonly filter?: SecretFilter;
  /** The ids of memories that it closes; named in trailers. */
  readonly closes?: readonly string[];
  /** The writer and the conversation. Writes of different origins become commits of their own. */
  readonly origin?: Origin;
  /** What the commit is called when it holds this alone; default: the name and the memories. */
  readonly subject?: string;
  /** The write may be one of many that take memories away. */
  readonly allowRemovals?: boolean;
  /** It changes memory.yaml for a person; no other write reaches it. */
  readonly isConfiguration?: boolean;
}

/** From this part of its limits on, the writer who fills the journal waits for a commit: back-pressure before refusal. */
const flushLevel = 0.5;

export class Batch {
  private readonly dependencies: BatchDependencies;
  private timer: NodeJS.Timeout | null = null;
  private isStopped = false;

  constructor(dependencies: BatchDependencies) {
    this.dependencies = dependencies;
  }

  /** Adds the changes of one write, all or none; durable when it returns. Throws INVALID_PATH for files that engine or people keep. */
  async write(name: string, plan: EditPlan, options: BatchWriteOptions = {}): Promise<WriteResult> {
    const { store, clock, configuration, isImmediate } = this.dependencies;
    const { records, closes = [], filter = new SecretFilter(configuration().secrets) } = options;
    const from = originTrailers(options.origin ?? {});
    const id = records?.length === 1 ? records[0]!.id : undefined;
    let path = '';
    let redacted: readonly Redaction[] = [];
    await store.append((snapshot) => {
      const planned = plan(snapshot);
      const edits: readonly PlannedEdit[] = 'path' in planned ? [planned] : planned;
      if (!options.isConfiguration) for (const edit of edits) checkFileWrite(edit.path);
      const cleaned = edits.map((edit) => {
        const clean = cleanEdit(edit, snapshot, filter, records !== undefined);
        return records !== undefined ? clean : { ...clean, edit: this.refreshed(clean.edit, snapshot) };
      });
      path = edits[0]!.path;
      redacted = cleaned.flatMap((one) => one.redacted);
      const kind = kindOfChanges(edits);
      return [
        {
          run: ['batch', kind, ...from.map(({ value }) => value)].join(':'),
          kind,
          name,
          // Subjects are read by everyone who sees the repository: with private paths they do not quote.
          ...(records === undefined || snapshot.privacy.patterns.length > 0
            ? {}
            : { subject: options.subject ?? subjectOf(name, records) }),
          trailers: [
            ...from,
            ...(records ?? []).map((record) => ({ key: 'Memory', value: record.id }) as const),
            ...closes.map((value) => ({ key: 'Closes', value }) as const),
          ],
          changes: cleaned.map(({ edit }) => changedFile(snapshot, edit.path, edit.after)),
          time: clock.now(),
          ...(options.allowRemovals ? { mayRemoveMany: true } : {}),
        },
      ];
    });
    if (isImmediate && store.fillLevel >= flushLevel) await this.flushOrWait();
    else this.schedule();
    return { ...(id === undefined ? {} : { id }), path, pending: true, ...(redacted.length === 0 ? {} : { redacted }) };
  }

  /** Commits the batch and the hand edits. Throws LOCKED while another program holds git's index, SECRET, MASS_REMOVAL. */
  async commit(message: string | undefined, { waiting = false, ...options }: CommitOptions): Promise<CommitResult> {
    const { store, configuration } = this.dependencies;
    const handSubject =
      message === undefined ? undefined : new SecretFilter(configuration().secrets).pass(message, 'the message');
    // A model has seen what waits, and not what was edited by hand.
    const subject = handSubject ?? (await this.dependencies.subject?.());
    const scan = waiting ? 'unasked' : true;
    const outcome = await store.flush({ ...defined({ subject, handSubject }), ...options, scan });
    refuseJournalled(outcome);
    return { commits: outcome.commits, skipped: outcome.skipped };
  }

  /** Commits what is overdue, also what other processes left, and sees to the rest in time. */
  async resume(): Promise<void> {
    const { store, clock, isImmediate } = this.dependencies;
    const oldest = store.pending()[0];
    if (oldest === undefined || !isImmediate) return;
    if (clock.now() - oldest.time >= this.delayMs) await store.flush({ scan: 'unasked' });
    else this.schedule();
  }

  /** Commits what waits at the end; inside a project, or where the branch is lost, it goes on waiting. */
  async finish(): Promise<void> {
    const { store, isImmediate, subject } = this.dependencies;
    if (!isImmediate || store.pending().length === 0 || store.lost !== null) return;
    const said = await subject?.();
    await store.flush({ ...defined({ subject: said }), scan: 'unasked' });
  }

  /** Lets go of the timer; what waits stays in the journal. */
  stop(): void {
    this.isStopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  private get delayMs(): number {
    return this.dependencies.configuration().flushMinutes * 60_000;
  }

  private schedule(): void {
    if (this.timer !== null || this.isStopped || !this.dependencies.isImmediate) return;
    const flush = () => {
      this.timer = null;
      if (!this.isStopped) void this.flushOrWait(true);
    };
    this.timer = asEngine(() => setTimeout(flush, this.delayMs));
    this.timer.unref();
  }

  /** Brings along what follows from the text of a file: the gist of a record, the count of lines of MEMORY.md. */
  private refreshed(edit: PlannedEdit, snapshot: Snapshot): PlannedEdit {
    const { path, after } = edit;
    if (after !== null && path === coreMemoryPath) return { path, after: withLineCount(after) };
    return refreshGist(edit, snapshot.textIfWhole(path), this.dependencies.configuration().gist);
  }

  /** Commits the batch outside of any call that could report a failure: what is in it is acknowledged already. */
  private async flushOrWait(mayAsk = false): Promise<void> {
    const { store, logger, subject } = this.dependencies;
    try {
      const said = mayAsk ? await subject?.() : undefined;
      if (this.isStopped) return;
      await store.flush({ ...defined({ subject: said }), scan: 'unasked' });
    } catch (error) {
      logger.warn(`the batch could not be committed and waits: ${String(asMemoryError(error))}`);
      this.schedule();
    }
  }
}

const subjectOf = (name: string, records: readonly MemoryRecord[]): string =>
  records.length === 1 ? `${name} "${oneLine(records[0]!.content, 40)}"` : `${name} ${records.length} memories`;

/** Calls a relation by what its memories say: `relate "Deploys wait for review" (causes) "Releases are on Friday"`. */
export function relationSubject(from: MemoryRecord, to: MemoryRecord, type: string): string {
  const [one, other] = [from, to].map(({ gist, content }) => `"${oneLine(gist ?? content, 22)}"`);
  return `relate ${one} (${oneLine(type, 16)}) ${other}`;
}
