// The hook of a coding agent, called as its program calls it: a process for each event, the event as JSON on standard input.

import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { estimateTokens } from '../../../src/base/token-estimate.ts';
import { type Memory, openMemory } from '../../../src/memory/open-memory.ts';
import { commitAll, git, newRepository } from '../../helpers/native-git.ts';
import {
  buildProgram,
  programEnvironment,
  programPath,
  projectRoot,
  runHere,
  runProgram,
} from '../../helpers/program.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';
import { TestClient } from '../mcp/client.ts';

beforeAll(buildProgram);

/** A session file as Claude Code writes it, entry by entry. */
class SessionFile {
  readonly path = join(temporaryFolder(), 'session.jsonl');
  private count = 0;
  private readonly version: string;
  private readonly session: string;
  private readonly day: string;

  constructor(version = '2.1.200', session = 'abc-1', day = '2026-11-02') {
    this.version = version;
    this.session = session;
    this.day = day;
    writeFileSync(this.path, '');
  }

  private entry(type: string, message: object): void {
    this.count += 1;
    const timestamp = new Date(Date.parse(`${this.day}T09:00:00Z`) + this.count * 20_000).toISOString();
    const of = { sessionId: this.session, version: this.version, uuid: `${this.session}-u${this.count}` };
    const common = { isSidechain: false, ...of, timestamp };
    appendFileSync(this.path, `${JSON.stringify({ ...common, type, message })}\n`);
  }

  user(content: string | object[]): this {
    this.entry('user', { role: 'user', content });
    return this;
  }

  agent(...content: (string | object)[]): this {
    const parts = content.map((one) => (typeof one === 'string' ? { type: 'text', text: one } : one));
    this.entry('assistant', { role: 'assistant', model: 'claude-opus-4-5', content: parts });
    return this;
  }
}

async function newMemory(): Promise<{
  folder: string;
  change: (act: (memory: Memory) => Promise<unknown>) => Promise<void>;
}> {
  const folder = temporaryFolder();
  const change = async (act: (memory: Memory) => Promise<unknown>): Promise<void> => {
    const memory = await openMemory({ dir: folder, create: true, durability: 'fast' });
    try {
      await act(memory);
    } finally {
      await memory.close();
    }
  };
  await change(async () => {});
  return { folder, change };
}

/** Calls the hook, which never fails. */
async function call(folder: string, event: object | string, env: Record<string, string> = {}): Promise<string> {
  const input = typeof event === 'string' ? event : JSON.stringify(event);
  const { status, stdout, stderr } = await runProgram(folder, ['hook'], { input, env: programEnvironment(env) });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout.trim();
}

const stop = ({ path }: SessionFile, more: object = {}) => ({
  ...{ hook_event_name: 'Stop', session_id: 'abc-1', transcript_path: path, cwd: '/', stop_hook_active: false },
  ...more,
});
const feedback = (said: string): string => JSON.parse(said).hookSpecificOutput.additionalContext;

async function turnsOf(folder: string): Promise<string[]> {
  const memory = await openMemory({ dir: folder, readOnly: true });
  try {
    const snapshot = memory.store.snapshot(true);
    return [...snapshot.list('raw/conversations/').keys()].map((path) => snapshot.readText(path)!);
  } finally {
    await memory.close();
  }
}

