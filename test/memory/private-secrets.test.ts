// Secrets in private texts: kept where they are encrypted, quoted nowhere else, and judged anew before they come to lie open.

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openMemory } from '../../src/memory/open-memory.ts';
import { keysOf, newTestMemory } from '../helpers/memories.ts';
import { git, hasGit, tryGit } from '../helpers/native-git.ts';
import { buildProgram, programEnvironment } from '../helpers/program.ts';
import { temporaryFolder } from '../helpers/temporary.ts';
import { Dice } from '../store/guard/made-secrets.ts';

const secret = `ghp_${new Dice(7).key(36)}`;

/** Where a secret stands: files of the git directory, objects, and files of the work tree that are not private. */
function placesOf(directory: string, isPrivate: (path: string) => boolean): string[] {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !isPrivate(file.slice(directory.length + 1)))
    .filter((file) => readFileSync(file, 'latin1').includes(secret));
  const { stdout } = spawnSync('git', ['-C', directory, 'cat-file', '--batch-all-objects', '--batch', '--buffer'], {
    encoding: 'latin1',
    maxBuffer: 1 << 28,
  });
  return [...files, ...stdout.split('\n').filter((line) => line.includes(secret))];
}

async function newPrivate(paths: readonly string[]) {
  const keys = keysOf();
  const made = await newTestMemory({ keys });
  await made.memory.keys.new({ paths });
  return { ...made, keys };
}

const person = 'knowledge/people/ada.md';

