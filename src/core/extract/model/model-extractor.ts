// The extractor that a language model reads for. It proposes items; ids, paths, places and what becomes of what is there are decided
// elsewhere, and who is believed is trust.ts.

import { MemoryError } from '../../../base/errors.ts';
import type { TextModel, TokenUsage } from '../../../base/ports.ts';
import { oneLine } from '../../../base/text.ts';
import { estimateTokens } from '../../../base/token-estimate.ts';
import type { Transcript } from '../../../base/types/stored-types.ts';
import type { ExtractedItem, Extraction, ExtractionContext, Extractor, KnownClaim } from '../extractor.ts';
import { type AnsweredItem, answerSchema, inWords, readAnswer } from './answer.ts';
import type { Budget } from './budget.ts';
import { type AnswerCache, canonicalHash } from './cache-key.ts';
import { namesThere, ungrounded } from './grounding.ts';
import { instructions, promptVersion, repairOf } from './prompt.ts';
import { type Window, windowsOf } from './windows.ts';

/** What the extractor works with. */
export interface ModelExtractorDependencies {
  readonly model: TextModel;
  readonly cache: AnswerCache;
  readonly budget: Budget;
  readonly windowTokens: number;
  readonly outputTokens: number;
  /** Questions at the same time. */
  readonly parallel: number;
}

/** An extractor that says how its questions went. */
export interface ModelExtractor extends Extractor {
  readonly model: string;
  /** Windows so far: asked, answered from what was kept, and given up. */
  tally(): { readonly asked: number; readonly kept: number; readonly failed: number };
}

/** What trailers call it, whichever model reads: another model alone is no reason to read everything again. */
export const modelIdentity = { name: 'model', version: promptVersion } as const;

type Dropped = NonNullable<Extraction['dropped']>[number];
/** A claim that was shown beside a window. */
type Shown = Pick<KnownClaim, 'id' | 'statement'>;
type Found = { readonly items: readonly ExtractedItem[]; readonly dropped: readonly Dropped[] };

const maxProblem = 200;

/**
 * Makes the extractor of a model.
 *
 * It asks about windows of the conversation, several at a time, and once more where it cannot read the answer. A window whose second answer
 * is of no use either is given up and named. Answers are kept by window, model and version of the instructions, so that a run that
 * is killed pays for nothing twice.
 *
 * `extract` throws MODEL_UNAVAILABLE when the model cannot be asked, and MODEL_FAILED when it answered no window of the conversation. It
 * throws QUOTA when the budget is used up. The answers so far are kept.
 */
