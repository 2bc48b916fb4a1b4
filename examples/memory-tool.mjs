// Anthropic's memory tool, run by its own SDK: what the model writes into its files is knowledge with a history.
import Anthropic from '@anthropic-ai/sdk';
import { betaMemoryTool } from '@anthropic-ai/sdk/helpers/beta/memory';
import { openMemory } from 'git-memory';
import { memoryTool } from 'git-memory/memory-tool';
import { scratch } from './scratch.mjs';

// In place of the network: a model that looks, writes a note, mends it, and then answers.
const commands = [
  { command: 'view', path: '/memories' },
  { command: 'create', path: '/memories/projects/apollo.md', file_text: '# Apollo\n\n- We ship on Tuesday.\n' },
  { command: 'str_replace', path: '/memories/projects/apollo.md', old_str: 'Tuesday', new_str: 'Wednesday' },
  { command: 'view', path: '/memories/../.git/config' },
];
const results = [];
const fetch = async (_, { body }) => {
  const said = JSON.parse(body).messages.at(-1).content;
  if (Array.isArray(said))
    results.push(
      ...said.map(({ content }) =>
        [content]
          .flat()
          .map((part) => part.text ?? part)
          .join(''),
      ),
    );
  const input = commands.shift();
  const content = input
    ? [{ type: 'tool_use', id: `call_${commands.length}`, name: 'memory', input }]
    : [{ type: 'text', text: 'I have noted it.' }];
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: 'm', type: 'message', role: 'assistant', model: 'stand-in', usage, content };
  return Response.json({ ...message, stop_reason: input ? 'tool_use' : 'end_turn', stop_sequence: null });
};

const memory = await openMemory({ dir: scratch(), create: true });
const client = new Anthropic({ apiKey: 'none', fetch });
const answer = await client.beta.messages.toolRunner({
  model: 'stand-in',
  max_tokens: 500,
  messages: [{ role: 'user', content: 'Apollo ships on Wednesday, not on Tuesday.' }],
  tools: [betaMemoryTool(memoryTool(memory))],
});
console.log('model:', answer.content[0].text);
console.log('told:', results[1]);
console.log('refused:', results[3]);

// What the files do not have: a search, a history, and a way back.
console.log('found:', (await memory.recall('when do we ship', { limit: 1 })).hits[0].snippet);
const { lines } = await memory.blame('knowledge/projects/apollo.md');
console.log(
  'line 3 is of commit:',
  (await memory.log({ limit: 5 })).commits.find(({ oid }) => oid === lines[2].commit).subject,
);
await memory.undo('HEAD');
console.log('after undo:', (await memory.read('knowledge/projects/apollo.md')).split('\n')[2]);
await memory.close();
