// What other programs remember comes in as memories and notes, once, with its days.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Memory } from '../../../src/memory/open-memory.ts';
import { foreignMemories, mem0History } from '../../helpers/foreign-memories.ts';
import { newTestMemory } from '../../helpers/memories.ts';
import { temporaryFolder, writeDeep } from '../../helpers/temporary.ts';

const facts = [
  'Oven: the stone floor needs flour',
  'Scale: it shows ten grams too much',
  'Door: opens to the yard',
  'Bell: is loud',
];

function written(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = path.join(temporaryFolder(), 'known');
  for (const [name, content] of Object.entries(files)) {
    writeDeep(path.join(folder, name), content);
    fs.utimesSync(path.join(folder, name), 1_767_607_200, 1_767_607_200);
  }
  return folder;
}

async function known(memory: Memory): Promise<string> {
  const notes = await Promise.all((await memory.files('knowledge/')).map((one) => memory.read(one)));
  const { memories } = await memory.list({});
  return [...memories.map(({ content }) => content), ...notes].join('\n');
}

describe.each(Object.entries(foreignMemories))('%s', (name, { make, isUndated = false, isNotes = false }) => {
  const knowledge = (count: number, more = {}) =>
    written(make({ facts: facts.slice(0, count), name: 'shop', ...more }));

  it('comes in with its days', async () => {
    const { memory } = await newTestMemory();
    const result = await memory.import(knowledge(3));
    expect(result).toMatchObject({ form: name, added: 3, left: [] });
    expect(result.notes.some(({ why }) => why.includes('2026-01-05'))).toBe(isUndated);
    const words = await known(memory);
    for (const fact of facts.slice(0, 3)) expect(words).toContain(fact);
    const { memories } = await memory.list({});
    for (const { createdAt } of memories)
      expect(new Date(createdAt * 1000).toISOString().slice(0, 10)).toBe('2026-01-05');
    expect(await memory.files('raw/conversations/')).toEqual([]);
  });

  it('comes once, with what is new when it has grown, whatever it is called', async () => {
    const { memory } = await newTestMemory();
    await memory.import(knowledge(3));
    expect(await memory.import(knowledge(3))).toMatchObject({ added: 0, changed: 0, unchanged: 3 });
    expect(await memory.import(knowledge(4))).toMatchObject({ added: 1, changed: 0, unchanged: 3 });
    const renamed = await memory.import(knowledge(4, { name: 'bakery' }));
    // The title of a note of basic-memory stands before its observations.
    expect(renamed).toMatchObject({ added: 0, ...(name === 'basic-memory' ? { changed: 4 } : { unchanged: 4 }) });
  });

  it('names what is broken in the middle, and brings in the rest', async () => {
    const { memory } = await newTestMemory();
    const result = await memory.import(knowledge(3, { isBroken: true }));
    expect(result.added).toBe(name === 'basic-memory' ? 4 : 3);
    if (name !== 'basic-memory') {
      expect(result.left).toHaveLength(1);
      const { source, line } = result.left[0]!;
      expect(line === 2 || /memory 2|between\/AGENTS/.test(source)).toBe(true);
    }
    const words = await known(memory);
    for (const fact of facts.slice(0, 3)) expect(words).toContain(fact);
    if (isNotes) expect(await memory.files('knowledge/')).toHaveLength(3);
  });
});

