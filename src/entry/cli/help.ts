// What help shows: the everyday verbs, all verbs by group, and a verb as an object for programs. A verb's own page is commander's.

import type { Command } from 'commander';
import { z } from 'zod';
import { everydayVerbs, verbGroups } from '../../verbs/groups.ts';
import { outputSchemaOf } from '../../verbs/index.ts';
import { hang, type Style, wrap } from '../../verbs/style.ts';
import type { Verb } from '../../verbs/verb.ts';
import { exitMeanings } from '../exit-codes.ts';

/** A verb, or another command of the program, as lists show it. */
export type Listed = Pick<Verb, 'name' | 'summary'>;

/** What can be said with any verb. */
export const everywhere =
  'Every verb takes --json, --dir, --branch and --scope; verbs that answer also take --at, and verbs that change much --dry-run.';

/** Sorts commands into the groups of help, each in the order of its group; what stands in none comes last. */
export function grouped(commands: readonly Listed[]): { readonly title: string; readonly verbs: readonly Listed[] }[] {
  const named = new Map(commands.map((command) => [command.name, command]));
  const groups = verbGroups.map(({ title, verbs }) => ({
    title,
    verbs: verbs.flatMap((name) => named.get(name) ?? []),
  }));
  const known = new Set(verbGroups.flatMap(({ verbs }) => verbs));
  const rest = commands.filter(({ name }) => !known.has(name) && name !== 'help');
  return [...groups, { title: 'More', verbs: rest }].filter(({ verbs }) => verbs.length > 0);
}

/** Renders all verbs by group, with what is common to them and the exit numbers. */
export function allHelp(commands: readonly Listed[], style: Style): string {
  const width = Math.max(...commands.map(({ name }) => name.length)) + 4;
  const groups = grouped(commands).flatMap(({ title, verbs }) => [
    '',
    style.strong(title),
    ...rows(verbs, style, width),
  ]);
  return [
    ...usage(style),
    ...groups,
    '',
    ...wrap(everywhere, style.width),
    '',
    style.strong('Exit codes'),
    ...Object.entries(exitMeanings).flatMap(([number, meaning]) => hang(`  ${number.padStart(3)}`, meaning, style, 7)),
    '',
    '`git memory help <verb>` shows one of them, with an example.',
  ].join('\n');
}

/** Renders what is needed every day: the answer to whoever names no verb. */
export function everydayHelp(commands: readonly Listed[], style: Style): string {
  const verbs = everydayVerbs.flatMap((name) => commands.filter((command) => command.name === name));
  return [
    ...usage(style),
    '',
    ...rows(verbs, style, 14),
    '',
    `\`git memory help\` lists all ${commands.length}, \`git memory help <verb>\` explains one.`,
  ].join('\n');
}

function usage(style: Style): string[] {
  return [
    `${style.strong('Usage:')} git memory <verb> [arguments] [options]`,
    '',
    ...wrap('A memory for AI agents whose only source of truth is a git repository.', style.width),
  ];
}

function rows(verbs: readonly Listed[], style: Style, indent: number): string[] {
  return verbs.flatMap(({ name, summary }) => hang(`  ${style.reference(name)}`, summary, style, indent));
}

/** Renders a verb's example, as its own help ends with it. */
export function exampleHelp({ example }: Verb, style: Style): string {
  const [first = '', ...rest] = hang('    ', example.shows, style, 4);
  return [style.strong('Example:'), `  ${example.command}`, style.faint(first), ...rest.map(style.faint)].join('\n');
}

/** A verb as programs read it: `input` and `output` are JSON Schemas (draft 2020-12) of what it takes and answers. */
export async function describeVerb(verb: Verb): Promise<Record<string, unknown>> {
  const { name, summary, help, positional, flags, example } = verb;
  return {
    name,
    summary,
    help,
    example,
    positional,
    at: flags.reads === true,
    dryRun: flags.changes === true,
    input: z.toJSONSchema(verb.input, { io: 'input' }),
    output: await outputSchemaOf(name),
  };
}

/** Gives the commands of the program as lists show them. */
export function listed(program: Command): Listed[] {
  return program
    .createHelp()
    .visibleCommands(program)
    .map((command) => ({ name: command.name(), summary: command.summary() }));
}
