import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { keepSession } from '../../../src/memory/kept-sessions.ts';
import type { Memory } from '../../../src/memory/open-memory.ts';
import { codingSession } from '../../helpers/coding-session.ts';
import { newTestMemory } from '../../helpers/memories.ts';
import { git, hasGit, tryGit } from '../../helpers/native-git.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

function commitAt(cwd: string, message: string, date: string): void {
  const times = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  expect(tryGit(cwd, ['commit', '--quiet', '-m', message], undefined, times).status).toBe(0);
}

/** A day in the greenhouse: the pump has to run shorter, and later longer again. */
const greenhouse = (cwd = '/w/greenhouse') =>
  codingSession({ cwd, session: 'a1b2c3d4', start: '2026-03-01T10:00:00Z' })
    .says('The pump must never run longer than 20 minutes, the tank is small.')
    .calls('Read', { file_path: `${cwd}/src/pump.ts` }, '1→const maxMinutes = 90;')
    .edits('src/pump.ts', 'const maxMinutes = 90;', 'const maxMinutes = 20;')
    .fails(
      'npm test',
      'Exit code 1\n FAIL  test/pump.test.ts > stops\nRangeError [ERR_PUMP_RANGE]: 90 is above the limit\n    at stop (/w/greenhouse/src/pump.ts:21:9)',
    )
    .edits('src/pump.ts', 'stop(90)', 'stop(Math.min(minutes, maxMinutes))')
    .runs('npm test', ' Tests  2 passed (2)')
    .answers('The pump stops after 20 minutes.')
    .says('Now read the valve state from the bus, please.')
    .edits('src/valve.ts', 'return false;', 'return readBus(valveAddress);')
    .fails('npm run flash', 'Exit code 2\nerror: connect ECONNREFUSED 10.0.0.7:4444\nnpm ERR! code 2')
    .says('We flash with openocd here, not esptool: openocd -f board.cfg')
    .runs('openocd -f board.cfg', 'Info : Listening on port 4444')
    .runs('npm run flash', 'Flashed 14 kB')
    .answers('Flashed.')
    .runs('git commit -am "Stop the pump and flash"', '[main 4f1c2aa]')
    .says('Commit messages name one thing; this one names two.');

const longer = (cwd = '/w/greenhouse') =>
  codingSession({ cwd, session: 'b2c3d4e5', start: '2026-03-02T10:00:00Z' })
    .says('The new tank is here. Let the pump run 45 minutes again.')
    .edits('src/pump.ts', 'const maxMinutes = 20;', 'const maxMinutes = 45;')
    .runs('npm test -- --silent', ' Tests  2 passed (2)')
    .answers('Done.');

async function grown(): Promise<Memory> {
  const { memory } = await newTestMemory();
  const sources = [greenhouse(), longer()].map((told, at) => ({ path: `${at}.jsonl`, text: told.text() }));
  await memory.import(sources);
  return memory;
}

