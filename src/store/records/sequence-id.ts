// Ids of entries in append-only logs: EVT-20260128-001 in the ledger, where each day counts anew, and evt-012 in the changelog.

/** An id taken apart: `{ series: 'EVT-20260128', number: 1 }`. */
interface SequenceId {
  readonly series: string;
  /** From 1. */
  readonly number: number;
}

const form = /^(EVT-\d{8}|evt)-(\d{3,9})$/;
/** Ids within words of any kind; not `EVT-20260128-001a`, and not the end of a longer name. */
const within = /(?<![\w-])(EVT-\d{8}|evt)-(\d{3,9})(?!\w)/g;

/** Takes an id apart; null for what is none. */
export function parseSequenceId(id: string): SequenceId | null {
  const match = form.exec(id);
  return match === null ? null : { series: match[1]!, number: Number(match[2]) };
}

/** Formats an id with three digits or more, so that it reads as people write it: `EVT-20260128-001`. */
export const formatSequenceId = ({ series, number }: SequenceId): string =>
  `${series}-${String(number).padStart(3, '0')}`;

/** Orders ids by series, then as numbers: 999 comes before 1000. What is no id comes last. */
export function compareSequenceIds(a: string, b: string): number {
  const [first, second] = [parseSequenceId(a), parseSequenceId(b)];
  if (first === null || second === null) return Number(first === null) - Number(second === null) || (a < b ? -1 : 1);
  if (first.series !== second.series) return first.series < second.series ? -1 : 1;
  return first.number - second.number;
}

/** Finds the ids that a text names, each once, in order. */
export const sequenceIdsIn = (text: string): string[] => [...new Set(Array.from(text.matchAll(within), ([id]) => id))];

/** Gives a text in which every id is what `nameOf` makes of it. All are replaced at once, so that a chain of new names does not mix. */
export const replaceSequenceIds = (text: string, nameOf: (id: string) => string): string =>
  text.replace(within, (id) => nameOf(id));

/** The series of a day, `2026-01-28`, in the ledger. */
export const seriesOfDay = (day: string): string => `EVT-${day.replaceAll('-', '')}`;

/** The day of a series of the ledger, `2026-01-28`; null for another log's. */
export function dayOfSeries(series: string): string | null {
  const match = /^EVT-(\d{4})(\d\d)(\d\d)$/.exec(series);
  return match === null ? null : `${match[1]}-${match[2]}-${match[3]}`;
}
