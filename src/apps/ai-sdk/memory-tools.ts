// The memory as tools of the AI SDK (ai-sdk.dev): the same table of verbs as the protocol server, without a server between.

import { z } from 'zod';
import type { MemoryPart } from '../../memory/open-memory.ts';
import { asAgent } from '../../store/guard/agent-door.ts';
import { callTool, failureAnswer } from '../tool-answers.ts';
import type { ToolSet } from '../tool-sets.ts';
import { toolsOf } from '../tools.ts';

export type { ToolSet } from '../tool-sets.ts';

/** Settings of {@link memoryTools}. */
export interface MemoryToolsOptions {
  /** `everyday` (default): eleven tools for every day; `all`: also what writes knowledge files, maintains, compares and reorganises. */
  readonly tools?: Exclude<ToolSet, 'chatgpt' | 'reference'>;
  /** Only what writes nothing. */
  readonly readOnly?: boolean;
}

/** A tool in the form that `generateText` and `streamText` take (ai 5 and later). */
export interface AgentTool {
  readonly description: string;
  /** Describes the fields and refuses nothing: what models write otherwise is read, and what is wrong is said in words they can use. */
  readonly inputSchema: z.ZodType;
  /** Gives text for the model. Throws what the model should know: a code, what was wrong, and which tool helps. */
  execute(input: unknown, options?: { readonly abortSignal?: AbortSignal | undefined }): Promise<string>;
}

/**
 * Makes the tools of a memory, by name: `memory_search`, `memory_add`, …
 *
 * ```js
 * const { text } = await generateText({ model, prompt, tools: await memoryTools(memory), stopWhen: stepCountIs(5) });
 * ```
 *
 * What is written joins the batch and is durable at once. No tool reads files of the machine.
 */
export async function memoryTools(
  memory: MemoryPart,
  { tools: set = 'everyday', readOnly = false }: MemoryToolsOptions = {},
): Promise<Record<string, AgentTool>> {
  const tools = await toolsOf(set, readOnly);
  const made = tools.map((tool): [string, AgentTool] => {
    const execute: AgentTool['execute'] = async (input, { abortSignal: signal } = {}) => {
      const call = () => callTool(tool, async () => memory, input, signal === undefined ? {} : { signal });
      const answer = await asAgent(call).catch((error: unknown) => failureAnswer(error, tool.tools));
      if (answer.isError) throw new Error(answer.text);
      return answer.text;
    };
    const inputSchema = z.unknown().meta(z.toJSONSchema(tool.input, { io: 'input' }));
    return [tool.entry.name, { description: tool.description, inputSchema, execute }];
  });
  return Object.fromEntries(made);
}
