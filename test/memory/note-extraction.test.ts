// What stands under the Priority Extracts of a daily note becomes memories and events, each from its line.

import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseDailyNote } from '../../src/store/records/daily-note.ts';
import { newTestMemory, writeConfiguration } from '../helpers/memories.ts';
import { writeDeep } from '../helpers/temporary.ts';

const note = 'raw/daily/2026-02-16.md';

describe('a daily note', () => {
  it('is read line by line: extracts under their heading, at the clock above them, and nothing else', () => {
    const text = [
      '# 2026-02-16',
      '',
      '## 14:05',
      '- [P1] not under the heading',
      '## Priority Extracts',
      '',
      '- [P1] Tiered prices',
      '  for all shops',
      '- [ ] [P0] Freeze the budget',
      '- nothing marked',
      '```',
      '- [P0] in a fence',
      '```',
      '## 15:30:10',
      '- [P2] behind the section',
      '### Priority extracts',
      '1. [P3] Water the hedge',
    ].join('\n');
    const { turns, sessionId } = parseDailyNote(text, '2026-02-16', 'Europe/Berlin');
    expect(sessionId).toBe('daily-2026-02-16');
    expect(turns).toHaveLength(17);
    const said = turns.flatMap(({ text: words, time, role }, at) =>
      words === '' ? [] : [`${at + 1} ${role} ${new Date(time).toISOString()} ${words}`],
    );
    expect(said).toEqual([
      '7 user 2026-02-16T13:05:00.000Z - [P1] Tiered prices for all shops',
      '9 user 2026-02-16T13:05:00.000Z - [ ] [P0] Freeze the budget',
      '17 user 2026-02-16T14:30:10.000Z 1. [P3] Water the hedge',
    ]);
  });

  it('is extracted from as it grows, each extract once, with provenance to the line and an event', async () => {
    const { memory, clock } = await newTestMemory();
    await memory.note({
      text: 'Long talk with Ana about prices',
      extracts: [{ priority: 'P0', text: 'We decided to freeze the budget of the shop' }],
    });
    const first = (await memory.extract()).transcripts[0]!;
    expect(first).toMatchObject({ path: note, created: [{ category: 'decision' }], events: [{ type: 'decision' }] });
    expect((await memory.extract()).transcripts).toEqual([]);
    clock.advance({ hours: 2 });
    await memory.note({ text: 'Nothing else' });
    expect((await memory.extract()).transcripts.flatMap(({ created }) => created)).toEqual([]);
    await memory.note({ extracts: [{ priority: 'P2', text: 'The door code of the shop changes in March' }] });
    const second = (await memory.extract()).transcripts[0]!;
    expect(second.created.map(({ content }) => content)).toEqual(['The door code of the shop changes in March']);
    expect((await memory.list()).memories).toHaveLength(2);
    const { sources } = await memory.provenance(first.created[0]!.id);
    expect(sources).toMatchObject([
      { path: note, line: 9, text: '- [P0] We decided to freeze the budget of the shop' },
    ]);
    expect((await memory.ledger.list()).events).toMatchObject([
      { priority: 'P0', source: `${note}#9`, memory: first.created[0]!.id, session: 'daily-2026-02-16' },
    ]);
    await memory.undo(second.commit!);
    expect((await memory.list()).memories).toHaveLength(1);
  });

  it('that somebody writes by hand is extracted from, too, and by itself where that is asked for', async () => {
    const { memory, directory } = await newTestMemory();
    const file = path.join(directory, note);
    writeDeep(file, '# 2026-02-16\n\n## Priority Extracts\n- [P1] I prefer tabs over spaces\n');
    await memory.commit();
    expect((await memory.extract()).transcripts[0]!.created).toMatchObject([{ category: 'preference' }]);
    await writeConfiguration(memory, 'auto_extract: true\n');
    await memory.commit();
    const { extraction } = await memory.note({ extracts: [{ priority: 'P1', text: 'We use Valkey for sessions' }] });
    expect(extraction!.created).toHaveLength(1);
    await memory.experiments.run('again');
    const again = await memory.branches.open('extract/again');
    expect((await again.list()).memories).toHaveLength(2);
    await again.close();
  });
});
