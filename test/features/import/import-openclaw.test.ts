// Workspaces of other agents: daily notes, a ledger in one file, MEMORY.md, knowledge; each in its place, once, and to be taken back.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { newTestMemory } from '../../helpers/memories.ts';
import { temporaryFolder, writeDeep } from '../../helpers/temporary.ts';

function write(files: Readonly<Record<string, string>>): string {
  const folder = path.join(temporaryFolder(), 'clawd');
  for (const [file, content] of Object.entries(files)) {
    writeDeep(path.join(folder, file), content);
  }
  return folder;
}

const line = (fields: Record<string, unknown>) =>
  `${JSON.stringify({ ts: '2026-01-28T14:03:11-05:00', type: 'fact', priority: 'P1', content: 'x', source: 'memory/2026-01-28.md', ...fields })}\n`;

const workspace = {
  'SOUL.md': '# Soul\n\nBe kind.\n',
  'MEMORY.md': '# Memory\n\n- Ship on Tuesdays\n',
  'memory/2026-01-28.md': '# 2026-01-28\n\nTalked with Scott.\n\n## Priority Extracts\n- [P0] No new tools\n',
  'memory/ledger.jsonl':
    line({
      id: 'EVT-20260128-001',
      type: 'commitment',
      status: 'open',
      content: 'Follow up with Scott',
      entity: 'scott',
    }) +
    line({ id: 'EVT-20260128-003', content: 'Kept out of its row' }) +
    'not json\n' +
    line({ id: 'EVT-20260128-004', type: 'insight', content: 'Scott answers on Mondays' }) +
    line({ id: 'EVT-42', content: 'Id of another form', related: ['EVT-20260128-001', 'nonsense'] }) +
    line({
      ts: '2026-01-29T10:00:00Z',
      id: 'EVT-20260129-001',
      type: 'commitment',
      status: 'closed',
      content: 'Scott answered',
      related: ['EVT-20260128-001'],
      source: 'live',
    }) +
    line({ id: 'EVT-20260128-007', type: 'rumour', content: 'Of no type' }),
  'memory/checkpoint.json': '{}',
  'memory/index/open-loops.json': '["EVT-20260128-001"]',
  'memory/heartbeat-state.json': '{}',
  'recall/pack.md': '# Recall Pack\n',
  'recall/triggers.json': '{"triggers":[{"patterns":["scott"],"load":["second-brain/scott.md"]}]}\n',
  'knowledge/entities/scott.md':
    '# Scott\n\n## Key Facts\n- Support contact [source: memory/2026-01-28.md] [verified: 2026-01-28]\n',
  'second-brain/scott.md': '# Scott\n',
};

