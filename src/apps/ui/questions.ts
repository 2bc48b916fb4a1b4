// Questions that a program asks for the page, each by its name `["verb",{input}]`: what a copy brings along, and what the first view needs.

import type { MemoryPart } from '../../memory/open-memory.ts';
import { toolContext } from '../tool-context.ts';
import { loadVerb } from '../verbs/index.ts';
import { runVerb } from '../verbs/verb.ts';

type Input = Record<string, unknown>;

/** Asks verbs of a memory as it is now: `ask` answers, `bring` keeps the answer, too, among `answers` by its question. */
export function questionsTo(memory: MemoryPart) {
  const context = toolContext(async () => memory, {});
  const answers: Record<string, unknown> = {};
  const ask = async <T>(verb: string, input: Input): Promise<T> =>
    (await runVerb((await loadVerb(verb))!, context, input)) as T;
  const bring = async <T>(verb: string, input: Input): Promise<T> => {
    const answer = await ask<T>(verb, input);
    answers[JSON.stringify([verb, input])] = answer;
    return answer;
  };
  return { answers, ask, bring };
}
