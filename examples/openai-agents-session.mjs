// The history of an agent of the OpenAI Agents SDK: it goes on where it stopped, in another run, and its words can be recalled.
import { Agent, Runner } from '@openai/agents-core';
import { openMemory } from 'git-memory';
import { GitMemorySession } from 'git-memory/openai-agents';
import { scratch } from './scratch.mjs';

// In place of your model: says how much of the conversation it was given.
const model = {
  async getResponse({ input }) {
    const content = [{ type: 'output_text', text: `I know ${input.length} items of this conversation.` }];
    return {
      usage: { requests: 1, inputTokens: 1, outputTokens: 1, totalTokens: 2 },
      output: [{ type: 'message', role: 'assistant', status: 'completed', content }],
      responseId: 'r',
    };
  },
};
const agent = new Agent({ name: 'support', model });
const runner = new Runner({ tracingDisabled: true });
const dir = scratch();

for (const question of ['The printer on the second floor is broken', 'What did I say?']) {
  // As if the program was started anew for each question.
  const memory = await openMemory({ dir, create: true });
  const session = new GitMemorySession(memory, { sessionId: 'support-42' });
  const { finalOutput } = await runner.run(agent, question, { session });
  console.log(finalOutput);
  await session.end();
  await memory.close();
}

const memory = await openMemory({ dir });
console.log('recalled:', (await memory.recall('which printer', { limit: 1 })).hits[0].snippet);
await memory.close();
