// Rules that were said on one day and reversed on the next: what an agent is handed on the third day, at the end of the pipe.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { estimateTokens } from '../../../src/base/token-estimate.ts';
import { openMemory } from '../../../src/memory/open-memory.ts';
import { codingSession } from '../../helpers/coding-session.ts';
import { newTestMemory } from '../../helpers/memories.ts';
import { buildProgram, runProgram } from '../../helpers/program.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';
import { TestClient } from '../mcp/client.ts';

interface Reversed {
  readonly first: string;
  readonly later: string;
  readonly old: string;
  readonly now: string;
  readonly asks: string;
}

const jsonOf = (name: string) => JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8')) as unknown;
const weeks = jsonOf('weeks.json') as Readonly<Record<string, Readonly<Record<'telling' | 'idle', readonly string[]>>>>;
const rules = jsonOf('reversed.json') as readonly Reversed[];
const [dayOne, dayTwo] = ['2026-11-02', '2026-11-03'] as const;

describe('a rule that was reversed', () => {
  beforeAll(buildProgram);

  it('stands in no context alone, and in none once the agent has said so', async () => {
    const folder = temporaryFolder();
    await (await openMemory({ dir: folder, create: true, durability: 'fast' })).close();
    const hook = async (event: object) => {
      const input = JSON.stringify({ cwd: folder, ...event });
      const { stdout } = await runProgram(folder, ['hook'], { input });
      return stdout === '' ? '' : (JSON.parse(stdout).hookSpecificOutput.additionalContext as string);
    };
    const begin = () => hook({ hook_event_name: 'SessionStart', source: 'startup', session_id: 'third' });
    for (const [session, day, of] of [
      ['first', dayOne, 'first'],
      ['second', dayTwo, 'later'],
    ] as const) {
      const told = codingSession({ cwd: folder, session, start: `${day}T09:00:00Z` });
      for (const rule of rules) told.says(rule[of]).answers('Understood.');
      const transcript_path = join(folder, '.git', `${session}.jsonl`);
      writeFileSync(transcript_path, told.text());
      await hook({ hook_event_name: 'SessionEnd', session_id: session, transcript_path });
    }
    const client = await TestClient.start(folder, { args: ['--hooks'] });
    const asked = async (session: string, { asks }: Reversed) => {
      const { text } = await client.call('memory_hook', { event: 'UserPromptSubmit', session, prompt: asks });
      return text === '' ? '' : (JSON.parse(text).hookSpecificOutput.additionalContext as string);
    };
    const begun = await begin();
    for (const [at, rule] of rules.entries()) {
      for (const text of [begun, await asked('third', rule)]) expect(alone(text, rule), text).toEqual([]);
      // A session hears each line once.
      expect(await asked(`fourth ${at}`, rule)).toContain(rule.now);
    }
    const claimed = async (session: string, of: 'old' | 'now', replaces: readonly string[] = []) => {
      const claims = rules.map((rule, at) => {
        const says = of === 'old' ? rule.first : rule.later;
        const end = replaces[at] === undefined ? {} : { replaces: replaces[at] };
        return { says, t: 2 * at + 1, quote: rule[of], kind: 'decision', ...end };
      });
      const { data, text, isError } = await client.call('memory_add', { claims, session });
      expect(isError, text).toBe(false);
      return (data.claims as { id: string }[]).map(({ id }) => id);
    };
    await claimed('second', 'now', await claimed('first', 'old'));
    const [ended, answers] = [await begin(), await Promise.all(rules.map((rule, at) => asked(`fifth ${at}`, rule)))];
    await client.close();
    for (const [at, rule] of rules.entries()) {
      expect(ended).not.toContain(rule.old);
      expect(alone(answers[at]!, rule), answers[at]).toEqual([]);
    }
  });
});

describe.each(Object.entries(weeks))('after a week with the %s', (_, { telling, idle }) => {
  it('a session begins in 400 tokens with all that tells something, each line once', async () => {
    const { memory } = await newTestMemory({ clock: { now: () => Date.parse('2026-11-09T08:00:00Z') } });
    const days = telling.map((said, day) => {
      const told = codingSession({ cwd: '/w/made', session: `d${day}`, start: `2026-11-0${day + 2}T09:00:00Z` });
      told.says(said).answers('Understood.').runs('npm test', 'ok').answers('The tests pass.');
      for (const at of [0, 1, 2]) told.says(idle[(day + at) % idle.length]!).answers('Done.');
      return { path: `${day}.jsonl`, text: told.text() };
    });
    await memory.import(days);
    const { text } = await memory.sessionStart({ tokens: 400 });
    expect(estimateTokens(text)).toBeLessThanOrEqual(400);
    const lines = text.split('\n').filter((line) => /^(?:- \d|↳ \[|the )/.test(line));
    expect(telling.filter((said) => !text.includes(said))).toEqual([]);
    expect(new Set(lines.map((line) => line.replace(/^↳ \[.*?\] /, ''))).size, text).toBe(lines.length);
    expect(telling.length / lines.length, text).toBeGreaterThan(0.65);
  });
});

/** Lists what is wrong with how a text tells of a rule: the old one without the later above it, or one without its day. */
function alone(text: string, { old, now }: Reversed): string[] {
  const lines = text.split('\n');
  const [before, after] = [old, now].map((words) => lines.findIndex((line) => line.includes(words)));
  if (before! < 0) return [];
  return [
    ...(after! < 0 || after! > before! ? [`${old} stands above or without ${now}`] : []),
    ...(dayAt(lines, before!) === dayOne ? [] : [`${old} has not its day`]),
    ...(after! < 0 || dayAt(lines, after!) === dayTwo ? [] : [`${now} has not its day`]),
  ];
}

/** The day of a line: its own, or that of the heading above it. */
function dayAt(lines: readonly string[], at: number): string | undefined {
  const own = /^ *(?:↳ |- )?\[?(\d{4}-\d\d-\d\d)/;
  return own.exec(lines[at]!)?.[1] ?? own.exec(lines.slice(0, at).findLast((line) => /^\[\d/.test(line)) ?? '')?.[1];
}
