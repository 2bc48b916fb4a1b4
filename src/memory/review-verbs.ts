// What waits for a person, and what the person decides.

import { defined } from '../base/errors.ts';
import type { ReviewOptions, ReviewResult, VerdictKind, VerdictOptions, VerdictResult } from '../base/types.ts';
import type { Batch } from '../core/write/batch.ts';
import type { NearDuplicates } from '../core/write/near-duplicates.ts';
import type { Quarantine, QuarantineBranch } from '../features/quarantine/index.ts';
import type { WholeBranch } from './branch.ts';
import { compose, within } from './compose.ts';
import type { Passes } from './passes.ts';
import { learntFrom } from './recall-questions.ts';
import type { writeVerbs } from './write-verbs.ts';

interface ReviewPort<Branch extends QuarantineBranch> {
  readonly batch: Batch;
  readonly passes: Passes;
  readonly quarantine: Quarantine<Branch>;
  readonly nearDuplicates: NearDuplicates;
  readonly acts: Pick<ReturnType<typeof writeVerbs>, 'remember' | 'commit'>;
}

/** Reviews a whole memory. */
export function reviewVerbs<Branch extends QuarantineBranch>(
  branch: WholeBranch,
  { batch, passes, quarantine, nearDuplicates, acts }: ReviewPort<Branch>,
) {
  const { store, shared } = branch;
  return compose(
    within(branch.asking, {
      /**
       * Lists what a person should look at, each with its reason and its sources. That is what came with low trust, contradicts, sounds
       * double, was learnt on a branch that is gone unmerged, was extracted lately or fades. What was judged does not come again, but for
       * what faded since. Throws INVALID_ARGUMENT, INVALID_DATE.
       */
      async review(options: ReviewOptions = {}): Promise<ReviewResult> {
        const { reviewDeck } = await import('../features/review/index.ts');
        const { quarantined } = await quarantine.list();
        const { catalog } = shared;
        const configuration = branch.configuration();
        const learnt = await learntFrom(branch, store.snapshot());
        const sources = { store, catalog, nearDuplicates, quarantined, configuration, now: branch.now() };
        return reviewDeck({ ...sources, learntFrom: learnt }, options);
      },
    }),
    within(branch.acting, {
      /**
       * Decides about a memory, in one commit that `undo` takes back, `undo({ verdict: true })` too. The memory is kept and gets stronger,
       * or is worded anew, merged with another one, closed from now on, or forgotten. Nothing in quarantine is judged so.
       *
       * Throws INVALID_ARGUMENT, NOT_FOUND, AMBIGUOUS, CONFLICT for what was closed before, LOCKED.
       */
      verdict: async (verdict: VerdictKind, id: string, options: VerdictOptions = {}): Promise<VerdictResult> =>
        (await import('../features/review/index.ts')).judge(
          { ...passes.ports(), ...acts, batch, origins: branch.origins },
          verdict,
          id,
          defined({ ...options }),
        ),
    }),
  );
}
