// Rules that were said on one day and reversed on the next: what an agent is handed on the third day, at the end of the pipe.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openMemory } from '../../../src/memory/open-memory.ts';
import { codingSession } from '../../helpers/coding-session.ts';
import { buildProgram, runProgram } from '../../helpers/program.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';
import { TestClient } from '../mcp/client.ts';

beforeAll(buildProgram);

interface Reversed {
  readonly first: string;
  readonly later: string;
  readonly old: string;
  readonly now: string;
  readonly asks: string;
}

const rules = JSON.parse(readFileSync(join(import.meta.dirname, 'reversed.json'), 'utf8')) as readonly Reversed[];
const [dayOne, dayTwo] = ['2026-11-02', '2026-11-03'] as const;

describe('a rule that was reversed', () => {
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
    for (const rule of rules) {
      for (const text of [begun, await asked('third', rule)]) expect(alone(text, rule), text).toEqual([]);
      expect(await asked('fourth', rule)).toContain(rule.now);
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
    const [ended, answers] = [await begin(), await Promise.all(rules.map((rule) => asked('fifth', rule)))];
    await client.close();
    for (const [at, rule] of rules.entries()) {
      expect(ended).not.toContain(rule.old);
      expect(alone(answers[at]!, rule), answers[at]).toEqual([]);
    }
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
  const own = /^(?:↳ |- )?\[?(\d{4}-\d\d-\d\d)/;
  return own.exec(lines[at]!)?.[1] ?? own.exec(lines.slice(0, at).findLast((line) => /^\[\d/.test(line)) ?? '')?.[1];
}
