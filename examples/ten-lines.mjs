// The library in ten lines: record, derive, ask, trace, take back.
import { openMemory } from 'git-memory';
import { scratch } from './scratch.mjs';

const memory = await openMemory({ dir: scratch(), create: true });
const { path } = await memory.capture('Decision: we ship on Tuesday, because Monday is a holiday.');
const { transcripts } = await memory.extract();
const { hits } = await memory.recall('when do we ship', { limit: 1 });
console.log('found:', hits[0].snippet);
const { sources } = await memory.provenance(transcripts[0].created[0].id);
console.log('said in:', sources[0].path === path, `turn ${sources[0].turn}: ${sources[0].text}`);
await memory.undo(transcripts[0].commit);
console.log('memories left after undo:', (await memory.list()).memories.length);
await memory.close();
