// The dry run of beginning a memory: it writes nothing, and what it tells is what beginning then makes.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openMemory } from '../../src/memory/open-memory.ts';
import { type PlanOptions, planMemory } from '../../src/memory/plan-memory.ts';
import { commitAll, git, newRepository } from '../helpers/native-git.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

const everything = (folder: string): string[] =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return `${file} ${fs.lstatSync(file).mtimeMs} ${entry.isFile() ? fs.readFileSync(file, 'hex') : ''}`;
    })
    .sort();

function codeRepository(): string {
  const folder = newRepository();
  fs.writeFileSync(path.join(folder, 'CHANGELOG.md'), '# Changes\n');
  commitAll(folder, 'code');
  return folder;
}

function folderWithKnowledge(): string {
  const folder = temporaryFolder();
  fs.mkdirSync(path.join(folder, 'knowledge/people'), { recursive: true });
  fs.writeFileSync(path.join(folder, 'knowledge/people/ada.md'), '# Ada\n');
  fs.writeFileSync(path.join(folder, '.gitignore'), 'mine\n');
  return folder;
}

const cases: readonly (readonly [string, () => string, Omit<PlanOptions, 'dir'>])[] = [
  ['an empty folder', temporaryFolder, {}],
  ['a bare one', temporaryFolder, { placement: 'bare' }],
  ['a folder with files of a memory', folderWithKnowledge, { files: 3 }],
  ['a branch of its own', codeRepository, {}],
  ['beside the code', codeRepository, { placement: 'project', files: 5 }],
  ['another branch', temporaryFolder, { branch: 'notes' }],
];

describe('the plan of a memory', () => {
  it.each(cases)('is what is made: %s', async (_, make, options) => {
    const folder = make();
    const before = everything(folder);
    const plan = await planMemory({ dir: folder, ...options });
    expect(everything(folder)).toEqual(before);
    const { files, ...place } = options;
    const memory = await openMemory({ dir: folder, create: true, durability: 'fast', ...place });
    const deployed = files === undefined ? [] : (await memory.project.deploy(files)).written;
    const { directory, placement, branch } = await memory.status();
    expect(plan).toMatchObject({ directory, placement, branch, exists: false });
    const made = git(folder, 'log', '--diff-filter=A', '--name-only', '--format=', branch).trim().split('\n');
    const own = made.filter((file) => !plan.adopts.some((root) => file === root || file.startsWith(`${root}/`)));
    expect([...new Set([...own, ...deployed])].filter((file) => file !== 'CHANGELOG.md' || files === 3).sort()).toEqual(
      [...plan.files].sort(),
    );
    if (plan.adopts.length > 0) expect(made).toContain('knowledge/people/ada.md');
    if (plan.repository !== null) expect(fs.existsSync(path.join(plan.repository, 'HEAD'))).toBe(true);
    await memory.close();
    expect(await planMemory({ dir: folder, ...place })).toMatchObject({ exists: true, repository: null, files: [] });
  });

  it('refuses what beginning refuses, and makes nothing then', async () => {
    const folder = temporaryFolder();
    const refused = (options: Omit<PlanOptions, 'dir'>) => expect(planMemory({ dir: folder, ...options })).rejects;
    await refused({ placement: 'branch' }).toMatchObject({ code: 'NOT_A_REPOSITORY' });
    await refused({ branch: 'a..b' }).toMatchObject({ code: 'INVALID_REF' });
    expect(fs.readdirSync(folder)).toEqual([]);
  });
});
