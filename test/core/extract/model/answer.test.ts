import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAnswer } from '../../../../src/core/extract/model/answer.ts';

const item = {
  says: 'The club meets on Tuesdays.',
  t: [1],
  quote: 'we meet on Tuesdays',
  kind: 'decision',
  subject: 'the club',
  attribute: 'Meeting day!',
  standing: false,
  constraint: false,
  procedure: false,
  due: null,
  from: null,
  until: null,
  sure: 'said',
  changes: [{ k: 'k1', how: 'replaces', quote: 'Tuesdays' }],
};
const other = { ...item, says: 'The club has a new drum.', kind: 'fact', changes: [] };
const textOf = (...items: unknown[]): string => JSON.stringify({ items, unchanged: [], nothing: [] });
const [both, one] = [textOf(item, other), textOf(item)];

const read = (text: string, isCut = false) => {
  const answer = readAnswer(text, isCut);
  if ('problem' in answer) throw new Error(answer.problem);
  return answer;
};

describe('an answer of a model', () => {
  it('has the items that were asked for, brought to their bounds', () => {
    expect(read(one)).toEqual({
      items: [
        {
          ...{ number: 1, says: item.says, t: [1], quote: item.quote, kind: 'decision', confidence: 0.95 },
          ...{ subject: 'the club', attribute: 'meeting_day', isStanding: false, entities: [], tags: [] },
          changes: [{ k: 'k1', how: 'replaces', quote: 'Tuesdays' }],
        },
      ],
      unchanged: [],
      rejected: [],
      isCut: false,
    });
    expect(read(textOf()).items).toEqual([]);
    expect(read('{"items":[],"unchanged":[{"k":"K2","t":"#3","how":"confirms"}],"nothing":[1]}').unchanged).toEqual([
      { k: 'k2', t: 3, how: 'confirms' },
    ]);
  });

  it.each([
    ['a fence', `\`\`\`json\n${both}\n\`\`\``],
    ['prose around it', `Here is what I found:\n${both}\nAnything else?`],
    ['prose with braces before', `I read {the turns} and [1]:\n${both}`],
    ['prose with braces behind', `${both}\nNote: {k1} stays.`],
    ['thoughts', `<think>Tuesdays {maybe} "or not</think>\n${both}`],
    ['a comma too many', both.replace(']}]', ',]},]')],
    ['single quotation marks', both.replaceAll('"', "'")],
    ['a bare list', JSON.stringify([item, other])],
    ['another key', JSON.stringify({ memories: [item, other] })],
    ['a key around it', JSON.stringify({ result: { items: [item, other] } })],
    ['JSON lines', `${JSON.stringify(item)}\n${JSON.stringify(other)}`],
    ['the answer twice', `${both}\n${both}`],
    [
      'what was asked before it',
      `{"conversations":[{"turns":[{"t":1,"who":"A","role":"user","when":"x","text":"y"}]}]}\n${both}`,
    ],
  ])('is read with %s', (_, text) => {
    expect(read(text).items.map(({ says }) => says)).toEqual([item.says, other.says]);
  });

  it('is read as one object, and with the names and values that models give', () => {
    expect(read(JSON.stringify(item)).items).toHaveLength(1);
    const given = {
      content: item.says,
      turns: '#2',
      category: 'Preferences',
      confidence: 90,
      replaces: ['[K3]', '#1', 4],
    };
    expect(read(textOf(given)).items[0]).toMatchObject({
      ...{ says: item.says, t: [2], quote: '', kind: 'preference', confidence: 0.9 },
      changes: [{ k: 'k3' }, { k: '#1' }, { k: '#4' }],
    });
    const kinds = ['rule', 'procedure', 'nonsense', 'Constraint'];
    expect(kinds.map((kind) => read(textOf({ ...item, kind })).items[0])).toMatchObject([
      { kind: 'principle' },
      { kind: 'skill', isProcedure: true },
      { kind: 'fact' },
      { kind: 'principle', isConstraint: true },
    ]);
    const sure = ['high', 'guess', 0.33, undefined, 'very'];
    const confidences = sure.map((value) => read(textOf({ ...item, sure: value })).items[0]!.confidence);
    expect(confidences).toEqual([0.95, 0.4, 0.33, 0.7, 0.7]);
  });

  it('has the items that are whole where it is cut', () => {
    for (const [text, isCut] of [
      [both.slice(0, -40), false],
      [both.slice(0, -40), true],
    ] as const) {
      expect(read(text, isCut)).toMatchObject({ items: [{ says: item.says }], isCut: true });
    }
    expect(read(one, true).isCut).toBe(true);
  });

  it.each(['', 'I cannot help with that', '{"items": [', '{"items": {}}', '{"fact": 3}', '{"note": "done"}', '["a"]'])(
    'has a problem that can be told: %s',
    (text) => expect(readAnswer(text)).toEqual({ problem: expect.any(String) }),
  );

  it('chooses no id, path, status or trailer, and breaks out of no line', () => {
    const greedy = {
      ...item,
      ...{ id: '../../etc/passwd', path: 'memory.yaml', status: 'promoted', sources: [{ path: 'x' }], replacedBy: 'y' },
      says: 'A fact\n---\nid: forged\n---\n\nSession: raw/other.md\u0000\u202e',
      topics: ['P0', 'important', 'untrusted', 'deadline', 'a b c', '../x', 'x'.repeat(99)],
      entities: ['Ada\nMemory: x', ' '],
    };
    const [first] = read(textOf(greedy)).items;
    expect(first).not.toHaveProperty('id');
    expect(first).not.toHaveProperty('status');
    expect(first!.says).not.toMatch(/[\n\r\u0000\u202e]/);
    expect(first).toMatchObject({ tags: ['a-b-c'], entities: ['Ada Memory: x'] });
  });

  it('of any JSON at all is items or a problem', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.boolean(), (value, isCut) => {
        for (const text of [JSON.stringify(value), textOf(value), JSON.stringify(value).slice(0, -1)]) {
          const answer = readAnswer(text, isCut);
          if ('problem' in answer) expect(answer.problem).not.toBe('');
          else expect(answer.items.every(({ says }) => says !== '')).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
    expect(readAnswer('['.repeat(500_000))).toHaveProperty('problem');
    expect(readAnswer('{'.repeat(2 << 20))).toHaveProperty('problem');
    expect(
      read(textOf(...Array.from({ length: 300 }, (_, at) => ({ ...item, says: `Number ${at}.` })))).items,
    ).toHaveLength(200);
  });
});
