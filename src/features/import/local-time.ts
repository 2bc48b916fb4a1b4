// What a clock without a zone shows, as a moment in a zone.

import { oncePerValue } from '../../base/once-per.ts';
import { formatLocalTime } from '../../base/time.ts';

const quarterMs = 15 * 60_000;

/**
 * Reads clocks of one zone; asks the calendar of the platform once for each quarter of an hour. Gives the moment of `2026-02-23T12:40:23`, in
 * milliseconds; undefined for what is no clock. Throws INVALID_DATE for an unknown zone.
 */
export function clockOfZone(zone: string): (clock: string) => number | undefined {
  const offsetAt = (ms: number): number =>
    Date.parse(`${formatLocalTime(ms, zone).slice(0, 19)}Z`) - Math.floor(ms / 1000) * 1000;
  // The offset of the moment in UTC, then of the one that this leads to: a change of the clocks may lie between.
  const offsetIn = oncePerValue((quarter: number) => offsetAt(quarter * quarterMs - offsetAt(quarter * quarterMs)));
  return (clock) => {
    const shown = Date.parse(`${clock}Z`);
    return Number.isNaN(shown) ? undefined : shown - offsetIn(Math.floor(shown / quarterMs));
  };
}
