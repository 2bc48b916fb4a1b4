// English names of the calendar, in the order in which JavaScript counts them.

/** Sunday first. */
export const weekdays: readonly string[] = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');

export const monthNames: readonly string[] =
  'January February March April May June July August September October November December'.split(' ');

/** Gives the month, from 0, whose name begins with the first three letters of a word; -1 where none does. */
export function monthIndexOf(name: string): number {
  const start = name.slice(0, 3).toLowerCase();
  return start.length < 3 ? -1 : monthNames.findIndex((one) => one.toLowerCase().startsWith(start));
}
