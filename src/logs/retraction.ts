// What takes an event back that is no longer the last: it stays, and another one says that it does not hold.

import { type ChangelogEvent, supersedesKey } from '../records/changelog.ts';
import type { LedgerEvent } from '../records/ledger-event.ts';
import type { ChangeDraft } from '../records/new-change.ts';
import type { EventDraft } from '../records/new-event.ts';
import { retracted } from './supersession.ts';

/** Drafts the event that supersedes another: what that one had replaced, said again; else nothing but that it was taken back. */
export function retractionOf(event: LedgerEvent, replaced: LedgerEvent | null): EventDraft {
  if (replaced !== null) {
    const { id: _, ts: __, related: ___, compacts: ____, memory: _____, ...words } = replaced;
    return { ...words, source: 'undo', supersedes: event.id };
  }
  const { type, priority, content, entity } = event;
  return {
    type,
    priority,
    content: `Taken back: ${content}`,
    ...(entity === undefined ? {} : { entity }),
    tags: [retracted],
    source: 'undo',
    supersedes: event.id,
    ...(type === 'commitment' ? { status: 'closed' } : {}),
  };
}

/** Drafts the event of the changelog that supersedes another: what that one had replaced, said again; else that it was taken back. */
export function changeRetractionOf(event: ChangelogEvent, replaced: ChangelogEvent | null): ChangeDraft {
  const { agent, type, scope, summary, tags } = replaced ?? event;
  const own = replaced?.details.filter(({ key }) => key !== supersedesKey) ?? [];
  return {
    agent,
    type,
    scope,
    summary: replaced === null ? `Taken back: ${summary}` : summary,
    details: [...own, { key: supersedesKey, value: event.id }],
    refs: [event.id],
    tags: replaced === null ? [retracted] : tags,
  };
}
