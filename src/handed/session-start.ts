// The beginning of a session as it is asked of a state.

import { dayOf } from '../base/time.ts';
import { meterOf } from '../context/compile/meter.ts';
import { withEndings } from '../context/compile/outdated.ts';
import { compileSessionStart } from '../context/compile/session-start.ts';
import type { PackClaims } from '../context/pack/conflicts.ts';
import { packOf } from '../context/pack/pack.ts';
import type { LedgerQuestion } from '../ledger/ledger-questions.ts';
import type { Searcher } from '../recall/searcher.ts';
import type { PackResult, SessionStartOptions, SessionStartResult } from '../types.ts';
import { budgetOf, dayBefore } from './context.ts';

/** The fewest words that a pack may be asked to have. */
const leastWords = 300;

/** What is asked, and what knows which lines of it still hold. */
export interface SessionStartQuestion extends LedgerQuestion {
  readonly searcher: Pick<Searcher, 'endingsIn'>;
  /** What conflicts are sought among. */
  readonly claims: PackClaims;
}

/** Compiles what a session begins with. Throws INVALID_ARGUMENT, INVALID_DATE. */
export function sessionStartOf(question: SessionStartQuestion, options: SessionStartOptions = {}): SessionStartResult {
  const { snapshot, configuration, now } = question;
  const { others = false, system = '', tokenizer } = options;
  const budget = budgetOf(options.tokens ?? configuration.context.startTokens);
  // The pack reports a day that is none.
  const whole = packOf(question, options.day === undefined ? {} : { day: options.day });
  const day = options.day ?? dayOf(now, configuration.timezone);
  const { pack } = configuration;
  const memoryOf = new Map(question.ledgers.ledgerOf(snapshot).events.map(({ id, value }) => [id, value.memory]));
  const idsOf = ({ lines }: PackResult): string[] =>
    lines.flatMap(({ events }) => events.flatMap((id) => [id, memoryOf.get(id) ?? id]));
  const compiled = compileSessionStart({
    snapshot: withEndings(snapshot, (text) => question.searcher.endingsIn(snapshot, text), {
      timeZone: configuration.timezone,
      now: Math.floor(now / 1000),
    }),
    days: [dayBefore(day), day],
    isMain: !others,
    system,
    budget,
    settings: configuration.context,
    meter: meterOf(tokenizer),
    pack: (words) => {
      const isEmpty = whole.lines.every(({ section }) => section === 'mantra') && pack.mantra === undefined;
      if (isEmpty || words >= whole.words) return { text: whole.text, isEmpty, ids: idsOf(whole) };
      const maxWords = Math.min(pack.maxWords, Math.max(leastWords, words));
      const shorter = packOf(
        { ...question, configuration: { ...configuration, pack: { ...pack, maxWords } } },
        { day },
      );
      return { text: shorter.text, isEmpty, ids: idsOf(shorter) };
    },
  });
  return { ...compiled, commit: snapshot.commit, day };
}
