// Captures of low trust, which wait on branches of their own until somebody lets them in.

import type * as types from '../base/types.ts';
import { Quarantine, type QuarantineBranch } from '../features/quarantine/index.ts';
import type { Branch, WholeBranch } from './branch.ts';
import type { OtherBranches } from './branch-verbs.ts';
import { compose, within } from './compose.ts';

/** Sends captures of low trust aside. */
export function quarantineOf<Memory extends QuarantineBranch>(
  branch: Pick<Branch, 'configuration' | 'dependencies' | 'machine'>,
  others: OtherBranches<Memory>,
): Quarantine<Memory> {
  return new Quarantine<Memory>({
    access: others.access,
    open: (name, isNew) => others.open(name, { create: isNew }),
    ids: branch.dependencies.ids,
    machine: branch.machine,
    policy: () => branch.configuration().trust,
  });
}

/** Looks at what waits in quarantine beside a whole memory, and lets it in or not. */
export function quarantineVerbs<Memory extends QuarantineBranch>(
  branch: Pick<WholeBranch, 'acting' | 'asking' | 'scope'>,
  quarantine: Quarantine<Memory>,
) {
  return compose(
    within(branch.asking, {
      quarantine: {
        /** Lists what lies in quarantine: captures, and what was extracted from them; and the tags of what was dropped. */
        list: async (): Promise<types.QuarantineListResult> => quarantine.list(),

        /** Tells what a branch of quarantine would bring, word for word, and where it contradicts the present. Throws NOT_FOUND. */
        show: async (name: string): Promise<types.QuarantineShowResult> => quarantine.show(name),
      },
    }),
    within(branch.acting, {
      quarantine: {
        /**
         * Lets a branch of quarantine in, in one commit that undo takes back, and ends it. With `commit` only if it is still what was looked at.
         *
         * Throws NOT_FOUND; CONFLICT when it went on since, or a session goes on there; LOCKED.
         */
        accept: async (
          name: string,
          options: types.AcceptQuarantineOptions = {},
        ): Promise<types.AcceptQuarantineResult> => quarantine.accept(name, options),

        /** Ends a branch, kept by the tag `memory/quarantine/<name>`. Throws NOT_FOUND; CONFLICT while a session goes on there, unless `force`. */
        drop: async (name: string, options: { force?: boolean } = {}): Promise<types.DropQuarantineResult> =>
          quarantine.drop(name, options),
      },
    }),
  );
}
