import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { newTestMemory } from '../helpers/memories.ts';
import { git, hasGit } from '../helpers/native-git.ts';

describe.runIf(hasGit)('what a person staged', () => {
  it('is judged by the rules of the engine: captures stay, records parse, MEMORY.md keeps its size', async () => {
    const { memory, directory } = await newTestMemory();
    const capture = await memory.capture('words that were said');
    await memory.write('knowledge/a.md', '# A\n');
    await memory.commit();
    const put = (name: string, text: string) => {
      fs.mkdirSync(path.dirname(path.join(directory, name)), { recursive: true });
      fs.writeFileSync(path.join(directory, name), text);
    };
    put('knowledge/memory/MEMORY.md', '- line\n'.repeat(190));
    put('knowledge/a.md', '# A, by hand\n');
    put('src/code.c', 'int x;\n');
    git(directory, 'add', '-A');
    const fine = await memory.checkStaged();
    expect(fine.violations).toEqual([]);
    expect(fine.warnings).toEqual([expect.stringContaining('190 lines')]);
    put('knowledge/memory/MEMORY.md', '- line\n'.repeat(221));
    put('memories/ab/broken.json', '{');
    fs.rmSync(path.join(directory, capture.path));
    git(directory, 'add', '-A');
    const { violations } = await memory.checkStaged();
    expect(violations.map((violation) => violation.path).sort()).toEqual(
      ['knowledge/memory/MEMORY.md', 'memories/ab/broken.json', capture.path].sort(),
    );
    memory.dispose();
  });
});
