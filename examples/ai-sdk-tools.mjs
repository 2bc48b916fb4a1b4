// The memory as tools of the AI SDK. MODEL_URL and MODEL_NAME name an OpenAI-compatible server (ollama, for instance); without them a stand-in answers.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, stepCountIs } from 'ai';
import { openMemory } from 'git-memory';
import { memoryTools } from 'git-memory/ai-sdk';
import { scratch } from './scratch.mjs';
import { standInModel } from './stand-in-model.mjs';

const memory = await openMemory({ dir: scratch(), create: true });
await memory.remember({ content: 'The release is on Tuesday', tags: ['release'] });

const standIn = process.env.MODEL_URL === undefined ? await standInModel() : null;
const provider = createOpenAICompatible({ name: 'local', baseURL: process.env.MODEL_URL ?? standIn.url });
const { text, steps } = await generateText({
  model: provider(process.env.MODEL_NAME ?? 'stand-in'),
  prompt: 'When is the release?',
  tools: await memoryTools(memory),
  stopWhen: stepCountIs(5),
});
console.log('tools called:', steps.flatMap(({ toolCalls }) => toolCalls.map(({ toolName }) => toolName)).join(', '));
console.log(text);

standIn?.close();
await memory.close();