describe('the hook of a coding agent', () => {
  it('keeps what is new at each stop, tells the agent once, and ends with the session', async () => {
    const { folder, change } = await newMemory();
    await change((memory) => memory.remember('Login sessions last 8 hours'));
    const file = new SessionFile().user(
      'Sessions of 8 hours are too long for the till. From now on they last 2 hours.',
    );
    file.agent('Done, ttlSeconds is 7200 now.');
    const told = feedback(await call(folder, stop(file)));
    expect(told).toContain('session abc-1');
    expect(told).toContain('turn 1');
    expect(told).toMatch(/\[\w{8,}\] \d{4}-\d\d-\d\d Login sessions last 8 hours/);
    expect(estimateTokens(told)).toBeLessThanOrEqual(300);
    // It reads like what is the case, and not like an order.
    expect(told).not.toMatch(/\b(?:must|please|you)\b/i);
    // The same again is nothing new, and neither is what the agent says to it.
    expect(await call(folder, stop(file))).toBe('');
    file.agent('Noted: sessions last 2 hours.');
    expect(await call(folder, stop(file, { stop_hook_active: true }))).toBe('');
    const [text, ...others] = await turnsOf(folder);
    expect(others).toEqual([]);
    expect(text!.match(/^## /gm)).toHaveLength(3);
    expect(text).not.toContain('ended:');
    file.user('Thanks.');
    expect(await call(folder, { ...stop(file), hook_event_name: 'SessionEnd', reason: 'exit' })).toBe('');
    const [ended] = await turnsOf(folder);
    expect(ended).toContain('ended:');
    expect(ended!.match(/^## /gm)).toHaveLength(4);
    const { stdout } = await runHere(folder, ['log', '--json']);
    expect(JSON.parse(stdout).commits[0].trailers).toContainEqual({ key: 'Session', value: expect.any(String) });
  });

  it('is answered by the tools of the agent: the old claim ends, and the review has nothing left to ask', async () => {
    const { folder, change } = await newMemory();
    let old = '';
    await change(async (memory) => {
      old = (await memory.remember('Login sessions last 8 hours')).id!;
    });
    const file = new SessionFile()
      .user('The till logs out too late. From now on login sessions last 2 hours.')
      .agent('Done.');
    const told = feedback(await call(folder, stop(file)));
    const handle = /\[(\w+)\]/.exec(told)![1]!;
    expect(old.startsWith(handle)).toBe(true);
    const client = await TestClient.start(folder);
    const claim = { says: 'Login sessions last 2 hours', t: 1, quote: 'login sessions last 2 hours', kind: 'decision' };
    const wrong = await client.call('memory_add', { claims: [{ ...claim, quote: 'for ever' }], session: 'abc-1' });
    expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining('turn 1 does not say') });
    const { data } = await client.call('memory_add', { claims: [{ ...claim, replaces: handle }], session: 'abc-1' });
    expect(data.claims).toMatchObject([{ category: 'decision', closed: [{ id: old }] }]);
    await client.close();
    await change(async (memory) => {
      expect(await memory.get(old)).toMatchObject({ status: 'superseded', replacedBy: data.claims[0].id });
      expect(await memory.get(data.claims[0].id)).toMatchObject({ sources: [{ turn: 1 }] });
      expect((await memory.review()).cards).toEqual([]);
    });
  });

  it('makes the claim of an answer of what the rules kept of the same words', async () => {
    const { folder, change } = await newMemory();
    const file = new SessionFile()
      .user('Decision: we round VAT per line, since the tax office wants it so.')
      .agent('Yes.');
    await call(folder, stop(file));
    await change(async (memory) => void (await memory.extract({ from: 'abc_1' })));
    const client = await TestClient.start(folder);
    const quote = 'we round VAT per line';
    const claims = [
      { says: 'VAT is rounded per line', t: [1], quote, subject: 'VAT', attribute: 'rounding', sure: 'said' },
    ];
    const { data } = await client.call('memory_add', { claims, session: 'abc-1' });
    expect(data.claims).toMatchObject([{ closed: [{ content: expect.stringContaining(quote) }] }]);
    await client.close();
    await change(async (memory) => {
      const { memories } = await memory.list({ status: 'active' });
      const ofTax = memories.filter(({ content }) => content.includes('VAT'));
      expect(ofTax).toMatchObject([{ content: 'VAT is rounded per line', attribute: 'rounding' }]);
    });
  });

  it.each([
    ['an older version, which has one way to say something', '2.1.100', 'decision'],
    ['a version of now', '2.1.163', 'hookSpecificOutput'],
    ['a version to come', '3.0.0', 'hookSpecificOutput'],
  ])('speaks the form of %s', async (_, version, key) => {
    const { folder } = await newMemory();
    const file = new SessionFile(version).user('Decision: releases leave on Tuesdays from now on.').agent('Agreed.');
    const said = JSON.parse(await call(folder, stop(file)));
    expect(Object.keys(said)[0]).toBe(key);
    expect(JSON.stringify(said)).toContain('releases leave on Tuesdays');
  });

  it('goes on as another conversation when a session that ended is resumed', async () => {
    const { folder } = await newMemory();
    const file = new SessionFile().user('The staging database is Postgres 16.').agent('Good to know.');
    await call(folder, { ...stop(file), hook_event_name: 'SessionEnd' });
    file.user('And production is still on Postgres 15.').agent('Until January, then.');
    await call(folder, stop(file));
    await call(folder, { ...stop(file), hook_event_name: 'SessionEnd' });
    const texts = await turnsOf(folder);
    expect(texts).toHaveLength(2);
    expect(texts.join('\n').match(/^## /gm)).toHaveLength(4);
    // Who imports the file later brings nothing twice.
    const { stdout } = await runHere(folder, ['import', 'claude-code', file.path, '--json']);
    expect(JSON.parse(stdout).imports).toMatchObject([{ added: 0, left: [] }]);
  });

  it('keeps a turn of a subagent as it stands, also where its answer comes later', async () => {
    const { folder } = await newMemory();
    const file = new SessionFile().user('Look for the flag with a helper.');
    file.agent({ type: 'tool_use', id: 't1', name: 'Task', input: { prompt: 'find the flag' } });
    expect(await call(folder, { ...stop(file), hook_event_name: 'SubagentStop', agent_transcript_path: '/x' })).toBe(
      '',
    );
    file.user([{ type: 'tool_result', tool_use_id: 't1', content: 'in config.ts' }]).agent('It is in config.ts.');
    await call(folder, stop(file));
    const [text] = await turnsOf(folder);
    expect(text!.match(/^## /gm)).toHaveLength(3);
    const { stdout } = await runHere(folder, ['import', 'claude-code', file.path, '--json']);
    expect(JSON.parse(stdout).imports).toMatchObject([{ added: 0, left: [] }]);
  });

  it('asks once of each turn, also of one that was kept before the agent rested', async () => {
    const { folder } = await newMemory();
    const file = new SessionFile().user('Decision: releases leave on Tuesdays from now on.').agent('Let me look.');
    expect(await call(folder, { ...stop(file), hook_event_name: 'PreCompact' })).toBe('');
    file.agent('It is in the calendar now.');
    expect(feedback(await call(folder, stop(file)))).toContain('releases leave on Tuesdays');
    file.user('Decision: the tag is signed by two of us.').agent('Noted.');
    const told = feedback(await call(folder, stop(file)));
    expect(told).toContain('signed by two');
    expect(told).not.toContain('Tuesdays');
  });

  it('says nothing where nothing is worth it', async () => {
    const { folder } = await newMemory();
    expect(await call(folder, stop(new SessionFile().user('Hi!').agent('Hello! What is to be done?')))).toBe('');
  });

  it('keeps nothing inside of what a model of ours started', async () => {
    const { folder } = await newMemory();
    const file = new SessionFile().user('Decision: releases leave on Tuesdays.').agent('Agreed.');
    expect(await call(folder, stop(file), { GIT_MEMORY_INSIDE: '1' })).toBe('');
    expect(await turnsOf(folder)).toEqual([]);
  });

  it('is silent about other events, input that is none, missing files, and folders without a memory', async () => {
    const { folder } = await newMemory();
    const file = new SessionFile().user('Decision: releases leave on Tuesdays.').agent('Agreed.');
    const others = ['SessionStart', 'PreToolUse', 'UserPromptSubmit', 'PostToolUse', 'Notification', 'Something'];
    for (const hook_event_name of others) expect(await call(folder, { ...stop(file), hook_event_name })).toBe('');
    for (const input of ['', '{', '[]', 'null', '{"hook_event_name":"Stop"}'])
      expect(await call(folder, input)).toBe('');
    expect(await call(folder, { ...stop(file), transcript_path: join(folder, 'gone.jsonl') })).toBe('');
    expect(await turnsOf(folder)).toEqual([]);
    const elsewhere = temporaryFolder();
    expect(await call(elsewhere, stop(file))).toBe('');
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it.each([
    ['by an old Node', 'needs Node 20 or newer', false],
    ['without a part of it', 'part-apps-hook.js', true],
    ['over a memory that cannot be read', '(INVALID_CONFIG). `git memory doctor` says', false],
  ])('says one line as a session begins where it runs %s, and nothing else', async (how, says, isCut) => {
    const { folder } = await newMemory();
    if (how.startsWith('over')) {
      writeFileSync(join(folder, 'memory.yaml'), 'timezone: [\n');
      git(folder, 'commit', '-qam', 'by hand', '--no-verify');
    }
    const program = join(temporaryFolder(), 'dist/program');
    cpSync(dirname(programPath), program, { recursive: true });
    if (isCut) rmSync(join(program, 'part-apps-hook.js'));
    const old = join(folder, '..', 'old.cjs');
    const versions = `process, 'versions', { value: { ...process.versions, node: '16.20.0' } }`;
    writeFileSync(old, how.endsWith('Node') ? `Object.defineProperty(${versions});` : '');
    const run = (name: string) => {
      const input = JSON.stringify({ hook_event_name: name, cwd: folder });
      const args = ['--require', old, join(program, 'main.js'), 'hook'];
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { input, encoding: 'utf8', cwd: folder });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      return stdout;
    };
    expect(feedback(run('SessionStart')).split('\n')).toEqual([expect.stringContaining(says)]);
    expect(run('UserPromptSubmit')).toBe('');
    if (!isCut) return;
    for (const name of ['package.json', 'hooks', 'data'])
      symlinkSync(join(projectRoot, name), join(program, '../..', name));
    const { stdout } = spawnSync(process.execPath, [join(program, 'main.js'), 'doctor'], {
      encoding: 'utf8',
      cwd: folder,
    });
    expect(stdout).toMatch(/INSTALLATION\s+dist\/program\/part-apps-hook\.js/);
  });

  it('begins a session with what was said, the later word above the earlier one', async () => {
    const { folder, change } = await newMemory();
    const begins = { hook_event_name: 'SessionStart', session_id: 'abc-2', source: 'startup', cwd: folder };
    expect(await call(folder, begins)).toBe('');
    await change((memory) =>
      memory.capture({
        messages: [{ role: 'user', text: 'Login sessions last 8 hours from now on.', time: '2026-11-01T09:00:00Z' }],
      }),
    );
    const file = new SessionFile().user('Eight hours are too long. From now on login sessions last 2 hours.');
    await call(folder, { ...stop(file), hook_event_name: 'SessionEnd' });
    const told = feedback(await call(folder, begins));
    expect(estimateTokens(told)).toBeLessThanOrEqual(400);
    const [later, earlier] = ['last 2 hours', 'last 8 hours'].map((words) => told.indexOf(words));
    expect(told).toContain('2026-11-02');
    expect(told).toContain('2026-11-01');
    expect(later).toBeGreaterThan(0);
    expect(earlier).toBeGreaterThan(0);
    // It is kept ready, and made anew when something changes.
    expect(feedback(await call(folder, begins))).toBe(told);
    const messages = [{ role: 'user', text: 'We never deploy on Fridays.', time: '2026-11-02T10:00:00Z' }];
    await change((memory) => memory.capture({ messages }));
    expect(feedback(await call(folder, begins))).toContain('never deploy on Fridays');
  });

  it('begins no session with what ended, nor with what the agent repeated of it', async () => {
    const { folder, change } = await newMemory();
    const rules = [
      [
        'From now on every release is tagged by two people.',
        'Understood. From now on every release is tagged by two people.',
      ],
      [
        'We always write dates as day.month.year in the invoices.',
        'Noted: dates in the invoices are written as day.month.year.',
      ],
      ['The retry limit of the uploader is 5.', 'I set it: the retry limit of the uploader is 5.'],
      ['Nobody uses lodash in this project.', 'Then nobody uses lodash in this project, and I take it out.'],
      ['Our staging server is called heron.', 'Remembered: our staging server is called heron.'],
    ] as const;
    const changes = [
      'One person is enough for tagging a release after all.',
      'Change of mind: invoices get ISO dates, the accountant insists.',
      'Set the retry limit of the uploader to 3 instead, 5 annoys the provider.',
      'You may use lodash again, the size budget was raised.',
      'The staging server was renamed, it is egret now.',
    ];
    const first = new SessionFile(undefined, 'rules-1');
    for (const [said, answer] of rules) first.user(said).agent(answer);
    await call(folder, { ...stop(first), session_id: 'rules-1' });
    const client = await TestClient.start(folder, { args: ['--hooks'] });
    const add = async (session: string, claims: readonly object[]) =>
      (await client.call('memory_add', { claims: claims.map((one) => ({ kind: 'decision', ...one })), session })).data
        .claims as { readonly id: string }[];
    const old = await add(
      'rules-1',
      rules.map(([said], at) => ({ t: 1 + 2 * at, says: said, quote: said.slice(0, -1) })),
    );
    const second = new SessionFile(undefined, 'rules-2', '2026-11-03');
    for (const said of changes) second.user(said).agent('Done.');
    await call(folder, { ...stop(second), session_id: 'rules-2' });
    const contexts = async (): Promise<readonly string[]> => [
      feedback(await call(folder, { hook_event_name: 'SessionStart', session_id: 'rules-3', cwd: folder })),
      (await runHere(folder, ['context', 'start'])).stdout,
      feedback((await client.call('memory_hook', { event: 'SessionStart', session: 'rules-3' })).text),
    ];
    // The later word stands above, both with their day.
    for (const text of await contexts()) {
      expect(text.indexOf('2026-11-02')).toBeGreaterThan(text.indexOf('2026-11-03'));
      expect(text.indexOf('called heron')).toBeGreaterThan(text.indexOf('egret now'));
    }
    await add(
      'rules-2',
      changes.map((said, at) => ({ t: 1 + 2 * at, says: said, quote: said.slice(0, -1), replaces: old[at]!.id })),
    );
    for (const text of await contexts()) {
      for (const said of changes) expect(text).toContain(said);
      expect(text).not.toMatch(/two people|day\.month|is 5|nobody uses|called heron/i);
    }
    await client.close();
    await change(async (memory) => {
      for (const { id } of old) expect((await memory.get(id)).status).toBe('superseded');
    });
  });

  it('keeps the words that are about to leave the window, of Codex and Gemini CLI, too', async () => {
    const { folder } = await newMemory();
    const file = new SessionFile().user('The staging database is Postgres 16.').agent('Good to know.');
    expect(await call(folder, { ...stop(file), hook_event_name: 'PreCompact', trigger: 'auto' })).toBe('');
    const rollout = join(temporaryFolder(), 'rollout-2026-11-03T09-00-00-0191.jsonl');
    const at = (type: string, payload: object) => JSON.stringify({ timestamp: '2026-11-03T09:00:00Z', type, payload });
    const says = (role: string, type: string, text: string) =>
      at('response_item', { type: 'message', role, content: [{ type, text }] });
    writeFileSync(
      rollout,
      [
        at('session_meta', { id: '0191', timestamp: '2026-11-03T09:00:00Z', cwd: folder, cli_version: '0.104.0' }),
        says('user', 'input_text', 'Decision: we round VAT per line.'),
        `${says('assistant', 'output_text', 'Agreed.')}\n`,
      ].join('\n'),
    );
    const codex = { session_id: '0191', transcript_path: rollout, cwd: folder, hook_event_name: 'Stop' };
    // Codex takes nothing else at the end of a turn.
    expect(JSON.parse(await call(folder, codex))).toMatchObject({ decision: 'block' });
    const chat = join(temporaryFolder(), 'session-2026-11-04.jsonl');
    const line = { sessionId: 'g-1', projectHash: 'ab', startTime: '2026-11-04T09:00:00Z', kind: 'main' };
    const message = { id: 'm1', timestamp: '2026-11-04T09:00:01Z', type: 'user', content: 'Rename the parser.' };
    writeFileSync(chat, `${JSON.stringify({ ...line, lastUpdated: line.startTime })}\n${JSON.stringify(message)}\n`);
    const gemini = { session_id: 'g-1', transcript_path: chat, cwd: folder, hook_event_name: 'AfterAgent' };
    expect(await call(folder, gemini)).toBe('');
    const texts = (await turnsOf(folder)).join('\n');
    for (const words of ['Postgres 16', 'round VAT', 'Rename the parser']) expect(texts).toContain(words);
  });

  it('speaks the form of the program that asks', async () => {
    const { folder, change } = await newMemory();
    await change((memory) =>
      memory.capture({ messages: [{ role: 'user', text: 'Decision: login sessions last 2 hours.' }] }),
    );
    const form = async (event: object) => Object.keys(JSON.parse(await call(folder, { cwd: folder, ...event })));
    expect(await form({ hook_event_name: 'SessionStart', session_id: 'g' })).toEqual(['hookSpecificOutput']);
    expect(await form({ hook_event_name: 'sessionStart', conversation_id: 'c' })).toEqual(['additional_context']);
    expect(await form({ hookEventName: 'SessionStart', sessionId: 'v' })).toEqual(['hookSpecificOutput']);
    const asks = { hook_event_name: 'BeforeAgent', session_id: 'g', prompt: 'how long do login sessions last' };
    expect(await form(asks)).toEqual(['hookSpecificOutput']);
  });

  it('finds the memory of the project that the program names, as the server does', async () => {
    const { folder, change } = await newMemory();
    await change((memory) =>
      memory.capture({ messages: [{ role: 'user', text: 'Decision: login sessions last 2 hours.' }] }),
    );
    const elsewhere = temporaryFolder();
    const env = { CLAUDE_PROJECT_DIR: folder };
    const begins = { hook_event_name: 'SessionStart', cwd: elsewhere };
    expect(feedback(await call(elsewhere, begins, env))).toContain('last 2 hours');
    const client = await TestClient.start(elsewhere, { env, args: ['--hooks'] });
    expect((await client.call('memory_status')).text).toContain('1 conversation');
    for (const [more, place] of [
      [[], folder],
      [['--dir', elsewhere], 'is not inside a git repository'],
    ] as const) {
      const { stdout, stderr } = await runProgram(elsewhere, ['status', ...more], { env: programEnvironment(env) });
      expect(stdout + stderr).toContain(place);
    }
    const asks = { event: 'UserPromptSubmit', session: 's', prompt: 'how long do login sessions last' };
    expect(feedback((await client.call('memory_hook', asks)).text)).toContain('last 2 hours');
    // Once is enough for a session, and what is not known is not told.
    expect((await client.call('memory_hook', asks)).text).toBe('');
    expect((await client.call('memory_hook', { ...asks, prompt: 'which colour has the crane' })).text).toBe('');
    for (const input of [
      {},
      { event: 'Stop' },
      { event: 'PreToolUse', path: ['$', '{tool_input.file_path}'].join('') },
    ])
      expect(await client.call('memory_hook', input)).toMatchObject({ text: '', isError: false });
    const { tools } = await client.client.listTools();
    expect(tools.find(({ name }) => name === 'memory_hook')!.inputSchema.required).toEqual(['event']);
    await client.close();
    const silent = await TestClient.start(elsewhere, { args: ['--hooks'] });
    expect((await silent.call('memory_hook', asks)).text).toBe('');
    await silent.close();
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it('keeps what a forked session has of another one once, and tells it what that one said alone', async () => {
    const { folder } = await newMemory();
    const [one, other] = ['abcdef01-2345-4abc-one', 'abcdef01-2345-4abc-two'];
    const file = new SessionFile('2.1.200', one).user('Decision: login sessions last 2 hours.').agent('Done.');
    const at = (session: string, path: string) => ({ ...stop(file), session_id: session, transcript_path: path });
    await call(folder, at(one, file.path));
    const fork = join(temporaryFolder(), 'fork.jsonl');
    const copied = () => readFileSync(file.path, 'utf8').replaceAll(`"sessionId":"${one}"`, `"sessionId":"${other}"`);
    writeFileSync(fork, copied());
    await call(folder, at(other, fork));
    expect(await turnsOf(folder)).toHaveLength(1);
    const asks = { hook_event_name: 'UserPromptSubmit', prompt: 'how long do login sessions last' };
    expect(await call(folder, { ...asks, session_id: one })).toBe('');
    expect(feedback(await call(folder, { ...asks, session_id: other }))).toContain('last 2 hours');
    file.user('The staging database is Postgres 16.').agent('Good to know.');
    writeFileSync(fork, copied());
    for (let times = 0; times < 2; times += 1) await call(folder, at(other, fork));
    const texts = await turnsOf(folder);
    expect(texts.map((text) => text.match(/^## /gm)?.length)).toEqual([2, 2]);
    expect(texts.filter((text) => text.includes('Decision: login'))).toHaveLength(1);
  });

  it('works in the memory of a fresh clone, which its remote alone has yet, and never in one of your own instead', async () => {
    const origin = newRepository();
    writeFileSync(join(origin, 'till.c'), 'int till;\n');
    commitAll(origin, 'code');
    const memory = await openMemory({ dir: origin, create: true, durability: 'fast' });
    await memory.capture({ messages: [{ role: 'user', text: 'Decision: login sessions last 2 hours.' }] });
    await memory.close();
    const [clone, data] = [join(temporaryFolder(), 'clone'), temporaryFolder()];
    git(origin, 'clone', '-q', origin, clone);
    const own = await openMemory({ dir: join(data, 'git-memory/memory'), create: true, durability: 'fast' });
    const { tip } = own;
    await own.close();
    const env = { CLAUDE_PROJECT_DIR: clone, XDG_DATA_HOME: data };
    git(clone, 'remote', 'add', 'fork', origin);
    git(clone, 'fetch', '-q', 'fork');
    const file = new SessionFile().user('The staging database is Postgres 16.').agent('Good to know.');
    const begins = { hook_event_name: 'SessionStart', cwd: clone };
    expect(feedback(await call(clone, begins, env))).toContain('git-memory does not work here (AMBIGUOUS)');
    expect(await call(clone, stop(file, { cwd: clone }), env)).toBe('');
    git(clone, 'remote', 'remove', 'fork');
    expect(feedback(await call(clone, begins, env))).toContain('last 2 hours');
    await call(clone, stop(file, { cwd: clone }), env);
    const texts = (await turnsOf(clone)).join('\n');
    for (const words of ['Postgres 16', 'last 2 hours']) expect(texts).toContain(words);
    expect(git(clone, 'merge-base', 'memory/main', 'origin/memory/main')).toBe(git(origin, 'rev-parse', 'memory/main'));
    const still = await openMemory({ dir: join(data, 'git-memory/memory'), readOnly: true });
    expect(still.tip).toBe(tip);
    await still.close();
  });

  it('takes secrets out, as every capture does', async () => {
    const { folder } = await newMemory();
    const key = `ghp_${'A1b2C3d4E5'.repeat(4).slice(0, 36)}`;
    await call(folder, stop(new SessionFile().user(`The token of the release bot is ${key}, keep it.`).agent('No.')));
    const [text] = await turnsOf(folder);
    expect(text).not.toContain(key);
    expect(readFileSync(join(folder, '.git/config'), 'utf8')).not.toContain(key);
  });
});
