// .memory/context.md as a value: what matters now, in seven sections, and the last event that it knows.
// logs/narrative.ts finds what goes into them.

export const narrativePath = '.memory/context.md';

export const narrativeSections = [
  'Active Mission',
  'Current Sprint',
  'Active Constraints',
  'Blockers',
  'Recent Changes',
  'Key Dependencies',
  'Next Actions',
] as const;

type NarrativeSection = (typeof narrativeSections)[number];

export interface Narrative {
  /** The last event it knows; null for an empty log. */
  readonly horizon: string | null;
  /** When that was, `2026-11-22 09:30`: the page says the same whenever it is made. */
  readonly generated: string | null;
  /** The lines of each section, as markdown; an empty one says so. */
  readonly sections: Readonly<Record<NarrativeSection, readonly string[]>>;
}

/** What a text says of itself as a narrative. */
interface NarrativeReading {
  /** Null where no comment says so: such a page is stale. */
  readonly horizon: string | null;
  /** Lines that are not blank, by section, with their numbers. */
  readonly sections: ReadonlyMap<NarrativeSection, readonly { readonly line: number; readonly text: string }[]>;
  readonly missing: readonly NarrativeSection[];
}

const none = '(none)';

/** Formats a narrative; equal ones are equal bytes. */
export function formatNarrative({ horizon, generated, sections }: Narrative): string {
  const head = [
    '# Current Context',
    '',
    '<!-- Layer 3: what follows from the event log and the graph. Made anew with each event: an edit here does not last. -->',
    `<!-- Last generated: ${generated ?? none} | Event horizon: ${horizon ?? none} -->`,
  ].join('\n');
  const parts = narrativeSections.map((title) => {
    const lines = sections[title];
    return `## ${title}\n\n${lines.length === 0 ? `- ${none}` : lines.join('\n')}\n`;
  });
  return `${head}\n\n${parts.join('\n')}`;
}

/** Reads the narrative of a file, by this engine or by people. */
export function parseNarrative(text: string): NarrativeReading {
  const sections = new Map<NarrativeSection, { line: number; text: string }[]>();
  let current: { line: number; text: string }[] | null = null;
  for (const [index, raw] of text.split('\n').entries()) {
    const words = raw.trim();
    if (/^#{1,6}\s/.test(words)) {
      const title = narrativeSections.find((name) => words.toLowerCase().includes(name.toLowerCase()));
      current = title === undefined ? null : (sections.get(title) ?? []);
      if (title !== undefined) sections.set(title, current!);
    } else if (words !== '' && !words.startsWith('<!--')) current?.push({ line: index + 1, text: words });
  }
  return {
    horizon: /Event horizon\**:\**[ \t]*(evt-\d{1,9})/i.exec(text)?.[1] ?? null,
    sections,
    missing: narrativeSections.filter((title) => !sections.has(title)),
  };
}
