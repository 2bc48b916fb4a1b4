// What the words of a question say of every document of a view, each as a share of what a perfect one would have.
//
//   own      its own words               Σ share · x / (x + 1),  x = count / (once + length / perLength) + title + speaker + context.
//   joint    with what is said around:   x + aroundWorth · Σ over turns nearby of e^(−words between / near) · ….
//   wide     the stretch of talk:        the same with a long reach, looked at for candidates only.
//
// Lengths are absolute, so a score means the same in 300 pages and in 9,000 short turns. Arrays are kept from question to question.

import type { Layout } from './layout.ts';
import { contextIn, speakerIn, titleIn } from './postings.ts';
import type { AskedTerm } from './question.ts';
import { rankingSettings as settings } from './ranking-settings.ts';
import { flag } from './segment.ts';

/** Numbers by slot, most of them zero; {@link Evidence.touched} lists those that are not. */
export class Evidence {
  own = new Float64Array(0);
  joint = new Float64Array(0);
  /** The share of the question that it holds itself, and that its title does. */
  held = new Float64Array(0);
  title = new Float64Array(0);
  /** How many terms of the question its title holds, and whether its speaker is named. */
  titleTerms = new Uint8Array(0);
  named = new Uint8Array(0);
  letters = new Float64Array(0);
  touched = new Int32Array(0);
  size = 0;
  /** Of one term: what is said around. Zero again before the next. */
  around = new Float64Array(0);
  #seen = new Uint8Array(0);

  /** Makes room; all values are zero. */
  begin(room: number): void {
    for (let at = 0; at < this.size; at++) {
      const slot = this.touched[at]!;
      this.own[slot] = 0;
      this.joint[slot] = 0;
      this.held[slot] = 0;
      this.title[slot] = 0;
      this.titleTerms[slot] = 0;
      this.named[slot] = 0;
      this.letters[slot] = 0;
      this.#seen[slot] = 0;
    }
    this.size = 0;
    if (this.own.length >= room) return;
    const larger = Math.ceil(room * 1.2);
    this.own = new Float64Array(larger);
    this.joint = new Float64Array(larger);
    this.held = new Float64Array(larger);
    this.title = new Float64Array(larger);
    this.titleTerms = new Uint8Array(larger);
    this.named = new Uint8Array(larger);
    this.letters = new Float64Array(larger);
    this.touched = new Int32Array(larger);
    this.around = new Float64Array(larger);
    this.#seen = new Uint8Array(larger);
  }

