// Long lists of answers, a page at a time: what a page shows first is small, however much there is. Asked by the server, and by a copy of itself.

import { defined } from '../../base/errors.ts';
import type { DiffResult, LogEntry, LogResult } from '../../base/types.ts';
import { actorOf, type ChangeCounts, countsOf, foldDiff, foldLog, inOrder, type ThreadDay } from './changes.ts';

/** So many things of each list are in one page. */
export const pageLength = 100;

/** Which part of an answer is asked for. */
export interface PageQuestion {
  /** What the page before called `next`; left out: the first. */
  readonly cursor?: string;
  /** How many things of each list, {@link pageLength} at most. */
  readonly limit?: number;
  /** Of commits, those alone; with it, `{}` too, the log tells what there is to choose from. */
  readonly only?: { readonly who?: string; readonly kind?: string; readonly oid?: string };
}

/** What a page says beside its part of the answer. */
export interface Paged {
  /** Where the next page begins; absent where this is the last one. */
  readonly next?: string;
  /** How long each list is that is not here as a whole. */
  readonly totals?: Readonly<Record<string, number>>;
}

/** A difference, in the order in which it is shown. */
export interface PagedDiff extends DiffResult, Paged {
  readonly counts: ChangeCounts;
}

/** The log, with the days, writers and kinds of all commits. */
export interface PagedLog extends LogResult, Paged {
  readonly days: readonly ThreadDay[];
  readonly actors: readonly string[];
  readonly kinds: readonly string[];
  readonly number: number;
}

const kindOf = ({ operation }: LogEntry): string => operation ?? 'by hand';

/** Brings an answer into the form that is cut into pages: differences in their order, the log with the days that it is about. */
export function paged(verb: string, answer: object, zone: string, { only }: PageQuestion = {}): object {
  if (verb === 'diff' && 'files' in answer) {
    const { files } = answer as DiffResult;
    return { ...answer, files: inOrder(files), counts: countsOf(foldDiff({ files })) };
  }
  if (verb !== 'log' || only === undefined || !('commits' in answer)) return answer;
  const { commits } = answer as LogResult;
  const { who, kind, oid } = only;
  const wanted = commits.filter(
    (commit) =>
      (who === undefined || actorOf(commit) === who) &&
      (kind === undefined || kindOf(commit) === kind) &&
      (oid === undefined || commit.oid.startsWith(oid)),
  );
  const told = { actors: [...new Set(commits.map(actorOf))].sort(), kinds: [...new Set(commits.map(kindOf))].sort() };
  return { ...answer, commits: wanted, days: foldLog(commits, zone), ...told, number: wanted.length };
}

/** Lists that a page needs whole, and that say a word for each thing. */
const whole: ReadonlySet<string> = new Set(['days', 'actors', 'kinds']);

/** Cuts one page out of an answer: of each list its part. */
export function pageOf<Answer extends object>(
  answer: Answer,
  { cursor = '0', limit = pageLength }: PageQuestion,
): Answer & Paged {
  const from = Number(cursor);
  const length = Math.max(1, Math.min(limit, pageLength));
  const totals: Record<string, number> = {};
  const cut = Object.entries(answer).map(([name, value]: [string, unknown]) => {
    if (!Array.isArray(value) || whole.has(name) || (from === 0 && value.length <= length)) return [name, value];
    totals[name] = value.length;
    return [name, value.slice(from, from + length)];
  });
  const hasMore = Object.values(totals).some((total) => total > from + length);
  return {
    ...(Object.fromEntries(cut) as Answer),
    ...(Object.keys(totals).length === 0 ? {} : { totals }),
    ...(hasMore ? { next: String(from + length) } : {}),
  };
}

/** Puts the next page behind what is there. */
export function joined<Answer extends object>(before: Answer & Paged, after: Answer & Paged): Answer & Paged {
  const { next: _, ...rest } = before;
  const { totals = {}, next } = after;
  const lists = Object.keys(totals).map((name) => {
    const [one, other] = [before, after].map((answer) => (answer as Record<string, unknown>)[name] as unknown[]);
    return [name, [...one!, ...other!]];
  });
  return { ...(rest as Answer & Paged), ...Object.fromEntries(lists), ...defined({ next }) };
}