describe('an OpenClaw workspace', () => {
  it('is recognised, and each part comes to its place', async () => {
    const { memory } = await newTestMemory();
    const result = await memory.import(write(workspace));
    expect(result).toMatchObject({ form: 'openclaw', isDetected: true, backup: 'memory/before/import-openclaw' });
    expect(result.commits).toHaveLength(1);
    expect(await memory.read('raw/daily/2026-01-28.md')).toBe(workspace['memory/2026-01-28.md']);
    expect(await memory.read('knowledge/memory/MEMORY.md')).toBe(workspace['MEMORY.md']);
    expect(await memory.read('knowledge/identity/SOUL.md')).toBe(workspace['SOUL.md']);
    expect(await memory.read('knowledge/entities/scott.md')).toContain('[source: raw/daily/2026-01-28.md]');
    expect(await memory.read('recall/triggers.json')).toContain('knowledge/reference/second-brain/scott.md');
    const { events } = await memory.ledger.list();
    expect(events.map(({ id, content, source }) => [id, content, source])).toEqual([
      ['EVT-20260128-001', 'Follow up with Scott', 'raw/daily/2026-01-28.md'],
      ['EVT-20260128-003', 'Kept out of its row', 'raw/daily/2026-01-28.md'],
      ['EVT-20260128-004', 'Scott answers on Mondays', 'raw/daily/2026-01-28.md'],
      ['EVT-20260128-005', 'Id of another form', 'raw/daily/2026-01-28.md'],
      ['EVT-20260129-001', 'Scott answered', 'live'],
    ]);
    expect(events[2]).toMatchObject({ type: 'fact', tags: ['insight'] });
    expect(events[3]!.related).toEqual(['EVT-20260128-001']);
    expect((await memory.ledger.loops()).loops).toEqual([]);
    expect(result.left.map(({ source, line: at }) => [source, at])).toEqual([
      ['memory/heartbeat-state.json', undefined],
      ['memory/ledger.jsonl', 3],
      ['memory/ledger.jsonl', 7],
    ]);
    expect(result.notes.map(({ why }) => why)).toEqual(
      expect.arrayContaining(['EVT-42 is EVT-20260128-005 here', 'it names nonsense, which is no event']),
    );
  });

  it('brings a MEMORY.md that is too long whole, and says what to do: it may get shorter, and the archive takes the rest', async () => {
    const { memory } = await newTestMemory();
    const long = `# Memory\n\n${Array.from({ length: 300 }, (_, at) => `- What number ${at} of ${at * 7} says.\n`).join('')}`;
    const folder = write({ ...workspace, 'MEMORY.md': long });
    const result = await memory.import(folder);
    const file = 'knowledge/memory/MEMORY.md';
    expect(await memory.read(file)).toBe(long);
    expect(result.notes.find(({ source }) => source === 'MEMORY.md')!.why).toMatch(
      /302 lines.*220.*maintain memory-md/,
    );
    await memory.edit(file, 'What number 7 of 49 says.', 'What number seven says.');
    await memory.remember({ content: 'Goes on as ever.' });
    expect((await memory.commit()).skipped).toEqual([]);
    await expect(memory.edit(file, '# Memory\n', '# Memory\n\n- one more\n')).rejects.toMatchObject({
      code: 'TOO_LARGE',
      hint: expect.stringContaining('maintain memory-md'),
    });
    await memory.maintenance.run({ tasks: ['rollup', 'memory-md'] });
    const [kept, moved] = [await memory.read(file), await memory.read(`archive/${file}`)];
    expect(kept.split('\n').length).toBeLessThan(200);
    for (const line of long.split('\n').filter((one) => one.startsWith('- ') && !one.includes(' 7 of '))) {
      expect(kept.includes(line) || moved.includes(line)).toBe(true);
    }
    // Undo may bring back what was too long: it was there.
    await memory.undo(memory.tip!);
    expect((await memory.read(file)).split('\n').length).toBeGreaterThan(220);
  });

  it('comes in once; what has grown there comes in on top, and nothing here is replaced', async () => {
    const { memory } = await newTestMemory();
    const own = await memory.ledger.add({ content: 'Ours, of that day', time: '2026-01-28T08:00:00Z' });
    await memory.write('knowledge/memory/MEMORY.md', '# Ours\n');
    await memory.commit();
    const folder = write(workspace);
    await memory.import(folder);
    expect(await memory.read('knowledge/memory/MEMORY.md')).toBe('# Ours\n');
    expect(await memory.read('knowledge/reference/clawd/MEMORY.md')).toBe(workspace['MEMORY.md']);
    const { events } = await memory.ledger.list();
    expect(events.find(({ content }) => content.startsWith('Ours'))!.id).toBe(own.id);
    const opener = events.find(({ content }) => content === 'Follow up with Scott')!;
    expect(opener.id).not.toBe(own.id);
    expect(events.at(-1)!.related).toEqual([opener.id]);
    const { tip } = memory;
    expect(await memory.import(folder)).toMatchObject({ added: 0, changed: 0, commits: [] });
    expect(memory.tip).toBe(tip);
    fs.appendFileSync(path.join(folder, 'memory/2026-01-28.md'), '\nMore.\n');
    fs.appendFileSync(
      path.join(folder, 'memory/ledger.jsonl'),
      line({ ts: '2026-01-30T10:00:00Z', id: 'EVT-20260130-001', content: 'new' }),
    );
    expect(await memory.import(folder)).toMatchObject({ added: 1, changed: 1 });
    expect(await memory.read('raw/daily/2026-01-28.md')).toContain('\nMore.\n');
    expect((await memory.read('raw/daily/2026-01-28.md')).match(/Talked with Scott/g)).toHaveLength(1);
  });

  it('goes as a whole when it is undone, also where its events name each other', async () => {
    const { memory } = await newTestMemory();
    await memory.note('before');
    const { tree } = await memory.at('HEAD');
    const { commits } = await memory.import(write(workspace));
    expect((await memory.undo(commits[0]!)).conflicts).toEqual([]);
    expect((await memory.at('HEAD')).tree).toBe(tree);
  });
});