  touch(slot: number): void {
    if (this.#seen[slot] !== 0) return;
    this.#seen[slot] = 1;
    this.touched[this.size++] = slot;
  }
}

const saturated = (x: number): number => x / (x + 1);

/** e^(−words / near) for every half word. */
const falls = Float64Array.from({ length: settings.near * 8 + 1 }, (_, at) => Math.exp(-at / 2 / settings.near));
const falling = (words: number): number => falls[Math.min(falls.length - 1, Math.round(words * 2))]!;

/** Room for what others say: all of it in a short turn, little in a long one, which speaks for itself. */
const roomIn = (length: number): number => (length <= settings.usual ? 1 : settings.usual / length);

/** Fills the evidence of all documents of a view. */
export function gather(evidence: Evidence, found: readonly AskedTerm[], layout: Layout): void {
  const { columns } = layout.corpus;
  const { flags, voices, textLengths, titleLengths, sessionFirsts, sessionLasts } = columns;
  evidence.begin(layout.size);
  const { own, joint, held, title, titleTerms, named } = evidence;
  const { around } = evidence;
  const { near, before, after, perTurn, maxTurns, aroundWorth, reply } = settings;
  const farthest = 4 * near;
  const { averageTitle } = layout;
  const spread: number[] = [];
  for (const { ids, counts, marks, firsts, lasts, share } of found) {
    spread.length = 0;
    for (let at = 0; at < ids.length; at++) {
      const slot = ids[at]!;
      const count = counts[at]!;
      const [first, last] = [sessionFirsts[slot]!, sessionLasts[slot]!];
      if (count === 0 || first === last) continue;
      const length = textLengths[slot]!;
      const worth = roomIn(length) * (count > 1 ? 2 : 1);
      // Places count stop words, which are about half of what is said; lengths do not.
      let gap = Math.max(0, length - lasts[at]! / 2);
      let fall = before * worth;
      for (let other = slot + 1; other <= last && other - slot <= maxTurns && gap < farthest; other++) {
        const isReply = other === slot + 1 && (flags[slot]! & flag.asks) !== 0 && voices[other] !== voices[slot];
        if (around[other] === 0) spread.push(other);
        around[other]! += fall * falling(gap) * (isReply ? reply : 1);
        gap += textLengths[other]!;
        fall *= perTurn;
      }
      gap = firsts[at]! / 2;
      fall = after * worth;
      for (let other = slot - 1; other >= first && slot - other <= maxTurns && gap < farthest; other--) {
        if (around[other] === 0) spread.push(other);
        around[other]! += fall * falling(gap);
        gap += textLengths[other]!;
        fall *= perTurn;
      }
    }
    for (let at = 0; at < ids.length; at++) {
      const slot = ids[at]!;
      const mark = marks[at]!;
      const length = textLengths[slot]!;
      let x = counts[at]! / (settings.once + length / settings.perLength);
      if (mark !== 0) {
        const titled = titleIn(mark);
        if (titled > 0) {
          const long = titleLengths[slot]! / averageTitle;
          x += (settings.title * titled) / (1 - settings.titleByLength + settings.titleByLength * long);
          title[slot]! += share;
          titleTerms[slot]! += 1;
        }
        const spoken = speakerIn(mark);
        if (spoken > 0) {
          x += settings.speaker * spoken;
          named[slot] = 1;
        }
        if (contextIn(mark) > 0) x += (flags[slot]! & flag.retold) === 0 ? settings.context : settings.about;
      }
      const nearby = around[slot]!;
      const alone = share * saturated(x);
      own[slot]! += alone;
      joint[slot]! += nearby === 0 ? alone : share * saturated(x + aroundWorth * nearby * roomIn(length));
      held[slot]! += share;
      around[slot] = 0;
      evidence.touch(slot);
    }
    for (const slot of spread) {
      if (around[slot] === 0) continue;
      joint[slot]! += share * saturated(aroundWorth * around[slot]! * roomIn(textLengths[slot]!));
      around[slot] = 0;
      evidence.touch(slot);
    }
  }
}

/** Adds what documents share with a question in letters. */
export function gatherLetters(evidence: Evidence, letters: readonly AskedTerm[], layout: Layout): void {
  const { letterLengths } = layout.corpus.columns;
  for (const { ids, counts, share } of letters) {
    for (let at = 0; at < ids.length; at++) {
      const slot = ids[at]!;
      const count = counts[at]!;
      const norm = settings.once + letterLengths[slot]! / (8 * settings.perLength);
      evidence.letters[slot]! += (share * count) / (count + norm);
      evidence.touch(slot);
    }
  }
}

/** Gives what the stretch of talk around each of some slots is about, in their order. */
export function stretchesOf(slots: Int32Array, found: readonly AskedTerm[], layout: Layout): Float64Array {
  const { sessionFirsts, sessionLasts, left, mentions, textLengths } = layout.corpus.columns;
  const stretches = new Float64Array(slots.length);
  const sorted = Array.from(slots.keys()).sort((one, other) => slots[one]! - slots[other]!);
  const spoken = sorted.filter((at) => sessionFirsts[slots[at]!] !== sessionLasts[slots[at]!]);
  if (spoken.length === 0) return stretches;
  let far = new Float64Array(64);
  for (const { ids, counts, share } of found) {
    let entry = 0;
    for (let number = 0; number < spoken.length; ) {
      const from = sessionFirsts[slots[spoken[number]!]!]!;
      const to = sessionLasts[from]!;
      let next = number + 1;
      while (next < spoken.length && slots[spoken[next]!]! <= to) next += 1;
      entry = firstNotBelow(ids, from, entry);
      const until = firstNotBelow(ids, to + 1, entry);
      if (entry < until) {
        const size = to - from + 1;
        if (far.length < size) far = new Float64Array(size * 2);
        // Two passes, which fall off by the words that go by; outside of what holds the term there is nothing new to add.
        let sum = 0;
        let at = entry;
        const lastSlot = slots[spoken[next - 1]!]!;
        for (let slot = ids[entry]!; slot <= lastSlot; slot++) {
          if (at < until && ids[at] === slot) sum += counts[at++]! * mentions[slot]!;
          far[slot - from] = sum;
          sum *= left[slot]!;
        }
        far.fill(0, 0, Math.min(size, ids[entry]! - from));
        sum = 0;
        at = until - 1;
        const firstSlot = slots[spoken[number]!]!;
        for (let slot = ids[until - 1]!; slot >= firstSlot; slot--) {
          if (slot <= lastSlot) far[slot - from]! += sum;
          if (at >= entry && ids[at] === slot) sum += counts[at--]! * mentions[slot]!;
          sum *= left[slot]!;
        }
        for (let which = number; which < next; which++) {
          stretches[spoken[which]!]! += share * saturated(far[slots[spoken[which]!]! - from]!);
        }
      }
      entry = until;
      number = next;
    }
  }
  for (const at of spoken) stretches[at]! *= roomIn(textLengths[slots[at]!]!);
  return stretches;
}

/** Finds the first of sorted numbers that is not below one, from a place on. */
function firstNotBelow(sorted: ArrayLike<number>, wanted: number, from: number): number {
  let low = from;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What the answer to a question takes from it: all of a short one into a short turn. */
export function replyTo(slot: number, evidence: Evidence, layout: Layout): number {
  const { flags, voices, sessionFirsts, textLengths } = layout.corpus.columns;
  if (slot <= sessionFirsts[slot]! || (flags[slot - 1]! & flag.asks) === 0 || voices[slot - 1] === voices[slot])
    return 0;
  return evidence.own[slot - 1]! * roomIn(textLengths[slot]!) * Math.min(1, 30 / (1 + textLengths[slot - 1]!));
}
