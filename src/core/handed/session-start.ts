// The beginning of a session as it is asked of a state. Which turns may come says recent-turns.ts, which of them do context/compile/recent.ts, and how
// much room they have context/compile/session-start.ts. What follows a rule is later.ts. `npm run eval -- weeks` judges it.

import { dayOf } from '../../base/time.ts';
import type { MemoryRecord } from '../../base/types/stored-types.ts';
import type { SessionStartOptions, SessionStartResult } from '../../base/types.ts';
import { isOver } from '../../store/claims/claim.ts';
import type { Stored } from '../../store/memory-catalog.ts';
import { meterOf } from '../context/compile/meter.ts';
import { learntMark, withEndings } from '../context/compile/outdated.ts';
import type { RecentTurn } from '../context/compile/recent.ts';
import { compileSessionStart, type SessionStartInput } from '../context/compile/session-start.ts';
import type { PackClaims } from '../context/pack/conflicts.ts';
import { packInputOf } from '../context/pack/pack.ts';
import type { LedgerQuestion } from '../ledger/ledger-questions.ts';
import type { FindOptions, Searcher } from '../recall/searcher.ts';
import { budgetOf, dayBefore } from './context.ts';
import { type LaterSources, laterIn, transcriptsIn } from './later.ts';
import { type RecentSources, recentTurns, rememberedAlone } from './recent-turns.ts';

/** What is asked, and what knows which lines of it still hold. */
export interface SessionStartQuestion
  extends LedgerQuestion,
    Pick<RecentSources, 'origins' | 'recordOf'>,
    Pick<LaterSources, 'likeness'> {
  readonly searcher: Pick<Searcher, 'endingsIn' | 'turnAt' | 'followersOf'>;
  /** What conflicts are sought among. */
  readonly claims: PackClaims & { readonly memories: readonly Stored<MemoryRecord>[] };
  /** What holds whatever is asked. */
  readonly standing: SessionStartInput['standing'];
  /** Tells where conversations were held, where any was with code. */
  readonly learntFrom: FindOptions['learntFrom'] | undefined;
}

/** Compiles what a session begins with. Throws INVALID_ARGUMENT, INVALID_DATE. */
export function sessionStartOf(question: SessionStartQuestion, options: SessionStartOptions = {}): SessionStartResult {
  const { snapshot, configuration, now, origins, recordOf } = question;
  const { others = false, system = '', tokenizer, tokens, day = dayOf(now, configuration.timezone) } = options;
  // The pack reports a day that is none.
  const pack = packInputOf(question, { day });
  // A session begins with nothing private that nobody asked for.
  const isOpen = (path: string): boolean => !snapshot.privacy.isPrivate(path);
  // Nor does what was learnt on a branch that HEAD does not have hold here.
  const standing = question.standing.filter(({ kind, source, ids }) => {
    const sources = ids.flatMap((id) => recordOf(id)?.sources ?? []);
    const isHere = kind === 'commitment' || learntMark(question.learntFrom?.(sources)) === '';
    return isHere && isOpen(source) && sources.every(({ path }) => isOpen(path));
  });
  const transcriptAt = transcriptsIn(snapshot);
  const seconds = Math.floor(now / 1000);
  const isShown = (path: string, ids: readonly string[]): boolean =>
    isOpen(path) && ids.flatMap((id) => recordOf(id) ?? []).every((record) => !isOver(record, seconds));
  const laterOf = laterIn({ ...question, transcriptAt, isShown });
  const compiled = compileSessionStart({
    snapshot: withEndings(snapshot, (text) => question.searcher.endingsIn(snapshot, text), {
      timeZone: configuration.timezone,
      now: seconds,
    }),
    days: [dayBefore(day), day],
    isMain: !others,
    system,
    ...(tokens === undefined ? {} : { budget: budgetOf(tokens) }),
    settings: configuration.context,
    meter: meterOf(tokenizer),
    standing,
    laterOf,
    origins,
    turns: [
      ...recentTurns({ ...question, transcriptAt }, day).map((turn) => placed(turn, question.learntFrom)),
      ...rememberedAlone(question, question.claims.memories, day),
    ],
    pack,
  });
  return { ...compiled, commit: snapshot.commit, day };
}

/** What was said on a branch that HEAD does not have says so, stands for nothing and is worth half. */
function placed(turn: RecentTurn, learntFrom: SessionStartQuestion['learntFrom']): RecentTurn {
  const mark = learntMark(learntFrom?.([turn]));
  return mark === '' ? turn : { ...turn, speaker: `${turn.speaker} ${mark}`, standing: 0, worth: turn.worth / 2 };
}