export function modelExtractor(dependencies: ModelExtractorDependencies): ModelExtractor {
  const { model, windowTokens, cache } = dependencies;
  const seed = `${promptVersion}\n${model.name}`;
  const counts = { asked: 0, kept: 0, failed: 0 };

  async function read(window: Window, transcript: Transcript, context: ExtractionContext): Promise<Found> {
    const { answer: answered, shown } = await answerOf(window, transcript, context);
    const { timeZone = 'UTC', minConfidence = 0 } = context;
    const ground = { transcript, first: window.first, last: window.last, timeZone };
    const items: ExtractedItem[] = [];
    const dropped: Dropped[] = answered.rejected.map((why) => ({ content: turnsOf(window), why }));
    for (const item of answered.items) {
      const replaced = shown.filter((_, at) => item.replaces.includes(handleOf(at)));
      const why = ungrounded(item, { ...ground, replaced: replaced.map(({ statement }) => statement) });
      if (why !== undefined) dropped.push({ content: item.content, why });
      else if (item.confidence >= minConfidence) items.push(extracted(item, transcript, replaced));
    }
    return { items, dropped };
  }

  /** Answers a window, and tells which claims the answer was given beside. */
  async function answerOf(window: Window, transcript: Transcript, { known, signal }: ExtractionContext) {
    const { started, topic } = transcript;
    const words = topic === undefined ? window.text : `About: ${topic}\n\n${window.text}`;
    // What was read once is not asked again because of claims that came since, its own among them.
    const key = canonicalHash(['answer', seed, dependencies.outputTokens, started, words]);
    const kept = cache.get(key);
    if (kept !== undefined) {
      const end = kept.indexOf('\n');
      const answer = readAnswer(kept.slice(end + 1), true);
      if (!('problem' in answer)) {
        counts.kept += 1;
        return { answer, shown: JSON.parse(kept.slice(0, end)) as Shown[] };
      }
    }
    const claims = known?.(window.text).slice(0, maxKnown) ?? [];
    const lines = claims.map(({ day, statement }, at) => `${handleOf(at)} ${day} ${oneLine(statement, 300)}`);
    const prompt = lines.length === 0 ? words : `Known claims:\n${lines.join('\n')}\n\n${words}`;
    const shown: Shown[] = claims.map(({ id, statement }) => ({ id, statement }));
    counts.asked += 1;
    const first = await ask(prompt, signal);
    let answer = readAnswer(first.text, first.isCut);
    let text = first.text;
    if ('problem' in answer) {
      const second = await ask(repairOf(prompt, first.text, answer.problem), signal);
      answer = readAnswer(second.text, second.isCut);
      text = second.text;
    }
    if ('problem' in answer) throw new MemoryError('MODEL_FAILED', `its answer cannot be used: ${answer.problem}`);
    cache.put(key, `${JSON.stringify(shown)}\n${text}`);
    window.settle();
    return { answer, shown };
  }

  async function ask(prompt: string, signal: AbortSignal | undefined): Promise<{ text: string; isCut: boolean }> {
    const { budget, outputTokens } = dependencies;
    const system = model.shape === undefined ? `${instructions}\n\n${inWords(answerSchema)}` : instructions;
    const given = estimateTokens(system) + estimateTokens(prompt);
    const most = given + outputTokens;
    budget.reserve(most);
    let usage: TokenUsage | null = null;
    let isEstimated = false;
    try {
      const common = { system, prompt, ...(signal === undefined ? {} : { signal }) };
      const answer =
        model.shape === undefined
          ? { text: await model.complete(common) }
          : await model.shape({ ...common, schema: answerSchema, name: 'memories', maxOutputTokens: outputTokens });
      const text = typeof answer.text === 'string' ? answer.text : '';
      isEstimated = answer.usage === undefined;
      usage = answer.usage ?? { input: given, output: estimateTokens(text) };
      return { text, isCut: answer.isCut === true };
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof MemoryError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      const what = `${model.name} cannot be asked: ${reason.slice(0, maxProblem)}`;
      throw new MemoryError('MODEL_UNAVAILABLE', what, { where: model.name, cause: error });
    } finally {
      budget.settle(most, usage, isEstimated);
    }
  }

  return {
    ...modelIdentity,
    model: model.name,
    tally: () => ({ ...counts }),
    async extract(transcript, context) {
      const windows = windowsOf(transcript, { windowTokens, cache, seed });
      const failures: unknown[] = [];
      const found = await eachInTurn(windows, dependencies.parallel, async (window): Promise<Found> => {
        context.signal?.throwIfAborted();
        try {
          return await read(window, transcript, context);
        } catch (error) {
          if (!(error instanceof MemoryError) || error.code !== 'MODEL_FAILED') throw error;
          failures.push(error);
          counts.failed += 1;
          return { items: [], dropped: [{ content: turnsOf(window), why: error.what }] };
        }
      });
      if (failures.length > 0 && failures.length === windows.length) throw failures[0];
      const items = surest(
        found.flatMap((part) => part.items),
        context.maxItems ?? 200,
      );
      return { items, dropped: found.flatMap(({ dropped }) => dropped) };
    },
  };
}

function turnsOf({ first, last }: Window): string {
  return first === last ? `turn ${first}` : `turns ${first} to ${last}`;
}

/** So many claims that are known are shown beside a window, the likeliest first. */
const maxKnown = 16;

/** Claims are shown by short handles: an id that nobody was shown cannot be named. */
const handleOf = (at: number): string => `k${at + 1}`;

function extracted(item: AnsweredItem, transcript: Transcript, replaced: readonly Shown[]): ExtractedItem {
  const { due, tags, replaces: _, ...rest } = item;
  const isDue = due !== undefined && item.category === 'commitment';
  return {
    ...rest,
    // A model words what it keeps, so that it can be understood alone.
    statement: item.content,
    role: transcript.turns[item.turns[0]! - 1]!.role,
    entities: namesThere(item, transcript),
    tags: isDue ? [...tags, 'deadline'] : tags,
    ...(isDue ? { due } : {}),
    replaces: replaced.map(({ id }) => id),
  };
}

function surest(items: readonly ExtractedItem[], most: number): readonly ExtractedItem[] {
  if (items.length <= most) return items;
  const kept = new Set([...items].sort((one, other) => other.confidence - one.confidence).slice(0, most));
  return items.filter((item) => kept.has(item));
}

/** Works through a list, some at a time, and gives the results in its order; after a failure nothing new is begun. */
async function eachInTurn<T, R>(list: readonly T[], parallel: number, work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = new Array(list.length);
  let next = 0;
  let hasFailed = false;
  const worker = async (): Promise<void> => {
    while (next < list.length && !hasFailed) {
      const at = next++;
      try {
        results[at] = await work(list[at]!);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: Math.min(parallel, list.length) }, worker));
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
  return results;
}
