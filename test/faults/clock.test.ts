// The clock jumps between calls: order is the branch's, numbers stay finite, nothing is lost, and git has nothing to say.
//
//   FAULT_SEED=n   the same jumps again     FAULT_MINUTES=n   as many rounds as fit

import { describe, expect, it } from 'vitest';
import { type Memory, openMemory } from '../../src/memory/open-memory.ts';
import { randomOf } from '../helpers/failing-fs.ts';
import { goingOn, longRunMs, seed } from '../helpers/long-run.ts';
import { ManualClock, newTestMemory } from '../helpers/memories.ts';
import { fsck, git, hasGit } from '../helpers/native-git.ts';

const hour = 3_600_000;
const year = 365.25 * 24 * hour;
const jumps: Record<string, number> = {
  'back an hour': -hour,
  'back ten years': -10 * year,
  'forward a hundred years': 100 * year,
  'forward two days': 48 * hour,
};

/** What is in a memory by the calls below: path → a text that is there. */
type Expected = Map<string, string>;

/** Everything that reads the clock, once; the clock is moved before each call. */
async function work(memory: Memory, name: string, jump: () => void, expected: Expected): Promise<void> {
  const said = `We decided to keep the archive of ${name} in Lisbon.`;
  jump();
  const captured = await memory.capture({ session: `ses_${name}`, messages: [{ role: 'user', text: said }] });
  expected.set(captured.path, said);
  jump();
  const { path, id } = await memory.remember({ id: `id-${name}`, content: `Remembered in ${name}.` });
  expected.set(path, `Remembered in ${name}.`);
  jump();
  await memory.records.touch(id!);
  jump();
  const session = await memory.startSession({ session: `ses_talk_${name}`, topic: `talk ${name}` });
  for (const word of ['first', 'second']) {
    jump();
    await session.message('user', `The ${word} message of ${name}.`);
    expected.set(session.path, `The ${word} message of ${name}.`);
  }
  jump();
  await session.end();
  jump();
  await memory.commit();
  jump();
  await memory.extract({ from: `ses_${name}` });
  jump();
  const { commit } = await memory.capture({ text: `Taken back in ${name}.`, topic: `undo ${name}` });
  jump();
  await memory.undo(commit!);
  jump();
  await memory.snapshots.create(`before/${name}`);
}

/** Checks what holds whatever the clock says. */
async function complaintsOf(memory: Memory, directory: string, expected: Expected): Promise<string[]> {
  const complaints: string[] = [];
  for (const [path, text] of expected) {
    if (!(await memory.read(path)).includes(text)) complaints.push(`${path} has lost "${text}"`);
  }
  const { commits } = await memory.log({ limit: 10_000 });
  const numbers = commits.map(({ trailers }) => Number(trailers.find(({ key }) => key === 'Sequence')?.value));
  if (numbers.some((number, position) => number !== numbers.length - position)) {
    complaints.push(`the sequence is ${numbers}`);
  }
  for (const { time, oid } of commits)
    if (Number.isNaN(Date.parse(time))) complaints.push(`${oid} has the time ${time}`);
  for (const { id, score, useCount, strength } of (await memory.list({ limit: 1000 })).memories) {
    // Asked years before it was made, a memory is as strong as it was then and no stronger.
    if (!(score >= 0 && score <= (useCount + 1) * strength)) complaints.push(`${id} has the strength ${score}`);
  }
  const { hits } = await memory.recall('archive Lisbon', { limit: 50 });
  if (hits.length === 0) complaints.push('recall finds nothing');
  for (const { path, score, parts } of hits) {
    for (const value of [score, ...Object.values(parts)]) {
      if (!Number.isFinite(value)) complaints.push(`${path} has the score ${score} of ${JSON.stringify(parts)}`);
    }
  }
  const oids = new Set(commits.map(({ oid }) => oid));
  for (const day of ['2030-01-01', '2200-01-01', '9999-12-31']) {
    const { commit } = await memory.at(day);
    if (!oids.has(commit!)) complaints.push(`${day} is answered by ${commit}, which is not on the branch`);
  }
  if (hasGit) {
    const verdict = fsck(directory);
    if (verdict !== '') complaints.push(`git fsck: ${verdict}`);
    const status = git(directory, 'status', '--porcelain');
    if (status !== '') complaints.push(`git status: ${status}`);
  }
  return complaints;
}

/** A clock in the hands of a test: `shift` moves it by so many milliseconds. */
class JumpingClock extends ManualClock {
  shift(milliseconds: number): void {
    // Dates end in the year 275760, those of git and of paths earlier; a clock battery gives 1970 at worst.
    const time = Math.min(Math.max(this.now() + milliseconds, Date.parse('1970-01-02')), Date.parse('9000-01-01'));
    this.set(new Date(time).toISOString());
  }
}

describe(`a clock that jumps (FAULT_SEED=${seed})`, () => {
  // Every jump, and every place: one jump takes the even ones, the next the odd ones.
  it.each(Object.entries(jumps).map(([name, amount], turn) => [name, amount, turn % 2] as const))(
    'once, %s, between two calls',
    async (name, amount, first) => {
      for (let at = first; at < 12; at += 2) {
        const clock = new JumpingClock();
        const { memory, directory } = await newTestMemory({ clock });
        const expected: Expected = new Map();
        let count = 0;
        await work(memory, 'one', () => count++ === at && clock.shift(amount), expected);
        await work(memory, 'two', () => clock.shift(1000), expected);
        expect({ name, at, complaints: await complaintsOf(memory, directory, expected) }).toEqual({
          name,
          at,
          complaints: [],
        });
        await memory.close();
      }
    },
  );

  it(
    'again and again, also for whoever opens the memory next',
    async () => {
      const random = randomOf(seed);
      const hasMore = goingOn(3);
      for (let round = 0; hasMore(round); round++) {
        const clock = new JumpingClock();
        const { memory, directory } = await newTestMemory({ clock });
        await memory.close();
        const expected: Expected = new Map();
        const amounts = Object.values(jumps);
        const jump = () => {
          if (random() < 0.4) clock.shift(amounts[Math.floor(random() * amounts.length)]! * random());
        };
        for (const name of ['one', 'two', 'three', 'four']) {
          jump();
          const next = await openMemory({ dir: directory, clock, durability: 'fast' });
          await work(next, name, jump, expected);
          const complaints = await complaintsOf(next, directory, expected);
          expect({ round, name, complaints }).toEqual({ round, name, complaints: [] });
          await next.close();
        }
      }
    },
    longRunMs,
  );

  it('back while a batch waits: it is committed on request, and not before its time', async () => {
    const clock = new JumpingClock();
    const { memory, directory } = await newTestMemory({ clock });
    await memory.remember({ id: 'waits', content: 'It waits.' });
    memory.dispose();
    clock.shift(-10 * year);
    const next = await openMemory({ dir: directory, clock, durability: 'fast' });
    expect((await next.status()).pending).toHaveLength(1);
    expect((await next.commit()).commits).toHaveLength(1);
    await next.remember({ id: 'overdue', content: 'It is overdue.' });
    next.dispose();
    clock.shift(100 * year);
    const last = await openMemory({ dir: directory, clock, durability: 'fast' });
    expect((await last.status()).pending).toEqual([]);
    expect((await last.get('overdue')).content).toBe('It is overdue.');
    await last.close();
  });
});
