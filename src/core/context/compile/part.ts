// One part of a compiled text while it is filled: its blocks in order, what was left out, and what it all costs.

import type { ContextBlock, ContextLeft, ContextSlot, ContextSlotName } from '../../../base/types/compiled-types.ts';
import { type TagName, wrapperOf } from './data-text.ts';
import type { Meter } from './meter.ts';

/** A block with its text. */
export interface Piece extends ContextBlock {
  readonly text: string;
}

/** In which order things give way: 0 never. */
export type SlotPriority = ContextSlot['priority'];

/** A part of the text with its slots; slots of one tag share a wrapper. */
export class Part {
  readonly slot: ContextSlotName;
  readonly priority: SlotPriority;
  readonly tag: TagName | null;
  budget: number | null = null;
  readonly pieces: Piece[] = [];
  readonly left: ContextLeft[] = [];

  constructor(slot: ContextSlotName, priority: SlotPriority, tag: TagName | null) {
    this.slot = slot;
    this.priority = priority;
    this.tag = tag;
  }

  get tokens(): number {
    return tokensOf(this.pieces);
  }

  get text(): string {
    return this.pieces.map(({ text }) => text).join('\n');
  }
}

/** Sums up what pieces cost. */
export const tokensOf = (pieces: readonly Pick<Piece, 'tokens'>[]): number =>
  pieces.reduce((sum, { tokens }) => sum + tokens, 0);

/** Tells of a part as results do; `tokens` is what it costs. */
export const slotOf = (part: Part, tokens: number): ContextSlot => ({
  slot: part.slot,
  priority: part.priority,
  budget: part.budget,
  tokens,
  text: part.text,
  blocks: part.pieces.map(({ text: _, ...block }) => block),
  left: part.left,
});

/** What the two lines around a part cost. */
export function wrapperTokens(tag: TagName | null, meter: Meter): number {
  if (tag === null) return 0;
  const { open, close } = wrapperOf(tag);
  return meter.count(`${open}\n`) + meter.count(`${close}\n\n`);
}

/** Joins parts to the text: those of one tag that follow each other in one wrapper, a blank line between wrappers. */
export function textOf(parts: readonly Part[]): string {
  const texts: string[] = [];
  for (let at = 0; at < parts.length; ) {
    const { tag } = parts[at]!;
    let end = at + 1;
    while (tag !== null && end < parts.length && parts[end]!.tag === tag) end += 1;
    const inner = parts
      .slice(at, end)
      .filter(({ pieces }) => pieces.length > 0)
      .map(({ text }) => text)
      .join('\n');
    if (inner !== '') {
      const { open, close } = tag === null ? { open: '', close: '' } : wrapperOf(tag);
      texts.push(tag === null ? inner : `${open}\n${inner}\n${close}`);
    }
    at = end;
  }
  return texts.join('\n\n');
}
