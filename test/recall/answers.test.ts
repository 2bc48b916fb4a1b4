// What only asks is no answer, whoever said it.

import { expect, it } from 'vitest';
import { newTestMemory } from '../helpers/memories.ts';

it('a question gives its place to what answers it, also where a person asked and a program answers', async () => {
  const { memory } = await newTestMemory();
  await memory.capture({
    messages: [
      { role: 'user', text: 'Can you recommend a backup tool for Linux?' },
      { role: 'agent', text: 'I recommend Restic with a storage box.' },
      { role: 'user', text: 'The printer is called Otto.' },
    ],
  });
  const { hits } = await memory.recall('Which backup tool do you recommend?');
  expect(hits.map(({ turn }) => turn).slice(0, 2)).toEqual([2, 1]);
  const scores = hits.map(({ score }) => score);
  expect(scores).toEqual([...scores].sort((one, other) => other - one));
  await memory.close();
});
