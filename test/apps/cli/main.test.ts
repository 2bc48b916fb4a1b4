// The command line as people and scripts meet it: exit numbers, what stands on which stream, pipes, git as the caller.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { subjects, verbGroups } from '../../../src/apps/verbs/groups.ts';
import { begunBy } from '../../helpers/begun.ts';
import { blemishes, commitAll, fsck, git, hasGit, newRepository } from '../../helpers/native-git.ts';
import { buildProgram, programEnvironment, programPath, runHere, runProgram } from '../../helpers/program.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';
import { transcript } from '../verbs/context.ts';

beforeAll(buildProgram);

/** Makes a folder with a memory in it. */
async function memoryFolder(): Promise<string> {
  const folder = temporaryFolder();
  expect(await runHere(folder, ['init'])).toMatchObject({ status: 0, stderr: '' });
  return folder;
}

it('shows each time as a clock of the memory does, and JSON as it is', async () => {
  const folder = await memoryFolder();
  writeFileSync(join(folder, 'memory.yaml'), 'timezone: America/Lima\n');
  const file = join(folder, '..', 'late.json');
  writeFileSync(
    file,
    JSON.stringify([{ role: 'user', text: 'My brother Tadeo repairs cellos.', time: '2026-03-04T03:30:00Z' }]),
  );
  const said = async (...words: string[]) => (await runHere(folder, words)).stdout;
  await said('capture', file);
  await said('extract');
  const [, id = ''] = /"id": "([0-9a-f]{8,})"/.exec(await said('list', '--json')) ?? [];
  expect(await said('provenance', id)).toContain('2026-03-03 22:30');
  expect(await said('provenance', id, '--json')).toContain('2026-03-04T03:30:00Z');
  expect(await said('recall', 'cellos')).toContain('2026-03-03 22:30');
  const { time } = JSON.parse(await said('status', '--json')) as { time: string };
  const clock = new Date(Date.parse(time) - 5 * 3_600_000).toISOString().slice(0, 16).replace('T', ' ');
  for (const words of [['status'], ['log', '--limit', '1'], ['learned', 'Tadeo']])
    expect(await said(...words), words[0]).toContain(clock.slice(0, 13));
});

