// What a text is: whether it is worth keeping, as what, for how long, and whether it sounds like a change. Scores of a small network; what
// is done about them is decided by who asks.

import { firstNotBelow } from '../base/sorted.ts';
import { featuresOf, hashOf, type Setting } from './features.ts';
import { sentencesOf } from './sentences.ts';
import { type Beside, readBeside, readWeights, type Weights } from './weights.ts';

/** What something worth keeping is. */
export const categories = [
  'fact',
  'preference',
  'constraint',
  'procedure',
  'decision',
  'commitment',
  'relationship',
  'principle',
  'moment',
  'skill',
  'correction',
] as const;
export type Category = (typeof categories)[number];

/** What kind of text a turn is. */
export const textKinds = [
  'talk',
  'request',
  'pasted',
  'program',
  'quoted',
  'fiction',
  'joke',
  'hypothetical',
  'test',
] as const;
export type TextKind = (typeof textKinds)[number];

/** What the scorers say of a text. All numbers are probabilities, 0 to 1. */
export interface Scores {
  /** Somebody would be sorry not to know it a month later. */
  readonly worth: number;
  /** It holds until it is taken back, as a rule or a preference does. */
  readonly standing: number;
  /** It sounds as if something were otherwise from now on. Nothing may end by it. */
  readonly change: number;
  /** The likeliest category, if it is worth keeping. */
  readonly category: Category;
  readonly categoryProbability: number;
  /** The probability of each category, in the order of {@link categories}. */
  readonly shares: readonly number[];
  /** The likeliest kind of text. */
  readonly kind: TextKind;
  readonly kindProbability: number;
}

/** A turn, and each of its sentences as it stands there. */
export interface Reading extends Scores {
  readonly sentences: readonly (Scores & { readonly text: string })[];
}

let known: Weights | undefined;
const weights = (): Weights => (known ??= readWeights());
let knownBeside: Beside | undefined;
const beside = (): Beside => (knownBeside ??= readBeside(weights().outputs));

/** How many scorers' outputs there are before the categories and kinds; they come in the order worth, standing, change. */
const single = 3;
const changeAt = 2;
/** A sum of weights grows with the square root of the features: so long and short texts are alike. */
const sharpness = 8;

const logistic = (sum: number): number => 1 / (1 + Math.exp(-sum));

/** What share of all each of some outputs has. Of writers left out a share of 0.8 is right in 85 % of what is worth keeping. */
function sharesOf(sums: Float64Array, from: number, count: number): readonly number[] {
  const each = Array.from(sums.subarray(from, from + count), logistic);
  const all = each.reduce((sum, one) => sum + one, 0);
  return each.map((one) => one / all);
}

/** The likeliest of some names, by their shares. */
function likeliest<Name>(names: readonly Name[], shares: readonly number[]): [name: Name, share: number] {
  const most = Math.max(...shares);
  return [names[shares.indexOf(most)]!, most];
}

/** Gives what the units of the network have of a text. */
function unitsOf(text: string, setting: Setting): Float64Array {
  const { hashes, rows, scales, shifts, firstBent } = weights();
  const units = new Float64Array(scales.length);
  const features = featuresOf(text, setting);
  for (const feature of features) {
    const hash = hashOf(feature);
    const row = firstNotBelow(hashes, hash);
    if (hashes[row] !== hash) continue;
    const half = units.length / 2;
    for (let pair = 0; pair < half; pair++) {
      const both = rows[row * half + pair]!;
      units[2 * pair]! += (both >> 4) - 8;
      units[2 * pair + 1]! += (both & 15) - 8;
    }
  }
  const share = sharpness / Math.sqrt(features.size);
  for (let at = 0; at < units.length; at++) {
    const unit = units[at]! * scales[at]! * share + shifts[at]!;
    units[at] = at >= firstBent && unit < 0 ? 0 : unit;
  }
  return units;
}

