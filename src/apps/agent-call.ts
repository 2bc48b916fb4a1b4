// A call that a framework makes for an agent, where no table of tools stands between.

import { z } from 'zod';
import { MemoryError } from '../base/errors.ts';
import { asAgent } from '../store/guard/agent-door.ts';
import { asMeant } from './as-meant.ts';
import { errorInToolWords } from './tool-words.ts';

/** Makes a call for an agent that has none of our tools. It changes only what an agent may; an error's advice is for a person to follow. */
export async function agentCall<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await asAgent(call);
  } catch (error) {
    throw error instanceof MemoryError ? errorInToolWords(error, new Map()) : error;
  }
}

/** Gives options as they were meant, by the fields that matter; what is wrong with them is for whoever uses them to say. */
export function optionsAsMeant<Options>(
  fields: z.ZodRawShape,
  given: Options,
  asWritten: Readonly<Record<string, string | null>> = {},
): Options {
  return asMeant(z.object(fields), given, asWritten) as Options;
}
