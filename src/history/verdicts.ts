// Reads from commits what people judged in reviews and what extractors brought, in one walk. Nothing beside keeps it: so a merge joins the
// verdicts of machines, and an undo takes one back.

import { millisecondsOf } from '../base/time.ts';
import { verdictKinds } from '../base/types/review-types.ts';
import type { VerdictKind } from '../base/types.ts';
import type { Repository } from '../store/git/repository.ts';
import { parseMessage } from '../store/guard/message.ts';
import { historyOf } from './catalogue.ts';
import { numbersOf } from './log.ts';
import { targetsOf } from './taken-back.ts';

export interface Verdict {
  readonly kind: VerdictKind;
  /** What was judged; the second is what the first was judged beside, or what took its place. */
  readonly ids: readonly string[];
  readonly commit: string;
}

export interface Brought {
  /** Name and version: `rules@4`. */
  readonly extractor: string;
  /** Milliseconds since the Unix epoch: when it became known. */
  readonly time: number;
}

/** The verdicts, newest first, and who brought what; what was undone is in none. */
export interface ReviewHistory {
  readonly verdicts: readonly Verdict[];
  /** Merges that had to decide, newest first, with the paths that they name. */
  readonly disputes: readonly { readonly commit: string; readonly paths: readonly string[] }[];
  /** By id. */
  readonly brought: ReadonlyMap<string, Brought>;
}

/** Formats the value of a trailer: `close 01k9… 01m2…`. */
export const formatVerdict = (kind: VerdictKind, ids: readonly string[]): string => [kind, ...ids].join(' ');

/** Reads a value; null for what no version of ours wrote. */
export function parseVerdict(value: string): Omit<Verdict, 'commit'> | null {
  const [word, ...ids] = value.split(' ');
  const kind = verdictKinds.find((one) => one === word);
  return kind === undefined || ids.length === 0 || ids.length > 2 ? null : { kind, ids };
}

/** Lists what a verdict is about: what takes the place of what was closed is only named. */
export const judgedBy = ({ kind, ids }: Pick<Verdict, 'kind' | 'ids'>): readonly string[] =>
  kind === 'close' ? ids.slice(0, 1) : ids;

/** Tells whether what was judged had been right: also what no longer holds, or is said elsewhere. */
export const isKept = ({ kind }: Pick<Verdict, 'kind'>): boolean => kind !== 'edit' && kind !== 'forget';

export function reviewHistoryOf(repository: Repository, tip: string | null): ReviewHistory {
  const verdicts: Verdict[] = [];
  const disputes: { commit: string; paths: string[] }[] = [];
  const brought = new Map<string, Brought>();
  const undone = new Set<string>();
  const catalogue = historyOf(repository);
  for (const number of tip === null ? [] : numbersOf(repository, catalogue, tip, {})) {
    const message = catalogue.messageAt(number);
    if (!/^(?:Undoes|Verdict|Extractor|Conflict): |^This reverts commit /m.test(message)) continue;
    const commit = catalogue.oidAt(number);
    // What takes back is met before what it takes back.
    if (undone.has(commit)) continue;
    for (const target of targetsOf(message)) undone.add(target);
    const { trailers } = parseMessage(message);
    const values = (key: string) => trailers.filter((one) => one.key === key).map(({ value }) => value);
    for (const value of values('Verdict')) {
      const verdict = parseVerdict(value);
      if (verdict !== null) verdicts.push({ ...verdict, commit });
    }
    const paths = values('Conflict');
    if (paths.length > 0) disputes.push({ commit, paths });
    const [extractor] = values('Extractor');
    if (extractor === undefined) continue;
    const time = millisecondsOf(catalogue.timeAt(number));
    // The oldest holds: a later extraction may have changed it again.
    for (const id of values('Memory')) brought.set(id, { extractor, time });
  }
  catalogue.save();
  return { verdicts, disputes, brought };
}
