// Makes probes of captures: a turn is asked for by its own rare words, and no extractor has a part in the choice.

import { MemoryError } from '../../base/errors.ts';
import { tokensOf } from '../../base/tokenizer.ts';
import type { Probe, ProbesOptions } from '../../base/types.ts';
import { signalOf } from '../../core/capture/signals.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import { shownText } from '../../store/forgotten.ts';
import { dayOfNote } from '../../store/records/daily-note.ts';
import { parseTranscript } from '../../store/records/transcript.ts';
import { conversationsOf } from './branch.ts';
import { randomOf } from './significance.ts';

interface Turn {
  readonly source: string;
  /** In the order they are said, each once: the word and its stem. */
  readonly words: readonly { readonly word: string; readonly stem: string }[];
  /** Something in it speaks for being worth keeping, by its words alone. */
  readonly isTelling: boolean;
}

const defaultCount = 50;
const maxCount = 10_000;
/** A turn of fewer content words is found by chance. */
const minWords = 4;
const askedWords = 5;
/** One word of a turn has to be as rare as that among all turns, or in `fewTurns` at most. */
const rareShare = 0.1;
const fewTurns = 4;

/**
 * Makes questions of turns whose words tell them apart. Half of them, where there are as many, come from turns that look worth remembering.
 * The signal scan found a decision, a wish, a promise or a correction in them.
 *
 * The same captures, count and seed give the same probes. Throws INVALID_ARGUMENT, NOT_FOUND when there are no captures.
 */
export function makeProbes(store: BranchStore, { count = defaultCount, seed = 1 }: ProbesOptions): Probe[] {
  if (!Number.isSafeInteger(count) || count < 1 || count > maxCount)
    throw new MemoryError('INVALID_ARGUMENT', `count must be a whole number from 1 to ${maxCount}`, { where: 'count' });
  if (!Number.isSafeInteger(seed))
    throw new MemoryError('INVALID_ARGUMENT', 'seed must be a whole number', { where: 'seed' });
  const turns = turnsOf(store);
  const frequency = new Map<string, number>();
  for (const { words } of turns) for (const { stem } of words) frequency.set(stem, (frequency.get(stem) ?? 0) + 1);
  const isRare = (stem: string) => frequency.get(stem)! <= Math.max(fewTurns, turns.length * rareShare);
  const candidates = turns.filter(({ words }) => words.length >= minWords && words.some(({ stem }) => isRare(stem)));
  if (candidates.length === 0) {
    throw new MemoryError('NOT_FOUND', 'no conversation has a turn with words of its own', {
      where: 'raw/conversations',
      hint: 'Capture conversations first, or write probes by hand',
    });
  }
  const random = randomOf(seed);
  const telling = shuffled(
    candidates.filter(({ isTelling }) => isTelling),
    random,
  );
  const others = shuffled(
    candidates.filter(({ isTelling }) => !isTelling),
    random,
  );
  const half = Math.min(telling.length, Math.max(Math.ceil(count / 2), count - others.length));
  const chosen = [...telling.slice(0, half), ...others.slice(0, count - half)];
  return chosen
    .sort((a, b) => (a.source < b.source ? -1 : 1))
    .map(({ source, words }) => ({ question: questionOf(words, frequency), sources: [source] }));
}

function turnsOf(store: BranchStore): Turn[] {
  const tip = store.tip();
  if (tip === null) return [];
  const snapshot = store.at(tip);
  const paths = conversationsOf(store, tip).filter((path) => dayOfNote(path) === null);
  return paths.flatMap((path) =>
    parseTranscript(shownText(snapshot, path, snapshot.readText(path)!), path).turns.flatMap(
      ({ role, text }, at): Turn[] => {
        if (role !== 'user' && role !== 'agent') return [];
        return [{ source: `${path}#${at + 1}`, words: wordsOf(text), isTelling: signalOf(text).level !== 'none' }];
      },
    ),
  );
}

function wordsOf(text: string): Turn['words'] {
  const seen = new Set<string>();
  return text.split(/[^\p{L}\p{N}'’-]+/u).flatMap((word) => {
    const [stem, ...others] = tokensOf(word);
    if (stem === undefined || others.length > 0 || seen.has(stem)) return [];
    seen.add(stem);
    return [{ word, stem }];
  });
}

function questionOf(words: Turn['words'], frequency: ReadonlyMap<string, number>): string {
  const rarest = [...words].sort((a, b) => frequency.get(a.stem)! - frequency.get(b.stem)!).slice(0, askedWords);
  return words
    .filter((word) => rarest.includes(word))
    .map(({ word }) => word.toLowerCase())
    .join(' ');
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const copy = [...list];
  for (let last = copy.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [copy[last], copy[other]] = [copy[other]!, copy[last]!];
  }
  return copy;
}
