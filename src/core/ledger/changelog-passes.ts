// The pass of the changelog: the archival that keeps it short.

import type { ChangelogEvent } from '../../base/types/changelog-types.ts';
import {
  ChangelogCatalog,
  changelogOf,
  materialise,
  planArchival,
  planChanges,
  withBatch,
} from '../../history/index.ts';
import { changelogArchivePath } from '../../store/records/changelog.ts';
import type { Pass, PassItem } from '../lifecycle/pass.ts';
import { changedFile } from '../lifecycle/record-changes.ts';

/** With more events than this the older ones move to CHANGELOG-archive.md (spec 2), but so many of the last. */
const most = 50;
const keep = 20;

/** Archives what a changelog of more than {@link most} events needs no more: all but the last ones and what is referred to. */
export const changelogArchival: Pass<void> = {
  name: 'changelog-archive',
  mayRemoveLines: true,
  plan({ snapshot, configuration, now }) {
    const path = changelogOf(snapshot);
    const text = snapshot.readText(path);
    if (text === null) return { items: [], left: [] };
    const when = { now, timeZone: configuration.timezone };
    const held = new Set(lastEventsOfActiveNodes(new ChangelogCatalog().of(snapshot)));
    const plan = planArchival(text, path, { above: most, keep, held, ...when });
    if (plan === null) return { items: [], left: [] };
    if (typeof plan === 'string') return { items: [], left: [{ id: path, why: plan }] };
    const archive = withBatch(snapshot.readText(changelogArchivePath), plan.batch);
    const { change } = planChanges(snapshot, path, [{ draft: plan.draft }], when, plan.text);
    const archived = changedFile(snapshot, changelogArchivePath, archive);
    const why = plan.draft.summary;
    const item: PassItem = { action: 'archive', ids: [], why, changes: [change, archived] };
    return { items: [item], left: [] };
  },
  describe: ([item]) => ({ subject: `changelog: ${item?.why.toLowerCase() ?? ''}` }),
};

/**
 * Only what an active node last came from holds back an archival. A decision does not, nor does what it alone has named. It holds for good,
 * so that an early one would keep the log from ever being archived, and its node has all that it says.
 */
function lastEventsOfActiveNodes(events: readonly ChangelogEvent[]): string[] {
  const decisions = new Set(events.filter(({ type }) => type === 'decision').map(({ id }) => id));
  return materialise(events)
    .nodes.filter(({ status, type, last }) => status === 'active' && type !== 'decision' && !decisions.has(last))
    .map(({ last }) => last);
}
