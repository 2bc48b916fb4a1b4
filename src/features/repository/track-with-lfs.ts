// Hands attachments to git-lfs where somebody asks for it: the lines of .gitattributes and the key that keeps them there.

import { MemoryError } from '../../base/errors.ts';
import type { LfsResult, Placement } from '../../base/types.ts';
import { lfsLines, planLfsAttributes } from '../../core/capture/attachments.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import { flushBefore } from '../../store/flush-before.ts';
import type { FileChange } from '../../store/operation.ts';
import type { Configuration } from '../../store/records/configuration.ts';
import { configurationPath, withKeys } from '../../store/records/configuration-text.ts';
import type { Snapshot } from '../../store/snapshot.ts';

/**
 * Writes what `attachments.lfs` asks for, in one commit; `commit` is null where all is there already.
 *
 * What the lines mean is git-lfs's: the engine goes on to store bytes and no pointers. Throws INVALID_ARGUMENT inside a project, whose
 * attributes are the project's own; LOCKED.
 */
export async function trackWithLfs(
  store: BranchStore,
  placement: Placement,
  configurationOf: (snapshot: Snapshot) => Configuration,
): Promise<LfsResult> {
  if (placement === 'project') {
    throw new MemoryError('INVALID_ARGUMENT', 'in a project, .gitattributes belongs to the project', {
      where: 'lfs',
      hint: `Add the lines yourself: ${lfsLines.slice(1).join('; ')}`,
    });
  }
  await flushBefore(store);
  const outcome = await store.commit(
    (snapshot) => {
      const tip = snapshot.withoutOverlay();
      const text = tip.readText(configurationPath) ?? '';
      const changes: FileChange[] = [];
      if (!configurationOf(tip).attachments.lfs) {
        const after = Buffer.from(withKeys(text, configurationPath, { 'attachments.lfs': true }));
        changes.push({ path: configurationPath, before: tip.oidOf(configurationPath), after });
      }
      const attributes = planLfsAttributes(tip);
      if (attributes !== null) changes.push(attributes);
      if (changes.length === 0) return [];
      const subject = 'attachments are for git-lfs';
      return [{ kind: 'maintenance', name: 'lfs', subject, trailers: [], changes, onConflict: 'refuse' }];
    },
    { onBusy: 'fail' },
  );
  return { commit: outcome.commits.at(-1) ?? null, lines: lfsLines };
}