describe('what is known of code', () => {
  it('is what was said when a file was changed, the later words first, with what failed and what mended it', async () => {
    const memory = await grown();
    const { kind, text, facts, tokens } = await memory.about('src/pump.ts');
    expect(kind).toBe('path');
    expect(text.split('\n')).toEqual([
      'Known of src/pump.ts from past sessions:',
      '- 2026-03-02 user: “The new tank is here. Let the pump run 45 minutes again.”',
      '- 2026-03-01 user: “The pump must never run longer than 20 minutes, the tank is small.” (that code was edited again on 2026-03-02: `const maxMinutes = 45;`)',
      '- 2026-03-01 `npm test` failed: RangeError [ERR_PUMP_RANGE]: 90 is above the limit; it passed after an edit of src/pump.ts: `stop(Math.min(minutes, maxMinutes))`',
      '- run after edits here: `npm test -- --silent`, `npm test`',
    ]);
    expect(tokens).toBeLessThan(400);
    const [said] = facts;
    const turn = said?.fact === 'said' ? await memory.read(said.path) : '';
    expect(turn).toContain('Let the pump run 45 minutes again.');
    for (const one of ['pump.ts', '/w/greenhouse/src/pump.ts', './src/pump.ts', '/home/ana/greenhouse/src/pump.ts'])
      expect((await memory.about(one)).facts, one).toEqual(facts);
  });

  it('is asked by commands, by errors as they come up elsewhere, and by names', async () => {
    const memory = await grown();
    const flash = await memory.about('npm run flash -- --port 3');
    expect(flash.kind).toBe('command');
    expect(flash.text).toContain(
      '`npm run flash` failed: error: connect ECONNREFUSED 10.0.0.7:4444; it passed after the user said “We flash with openocd here, ' +
        'not esptool: openocd -f board.cfg” and `openocd -f board.cfg`',
    );
    expect((await memory.about('esptool --chip esp32 write_flash')).text).toContain('not esptool');
    expect((await memory.about('git commit -m x')).text).toContain('this one names two');
    const error = await memory.about(
      'x\nRangeError [ERR_PUMP_RANGE]: 31 is above the limit\n    at stop (/elsewhere/pump.ts:3:1)',
    );
    expect(error.kind).toBe('error');
    expect(error.facts).toMatchObject([{ fact: 'failed', command: 'npm test', mended: { edited: ['src/pump.ts'] } }]);
    const symbol = await memory.about('readBus');
    expect(symbol).toMatchObject({ kind: 'symbol', facts: [{ fact: 'said' }] });
    expect(symbol.text).toContain('valve state');
  });

  it('is found behind many sessions that failed alike', async () => {
    const { memory } = await newTestMemory();
    const later = Array.from({ length: 10 }, (_, at) =>
      codingSession({ cwd: '/w/greenhouse', session: `f00d000${at}`, start: `2026-03-1${at}T10:00:00Z` })
        .says('Let the lamp glow for another hour, please.')
        .fails(`npm run lamp${at}`, `RangeError: lamp${at} is above its highest limit`)
        .edits('src/lamp.ts', 'glow()', `glow(${at})`)
        .runs(`npm run lamp${at}`, 'Glows'),
    );
    await memory.import([greenhouse(), ...later].map((told, at) => ({ path: `${at}.jsonl`, text: told.text() })));
    expect((await memory.about('npm run flash -- --port 3')).text).toContain('openocd -f board.cfg');
    const error = await memory.about('RangeError: lamp0 is above its highest limit');
    expect(error.text.split('\n')[1]).toBe(
      '- 2026-03-10 `npm run lamp0` failed: RangeError: lamp0 is above its highest limit; it passed after an edit of src/lamp.ts: `glow(0)`',
    );
  });

  it('is nothing where nothing is known', async () => {
    const memory = await grown();
    const asked = [
      '/w/orchard/src/pump.ts',
      '/elsewhere/src/pump.ts',
      "TypeError: Cannot read properties of undefined (reading 'flow')",

      'src/lamp.ts',
      'ump.ts',
      'npm run build',
      'npm',
      'cargo test',
      'closeValve',
      'TypeError: x is not a function',
      'return',
      'EACCES: permission denied',
    ];
    for (const target of asked)
      expect(await memory.about(target), target).toEqual({ target, facts: [], text: '', tokens: 0 });
    const { memory: empty } = await newTestMemory();
    expect((await empty.about('src/pump.ts')).text).toBe('');
    await expect(memory.about(' ')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it.each([
    ['src/pump.ts', 'path', 'Nobody edits src/pump.ts by hand, make writes it.'],
    ['/w/farm/src/pump.ts', 'path', undefined],
    ['greenhouse/src/pump.ts', 'path', 'Nobody edits src/pump.ts by hand, make writes it.'],
    ['make seeds --dry', 'command', 'Before `make seeds` the drawer has to be open.'],
    ['make clean', 'command', undefined],
    ['Error: E4711 at 3', 'error', 'E4711 means that the door stands open.'],
    ['Error: E4712 at 3', 'error', undefined],
    ['openDrawer()', 'symbol', 'Only the night calls openDrawer.'],
    ['edits', 'symbol', undefined],
    ['Ysolde', 'symbol', 'Ysolde keeps the key of the boathouse.'],
    ['boathouse', 'symbol', undefined],
    ['src/lamp.ts', 'path', 'The lamp of src/lamp.ts hums at 40 percent, leave it there.'],
    ['src/vent.ts', 'path', undefined],
  ])('is what was remembered or said of %s by its name', async (target, kind, text) => {
    const { memory } = await newTestMemory();
    await memory.remember('Nobody edits src/pump.ts by hand, make writes it.');
    await memory.remember('Before `make seeds` the drawer has to be open.');
    await memory.remember('E4711 means that the door stands open.');
    await memory.remember('Only the night calls openDrawer.');
    await memory.remember('Ysolde keeps the key of the boathouse.');
    const { id } = await memory.remember('The vent of src/vent.ts opens at noon.');
    const said = 'The lamp of src/lamp.ts hums at 40 percent, leave it there.';
    await memory.capture({ messages: [{ role: 'user', text: said, time: '2026-03-01T10:00:00Z' }] });
    await memory.extract();
    await memory.forget(id!);
    const { facts, kind: found } = await memory.about(target);
    expect([found, facts.map((fact) => fact.fact === 'said' && fact.text)]).toEqual(
      text === undefined ? [undefined, []] : [kind, [text]],
    );
  });

  it('has none of what was forgotten, and no secret', async () => {
    const { memory } = await newTestMemory();
    const secret = 'AKIAIOSFODNN7EXAMPLF';
    const told = codingSession({ cwd: '/w/shed', session: 'c0ffee00', start: '2026-03-01T10:00:00Z' })
      .says('Upload the shed plan with the key of the club, and never with mine.')
      .edits('src/upload.ts', 'key()', `const key = "${secret}";`)
      .fails(`AWS_ACCESS_KEY_ID=${secret} npm run upload`, `Error: denied for ${secret}`);
    await memory.import([{ path: 'shed.jsonl', text: told.text() }]);
    const files = await memory.files('raw/code');
    expect(files).toHaveLength(1);
    expect(await memory.read(files[0]!)).not.toContain(secret);
    const { facts } = await memory.about('src/upload.ts');
    const [said] = facts;
    const { id } = await memory.remember({
      content: 'Upload with the key of the club',
      source: `${(said as { path: string }).path}#1`,
    });
    await memory.commit();
    await memory.forget(id!);
    expect((await memory.about('src/upload.ts')).text).not.toContain('club');
  });
});

describe.runIf(hasGit)('what was said of code', () => {
  it('is told with how that code stands now, and on which branch it was', async () => {
    const cwd = temporaryFolder();
    git(cwd, 'init', '--quiet', '--initial-branch', 'main');
    const write = (text: string, message: string, date: string) => {
      fs.mkdirSync(path.join(cwd, 'src'), { recursive: true });
      fs.writeFileSync(path.join(cwd, 'src/pump.ts'), text);
      git(cwd, 'add', '-A');
      commitAt(cwd, message, date);
    };
    const pump = (minutes: number) => `// The pump.\nconst maxMinutes = ${minutes};\nexport const tank = 'small';\n`;
    write(pump(90), 'Begin', '2026-02-28T10:00:00Z');
    write(pump(20), 'Run shorter', '2026-03-01T12:00:00Z');
    write(pump(45), 'Run longer', '2026-03-02T12:00:00Z');
    const since = git(cwd, 'rev-parse', '--short=7', 'HEAD').trim();
    const { memory } = await newTestMemory();
    const sources = [greenhouse(cwd), longer(cwd)].map((told, at) => ({ path: `${at}.jsonl`, text: told.text() }));
    await memory.import(sources);
    const said = async () =>
      (await memory.about('src/pump.ts')).text.split('\n').filter((line) => line.includes('user: '));
    expect(await said()).toEqual([
      '- 2026-03-02 user: “The new tank is here. Let the pump run 45 minutes again.” (the code holds, src/pump.ts:2)',
      `- 2026-03-01 user: “The pump must never run longer than 20 minutes, the tank is small.” (that code has changed since ${since}, now: \`const maxMinutes = 45;\`)`,
    ]);
    git(cwd, 'switch', '--quiet', '--create', 'trial', 'HEAD~1');
    write(pump(7), 'Try', '2026-03-03T12:00:00Z');
    const trial = codingSession({ cwd, session: 'c3d4e5f6', start: '2026-03-03T13:00:00Z', branch: 'trial' })
      .says('On this branch the pump shall run 7 minutes, as a trial.')
      .edits('src/pump.ts', 'const maxMinutes = 20;', 'const maxMinutes = 7;');
    await memory.import([{ path: '3.jsonl', text: trial.text() }]);
    git(cwd, 'switch', '--quiet', 'main');
    const lines = await said();
    expect(lines).toHaveLength(3);
    expect(lines[2]).toContain('as a trial.” (');
    expect(lines[2]).toContain('(on the branch trial, not here)');
  });
});

describe('what a session did', () => {
  it('comes once, by an import or a hook, and goes on with a session that runs', async () => {
    const { memory, directory } = await newTestMemory();
    const folder = temporaryFolder();
    const file = path.join(folder, 'a1b2c3d4.jsonl');
    const lines = greenhouse().text().trimEnd().split('\n');
    fs.writeFileSync(file, `${lines.slice(0, 9).join('\n')}\n`);
    await keepSession(memory, file, false);
    fs.writeFileSync(file, `${lines.join('\n')}\n`);
    await keepSession(memory, file, false);
    await keepSession(memory, file, true);
    const [kept] = await memory.files('raw/code');
    const text = await memory.read(kept!);
    const { memory: other } = await newTestMemory();
    const source = [{ path: 'a1b2c3d4.jsonl', text: `${lines.join('\n')}\n` }];
    await other.import(source);
    const [imported] = await other.files('raw/code');
    const withoutHead = (one: string) => one.replaceAll(/"(?:cited|head)":("\w+"|\{.*?\}\}?),?/g, '');
    expect(withoutHead(text)).toEqual(withoutHead(await other.read(imported!)));
    expect((await other.import(source)).added).toBe(0);
    expect((await memory.import(source)).added).toBe(0);
    expect(await memory.files('raw/code')).toEqual([kept]);
    const { commits } = await memory.log({ path: kept! });
    expect(commits[0]!.paths).toHaveLength(2);
    expect(directory).not.toBe('');
    await memory.undo(commits[0]!.oid);
    expect(await memory.files('raw/code')).toEqual([]);
    expect((await memory.about('src/pump.ts')).facts).toEqual([]);
  });

  it('leaves out edits that failed, calls that a person refused, and outcomes that a pipe hides', async () => {
    const { memory } = await newTestMemory();
    const told = codingSession({ cwd: '/w/barn', session: 'd00d0000', start: '2026-03-01T10:00:00Z' })
      .says('Give the barn door a second hinge, as in the drawing of May.')
      .calls(
        'Edit',
        { file_path: '/w/barn/door.py', old_string: 'a', new_string: 'hinge_two()' },
        'String to replace not found',
        true,
      )
      .calls('Bash', { command: 'make door' }, "The user doesn't want to proceed with this tool use.", true)
      .runs('make roof 2>&1 | tail -3', 'roof.c:3: error: no beam')
      .runs('pytest -q 2>&1 | tail -3', '1 failed, 3 passed')
      .calls(
        'MultiEdit',
        {
          file_path: '/w/barn/roof.py',
          edits: [
            { old_string: 'x', new_string: 'beam_a = 1' },
            { old_string: 'y', new_string: 'beam_b = 2' },
          ],
        },
        'ok',
      )
      .calls(
        'shell',
        {
          command: [
            'bash',
            '-lc',
            "apply_patch <<'E'\n*** Begin Patch\n*** Update File: gate.py\n@@\n-old\n+latch_up()\n*** End Patch\nE",
          ],
        },
        'ok',
      );
    await memory.import([{ path: 'barn.jsonl', text: told.text() }]);
    const [file] = await memory.files('raw/code');
    const lines = (await memory.read(file!))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const done = lines.map(({ edit, run, ok }) => [edit ?? run, ...(ok === undefined ? [] : [ok])]).slice(1);
    expect(done).toEqual([
      ['make roof 2>&1 | tail -3'],
      ['pytest -q 2>&1 | tail -3', false],
      ['roof.py'],
      ['roof.py'],
      ['gate.py'],
    ]);
  });

  it('is not kept where its words are private and it would not be', async () => {
    const { memory } = await newTestMemory();
    await memory.keys.new({ paths: ['raw/conversations/**'] });
    await memory.import([{ path: 'a.jsonl', text: greenhouse().text() }]);
    expect(await memory.files('raw/code')).toEqual([]);
  });
});
