// Daily notes: they grow during their day, in the memory's time zone, and nothing that was written changes.

import { describe, expect, it } from 'vitest';
import { newTestMemory } from '../../helpers/memories.ts';

describe('a daily note', () => {
  it('grows under the time of day, with what matters set apart', async () => {
    const { memory, clock } = await newTestMemory({ configuration: { timezone: 'Europe/Berlin' } });
    const first = await memory.note('Ana called.\n\n- about the keys\n');
    expect(first).toEqual({ path: 'raw/daily/2026-02-16.md', commit: memory.tip });
    clock.advance({ minutes: 90 });
    await memory.note({ text: 'She called again.', extracts: [{ priority: 'P0', text: 'Deadline\nmoved to Feb 20' }] });
    expect(await memory.read(first.path)).toBe(
      '# 2026-02-16\n\n## 10:00\n\nAna called.\n\n- about the keys\n\n## 11:30\n\nShe called again.\n\n' +
        '## Priority Extracts\n\n- [P0] Deadline moved to Feb 20\n',
    );
    clock.advance({ hours: 13 });
    expect((await memory.note('The next day.')).path).toBe('raw/daily/2026-02-17.md');
    expect((await memory.recall('about the keys')).hits[0]!.path).toBe(first.path);
    await expect(memory.edit(first.path, 'Ana', 'Eva')).rejects.toMatchObject({ code: 'IMMUTABLE' });
  });

  it.each([
    [''],
    [{}],
    [{ text: 5 }],
    [null],
    [{ extracts: [{ priority: 'P7', text: 'x' }] }],
    [{ extracts: [{ priority: 'P1', text: ' ' }] }],
  ])('of %o is refused, and nothing is written', async (input) => {
    const { memory } = await newTestMemory();
    const { tip } = memory;
    await expect(memory.note(input as never)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(memory.tip).toBe(tip);
  });
});
