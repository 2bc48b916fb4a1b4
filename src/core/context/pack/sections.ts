// The sections of the recall pack, in the only order there is (spec 3, layer 4).

export const packSections = [
  { name: 'p0', heading: '🔴 P0 CONSTRAINTS — rules that must never be violated' },
  { name: 'mantra', heading: '🎯 THE MANTRA — core mission' },
  { name: 'commitments', heading: '📋 OPEN COMMITMENTS — the next to be due first, with status and age' },
  { name: 'waiting', heading: '⏳ WAITING ON — external dependencies' },
  { name: 'focus', heading: "🎯 TODAY'S FOCUS — priority work for the day" },
  { name: 'context', heading: '🧠 CONTEXT — current projects, recent decisions' },
  { name: 'procedures', heading: '📚 PROCEDURES — key operational procedures' },
  { name: 'accounts', heading: '🔑 ACCOUNTS — quick reference ids' },
] as const;

export type PackSection = (typeof packSections)[number]['name'];

/** A line that may go into a section, and why. */
export interface PackCandidate {
  /** Without the mark of a list. */
  readonly text: string;
  readonly why: string;
  /** Ids of the events it tells. */
  readonly events: readonly string[];
  /** Ids of the memories it tells, where it tells no event. */
  readonly memories?: readonly string[];
  /** The file it comes from. */
  readonly path?: string;
  /** The day on which a promise is due. */
  readonly due?: string;
  /** It stands there whatever the budget says. */
  readonly isNeeded?: boolean;
}

export type PackCandidates = Readonly<Record<PackSection, readonly PackCandidate[]>>;

/** Counts words as `wc -w` does. */
export const countWords = (text: string): number => text.match(/\S+/g)?.length ?? 0;

/** Cuts a text to one line of at most so many words, the last of them `…`. */
export function cutWords(text: string, most: number): string {
  const words = text.match(/\S+/g) ?? [];
  return words.length <= most ? words.join(' ') : [...words.slice(0, Math.max(0, most - 1)), '…'].join(' ');
}
