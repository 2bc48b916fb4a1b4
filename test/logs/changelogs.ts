// Changelogs for tests: events in few words, and as a file.

import type { ChangelogEvent } from '../../src/base/types/changelog-types.ts';
import { formatChangelogEvent } from '../../src/store/records/changelog.ts';
import { formatSequenceId } from '../../src/store/records/sequence-id.ts';

export type Draft = Partial<Omit<ChangelogEvent, 'details'>> &
  Pick<ChangelogEvent, 'type'> & { readonly details?: Readonly<Record<string, string>> };

export const logHead = '# Changelog\n\n## Event Log\n';

/** Events numbered from 1, ten minutes apart, from 2026-02-10 09:00 on. */
export function changelog(...drafts: readonly Draft[]): ChangelogEvent[] {
  return drafts.map(({ details = {}, ...given }, at) => ({
    id: formatSequenceId({ series: 'evt', number: at + 1 }),
    number: at + 1,
    time: new Date(Date.UTC(2026, 1, 10, 9, 10 * at)).toISOString().slice(0, 16).replace('T', ' '),
    agent: 'builder',
    scope: 'app',
    summary: `what ${at + 1} did`,
    refs: [],
    tags: [],
    line: 0,
    ...given,
    details: Object.entries(details).map(([key, value]) => ({ key, value })),
  }));
}

export function changelogText(events: readonly ChangelogEvent[]): string {
  return logHead + events.map(formatChangelogEvent).join('');
}
