// The gate: whether a topic that watchers found becomes active (spec 5 §5). A table decides what need not be asked; what it leaves open is
// asked of a model, or of a rule where there is none.

import { MemoryError } from '../../../base/errors.ts';
import { gate } from '../../../base/generated/prompts.ts';
import { sha256Hex } from '../../../base/hash.ts';
import type { TextModel, TokenUsage } from '../../../base/ports.ts';
import { oneLine } from '../../../base/text.ts';
import { estimateTokens } from '../../../base/token-estimate.ts';
import type { GateVerdict } from '../../../base/types.ts';
import type { TopicFile } from '../../../store/records/topic-file.ts';

/** Likeness from which a topic of a priority needs no gate (`high`), or is worth asking it about (spec 5 §5.4). */
const leastLikeness = { critical: 0, high: 0.3, medium: 0.2, low: 0.3 };
/** Without a model the gate opens from this confidence on. */
const ruleConfidence = 0.6;
/** Answers of models that a process keeps. */
const keptAnswers = 1000;

/** The likeness that a gated topic needs where a pattern has found it; it may say so itself. */
export const leastLikenessOf = ({ priority, similarityThreshold }: Gated): number =>
  similarityThreshold ?? leastLikeness[priority];

type Gated = Pick<TopicFile, 'priority' | 'similarityThreshold'>;

/** What the table says of a gated topic. */
export type GateRoute = 'open' | 'ask' | 'drop';

/**
 * Says what becomes of a gated topic without asking: spec 5 §5.4.
 *
 * ```
 * priority  tier 1  score            a topic that a pattern or an event found
 * critical  yes     any      open    … of `similarity_threshold`, if it has one, in place of these numbers
 * high      yes     ≥ 0.3    open    else ask
 * medium    yes     ≥ 0.2    ask     else drop
 * low       yes     ≥ 0.3    ask     else drop
 * any       no      tier 2   ask     found by its likeness alone
 * ```
 *
 * `score` is null where there are no words to compare: a schedule struck, and what is exact is not doubted for that.
 */
export function routeOf(file: Gated, tier1: boolean, score: number | null): GateRoute {
  const { priority } = file;
  if (!tier1) return 'ask';
  if (priority === 'critical') return 'open';
  const isAlike = score === null || score >= leastLikenessOf(file);
  if (priority === 'high') return isAlike ? 'open' : 'ask';
  return isAlike ? 'ask' : 'drop';
}

export interface GateQuestion {
  readonly file: TopicFile;
  readonly oid: string;
  readonly message: string;
  /** Of all evidence together, 0 to 1. */
  readonly confidence: number;
}

/** What the gate asks: a model, or the rule. */
export interface GateJudge {
  readonly model: TextModel | null;
  /** Notes what a question took, by estimate. */
  spend?(usage: TokenUsage): Promise<void>;
  /** Why it is not the model that was wanted. */
  readonly note?: string;
  readonly cache: GateCache;
  readonly maxTokens: number;
  /** How long the model may take; then the rule decides. */
  readonly waitMs: number;
}

/** So much of a message and of a description is shown. */
const shownMessage = 500;
const shownDescription = 200;

/** Asks the gate. A model that fails, or takes too long, is as good as none: the rule decides, and the verdict says why. */
export async function askGate(question: GateQuestion, judge: GateJudge, signal?: AbortSignal): Promise<GateVerdict> {
  const byRule = (note: string | undefined): GateVerdict => ({
    isOpen: question.confidence >= ruleConfidence - 1e-9,
    judge: 'rule',
    ...(note === undefined ? {} : { note }),
  });
  const { model } = judge;
  if (model === null) return byRule(judge.note);
  const key = `${model.name} ${question.oid} ${messageHash(question.message)}`;
  const known = judge.cache.get(key);
  if (known !== undefined) return { isOpen: known, judge: model.name, isCached: true };
  const patience = AbortSignal.timeout(judge.waitMs);
  try {
    const answer = await model.complete({
      system: gate.text,
      prompt: promptOf(question),
      maxOutputTokens: judge.maxTokens,
      signal: signal === undefined ? patience : AbortSignal.any([patience, signal]),
    });
    await judge.spend?.({
      input: estimateTokens(gate.text) + estimateTokens(promptOf(question)),
      output: estimateTokens(String(answer)),
    });
    const isOpen = /^\W*(yes|no)\b/i.exec(typeof answer === 'string' ? answer : '')?.[1]?.toLowerCase();
    if (isOpen === undefined) return byRule(`${model.name} answered neither YES nor NO`);
    judge.cache.put(key, isOpen === 'yes');
    return { isOpen: isOpen === 'yes', judge: model.name };
  } catch (error) {
    signal?.throwIfAborted();
    if (patience.aborted) return byRule(`${model.name} took longer than ${judge.waitMs} ms`);
    if (!(error instanceof Error)) throw error;
    return byRule(error instanceof MemoryError ? error.what : oneLine(`${model.name}: ${error.message}`, 200));
  }
}

/** Names a message in the log and the cache of the gate: of what it is shown. */
export const messageHash = (message: string): string => sha256Hex(message.slice(0, shownMessage)).slice(0, 16);

function promptOf({ file, message }: GateQuestion): string {
  // Quoted, so that no message can end its own part.
  return [
    'Given this message and topic, should the topic activate?',
    `Message: ${JSON.stringify(message.slice(0, shownMessage))}`,
    `Topic: ${oneLine(file.name, 100)}`,
    `Description: ${JSON.stringify(file.description.slice(0, shownDescription))}`,
    'Answer with exactly one word: YES or NO.',
  ].join('\n\n');
}

/** What models said, the least lately used first. */
export class GateCache {
  private readonly answers = new Map<string, boolean>();

  get(key: string): boolean | undefined {
    const answer = this.answers.get(key);
    if (answer !== undefined) {
      this.answers.delete(key);
      this.answers.set(key, answer);
    }
    return answer;
  }

  put(key: string, answer: boolean): void {
    this.answers.delete(key);
    while (this.answers.size >= keptAnswers) this.answers.delete(this.answers.keys().next().value!);
    this.answers.set(key, answer);
  }
}
