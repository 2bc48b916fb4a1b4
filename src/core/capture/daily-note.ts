// Daily notes: what is worth a line today, as free text at the end of raw/daily/YYYY-MM-DD.md, which only grows (spec 3, layer 1).

import { MemoryError } from '../../base/errors.ts';
import { clockOf, dayOf } from '../../base/time.ts';
import { type Priority, priorities } from '../../base/types/ledger-types.ts';
import type { NoteInput, NoteResult } from '../../base/types.ts';
import { secretsAt } from '../../store/codec.ts';
import { SecretFilter, type SecretPolicy } from '../../store/guard/secret-filter.ts';
import { findRedactions } from '../../store/guard/secrets.ts';
import type { Operation } from '../../store/operation.ts';
import { dailyNotePath, dayOfNote } from '../../store/records/daily-note.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { recordNow } from './record-now.ts';

type NoteDependencies = Parameters<typeof recordNow>[0] & { readonly timeZone: string; readonly secrets: SecretPolicy };

/** Appends to today's note the time as a heading, the text, and what matters of it. Throws INVALID_ARGUMENT, SECRET. */
export async function appendNote(dependencies: NoteDependencies, input: NoteInput | string): Promise<NoteResult> {
  const { store, clock, timeZone, secrets } = dependencies;
  const now = clock.now();
  const day = dayOf(now, timeZone);
  const path = dailyNotePath(day);
  const filter = new SecretFilter(secretsAt(path, store.snapshot(true).privacy, secrets));
  const { text, extracts } = filter.passAll(checkedNote(input), 'the note');
  const list = extracts.map((extract) => `- [${extract.priority}] ${extract.text.replace(/\s+/g, ' ').trim()}`);
  const parts = [
    ...(text === '' ? [] : [`## ${clockOf(now, timeZone).slice(0, 5)}\n\n${text}\n`]),
    ...(list.length === 0 ? [] : [`## Priority Extracts\n\n${list.join('\n')}\n`]),
  ];
  const plan = (snapshot: Snapshot): Operation => {
    const before = snapshot.read(path);
    const head = before === null ? Buffer.from(`# ${day}\n\n`) : before;
    const gap = before === null ? '' : before.toString('latin1').endsWith('\n') ? '\n' : '\n\n';
    const after = Buffer.concat([head, Buffer.from(gap + parts.join('\n'))]);
    return {
      kind: 'conversation',
      name: 'note',
      subject: `note of ${day}`,
      trailers: [],
      changes: [{ path, before: snapshot.oidOf(path), after }],
      onConflict: 'later',
    };
  };
  const commit = await recordNow(dependencies, plan, () => `note:${path}`);
  if (filter.count === 0) return { path, commit };
  return { path, commit, redacted: findRedactions(parts.join('\n')).map(({ kind, line }) => ({ kind, path, line })) };
}

function checkedNote(input: NoteInput | string): { text: string; extracts: { priority: Priority; text: string }[] } {
  const given: NoteInput = typeof input === 'string' ? { text: input } : input;
  const { text = '', extracts = [] } = given;
  if (extracts.some((extract) => extract.text.trim() === '')) {
    const hint = `Write {"priority": "P1", "text": "…"}; priorities are ${priorities.join(', ')}`;
    throw new MemoryError('INVALID_ARGUMENT', 'an extract needs a priority and a text', { where: 'extracts', hint });
  }
  if (text.trim() === '' && extracts.length === 0)
    throw new MemoryError('INVALID_ARGUMENT', 'a note needs text, or extracts', { where: 'text' });
  return { text: text.replaceAll('\r\n', '\n').trim(), extracts: [...extracts] };
}

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