describe('help', () => {
  it('lists every verb in a line of its own, and the exit numbers', async () => {
    const { status, stdout } = await runProgram(temporaryFolder(), ['help']);
    expect(status).toBe(0);
    for (const name of verbGroups.flatMap((group) => group.verbs))
      expect(stdout).toMatch(new RegExp(`^  ${name} +[A-Z]`, 'm'));
    const words = Object.values(subjects).flatMap((subject) => Object.keys(subject.verbs));
    for (const word of words) expect(stdout).toMatch(new RegExp(`^ {10,}.*\\b${word}\\b`, 'm'));
    expect(stdout).toContain('  2  wrong usage');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('of help is the list', async () => {
    const folder = temporaryFolder();
    const list = await runHere(folder, ['help']);
    expect(await runHere(folder, ['help', 'help'])).toEqual(list);
    expect(list).toMatchObject({ status: 0, stdout: expect.stringContaining('Begin') });
  });

  it('shows a verb with its example', async () => {
    const { status, stdout } = await runProgram(temporaryFolder(), ['help', 'recall']);
    expect(status).toBe(0);
    expect(stdout).toContain('Example:\n  git memory recall');
    expect(stdout).toContain('--at <when>');
    expect(stdout).not.toContain('--dry-run');
  });

  it('shows what goes with a noun, and the rest of many options when asked', async () => {
    const folder = temporaryFolder();
    expect((await runHere(folder, ['help', 'ledger'])).stdout).toMatch(
      /^ {2}ledger loops {2}List promises that are still open/m,
    );
    expect((await runHere(folder, ['help', 'topics'])).stdout).toMatch(/^ {2}topics tune {2}Propose/m);
    expect(await runHere(folder, ['project'])).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('<boot|'),
    });
    expect((await runHere(folder, ['help', 'ledger', 'add'])).stdout).not.toContain('--memory');
    expect((await runHere(folder, ['help', 'ledger', 'add', '--all'])).stdout).toContain('--memory');
  });

  it('names the words of a verb beside it, and takes what else stands there for what the verb is given', async () => {
    const folder = await memoryFolder();
    expect((await runHere(folder, ['help', 'context'])).stdout).toMatch(/^ {2}context replay {2}Rebuild what/m);
    expect((await runHere(folder, ['context', '--help'])).stdout).toContain('context pack');
    const answers = async (...words: string[]) => (await runHere(folder, ['context', ...words])).stdout.trim();
    expect(await answers('--json', 'pack')).toContain('"lines"');
    expect(await answers('pack', 'my', 'bags')).toContain('pack my bags');
    expect((await runHere(folder, ['context', '--topic', 'pack', 'hello'])).stderr).toContain('no topic');
    expect(await answers('--', 'pack')).toContain('<message>\npack\n</message>');
    expect(await runHere(folder, ['help', 'context', 'pakc'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('Did you mean pack?'),
    });
    expect((await runHere(folder, ['session-start'])).stderr).toContain('is `git memory context start` now');
  });

  it('answers to the names that verbs had, with those they have', async () => {
    const folder = await memoryFolder();
    const told = await runHere(folder, ['event', '--memory', 'x', 'Ada keeps the keys', '--json']);
    expect(told).toMatchObject({ status: 0, stderr: 'warning: "event" is `git memory ledger add` now\n' });
    expect((await runHere(folder, ['ledger'])).stdout).toContain('Ada keeps the keys');
    expect(await runHere(folder, ['knowledge', '--all'])).toMatchObject({ status: 0, stderr: '' });
    expect(await runHere(folder, ['file', 'write', 'knowledge/people/ada.md', '# Ada'])).toMatchObject({ status: 0 });
    expect(await runHere(folder, ['knowledge', 'knowledge/people/ada.md'])).toMatchObject({ status: 0, stderr: '' });
    expect(await runHere(folder, ['topics', 'new', 'tea', '--word', 'kettle'])).toMatchObject({
      status: 0,
      stderr: '',
    });
    expect((await runHere(folder, ['topics', 'test', 'the kettle boils'])).stdout).toContain('tea');
    expect((await runHere(folder, ['experiment'])).stdout).toContain('no experiments');
    expect((await runHere(folder, ['help', 'nightly'])).stdout).toContain('git memory maintain night');
  });

  it('is the answer to no verb at all, as wrong usage', async () => {
    expect(await runProgram(temporaryFolder(), [])).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('Usage:'),
    });
  });

  it('prints the version', async () => {
    expect((await runProgram(temporaryFolder(), ['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('does not load the engine', () => {
    const texts = begunBy(temporaryFolder(), ['help']);
    expect(texts.some((text) => text.includes('git memory recall'))).toBe(true);
    expect(texts.filter((text) => hasClass(text, 'ObjectDatabase|BranchStore|MiniSearch'))).toEqual([]);
  });

  it('loads one verb where one is meant', () => {
    const texts = begunBy(temporaryFolder(), ['--dir', 'undo', 'help', 'recall']).join('\n');
    expect(texts).toContain('why is a journal needed');
    expect(texts).not.toContain('what undo would take back');
    expect(begunBy(temporaryFolder(), ['--version']).join('\n')).not.toContain('why is a journal needed');
  });
});

function hasClass(text: string, names: string): boolean {
  return new RegExp(`\\b(${names}) ?= ?class\\b|class (${names})\\b`).test(text);
}

describe('a wrong line', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await memoryFolder();
    await runProgram(folder, ['file', 'write', 'knowledge/people/ada.md', 'Ada']);
    await runProgram(folder, ['remember', 'tea is served at five']);
  });

  it.each([
    [['recal', 'x'], 2, 'Did you mean recall?'],
    [['serch', 'tea'], 2, 'Did you mean recall?'],
    [['nonsense'], 2, 'there is no verb "nonsense". See `git memory help`'],
    [['help', 'stauts'], 2, 'Did you mean status?'],
    [['when', 'is', 'tea'], 2, '`git memory recall when is tea`'],
    [['recall', 'x', '--mode', 'lexcal'], 2, 'mode is lexical, vector or hybrid, not lexcal. Did you mean lexical?'],
    [['topics', 'lst'], 2, 'Did you mean list?'],
    [['remember', 'x', '--kind', 'fact'], 2, 'Did you mean --category?'],
    [['ledger', 'chekc'], 2, 'Did you mean check?'],
    [['project', 'tasks'], 2, 'Did you mean task?'],
    [['topics', 'rate', 'x', '--apply'], 2, 'git memory help topics rate'],
    [['list', '--at', 'mian'], 3, 'Did you mean main?'],
    [['show', 'knowledge/ada.md'], 3, 'Did you mean knowledge/people/ada.md?'],
    [['show', 'knowledge/people/aad.md'], 3, 'Did you mean knowledge/people/ada.md?'],
    [['record', 'touch', 'tea is'], 3, '(tea is served at five)?'],
    [['maintain', 'consolidat'], 2, 'Did you mean consolidate?'],
    [['recall', 'x', '--lmit', '3'], 2, 'Did you mean --limit?'],
    [['recall', 'x', '--limit', '0'], 2, 'limit'],
    [['recall', 'x', '--limit', 'many'], 2, 'limit'],
    [['recall'], 2, 'git memory help recall'],
    [['recall', ''], 2, 'empty'],
    [['record', 'touch', 'a', 'b'], 2, 'too many arguments'],
    [['remember', '--at', '2026-11-02', 'x'], 2, 'another time'],
    [['--at', '2026-11-02', 'remember', 'x'], 2, 'another time'],
    [['recall', 'x', '--since', '2026-02-30'], 2, '2026-02-30'],
    [['recall', 'x', '--at', '1999-01-01'], 3, 'no commit by'],
    [['show', '../../etc/passwd'], 2, 'dot segment'],
    [['show', 'nothing'], 3, 'no memory'],
    [['file', 'write', '.git/config', 'x'], 2, 'git directory'],
    [['capture', 'missing.md'], 3, 'missing.md'],
    [['capture', '.'], 10, 'folder'],
    [['undo', 'deadbeef'], 3, 'deadbeef'],
  ] as const)('%j ends with %i and says %s', async (args, status, words) => {
    const tip = readFileSync(join(folder, '.git/refs/heads/main'), 'utf8');
    // A file is looked for where a program stands.
    const result = await (args[0] === 'capture' ? runProgram : runHere)(folder, args);
    expect(result).toMatchObject({ status, stdout: '' });
    expect(result.stderr).toContain(words);
    expect(result.stderr).toMatch(/^error: .*\n$/);
    expect(readFileSync(join(folder, '.git/refs/heads/main'), 'utf8')).toBe(tip);
  });

  it('is answered where there is no memory, with the next step', async () => {
    const empty = temporaryFolder();
    const nowhere = await runProgram(empty, ['status']);
    expect(nowhere).toMatchObject({ status: 4, stderr: expect.stringContaining('git memory init') });
    expect((await runProgram('/', ['--dir', join(empty, 'gone'), 'status'])).status).toBe(4);
  });

  it('is answered in JSON on standard error when JSON was asked for', async () => {
    for (const args of [
      ['status', '--json'],
      ['recall', '--json'],
      ['--json', 'nothing'],
    ]) {
      const { status, stdout, stderr } = await runProgram(temporaryFolder(), args);
      expect(status).not.toBe(0);
      expect(stdout).toBe('');
      expect(JSON.parse(stderr)).toMatchObject({
        error: { code: expect.stringMatching(/^[A-Z_]+$/), what: expect.any(String) },
      });
    }
  });

  it('names a file that is not text or cannot be read', async () => {
    const outside = temporaryFolder();
    writeFileSync(join(outside, 'x.bin'), Buffer.from([0xff, 0xfe, 0x00]));
    const bytes = await runProgram(folder, ['capture', join(outside, 'x.bin')]);
    expect(bytes).toMatchObject({ status: 7, stderr: expect.stringContaining('.bin') });
    // A link to itself is unreadable for everybody, root included. Windows lets few make links.
    if (process.platform === 'win32') return;
    symlinkSync('loop.txt', join(folder, 'loop.txt'));
    expect(await runProgram(folder, ['capture', 'loop.txt'])).toMatchObject({
      status: 10,
      stderr: expect.stringContaining('loop.txt'),
    });
  });
});

