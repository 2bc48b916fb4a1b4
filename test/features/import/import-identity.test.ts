// Turns come once: whatever was renamed, grown, rewound or copied into another session, and whichever version imported it first.

import { describe, expect, it } from 'vitest';
import type { Memory } from '../../../src/memory/open-memory.ts';
import { parseTranscript } from '../../../src/store/records/transcript.ts';
import { newTestMemory } from '../../helpers/memories.ts';

const entry = (
  uuid: string,
  parentUuid: string | null,
  type: string,
  content: unknown,
  time: string,
  more: object = {},
) =>
  `${JSON.stringify({
    parentUuid,
    uuid,
    type,
    sessionId: 'kiln',
    timestamp: `2026-01-05T${time}Z`,
    message: { role: type, content },
    ...more,
  })}\n`;

const first = entry('a1-0000-0000-0001', null, 'user', 'Which glaze goes with the blue bowls?', '10:00:00');
const second = entry('a1-0000-0000-0002', 'a1-0000-0000-0001', 'assistant', 'A clear one.', '10:00:09');
const third = entry('a1-0000-0000-0003', 'a1-0000-0000-0002', 'user', 'And for the plates?', '10:02:00');

const files = (text: string, path = 'kiln.jsonl') => [{ path, text }];

async function saidIn(memory: Memory): Promise<string[]> {
  const paths = await memory.files('raw/conversations/');
  const transcripts = await Promise.all(paths.map(async (path) => parseTranscript(await memory.read(path), path)));
  return transcripts.flatMap(({ turns }) => turns.map(({ role, text }) => `${role}: ${text}`));
}

describe('a turn comes once', () => {
  it('when a title comes later, and when the session is renamed', async () => {
    const { memory } = await newTestMemory();
    await memory.import(files(first + second));
    const titled = `${JSON.stringify({ type: 'summary', summary: 'Glazes', leafUuid: 'a1-0000-0000-0002' })}\n`;
    const named = `${JSON.stringify({ type: 'custom-title', sessionId: 'kiln', customTitle: 'Bowls' })}\n`;
    expect(await memory.import(files(titled + first + second))).toMatchObject({ added: 0, unchanged: 1 });
    expect(await memory.import(files(first + second + named))).toMatchObject({ added: 0, unchanged: 1 });
    const grown = await memory.import(files(titled + first + second + third + named));
    expect(grown).toMatchObject({ added: 1, read: { turns: 1, here: 2 } });
    expect(await saidIn(memory)).toHaveLength(3);
  });

  it('when a resumed session repeats it under another name, in one import or later', async () => {
    const { memory } = await newTestMemory();
    const resumed = (first + second + third).replaceAll('"kiln"', '"kiln-resumed"');
    const both = [...files(first + second), ...files(resumed, 'resumed.jsonl')];
    expect(await memory.import(both)).toMatchObject({ added: 2, read: { turns: 3 } });
    expect(await memory.import(both)).toMatchObject({ added: 0 });
    const { memory: later } = await newTestMemory();
    await later.import(files(first + second));
    expect(await later.import(files(resumed, 'resumed.jsonl'))).toMatchObject({
      added: 1,
      read: { turns: 1, here: 2 },
    });
    expect(await later.import(files(resumed, 'resumed.jsonl'))).toMatchObject({ added: 0, unchanged: 1 });
    for (const one of [memory, later]) {
      const said = await saidIn(one);
      expect([said.length, new Set(said).size]).toEqual([3, 3]);
      await one.close();
    }
  });

  it('when the answer of a tool came after the first import', async () => {
    const { memory } = await newTestMemory();
    const call = entry(
      'a1-0000-0000-0004',
      'a1-0000-0000-0001',
      'assistant',
      [
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls glazes' } },
      ],
      '10:00:30',
    );
    const answer = entry(
      'a1-0000-0000-0005',
      'a1-0000-0000-0004',
      'user',
      [{ type: 'tool_result', tool_use_id: 't1', content: 'clear.txt\nashes.txt' }],
      '10:00:31',
    );
    await memory.import(files(first + call));
    expect(await memory.import(files(first + call + answer))).toMatchObject({ added: 0, unchanged: 1 });
  });

  it('but twice where it was said twice in the same second', async () => {
    const { memory } = await newTestMemory();
    const twice = ['b1', 'b2'].map((id) => entry(`${id}-0000-0000-0001`, null, 'user', 'Yes.', '11:00:00')).join('');
    expect(await memory.import(files(twice))).toMatchObject({ read: { turns: 2 } });
    expect(await memory.import(files(twice))).toMatchObject({ added: 0 });
  });

  it('and not at all where it was rewound, which is counted', async () => {
    const { memory } = await newTestMemory();
    const gone = entry('c1-0000-0000-0001', 'a1-0000-0000-0002', 'user', 'Paint them red.', '10:01:00');
    const answered = entry('c1-0000-0000-0002', 'c1-0000-0000-0001', 'assistant', 'Red it is.', '10:01:10');
    const result = await memory.import(files(first + second + gone + answered + third));
    expect(result.read!.leftOut).toEqual([
      { why: 'are of a branch that was rewound', count: 2, places: ['kiln.jsonl:3', 'kiln.jsonl:4'] },
    ]);
    expect(await saidIn(memory)).toEqual([
      'user: Which glaze goes with the blue bowls?',
      'agent: A clear one.',
      'user: And for the plates?',
    ]);
  });
});

