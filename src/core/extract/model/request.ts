// What a model is shown: windows of conversations in order of time, and the claims that they may change. One JSON object, which has a line for
// each turn and claim, so that people can read it.

import { dayOf } from '../../../base/time.ts';
import type { Transcript } from '../../../base/types/stored-types.ts';
import type { ExtractionContext, KnownClaim } from '../extractor.ts';
import type { ShownTurn } from './verify.ts';
import { dayAndWeekday, type Shown, type Window } from './windows.ts';

/** A window with the conversation that it is of. */
export interface Part {
  readonly path: string;
  readonly transcript: Transcript;
  readonly window: Window;
}

/** A turn of a request. */
export interface AskedTurn extends ShownTurn {
  readonly part: Part;
  /** 1-based, in its conversation. */
  readonly number: number;
}

/** A request, and what its numbers and handles stand for. */
export interface Request {
  readonly prompt: string;
  readonly turns: readonly AskedTurn[];
  readonly claims: readonly KnownClaim[];
  /** Words that were shown beside the turns. */
  readonly beside: string;
}

/** The tokens that known claims may have. */
export const claimTokens = 6000;

/** Gives the handle of a claim by its place. An id that nobody was shown cannot be named. */
export const handleOf = (at: number): string => `k${at + 1}`;

/** Writes a turn; most are a user's, and then the role says nothing. */
const rowOf = ({ role, ...row }: Shown & { readonly t?: number }): string =>
  JSON.stringify(role === 'user' ? row : { ...row, role });

/** A claim that names its subject need not name it twice. */
const subjectBeside = (says: string, subject = ''): { subject?: string } =>
  says.toLowerCase().includes(subject.toLowerCase()) ? {} : { subject };

/** Puts a request together; claims come in the order of their days, so that what is known grows at its end. */
export function requestOf(parts: readonly Part[], { known, owner, timeZone = 'UTC' }: ExtractionContext): Request {
  const turns: AskedTurn[] = [];
  const conversations = parts.map((part) => {
    const { topic } = part.transcript;
    const rows = part.window.pieces.map(({ turn: number, shown }) => {
      // The parts of a long turn have its number.
      const last = turns.at(-1);
      const isSame = last !== undefined && last.part === part && last.number === number;
      const t = isSame ? last.t : turns.length + 1;
      if (!isSame) turns.push({ t, part, number, turn: part.transcript.turns[number - 1]! });
      return rowOf({ t, ...shown });
    });
    const before = part.window.before.map(({ shown }) => rowOf(shown));
    const about = topic === undefined ? '' : `"about":${JSON.stringify(topic)},`;
    const said = before.length === 0 ? '' : `"before":[\n${before.join(',\n')}\n],`;
    return `{${about}${said}"turns":[\n${rows.join(',\n')}\n]}`;
  });
  const text = turns.map(({ turn }) => turn.text).join('\n');
  const speakers = new Set(turns.map(({ turn: { speaker, role } }) => speaker ?? role));
  const claims = known?.(text, { speakers, tokens: claimTokens }) ?? [];
  const rows = claims.map(({ day, who, statement: says, subject, isStanding: standing, from, due }, at) =>
    JSON.stringify({ k: handleOf(at), day, who, says, ...subjectBeside(says, subject), standing, from, due }),
  );
  const newest = Math.max(...turns.map(({ turn }) => turn.time));
  const head = `{"today":${JSON.stringify(dayAndWeekday(newest, timeZone))},"user":${JSON.stringify(owner ?? null)}`;
  return {
    prompt: `${head},"claims":[\n${rows.join(',\n')}\n],"conversations":[\n${conversations.join(',\n')}\n]}`,
    turns,
    claims,
    beside: [
      owner ?? '',
      ...parts.flatMap(({ window, transcript: { topic = '', title } }) => [
        topic,
        title,
        ...window.before.map(({ shown }) => `${shown.who} ${shown.text}`),
      ]),
      dayOf(newest, timeZone),
    ].join('\n'),
  };
}

/** So many turns share a request at most: of more a model leaves some out. */
export const maxTurns = 24;

/** Groups the windows of conversations as they are asked about: those of one window share a request, others have their own. */
export function requestsOf(conversations: Iterable<readonly Window[]>, windowTokens: number): Window[][] {
  const requests: Window[][] = [];
  let open: Window[] = [];
  const sum = (of: (window: Window) => number): number => open.reduce((all, window) => all + of(window), 0);
  for (const windows of conversations) {
    if (windows.length > 1) {
      requests.push(...windows.map((window) => [window]));
      continue;
    }
    for (const window of windows) {
      const tokens = sum((one) => one.tokens) + window.tokens;
      const turns = sum(({ pieces }) => pieces.length) + window.pieces.length;
      if (open.length === 0 || tokens > windowTokens || turns > maxTurns) {
        open = [];
        requests.push(open);
      }
      open.push(window);
    }
  }
  return requests;
}