describe('writing', () => {
  it('is committed when the process ends, and shows the commit', async () => {
    const folder = await memoryFolder();
    const { stdout, status } = await runProgram(folder, [
      'remember',
      ...['Ada', 'prefers', 'tea', '--tag', 'tea', '--category', 'preference'],
    ]);
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /^remembered {2}\S+ {2}memories\/\S+\.json {2}preference\n[0-9a-f]{7} {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}memory: /,
    );
    const told = JSON.parse((await runProgram(folder, ['remember', '--json', 'Bob prefers coffee'])).stdout);
    expect(told).toMatchObject({
      id: expect.any(String),
      pending: false,
      commit: expect.stringMatching(/^[0-9a-f]{40}$/),
    });
    expect(JSON.parse((await runProgram(folder, ['status', '--json'])).stdout)).toMatchObject({
      memories: 2,
      pending: [],
      commit: told.commit,
    });
  });

  it('stays durable and says so while another program holds the git index', async () => {
    const folder = await memoryFolder();
    const lock = join(folder, '.git/index.lock');
    writeFileSync(lock, '');
    const told = await runProgram(folder, ['remember', '--json', 'tea is served at five']);
    expect(told.status).toBe(0);
    expect(JSON.parse(told.stdout)).toMatchObject({ pending: true, commit: null });
    const refused = await runProgram(folder, ['commit']);
    expect(refused).toMatchObject({ status: 6, stderr: expect.stringContaining('index.lock') });
    expect((await runProgram(folder, ['recall', 'tea'])).stdout).toContain('pending');
    rmSync(lock);
    expect((await runProgram(folder, ['commit'])).stdout).toMatch(/^committed {2}[0-9a-f]{7}\n$/);
    expect((await runProgram(folder, ['status'])).stdout).toContain('Nothing waits for a commit.');
  });

  it('takes text from a pipe, named or not, and keeps a written file byte for byte', async () => {
    const folder = await memoryFolder();
    const text = '# Ada\n\n  two spaces, no last line feed';
    expect((await runProgram(folder, ['file', 'write', 'knowledge/people/ada.md', '-'], { input: text })).status).toBe(
      0,
    );
    expect(readFileSync(join(folder, 'knowledge/people/ada.md'), 'utf8')).toBe(text);
    expect((await runProgram(folder, ['show', 'knowledge/people/ada.md'])).stdout).toBe(`${text}\n`);
    expect((await runProgram(folder, ['file', 'write', 'knowledge/a.md'], { input: 'unnamed\n' })).status).toBe(0);
    expect((await runProgram(folder, ['remember', '-'], { input: 'a thought\n' })).status).toBe(0);
    expect((await runProgram(folder, ['remember'], { input: 'another thought\n' })).status).toBe(0);
    expect((await runProgram(folder, ['remember'])).status).toBe(2);
    const { memories } = JSON.parse((await runProgram(folder, ['list', '--json'])).stdout);
    expect(memories.map(({ content }: { content: string }) => content).sort()).toEqual([
      'a thought',
      'another thought',
    ]);
  });

  it('that lacks something, or says what nobody knows, is told what to say', async () => {
    const folder = await memoryFolder();
    await runHere(folder, ['branch', 'aside']);
    await runHere(folder, ['remember', '--branch', 'aside', 'tea is served at five']);
    for (const [line, ...said] of [
      ['review edit 01k9', 'the new words are missing', '`git memory review edit ID "NEW WORDS"`'],
      ['bisect x', 'bisect needs what it should find', '--finds WORDS'],
      ['config set decay.half_life_days abc', 'error: decay.half_life_days takes number above 0.', 'config get decay'],
      ['branch --drop aside', '1 operation of aside is on no other branch', 'git memory merge aside'],
      ['completions nosuch', '"nosuch" is no shell we know. Choose one of bash, zsh, fish'],
    ] as const) {
      const { status, stdout, stderr } = await runHere(folder, line.split(' '));
      expect([status === 0, stdout]).toEqual([false, '']);
      for (const words of said) expect(stderr).toContain(words);
    }
  });

  it('takes an empty standard input for a missing text, and an empty argument for an empty one', async () => {
    const folder = await memoryFolder();
    const path = 'knowledge/people/ada.md';
    expect((await runProgram(folder, ['file', 'write', path, '# Ada'])).status).toBe(0);
    for (const words of [[path], [path, '-']]) {
      expect(await runProgram(folder, ['file', 'write', ...words])).toMatchObject({
        status: 2,
        stderr: expect.stringContaining('text is missing, and standard input is empty'),
      });
    }
    expect((await runProgram(folder, ['remember'], { input: '' })).stderr).toContain('content is missing');
    expect(readFileSync(join(folder, path), 'utf8')).toBe('# Ada');
    expect((await runProgram(folder, ['file', 'write', path, ''])).status).toBe(0);
    expect(readFileSync(join(folder, path), 'utf8')).toBe('');
  });

  it('captures files and pipes of every format', async () => {
    const folder = await memoryFolder();
    const inputs = temporaryFolder();
    writeFileSync(join(inputs, 'tea.md'), transcript);
    writeFileSync(join(inputs, 'chat.jsonl'), '{"role":"user","content":"hello","time":"2026-11-01T10:00:00Z"}\n');
    const { status, stdout } = await runProgram(folder, [
      'capture',
      '--json',
      relative(folder, join(inputs, 'tea.md')),
      relative(folder, join(inputs, 'chat.jsonl')),
    ]);
    expect(status).toBe(0);
    expect(JSON.parse(stdout).captures).toMatchObject([{ session: 'ses_tea', turns: 3 }, { turns: 1 }]);
    const messages = JSON.stringify([
      { role: 'user', content: 'one', time: 1761991200 },
      { role: 'assistant', content: 'two', time: 1762077600 },
    ]);
    const imported = await runProgram(folder, ['import', '--json', '-'], { input: messages });
    expect(JSON.parse(imported.stdout).captures).toHaveLength(2);
    const note = await runProgram(folder, ['capture', '--json'], { input: 'just a note\n' });
    expect(JSON.parse(note.stdout)).toMatchObject({ turns: 1, commit: expect.stringMatching(/^[0-9a-f]{40}$/) });
    expect((await runProgram(folder, ['capture'], { input: '' })).status).toBe(7);
    if (hasGit) expect(blemishes(folder)).toBe('');
  });

  it('is refused as a whole by an undo in conflict, which ends with 5 and still prints its object', async () => {
    const folder = await memoryFolder();
    const commits: string[] = [];
    for (const text of ['one', 'two', 'three']) {
      commits.push(
        JSON.parse((await runProgram(folder, ['file', 'write', 'knowledge/a.md', text, '--json'])).stdout).commit,
      );
    }
    const { status, stdout } = await runProgram(folder, ['undo', commits[1]!, '--json']);
    expect(status).toBe(5);
    expect(JSON.parse(stdout)).toMatchObject({ undone: [], commit: null, conflicts: ['knowledge/a.md'] });
    const dry = await runProgram(folder, ['undo', 'HEAD', '--dry-run']);
    expect(dry).toMatchObject({ status: 0, stdout: expect.stringContaining('would take back') });
    expect(readFileSync(join(folder, 'knowledge/a.md'), 'utf8')).toBe('three');
  });
});

