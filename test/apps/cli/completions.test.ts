// Completions as shells run them: bash with git's own completion loaded, zsh and fish where they are installed.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { commandOf } from '../../../src/apps/verbs/groups.ts';
import { verbTable } from '../../../src/apps/verbs/index.ts';
import { git, hasGit } from '../../helpers/native-git.ts';
import { buildProgram, runProgram } from '../../helpers/program.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const gitCompletion = [
  '/usr/share/bash-completion/completions/git',
  '/usr/local/share/bash-completion/completions/git',
  '/etc/bash_completion.d/git-completion.bash',
].find((path) => existsSync(path));

const has = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;

let folder: string;
const scripts: Record<string, string> = {};
beforeAll(async () => {
  await buildProgram();
  folder = temporaryFolder();
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { status, stdout } = await runProgram(folder, ['completions', shell]);
    expect(status).toBe(0);
    scripts[shell] = join(folder, `completion.${shell}`);
    writeFileSync(scripts[shell]!, stdout);
    for (const word of verbTable.flatMap(({ name }) => commandOf(name).split(' '))) expect(stdout).toContain(word);
  }
});

/** Lets bash complete a line, the last word being written, and gives what it offers. */
function offered(words: readonly string[], call: string): string[] {
  const quoted = words.map((word) => `'${word}'`).join(' ');
  const script = [
    ...(gitCompletion === undefined ? [] : [`source '${gitCompletion}'`]),
    `source '${scripts.bash}'`,
    `COMP_WORDS=(${quoted}) COMP_CWORD=${words.length - 1} COMP_LINE='${words.join(' ')}'`,
    `COMP_POINT=\${#COMP_LINE}; ${call}; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ].join('\n');
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], { cwd: folder, encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
}

const rows: readonly (readonly [words: readonly string[], expected: readonly string[]])[] = [
  [['reca'], ['recall ']],
  [['recall', '--mo'], ['--mode ']],
  [
    ['recall', '--mode', ''],
    ['lexical ', 'vector ', 'hybrid '],
  ],
  [['recall', '--limit', '3', '--mode', 'v'], ['vector ']],
  [
    ['topics', 't'],
    ['test ', 'turn ', 'tune '],
  ],
  [
    ['ledger', 'l'],
    ['list ', 'loops '],
  ],
  [['ledger', 'add', '--prio'], ['--priority ']],
  [['ledger', 'add', '--type', 'pref'], ['preference ']],
  [['help', 'prov'], ['provenance ']],
  [['context', 'pack', '--w'], ['--why ']],
  [['context', 'where', '--tok'], ['--tokens ']],
  [['--dir', 'elsewhere', 'recal'], ['recall ']],
  // Nothing of ours: files, which the shell offers.
  [['capture', ''], []],
];

describe('bash', () => {
  it.each(rows)('completes git-memory %j', (words, expected) => {
    expect(offered(['git-memory', ...words], '__git_memory_program')).toEqual(expected);
  });

  it.skipIf(gitCompletion === undefined)('completes git memory through the completion of git', () => {
    for (const [words, expected] of rows) {
      expect(offered(['git', 'memory', ...words], '__git_wrap__git_main')).toEqual(expected);
      expect(offered(['git', '-C', '.', 'memory', ...words], '__git_wrap__git_main')).toEqual(expected);
    }
    expect(offered(['git', 'memory', 'recall', '--mode=le'], '__git_wrap__git_main')).toEqual(['--mode=lexical ']);
  });

  it.skipIf(!hasGit)('offers branches and tags where a state is meant', () => {
    git(folder, 'init', '-q', '-b', 'main');
    git(folder, 'commit', '-q', '--allow-empty', '-m', 'begin');
    git(folder, 'tag', 'memory/milestone/move');
    for (const words of [
      ['log', '--at', ''],
      ['diff', ''],
    ]) {
      expect(offered(['git-memory', ...words], '__git_memory_program')).toEqual(['main ', 'memory/milestone/move ']);
    }
  });
});

describe.each(['zsh', 'fish'])('%s', (shell) => {
  it.skipIf(!has(shell))('reads its script', () => {
    expect(spawnSync(shell, ['-n', scripts[shell]!], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  });
});

describe.skipIf(!has('fish'))('fish', () => {
  it.each(rows.slice(0, 4))('completes git memory %j', (words, expected) => {
    const line = `source '${scripts.fish}'; complete -C 'git memory ${words.join(' ')}'`;
    const { stdout } = spawnSync('fish', ['-N', '-c', line], { cwd: folder, encoding: 'utf8' });
    const told = stdout.split('\n').map((one) => `${one.split('\t')[0]} `);
    expect(told).toEqual(expect.arrayContaining([...expected]));
  });
});

it('installed completions stand where the shell looks for them, and bash finds them as git does', async () => {
  const home = temporaryFolder();
  const places = {
    bash: '.local/share/bash-completion/completions/git-memory',
    zsh: '.zfunc/_git-memory',
    fish: '.config/fish/completions/git-memory.fish',
  };
  for (const [shell, place] of Object.entries(places)) {
    const environment = { HOME: home, XDG_DATA_HOME: '', XDG_CONFIG_HOME: '', ZDOTDIR: '' };
    const { status, stdout } = await runProgram(folder, ['completions', shell, '--install'], { env: environment });
    expect([status, stdout.split('\n')[0]]).toEqual([0, join(home, place)]);
    expect(readFileSync(join(home, place), 'utf8')).toBe(readFileSync(scripts[shell]!, 'utf8'));
  }
  const { stdout } = spawnSync(
    'bash',
    ['--norc', '-c', `source '${join(home, places.bash)}'; declare -F _git_memory`],
    {
      encoding: 'utf8',
    },
  );
  expect(stdout.trim()).toBe('_git_memory');
});
