import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Memory, openMemory } from '../../src/memory/open-memory.ts';
import { refusal } from '../helpers/error-manners.ts';
import { newTestMemory, writeConfiguration } from '../helpers/memories.ts';
import { commitAll, git, hasGit } from '../helpers/native-git.ts';
import { Dice, formedSecrets, makeSecret } from '../store/guard/made-secrets.ts';

const dice = new Dice(20260216);
const githubToken = () => `ghp_${dice.key(36)}`;
const pem = () => makeSecret(formedSecrets['rsa private key']!, dice).text;

/** Everything on disk: files, the journal, and what git's objects hold. */
function bytesOf(directory: string): string {
  const files = fs
    .readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => fs.statSync(path.join(directory, name)).isFile())
    .map((name) => `${name}\n${fs.readFileSync(path.join(directory, name), 'latin1')}`);
  const objects = hasGit ? git(directory, 'cat-file', '--batch', '--batch-all-objects') : '';
  return `${files.join('\n')}\n${objects}`;
}

/** Ways in, beside the doors of test/doors: what is called with a secret, and gives what the caller is told. */
const ways: Readonly<Record<string, (memory: Memory, secret: string) => Promise<unknown>>> = {
  'a note': (memory, secret) => memory.capture(`the key is ${secret} for now`),
  'the first words, which name the topic': (memory, secret) =>
    memory.capture(`${secret} expires on Monday, we rotate it`),
  messages: (memory, secret) =>
    memory.capture({
      messages: [{ role: 'user', text: `take ${secret}`, speaker: `Ada ${secret}` }],
      tags: [secret],
      agent: `agent ${secret}`,
      model: secret,
    }),
  'a transcript': (memory, secret) =>
    memory.captureText(
      `---\nsession_id: one\nstarted: 2026-02-16T08:00:00Z\ntopic: "about ${secret}"\n---\n\n# ${secret}\n\n## 08:00 — user\n${secret}\n`,
    ),
  'a tool call that is cut': (memory, secret) =>
    memory.captureText(
      JSON.stringify([
        {
          role: 'assistant',
          content: [
            {
              type: 'tool_use',
              id: 'a',
              name: 'bash',
              input: { command: 'env', padding: 'p'.repeat(30), value: secret },
            },
          ],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'a', content: `${'line '.repeat(17)}${secret} and more` }],
        },
      ]),
      { format: 'json' },
    ),
  'lines of JSON': (memory, secret) =>
    memory.captureText(`{"role":"user","content":"use ${secret}"}\n{"role":"user","content":"ok"}\n`),
  'a session': async (memory, secret) => {
    const session = await memory.startSession({ session: 'live', topic: `about ${secret}`, agent: secret });
    const told = [await session.message('user', `here: ${secret}`, { speaker: `Ada ${secret}` })];
    told.push(await session.toolCall('bash', `echo ${'x '.repeat(90)}${secret}`, `it said ${secret}`));
    return [told, await session.end({ tags: [secret] })];
  },
  'a memory': (memory, secret) =>
    memory.remember({
      content: `the key is ${secret}`,
      tags: [secret],
      entities: [secret],
      context: secret,
      source: secret,
    }),
  'a file': (memory, secret) => memory.write('knowledge/reference/keys.md', `# Keys\n\n- ${secret}\n`),
};