describe('reading', () => {
  it('works from a sub-folder, with the options before or behind the verb', async () => {
    const folder = await memoryFolder();
    await runProgram(folder, ['remember', 'tea is served at five']);
    mkdirSync(join(folder, 'deep/er'), { recursive: true });
    for (const [cwd, args] of [
      [join(folder, 'deep/er'), ['recall', 'tea', '--json']],
      ['/', ['--dir', folder, '--json', 'recall', 'tea']],
      ['/', ['recall', 'tea', '--json', '--dir', folder]],
    ] as const) {
      const { status, stdout } = await runProgram(cwd, args);
      expect(status).toBe(0);
      expect(JSON.parse(stdout).hits).toHaveLength(1);
    }
  });

  it('writes nothing', async () => {
    const folder = await memoryFolder();
    await runProgram(folder, ['remember', 'tea is served at five']);
    const before = spawnSync('find', [folder, '-newer', join(folder, '.git/HEAD'), '-type', 'f'], {
      encoding: 'utf8',
    }).stdout;
    for (const args of [['recall', 'tea'], ['status'], ['log'], ['list'], ['list', '/'], ['show', 'memory.yaml']]) {
      expect((await runProgram(folder, args)).status).toBe(0);
    }
    expect(
      spawnSync('find', [folder, '-newer', join(folder, '.git/HEAD'), '-type', 'f'], { encoding: 'utf8' }).stdout,
    ).toBe(before);
  });

  it.skipIf(process.platform === 'win32')('is quiet when its reader has seen enough', async () => {
    const folder = await memoryFolder();
    await runProgram(folder, ['file', 'write', 'knowledge/long.md', '-'], { input: 'a line of text\n'.repeat(40_000) });
    const line = `"${process.execPath}" "${programPath}" show knowledge/long.md | head -n 1`;
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-o', 'pipefail', '-c', line], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(stdout).toBe('a line of text\n');
    expect(stderr).toBe('');
  });
});

