import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { commandsOf } from '../../../src/apps/cli/commands.ts';
import { fieldsOf } from '../../../src/apps/verbs/fields.ts';
import {
  commandOf,
  everydayVerbs,
  hiddenVerbs,
  otherWords,
  subjects,
  verbGroups,
} from '../../../src/apps/verbs/groups.ts';
import { loadVerbs, outputSchemaOf } from '../../../src/apps/verbs/index.ts';
import { parseInput } from '../../../src/apps/verbs/verb.ts';
import { MemoryError } from '../../../src/base/errors.ts';
import { verbNamed } from './context.ts';

const verbs = await loadVerbs();

describe('the table of verbs', () => {
  it('names each verb once', () => {
    expect(new Set(verbs.map(({ name }) => name)).size).toBe(verbs.length);
  });

  it.each(verbs.map((verb) => [verb.name, verb] as const))('describes %s for people', (name, verb) => {
    expect(verb.summary).toMatch(/^[A-Z].{10,54}$/);
    expect(verb.summary).not.toMatch(/\.$/);
    expect(verb.help).toMatch(/^[A-Z].*\.$/);
    expect(verb.example.command).toMatch(new RegExp(`^git memory ${commandOf(name).replace(/ (list|run)$/, '')}( |$)`));
    expect(verb.example.shows).not.toBe('');
  });

  it.each(verbs.map((verb) => [verb.name, verb] as const))('describes every field of %s', (_, verb) => {
    for (const shown of commandsOf(verb)) {
      const options = fieldsOf(shown).filter(({ name }) => !shown.positional.includes(name));
      expect(
        options.filter(({ name }) => shown.usual?.includes(name) !== false).length,
        shown.name,
      ).toBeLessThanOrEqual(6);
    }
    for (const [name, field] of Object.entries(verb.input.shape) as [string, z.ZodType][]) {
      expect(field.description, name).toMatch(/^\S.{3,}[^.]$/);
    }
  });

  it.each(verbs.map((verb) => [verb.name, verb] as const))(
    'has positional, words and stream fields of %s in its input',
    (_, verb) => {
      const fields = Object.keys(verb.input.shape);
      for (const name of [...verb.positional, verb.words, verb.stream]) {
        if (name !== undefined) expect(fields).toContain(name);
      }
      if (verb.words !== undefined) expect(verb.positional.at(-1)).toBe(verb.words);
    },
  );

  it.each(verbs.map((verb) => [verb.name, verb] as const))(
    'can publish the input and the output of %s as JSON schemas',
    async (name, verb) => {
      const schema = z.toJSONSchema(verb.input, { io: 'input' });
      expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(await outputSchemaOf(name)).not.toEqual({});
    },
  );
});

describe('an input that does not fit', () => {
  function refusal(name: string, input: unknown): MemoryError {
    try {
      parseInput(verbNamed(name), input);
    } catch (error) {
      if (error instanceof MemoryError) return error;
      throw error;
    }
    throw new Error('the input was accepted');
  }

  it('is answered with the field that is missing and what it means', () => {
    const error = refusal('recall', {});
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', what: 'recall needs query', where: 'query' });
    expect(error.hint).toBe('query is what to look for, in words');
  });

  it('is answered with the fields there are when one is unknown', () => {
    const error = refusal('archive', { id: 'x', lmit: 3 });
    expect(error).toMatchObject({
      code: 'INVALID_ARGUMENT',
      what: 'archive does not know "lmit"',
      hint: 'It takes id',
    });
  });

  it('is answered with the place of a wrong value, however deep', () => {
    const error = refusal('capture', { messages: [{ role: 'user', text: 'hi' }, { role: 'user' }] });
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', where: 'messages.1.text' });
  });

  it('is answered when it is no object at all', () => {
    expect(refusal('recall', 'words').code).toBe('INVALID_ARGUMENT');
    expect(refusal('status', null).code).toBe('INVALID_ARGUMENT');
  });

  it('is answered when a text is blank', () => {
    expect(refusal('remember', { content: ' \n' })).toMatchObject({ what: 'remember: content: must not be empty' });
  });
});

describe('the groups of help', () => {
  const names = verbs.map(({ name }) => name);

  it('name each verb at most once, and no verb that is none', () => {
    const grouped = verbGroups.flatMap((group) => group.verbs);
    expect(new Set(grouped).size).toBe(grouped.length);
    const nouns = new Set(names.map((name) => commandOf(name).split(' ')[0]!));
    expect([...nouns, 'mcp', 'ui'].filter((name) => !hiddenVerbs.includes(name)).sort()).toEqual([...grouped].sort());
    expect(everydayVerbs.filter((name) => !names.includes(name))).toEqual([]);
    const behind = Object.values(subjects).flatMap(({ verbs: words }) => Object.values(words));
    expect(behind.filter((name) => !names.includes(name))).toEqual([]);
    expect(new Set(behind).size).toBe(behind.length);
    expect(grouped.length).toBeLessThanOrEqual(47);
    expect(everydayVerbs).toHaveLength(10);
    expect(Object.values(otherWords).filter((name) => !names.includes(name))).toEqual([]);
  });
});
