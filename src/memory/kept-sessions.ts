// A session of a coding agent that is kept while it runs, from the file that the agent's program writes: each time what is new.

import { defined } from '../base/errors.ts';
import { topicOf } from '../core/capture/sessions.ts';
import { openSource, runningSession } from '../features/import/index.ts';
import { ConfigurationReader } from '../store/configuration-reader.ts';
import { SecretFilter } from '../store/guard/secret-filter.ts';
import { branchNotesPath, formatBranchNote } from '../store/records/branch-notes.ts';
import type { MemoryPart } from './memory.ts';

/**
 * Keeps what is new of the session in a file of an agent's program. Null where nobody says anything in it, or nothing is new and it goes on. With
 * `isOver` the transcript ends.
 *
 * Each turn is durable when the call returns. `from` is the 1-based number of the first that is new, and `added` says how many are. Throws
 * NOT_FOUND, UNSAFE_FILE, SECRET, QUOTA, READ_ONLY.
 */
export async function keepSession(memory: MemoryPart, file: string, isOver: boolean) {
  const { store } = memory;
  const snapshot = store.snapshot(true);
  const { secrets, timezone: zone, limits } = new ConfigurationReader().of(snapshot);
  const source = openSource(store.repository.disk, file);
  const settings = { now: Date.now(), zone, filter: new SecretFilter(secrets), limits };
  const read = runningSession(snapshot, source, settings, store.repository.disk.fs);
  if (read === null) return null;
  const { session, isOpen, recorded, turns, head, last, done } = read;
  const { scene, lines } = done;
  if (turns.length === 0 && !(isOpen && isOver)) return null;
  const begun = { topic: head.title ?? topicOf(turns), started: turns[0]?.time ?? last };
  const { channel, model } = head;
  const open = await memory.startSession({ session, ...(isOpen ? {} : { ...begun, ...defined({ channel, model }) }) });
  for (const [at, { role, text, time, speaker, flag }] of turns.entries())
    await open.acted(role, text, { time, ...defined({ speaker, flag }) }, { scene, lines: lines[at]! });
  if (scene !== '') await noteBranches(memory);
  if (isOver) await open.end({ time: turns.at(-1)?.time ?? last });
  return { path: open.path, session, from: recorded + 1, added: turns.length };
}

/** Notes what the branches of sessions have. By that it is known again when it landed, also when git has thrown its commits away. */
async function noteBranches({ store }: MemoryPart): Promise<void> {
  const { branchesToNote } = await import('../features/code/index.ts');
  const notes = branchesToNote(store.repository, store.snapshot(true));
  if (notes.length === 0) return;
  await store.append((snapshot) => {
    const before = snapshot.read(branchNotesPath) ?? Buffer.alloc(0);
    const after = Buffer.concat([before, ...notes.map((note) => Buffer.from(formatBranchNote(note)))]);
    const changes = [{ path: branchNotesPath, before: snapshot.oidOf(branchNotesPath), after }];
    const subject = `what ${notes.map(({ branch }) => branch).join(', ')} has`;
    const what = { kind: 'maintenance', name: 'branches', subject, trailers: [] } as const;
    return [{ run: 'branches', ...what, changes, time: Date.now() }];
  });
}
