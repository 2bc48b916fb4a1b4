// A memory in which something waits for a person, of each kind.

import { formatMemory, memoryPath, newMemory } from '../../src/store/records/memory-record.ts';
import { newTestMemory, writeConfiguration } from './memories.ts';

/** Makes it: five claims of a conversation, a pair that is said to contradict, one of two numbers, a double, a mail in quarantine, what fades. */
export async function waiting() {
  const told = await newTestMemory();
  const { memory, clock } = told;
  await writeConfiguration(memory, 'version: 1\ntrust: { quarantine: true }\n');
  await memory.remember({ id: 'fading', content: 'The hedge is of beech.', category: 'fact' });
  clock.advance({ days: 10 });
  await memory.capture({
    session: 'talk',
    messages: [
      {
        role: 'user',
        speaker: 'Ada',
        text: 'Preference: short answers. My sister Nora works at the harbour in Bergen.',
      },
      { role: 'user', speaker: 'Ada', text: 'Decision: lend no bike without a lamp.' },
    ],
  });
  await memory.extract();
  await memory.remember({ id: 'van1', content: 'The blue van is parked behind the workshop' });
  // As an import or a merge brings them: two values of one attribute, both open.
  const value = { subject: 'workshop', attribute: 'code of the gate' };
  const bring = (id: string, content: string) =>
    memory.write(memoryPath(id), formatMemory(newMemory({ id, content, now: clock.now(), ...value })));
  await bring('code1', 'The gate of the workshop has the code 4411');
  clock.advance({ minutes: 1 });
  await memory.remember({ id: 'van2', content: 'The blue van is parked behind the workshop at night' });
  await bring('code2', 'The gate of the workshop has the code 5522');
  await memory.remember({ id: 'tea', content: 'Tea is served at five' });
  await memory.remember({ id: 'coffee', content: 'Nobody drinks anything hot' });
  await memory.records.relate('tea', 'coffee', 'contradicts');
  await memory.commit();
  await memory.capture({ text: 'Nora keeps the keys of the boathouse.', trust: 'low', topic: 'a mail' });
  return told;
}
