// A chat loop that hands its model a compiled context for each message; the "model" here only says what it was given.
import { openMemory } from 'git-memory';
import { scratch } from './scratch.mjs';

const memory = await openMemory({ dir: scratch(), create: true });
await memory.write('knowledge/identity/SOUL.md', '# Soul\n\nI look after the office.\n');
await memory.capture({
  topic: 'release day',
  messages: [
    { role: 'user', text: 'Decision: we ship on Tuesday, because Monday is a holiday.' },
    { role: 'agent', text: 'Noted. The announcement goes out on Wednesday.' },
  ],
});

const session = await memory.startSession({ channel: 'chat' });
let activeTopics = [];
for (const message of ['When do we ship?', 'And when does the announcement go out?']) {
  await session.message('user', message);
  const context = await memory.context(message, { session: session.id, activeTopics, tokens: 2_000 });
  activeTopics = context.activeTopics;
  // Here your model would be asked: generateText({ model, system: context.text, prompt: message }).
  await session.message('agent', 'On Tuesday, and on Wednesday.');
  console.log(
    message,
    '→',
    context.slots
      .filter(({ text }) => text !== '')
      .map(({ slot }) => slot)
      .join(', '),
  );
  console.log(
    '  has the answer:',
    context.text.includes('goes out on Wednesday'),
    '· within 2,000 tokens:',
    context.tokens <= 2_000,
  );
}
await session.end();
await memory.close();
