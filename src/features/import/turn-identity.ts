// Which turns of a conversation are here already. A turn is known by its second and its words, in whichever transcript of its session.
// Titles, names of files and the order of an export may change.
//
// Roles are no part of it: earlier versions gave some wrongly. Neither is what came of calls of tools, which comes later than the call, nor
// which texts are files besides.

import { wordsHash } from '../../base/hash.ts';
import type { Turn } from '../../base/types/stored-types.ts';
import { withoutAnswers } from '../../core/capture/tool-lines.ts';
import { withoutAttachments } from '../../store/records/attachment-lines.ts';
import { withoutMarks } from './forms/chat-message.ts';
import { said } from './forms/program-words.ts';

/** What a turn is known by beside its time. A backslash may stand before a line of a transcript that reads like structure. */
function keyOf({ text }: Pick<Turn, 'text'>): number {
  return wordsHash(said(withoutAnswers(withoutMarks(withoutAttachments(text)))));
}

const secondOf = (time: number): number => Math.floor(time / 1000);

/** The longest way between two zones, and the step in which they differ. */
const [mostShift, shiftStep] = [26 * 3600, 900];

/** The turns of one session that are here; a pass over a source meets each once. */
export class KnownTurns {
  /** How many transcripts of the session there are; the next one gets the next number. */
  parts = 0;
  /** Turns of another session that this one was copied from. */
  copied: KnownTurns | undefined;
  private readonly present = new Map<number, number[]>();
  private met: [number, number][] = [];
  private pass = '';
  /** Seconds that clocks without a zone are off from where they were read in another zone before. */
  private shift: number | undefined;

  /** Adds turns that were here before. */
  add(turns: readonly Turn[]): void {
    for (const turn of turns) this.put(keyOf(turn), secondOf(turn.time));
  }

  /** Begins a pass over a file: whatever was met or added by another one may be met again. Tells whether it is one that begins. */
  begin(pass: string): boolean {
    if (pass === this.pass) return false;
    this.pass = pass;
    for (const [key, second] of this.met) this.put(key, second);
    this.met = [];
    this.shift = undefined;
    this.copied?.begin(pass);
    return true;
  }

  /** Tells whether a turn is here, and meets it; without own time it is known by its words alone. It may be here as of another time. */
  meet(turn: Turn, isDated: boolean, isLocal = false, otherTime?: number): boolean {
    const key = keyOf(turn);
    const seconds = this.present.get(key);
    const second = secondOf(turn.time);
    const at = seconds === undefined ? -1 : isDated ? this.placeOf(second, seconds, isLocal, otherTime) : 0;
    if (at < 0) return this.copied?.meet(turn, isDated, isLocal, otherTime) ?? false;
    const [taken] = seconds!.splice(at, 1);
    if (seconds!.length === 0) this.present.delete(key);
    this.met.push([key, taken!]);
    return true;
  }

  /** Notes that a turn was added by this pass. */
  note(turn: Turn): void {
    this.met.push([keyOf(turn), secondOf(turn.time)]);
  }

  /** Counts how many of the first turns are here, without meeting them. */
  sharedStart(turns: readonly Turn[]): number {
    const end = turns.findIndex((turn) => this.present.get(keyOf(turn))?.includes(secondOf(turn.time)) !== true);
    return end < 0 ? turns.length : end;
  }

  private placeOf(second: number, seconds: readonly number[], isLocal: boolean, otherTime?: number): number {
    const at = seconds.indexOf(second + (this.shift ?? 0));
    if (at < 0 && otherTime !== undefined) {
      // In another month clocks may stand an hour off.
      const away = (one: number) => Math.abs(one - secondOf(otherTime) - (this.shift ?? 0));
      const other = seconds.findIndex((one) => away(one) === 0 || away(one) === 3600);
      if (other >= 0) return other;
    }
    if (at >= 0 || !isLocal || this.shift !== undefined) return at;
    // The first turn that is met says how far the clocks are off; all others have to agree.
    const moved = seconds.findIndex((one) => Math.abs(one - second) <= mostShift && (one - second) % shiftStep === 0);
    if (moved >= 0) this.shift = seconds[moved]! - second;
    return moved;
  }

  private put(key: number, second: number): void {
    const seconds = this.present.get(key);
    if (seconds === undefined) this.present.set(key, [second]);
    else seconds.push(second);
  }
}
