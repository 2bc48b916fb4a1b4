// What an extraction by a model will take, told before anybody pays: how many questions, and how many tokens.

import { estimateTokens } from '../../base/token-estimate.ts';
import type { ExtractEstimate } from '../../base/types.ts';
import { logOf } from '../../history/index.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import { dayOfNote } from '../../store/records/daily-note.ts';
import { capturesOf } from '../capture/daily-note.ts';
import { memoryCache } from './model/cache-key.ts';
import { instructions } from './model/prompt.ts';
import { windowsOf } from './model/windows.ts';
import { parseCapture } from './plan-transcript.ts';

/** What counts of the settings. */
export interface EstimateSettings {
  readonly windowTokens: number;
  readonly timeZone: string;
  /** What a million tokens of the model cost, where memory.yaml says it. */
  readonly price?: { readonly input: number; readonly output: number } | undefined;
  /** What is to be read; default: what no model has read yet. */
  readonly from?: string | readonly string[] | undefined;
}

/** Of an answer, as measured: fifty short conversations had 280 each. */
const answerTokens = 300;
/** Of the claims that are shown beside a window. */
const claimTokens = 250;

/**
 * Estimates what reading takes: the windows of each conversation, with the instructions before each. An answer that is kept from before costs
 * nothing, and is counted nevertheless.
 *
 * It is the one place that knows how conversations become questions, beside the reading itself.
 */
export function estimate(store: BranchStore, settings: EstimateSettings): ExtractEstimate {
  const { windowTokens, timeZone, price, from } = settings;
  const snapshot = store.snapshot();
  const paths = from === undefined ? unread(store) : named(capturesOf(snapshot), [from].flat());
  const system = estimateTokens(instructions) + claimTokens;
  let [requests, input] = [0, 0];
  for (const path of paths) {
    const text = snapshot.textIfWhole(path);
    if (text === null) continue;
    const windows = windowsOf(parseCapture(text, path, timeZone), { windowTokens, cache: memoryCache(), seed: '' });
    requests += windows.length;
    for (const { text: shown } of windows) input += system + estimateTokens(shown);
  }
  const output = requests * answerTokens;
  const cost = price === undefined ? null : (input * price.input + output * price.output) / 1e6;
  return { conversations: paths.length, requests, tokens: input + output, cost };
}

/** Captures that no model has read; a daily note that has grown is read again, and counts as new. */
function unread(store: BranchStore): string[] {
  const snapshot = store.snapshot();
  const seen = new Set<string>();
  const { commits } = logOf(store.repository, snapshot.commit, {
    text: 'Extractor: model',
    limit: Number.POSITIVE_INFINITY,
  });
  for (const { trailers } of commits) {
    if (trailers.every(({ key, value }) => key !== 'Extractor' || !value.startsWith('model'))) continue;
    for (const { key, value } of trailers) if (key === 'Session' && dayOfNote(value) === null) seen.add(value);
  }
  return capturesOf(snapshot).filter((path) => !seen.has(path));
}

function named(paths: readonly string[], wanted: readonly string[]): string[] {
  return paths.filter((path) => wanted.some((one) => path === one || path.split('/').at(-1)!.includes(one)));
}
