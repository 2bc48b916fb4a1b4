// What a clock without a zone shows, as a moment in a zone.

import { formatLocalTime } from '../../base/time.ts';

const quarterMs = 15 * 60_000;

/** Reads clocks of one zone; asks the calendar of the platform once for each quarter of an hour. */
export class LocalClock {
  private readonly zone: string;
  private readonly offsets = new Map<number, number>();

  constructor(zone: string) {
    this.zone = zone;
  }

  /** Gives the moment of `2026-02-23T12:40:23`, in milliseconds; undefined for what is no clock. Throws INVALID_DATE for an unknown zone. */
  momentOf(clock: string): number | undefined {
    const shown = Date.parse(`${clock}Z`);
    if (Number.isNaN(shown)) return undefined;
    const quarter = Math.floor(shown / quarterMs);
    let offset = this.offsets.get(quarter);
    if (offset === undefined) {
      // The offset of the moment in UTC, then of the one that this leads to: a change of the clocks may lie between.
      offset = this.offsetAt(quarter * quarterMs - this.offsetAt(quarter * quarterMs));
      this.offsets.set(quarter, offset);
    }
    return shown - offset;
  }

  private offsetAt(ms: number): number {
    const local = formatLocalTime(ms, this.zone);
    return Date.parse(`${local.slice(0, 19)}Z`) - Math.floor(ms / 1000) * 1000;
  }
}
