// The verb that a coding agent's program calls by itself: it tells the agent what is known, and keeps the session.

import { z } from 'zod';
import { sessionPath } from '../../adapters/agent-program.ts';
import { isInside } from '../../adapters/inside.ts';
import type { Heard } from '../hook/answer.ts';
import { eventOf } from '../hook/event.ts';
import { defineVerb, optional } from './verb.ts';

export const hook = defineVerb({
  name: 'hook',
  summary: 'Answer the hooks of a coding agent',
  help:
    'Hook reads the event of a hook as JSON from standard input: of Claude Code, Codex, Gemini CLI, Cursor or VS Code. When a session begins it ' +
    'tells what holds, what is open and what was last worked on; before a prompt or a tool, and after a failure, what is known of it. That is 400 ' +
    'tokens at most, once in a session, and nothing where nothing is known. When the agent rests, before its window is compacted and at the end ' +
    'it keeps what is new of the session. When the agent rests it hears which words seem worth keeping or to change what is known, and answers ' +
    'by memory_add. The memory is that of the project (CLAUDE_PROJECT_DIR), else of the folder, else your own one. It never fails: what goes ' +
    'wrong stops no agent. `git memory plug` enters it.',
  input: z.strictObject({
    event: optional(z.string(), 'the event as JSON; read from standard input if left out'),
  }),
  positional: ['event'],
  flags: { writes: 'now' },
  example: {
    command: `hook '{"hook_event_name": "SessionStart"}'`,
    shows: 'what the agent is told, as JSON; nothing where nothing is known',
  },
  async run(context, { event: given }): Promise<Heard> {
    if (isInside()) return {};
    let event: ReturnType<typeof eventOf>;
    try {
      event = eventOf(JSON.parse(given ?? (await context.readInput('-'))));
    } catch {
      return {};
    }
    if (event === undefined) return {};
    const { answerTo } = await import('../hook/answer.ts');
    const { transcript } = event;
    const named = transcript === undefined ? event : { ...event, transcript: context.pathOf(sessionPath(transcript)) };
    return answerTo(named, () => context.memory());
  },
  text: ({ answer }) => (answer === undefined ? '' : JSON.stringify(answer)),
});
