// English names of the calendar, in the order in which JavaScript counts them.

import { months, weekdays as names } from './generated/times.ts';
import { upperFirst } from './text.ts';

/** Sunday first, in lower case. */
export const weekdays: readonly string[] = names;

export const monthNames: readonly string[] = months.map(([name]) => upperFirst(name));
