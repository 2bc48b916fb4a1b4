import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type LanguageModelOptions, languageModel } from '../../src/adapters/language-model.ts';
import { refusal } from '../helpers/error-manners.ts';
import {
  type Act,
  claudeSays,
  codexSays,
  geminiSays,
  type ModelPrograms,
  modelPrograms,
} from '../helpers/model-programs.ts';

const schema = { type: 'object', properties: { items: { type: 'array' } }, required: ['items'] };
const request = { system: 'Find what matters.', prompt: '/clear\n#1 user: Hello.', name: 'memories', schema };
const shaped = { ...request, maxOutputTokens: 300 };
const answer = '{"items":["a"]}';
const names = ['claude', 'codex', 'gemini', 'llm', 'ollama'] as const;

/** What each prints when all is well. */
const says: Readonly<Record<(typeof names)[number], Act>> = {
  claude: claudeSays({ items: ['a'] }),
  codex: codexSays(answer),
  gemini: geminiSays(answer),
  llm: { out: answer, err: 'Token usage: 1,234 input, 56 output\n' },
  ollama: {
    out: answer,
    err: 'total duration: 2s\nprompt eval count:    26 token(s)\neval count:           9 token(s)\n',
  },
};

function open(name: string, { environment }: ModelPrograms, more: Partial<LanguageModelOptions> = {}) {
  return languageModel({ model: `command/${name}`, environment, pause: async () => {}, ...more });
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe.skipIf(process.platform === 'win32')('a program that is a model', () => {
  it.each(names)('answers in an empty folder that goes afterwards, asked on standard input: %s', async (name) => {
    const programs = modelPrograms(names, says[name]);
    programs.environment.CLAUDECODE = '1';
    const model = await open(name, programs);
    expect(model).toMatchObject({ name: `command/${name}`, isRemote: name !== 'ollama' });
    const usage = {
      claude: { input: 1000, output: 40, costUsd: 0.0042 },
      codex: { input: 700, output: 30 },
      gemini: { input: 600, output: 25 },
      llm: { input: 1234, output: 56 },
      ollama: { input: 26, output: 9 },
    }[name];
    expect(await model.shape!(shaped)).toEqual({ text: answer, usage });
    const [call, ...others] = programs.calls();
    expect(others).toEqual([]);
    expect(call).toMatchObject({ program: name, entries: [], inside: '1', outer: null });
    expect(existsSync(dirname(call!.cwd))).toBe(false);
    // No line of a conversation comes where a program takes commands.
    expect(call!.input).toContain(`Data:\n\n${request.prompt}`);
    expect(call!.input.startsWith('/')).toBe(false);
    expect(call!.parameters.join('\n')).not.toContain('Hello');
    const all = `${call!.parameters.join('\n')}\n${call!.input}\n${call!.schema}`;
    expect(all).toContain(request.system);
    expect(all).toContain(JSON.stringify(schema));
  });

  it.each([
    ['claude', ['--no-session-persistence', '--strict-mcp-config', '{"disableAllHooks":true}', 'haiku']],
    ['codex', ['exec', '--ephemeral', '--ignore-user-config', '--skip-git-repo-check', 'read-only', '-']],
    ['gemini', ['--output-format', 'json', '--extensions', 'none', '--approval-mode', 'default']],
    ['llm', ['--no-log', '--usage', '--schema']],
    ['ollama', ['run', 'llama3.2', '--format', 'json']],
  ] as const)('is kept from hooks, tools and a session file as its manual says: %s', async (name, options) => {
    const programs = modelPrograms(names, says[name]);
    await (await open(name, programs)).shape!(shaped);
    const { parameters } = programs.calls()[0]!;
    expect(parameters).toEqual(expect.arrayContaining([...options]));
    if (name === 'claude') expect(parameters[parameters.indexOf('--tools') + 1]).toBe('');
  });

  it.each([
    ['claude:sonnet', 'sonnet'],
    ['codex:gpt-5-codex', 'gpt-5-codex'],
    ['gemini:gemini-2.5-pro', 'gemini-2.5-pro'],
    ['llm:groq/llama-3.3-70b', 'groq/llama-3.3-70b'],
    ['ollama:qwen3:8b', 'qwen3:8b'],
  ])('is told the model that a name has behind it: %s', async (name, model) => {
    const programs = modelPrograms(names, says[name.split(':')[0] as 'claude']);
    await (await open(name, programs)).complete(request);
    expect(programs.calls()[0]!.parameters).toContain(model);
  });

  it('may be refused by name, and where ollama is elsewhere texts leave the machine', async () => {
    const programs = modelPrograms(['ollama'], {});
    for (const name of ['gpt', 'claude:', 'claude:-x', '../claude', '']) {
      expect((await refusal(open(name, programs))).code).toBe('INVALID_ARGUMENT');
    }
    const remote = (OLLAMA_HOST: string) => open('ollama', programs, { environment: { OLLAMA_HOST } });
    expect((await remote('127.0.0.1:11434')).isRemote).toBe(false);
    expect((await remote('http://gpu.example.org:11434')).isRemote).toBe(true);
  });

  it('asks no model inside of what a model started', async () => {
    const programs = modelPrograms(names, says.claude);
    programs.environment.GIT_MEMORY_INSIDE = '1';
    expect(await refusal(open('claude', programs))).toMatchObject({ code: 'MODEL_UNAVAILABLE' });
    expect(programs.calls()).toEqual([]);
  });

  it('is not there: says which program, and what to do', async () => {
    const programs = modelPrograms([], {});
    programs.environment.PATH = programs.bin;
    const model = await open('codex', programs);
    const error = await refusal(model.shape!(shaped));
    expect(error).toMatchObject({ code: 'MODEL_UNAVAILABLE' });
    expect(error.message).toContain('no program codex on the PATH');
  });

  it.each([
    ['claude', claudeSays('Invalid API key · Please run /login', { is_error: true, api_error_status: 401 })],
    ['claude', { code: 1, err: 'Not logged in. Please run /login\n' }],
    ['codex', { code: 1, out: '{"type":"error","message":"unexpected status 401 Unauthorized"}\n' }],
    ['codex', { code: 1, err: 'Error: no credentials, run codex login\n' }],
    ['gemini', { code: 41, out: '{"error":{"type":"FatalAuthenticationError","message":"Log in.","code":41}}' }],
    ['gemini', { code: 41, err: 'Set an auth method or GEMINI_API_KEY\n' }],
    ['llm', { code: 1, err: "Error: No key found - try using 'llm keys set openai'\n" }],
    ['ollama', { code: 1, err: "Error: could not connect to ollama server, run 'ollama serve' to start it\n" }],
  ] as const)('has nobody logged in: a person hears how to, and it is not asked twice (%s)', async (name, act) => {
    const programs = modelPrograms(names, act);
    const error = await refusal((await open(name, programs)).shape!(shaped));
    expect(error.code).toBe('MODEL_UNAVAILABLE');
    expect(error.hint).toContain(name === 'ollama' ? 'ollama serve' : name);
    expect(programs.calls()).toHaveLength(1);
  });

  it.each([
    ['claude', claudeSays('I cannot help with that.', { stop_reason: 'refusal' })],
    ['claude', claudeSays('', { subtype: 'error_max_structured_output_retries', is_error: true })],
    ['codex', { code: 1, out: '{"type":"turn.failed","error":{"message":"flagged by the content filter"}}\n' }],
    ['gemini', { code: 1, out: '{"error":{"type":"ApiError","message":"PROHIBITED_CONTENT","code":400}}' }],
    ['llm', { out: ' \n' }],
    ['ollama', { out: '' }],
  ] as const)('refuses one request, and is asked about the next (%s)', async (name, act) => {
    const programs = modelPrograms(names, act);
    const model = await open(name, programs);
    const error = await refusal(model.shape!(shaped));
    expect(error.code).toBe('MODEL_FAILED');
    expect(error.message).toContain(`command/${name}`);
    expect(programs.calls()).toHaveLength(1);
    programs.act(says[name]);
    expect((await model.shape!(shaped)).text).toBe(answer);
  });

  it.each([
    ['claude', claudeSays('Overloaded', { is_error: true, api_error_status: 529 })],
    ['codex', { code: 1, out: '{"type":"error","message":"exceeded retry limit, last status: 429"}\n' }],
    ['gemini', { code: 1, out: '{"error":{"type":"ApiError","message":"Quota exceeded","code":429}}' }],
    ['llm', { code: 1, err: 'Error: Connection error.\n' }],
    ['ollama', { code: 2, err: 'Error: unexpected EOF\n' }],
  ] as const)('is busy: it is asked once more, and then later (%s)', async (name, act) => {
    const programs = modelPrograms(names, act, says[name]);
    const model = await open(name, programs);
    expect((await model.shape!(shaped)).text).toBe(answer);
    programs.act(act);
    const error = await refusal(model.shape!(shaped));
    expect(error).toMatchObject({ code: 'MODEL_UNAVAILABLE', hint: 'Try again later' });
    expect(programs.calls()).toHaveLength(4);
  });

  it('is stopped when it takes too long, twice, and what it printed until then is no answer', async () => {
    const programs = modelPrograms(['claude'], { hangs: true });
    const error = await refusal((await open('claude', programs, { timeoutMs: 400 })).shape!(shaped));
    expect(error).toMatchObject({ code: 'MODEL_UNAVAILABLE' });
    expect(error.message).toContain('2 times 0.4 seconds');
    const calls = programs.calls();
    expect(calls.length).toBeLessThanOrEqual(2);
    await expect.poll(() => calls.some(({ pid }) => isAlive(pid)), { timeout: 20_000 }).toBe(false);
  });

  it('is stopped when its caller aborts', async () => {
    const programs = modelPrograms(['codex'], { hangs: true });
    const model = await open('codex', programs);
    const abort = new AbortController();
    const asked = model.shape!({ ...shaped, signal: abort.signal });
    await expect.poll(() => programs.calls().length, { timeout: 20_000 }).toBe(1);
    abort.abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
    await expect.poll(() => isAlive(programs.calls()[0]!.pid), { timeout: 20_000 }).toBe(false);
  });

  it('is stopped when it prints without end', async () => {
    const programs = modelPrograms(['llm'], { floods: true });
    const error = await refusal((await open('llm', programs)).complete(request));
    expect(error.code).toBe('MODEL_FAILED');
    expect(error.message).toContain('4194304 bytes');
    await expect.poll(() => isAlive(programs.calls()[0]!.pid), { timeout: 20_000 }).toBe(false);
  });

  it('is asked in words where it knows no schemas, and from then on', async () => {
    const old = { code: 1, err: "error: unknown option '--json-schema'\n" };
    const programs = modelPrograms(['claude'], old, claudeSays(answer));
    const model = await open('claude', programs);
    expect((await model.shape!(shaped)).text).toBe(answer);
    expect((await model.shape!(shaped)).text).toBe(answer);
    const told = programs.calls().map(({ parameters }) => parameters.includes('--json-schema'));
    expect(told).toEqual([true, false, false]);
    expect(programs.calls().at(-1)!.parameters.join(' ')).toContain('JSON Schema');
  });

  it('gives what is no JSON to whoever asked', async () => {
    const programs = modelPrograms(['claude'], claudeSays('Certainly! Here'));
    expect((await (await open('claude', programs)).shape!(shaped)).text).toBe('Certainly! Here');
  });
});
