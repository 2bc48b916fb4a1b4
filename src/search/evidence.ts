// What the words of a question say of every document of a view, each as a share of what a perfect one would have.
//
//   own      its own words               Σ share · x / (x + 1),  x = count / (once + length / perLength) + title + speaker + context.
//   joint    with what is said around:   x + aroundWorth · Σ over turns nearby of e^(−words between / near) · ….
//   wide     the stretch of talk:        the same with a long reach, looked at for candidates only.
//
// Lengths are absolute, so a score means the same in 300 pages and in 9,000 short turns. Arrays are kept from question to question.

import { firstNotBelow } from '../base/sorted.ts';
import type { Layout } from './layout.ts';
import { contextIn, speakerIn, titleIn } from './postings.ts';
import type { AskedTerm } from './question.ts';
import { rankingSettings as settings } from './ranking-settings.ts';
import { flag } from './segment.ts';

/** Numbers by slot, most of them zero; {@link Evidence.touched} lists those that are not. */
export class Evidence {
  own = new Float64Array(0);
  joint = new Float64Array(0);
  /** The share of the question that it holds itself, and how many terms that is. */
  held = new Float64Array(0);
  terms = new Uint8Array(0);
  /** The share that its title holds, how many terms that is, and whether its speaker is named: of few. */
  title = new Float64Array(0);
  titleTerms = new Uint8Array(0);
  named = new Uint8Array(0);
  letters = new Float64Array(0);
  touched = new Int32Array(0);
  size = 0;
  /** Of one term: what is said around, and where. Zero again before the next. */
  around = new Float64Array(0);
  spread = new Int32Array(0);
  seen = new Uint8Array(0);
  #marked: number[] = [];
  #hasLetters = false;

