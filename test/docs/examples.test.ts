// The programs in examples/, run as a reader runs them: real processes, and what they print compared with what their page shows.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, it } from 'vitest';
import { hasGit } from '../helpers/native-git.ts';
import { differenceOf, runToEnd } from '../helpers/pages.ts';
import { buildProgram, programEnvironment, projectRoot } from '../helpers/program.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

beforeAll(buildProgram);

const examples = join(projectRoot, 'examples');
const page = readFileSync(join(examples, 'README.md'), 'utf8');
const shown = [...page.matchAll(/^## \[(.+)\]\(\1\)\n[\s\S]*?^```output\n([\s\S]*?)^```$/gm)].map(
  ([, name, output]) => ({ name: name!, output: output! }),
);
const helpers = ['README.md', 'scratch.mjs', 'stand-in-model.mjs'];

describe.concurrent('the examples', () => {
  it('all stand on their page', ({ expect }) => {
    expect([...shown.map(({ name }) => name), ...helpers].sort()).toEqual(readdirSync(examples).sort());
  });

  it.for(shown)('print what their page shows: $name', async ({ name, output }, { expect, skip }) => {
    const isScript = name.endsWith('.sh');
    skip(isScript && !hasGit, 'needs git');
    const folder = temporaryFolder();
    const env = { ...programEnvironment(), TMPDIR: folder };
    const { status, stdout, stderr } = await runToEnd(
      isScript ? 'bash' : process.execPath,
      [join(examples, name)],
      folder,
      env,
    );
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    const difference = differenceOf(stdout, output, folder);
    expect(difference?.printed).toBe(difference?.shown);
    // Nothing is left behind.
    expect(readdirSync(folder).filter((entry) => entry.startsWith('git-memory-example-'))).toEqual([]);
  });
});