describe('clocks without a zone', () => {
  const chat = '[2026-01-05 10:00] Ada: The kiln is hot.\n[2026-01-05 10:01] Rui: Then put the bowls in.\n';

  it('stand in the zone that is named', async () => {
    const { memory } = await newTestMemory();
    await memory.import(files(chat, 'chat.txt'), { zone: 'Asia/Tokyo' });
    const [path] = await memory.files('raw/conversations/');
    expect(parseTranscript(await memory.read(path!), path!).turns[0]!.time).toBe(Date.parse('2026-01-05T01:00:00Z'));
    await expect(memory.import(files(chat, 'chat.txt'), { zone: 'Middle/Earth' })).rejects.toMatchObject({
      code: 'INVALID_DATE',
    });
  });

  it('are the same clocks in another zone', async () => {
    const { memory } = await newTestMemory();
    const exported = files(
      '13/02/2026, 10:02 - Ada: The kiln is hot.\n13/02/2026, 10:03 - Rui: Then fill it.\n',
      '_chat.txt',
    );
    await memory.import(exported, { zone: 'Asia/Tokyo' });
    const again = await memory.import(exported, { zone: 'America/New_York' });
    expect(again).toMatchObject({ added: 0, read: { turns: 0, here: 2 } });
    await memory.close();
  });

  it.each(['UTC', 'Europe/Berlin'])(
    'are known when a later day shows that the month stands first, in %s',
    async (zone) => {
      const { memory } = await newTestMemory();
      const lines = [
        '03/04/2026, 10:02 - Ada: The kiln is hot.',
        '03/04/2026, 10:03 - Rui: Then put the bowls in.',
        '03/12/2026, 09:00 - Ada: They are done.',
      ];
      const text = (count: number, ...more: string[]) => `${[...lines.slice(0, count), ...more].join('\n')}\n`;
      await memory.import(files(text(3), 'WhatsApp Chat with Rui.txt'), { zone });
      const grown = text(3, '03/12/2026, 09:01 - Rui: And whole.', '03/25/2026, 11:00 - Ada: Two are sold.');
      const name = 'WhatsApp Chat with Rui.txt';
      expect(await memory.import(files(grown, name), { zone })).toMatchObject({ read: { turns: 2, here: 3 } });
      expect(await memory.import(files(grown, name), { zone })).toMatchObject({
        added: 0,
        read: { turns: 0, here: 5 },
      });
      expect(await saidIn(memory)).toHaveLength(5);
      await memory.close();
    },
  );
});

describe('what an earlier version imported', () => {
  it('as one turn, for it did not know the form, is named and not brought in again', async () => {
    const { memory } = await newTestMemory();
    const text = '# aider chat started at 2026-01-05 10:00:00\n\n#### Sort the shelves.  \n\nSorted.\n';
    await memory.import(files(text, 'history.md'), { as: 'conversations', format: 'text' });
    const again = await memory.import(files(text, 'history.md'));
    expect(again).toMatchObject({ form: 'aider', added: 0 });
    expect(again.left[0]!.why).toContain('is here as one turn');
  });

  it('with wrappers of a program, shorter answers and other roles is known', async () => {
    const { memory } = await newTestMemory();
    const message = (role: string, content: unknown, time: string) => ({ role, content, time });
    const earlier = {
      session_id: 'kiln',
      messages: [
        message(
          'user',
          '<system-reminder>\nIt is Monday.\n</system-reminder>\n\nWhich glaze goes with the blue bowls?',
          '2026-01-05T10:00:00Z',
        ),
        message('user', 'A clear one.\n\n> [tool:Bash] ls → ok', '2026-01-05T10:00:09Z'),
      ],
    };
    await memory.import([{ path: 'earlier.json', text: JSON.stringify(earlier) }], { as: 'conversations' });
    expect(await memory.import(files(first + second))).toMatchObject({ added: 0, read: { turns: 0, here: 2 } });
  });
});
