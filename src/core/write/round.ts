// A round of maintenance as one commit: each pass plans upon what those before it made, and what they made lands together. What cannot be
// joined, such as what takes many memories away, lands by itself, behind what waits.

import { defined } from '../../base/errors.ts';
import type { Trailer } from '../../store/guard/message.ts';
import type { FileChange } from '../../store/operation.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import type { PassItem, PassMessage } from '../lifecycle/pass.ts';

/** The `Operation` trailer of a round. */
export const roundName = 'upkeep';

/** What waits for the end of a round: a plan like that of one pass. */
export interface WaitingRound {
  readonly item: PassItem;
  readonly message: PassMessage;
  readonly run?: string;
  /** Names the state before what takes lines or files away. */
  readonly before: readonly NameBefore[];
  readonly mayRemoveLines: boolean;
}

type NameBefore = (tip: string) => Promise<void>;

/** What a pass lets wait: its plan, and what a commit of it alone would have been told. */
export interface RoundPart extends Pick<Partial<WaitingRound>, 'run' | 'mayRemoveLines'> {
  readonly items: readonly PassItem[];
  readonly message: PassMessage;
  readonly before?: NameBefore;
}

export class Round {
  /** What is there by now; null while nothing waits. */
  state: Snapshot | null = null;
  /** The task that runs, and those whose work waits, landed or was lost: by its commit, or why. */
  task = '';
  readonly waiting = new Set<string>();
  readonly landed = new Map<string, string>();
  readonly lost = new Map<string, string>();
  private readonly changes = new Map<string, FileChange>();
  private readonly parts: RoundPart[] = [];

  begin(): void {
    this.landed.clear();
    this.lost.clear();
  }

  /** Lets what a pass planned upon a state wait. */
  take(state: Snapshot, part: RoundPart): void {
    const made = part.items.flatMap(({ changes }) => changes);
    for (const change of made) {
      const { before } = this.changes.get(change.path) ?? change;
      this.changes.set(change.path, { ...change, before });
    }
    this.state = state.with(made);
    this.parts.push(part);
    this.waiting.add(this.task);
  }

  /** Gives what waits, and begins anew; null where nothing does, or nothing that anybody would miss before the next commit. */
  end(): WaitingRound | null {
    const [parts, changes] = [this.parts.splice(0), [...this.changes.values()]];
    this.state = null;
    this.changes.clear();
    const all = parts.flatMap(({ items }) => items);
    if (all.every(({ mayWait }) => mayWait)) {
      this.waiting.clear();
      return null;
    }
    const models = new Set(all.flatMap(({ by }) => (by === undefined || by === 'rule' ? [] : [by])));
    const trailers: Trailer[] = [
      ...parts.flatMap(({ message }) => message.trailers ?? []),
      ...[...models].map((value) => ({ key: 'Model', value }) as const),
    ];
    const [only, ...others] = parts;
    const body = parts.map(({ message: { subject } }) => `- ${subject}`).join('\n');
    const message = others.length === 0 ? only!.message : { subject: `${parts.length} things done`, body, trailers };
    const ids = [...new Set(all.flatMap((item) => item.ids))];
    return {
      item: { action: roundName, ids, why: message.subject, changes },
      message: { ...message, trailers },
      ...defined({ run: parts.find(({ run }) => run !== undefined)?.run }),
      before: parts.flatMap(({ before }) => before ?? []),
      mayRemoveLines: parts.some(({ mayRemoveLines }) => mayRemoveLines),
    };
  }

  /** Notes what became of the work of the tasks that waited. */
  settle(commit: string | undefined, why: string): void {
    for (const task of this.waiting) {
      if (commit === undefined) this.lost.set(task, why);
      else this.landed.set(task, commit);
    }
    this.waiting.clear();
  }
}