describe('secrets', () => {
  it.each(Object.keys(ways))('are redacted before anything is written: %s', async (way) => {
    const { memory, directory } = await newTestMemory();
    const secrets = [githubToken(), ...(way === 'a note' || way === 'a file' ? [pem()] : [])];
    for (const secret of secrets) {
      const told = await ways[way]!(memory, secret);
      const part = secret.slice(30, 44);
      expect(bytesOf(directory)).not.toContain(part);
      await memory.commit();
      expect(bytesOf(directory)).not.toContain(part);
      expect(JSON.stringify(told)).not.toContain(part);
    }
    await memory.close();
    expect(bytesOf(directory)).toContain('[redacted:');
  });

  it('are reported by kind and place', async () => {
    const { memory } = await newTestMemory();
    const result = await memory.capture({
      messages: [
        { role: 'user', text: 'hello there' },
        { role: 'user', text: `first line\nand ${githubToken()}` },
      ],
    });
    const lines = (await memory.read(result.path))!.split('\n');
    const line = lines.indexOf('and [redacted:github-token]') + 1;
    expect(line).toBeGreaterThan(1);
    expect(result.redacted).toEqual([{ kind: 'github-token', path: result.path, line, turn: 2 }]);

    const session = await memory.startSession();
    expect(await session.message('user', 'no secret')).toEqual({ turn: 1 });
    const { redacted } = await session.message('agent', `${githubToken()} it is`);
    const at = (await memory.read(session.path))!.split('\n').indexOf('[redacted:github-token] it is') + 1;
    expect(redacted).toEqual([{ kind: 'github-token', path: session.path, line: at, turn: 2 }]);
    expect((await session.end()).redacted).toMatchObject([{ kind: 'github-token', turn: 2 }]);

    const written = await memory.write('knowledge/a.md', `one\ntwo ${githubToken()}\n`);
    expect(written.redacted).toEqual([{ kind: 'github-token', path: 'knowledge/a.md', line: 2 }]);
    const edited = await memory.edit('knowledge/a.md', 'one', `one\n${githubToken()}`);
    expect(edited.redacted).toEqual([{ kind: 'github-token', path: 'knowledge/a.md', line: 2 }]);
    expect((await memory.edit('knowledge/a.md', 'one', 'zero')).redacted).toBeUndefined();
    expect((await memory.remember(`keep ${githubToken()}`)).redacted).toMatchObject([{ kind: 'github-token' }]);
  });

  it('are seen when two messages hold a half each, in one capture and in a session', async () => {
    const { memory } = await newTestMemory();
    const secret = githubToken();
    const halves = [`the first half is ${secret.slice(0, 20)}`, `${secret.slice(20)} and that is the second`];
    const { path: where } = await memory.capture({ messages: halves.map((text) => ({ role: 'user', text })) });
    const captured = (await memory.read(where))!;
    expect(captured).toContain('the first half is [redacted:github-token]\n');
    expect(captured).toContain('[redacted:github-token] and that is the second');

    const session = await memory.startSession();
    expect(await session.message('user', halves[0]!)).toEqual({ turn: 1 });
    expect((await session.message('user', halves[1]!)).redacted).toMatchObject([{ kind: 'github-token', turn: 2 }]);
    const spoken = (await memory.read(session.path))!;
    expect(spoken).not.toContain(secret.slice(20));
    expect(spoken).toContain('[redacted:github-token] and that is the second');
  });

  it('come out the same, so that importing again changes nothing', async () => {
    const { memory } = await newTestMemory();
    const text = JSON.stringify({
      session: 's1',
      messages: [{ role: 'user', content: `use ${githubToken()}`, time: 1_700_000_000 }],
    });
    const [first] = await memory.captureText(text, { format: 'json' });
    const [second] = await memory.captureText(text, { format: 'json' });
    expect(second).toEqual(first);
    const [third] = await memory.captureText((await memory.read(first!.path))!);
    expect(third).toMatchObject({ path: first!.path, commit: first!.commit });
    expect(third!.redacted).toBeUndefined();
  });

  it('are refused when memory.yaml says so, naming the place and nothing of the secret', async () => {
    const { memory, directory } = await newTestMemory();
    const secret = githubToken();
    await writeConfiguration(memory, 'secrets:\n  mode: refuse\n');
    await memory.commit();
    const before = memory.tip;
    for (const [name, way] of Object.entries(ways)) {
      const error = await refusal(way(memory, secret));
      expect(error, name).toMatchObject({ code: 'SECRET' });
      expect(error.message).toMatch(/github-token|secret-value|password/);
      expect(error.message).not.toContain(secret.slice(10, 24));
    }
    await memory.commit();
    expect(memory.tip === before || (await memory.list()).memories.length === 0).toBe(true);
    expect(bytesOf(directory)).not.toContain(secret.slice(10, 24));
  });

  it('are let in when they are allowed, or when nobody looks', async () => {
    const { memory } = await newTestMemory();
    const known = githubToken();
    await writeConfiguration(memory, `secrets:\n  allow: ["${known.slice(0, 12)}*"]\n`);
    const { path: where, redacted } = await memory.capture(`${known} and ${githubToken()}`);
    expect(await memory.read(where)).toContain(`${known} and [redacted:github-token]`);
    expect(redacted).toHaveLength(1);
    const other = githubToken();
    await writeConfiguration(memory, 'secrets:\n  mode: off\n');
    expect(await memory.read((await memory.capture(`use ${other}`)).path)).toContain(other);
  });

  it('of a person who edits files are left where they are, and reported', async () => {
    const { memory, directory } = await newTestMemory();
    const secret = githubToken();
    fs.mkdirSync(path.join(directory, 'knowledge'), { recursive: true });
    fs.writeFileSync(path.join(directory, 'knowledge/keys.md'), `one\n${secret}\n`);
    const { commits, skipped } = await memory.commit();
    expect(commits).toEqual([]);
    expect(skipped).toEqual([{ path: 'knowledge/keys.md', why: expect.stringMatching(/line 2.*github-token/) }]);
    expect(JSON.stringify(skipped)).not.toContain(secret.slice(10));
    expect(fs.readFileSync(path.join(directory, 'knowledge/keys.md'), 'utf8')).toContain(secret);
    if (hasGit) {
      git(directory, 'add', '-A');
      expect((await memory.git.checkStaged()).violations).toMatchObject([{ path: 'knowledge/keys.md' }]);
    }
  });

  it.runIf(hasGit)('that are in history already do not stop anybody from going on', async () => {
    const { memory, directory } = await newTestMemory();
    const secret = githubToken();
    fs.mkdirSync(path.join(directory, 'knowledge'), { recursive: true });
    fs.writeFileSync(path.join(directory, 'knowledge/keys.md'), `one\n${secret}\nthree\n`);
    commitAll(directory, 'by hand');
    await memory.edit('knowledge/keys.md', 'three', 'four');
    const { commits } = await memory.commit();
    expect(commits).toHaveLength(1);
    const removal = await memory.edit('knowledge/keys.md', secret, 'gone');
    expect(removal.redacted).toBeUndefined();
    await memory.commit();
    expect((await memory.undo('HEAD')).conflicts).toEqual([]);
    expect(await memory.read('knowledge/keys.md')).toBe(`one\n${secret}\nfour\n`);
  });

  it('are not quoted by errors', async () => {
    const { memory } = await newTestMemory();
    const secret = githubToken();
    for (const call of [
      () => memory.captureText(`{"key": ${secret}}`, { format: 'json' }),
      () => memory.captureText(`{"role": "user", "content": "a"}\n${secret}\n`, { format: 'jsonl' }),
      () => memory.get(secret),
      () => memory.at(secret),
      () => memory.remove(`knowledge/${secret}.md`),
      () => memory.write(`knowledge/${secret}.md`, 'text'),
      () => memory.snapshots.create(secret),
      () => memory.capture({ messages: [{ role: 'user', text: 'hello' }], session: secret }),
      () => memory.capture({ messages: [{ role: 'user', text: 'hello', time: secret }] }),
      () => memory.remember({ content: 'words', due: secret }),
    ]) {
      const error = await refusal(call());
      expect(error.name, String(call)).toBe('MemoryError');
      expect(JSON.stringify([error, error.message, String(error.cause ?? '')])).not.toContain(secret.slice(10));
    }
  });

  it('of an extractor are taken out of what it finds', async () => {
    const { memory, directory } = await newTestMemory();
    const secret = githubToken();
    await writeConfiguration(memory, 'secrets:\n  mode: off\n');
    await memory.capture(`Decision: we use ${secret} from now on.`);
    await writeConfiguration(memory, 'secrets:\n  mode: redact\n');
    const { transcripts } = await memory.extract();
    expect(JSON.stringify(transcripts)).not.toContain(secret);
    expect(transcripts[0]!.created[0]!.content).toContain('[redacted:github-token]');
    await memory.close();
    const reader = await openMemory({ dir: directory, readOnly: true });
    expect(JSON.stringify((await reader.list()).memories)).not.toContain(secret);
    await reader.close();
  });
});

it('a sentence that speaks of a password and tells none is kept, and is derived from like any other', async () => {
  const { memory } = await newTestMemory();
  const id = '01m8ktdvh0k3xqpknvt07bmfps';
  await memory.remember({ content: 'We decided that only Ada Byron keeps the password', category: 'decision', id });
  await memory.commit();
  const { steps } = await memory.maintenance.night();
  expect(steps.filter(({ state }) => state === 'failed')).toEqual([]);
  for (const folder of ['ledger/', 'recall/']) {
    const texts = await Promise.all((await memory.files(folder)).map((file) => memory.read(file)));
    expect(texts.join(''), folder).toContain('keeps the password');
  }
});