/** Gives the sum of a scorer, before the logistic function. */
function sumOf(output: number, units: Float64Array): number {
  const { says, biases } = weights();
  return says[output]!.reduce((sum, one, at) => sum + one * units[at]!, biases[output]!);
}

/** Gives {@link Scores.change} alone. */
export const changeIn = (text: string, setting: Setting): number => logistic(sumOf(changeAt, unitsOf(text, setting)));

/**
 * Scores one text as a whole. `seen` is what a scorer of turns (ports.ts) says of the same text in the same setting. It has a say in all but change
 * and kind.
 */
export function scoresOf(text: string, setting: Setting = {}, seen?: ArrayLike<number>): Scores {
  const units = unitsOf(text, setting);
  const alone = Float64Array.from(weights().says, (_, output) => sumOf(output, units));
  const sums = seen === undefined ? alone : joined(alone, seen, beside());
  const shares = sharesOf(sums, single, categories.length);
  const [category, categoryProbability] = likeliest(categories, shares);
  const [kind, kindProbability] = likeliest(textKinds, sharesOf(sums, single + categories.length, textKinds.length));
  const [worth, standing, change] = [logistic(sums[0]!), logistic(sums[1]!), logistic(sums[changeAt]!)];
  return { worth, standing, change, category, categoryProbability, shares, kind, kindProbability };
}

/** Reads a turn: its scores, and those of each of its sentences. The same text and setting always give the same. */
export function read(text: string, setting: Setting = {}): Reading {
  const { before, ...own } = setting;
  return {
    ...scoresOf(text, setting),
    // What a turn answers, its first sentence does.
    sentences: sentencesOf(text).map((sentence, at) => ({
      text: sentence,
      ...scoresOf(sentence, at === 0 ? setting : own),
    })),
  };
}

/**
 * Thresholds of {@link Scores}, chosen by leaving writers out; `data/scorers/README.md` says for what. With a scorer of turns those of worth and
 * standing are others.
 */
export const thresholds = (isSeen = false): Readonly<Record<string, number>> =>
  (isSeen ? beside() : weights()).thresholds;

/** So many characters make a short turn: it has little to be judged by, and needs less. The sets were counted so. */
export const shortTurn = 60;

/** Says what becomes of a turn that is worth so much: it is kept, kept as of little importance, or left where it was said. */
export function tierOf(text: string, worth: number, isSeen = false): 'kept' | 'minor' | 'left' {
  const { keep, low, short } = thresholds(isSeen);
  if (worth >= (text.trim().length < shortTurn ? short! : keep!)) return 'kept';
  return worth >= low! ? 'minor' : 'left';
}

// What words say and what a scorer of turns says (ports.ts), joined by logistic regression. scripts/train/scorers/beside.mjs makes its weights.

/** A probability is not surer than this, so that a scorer that is sure of all it says can be overruled. */
const doubt = 0.1;

/**
 * Lists what is weighed for an output. That is 1, what the scorers of words sum up for it and for worth, and the logits. Two forms of how surely it
 * is worth keeping come last. Other sums of words are left out: they fit the sets that were learned from, and keep twice as much of everyday chats.
 */
export function termsOf(own: number, worth: number, logits: ArrayLike<number>): number[] {
  const seen = 1 / (1 + Math.exp(-logits[0]!));
  const softened = Math.log((seen + doubt) / (1 - seen + doubt));
  return [1, own, worth, ...Array.from(logits), softened, Math.log(Math.max(seen, 1e-9))];
}

/** Gives the sums of both, worth first among them; what the scorer says nothing of stays as it is. */
export function joined(sums: Float64Array, logits: ArrayLike<number>, { weights }: Beside): Float64Array {
  const both = Float64Array.from(sums);
  for (const { at, row } of weights) {
    const terms = termsOf(sums[at]!, sums[0]!, logits);
    both[at] = row.reduce((sum, weight, nth) => sum + weight * terms[nth]!, 0);
  }
  return both;
}
