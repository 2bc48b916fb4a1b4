// Exports of whole accounts: what lies beside the conversations, what was made in them, and what was attached.

import { describe, expect, it } from 'vitest';
import { imported } from '../../helpers/imports.ts';

describe('account exports', () => {
  it('of Claude bring artifacts and attached texts beside the words, and projects as notes', async () => {
    const { said, known, result } = await imported({
      'conversations.json': [
        {
          uuid: 'c1',
          name: 'Shop',
          chat_messages: [
            {
              uuid: 'm1',
              sender: 'human',
              text: 'Use this',
              created_at: '2024-04-13T09:00:00Z',
              attachments: [{ file_name: 'prices.csv', extracted_content: 'tea,3' }],
            },
            {
              uuid: 'm2',
              sender: 'assistant',
              created_at: '2024-04-13T09:01:00Z',
              content: [
                { type: 'text', text: 'Here.' },
                {
                  type: 'tool_use',
                  name: 'artifacts',
                  input: {
                    command: 'create',
                    title: 'Price list',
                    type: 'text/markdown',
                    content: '# Prices\n```\ntea\n```',
                  },
                },
              ],
            },
          ],
        },
      ],
      'memories.json': [{ conversations_memory: 'Ada sells tea.', project_memories: { p1: 'It opens in May.' } }],
      'projects/p1.json': {
        uuid: 'p1',
        name: 'Tea',
        description: 'A shop',
        prompt_template: 'Be short.',
        docs: [{ filename: 'spec.md', content: 'In euros.' }],
      },
      'users.json': [{ uuid: 'a', full_name: 'Ada', email_address: 'ada@example.org' }],
    });
    expect(said.map(([one, , text]) => `${one}: ${text}`.replace(/> \[tool.*/, '> [tool]'))).toEqual([
      'user: Use this\n\n> [attachment:prices.csv]',
      'system: > [attachment:prices.csv]\n```\ntea,3\n```',
      'agent: Here.\n\n> [tool]',
      'agent: > [attachment:Price list]\n````markdown\n# Prices\n```\ntea\n```\n````',
    ]);
    for (const words of ['Ada sells tea.', 'It opens in May.', 'A shop', 'Be short.', 'In euros.'])
      expect(known).toContain(words);
    expect(result.left).toEqual([]);
    expect(result.read!.leftOut).toMatchObject([{ why: 'are about the account', count: 1 }]);
  });

  it('of ChatGPT bring the canvas, what it knows of its user, and what was attached', async () => {
    const message = (role: string, content: object, minute: number, more: object = {}) => ({
      author: { role },
      create_time: 1712998800 + minute * 60,
      content,
      ...more,
    });
    const text = (words: string) => ({ content_type: 'text', parts: [words] });
    const nodes = [
      message(
        'user',
        { content_type: 'user_editable_context', user_profile: 'I bake.', user_instructions: 'Be short.' },
        0,
      ),
      message('user', text('Write a plan'), 1, { metadata: { attachments: [{ name: 'oven.pdf' }] } }),
      message(
        'assistant',
        { content_type: 'code', text: JSON.stringify({ name: 'Plan', type: 'document', content: 'Heat the oven.' }) },
        2,
        { recipient: 'canmore.create_textdoc' },
      ),
      message('assistant', text('Done.'), 3),
    ];
    const mapping = Object.fromEntries(
      nodes.map((node, at) => [`n${at}`, { parent: at === 0 ? null : `n${at - 1}`, message: node }]),
    );
    const { said, known, result } = await imported({
      'conversations.json': { conversations: [{ conversation_id: 'g1', title: 'Plan', current_node: 'n3', mapping }] },
      'textdocs/t1.json': { title: 'Plan', content: 'Heat the oven well.' },
      'user.json': { id: 'u', email: 'ada@example.org', chatgpt_plus_user: true },
    });
    expect(said.map(([, , words]) => words).join('\n')).toMatch(
      /Write a plan\n\n> \[attachment:oven\.pdf\][\s\S]*Heat the oven\.[\s\S]*Done\./,
    );
    for (const words of ['I bake.', 'Be short.', 'Heat the oven well.']) expect(known).toContain(words);
    expect(result.left).toEqual([]);
  });
});
