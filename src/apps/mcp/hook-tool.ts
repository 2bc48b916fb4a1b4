// The tool by which a client asks for its hooks: the server that runs answers in milliseconds, where a process of its own takes hundreds.

import { z } from 'zod';
import { answerTo } from '../hook/answer.ts';
import { eventOf } from '../hook/event.ts';
import { hookTool } from '../plug/clients.ts';
import type { MemoryHost } from './host.ts';
import type { ToolDefinition } from './register.ts';

const input = z.strictObject({
  event: z.string(),
  session: z.string().exactOptional(),
  path: z.string().exactOptional(),
  command: z.string().exactOptional(),
  prompt: z.string().exactOptional(),
  error: z.unknown(),
});

/** Makes the tool. It fails never, and its text is what the hook would have printed: JSON, or nothing. */
export function toolForHooks(host: MemoryHost): ToolDefinition {
  return {
    name: hookTool,
    title: 'Answer a hook',
    kind: 'ask',
    isBrief: true,
    description: 'For hooks of the client, which call it by themselves. A model has no use for it.',
    input,
    output: z.object({}),
    async run(given) {
      const { event, session, path, command, prompt, error } = Object(given) as Readonly<Record<string, unknown>>;
      const told = eventOf({
        ...{
          hook_event_name: event,
          session_id: session,
          prompt,
          error: typeof error === 'string' ? error : undefined,
        },
        ...{ tool_input: { file_path: path, command }, tool_response: error },
      });
      const { answer } = told === undefined ? {} : await answerTo(told, () => host.known());
      return { text: answer === undefined ? '' : JSON.stringify(answer), data: { ...answer }, isError: false };
    },
  };
}
