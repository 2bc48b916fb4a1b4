// When what was said shall be extracted from: turns are buffered until something important, enough, or old enough is among them.

import type { Configuration } from '../../store/records/configuration.ts';
import type { SignalLevel } from './signals.ts';

/** What is in the buffer. */
export interface BufferState {
  /** Turns since the last extraction. */
  readonly buffered: number;
  /** When the last extraction was, in milliseconds; null before the first, which no passing of time brings about. */
  readonly extracted: number | null;
}

/** `now`: a high signal asks for it; `batch`: the buffer is full or old. */
export type ExtractionTrigger = 'now' | 'batch';

/** Decides whether a turn that was just buffered brings about an extraction; `time` in milliseconds (spec 4, write path). */
export function triggerOf(
  state: BufferState,
  { level, time }: { readonly level: SignalLevel; readonly time: number },
  { mode, turns, minutes }: Configuration['buffer'],
): ExtractionTrigger | null {
  if (mode === 'session_end' || state.buffered === 0) return null;
  if (mode === 'smart' && level === 'high') return 'now';
  const isFull = state.buffered >= turns;
  const isOld = state.extracted !== null && time - state.extracted >= minutes * 60_000;
  if (mode === 'every_n') return isFull ? 'batch' : null;
  if (mode === 'time_based') return isOld ? 'batch' : null;
  return isFull || isOld ? 'batch' : null;
}
