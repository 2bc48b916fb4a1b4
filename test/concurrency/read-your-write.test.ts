// What was acknowledged is there for a process that starts afterwards, while the writer goes on.

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { openMemory } from '../../src/memory/open-memory.ts';
import { buildProgram } from '../helpers/program.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

const reader = fileURLToPath(new URL('reader.mjs', import.meta.url));

beforeAll(buildProgram);

function readElsewhere(dir: string, path: string): string | null {
  return JSON.parse(execFileSync(process.execPath, [reader, JSON.stringify({ dir, path })], { encoding: 'utf8' }));
}

describe('a new process', () => {
  it('reads what was acknowledged a moment ago', async () => {
    const dir = temporaryFolder();
    const memory = await openMemory({ dir, create: true });
    const captured = await memory.capture({ session: 'ses_one', messages: [{ role: 'user', text: 'Captured.' }] });
    expect(readElsewhere(dir, captured.path)).toContain('Captured.');
    const { path } = await memory.remember({ id: 'one', content: 'Remembered.' });
    expect(readElsewhere(dir, path)).toContain('Remembered.');
    await memory.records.touch('one');
    expect(readElsewhere(dir, path)).toContain('"use_count": 1');
    const session = await memory.startSession({ session: 'ses_two', topic: 'two' });
    await session.message('user', 'A message.');
    expect(readElsewhere(dir, session.path)).toContain('A message.');
    await memory.write('knowledge/reference/page.md', '# Page\n\n- first\n');
    await memory.edit('knowledge/reference/page.md', 'first', 'second');
    expect(readElsewhere(dir, 'knowledge/reference/page.md')).toContain('second');
    await memory.commit();
    expect(readElsewhere(dir, path)).toContain('Remembered.');
    await memory.forget('one');
    expect(readElsewhere(dir, path)).toBeNull();
    await memory.undo(captured.commit!);
    expect(readElsewhere(dir, captured.path)).toBeNull();
    await memory.close();
  });
});
