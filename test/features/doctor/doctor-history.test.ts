// doctor holds captures and logs to the commits that made them: what somebody changed past the rules is told with its commit, and what the
// rules allow is not.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeFileSystem } from '../../../src/adapters/node.ts';
import type { Clock } from '../../../src/base/ports.ts';
import { CheckedHistory } from '../../../src/features/doctor/checked-history.ts';
import { doctor } from '../../../src/memory/doctor-questions.ts';
import { type Memory, openMemory } from '../../../src/memory/open-memory.ts';
import { identityCodec } from '../../../src/store/codec.ts';
import { discoverRepository } from '../../../src/store/git/discovery.ts';
import { openRepository } from '../../../src/store/git/repository.ts';
import { newTestMemory } from '../../helpers/memories.ts';
import { git, hasGit } from '../../helpers/native-git.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const segment = 'ledger/2026/02/2026-02-16.jsonl';
const messages = [
  { role: 'user', text: 'We ship on Friday.' },
  { role: 'assistant', text: 'Noted.' },
];

/** A memory with a capture, a daily note, three events and three changes, all committed. */
async function prepared() {
  const { memory, directory, clock } = await newTestMemory();
  const capture = await memory.capture({ messages });
  await memory.note('first line');
  for (const content of ['one', 'two', 'three']) await memory.ledger.add({ content });
  for (const words of ['Ada likes tea', 'Bert plays chess']) await memory.remember(words);
  await memory.close();
  return { directory, clock, capture: capture.path };
}

/** Copies the memory that was prepared once. */
const copies = (() => {
  let made: ReturnType<typeof prepared> | undefined;
  return async () => {
    made ??= prepared();
    const { directory, clock, capture } = await made;
    const copy = temporaryFolder();
    fs.cpSync(directory, copy, { recursive: true, preserveTimestamps: true });
    return new Copy(copy, clock, capture);
  };
})();

class Copy {
  readonly directory: string;
  readonly clock: Clock;
  readonly capture: string;

  constructor(directory: string, clock: Clock, capture: string) {
    this.directory = directory;
    this.clock = clock;
    this.capture = capture;
  }

  place(file: string): string {
    return path.join(this.directory, file);
  }

  replace(file: string, from: string | RegExp, to: string): void {
    const text = fs.readFileSync(this.place(file), 'utf8');
    const changed = text.replace(from, to);
    expect(changed).not.toBe(text);
    fs.writeFileSync(this.place(file), changed);
  }

  /** Commits past the rules, and gives the first ten digits of the commit. */
  commit(message = 'by hand'): string {
    git(this.directory, 'add', '-A');
    git(this.directory, 'commit', '-q', '--no-verify', '-m', message);
    return git(this.directory, 'rev-parse', 'HEAD').slice(0, 10);
  }

  async open(): Promise<Memory> {
    return openMemory({ dir: this.directory, durability: 'fast', clock: this.clock });
  }

  async findings(): Promise<{ code: string; where: string; what: string; fix?: string }[]> {
    const { findings } = await doctor({ dir: this.directory, clock: this.clock });
    return findings.filter(({ code }) =>
      ['CAPTURE_CHANGED', 'EVENT_CHANGED', 'PARTLY_CHECKED', 'INVALID_RECORD'].includes(code),
    );
  }
}