  /** Makes room; all values are zero. */
  begin(room: number, hasLetters: boolean): void {
    const { own, joint, held, terms, letters, seen, touched, size } = this;
    // Of many it is faster to clear all.
    const isMost = size * 8 > own.length;
    if (isMost) for (const all of [own, joint, held, terms, letters, seen]) all.fill(0);
    for (let at = 0; at < size && !isMost; at++) {
      const slot = touched[at]!;
      own[slot] = 0;
      joint[slot] = 0;
      held[slot] = 0;
      terms[slot] = 0;
      seen[slot] = 0;
      if (this.#hasLetters) letters[slot] = 0;
    }
    for (const slot of this.#marked) {
      this.title[slot] = 0;
      this.titleTerms[slot] = 0;
      this.named[slot] = 0;
    }
    this.#marked = [];
    this.size = 0;
    this.#hasLetters = hasLetters;
    if (own.length >= room) return;
    const larger = Math.ceil(room * 1.2);
    for (const name of ['own', 'joint', 'held', 'title', 'letters', 'around'] as const)
      this[name] = new Float64Array(larger);
    for (const name of ['terms', 'titleTerms', 'named', 'seen'] as const) this[name] = new Uint8Array(larger);
    for (const name of ['touched', 'spread'] as const) this[name] = new Int32Array(larger);
  }

  /** Notes that a slot is looked at closely. */
  choose(slot: number): void {
    this.seen[slot] = 2;
  }

  /** Whether a slot has evidence and is not looked at closely. */
  isLeft(slot: number): boolean {
    return this.seen[slot] === 1;
  }

  touch(slot: number): void {
    if (this.seen[slot] !== 0) return;
    this.seen[slot] = 1;
    this.touched[this.size++] = slot;
  }

  /** Notes what a mark says of a term beside the text, and gives what it is worth. */
  mark(slot: number, mark: number, share: number, layout: Layout): number {
    const { flags, titleLengths } = layout.corpus.columns;
    let x = 0;
    const titled = titleIn(mark);
    const spoken = speakerIn(mark);
    if (titled + spoken > 0) this.#marked.push(slot);
    if (titled > 0) {
      const long = titleLengths[slot]! / layout.averageTitle;
      x += (settings.title * titled) / (1 - settings.titleByLength + settings.titleByLength * long);
      this.title[slot]! += share;
      this.titleTerms[slot]! += 1;
    }
    if (spoken > 0) {
      x += settings.speaker * spoken;
      this.named[slot] = 1;
    }
    if (contextIn(mark) > 0) x += (flags[slot]! & flag.retold) === 0 ? settings.context : settings.about;
    return x;
  }
}

const saturated = (x: number): number => x / (x + 1);

/** A number for each usual length. */
const byLength = (of: (length: number) => number): Float64Array =>
  Float64Array.from({ length: 256 }, (_, at) => of(at));

/** e^(−words / near) for every half word. */
const falls = Float64Array.from({ length: settings.near * 8 + 1 }, (_, at) => Math.exp(-at / 2 / settings.near));
/** Of less than {@link falls} holds. */
const falling = (words: number): number => falls[(words * 2 + 0.5) | 0]!;

/** Room for what others say: all of it in a short turn, little in a long one, which speaks for itself. */
const roomIn = (length: number): number => (length <= settings.usual ? 1 : settings.usual / length);

/** How often a term occurs where it counts half. */
export const halfAt = (length: number): number => settings.once + length / settings.perLength;
const [halves, onces] = [byLength(halfAt), byLength((length) => saturated(1 / halfAt(length)))];

/** Fills the evidence of all documents of a view. */
export function gather(evidence: Evidence, found: readonly AskedTerm[], layout: Layout, hasLetters: boolean): void {
  const { textLengths } = layout.corpus.columns;
  evidence.begin(layout.size, hasLetters);
  const { own, joint, held, terms, around, spread } = evidence;
  const { aroundWorth } = settings;
  for (const term of found) {
    const { ids, counts, marks, share } = term;
    const reached = spreadOf(term, layout, evidence);
    for (let at = 0; at < ids.length; at++) {
      const slot = ids[at]!;
      const mark = marks[at]!;
      const length = textLengths[slot]!;
      const count = counts[at]!;
      let x = count / (length < halves.length ? halves[length]! : halfAt(length));
      if (mark !== 0) x += evidence.mark(slot, mark, share, layout);
      const nearby = around[slot]!;
      const isOnce = count === 1 && mark === 0 && length < onces.length;
      const alone = share * (isOnce ? onces[length]! : saturated(x));
      own[slot]! += alone;
      if (nearby === 0) joint[slot]! += alone;
      else {
        joint[slot]! += share * saturated(x + aroundWorth * nearby * roomIn(length));
        around[slot] = 0;
      }
      held[slot]! += share;
      terms[slot]! += 1;
      evidence.touch(slot);
    }
    for (let at = 0; at < reached; at++) {
      const slot = spread[at]!;
      const nearby = around[slot]!;
      if (nearby === 0) continue;
      joint[slot]! += share * saturated(aroundWorth * nearby * roomIn(textLengths[slot]!));
      around[slot] = 0;
      evidence.touch(slot);
    }
  }
}

/** Spreads a term over the turns around those that hold it; gives how many are reached. */
function spreadOf({ ids, counts, firsts, lasts }: AskedTerm, layout: Layout, { around, spread }: Evidence): number {
  const { flags, voices, textLengths, sessionFirsts, sessionLasts } = layout.corpus.columns;
  const { near, before, after, perTurn, maxTurns, reply } = settings;
  const farthest = 4 * near;
  let reached = 0;
  for (let at = 0; at < ids.length; at++) {
    const slot = ids[at]!;
    const count = counts[at]!;
    const first = sessionFirsts[slot]!;
    const last = sessionLasts[slot]!;
    if (count === 0 || first === last) continue;
    const length = textLengths[slot]!;
    const worth = roomIn(length) * (count > 1 ? 2 : 1);
    // Places count stop words, which are about half of what is said; lengths do not.
    let gap = Math.max(0, length - lasts[at]! / 2);
    let fall = before * worth;
    let end = Math.min(last, slot + maxTurns);
    for (let other = slot + 1; other <= end && gap < farthest; other++) {
      const isReply = other === slot + 1 && (flags[slot]! & flag.asks) !== 0 && voices[other] !== voices[slot];
      const known = around[other]!;
      if (known === 0) spread[reached++] = other;
      around[other] = known + fall * falling(gap) * (isReply ? reply : 1);
      gap += textLengths[other]!;
      fall *= perTurn;
    }
    gap = firsts[at]! / 2;
    fall = after * worth;
    end = Math.max(first, slot - maxTurns);
    for (let other = slot - 1; other >= end && gap < farthest; other--) {
      const known = around[other]!;
      if (known === 0) spread[reached++] = other;
      around[other] = known + fall * falling(gap);
      gap += textLengths[other]!;
      fall *= perTurn;
    }
  }
  return reached;
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

/**
 * Gives what other speakers nearby say of the matter, by the scores of the slots that are looked at. People who talk about something answer each
 * other, while messages of one speaker alone are about a thing each. It is a half where another says the best of all right beside it.
 */
export function companyOf(slots: Int32Array, scores: Float64Array, layout: Layout): Float64Array {
  const { sessionLasts, voices, textLengths } = layout.corpus.columns;
  const most = scores.reduce((larger, score) => Math.max(larger, score), 0);
  const company = new Float64Array(slots.length);
  const farthest = 4 * settings.company;
  for (let at = 0; at < slots.length; at++) {
    const slot = slots[at]!;
    const last = sessionLasts[slot]!;
    let words = 0;
    let from = slot;
    for (let next = at + 1; next < slots.length && slots[next]! <= last; next++) {
      const other = slots[next]!;
      for (; from < other && words < farthest; from++) words += Math.max(3, textLengths[from]!);
      if (words >= farthest) break;
      if (voices[other] === voices[slot]) continue;
      const near = Math.exp(-words / settings.company);
      company[at]! += near * (scores[next]! / most) ** 2;
      company[next]! += near * (scores[at]! / most) ** 2;
    }
  }
  for (let at = 0; at < slots.length; at++) company[at] = saturated(company[at]!) * roomIn(textLengths[slots[at]!]!);
  return company;
}

/** The share of a question that its answer takes: all of a short one into a short turn; 0 where a turn answers none. */
export function shareOfAsked(slot: number, layout: Layout): number {
  const { flags, voices, sessionFirsts, textLengths } = layout.corpus.columns;
  if (slot <= sessionFirsts[slot]! || (flags[slot - 1]! & flag.asks) === 0 || voices[slot - 1] === voices[slot])
    return 0;
  return roomIn(textLengths[slot]!) * Math.min(1, 30 / (1 + textLengths[slot - 1]!));
}