describe('memories of other programs', () => {
  it('keep relations, kinds and whom they are about', async () => {
    const { memory } = await newTestMemory();
    const lines = [
      { type: 'entity', name: 'Mill', entityType: 'place', observations: ['stands by the river', 'The mill is old'] },
      { type: 'entity', name: 'Rye', entityType: 'grain', observations: [] },
      { type: 'relation', from: 'Mill', to: 'Rye', relationType: 'grinds' },
      { type: 'relation', from: 'Mill', relationType: 'grinds' },
    ];
    const file = written({ 'memory.jsonl': lines.map((line) => `${JSON.stringify(line)}\n`).join('') });
    const { left } = await memory.import(path.join(file, 'memory.jsonl'));
    expect(left).toEqual([{ source: 'memory.jsonl', line: 4, why: expect.stringContaining('neither an entity') }]);
    const { memories } = await memory.list({});
    const of = (content: string) => memories.find((one) => one.content === content);
    expect(of('Mill: stands by the river')).toMatchObject({ meta: { tags: ['place'] }, entities: ['Mill'] });
    expect(of('The mill is old')).toBeDefined();
    expect(of('Rye (grain)')).toBeDefined();
    expect(of('Mill grinds Rye')).toMatchObject({ entities: ['Mill', 'Rye'] });
  });

  it('are the newest words of a history', async () => {
    const { memory } = await newTestMemory();
    const at = '2026-01-05T10:00:00Z';
    const row = (id: string, memoryId: string, words: string | null, event: string, isDeleted = 0) => [
      id,
      memoryId,
      null,
      words,
      event,
      at,
      at,
      isDeleted,
      null,
      null,
    ];
    const rows = [
      row('1', 'm1', 'Bakes on Monday', 'ADD'),
      row('2', 'm2', 'Sells buns', 'ADD'),
      row('3', 'm1', 'Bakes on Tuesday', 'UPDATE'),
      row('4', 'm2', null, 'DELETE', 1),
    ];
    const result = await memory.import(path.join(written({ 'history.db': mem0History(rows) }), 'history.db'));
    expect(result).toMatchObject({ form: 'mem0', added: 1 });
    expect(result.read!.leftOut.map(({ why, count }) => [why, count])).toEqual([
      ['are earlier words of a memory', 2],
      ['were deleted there', 1],
    ]);
    expect(await known(memory)).toBe('Bakes on Tuesday');
  });

  it('of an agent are blocks, passages and talk', async () => {
    const { memory } = await newTestMemory();
    const made = (id: string, name: string, input: object) => ({
      id,
      function: { name, arguments: JSON.stringify(input) },
    });
    const say = (words: string) => made('c1', 'send_message', { message: words });
    const created_at = '2026-01-05T10:00:00Z';
    const agent = {
      agent_type: 'memgpt_agent',
      name: 'Baker',
      core_memory: [
        { label: 'human', value: 'Ada bakes rye.', limit: 2000 },
        { label: 'persona', value: '', limit: 2000 },
      ],
      passages: [{ text: 'The oven came in May.', created_at }],
      messages: [
        { role: 'system', content: [{ type: 'text', text: 'You are Baker.' }], created_at },
        {
          role: 'user',
          content: [{ type: 'text', text: '{"type":"user_message","message":"When?","time":"10:00"}' }],
          created_at,
        },
        {
          role: 'assistant',
          content: [{ type: 'text', text: 'They want a day.' }],
          tool_calls: [say('On Monday.')],
          created_at,
        },
        {
          role: 'tool',
          tool_call_id: 'c1',
          content: [{ type: 'text', text: '{"status":"OK","message":"None"}' }],
          created_at,
        },
        { role: 'user', content: [{ type: 'text', text: '{"type":"heartbeat","reason":"x"}' }], created_at },
        { role: 'assistant', content: [], tool_calls: [made('c2', 'look', { at: 'oven' })], created_at },
        {
          role: 'tool',
          tool_call_id: 'c2',
          content: [{ type: 'text', text: '{"status":"error","message":"no oven"}' }],
          created_at,
        },
      ],
    };
    const result = await memory.import(path.join(written({ 'baker.af': JSON.stringify(agent) }), 'baker.af'));
    expect(result.left).toEqual([]);
    const [transcript] = await memory.files('raw/conversations/');
    const text = await memory.read(transcript!);
    expect(text).toContain('When?');
    expect(text).toContain('On Monday.');
    expect(text).toContain('> [tool:look] oven → failed: no oven');
    expect(text).not.toMatch(/They want a day|heartbeat|You are Baker/);
    expect(await known(memory)).toMatch(/The oven came in May\.[\s\S]*Ada bakes rye\./);
  });

  it('are observations of notes, and the prose around them', async () => {
    const { memory } = await newTestMemory();
    const note = `---
title: Rye bread
permalink: bread/rye
tags: [bread]
---

# Rye bread

Grandmother's way.

## Observations
- [method] Rest it for a night #slow (in winter)
- [ ] buy rye
- [00:12] she laughs
\`\`\`
- [code] none of it
\`\`\`

## Relations
- needs [[Sourdough]]
- "goes with" [[Butter]] (salted)
- see also [[Oven]] and others
`;
    await memory.import(path.join(written({ 'rye.md': note }), 'rye.md'));
    const { memories } = await memory.list({});
    const of = (content: string) => memories.find((one) => one.content === content);
    expect(of('Rye bread: Rest it for a night (in winter)')).toMatchObject({
      meta: { tags: ['method', 'slow', 'bread'] },
    });
    expect(of('Rye bread needs Sourdough')).toMatchObject({ entities: ['Rye bread', 'Sourdough'] });
    expect(of('Rye bread goes with Butter (salted)')).toBeDefined();
    expect(memories).toHaveLength(3);
    const kept = await memory.read('knowledge/reference/basic-memory/bread/rye.md');
    for (const words of [
      "Grandmother's way.",
      '- [ ] buy rye',
      '[00:12] she laughs',
      '[code] none',
      'see also [[Oven]]',
    ])
      expect(kept).toContain(words);
    expect(kept).not.toContain('Rest it');
  });

  it('stand among other texts of their folder, which are notes', async () => {
    const { memory } = await newTestMemory();
    const folder = written({
      'rye.md': '---\npermalink: rye\n---\n\n- [method] Rest it for a night #slow\n',
      'plain.md': '# Plain\n\nNothing in brackets.\n',
    });
    expect(await memory.import(folder)).toMatchObject({ form: 'basic-memory', added: 2, left: [] });
  });

  it('leaves the rest of .github alone', async () => {
    const { memory } = await newTestMemory();
    const folder = written({
      '.github/copilot-instructions.md': 'Use tabs.\n',
      '.github/workflows/test.yml': 'on: push\n',
      '.cursor/rules/style.mdc': '---\nglobs: *.ts\n---\n\nNo semicolons.\n',
      'GEMINI.md': 'Answer shortly.\n',
    });
    expect(await memory.import(folder)).toMatchObject({ form: 'rules', added: 3, left: [] });
    expect(await known(memory)).toMatch(/Use tabs[\s\S]*No semicolons|No semicolons[\s\S]*Use tabs/);
  });

  it('of one file go where those of its folder go', async () => {
    const { memory } = await newTestMemory();
    const folder = written({ 'AGENTS.md': 'Run the tests.\n' });
    await memory.import(path.join(folder, 'AGENTS.md'));
    expect(await memory.files('knowledge/')).toEqual(['knowledge/reference/known/AGENTS.md']);
    expect(await memory.import(folder)).toMatchObject({ added: 0, changed: 0, unchanged: 1 });
    fs.appendFileSync(path.join(folder, 'AGENTS.md'), 'And the linter.\n');
    expect(await memory.import(path.join(folder, 'AGENTS.md'))).toMatchObject({ added: 0, changed: 1 });
  });
});
