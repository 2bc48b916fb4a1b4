// The choice of a model that reads, and what it costs, by the built program beside stand-ins of models: real processes, and a user's own folder.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { beforeAll, describe, expect, it } from 'vitest';
import { personAt } from '../../../src/apps/cli/execute.ts';
import { openMemory } from '../../../src/memory/open-memory.ts';
import { type Act, claudeSays, type ModelPrograms, modelPrograms } from '../../helpers/model-programs.ts';
import { buildProgram, programEnvironment, runProgram } from '../../helpers/program.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

beforeAll(buildProgram);

const words = 'Releases leave on Tuesdays, because Monday is a holiday.';
const item = {
  ...{ category: 'decision', content: words, subject: null, attribute: null, from: null, replaces: [], turns: [1] },
  ...{ confidence: 0.95, entities: [], topics: [], form: 'none', due: null },
  ...{ says: words, t: [1], quote: words, kind: 'decision', standing: false, until: null, sure: 'said', changes: [] },
};
const answer = claudeSays({ items: [item], unchanged: [], nothing: [] });

class Desk {
  readonly folder = temporaryFolder();
  readonly data = temporaryFolder();
  readonly programs: ModelPrograms;
  readonly environment: Record<string, string>;

  constructor(...acts: readonly Act[]) {
    this.programs = modelPrograms(['claude'], ...acts);
    this.environment = { ...programEnvironment(), XDG_DATA_HOME: this.data, XDG_CONFIG_HOME: temporaryFolder() };
    this.environment.PATH = `${this.programs.bin}:${this.environment.PATH}`;
  }

  async begin(conversations: number, yaml?: string): Promise<this> {
    const memory = await openMemory({ dir: this.folder, create: true, durability: 'fast' });
    for (let at = 0; at < conversations; at++) {
      const time = new Date(Date.UTC(2026, 10, at + 1, 9)).toISOString();
      await memory.capture({ messages: [{ role: 'user', text: words, time }], session: `s${at}` });
    }
    await memory.close();
    if (yaml !== undefined) await this.run(['config', ...yaml.split(' ')]);
    return this;
  }

  run(args: readonly string[], more: Record<string, string> = {}) {
    return runProgram(this.folder, args, { input: '', env: { ...this.environment, ...more } });
  }

  get reader(): string | undefined {
    const file = join(this.data, 'git-memory/model.json');
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).reader : undefined;
  }
}

