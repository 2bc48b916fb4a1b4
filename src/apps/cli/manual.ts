// The manual page git-memory(1), which git shows for `git memory --help`. Made of the commands themselves; see man(7) for the format.

import type { Argument, Command, Option } from 'commander';
import { exitMeanings } from '../exit-codes.ts';
import type { Verb } from '../verbs/verb.ts';
import { commandsOf } from './commands.ts';
import { everywhere, grouped, listed } from './help.ts';

/** Writes the page of a program: `verbs` are those among its commands that have examples. */
export function formatManual(program: Command, verbs: readonly Verb[], version: string): string {
  const examples = new Map(verbs.flatMap(commandsOf).map(({ name, example }) => [name, example]));
  const commands = new Map(program.commands.map((command) => [command.name(), command]));
  const common = program.options.filter(({ long }) => long !== '--version');
  const names = new Set(common.map(({ long }) => long));
  const lines = [
    '.\\" Made by scripts/manual.mjs of the table of verbs.',
    `.TH GIT\\-MEMORY 1 "" "git\\-memory ${roff(version)}" "git\\-memory"`,
    '.SH NAME',
    'git\\-memory \\- a memory for AI agents whose only source of truth is a git repository',
    '.SH SYNOPSIS',
    '.B git memory',
    '.I verb',
    '[\\fIarguments\\fR] [\\fIoptions\\fR]',
    '.SH DESCRIPTION',
    ...paragraph(
      'A memory is an ordinary git repository. What is said is captured word for word, and memories are derived from it. Each step is a ' +
        'commit, which you can read, search as of any day, trace to the words it came from, and take back.',
    ),
    ...paragraph(
      'Verbs that ask about history (log, blame, diff, learned, show, provenance) answer in any git repository. ' +
        '"git memory help verb" shows one verb on the terminal.',
    ),
    '.SH COMMON OPTIONS',
    ...common.flatMap((option) => entry(termOf(option), option.description)),
    ...paragraph(everywhere),
  ];
  for (const { title, verbs: inGroup } of grouped(listed(program, verbs))) {
    lines.push(`.SH ${roff(title.toUpperCase())}`);
    for (const name of inGroup.flatMap(({ name, actions = [] }) => [
      name,
      ...actions.map((word) => `${name} ${word}`),
    ])) {
      const command = commands.get(name);
      if (command === undefined) continue;
      lines.push(...describeCommand(command, names));
      const example = examples.get(name);
      if (example !== undefined) lines.push(...exampleOf(example));
    }
  }
  lines.push(
    '.SH EXIT STATUS',
    ...Object.entries(exitMeanings).flatMap(([number, meaning]) => entry(`\\fB${number}\\fR`, meaning)),
    '.SH FILES',
    ...entry('\\fImemory.yaml\\fR', 'The configuration of a memory; "git memory config" shows every key.'),
    ...entry('\\fI.git/git\\-memory/journal\\fR', 'What is acknowledged and not committed yet: never delete it.'),
    ...entry('\\fI.git/git\\-memory/cache\\fR', 'Derived; deleting it loses nothing but time.'),
    '.SH SEE ALSO',
    '.BR git (1),',
    '.BR git\\-log (1),',
    '.BR gitrevisions (7)',
  );
  // Behind a heading there is a space already, and formatters complain of a second.
  const kept = lines.filter((line, index) => line !== '.PP' || !/^\.S[HS] /.test(lines[index - 1] ?? ''));
  return `${kept.join('\n')}\n`;
}

function describeCommand(command: Command, common: ReadonlySet<string | undefined>, parent = ''): string[] {
  const [, ...rest] = command.description().split('\n\n');
  const name = `${parent}${command.name()}`;
  const own = command.options.filter(
    ({ long }) => !common.has(long ?? undefined) || parent !== '' || name === 'mcp' || name === 'ui',
  );
  return [
    `.SS ${roff(`git memory ${name} ${usageOf(command)}`.trim())}`,
    ...paragraph(`${command.summary()}.`),
    ...rest.flatMap(paragraph),
    ...command.registeredArguments.flatMap((argument) =>
      entry(`\\fI${roff(argument.name())}\\fR`, withChoices(argument)),
    ),
    ...own.flatMap((option) => entry(termOf(option), withChoices(option))),
    ...command.commands.flatMap((inner) => describeCommand(inner, common, `${name} `)),
  ];
}

function usageOf(command: Command): string {
  return command.registeredArguments
    .map((argument) => {
      const name = argument.name() + (argument.variadic ? '...' : '');
      return argument.required ? `<${name}>` : `[${name}]`;
    })
    .join(' ');
}

function withChoices({ description, argChoices = [] }: Argument | Option): string {
  if (argChoices.every((choice) => description.includes(choice))) return description;
  return `${description}; one of ${argChoices.join(', ')}`;
}

function exampleOf({ command, shows }: Verb['example']): string[] {
  return ['.PP', 'Example:', '.RS 4', '.nf', roff(command), '.fi', '.RS 4', roff(shows), '.RE', '.RE'];
}

function termOf({ flags }: Option): string {
  return roff(flags)
    .replace(/(?:\\-){2}[\w\\-]+/, '\\fB$&\\fR')
    .replace(/[<[]([^>\]]+)[>\]]/, '\\fI$1\\fR');
}

const entry = (term: string, meaning: string): string[] => ['.TP', term, roff(meaning)];

const paragraph = (text: string): string[] => ['.PP', roff(text)];

/** Keeps a text from being read as a request: a backslash, a dash that is one, a line that begins with a full stop. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/gm, '\\&')
    .replace(
      /[^\u0000-\u007f]/gu,
      (letter) => `\\[u${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`,
    );
}
