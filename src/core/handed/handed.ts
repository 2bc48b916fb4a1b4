// What an agent was handed, listed, and one of them compiled again: a context is a function of state, day, arguments and version.

import { MemoryError } from '../../base/errors.ts';
import { sha256Hex } from '../../base/hash.ts';
import { formatSeconds } from '../../base/time.ts';
import type { ContextOptions, ContextResult, HandedContext, ReplayResult } from '../../base/types.ts';
import { unifiedDiff } from '../../base/unified-diff.ts';
import { shownText } from '../../store/forgotten.ts';
import { type Handed, handedFolder, parseHanded } from '../../store/records/handed.ts';
import { parseTranscript } from '../../store/records/transcript.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { findTranscript } from '../capture/recorder.ts';

const idLength = 8;
/** What was pending when a context was made is in one of the commits that followed. */
const mostCommits = 12;

/** Names a text, or a message. */
export const shortHash = (text: string): string => sha256Hex(text).slice(0, idLength);

/** Lists what was handed out, oldest first; in a session by its id or path, or in all. */
export function handedOf(snapshot: Snapshot, session?: string): HandedContext[] {
  return handedLines(snapshot)
    .filter((one) => session === undefined || one.session === session || session.includes(one.session))
    .map(({ isShared, time, ...one }) => ({
      ...one,
      time: formatSeconds(time),
      ...(isShared ? { shared: true } : {}),
    }));
}

function handedLines(snapshot: Snapshot): Handed[] {
  return [...snapshot.list(handedFolder).keys()]
    .sort()
    .flatMap((path) => parseHanded(snapshot.textIfWhole(path) ?? ''));
}

/** What a replay asks. */
export interface ReplayPlace {
  readonly snapshot: Snapshot;
  readonly version: string;
  /** Lists the commits of the first-parent line, newest first, down to the one whose id begins so. */
  line(commit: string): readonly string[];
  /** Compiles as of a commit at a time, or with null of the present, now. */
  compile(commit: string | null, time: number, message: string, options: ContextOptions): Promise<ContextResult>;
}

/**
 * Compiles again what was handed out. Throws NOT_FOUND for an id that is not there and a message that no turn has, AMBIGUOUS.
 */
export async function replayOf(place: ReplayPlace, id: string, given?: string): Promise<ReplayResult> {
  const { handed, message, options, replayed, isExact } = await madeAgain(place, id, given);
  const now = await place.compile(null, handed.time, message, options);
  const { added, removed, text } = unifiedDiff(replayed.text, now.text);
  return {
    id: handed.id,
    time: formatSeconds(handed.time),
    session: handed.session,
    commit: replayed.commit,
    isExact,
    ...(isExact ? {} : { why: whyNot(handed, place.version) }),
    text: replayed.text,
    tokens: replayed.tokens,
    since: { added, removed, diff: text },
  };
}

/** Compiles again what was handed out, as {@link replayOf} does, and gives all of it. */
export async function madeAgain(place: ReplayPlace, id: string, given?: string) {
  const handed = found(place.snapshot, id);
  const message = given ?? messageOf(place.snapshot, handed);
  if (message === undefined || shortHash(message) !== handed.message) {
    throw new MemoryError(
      'NOT_FOUND',
      `the message of ${handed.id} is ${given === undefined ? 'in no turn of its session' : 'another'}`,
      { where: 'message', hint: 'A context does not store its message: give the original one' },
    );
  }
  const options: ContextOptions = {
    tokens: handed.tokens,
    ...(handed.turns === null ? {} : { session: handed.session }),
    ...(handed.isShared ? { others: true } : {}),
    ...(handed.since === undefined ? {} : { since: handed.since }),
    counts: false,
  };
  const line = handed.commit === '' ? [] : [...place.line(handed.commit)].reverse().slice(0, mostCommits);
  let first: ContextResult | undefined;
  let exact: ContextResult | undefined;
  for (const commit of line) {
    const compiled = await place.compile(commit, handed.time, message, options).catch((error: unknown) => {
      // The session may not have begun in this commit.
      if (error instanceof MemoryError && error.code === 'NOT_FOUND') return undefined;
      throw error;
    });
    first ??= compiled;
    if (compiled?.id !== handed.id) continue;
    exact = compiled;
    break;
  }
  const replayed = exact ?? first;
  if (replayed === undefined)
    throw new MemoryError('NOT_FOUND', `the state behind ${handed.id} is no longer here`, { where: handed.commit });
  return { handed, message, options, replayed, isExact: exact !== undefined };
}

function whyNot({ version }: Handed, own: string): string {
  return version === own
    ? 'no commit has just what was pending then, a file of that state is damaged, or a model took part in it'
    : `version ${version} made it, and this is ${own}`;
}

function found(snapshot: Snapshot, id: string): Handed {
  const wanted = handedLines(snapshot).filter((one) => one.id.startsWith(id));
  const names = new Set(wanted.map((one) => one.id));
  if (typeof id === 'string' && id.length >= 4 && names.size === 1) return wanted[0]!;
  throw new MemoryError(
    names.size > 1 ? 'AMBIGUOUS' : 'NOT_FOUND',
    names.size > 1 ? `several contexts begin with ${id}` : `there is no context ${id}`,
    { where: 'id', hint: '`git memory log --handed SESSION` lists them by id' },
  );
}

/** Finds the turn of the session whose words the message has. */
function messageOf(snapshot: Snapshot, { session, message }: Handed): string | undefined {
  const path = findTranscript(snapshot, session);
  const text = path === undefined ? null : snapshot.textIfWhole(path);
  if (path === undefined || text === null) return undefined;
  return parseTranscript(shownText(snapshot, path, text), path).turns.find((turn) => shortHash(turn.text) === message)
    ?.text;
}