describe.skipIf(process.platform === 'win32')('model use', () => {
  it('tries a model with a conversation, says what it kept and took, and lets it read from then on', async () => {
    const desk = await new Desk(answer).begin(1);
    const { status, stdout, stderr } = await desk.run(['model', 'use', 'command/claude']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('it would have kept 1 memory');
    expect(stdout).toContain(words);
    expect(stdout).toMatch(/[\d.]+ s, 1 question, 1,040 tokens, for \$0\.0042/);
    expect(stdout).toContain('git memory model use none');
    expect(desk.reader).toBe('command/claude');
    // Nothing was written but the choice, and the answer is not paid for again.
    const read = JSON.parse((await desk.run(['extract', '--json'])).stdout);
    expect(read).toMatchObject({ model: { name: 'command/claude', calls: 0, windows: { kept: 1 } } });
    expect(desk.programs.calls()).toHaveLength(1);
    expect(JSON.parse((await desk.run(['status', '--json'])).stdout).models).toMatchObject([
      { by: 'extract', model: 'command/claude', calls: 1, input: 1000, output: 40, costUsd: 0.0042 },
    ]);
    expect((await desk.run(['status'])).stdout).toContain('extract by command/claude 1 question, 1,040 tokens');
  });

  it('is second to what is asked for and to the environment, and is taken back', async () => {
    const desk = await new Desk(answer).begin(2);
    await desk.run(['model', 'use', 'command/claude']);
    const readerOf = async (args: readonly string[], more = {}): Promise<string> =>
      JSON.parse((await desk.run(['extract', '--dry-run', '--json', ...args], more)).stdout).extractor.split('@')[0];
    expect(await readerOf([])).toBe('model');
    expect(await readerOf(['--model', 'none'])).toBe('rules');
    expect(await readerOf([], { GIT_MEMORY_MODEL: 'none' })).toBe('rules');
    expect((await desk.run(['model', 'use', 'none'])).stdout).toContain('no longer command/claude');
    expect(desk.reader).toBeUndefined();
    expect(await readerOf([])).toBe('rules');
  });

  it.each([
    ['is not logged in', claudeSays('Please run /login', { is_error: true, api_error_status: 401 }), /log in/],
    [
      'answers what cannot be used',
      claudeSays('I would rather talk about boats.'),
      /did not read|not set|cannot be used/,
    ],
  ])('sets no model that %s', async (_, act, said) => {
    const desk = await new Desk(act).begin(1);
    const { status, stderr } = await desk.run(['model', 'use', 'command/claude']);
    expect(status).not.toBe(0);
    expect(stderr).toMatch(said);
    expect(desk.reader).toBeUndefined();
  });

  it('keeps a private memory from a model that is elsewhere', async () => {
    const desk = await new Desk(answer).begin(1);
    expect((await desk.run(['key', 'new', 'knowledge/people/**'])).status).toBe(0);
    const { status, stderr } = await desk.run(['model', 'use', 'command/claude']);
    expect({ status: status === 0, stderr }).toMatchObject({
      status: false,
      stderr: expect.stringContaining('private'),
    });
    expect(desk.programs.calls()).toEqual([]);
    expect(desk.reader).toBeUndefined();
  });

  it('asks whether it is there where there is no conversation', async () => {
    const desk = new Desk(claudeSays('OK'));
    const { stdout } = await desk.run(['model', 'use', 'command/claude:sonnet']);
    expect(stdout).toContain('It answers');
    expect(desk.reader).toBe('command/claude:sonnet');
    expect(desk.programs.calls()[0]!.parameters).toContain('sonnet');
  });
});

describe.skipIf(process.platform === 'win32')('what reading costs', () => {
  it('is said before, and a program goes as far as the limit unless it is told to read all', async () => {
    const desk = await new Desk(answer).begin(30, 'extract.model.ask_calls 1');
    const first = JSON.parse((await desk.run(['extract', '--model', 'command/claude', '--json'])).stdout);
    expect(first.notes[0]).toMatch(
      /^command\/claude would be asked some 2 times about 30 conversations, some [\d,]+ tokens/,
    );
    expect(first.notes[0]).toContain('as far as 1 question');
    expect(first).toMatchObject({ left: 6 });
    const calls = desk.programs.calls().length;
    expect(calls).toBeLessThanOrEqual(1);
    const rest = JSON.parse((await desk.run(['extract', '--model', 'command/claude', '--yes', '--json'])).stdout);
    expect(rest.left).toBeUndefined();
    expect(rest.notes).toBeUndefined();
  });

  it('is nothing for maintenance, unless somebody wants that', async () => {
    const desk = await new Desk(claudeSays({ items: [] })).begin(2);
    const run = () =>
      desk.run(['maintain', 'condense', 'rollup', 'distil', '--json'], { GIT_MEMORY_MODEL: 'command/claude' });
    expect((await run()).status).toBe(0);
    expect(desk.programs.calls()).toEqual([]);
  });

  it('is asked of a person at a terminal, who may say no', async () => {
    const terminal = (): PassThrough & { isTTY?: boolean } => Object.assign(new PassThrough(), { isTTY: true });
    for (const [said, isYes] of [
      ['y', true],
      ['Yes', true],
      ['', false],
      ['no', false],
    ] as const) {
      const [input, output] = [terminal(), terminal()];
      const asked = personAt({ stdin: input, stderr: output }).confirm!('It would cost much. Go on?');
      input.write(`${said}\n`);
      expect(await asked).toBe(isYes);
      expect(String(output.read())).toContain('Go on? [y/N]');
    }
    expect(personAt({ stdin: new PassThrough(), stderr: terminal() }).confirm).toBeUndefined();
    expect(personAt({ stdin: terminal(), stderr: new PassThrough() })).toEqual({});
  });
});
