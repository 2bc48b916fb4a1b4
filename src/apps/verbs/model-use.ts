// The choice of a language model that reads, for good: it is tried with one conversation of the memory at hand before it is set.

import { chooseUserModel, userReader } from '../../adapters/user-model.ts';
import { count, grouped } from '../../base/count.ts';
import { defined, MemoryError } from '../../base/errors.ts';
import { estimateTokens } from '../../base/token-estimate.ts';
import type { ExtractResult } from '../../base/types.ts';
import type { Memory } from '../../memory/open-memory.ts';
import { ConfigurationReader } from '../../store/configuration-reader.ts';
import { hang, type Style } from './style.ts';
import type { RunContext } from './verb.ts';

/** What a model showed, and that it reads from now on. */
export interface UsedModel {
  /** The language model that reads; null for the rules. */
  readonly reader: string | null;
  /** What read before. */
  readonly instead: string | null;
  readonly trial?: Trial;
}

/** What a model would have kept of one conversation, and what that took. */
export interface Trial {
  /** Null where no conversation is here: it was asked whether it answers. */
  readonly path: string | null;
  readonly kept: readonly { readonly category?: string; readonly content: string }[];
  /** What it found that is known, or was not believed. */
  readonly others: number;
  readonly seconds: number;
  readonly requests: number;
  readonly tokens: number;
  readonly isEstimated?: boolean;
  /** In US dollars, where the model tells it. */
  readonly costUsd?: number;
}

/** So many of the newest conversations are looked at for one that a single question holds. */
const mostLookedAt = 50;
const mostShown = 8;
const question = { system: 'Answer with the one word OK.', prompt: 'Are you there?' };

/** Takes the choice back, or tries a model and sets it. Throws what the model says, and then sets nothing. */
export async function useModel(context: RunContext, name: string): Promise<UsedModel> {
  const instead = userReader() ?? null;
  if (name === 'none') {
    chooseUserModel(null, 'reading');
    return { reader: null, instead };
  }
  const memory = await context.whole().catch((error: unknown) => {
    if (error instanceof MemoryError && ['NOT_A_REPOSITORY', 'NOT_A_MEMORY'].includes(error.code)) return undefined;
    throw error;
  });
  const path = memory === undefined ? undefined : shortOf(memory);
  context.onProgress({ what: `Asking ${name}`, done: 0, total: 1 });
  const started = performance.now();
  const seconds = (): number => Math.round((performance.now() - started) / 100) / 10;
  const trial =
    memory === undefined || path === undefined
      ? await asked(name, seconds)
      : trialOf(path, name, await memory.extract({ from: path, model: name, dryRun: true }), seconds());
  chooseUserModel(name, 'reading');
  return { reader: name, instead, trial };
}

/** Finds the newest conversation that one question holds, else the shortest of the newest. */
function shortOf(memory: Memory): string | undefined {
  const snapshot = memory.store.snapshot(true);
  const { windowTokens: window } = new ConfigurationReader().of(snapshot).extract.model;
  const newest = [...snapshot.list('raw/conversations/').keys()].sort().reverse().slice(0, mostLookedAt);
  const sizes = newest.map((path) => ({ path, tokens: estimateTokens(snapshot.textIfWhole(path) ?? '') }));
  return (sizes.find(({ tokens }) => tokens <= window) ?? sizes.sort((a, b) => a.tokens - b.tokens)[0])?.path;
}

/** Without a conversation there is nothing to keep; whether it answers shows nevertheless. */
async function asked(name: string, seconds: () => number): Promise<Trial> {
  const { languageModel } = await import('../../adapters/language-model.ts');
  const model = await languageModel({ model: name });
  const answer = await model.complete(question);
  const tokens = estimateTokens(`${question.system}${question.prompt}${answer}`);
  return { path: null, kept: [], others: 0, seconds: seconds(), requests: 1, tokens, isEstimated: true };
}

function trialOf(path: string, name: string, result: ExtractResult, seconds: number): Trial {
  const { model, transcripts, notes = [] } = result;
  const failed =
    model === undefined || model.windows.failed > 0 || transcripts.some(({ extractor }) => extractor !== undefined);
  if (failed) {
    throw new MemoryError('MODEL_FAILED', `${name} did not read ${path}: ${notes.join('; ') || 'no answer of use'}`, {
      where: name,
      hint: 'It was not set; try it again, or choose another',
    });
  }
  const { calls, inputTokens, outputTokens, isEstimated, costUsd } = model;
  return {
    path,
    kept: transcripts.flatMap(({ created }) =>
      created.map(({ category, content }) => ({ ...defined({ category }), content })),
    ),
    others: transcripts.reduce((sum, { updated, skipped }) => sum + updated.length + skipped.length, 0),
    seconds,
    requests: calls,
    tokens: inputTokens + outputTokens,
    ...defined({ isEstimated: isEstimated || undefined, costUsd }),
  };
}

/** Renders the choice for people. */
export function describeUsed({ reader, instead, trial }: UsedModel, style: Style): string {
  if (reader === null)
    return `The rules read from now on${instead === null ? ', as before' : `, and no longer ${instead}`}.`;
  const lines = trial === undefined ? [] : describeTrial(trial, style);
  const before = instead === null || instead === reader ? '' : `, and no longer ${instead}`;
  lines.push(`${style.good(reader)} reads your conversations from now on${before}.`);
  lines.push(...hang('', 'Take it back with: git memory model use none', style, 0));
  return lines.join('\n');
}

function describeTrial(
  { path, kept, others, seconds, requests, tokens, isEstimated, costUsd }: Trial,
  style: Style,
): string[] {
  const about = isEstimated === true ? 'about ' : '';
  const price = costUsd === undefined ? '' : `, for $${costUsd.toPrecision(2)}`;
  const took = `${seconds} s, ${count(requests, 'question')}, ${about}${grouped(tokens)} tokens${price}`;
  if (path === null) return [`It answers: ${took}. No conversation is here to try it with.`];
  const shown = kept
    .slice(0, mostShown)
    .flatMap(({ category = 'memory', content }) => hang(`  + ${category}`, content, style, 17, 2));
  const more = kept.length - mostShown;
  const doubtful = others === 0 ? '' : `, and found ${others} more that are known or in doubt`;
  return [
    `${style.strong(path)}: it would have kept ${count(kept.length, 'memory', 'memories')}${doubtful}`,
    ...shown,
    ...(more > 0 ? [`  … and ${more} more`] : []),
    `It took ${took}${requests === 0 ? '; the answer was kept from before' : ''}.`,
  ];
}
