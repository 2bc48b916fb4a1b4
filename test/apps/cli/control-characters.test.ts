import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { newTestMemory } from '../../helpers/memories.ts';
import { controlTexts } from '../../helpers/naughty.ts';
import { buildProgram, programEnvironment, programPath } from '../../helpers/program.ts';

const asTerminal = 'data:text/javascript,process.stdout.isTTY=process.stderr.isTTY=true;process.stdout.columns=100';
/** All that a terminal obeys or hides, but line feeds. */
const commanding = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** Runs the program as if its output were a terminal that wants no colours. */
function runOnTerminal(folder: string, args: readonly string[]): string {
  const environment = { ...programEnvironment({ NO_COLOR: '1' }) };
  const result = spawnSync(process.execPath, ['--import', asTerminal, programPath, ...args], {
    cwd: folder,
    env: environment,
    encoding: 'utf8',
  });
  return `${result.stdout}${result.stderr}`;
}

describe('a terminal', () => {
  beforeAll(buildProgram, 120_000);

  it('is never commanded by what a memory holds, in no answer and no error', async () => {
    const { memory, directory } = await newTestMemory();
    const all = controlTexts.join(' ').replace(/\0/g, '');
    const { path } = await memory.capture({
      messages: [{ role: 'user', text: `Decision: we keep the tea ${all}`, speaker: all }],
      topic: `tea ${all}`,
      agent: all,
      model: all,
      tags: [all],
    });
    const { id } = await memory.remember({
      content: `tea ${all}`,
      tags: [all],
      entities: [all],
      context: all,
      source: all,
    });
    await memory.write('knowledge/tea.md', `# Tea\n\n- ${all}\n`);
    await memory.commit(`tea ${all}`);
    await memory.extract();
    await memory.close();
    const lines: (readonly string[])[] = [
      ['status'],
      ['list'],
      ['log'],
      ['recall', 'tea'],
      ['show', path],
      ['show', 'knowledge/tea.md'],
      ['show', id!],
      ['provenance', id!],
      ['log', 'knowledge/tea.md'],
      ['list', '--json'],
      ['recall', controlTexts[0]!],
      ['show', controlTexts[1]!],
      ['undo', controlTexts[6]!],
      [controlTexts[1]!],
      ['list', `--${controlTexts[1]!}`],
      ['remember', `tea ${controlTexts.slice(0, 5).join('')}`],
      ['capture', '--format', 'json', controlTexts[13]!],
    ];
    for (const line of lines) {
      const shown = runOnTerminal(directory, line);
      expect(shown.length, line.join(' ')).toBeGreaterThan(0);
      expect(commanding.exec(shown)?.[0], `${line.join(' ')}\n${JSON.stringify(shown.slice(0, 2000))}`).toBeUndefined();
    }
  }, 240_000);
});
