import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { newTestMemory } from '../helpers/memories.ts';
import { git, hasGit } from '../helpers/native-git.ts';
import { buildProgram, projectRoot } from '../helpers/program.ts';
import { writeDeep } from '../helpers/temporary.ts';

describe.runIf(hasGit)('what a person staged', () => {
  // One test runs the program.
  beforeAll(buildProgram);

  it('is judged by the rules of the engine: captures stay, records parse, MEMORY.md keeps its size', async () => {
    const { memory, directory } = await newTestMemory();
    const capture = await memory.capture('words that were said');
    await memory.write('knowledge/a.md', '# A\n');
    await memory.commit();
    const put = (name: string, text: string) => {
      writeDeep(path.join(directory, name), text);
    };
    put('knowledge/memory/MEMORY.md', '- line\n'.repeat(190));
    put('knowledge/a.md', '# A, by hand\n');
    put('topics/mail.md', '---\ntype: topic\n---\n# Mail\n');
    put('topics/by-hand.md', '---\ntype: topic\nactivation: manual\n---\n# By hand\n');
    put('src/code.c', 'int x;\n');
    git(directory, 'add', '-A');
    const fine = await memory.git.checkStaged();
    expect(fine.violations).toEqual([]);
    expect(fine.warnings).toEqual([
      expect.stringContaining('190 lines'),
      expect.stringContaining('topics/mail.md has no triggers'),
    ]);
    put('knowledge/memory/MEMORY.md', '- line\n'.repeat(221));
    put('memories/ab/broken.json', '{');
    fs.rmSync(path.join(directory, capture.path));
    git(directory, 'add', '-A');
    const { violations } = await memory.git.checkStaged();
    expect(violations.map((violation) => violation.path).sort()).toEqual(
      ['knowledge/memory/MEMORY.md', 'memories/ab/broken.json', capture.path].sort(),
    );
  });

  it('may hold no second file under a name that is there, composed otherwise or in capitals', async () => {
    const { memory, directory } = await newTestMemory();
    const [composed, decomposed] = ['Jos\u00e9', 'Jose\u0301'].map((name) => `knowledge/people/${name}.md`);
    const put = (name: string) => fs.writeFileSync(path.join(directory, name), `# ${name}\n`);
    fs.mkdirSync(path.join(directory, 'knowledge/people'), { recursive: true });
    put(decomposed!);
    put('knowledge/plans.md');
    git(directory, 'add', '-A');
    expect((await memory.git.checkStaged()).violations).toEqual([]);
    git(directory, 'commit', '-qm', 'by hand');
    put(composed!);
    put('knowledge/Plans.md');
    git(directory, 'add', '-A');
    const { violations } = await memory.git.checkStaged();
    expect(violations).toEqual([
      { path: 'knowledge/Plans.md', why: expect.stringContaining('one name where case is ignored') },
      { path: composed, why: expect.stringContaining('composed otherwise') },
    ]);
  });
});

it.runIf(hasGit)(
  'the pre-commit hook keeps native git from committing what breaks a rule, and lets the rest through',
  async () => {
    const { memory, directory } = await newTestMemory();
    const capture = await memory.capture('words that were said');
    await memory.git.installHooks();
    await memory.git.installHooks();
    const bin = path.join(directory, '.git/bin');
    fs.mkdirSync(bin);
    const program = path.join(projectRoot, 'dist/program/main.js');
    fs.writeFileSync(path.join(bin, 'git-memory'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, {
      mode: 0o755,
    });
    const commit = () =>
      spawnSync('git', ['-C', directory, '-c', 'user.name=P', '-c', 'user.email=p@x', 'commit', '-qam', 'by hand'], {
        encoding: 'utf8',
        env: { ...process.env, PATH: `${bin}:${process.env.PATH}`, GIT_CONFIG_GLOBAL: '/dev/null' },
      });
    const file = path.join(directory, capture.path);
    const text = fs.readFileSync(file, 'utf8');
    fs.writeFileSync(file, text.replace('were said', 'were sung'));
    const refused = commit();
    expect(refused.status).not.toBe(0);
    expect(refused.stdout + refused.stderr).toContain('never changed');
    fs.writeFileSync(file, text);
    fs.appendFileSync(path.join(directory, 'memory.yaml'), '\nname: by hand\n');
    expect(commit()).toMatchObject({ status: 0 });
    git(directory, 'switch', '-q', '--orphan', 'something-else');
    fs.writeFileSync(path.join(directory, 'notes.txt'), 'no memory here\n');
    git(directory, 'add', 'notes.txt');
    expect(commit()).toMatchObject({ status: 0 });
    fs.writeFileSync(path.join(directory, '.git/hooks/pre-commit'), '#!/bin/sh\n');
    await expect(memory.git.installHooks()).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
  },
);
