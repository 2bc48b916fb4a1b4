// When a meeting began, as its file says it. The day is in front matter, in a line above the words, or in the name of the file or its folder.
// What is said has a time from this beginning on.

import { clockOf } from '../../../core/capture/chat-clock.ts';
import { dayText, firstTimeIn } from '../../../language/index.ts';
import type { SourceFile } from '../source.ts';
import { timeOf } from './fields.ts';
import type { MessageEntry } from './form.ts';

/** The beginning of a meeting: a moment, or what a clock without a zone showed. */
export type Began = { readonly time: number } | { readonly clock: string };

/** `2026-06-15 13.35.55`, `20260615_133555`, `GMT20260615-133555`, `2026-06-15`. */
const inName =
  /(GMT)?(?<!\d)(\d{4})([-_.]?)(\d\d)\3(\d\d)(?!\d)(?:[-_ T]{1,3}(\d\d)[-.:h]?(\d\d)(?:[-.:]?(\d\d))?(?!\d))?/;

/** Finds the day in the name of a file, or of the folder that it lies in; undefined where neither has one. */
export function dayInName({ path, folder = '' }: Pick<SourceFile, 'path' | 'folder'>): Began | undefined {
  const parts = path.split('/');
  for (const name of [parts.at(-1)!, parts.at(-2) ?? folder]) {
    const [, zone, year, , month, day, hours = '00', minutes = '00', seconds = '00'] = inName.exec(name) ?? [];
    const clock = `${year}-${month}-${day}T${hours}:${minutes}:${seconds}`;
    const time = Date.parse(`${clock}Z`);
    if (year === undefined || Number.isNaN(time) || new Date(time).toISOString().slice(0, 19) !== clock) continue;
    return zone === undefined ? { clock } : { time };
  }
  return undefined;
}

/** Reads a day, with or without a clock, in figures or in words; undefined for a text that names none with its year. */
export function dayIn(text: string, now: number): Began | undefined {
  const written = text.trim();
  if (/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(written)) {
    const isLocal = !/(?:Z|[+-]\d\d:?\d\d)$/i.test(written);
    const time = timeOf(written);
    if (time !== undefined) return isLocal ? { clock: new Date(time).toISOString().slice(0, 19) } : { time };
  }
  const iso = /^\d{4}-\d\d-\d\d\b/.exec(written)?.[0];
  const found = iso === undefined ? firstTimeIn(written, { now }) : undefined;
  const day = iso ?? (found?.unit === 'day' && found.hasYear === true ? dayText(found.first) : undefined);
  if (day === undefined || Number.isNaN(Date.parse(day))) return undefined;
  const rest = found === undefined ? written.slice(10) : written.slice(found.index + found.text.length);
  const [, digits = '', half = ''] = /(\d{1,2}:\d\d(?::\d\d)?)\s?([ap]\.?m\.?)?/i.exec(rest) ?? [];
  return { clock: `${day}T${new Date(clockOf(digits, half)?.ms ?? 0).toISOString().slice(11, 19)}` };
}

/** The time of something that was said so many milliseconds after the beginning; nothing where that is not known. */
export function after(began: Began | undefined, offset: number): Pick<MessageEntry, 'time' | 'clock'> {
  if (began === undefined) return {};
  if ('time' in began) return { time: began.time + offset };
  return { clock: new Date(Date.parse(`${began.clock}Z`) + offset).toISOString().slice(0, 19) };
}

/** Reads `1:02:03.5` or `2:03` as milliseconds. */
export function offsetOf(text: string): number {
  return Math.round(
    text
      .replace(',', '.')
      .split(':')
      .reduce((sum, part) => sum * 60 + Number(part), 0) * 1000,
  );
}
