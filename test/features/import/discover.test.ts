// Histories that lie where their programs keep them, in a home that is made up.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { toolContext } from '../../../src/apps/tool-context.ts';
import { importVerb } from '../../../src/apps/verbs/import.ts';
import type { ImportAnswer } from '../../../src/apps/verbs/import-found.ts';
import { runVerb } from '../../../src/apps/verbs/verb.ts';
import { discover, programsOf } from '../../../src/features/import/index.ts';
import { Disk } from '../../../src/store/git/disk.ts';
import { foreignForms } from '../../helpers/foreign-histories.ts';
import { newTestMemory } from '../../helpers/memories.ts';
import { runHere } from '../../helpers/program.ts';
import { temporaryFolder, writeDeep } from '../../helpers/temporary.ts';

const talk = { title: 'Oven', texts: ['Which oven shall we buy for the bakery?', 'The one with the stone floor.'] };

/** A home with three programs, and a file that is none of them. */
function madeHome(): { home: string; project: string } {
  const home = temporaryFolder();
  const project = path.join(home, 'shop');
  const put = (folder: string, form: string) => {
    for (const [name, content] of Object.entries(
      foreignForms[form]!.make({ ...talk, texts: talk.texts.map((text) => `${text} ${form}`) }),
    )) {
      const file = path.join(home, folder, name);
      writeDeep(file, content);
    }
  };
  put('.claude/projects', 'claude-code');
  put('.codex/sessions', 'codex');
  put('.config/Cursor', 'cursor');
  put('shop', 'aider');
  fs.writeFileSync(path.join(home, '.claude/projects/notes.jsonl'), '{"a":1}\n');
  return { home, project };
}

describe('discovery', () => {
  it('lists what lies in the places of the forms', () => {
    const { home, project } = madeHome();
    const machine = { home, environment: {}, platform: 'linux', project };
    const found = discover(new Disk(fs), machine);
    expect(found.map(({ form, sessions }) => [form, sessions])).toEqual([
      ['claude-code', 1],
      ['codex', 1],
      ['cursor', 1],
      ['aider', 1],
    ]);
    expect(found[0]).toMatchObject({
      from: '2026-01-05',
      projects: ['/w/shop'],
      folder: path.join(home, '.claude/projects'),
    });
    expect(programsOf(new Disk(fs), machine)).toEqual(['Claude Code', 'Codex', 'Cursor', 'Aider']);
    const elsewhere = { ...machine, environment: { CODEX_HOME: path.join(home, 'none') } };
    expect(discover(new Disk(fs), elsewhere, ['codex'])).toEqual([]);
  });

  it('shows a person the list, and takes what is chosen', async () => {
    const { home, project } = madeHome();
    const { memory } = await newTestMemory();
    const before = process.env.HOME;
    process.env.HOME = home;
    const told: string[] = [];
    const run = (answers: string[], given: object = {}) =>
      runVerb(
        importVerb,
        {
          ...toolContext(async () => memory, {}),
          pathOf: () => project,
          tell: (text) => void told.push(text),
          ask: async () => answers.shift()!,
        },
        { discover: true, ...given },
      ) as Promise<ImportAnswer>;
    try {
      expect(await run([''])).toMatchObject({ isDeclined: true, imports: [] });
      expect(told[0]).toMatch(/ 1 {2}Claude Code {2}1 session, 2026-01-05 .*\/w\/shop/);
      const chosen = await run(['9', '2, aider']);
      expect(told.at(-1)).toContain('9 is no number');
      expect(chosen.imports.map(({ form }) => form)).toEqual(['codex', 'aider']);
      expect(chosen.imports.filter(({ backup }) => backup !== null)).toHaveLength(1);
      // Sessions of other folders are no part of it; what lies in the folder is.
      const here = await run([], { project, take: 'all' });
      expect(here.imports.map(({ form, added }) => [form, added])).toEqual([
        ['cursor', 0],
        ['aider', 0],
      ]);
    } finally {
      process.env.HOME = before;
      await memory.close();
    }
  });

  it('is one command from nothing to a past that can be searched', async () => {
    const { home } = madeHome();
    const dir = temporaryFolder();
    const before = process.env.HOME;
    process.env.HOME = home;
    try {
      const made = await runHere(dir, ['init']);
      expect(made.stdout).toContain('git memory import --discover');
      const listed = await runHere(dir, ['import', '--discover']);
      expect(listed).toMatchObject({ status: 0 });
      expect(listed.stdout).toContain('Claude Code');
      const taken = JSON.parse((await runHere(dir, ['import', '--discover', '--take', 'all', '--json'])).stdout);
      expect(taken.captures).toHaveLength(3);
      expect(taken.imports.filter(({ backup }: { backup: string | null }) => backup !== null)).toHaveLength(1);
      const again = JSON.parse((await runHere(dir, ['import', '--discover', '--take', 'all', '--json'])).stdout);
      expect(again.captures).toEqual([]);
      const asked = await runHere(dir, ['recall', 'stone floor', '--json']);
      expect(asked.stdout).toContain('stone floor');
      const wrong = await runHere(dir, ['import', '--discover', '--take', 'nothing']);
      expect(wrong.status).not.toBe(0);
    } finally {
      process.env.HOME = before;
    }
  });
});
