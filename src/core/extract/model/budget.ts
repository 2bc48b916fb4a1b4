// What questions to a model may take, in one run and in one day, and what they took.

import { defined, MemoryError } from '../../../base/errors.ts';
import type { TextModel, TokenUsage } from '../../../base/ports.ts';
import { estimateTokens } from '../../../base/token-estimate.ts';

/** Calls and tokens, in and out together. */
export interface Allowance {
  readonly calls: number;
  readonly tokens: number;
}

/** Knows what all processes took on a day, and notes more. */
export interface DayMeter {
  today(): Allowance;
  add(usage: TokenUsage): void;
}

/** What a run took. */
export interface ModelUse {
  readonly calls: number;
  readonly input: number;
  readonly output: number;
  /** Whether the provider did not tell and the tokens were estimated. */
  readonly isEstimated: boolean;
}

/** Holds one run to its limits and the day to its. */
export class Budget {
  private readonly run: Allowance;
  private readonly day: Allowance;
  private readonly meter: DayMeter;
  private calls = 0;
  private input = 0;
  private output = 0;
  private isEstimated = false;
  /** Tokens of questions that are under way. */
  private reserved = 0;
  private underWay = 0;

  constructor(limits: { readonly run: Allowance; readonly day: Allowance }, meter: DayMeter) {
    this.run = limits.run;
    this.day = limits.day;
    this.meter = meter;
  }

  /** Asks for leave for one question of so many tokens, answer included. Throws QUOTA. */
  reserve(tokens: number): void {
    const today = this.meter.today();
    const calls = this.underWay + 1;
    const wanted = this.reserved + tokens;
    const spent = this.input + this.output;
    if (this.calls + calls > this.run.calls) throw spentUp(`${this.run.calls} questions of this run`, 'run_calls');
    if (spent + wanted > this.run.tokens) throw spentUp(`${this.run.tokens} tokens of this run`, 'run_tokens');
    if (today.calls + calls > this.day.calls) throw spentUp(`${this.day.calls} questions of this day`, 'day_calls');
    if (today.tokens + wanted > this.day.tokens) throw spentUp(`${this.day.tokens} tokens of this day`, 'day_tokens');
    this.reserved += tokens;
    this.underWay += 1;
  }

  /** Ends what was reserved; `usage` is null when the question was not answered, which costs nothing. */
  settle(tokens: number, usage: TokenUsage | null, isEstimated = false): void {
    this.reserved -= tokens;
    this.underWay -= 1;
    if (usage === null) return;
    this.calls += 1;
    this.input += usage.input;
    this.output += usage.output;
    this.isEstimated ||= isEstimated;
    this.meter.add(usage);
  }

  use(): ModelUse {
    const { calls, input, output, isEstimated } = this;
    return { calls, input, output, isEstimated };
  }
}

/** A question whose answer is JSON; `inWords` says the schema to a model that takes none. */
interface JsonQuestion {
  readonly name: string;
  readonly system: string;
  readonly inWords: string;
  readonly prompt: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly maxOutputTokens: number;
  readonly signal?: AbortSignal | undefined;
}

/** Asks a model within a budget, and tells whether the answer is cut. Throws QUOTA, and what the model throws. */
export async function askWithin(budget: Budget, model: TextModel, question: JsonQuestion) {
  const { name, inWords, prompt, schema, maxOutputTokens, signal } = question;
  const system = model.shape === undefined ? `${question.system}\n\n${inWords}` : question.system;
  const given = estimateTokens(system) + estimateTokens(prompt);
  budget.reserve(given + maxOutputTokens);
  let usage: TokenUsage | null = null;
  let isEstimated = false;
  try {
    const common = { system, prompt, ...defined({ signal }) };
    const answer =
      model.shape === undefined
        ? { text: await model.complete(common) }
        : await model.shape({ ...common, schema, name, maxOutputTokens });
    const text = typeof answer.text === 'string' ? answer.text : '';
    isEstimated = answer.usage === undefined;
    usage = answer.usage ?? { input: given, output: estimateTokens(text) };
    return { text, isCut: answer.isCut === true };
  } finally {
    budget.settle(given + maxOutputTokens, usage, isEstimated);
  }
}

function spentUp(what: string, key: string): MemoryError {
  return new MemoryError('QUOTA', `the ${what} are used up`, {
    where: `extract.model.${key}`,
    hint: 'What was answered is kept; go on later, or raise the limit in memory.yaml',
  });
}
