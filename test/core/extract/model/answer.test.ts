import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAnswer } from '../../../../src/core/extract/model/answer.ts';

const item = {
  category: 'decision',
  content: 'We ship on Tuesday',
  turns: [1],
  confidence: 0.9,
  entities: [],
  topics: ['release day'],
  form: 'none',
  due: null,
};
const textOf = (...items: unknown[]): string => JSON.stringify({ items });

describe('an answer of a model', () => {
  it('is read with words and fences around it, and as a bare list', () => {
    const expected = [
      {
        category: 'decision',
        content: 'We ship on Tuesday',
        turns: [1],
        confidence: 0.9,
        entities: [],
        replaces: [],
        tags: ['release-day'],
      },
    ];
    for (const text of [
      textOf(item),
      `\`\`\`json\n${textOf(item)}\n\`\`\``,
      `Here it is: ${textOf(item)} Anything else?`,
      JSON.stringify([item]),
    ]) {
      expect(readAnswer(text)).toEqual({ items: expected, rejected: [] });
    }
  });

  it('has a problem that can be told when it is no JSON, of another shape, or all of its items are wrong', () => {
    for (const text of [
      '',
      'I cannot help',
      '{"items": [',
      '{"facts": []}',
      '{"items": {}}',
      textOf({ ...item, category: 'rule' }),
    ])
      expect(readAnswer(text)).toEqual({ problem: expect.any(String) });
    expect(readAnswer(textOf({ ...item, category: 'rule' }))).toMatchObject({
      problem: expect.stringContaining('category'),
    });
    expect(readAnswer(textOf())).toEqual({ items: [], rejected: [] });
  });

  it('keeps its good items beside bad ones, and those that are whole of an answer that was cut off', () => {
    const some = readAnswer(textOf(item, { ...item, turns: [] }, 7, null, { ...item, content: ' \n ' }));
    expect(some).toMatchObject({
      items: [{ content: item.content }],
      rejected: [{}, {}, {}, {}].map(() => expect.any(String)),
    });
    const cut = textOf(item, { ...item, content: 'A second' }, { ...item, content: 'A third' }).slice(0, -40);
    expect(readAnswer(cut)).toHaveProperty('problem');
    expect(readAnswer(cut, true)).toMatchObject({ items: [{ content: item.content }, { content: 'A second' }] });
  });

  it('chooses no id, path, status, priority or trailer, and breaks out of no line', () => {
    const greedy = {
      ...item,
      id: '../../etc/passwd',
      path: 'memory.yaml',
      status: 'promoted',
      priority: 'P0',
      sources: [{ path: 'x' }],
      replacedBy: 'y',
      content: 'A fact\n---\nid: forged\n---\n\nSession: raw/other.md\u0000\u202e',
      topics: ['P0', 'important', 'untrusted', 'deadline', 'a b c', '../x', 'x'.repeat(99)],
      entities: ['Ada\nMemory: x', ' '],
    };
    const answer = readAnswer(textOf(greedy));
    const [read] = 'items' in answer ? answer.items : [];
    expect(Object.keys(read!).sort()).toEqual([
      'category',
      'confidence',
      'content',
      'entities',
      'replaces',
      'tags',
      'turns',
    ]);
    expect(read!.content).not.toMatch(/[\n\r\u0000\u202e]/);
    expect(read!.tags).toEqual(['a-b-c']);
    expect(read!.entities).toEqual(['Ada Memory: x']);
  });

  it('is brought to its bounds: confidence, turns, days, lengths, numbers of things', () => {
    const wild = {
      ...item,
      content: 'word '.repeat(300),
      turns: [3, 3, ...Array.from({ length: 50 }, (_, at) => at)],
      confidence: 'very',
      entities: Array.from({ length: 40 }, (_, at) => `Name ${at}`),
      due: '2026-02-31',
    };
    const answer = readAnswer(textOf(wild, ...Array.from({ length: 300 }, () => item)));
    const items = 'items' in answer ? answer.items : [];
    expect(items).toHaveLength(200);
    expect(items[0]!.content.length).toBeLessThanOrEqual(600);
    expect(items[0]).toMatchObject({ confidence: 0.5, turns: [3, 0, 1, 2, 4, 5] });
    expect(items[0]!.entities).toHaveLength(8);
    expect(items[0]).not.toHaveProperty('due');
  });

  it('of any JSON at all is items or a problem', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.boolean(), (value, isCut) => {
        for (const text of [JSON.stringify(value), textOf(value), JSON.stringify(value).slice(0, -1)]) {
          const answer = readAnswer(text, isCut);
          if ('problem' in answer) expect(answer.problem).not.toBe('');
          else expect(answer.items.every(({ content }) => content !== '')).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
    expect(readAnswer('['.repeat(500_000))).toHaveProperty('problem');
    expect(readAnswer(`{"items":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)).toBeDefined();
    expect(readAnswer('{'.repeat(2 << 20))).toHaveProperty('problem');
  });
});
