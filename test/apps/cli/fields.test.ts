import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { addFields, inputOf } from '../../../src/apps/cli/program.ts';
import { loadVerbs } from '../../../src/apps/verbs/index.ts';
import { parseInput } from '../../../src/apps/verbs/verb.ts';
import { verbNamed } from '../verbs/context.ts';

const verbs = await loadVerbs();

/** Parses a line as the program does. */
function parse(name: string, line: readonly string[]): Record<string, unknown> {
  const verb = verbNamed(name);
  const command = new Command(name).exitOverride().configureOutput({ writeErr: () => {} });
  addFields(command, verb);
  command.parse(line, { from: 'user' });
  return inputOf(verb, command.processedArgs, command.opts());
}

describe('a command line', () => {
  it('gives text, numbers and repeated options their fields', () => {
    expect(
      parse('remember', ['--tag', 'a', '--tag', 'b, c', '--entity', 'Ada', '--strength', '1.5', 'one', 'thought']),
    ).toEqual({
      content: 'one thought',
      tags: ['a', 'b, c'],
      entities: ['Ada'],
      strength: 1.5,
    });
    expect(parse('write', ['a.md', 'text', '--if-blob', 'abc'])).toEqual({ path: 'a.md', text: 'text', ifBlob: 'abc' });
    expect(parse('capture', ['a', 'b', '--pause-minutes', '30'])).toEqual({ files: ['a', 'b'], pauseMinutes: 30 });
  });

  it('leaves out what was not given, so that defaults are those of the verb', () => {
    expect(parse('log', [])).toEqual({});
    expect(parse('capture', [])).toEqual({});
    expect(parseInput(verbNamed('log'), parse('log', []))).toEqual({ limit: 20 });
  });

  it('hands on a number that is none, for the verb to answer', () => {
    expect(parse('recall', ['x', '--limit', 'many'])).toEqual({ query: 'x', limit: 'many' });
    expect(() => parseInput(verbNamed('recall'), parse('recall', ['x', '--limit', '']))).toThrow(/limit/);
    const refused = (given: string, words: RegExp) =>
      expect(() => parseInput(verbNamed('list'), parse('list', ['--limit', given]))).toThrow(words);
    refused('many', /limit is a number, not "many"/);
    refused('1.5', /limit is a whole number, not 1.5/);
    refused('-3', /limit is 1 or more, not -3/);
  });

  it('joins the words of a query, dashes after -- included', () => {
    expect(parse('recall', ['why', 'a', 'journal'])).toEqual({ query: 'why a journal' });
    expect(parse('recall', ['--', '--limit', 'is', 'what'])).toEqual({ query: '--limit is what' });
  });

  it.each(verbs.map((verb) => [verb.name]))('offers no option twice for %s', (name) => {
    const command = new Command(name);
    expect(() => addFields(command, verbNamed(name))).not.toThrow();
    const flags = command.options.map(({ long }) => long);
    expect(new Set(flags).size).toBe(flags.length);
    for (const common of ['--json', '--dir', '--branch', '--at', '--dry-run', '--help'])
      expect(flags).not.toContain(common);
  });
});