describe.runIf(hasGit)('doctor names the commit', () => {
  it('that changed a closed capture, until an undo of it brings it back', async () => {
    const copy = await copies();
    expect(await copy.findings()).toEqual([]);
    copy.replace(copy.capture, 'Friday', 'Monday');
    const commit = copy.commit();
    const found = {
      code: 'CAPTURE_CHANGED',
      where: copy.capture,
      what: expect.stringMatching(new RegExp(`^a capture was changed or taken away by ${commit} of Person, 20`)),
      fix: expect.stringContaining(`git memory undo ${commit}`),
    };
    expect(await copy.findings()).toMatchObject([found]);
    // Asked again, and with the notes gone.
    expect(await copy.findings()).toMatchObject([found]);
    fs.rmSync(copy.place('.git/git-memory/cache'), { recursive: true });
    expect(await copy.findings()).toMatchObject([found]);
    const memory = await copy.open();
    await memory.undo(commit);
    await memory.close();
    expect(await copy.findings()).toEqual([]);
  });

  it('that took a capture away, or a line of a daily note', async () => {
    const copy = await copies();
    fs.rmSync(copy.place(copy.capture));
    const first = copy.commit();
    copy.replace('raw/daily/2026-02-16.md', 'first line', 'another');
    const second = copy.commit();
    expect(await copy.findings()).toMatchObject([
      { where: copy.capture, what: expect.stringContaining(first) },
      { where: 'raw/daily/2026-02-16.md', what: expect.stringContaining(second) },
    ]);
    // By hand from history: mended as well, and no loss of its own.
    git(copy.directory, 'checkout', '-q', 'HEAD~2', '--', '.');
    copy.commit();
    expect(await copy.findings()).toEqual([]);
  });

  it('that changed a line of the ledger, broke one, or took one away', async () => {
    const changes: [string | RegExp, string][] = [
      ['"two"', '"other"'],
      [/\{[^\n]*"two"/, '{"id'],
      [/[^\n]*"two"[^\n]*\n/, ''],
    ];
    for (const [from, to] of changes) {
      const copy = await copies();
      copy.replace(segment, from, to);
      const commit = copy.commit();
      expect(await copy.findings()).toMatchObject([
        { code: 'EVENT_CHANGED', where: segment, what: expect.stringMatching(`-002 was changed .* by ${commit}`) },
      ]);
      const memory = await copy.open();
      await memory.undo(commit);
      await memory.close();
      expect(await copy.findings()).toEqual([]);
    }
  });

  it('that changed an event, and none whose words were forgotten, here or on another branch', async () => {
    const copy = await copies();
    const memory = await copy.open();
    const decided = { content: 'Zoë decided to pay Otto 6200 kronor.', category: 'decision' } as const;
    const { id } = await memory.remember(decided);
    await memory.commit();
    const segment = (await memory.files('ledger/')).at(-1)!;
    await memory.branches.open('side', { create: true });
    await memory.ledger.add({ content: 'on the side' });
    await memory.branches.open('main');
    await memory.forget(id!);
    await memory.commit();
    await memory.merge('side');
    await memory.close();
    expect(fs.readFileSync(copy.place(segment), 'utf8')).toMatch(/"\(forgotten\)"[\s\S]*on the side/);
    expect(fs.readFileSync(copy.place(segment), 'utf8')).not.toContain('6200');
    expect(await copy.findings()).toEqual([]);
    copy.replace(segment, 'on the side', 'elsewhere');
    const commit = copy.commit();
    expect(await copy.findings()).toMatchObject([{ code: 'EVENT_CHANGED', what: expect.stringContaining(commit) }]);
  });

  it('that bears the trailers of the engine and does something else', async () => {
    const copy = await copies();
    const undo = (commit: string) => `Operation: undo\nUndoes: ${commit.trim()}`;
    const another = undo(git(copy.directory, 'rev-parse', 'HEAD'));
    const own = undo(git(copy.directory, 'log', '-1', '--format=%H', '--', copy.capture));
    for (const trailers of ['Operation: purge', 'Operation: ledger-compact', 'Operation: adopt', another, own]) {
      copy.replace(copy.capture, /ship on \w+/g, `ship on ${trailers.length}`);
      const commit = copy.commit(`maintenance: nothing\n\n${trailers}`);
      expect(await copy.findings()).toMatchObject([{ where: copy.capture, what: expect.stringContaining(commit) }]);
      git(copy.directory, 'reset', '-q', '--hard', 'HEAD^');
    }
  });

  it('of a merge that took the wrong side', async () => {
    for (const strategy of ['ours', 'theirs']) {
      const copy = await copies();
      git(copy.directory, 'switch', '-qc', 'side');
      const side = await copy.open();
      await side.ledger.add({ content: 'on the side' });
      await side.note('a line of the side');
      await side.close();
      git(copy.directory, 'switch', '-q', 'main');
      const memory = await copy.open();
      await memory.ledger.add({ content: 'on main' });
      await memory.note('a line of main');
      await memory.close();
      git(copy.directory, 'merge', '-q', '--no-commit', '-s', 'ours', 'side');
      if (strategy === 'theirs') git(copy.directory, 'checkout', '-q', 'side', '--', '.');
      const commit = copy.commit('a merge');
      expect(await copy.findings()).toMatchObject([
        { code: 'CAPTURE_CHANGED', where: 'raw/daily/2026-02-16.md', what: expect.stringContaining(commit) },
        { code: 'EVENT_CHANGED', where: segment, what: expect.stringMatching(`-00\\d was changed .* by ${commit}`) },
      ]);
      // What a person brings back by native git, or writes below the rest, is there again.
      const lost = strategy === 'ours' ? 'side' : 'HEAD^1';
      const text = git(copy.directory, 'show', `${lost}:${segment}`).trim().split('\n').at(-1);
      const [, number] = /-(\d{3})"/.exec(text!)!;
      fs.appendFileSync(copy.place(segment), `${text!.replace(`-${number}"`, '-099"')}\n`);
      fs.appendFileSync(
        copy.place('raw/daily/2026-02-16.md'),
        git(copy.directory, 'show', `${lost}:raw/daily/2026-02-16.md`),
      );
      copy.commit();
      expect(await copy.findings()).toEqual([]);
    }
  });

  it('since which a record is none, has another id, or that of another one; a correction is nothing to tell', async () => {
    const copy = await copies();
    const [one, other] = git(copy.directory, 'ls-files', 'memories').trim().split('\n') as [string, string];
    const idOf = (file: string) => path.basename(file, '.json');
    copy.replace(one, /Ada|Bert/, 'Cleo');
    copy.commit();
    expect(await copy.findings()).toEqual([]);
    const damages: [() => void, string][] = [
      [() => copy.replace(one, /\}\s*$/, ''), ''],
      [() => copy.replace(one, idOf(one), 'another'), 'it says that its id is another'],
      [() => fs.cpSync(copy.place(one), copy.place(other)), `its id ${idOf(one)} is that of ${one}, too`],
    ];
    for (const [damage, why] of damages) {
      damage();
      const commit = copy.commit();
      copy.replace('memory.yaml', /$/, '\n# by hand\n');
      copy.commit();
      const findings = await copy.findings();
      expect(findings.length).toBeGreaterThan(0);
      for (const { code, fix } of findings)
        expect([code, fix]).toEqual(['INVALID_RECORD', expect.stringContaining(commit)]);
      expect(findings.map(({ what }) => what).join()).toContain(why);
      git(copy.directory, 'reset', '-q', '--hard', 'HEAD~2');
    }
  });
});

describe.runIf(hasGit)('doctor tells nothing', () => {
  it('of a capture that is undone, brought back and reverted by native git, nor of events', async () => {
    const copy = await copies();
    const memory = await copy.open();
    const head = () => git(copy.directory, 'rev-parse', 'HEAD').trim();
    const session = await memory.startSession({ channel: 'cli' });
    await session.message('user', 'a session');
    await session.message('user', 'that goes on');
    await session.end();
    const { commit } = await memory.undo({ session: session.path });
    await memory.undo(commit!);
    await memory.ledger.add({ content: 'last' });
    await memory.undo('HEAD');
    await memory.ledger.add({ content: 'second to last' });
    await memory.undo('HEAD~1');
    await memory.close();
    git(
      copy.directory,
      'revert',
      '--no-edit',
      git(copy.directory, 'log', '-1', '--format=%H', '--', copy.capture).trim(),
    );
    expect(fs.existsSync(copy.place(copy.capture))).toBe(false);
    git(copy.directory, 'revert', '--no-edit', head());
    expect(await copy.findings()).toEqual([]);
  });

  it('of two sides that gave the same numbers, whether we or native git merged them', async () => {
    const copy = await copies();
    for (const isNative of [false, true]) {
      git(copy.directory, 'switch', '-qc', `side-${isNative}`);
      for (const branch of [`side-${isNative}`, 'main']) {
        git(copy.directory, 'switch', '-q', branch);
        const memory = await copy.open();
        await memory.ledger.add({ content: `said on ${branch}` });
        await memory.note(`a line of ${branch}`);
        if (!isNative)
          await memory.project.change({ agent: 'ada', type: 'decision', scope: 'all', summary: `made on ${branch}` });
        if (!isNative && branch === 'main') await memory.merge(`side-${isNative}`);
        await memory.close();
      }
    }
    fs.writeFileSync(copy.place('.git/info/attributes'), '* merge=union\n');
    git(copy.directory, 'merge', '-q', '--no-edit', 'side-true');
    expect(await copy.findings()).toEqual([]);
  });
});

it.runIf(hasGit)('each commit is judged once, and a long history in several looks', async () => {
  const copy = await copies();
  const look = (maxObjects = Number.POSITIVE_INFINITY) => {
    const repository = openRepository(nodeFileSystem, discoverRepository(nodeFileSystem, copy.directory)!, true);
    const tip = repository.refs.read('refs/heads/main')!;
    const limits = { maxObjects, maxBytes: Number.POSITIVE_INFINITY };
    const history = new CheckedHistory(repository, identityCodec, tip, false, limits);
    const { left } = history;
    while (history.next(2));
    repository.objects.close();
    return [left, history.left];
  };
  const all = Number(git(copy.directory, 'rev-list', '--count', 'HEAD'));
  expect([look(6), look(), look()]).toEqual([
    [all, all - 3],
    [all - 3, 0],
    [0, 0],
  ]);
  const memory = await copy.open();
  await memory.ledger.add({ content: 'one more' });
  await memory.close();
  expect(look()).toEqual([1, 0]);
});
