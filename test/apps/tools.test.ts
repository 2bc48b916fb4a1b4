// The table of tools: names every client accepts, honest hints, and schemas a model can read.

import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toolsOf } from '../../src/apps/tools.ts';

describe.each(['everyday', 'all'] as const)('the %s tools', async (set) => {
  const tools = await toolsOf(set, false);

  it('have names that every client accepts, each once', () => {
    const names = tools.map(({ entry }) => entry.name);
    expect(names.filter((name) => !/^memory_[a-z_]{1,23}$/.test(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  it('say that they only read exactly where their verb never writes', () => {
    const isAsking = ({ entry: { fixed = {} }, verb: { flags } }: (typeof tools)[number]) =>
      flags.writes === undefined || ('action' in fixed && flags.asks?.(fixed) === true);
    const wrong = tools.filter((tool) => (tool.entry.kind === 'ask') !== isAsking(tool));
    expect(wrong.map(({ entry }) => entry.name)).toEqual([]);
  });

  it('leave out only fields that their verb has', () => {
    for (const { entry, verb } of tools) {
      expect((entry.without ?? []).filter((name) => !(name in verb.input.shape))).toEqual([]);
    }
  });

  it('describe every field they take, and answer with objects', () => {
    for (const { entry, input, output } of tools) {
      const schema = z.toJSONSchema(input, { io: 'input' }) as {
        properties?: Record<string, { description?: string }>;
      };
      const mute = Object.entries(schema.properties ?? {}).filter(([, field]) => field.description === undefined);
      expect([entry.name, mute.map(([name]) => name)]).toEqual([entry.name, []]);
      expect(output instanceof z.ZodObject ? z.toJSONSchema(output) : output).toMatchObject({ type: 'object' });
    }
  });
});

it('offer eleven by default, and a reader only what reads', async () => {
  expect(await toolsOf('everyday', false)).toHaveLength(11);
  expect((await toolsOf('all', true)).every(({ entry }) => entry.kind === 'ask')).toBe(true);
});
