// The calls that only read, asked over a failing file system by reads.test.ts; a new one is one line of the table.

import type { FileSystem } from '../../src/base/ports.ts';
import { doctor } from '../../src/memory/doctor-questions.ts';
import type { Memory } from '../../src/memory/open-memory.ts';
import { type Base, makeBase, now, openForTest } from './operations.ts';

/** Asks one thing of a memory that was opened to be read; the answer can be compared as JSON. */
export type Question = (memory: Memory, base: Base) => Promise<unknown>;

const ana = 'knowledge/people/ana.md';
/** A state before the last commits, asked as of its own commit. */
const past = (memory: Memory, base: Base) => memory.at(base.commits.capture!);

export const questions: Readonly<Record<string, Question>> = {
  recall: (memory) => memory.recall('where is the archive'),
  'recall by words': (memory) => memory.recall('"archive" category:conversation', { mode: 'lexical' }),
  'recall at an earlier commit': async (memory, base) => (await past(memory, base)).recall('archive'),
  get: (memory) => memory.get('old-one'),
  list: (memory) => memory.list(),
  read: (memory) => memory.read(ana),
  'read what is pending': (memory) => memory.read('knowledge/pending.md'),
  files: (memory) => memory.files(),
  'files at an earlier commit': async (memory, base) => (await past(memory, base)).files(),
  'read at a day': async (memory) => (await memory.at('2026-02-16')).read(ana),
  log: (memory) => memory.log(),
  'log of a file': (memory) => memory.log({ path: ana }),
  'log of a memory': (memory) => memory.log({ id: 'old-one' }),
  'log of a session': (memory) => memory.log({ session: 'ses_base' }),
  blame: (memory) => memory.blame(ana),
  'blame of a memory': (memory) => memory.blame('old-one'),
  provenance: (memory) => memory.provenance('old-one'),
  'provenance of a line': (memory) => memory.provenance(ana, 3),
  learned: (memory) => memory.learned('Porto'),
  'learned by a pattern': (memory) => memory.learned(/arch\w+/),
  diff: (memory, base) => memory.diff(base.commits.capture!),
  bisect: (memory) => memory.bisect('where does Ana live', { finds: 'Braga' }),
  snapshots: (memory) => memory.snapshots.list(),
  branches: (memory) => memory.branches.list(),
  compare: (memory) => memory.branches.compare('side'),
  'merge that is only shown': (memory) => memory.merge('side', { dryRun: true }),
  'undo that is only shown': (memory, base) => memory.undo(base.commits.batch!, { dryRun: true }),
  status: (memory) => memory.status(),
  events: (memory) => memory.ledger.list(),
  loops: (memory) => memory.ledger.loops(),
  integrity: (memory) => memory.ledger.check(),
  pack: (memory) => memory.pack(),
  knowledge: (memory) => memory.knowledge.list(),
  backlinks: (memory) => memory.knowledge.backlinks(ana),
};

/** Makes a memory in which each question has something to say: two branches, a tag, an open session, writes that wait. */
export async function makeAsked(folder: string): Promise<Base> {
  const base = await makeBase(folder, 'two branches', 'repository');
  const memory = await openForTest({ dir: folder });
  await memory.extract({ from: 'ses_base' });
  await memory.ledger.add({ type: 'commitment', content: 'Send the keys.' });
  await memory.snapshots.create('before/questions');
  await memory.write('knowledge/pending.md', '# Pending\n\n- not yet committed\n');
  const session = await memory.startSession({ session: 'ses_open', topic: 'open', started: now });
  await session.message('user', 'A message of a session that goes on.', { time: now });
  // The work tree follows in a moment.
  await new Promise((resolve) => setTimeout(resolve, 60));
  memory.dispose();
  return base;
}

/** Asks the doctor, who opens the repository by himself. */
export async function askDoctor(folder: string, fs?: FileSystem): Promise<{ isHealthy: boolean; report: string }> {
  const report = await doctor({ dir: folder, clock: { now: () => now }, ...(fs && { fs }) });
  return { isHealthy: report.isHealthy, report: JSON.stringify(report) };
}
