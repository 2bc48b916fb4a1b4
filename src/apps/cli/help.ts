// What help shows: the everyday verbs, all verbs by group, and a verb as an object for programs. A verb's own page is commander's.

import type { Command } from 'commander';
import { z } from 'zod';
import { exitMeanings } from '../exit-codes.ts';
import { commandOf, everydayVerbs, subjects, verbGroups } from '../verbs/groups.ts';
import { loadVerb, outputSchemaOf } from '../verbs/index.ts';
import { hang, type Style, wrap } from '../verbs/style.ts';
import type { Verb } from '../verbs/verb.ts';

/** A command of the program as lists show it; of a noun with the words behind it. */
export interface Listed extends Pick<Verb, 'name' | 'summary'> {
  readonly actions?: readonly string[];
}

/** What can be said with any verb. */
export const everywhere =
  'Every verb takes --json, --dir, --branch and --scope. Verbs that answer also take --at. Verbs that change much also take --dry-run.';

/** Sorts commands into the groups of help, each in the order of its group; what is in none comes last. */
export function grouped(commands: readonly Listed[]): { readonly title: string; readonly verbs: readonly Listed[] }[] {
  const named = new Map(commands.map((command) => [command.name, command]));
  const groups = verbGroups.map(({ title, verbs }) => ({
    title,
    verbs: verbs.flatMap((name) => named.get(name) ?? []),
  }));
  const known = new Set(verbGroups.flatMap(({ verbs }) => verbs));
  const rest = commands.filter(({ name }) => !known.has(name));
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
    '`git memory help <verb>` explains one verb, with an example.',
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
  return verbs.flatMap(({ name, summary, actions = [] }) => [
    ...hang(`  ${style.reference(name)}`, summary, style, indent),
    ...(actions.length === 0 ? [] : hang('', actions.join(', '), style, indent).map(style.faint)),
  ]);
}

/** Renders what goes with a noun, each with its summary. */
export async function nounHelp(noun: string, verbs: readonly Verb[], style: Style): Promise<string> {
  const { summary, help } = subjects[noun] === undefined ? (await loadVerb(noun))! : { ...subjects[noun], help: '' };
  const width = Math.max(...verbs.map(({ name }) => name.length)) + 4;
  return [
    `${style.strong('Usage:')} git memory ${noun} <${verbs.map(({ name }) => name.slice(noun.length + 1)).join('|')}> [options]`,
    '',
    ...wrap(`${summary}.`, style.width),
    ...(help === '' ? [] : ['', ...wrap(help, style.width)]),
    '',
    ...rows(
      verbs.map(({ name, summary: what }) => ({ name, summary: what })),
      style,
      width,
    ),
    '',
    `\`git memory help ${noun} <word>\` explains one.`,
  ].join('\n');
}

/** Renders what else goes with a noun that is a verb itself. */
export function besideHelp(verbs: readonly Verb[], style: Style): string {
  const width = Math.max(...verbs.map(({ name }) => name.length)) + 4;
  const names = verbs.map(({ name, summary }) => ({ name, summary }));
  return [style.strong('With a word:'), ...rows(names, style, width)].join('\n');
}

/** Renders a verb's example, as its own help ends with it. */
export function exampleHelp({ example }: Verb, style: Style): string {
  const [first = '', ...rest] = hang('    ', example.shows, style, 4);
  return [style.strong('Example:'), `  ${example.command}`, style.faint(first), ...rest.map(style.faint)].join('\n');
}

/** A verb as programs read it: `input` and `output` are JSON Schemas (draft 2020-12) of what it takes and answers. */
export async function describeVerb(verb: Verb): Promise<Record<string, unknown>> {
  const { summary, help, positional, flags, example } = verb;
  const name = verb.name.includes(' ') ? nameOf(verb.name) : verb.name;
  return {
    name,
    command: commandOf(name),
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

function nameOf(command: string): string {
  const [noun = '', word = ''] = command.split(' ');
  return subjects[noun]?.verbs[word] ?? noun;
}

/** Gives the commands of the program as lists show them: those with one noun as one. `verbs` are those that they are made of. */
export function listed(program: Command, verbs: readonly Verb[]): Listed[] {
  const nouns = new Map<string, Listed>();
  for (const command of program.createHelp().visibleCommands(program)) {
    const [noun = '', word] = command.name().split(' ');
    if (noun === 'help') continue;
    const known = nouns.get(noun);
    const about = subjects[noun]?.summary ?? verbs.find(({ name }) => name === noun)?.summary;
    const summary = known?.summary ?? about ?? command.summary();
    nouns.set(noun, {
      name: noun,
      summary,
      ...(word === undefined ? {} : { actions: [...(known?.actions ?? []), word] }),
    });
  }
  return [...nouns.values()];
}
