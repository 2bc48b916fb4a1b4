// The memory that the sweep damages: a little of everything that a memory can hold, with its objects loose or packed, and a remote.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Memory } from '../../../src/memory/open-memory.ts';
import { openMemory } from '../../../src/memory/open-memory.ts';
import { newKey } from '../../../src/store/records/private-text.ts';
import { countingIds, ManualClock, writeConfiguration } from '../../helpers/memories.ts';
import { git } from '../../helpers/native-git.ts';

const key = newKey(Buffer.alloc(32, 7));
/** As `GIT_MEMORY_KEY` hands it to the process that asks. */
export const keyText = key.text;
/** No pass follows by itself, so that a question changes nothing. */
const configuration = `timezone: UTC
maintain:
  every_extractions: 0
private_under: ${key.id}
private:
  - knowledge/private/**
`;
const keys = { place: 'nowhere', read: () => [keyText], add: () => undefined };

/** A context that the memory handed out, which can be made again. */
export const handed = { id: 'f0cfc69d', message: 'What is there of tea?' };

/**
 * `loose`: an object is a file. `packed`: some objects are in a pack with a graph and an index over packs, some in packs of ours.
 * `pending`: as loose, and a process died before it had committed.
 */
export const forms = ['loose', 'packed', 'pending'] as const;
export type Form = (typeof forms)[number];

/** Makes the memory in `dir/memory`, its remote in `dir/remote`, and a conversation to import beside them. */
export async function makeSweptMemory(dir: string, form: Form): Promise<void> {
  const folder = path.join(dir, 'memory');
  const remote = path.join(dir, 'remote');
  fs.mkdirSync(dir, { recursive: true });
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', remote]);
  fs.writeFileSync(
    path.join(dir, 'chat.jsonl'),
    '{"role":"user","content":"We moved to Braga.","time":"2026-02-01T10:00:00Z"}\n',
  );
  const clock = new ManualClock();
  const ids = countingIds();
  const options = { dir: folder, clock, ids, keys, durability: 'fast' } as const;
  const memory = await openMemory({ ...options, create: true });
  await writeConfiguration(memory, configuration);
  await memory.commit();
  for (const subject of ['tea', 'boats', 'trains']) {
    await tell(memory, subject, clock);
    clock.advance({ days: 1 });
  }
  await memory.extract();
  await memory.snapshots.create('first');
  await keep(memory, clock);
  git(folder, 'remote', 'add', 'origin', remote);
  if (form === 'packed') {
    git(folder, 'repack', '-adfq', '--depth=0', '--window=0', '--write-midx');
    git(folder, 'pack-refs', '--all');
    git(folder, 'commit-graph', 'write', '--reachable');
  }
  await changeMore(memory, clock);
  await memory.sync();
  await memory.close();
  if (form !== 'packed') unpack(folder);
  if (form === 'pending') await leavePending(options);
}

async function tell(memory: Memory, subject: string, clock: ManualClock): Promise<void> {
  const time = clock.now();
  await memory.capture({
    session: `ses_${subject}`,
    topic: subject,
    started: time,
    messages: [
      { role: 'user', text: `I prefer green ${subject}. We decided to buy ${subject}, as Ana asked for it.`, time },
      { role: 'agent', text: `I will order the ${subject} by Friday.`, time: time + 60_000 },
      { role: 'user', text: `Ana lives in Porto and sells ${subject}.`, time: time + 120_000 },
    ],
  });
}

/** What is kept by hand: records, pages, topics, both logs, a task list, a branch, a second one by an experiment. */
async function keep(memory: Memory, clock: ManualClock): Promise<void> {
  await memory.remember({ id: 'old-one', content: 'Ana prefers letters over calls.', tags: ['people'] });
  await memory.remember({ id: 'old-two', content: 'The archive has 40 boxes of tea.', tags: ['archive'] });
  await memory.records.relate('old-one', 'old-two');
  await memory.write('knowledge/people/ana.md', '# Ana\n\n- lawyer\n- lives in Porto\n');
  await memory.write('knowledge/projects/atlas.md', '# Atlas\n\n- begun in May\n- sails on Friday\n');
  await memory.write('knowledge/private/rui.md', '# Rui\n\n- whispers about boats\n');
  await memory.write(
    'topics/tea.md',
    '---\ntype: topic\ndescription: All about tea\ntriggers:\n  - {type: keywords, words: [tea]}\nactivation: gated\n---\n\n# Tea\n\nServe the tea warm.\n',
  );
  await memory.write('TODO.md', '# TODO\n\n## In Progress\n\n- [ ] Buy the tea\n');
  await memory.commit();
  clock.advance({ hours: 2 });
  await memory.ledger.add({ type: 'commitment', content: 'Send the keys to Ana.' });
  await memory.note('The harbour was quiet.');
  await memory.project.change({
    type: 'decision',
    agent: 'builder',
    scope: 'auth',
    summary: 'Keep the sessions short',
  });
  const side = await memory.branches.open('side', { create: true });
  await side.remember({ id: 'side-one', content: 'Said on the side.', tags: ['side'] });
  await side.edit('knowledge/people/ana.md', '- lawyer\n', '- lawyer\n- plays chess\n');
  await side.close();
  await memory.experiments.run('trial');
  await memory.context(handed.message, { session: 'ses_tea' });
  await memory.commit();
  const [first] = await memory.handed.list('ses_tea');
  if (first?.id !== handed.id) throw new Error(`the context has another id: ${first?.id}`);
}

async function changeMore(memory: Memory, clock: ManualClock): Promise<void> {
  clock.advance({ days: 1 });
  await memory.edit('knowledge/people/ana.md', 'Porto', 'Braga');
  await memory.remember({ id: 'old-three', content: 'The tea of the archive is green.', strength: 2 });
  await memory.commit();
  await memory.snapshots.create('second');
  clock.advance({ hours: 1 });
  await memory.edit('knowledge/projects/atlas.md', 'begun in May', 'begun in June');
  await memory.commit();
}

/** A process that died: pages that wait for a commit, and a session that goes on. */
async function leavePending(options: Parameters<typeof openMemory>[0]): Promise<void> {
  const memory = (await openMemory({ ...options, ids: countingIds('later') })) as Memory;
  await memory.write('knowledge/projects/pending.md', '# Pending\n\n- not yet committed\n');
  const session = await memory.startSession({ session: 'ses_open', topic: 'open', started: options.clock!.now() });
  await session.message('user', 'A message of a session that goes on.', { time: options.clock!.now() });
  // The work tree follows in a moment.
  await new Promise((resolve) => setTimeout(resolve, 60));
  memory.dispose();
}

/** Stores every object as a file of its own, as native git writes them. */
export function unpack(folder: string): void {
  const packs = path.join(folder, '.git/objects/pack');
  const aside = path.join(folder, '.git/aside');
  fs.renameSync(packs, aside);
  fs.mkdirSync(packs);
  for (const name of fs.readdirSync(aside).filter((file) => file.endsWith('.pack'))) {
    execFileSync('git', ['-C', folder, 'unpack-objects', '-q'], { input: fs.readFileSync(path.join(aside, name)) });
  }
  fs.rmSync(aside, { recursive: true });
}
