// English names of the calendar, in the order in which JavaScript counts them.

/** Sunday first. */
export const weekdays: readonly string[] = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');

export const monthNames: readonly string[] =
  'January February March April May June July August September October November December'.split(' ');