describe.skipIf(!hasGit)('called by git', () => {
  it('answers to git memory, git -C and git --git-dir, whatever git sets in the environment', async () => {
    const folder = await memoryFolder();
    await runProgram(folder, ['remember', 'tea is served at five']);
    const other = await memoryFolder();
    const env = programEnvironment({
      GIT_INDEX_FILE: join(other, '.git/index'),
      GIT_OBJECT_DIRECTORY: join(other, '.git/objects'),
    });
    for (const args of [
      ['-C', folder, 'memory', 'status', '--json'],
      [`--git-dir=${folder}/.git`, 'memory', 'status', '--json'],
    ]) {
      const { stdout, status } = spawnSync('git', args, { cwd: other, env, encoding: 'utf8' });
      expect(status).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ directory: folder, memories: 1 });
    }
    const written = spawnSync('git', ['-C', folder, 'memory', 'remember', 'coffee at six'], {
      cwd: other,
      env,
      encoding: 'utf8',
    });
    expect(written.status).toBe(0);
    expect(blemishes(folder)).toBe('');
    expect(JSON.parse((await runProgram(other, ['status', '--json'])).stdout)).toMatchObject({ memories: 0 });
  });

  it('becomes a copy of a memory in a folder that is named as git clone takes it, also at the second try', async () => {
    const folder = temporaryFolder();
    git(folder, 'init', '-q', '--bare', 'hub.git');
    await runProgram(folder, ['init', 'first', '--from', 'hub.git']);
    expect((await runProgram(join(folder, 'first'), ['remember', 'the key is in the drawer'])).status).toBe(0);
    expect((await runProgram(join(folder, 'first'), ['sync'])).stdout).toMatch(/in step .*hub\.git/);
    mkdirSync(join(folder, 'empty'));
    mkdirSync(join(folder, 'mine'));
    writeFileSync(join(folder, 'mine/notes.txt'), 'mine\n');
    for (const place of ['second', 'above/second', 'empty', 'mine']) {
      const isKept = place === 'mine';
      expect(await runProgram(folder, ['init', place, '--from', 'hubb.git'])).toMatchObject({
        status: 13,
        stderr: expect.stringContaining(
          isKept ? 'error: there is no folder' : 'error: no memory was made: there is no',
        ),
      });
      expect(existsSync(join(folder, place, '.git'))).toBe(isKept);
    }
    expect(readdirSync(folder).sort()).toEqual(['empty', 'first', 'hub.git', 'mine']);
    expect(readdirSync(join(folder, 'empty'))).toEqual([]);
    expect(await runProgram(folder, ['init', 'second', '--from', 'http://127.0.0.1:1/hub.git'])).toMatchObject({
      status: 13,
      stderr: expect.stringMatching(/no memory was made: the remote cannot be reached.*127/),
    });
    const { stdout } = await runProgram(folder, ['init', 'second', '--from', 'hub.git']);
    expect(stdout).toContain('1 memory');
  });

  it('is made in the folder that is named, or not at all, whatever is around it', async () => {
    const code = newRepository();
    writeFileSync(join(code, 'code.txt'), 'code\n');
    commitAll(code, 'code');
    const outer = temporaryFolder();
    await runProgram(outer, ['init']);
    for (const around of [outer, code]) {
      expect((await runProgram(around, ['init', 'notes', '--dry-run'])).stdout).toContain(join(around, 'notes/.git'));
      expect(await runProgram(around, ['init', 'notes'])).toMatchObject({
        stdout: expect.stringContaining(`Ready: a memory in ${join(around, 'notes')}\n`),
      });
      mkdirSync(join(around, 'full/below'), { recursive: true });
      for (const argv of [
        ['init', 'full'],
        ['init', 'full', '--dry-run'],
        ['init', '.', '--dir', 'full'],
      ])
        expect(await runProgram(around, argv)).toMatchObject({
          status: 2,
          stderr: expect.stringMatching(/full is inside the repository .*--placement repository/),
        });
      for (const argv of [['remember', 'the key is in the drawer'], ['status'], ['init', '--inside']])
        expect(await runProgram(around, [...argv, '--dir', 'gone'])).toMatchObject({
          status: 4,
          stderr: expect.stringMatching(/there is no folder .*gone/),
        });
      expect(existsSync(join(around, 'gone'))).toBe(false);
      expect(await runProgram(around, ['init', 'full', '--placement', 'repository'])).toMatchObject({ status: 0 });
      expect(existsSync(join(around, 'full/.git'))).toBe(true);
    }
    expect(JSON.parse((await runProgram(outer, ['status', '--json'])).stdout)).toMatchObject({ memories: 0 });
    expect(git(code, 'branch', '--list', 'memory/*')).toBe('');
  });

  it('keeps a memory inside a code repository on a branch of its own, and says so', async () => {
    const folder = newRepository();
    writeFileSync(join(folder, 'code.txt'), 'code\n');
    commitAll(folder, 'code');
    writeFileSync(join(folder, 'staged.txt'), 'staged\n');
    git(folder, 'add', 'staged.txt');
    const before = git(folder, 'status', '--porcelain');
    const { stdout: told } = await runProgram(folder, ['init']);
    expect(told).toContain('memory/main (branch)');
    expect(told).toContain('It has its own branch and leaves all files and other branches');
    expect((await runProgram(folder, ['init'])).stdout).toContain('Next:');
    expect((await runProgram(folder, ['remember', 'the build needs Node 20'])).status).toBe(0);
    expect((await runProgram(folder, ['recall', 'build'])).stdout).toContain('the build needs Node 20');
    expect((await runProgram(folder, ['init'])).stdout).not.toContain('Next:');
    expect(git(folder, 'status', '--porcelain')).toBe(before);
    expect(git(folder, 'log', '--oneline', 'main').trim().split('\n')).toHaveLength(1);
    expect(fsck(folder)).toBe('');
  });
});
