// The verb that a coding agent's program calls by itself: it keeps the session, and tells the agent what seems worth keeping beyond it.

import { z } from 'zod';
import { isInside } from '../../adapters/inside.ts';
import { isJsonObject } from '../../base/canonical-json.ts';
import { defineVerb, type RunContext } from './verb.ts';

/** Said in place of a command line's answer; nothing where there is nothing to say. */
interface HookOutput {
  /** How many turns were kept; absent where the event is none that anything is kept of. */
  readonly kept?: number;
  /** For the program that called, in its own form. */
  readonly answer?: object;
}

/** The agent pays no more tokens for one answer. */
const askedTokens = 300;
export const hook = defineVerb({
  name: 'hook',
  summary: 'Keep the session of a coding agent',
  help:
    'Hook reads the event of a hook of Claude Code as JSON from standard input. At Stop, SubagentStop and SessionEnd it keeps what is new of ' +
    'the session as a conversation; SessionEnd ends and commits it. At Stop it tells the agent, once for each of its turns and in 300 tokens, ' +
    'which words seem worth keeping or to change what is known. The agent answers by memory_add. Other events, and folders without a memory, ' +
    'get no answer. It never fails: what goes wrong stops no agent.',
  input: z.strictObject({
    event: z.string().exactOptional().describe('the event as JSON; read from standard input if left out'),
  }),
  positional: ['event'],
  flags: { writes: 'now' },
  example: {
    command: `git memory hook '{"hook_event_name": "Stop", "transcript_path": "session.jsonl"}'`,
    shows: 'what the agent is told, as JSON; nothing where nothing is new',
  },
  async run(context, { event }): Promise<HookOutput> {
    // Whatever a model of ours started has hooks, too: what it does is no session of a person.
    if (isInside()) return {};
    try {
      const given: unknown = JSON.parse(event ?? (await context.readInput('-')));
      return isJsonObject(given) ? await heard(context, given) : {};
    } catch {
      // A person sees every failure of a hook, in the midst of something else.
      return {};
    }
  },
  text: ({ answer }) => (answer === undefined ? '' : JSON.stringify(answer)),
});

async function heard(context: RunContext, event: Readonly<Record<string, unknown>>): Promise<HookOutput> {
  const { hook_event_name: name, transcript_path: file } = event;
  if (typeof file !== 'string' || !['Stop', 'SubagentStop', 'SessionEnd'].includes(String(name))) return {};
  const { sessionPath, takesContext } = await import('../../adapters/agent-program.ts');
  const path = context.pathOf(sessionPath(file));
  const memory = await context.memory();
  const { keepSession } = await import('../../memory/kept-sessions.ts');
  const kept = await keepSession(memory, path, name === 'SessionEnd');
  if (kept === null) return { kept: 0 };
  // While the agent answers that, its turn goes on.
  if (name !== 'Stop' || event.stop_hook_active === true) return { kept: kept.added };
  const { askedOf } = await import('../../memory/proposals.ts');
  const asked = await askedOf(memory, kept, askedTokens);
  if (asked === undefined) return { kept: kept.added };
  const answer = takesContext(path)
    ? { hookSpecificOutput: { hookEventName: name, additionalContext: asked } }
    : { decision: 'block', reason: asked };
  return { kept: kept.added, answer };
}