describe.skipIf(!hasGit)('secrets of private texts', () => {
  beforeAll(buildProgram, 120_000);

  it('are kept, whatever writes them, and stand nowhere but there', async () => {
    const paths = ['raw/**', 'memories/**', 'ledger/**', 'knowledge/**'];
    const { memory, directory } = await newPrivate(paths);
    const said = `the key is ${secret} for now`;
    expect(await memory.write(person, `# Ada\n\n- ${said}\n`)).not.toHaveProperty('redacted');
    await memory.edit(person, 'for now', `or ${secret} for ever`);
    const { id } = await memory.remember({ content: said, tags: ['keys'] });
    const note = await memory.note(said);
    const event = await memory.ledger.add({ type: 'decision', content: said } as never);
    const captured = await memory.capture({ messages: [{ role: 'user', text: said }], topic: said });
    const json = await memory.captureText(JSON.stringify([{ role: 'user', content: said }]));
    const session = await memory.startSession({ topic: said });
    await session.message('user', said);
    await session.toolCall('env', said, said);
    const ended = await session.end();
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'keys.md'), `# Keys\n\n- ${said}\n`);
    const imported = await memory.import(folder, { as: 'markdown' });
    expect(imported.left).toEqual([]);
    await memory.commit();
    for (const path of [
      person,
      note.path,
      event.path,
      captured.path,
      json[0]!.path,
      ended.path,
      ...imported.items.map((one) => one.path).filter((file) => file.endsWith('keys.md')),
    ]) {
      expect(await memory.read(path), path).toContain(secret);
    }
    expect((await memory.get(id!)).content).toBe(said);
    await memory.extract();
    await memory.maintenance.run({ force: true });
    await memory.maintenance.night();
    await memory.recall('the key');
    await memory.context('which key do we use');
    await memory.commit();
    const answers = [note, captured, json, ended, await memory.log({ limit: 200 }), await memory.status()];
    expect(JSON.stringify(answers)).not.toContain(secret);
    await memory.close();
    const isPrivate = (path: string) => /^(?:archive\/)?(?:raw|memories|ledger|knowledge)\//.test(path);
    expect(placesOf(directory, isPrivate)).toEqual([]);
  }, 600_000);

  it('are taken out of an open text beside them as ever', async () => {
    const { memory, directory } = await newPrivate(['knowledge/people/**']);
    const { redacted } = await memory.write('knowledge/keys.md', `# Keys\n\n- ${secret}\n`);
    expect(redacted).toHaveLength(1);
    await memory.note(`it is ${secret}`);
    await memory.remember(`it is ${secret}`);
    await memory.capture(`it is ${secret}`);
    await memory.close();
    expect(placesOf(directory, () => false)).toEqual([]);
  });

  it('go with a file that moves: to a private place as they are, to another one only when asked, and without them', async () => {
    const { memory, directory } = await newPrivate(['knowledge/people/**', 'knowledge/entities/**']);
    const words = `# Ada\n\n- ${secret}\n- Vollmondquitte\n`;
    await memory.write(person, words);
    await memory.commit();
    const refused = { code: 'PRIVATE_OPEN', message: expect.stringContaining(person) };
    await expect(memory.move(person, 'knowledge/projects/ada.md')).rejects.toMatchObject(refused);
    await expect(memory.move('knowledge/people', 'knowledge/projects/people')).rejects.toMatchObject(refused);
    await memory.move('knowledge/people', 'knowledge/entities/people');
    expect(await memory.read('knowledge/entities/people/ada.md')).toBe(words);
    const moved = await memory.move('knowledge/entities/people/ada.md', 'knowledge/projects/ada.md', { plain: true });
    expect(moved.redacted).toHaveLength(1);
    await memory.commit();
    const text = git(directory, 'show', 'HEAD:knowledge/projects/ada.md');
    expect(text).toContain('Vollmondquitte');
    expect(text).not.toContain(secret);
    await memory.move('knowledge/projects/ada.md', person);
    await memory.close();
    expect(placesOf(directory, (path) => path.startsWith('knowledge/people/'))).toEqual([]);
  });

  it('are not exported into the work tree, where the next commit would find them', async () => {
    const { memory, directory } = await newPrivate(['knowledge/people/**', 'memories/**']);
    await memory.write(person, `# Ada\n\n- ${secret}\n`);
    await memory.remember(`it is ${secret}`);
    await memory.write('knowledge/projects/sea.md', '# Sea\n');
    await memory.commit();
    for (const as of ['markdown', 'jsonl', 'memories', 'facts'] as const) {
      const refused = { code: 'PRIVATE_OPEN' };
      await expect(memory.export(join(directory, 'knowledge/copy'), { as }), as).rejects.toMatchObject(refused);
      expect((await memory.export(temporaryFolder(), { as })).files.length).toBeGreaterThan(0);
    }
    const path = 'knowledge/projects';
    expect((await memory.export(join(directory, 'copy'), { as: 'markdown', path })).files).toHaveLength(1);
    await memory.close();
    expect(placesOf(directory, (file) => file.startsWith('knowledge/people/') || file.startsWith('memories/'))).toEqual(
      [],
    );
  });

  it('keep their path from being opened, by whatever means', async () => {
    const { memory, directory, keys } = await newPrivate(['knowledge/people/**']);
    await memory.write(person, `# Ada\n\n- ${secret}\n`);
    await memory.commit();
    const refused = { code: 'SECRET', message: expect.stringContaining(person) };
    await memory.configure({ private: undefined });
    await expect(memory.commit()).rejects.toMatchObject(refused);
    await memory.configure({ private: ['knowledge/people/**'] });
    await memory.commit();
    const isPrivate = (path: string) => path.startsWith('knowledge/people/');
    expect(placesOf(directory, isPrivate)).toEqual([]);
    // A person's edit of memory.yaml is left aside and named.
    const configuration = join(directory, 'memory.yaml');
    const rule = readFileSync(configuration, 'utf8');
    writeFileSync(configuration, rule.replace('knowledge/people', 'knowledge/peoples'));
    await memory.close();
    let again = await openMemory({ dir: directory, keys, durability: 'fast' });
    expect(git(directory, 'show', 'HEAD:memory.yaml')).toBe(rule);
    // Committed by native git the rule holds; the file stays encrypted, and who writes it anew is refused.
    const environment = programEnvironment({ GIT_MEMORY_KEY: keys.texts[0]!, XDG_CONFIG_HOME: temporaryFolder() });
    expect(tryGit(directory, ['commit', '-qm', 'no more', 'memory.yaml'], undefined, environment).status).toBe(0);
    await again.close();
    again = await openMemory({ dir: directory, keys, durability: 'fast' });
    await expect(again.edit(person, '# Ada', '# Ada Lovelace')).rejects.toMatchObject(refused);
    const { skipped } = await again.commit();
    expect(skipped).toMatchObject([{ path: person, why: expect.stringContaining('secret') }]);
    await again.close();
    expect(placesOf(directory, isPrivate)).toEqual([]);
    tryGit(directory, ['memory', 'hooks', 'install'], undefined, environment);
    const commit = tryGit(directory, ['commit', '-am', 'open'], undefined, environment);
    expect([commit.status, `${commit.stderr}${commit.stdout}`]).toEqual([1, expect.stringContaining(person)]);
    expect(commit.stderr + commit.stdout).not.toContain(secret);
  }, 600_000);
});
