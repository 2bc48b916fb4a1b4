// What can be seen of private texts from outside: no name that a guess can be tested against, in every placement, on machines with the
// key and without.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Placement } from '../../src/base/types.ts';
import { extractedId } from '../../src/core/extract/plan.ts';
import { type Memory, openMemory } from '../../src/memory/open-memory.ts';
import { checkStagedIn } from '../../src/memory/staged.ts';
import { keysOf, newTestMemory } from '../helpers/memories.ts';
import { commitAll, fsck, git, hasGit } from '../helpers/native-git.ts';
import { temporaryFolder } from '../helpers/temporary.ts';
import { tracesOf } from '../helpers/traces.ts';

const secret = 'Marzipandrache Vollmondquitte';
const traces = ['Marzipandrache', 'Vollmondquitte', 'marzipandrache', 'vollmondquitte'];
const said = `We decided that the launch is called ${secret}.`;
const everything = ['raw/**', 'memories/**', 'knowledge/**', 'attachments/**', 'boxes/**', 'state/**', 'ledger/**'];
const code = `\`\`\`python\n${Array.from({ length: 30 }, (_, at) => `row_${at} = "${secret}"`).join('\n')}\n\`\`\``;

async function namesIn(directory: string): Promise<string[]> {
  return git(directory, 'ls-tree', '-r', '--name-only', 'HEAD').trim().split('\n');
}

