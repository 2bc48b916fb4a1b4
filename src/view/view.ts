// A view: everything that can be asked of a memory, at one commit or of the present. Keeps no state but caches. The questions stand by family
// in the classes that it comes from; what answers one is loaded when it is asked: a short command pays for its own alone.

import { formatSeconds, millisecondsOf } from '../base/time.ts';
import { Searcher } from '../operations/searcher.ts';
import type { Snapshot } from '../store/snapshot.ts';
import { HistoryQuestions } from './history-questions.ts';
import type { ViewContext } from './view-context.ts';

/** What can be asked of any state of a memory, whether of the present or of a commit. */
export abstract class Reader extends HistoryQuestions {}

/** The read-only state at one commit. Scores of the past are those of the past: a view's time is that of its commit. */
export class View extends Reader {
  private readonly fixed: Snapshot;
  private ownSearcher: Searcher | null = null;
  /** Since when its commit is known to be there: a purge may take it away. */
  private markVersion: string;

  constructor(context: ViewContext, snapshot: Snapshot) {
    super(context);
    this.fixed = snapshot;
    this.markVersion = context.repository.mark.version();
  }

  /** Id of the commit that is asked. */
  get commit(): string {
    return this.fixed.commit!;
  }

  /** Id of its tree, which is the whole of what it knows. */
  get tree(): string {
    return this.fixed.tree!;
  }

  /** When it was committed, ISO 8601; strength and recency are scored as of then. */
  get time(): string {
    return formatSeconds(this.seconds());
  }

  protected override current(): Snapshot {
    const { mark, objects } = this.shared.repository;
    const version = mark.version();
    if (version !== this.markVersion) {
      objects.forget();
      if (!objects.has(this.commit)) throw mark.purged(this.commit);
      this.markVersion = version;
    }
    return this.fixed;
  }

  protected override searcher(): Searcher {
    this.ownSearcher ??= new Searcher(this.shared, false);
    return this.ownSearcher;
  }

  protected override now(): number {
    return millisecondsOf(this.seconds());
  }

  private seconds(): number {
    return this.shared.repository.objects.readCommit(this.commit).committer.time;
  }
}
