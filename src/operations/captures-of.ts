// What an extraction reads, and in which order.

import { dayOfNote } from '../records/daily-note.ts';
import type { Snapshot } from '../store/snapshot.ts';

/** Lists what an extraction may read: conversations and daily notes, by day. */
export function capturesOf(snapshot: Snapshot): string[] {
  const conversations = [...snapshot.list('raw/conversations/').keys()].filter((path) => path.endsWith('.md'));
  const notes = [...snapshot.list('raw/daily/').keys()].filter((path) => dayOfNote(path) !== null);
  const dayOf = (path: string): string =>
    dayOfNote(path) ?? path.slice('raw/conversations/'.length).slice(0, 10).replaceAll('/', '-');
  return [...conversations, ...notes].sort((a, b) => {
    const [first, second] = [dayOf(a), dayOf(b)];
    return first < second ? -1 : first > second ? 1 : a < b ? -1 : 1;
  });
}
