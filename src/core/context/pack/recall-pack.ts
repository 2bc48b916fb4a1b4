// The recall pack: one page of what matters today, in a fixed order, within a number of words (spec 3, layer 4).

import { isDay } from '../../../base/time.ts';
import type { PackResult } from '../../../base/types.ts';
import { countPromises } from '../../../logs/index.ts';
import { type PackInput, packCandidates } from './candidates.ts';
import { countWords, cutWords, type PackCandidate, type PackSection, packSections } from './sections.ts';

/** How many words each section may have (spec 3), and what any of them may borrow. */
const budgets: Readonly<Record<PackSection, number>> = {
  p0: 200,
  mantra: 20,
  commitments: 500,
  waiting: 150,
  focus: 300,
  context: 800,
  procedures: 500,
  accounts: 200,
};
const toBorrow = 330;

/** What the lines `… and 12 more` may take together. */
const wordsForMore = 8 * packSections.length;

interface Filled {
  readonly section: PackSection;
  readonly lines: PackCandidate[];
  readonly cut: PackCandidate[];
}

/**
 * Builds the pack of a day.
 *
 * Each section takes its candidates in order as long as its budget and the rest of the buffer last. What does not fit is counted. P0 is
 * always in. It takes what it needs beyond its budget from the buffer, then from the last section upward, but not from the three oldest
 * commitments. Should P0 alone be too long, the pack is P0, each of them shortened, and `ok` is false. Always below `pack.max_words`.
 */
export function buildPack(input: PackInput): PackResult {
  const { day, configuration } = input;
  const { maxWords } = configuration.pack;
  const candidates = packCandidates(input);
  const headings = packSections.reduce(
    (sum, { heading }) => sum + countWords(`## ${heading}`),
    countWords(titleOf(day)),
  );
  const left: Record<PackSection, number> = { ...budgets };
  let buffer = Math.max(0, toBorrow - headings - wordsForMore - 1);
  const p0Words = wordsOf(candidates.p0);
  const needed = candidates.commitments.filter(({ isNeeded }) => isNeeded);
  // The most that P0 may have: nothing else but the headings and the oldest commitments would be left.
  const most = maxWords - headings - wordsForMore - wordsOf(needed) - 1;
  if (p0Words > most) return onlyP0(input, candidates.p0);
  let missing = Math.max(0, p0Words - left.p0);
  const take = (available: number): number => {
    const taken = Math.min(missing, available);
    missing -= taken;
    return available - taken;
  };
  buffer = take(buffer);
  for (const { name } of [...packSections].reverse()) if (name !== 'p0') left[name] = take(left[name]);
  left.p0 = Math.max(left.p0, p0Words);
  const filled = packSections.map(({ name }): Filled => {
    const [lines, cut]: PackCandidate[][] = [[], []];
    let available = left[name];
    let isFull = false;
    for (const candidate of candidates[name]) {
      const words = wordsOf([candidate]);
      isFull ||= words > available + buffer && !candidate.isNeeded;
      if (isFull && !candidate.isNeeded) {
        cut!.push(candidate);
        continue;
      }
      buffer = Math.max(0, buffer - Math.max(0, words - available));
      available = Math.max(0, available - words);
      lines!.push(candidate);
    }
    return { section: name, lines: lines!, cut: cut! };
  });
  trim(filled, day, maxWords);
  return resultOf(day, filled, true);
}

/** Whatever the budgets come to: lines go from the last section upward until the page is short enough. */
function trim(filled: readonly Filled[], day: string, maxWords: number): void {
  while (countWords(textOf(day, filled)) >= maxWords) {
    const section = filled.findLast(
      ({ section: name, lines }) => name !== 'p0' && lines.some(({ isNeeded }) => !isNeeded),
    );
    if (section === undefined) return;
    const last = section.lines.findLastIndex(({ isNeeded }) => !isNeeded);
    section.cut.push(...section.lines.splice(last, 1));
  }
}

/** As much of every constraint as there is room for. */
function onlyP0({ day, configuration }: PackInput, p0: readonly PackCandidate[]): PackResult {
  const room = configuration.pack.maxWords - 40;
  const each = Math.max(4, Math.floor(room / p0.length) - 1);
  const lines = p0.slice(0, Math.floor(room / (each + 1))).map((line) => {
    const words = line.text.split(' ');
    return { ...line, text: `${cutWords(words.slice(0, -1).join(' '), each - 1)} ${words.at(-1)}` };
  });
  const warning = { text: '⚠️ INTEGRITY: P0 alone does not fit into the pack', why: 'P0 is too long', events: [] };
  return resultOf(day, [{ section: 'p0', lines: [warning, ...lines], cut: p0.slice(lines.length) }], false);
}

const wordsOf = (lines: readonly PackCandidate[]): number =>
  lines.reduce((sum, { text }) => sum + 1 + countWords(text), 0);

const titleOf = (day: string): string => `# Recall Pack — ${day}`;

/** Reads the day, `YYYY-MM-DD`, that a pack as {@link buildPack} writes it is for; null of any other text. */
export function dayOfPack(text: string): string | null {
  const day = text.slice(titleOf('').length, titleOf('').length + 10);
  return isDay(day) && text.startsWith(`${titleOf(day)}\n`) ? day : null;
}

const moreOf: Readonly<Partial<Record<PackSection, string>>> = {
  commitments: 'they stand in the ledger',
  p0: 'they stand in the ledger',
};

function textOf(day: string, filled: readonly Filled[]): string {
  const parts = filled.map(({ section, lines, cut }) => {
    const { heading } = packSections.find(({ name }) => name === section)!;
    const items = lines.map(({ text }) => `- ${text}`);
    const hint = moreOf[section];
    const kinds = section === 'commitments' ? `: ${countPromises(cut, day)}` : '';
    if (cut.length > 0) items.push(`- … ${cut.length} more${kinds}${hint === undefined ? '' : `; ${hint}`}`);
    return `## ${heading}\n${items.length === 0 ? '- none' : items.join('\n')}\n`;
  });
  return [`${titleOf(day)}\n`, ...parts].join('\n');
}

function resultOf(day: string, filled: readonly Filled[], ok: boolean): PackResult {
  const text = textOf(day, filled);
  return {
    day,
    text,
    words: countWords(text),
    ok,
    lines: filled.flatMap(({ section, lines }) =>
      lines.map(({ text: line, why, events, path }) => ({
        section,
        text: line,
        why,
        events,
        ...(path === undefined ? {} : { path }),
      })),
    ),
    left: filled.flatMap(({ section, cut }) => (cut.length > 0 ? [{ section, count: cut.length }] : [])),
  };
}