describe.skipIf(!hasGit)('names that follow from private texts', () => {
  it('are the same on every machine with the key and can be guessed by nobody without it', async () => {
    const keys = keysOf();
    const first = await newTestMemory({ keys, configuration: { timezone: 'UTC' } });
    await first.memory.keys.new({ paths: everything });
    const picture = Buffer.from(`picture of ${secret}`);
    const tell = async (memory: Memory) => {
      await memory.capture({
        session: 'ses_told',
        started: Date.parse('2026-02-16T09:30:00Z'),
        messages: [
          { role: 'agent', text: `This is it:\n\n${code}`, time: Date.parse('2026-02-16T09:30:00Z') },
          {
            role: 'user',
            text: said,
            time: Date.parse('2026-02-16T09:31:00Z'),
            attachments: [{ name: 'p.txt', bytes: picture }],
          },
        ],
      });
      await memory.extract();
      const line = (text: string) => JSON.stringify({ role: 'user', text, time: '2026-02-01T10:00:00Z' });
      await memory.import([{ path: 'chat.jsonl', text: `${line(`I hear of ${secret}.`)}\n` }]);
      await memory.commit();
    };
    // Another machine begins as a clone: same configuration, same key.
    const second = path.join(temporaryFolder(), 'second');
    git(first.directory, 'clone', '-q', first.directory, second);
    await tell(first.memory);
    const other = await openMemory({
      dir: second,
      keys: keysOf(...keys.texts),
      clock: { now: () => Date.parse('2026-02-16T10:00:00Z') },
    });
    await tell(other);
    const derived = (names: string[]) => names.filter((name) => /^(?:memories|attachments|raw)\//.test(name));
    const [one, two] = [await namesIn(first.directory), await namesIn(second)];
    for (const folder of ['memories/', 'attachments/', 'raw/artifacts/', 'raw/conversations/2026/02/01/']) {
      expect(derived(one).map((name) => name.slice(0, folder.length))).toContain(folder);
    }
    expect(derived(two).sort()).toEqual(derived(one).sort());
    // Who guesses the words, with all else that can be seen, finds none of the names.
    const conversation = one.find((name) => name.includes('ses_told'))!;
    const { memories } = await first.memory.list();
    const [, name, version] = /^Extractor: (.+)@(.+)$/m.exec(
      git(first.directory, 'log', '--format=%B'),
    )! as unknown as [string, string, string];
    const guesses = [
      createHash('sha256').update(picture).digest('hex').slice(0, 32),
      createHash('sha256').update(code.split('\n').slice(1, -1).join('\n')).digest('hex').slice(0, 16),
      createHash('sha256')
        .update(`${code.split('\n').slice(1, -1).join('\n')}\n`)
        .digest('hex')
        .slice(0, 16),
      ...memories.flatMap(({ content }) =>
        [1, 2].map((turn) => extractedId(conversation, turn, { name, version }, content)),
      ),
    ];
    expect(memories.length).toBeGreaterThan(0);
    const all = `${one.join('\n')}\n${git(first.directory, 'log', '--format=%B')}`;
    for (const guess of guesses) expect(all).not.toContain(guess);
    for (const { id } of memories) {
      await first.memory.records.split(id, ['Marzipandrache is one.', 'Vollmondquitte is two.']).catch(() => undefined);
    }
    await first.memory.close();
    await other.close();
    expect(tracesOf(path.join(first.directory, '.git'), traces, true)).toEqual([]);
    expect(tracesOf(path.join(second, '.git'), traces, true)).toEqual([]);
  });

  it('are plain hashes where nothing is private, so that memories of before and of other machines agree', async () => {
    const { memory, directory } = await newTestMemory();
    const bytes = Buffer.from('an open picture');
    await memory.capture({
      messages: [{ role: 'user', text: 'Look.', attachments: [{ name: 'a.txt', bytes }] }],
    });
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
    expect((await namesIn(directory)).join()).toContain(hash);
  });
});

describe.skipIf(!hasGit)('private texts', () => {
  it.each(['bare', 'repository', 'branch', 'project'] as Placement[])('leave no trace as %s', async (placement) => {
    const dir = temporaryFolder();
    if (placement === 'branch' || placement === 'project') {
      git(dir, 'init', '-q', '-b', 'main');
      fs.writeFileSync(path.join(dir, 'code.txt'), 'code\n');
      commitAll(dir, 'code');
    }
    const { memory } = await newTestMemory({ dir, placement, keys: keysOf(), configuration: { timezone: 'UTC' } });
    await memory.keys.new({ paths: everything });
    await memory.capture({ session: 'ses_told', topic: secret, messages: [{ role: 'user', text: said }] });
    await memory.extract();
    await memory.write('knowledge/people/ana.md', `# Ana\n\n- knows ${secret}\n`);
    await memory.commit();
    expect(await memory.read('knowledge/people/ana.md')).toContain(secret);
    expect((await memory.recall('Vollmondquitte')).hits.length).toBeGreaterThan(0);
    await memory.close();
    // The files of a work tree may lie open; what is in git's folder, in refs and in objects may not.
    expect(tracesOf(placement === 'bare' ? dir : path.join(dir, '.git'), traces, true)).toEqual([]);
    expect(fsck(dir)).toBe('');
  });

  it('of a conversation have no attachment that lies open', async () => {
    const { memory, directory } = await newTestMemory({ keys: keysOf() });
    await memory.keys.new({ paths: ['raw/conversations/**'] });
    const message = { role: 'user', text: said, attachments: [{ name: 'a.txt', bytes: Buffer.from(secret) }] };
    const refused = { code: 'INVALID_ARGUMENT', message: expect.stringContaining('attachments/**') };
    await expect(memory.capture({ messages: [message] })).rejects.toMatchObject(refused);
    const session = await memory.startSession({ topic: 'open' });
    await expect(session.message('user', said, { attachments: message.attachments })).rejects.toMatchObject(refused);
    await session.message('user', said);
    await session.end();
    await memory.close();
    expect(tracesOf(path.join(directory, '.git'), traces, true)).toEqual([]);
  });

  it('are kept from a native commit that would store them open', async () => {
    const { memory, directory } = await newTestMemory({ keys: keysOf() });
    await memory.keys.new({ paths: ['knowledge/people/**', 'memories/**'] });
    await memory.write('knowledge/people/ana.md', `# Ana\n\n- ${secret}\n`);
    const { id } = await memory.remember({ content: secret });
    await memory.close();
    // A clone knows of no filter.
    const clone = path.join(temporaryFolder(), 'clone');
    git(directory, 'clone', '-q', directory, clone);
    fs.writeFileSync(path.join(clone, 'knowledge/people/rui.md'), `# Rui\n\n- ${secret}\n`);
    fs.mkdirSync(path.join(clone, 'knowledge/projects'), { recursive: true });
    fs.writeFileSync(path.join(clone, 'knowledge/projects/sea.md'), '# Sea\n');
    git(clone, 'add', '-A');
    const { violations } = await checkStagedIn({ dir: clone });
    expect(violations.map((violation) => violation.path)).toEqual(['knowledge/people/rui.md']);
    expect(violations[0]!.why).toContain('git memory hooks install');
    // What is encrypted may come, change place and go.
    git(clone, 'reset', '-q', '--hard');
    git(clone, 'clean', '-qfd');
    git(clone, 'mv', 'knowledge/people/ana.md', 'knowledge/people/anna.md');
    const record = git(clone, 'ls-files', 'memories').trim();
    expect(record).toContain(id!);
    git(clone, 'mv', record, 'memories/copy.json');
    expect((await checkStagedIn({ dir: clone })).violations).toEqual([]);
  });

  it('pass through a machine without the key, and what contradicts there is kept for who has it', async () => {
    const keys = keysOf();
    const { memory, directory } = await newTestMemory({ keys });
    await memory.keys.new({ paths: ['knowledge/people/**'] });
    const file = 'knowledge/people/ana.md';
    await memory.write(file, `# Ana\n\n- ${secret}\n`);
    await memory.commit();
    const remote = temporaryFolder();
    git(remote, 'init', '-q', '--bare');
    await memory.sync({ remote });
    const clone = path.join(temporaryFolder(), 'clone');
    git(remote, 'clone', '-q', '-b', 'main', remote, clone);
    const keyless = await openMemory({ dir: clone, keys: keysOf() });
    await keyless.sync();
    // It works on open files, while the private one changes.
    await keyless.write('knowledge/projects/sea.md', '# Sea\n');
    await keyless.commit();
    await memory.edit(file, secret, `${secret} one`);
    await memory.commit();
    await memory.sync();
    await keyless.sync();
    await memory.sync();
    expect(await memory.read('knowledge/projects/sea.md')).toBe('# Sea\n');
    expect(await memory.read(file)).toContain(`${secret} one`);
    // Two branches with two versions, merged where nobody can read either.
    const side = await memory.branches.open('side', { create: true });
    await side.edit(file, `${secret} one`, `${secret} side`);
    await side.close();
    await memory.edit(file, `${secret} one`, `${secret} main`);
    await memory.commit();
    await memory.sync();
    git(directory, 'push', '-q', remote, 'side');
    await keyless.sync();
    git(clone, 'fetch', '-q', 'origin', 'side:side');
    const { conflicts } = await keyless.merge('side');
    expect(conflicts).toContain(file);
    await keyless.sync();
    await keyless.close();
    await memory.sync();
    const versions = (await memory.files()).filter((name) => name.startsWith(file));
    expect(versions).toHaveLength(2);
    const texts = await Promise.all(versions.map((name) => memory.read(name)));
    expect(texts.join('\n')).toContain(`${secret} side`);
    expect(texts.join('\n')).toContain(`${secret} main`);
    await memory.close();
    for (const place of [remote, clone]) expect(tracesOf(place, traces, true)).toEqual([]);
    for (const place of [remote, clone, directory]) expect(fsck(place)).toBe('');
  });
});
