// What an extraction by a model will take, told before anybody pays: how many questions, and how many tokens.

import { estimateTokens } from '../../base/token-estimate.ts';
import type { ExtractEstimate } from '../../base/types.ts';
import { logOf } from '../../history/index.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import { dayOfNote } from '../../store/records/daily-note.ts';
import { capturesOf } from '../capture/daily-note.ts';
import { memoryCache } from './model/cache-key.ts';
import { instructions } from './model/contract.ts';
import { claimTokens, requestsOf } from './model/request.ts';
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

/** What a turn takes of an answer, and a claim of what is shown, as measured: 160 turns, and up to 130 claims beside them. */
const tokensOfTurn = 90;
const tokensOfClaim = 35;

/**
 * Estimates what reading takes: the requests as they are made, each with the instructions and the claims that are known. An answer that is kept from
 * before costs nothing, and is counted nevertheless.
 */
export function estimate(store: BranchStore, settings: EstimateSettings): ExtractEstimate {
  const { windowTokens, timeZone, price, from } = settings;
  const snapshot = store.snapshot();
  const paths = from === undefined ? unread(store) : named(capturesOf(snapshot), [from].flat());
  const cutting = { windowTokens, timeZone, cache: memoryCache(), seed: '' };
  const conversations = paths.flatMap((path) => {
    const text = snapshot.textIfWhole(path);
    return text === null ? [] : [windowsOf(parseCapture(text, path, timeZone), cutting)];
  });
  const requests = requestsOf(conversations, windowTokens);
  const system = estimateTokens(instructions);
  let known = snapshot.list('memories/').size;
  let [input, output] = [0, 0];
  for (const windows of requests) {
    const turns = windows.reduce((sum, { pieces }) => sum + pieces.length, 0);
    const shown = Math.min(claimTokens, known * tokensOfClaim);
    input += system + shown + windows.reduce((sum, { tokens }) => sum + tokens, 0);
    output += turns * tokensOfTurn;
    known += turns;
  }
  const cost = price === undefined ? null : (input * price.input + output * price.output) / 1e6;
  return { conversations: paths.length, requests: requests.length, tokens: input + output, cost };
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

const named = (paths: readonly string[], wanted: readonly string[]): string[] =>
  paths.filter((path) => wanted.some((one) => path === one || path.split('/').at(-1)!.includes(one)));
