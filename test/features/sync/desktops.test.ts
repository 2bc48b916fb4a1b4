// One memory that is written by turns on Linux, on macOS and on Windows, and goes round through one remote.

import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { type Memory, openMemory } from '../../../src/memory/open-memory.ts';
import { bareRepository } from '../../helpers/git-server.ts';
import { macFileSystem } from '../../helpers/mac-fs.ts';
import { fsck, git, hasGit } from '../../helpers/native-git.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

/** One name, as three systems may hand it over: composed, decomposed, and of both. */
const forms = { linux: 'Caf\u00e9-\u00dcbung', mac: 'Cafe\u0301-U\u0308bung', windows: 'Caf\u00e9-U\u0308bung' };
const composed = forms.linux;
type Desktop = keyof typeof forms;
const desktops = Object.keys(forms) as Desktop[];

it.skipIf(!hasGit)(
  'a memory on three desktops ends as one tree, with nothing lost, whatever the form of names, their case and the ends of lines',
  async () => {
    const remote = path.join(temporaryFolder(), 'remote.git');
    bareRepository(remote);
    const folders = Object.fromEntries(desktops.map((name) => [name, temporaryFolder()])) as Record<Desktop, string>;
    const open = (name: Desktop): Promise<Memory> =>
      openMemory({
        dir: folders[name],
        create: true,
        durability: 'fast',
        ...(name === 'mac' ? { fs: macFileSystem() } : {}),
      });
    const sync = async (memory: Memory) => {
      expect(await memory.sync({ remote })).toMatchObject({ state: 'synced', conflicts: [] });
    };
    /** Edits a file in the work tree as an editor of that desktop saves it. */
    const editByHand = (name: Desktop, file: string, line: string) => {
      const found = path.join(folders[name], file);
      const text = `${fs.readFileSync(found, 'utf8').replaceAll('\r\n', '\n')}${line}\n`;
      fs.writeFileSync(found, name === 'windows' ? text.replaceAll('\n', '\r\n') : text);
    };
    const said: string[] = [];
    for (const name of desktops) {
      const memory = await open(name);
      // What Git for Windows sets where it is installed.
      if (name === 'windows') git(folders.windows, 'config', 'core.autocrlf', 'true');
      await sync(memory);
      await memory.close();
    }
    for (let round = 0; round < 2; round += 1) {
      for (const name of desktops) {
        const memory = await open(name);
        await sync(memory);
        const sentence = `On ${name} in round ${round} the kettle is ${round + 3} years old`;
        await memory.remember(sentence);
        said.push(sentence);
        // The same file on all of them, each by its own form of the name.
        const line = `- ${name} ${round}`;
        const file = `knowledge/${forms[name]}.md`;
        const before = await memory.read(file).catch(() => '# Caf\u00e9\n');
        await memory.write(file, `${before}${line}\n`);
        await memory.write(`knowledge/${name}/${forms[name]}-${round}.md`, `# ${name} ${round}\n`);
        await memory.capture(`It rains on ${name} in round ${round}.`);
        await memory.commit();
        editByHand(name, `knowledge/${composed}.md`, `- by hand on ${name} ${round}`);
        await memory.commit();
        await sync(memory);
        await memory.close();
      }
    }
    const trees = new Set<string>();
    for (const name of desktops) {
      const memory = await open(name);
      await sync(memory);
      trees.add(git(folders[name], 'rev-parse', 'HEAD^{tree}').trim());
      const text = await memory.read(`knowledge/${composed}.md`);
      // Bytes are as they were saved: .gitattributes has no git convert them, and merges take CRLF for a line end.
      expect(
        text
          .split(/\r?\n/)
          .filter((line) => line.startsWith('- '))
          .toSorted(),
      ).toEqual(
        [0, 1]
          .flatMap((round) => desktops.flatMap((one) => [`- ${one} ${round}`, `- by hand on ${one} ${round}`]))
          .toSorted(),
      );
      for (const form of Object.values(forms)) expect(await memory.read(`knowledge/${form}.md`)).toBe(text);
      // A name that differs in case alone would be one file on two of the three.
      await expect(memory.write(`knowledge/${composed.toUpperCase()}.md`, '# Other\n')).rejects.toMatchObject({
        code: 'INVALID_PATH',
      });
      for (const sentence of said)
        expect((await memory.recall(sentence, { limit: 3 })).hits.map(({ snippet }) => snippet)).toContain(sentence);
      await memory.close();
      expect(git(folders[name], 'status', '--porcelain')).toBe('');
      expect(fsck(folders[name])).toBe('');
    }
    expect(trees.size).toBe(1);
    const files = git(remote, '-c', 'core.quotePath=false', 'ls-tree', '-r', '--name-only', 'HEAD').split('\n');
    expect(files.filter((file) => file.startsWith('raw/')).length).toBeGreaterThan(0);
    for (const file of files) expect(file).toBe(file.normalize('NFC'));
    expect(files.filter((file) => /^knowledge\/\w+\//.test(file))).toHaveLength(6);
    expect(fsck(remote)).toBe('');
  },
);
