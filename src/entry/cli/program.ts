// The command line, built from the table of verbs.

import { Command, CommanderError, Option } from 'commander';
import { packageVersion } from '../../adapters/package.ts';
import { MemoryError } from '../../errors.ts';
import { loadVerb, loadVerbs, verbTable } from '../../verbs/index.ts';
import { hang, plainStyle, wrap } from '../../verbs/style.ts';
import type { Verb } from '../../verbs/verb.ts';
import { exitMeanings } from '../exit-codes.ts';
import { mcpCommand } from '../mcp/command.ts';
import { type CommonOptions, execute, warn } from './execute.ts';
import { addFields, inputOf } from './fields.ts';
import { styleFor } from './terminal.ts';

/**
 * Parses arguments and runs the verb they name; gives the exit number. `start` is the folder to look in without `--dir`.
 *
 * @throws MemoryError of the verb, or INVALID_ARGUMENT for a line that cannot be parsed.
 */
export async function runProgram(args: readonly string[], start: string, gitIndex?: string): Promise<number> {
  let exitNumber = 0;
  const verbs = await verbsFor(args);
  const program = buildProgram(verbs, start, async (verb, input, options) => {
    exitNumber = await execute(verb, input, options, start, gitIndex);
  });
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    // Called without a verb: the help is the answer, and it went to standard error.
    if (error.code === 'commander.help') return 2;
    const [what = '', ...hints] = error.message.replace(/^error: /, '').split('\n');
    throw new MemoryError('INVALID_ARGUMENT', what, {
      hint: [...hints.map((hint) => hint.replace(/^\(|\)$/g, '')), `See \`git memory help${verbIn(args)}\``].join(' '),
      cause: error,
    });
  }
  return exitNumber;
}

type Run = (verb: Verb, input: Record<string, unknown>, options: CommonOptions) => Promise<void>;

/** Loads the one verb that a line runs or asks help for; all of them where a list or a suggestion may be wanted. */
async function verbsFor(args: readonly string[]): Promise<readonly Verb[]> {
  const withValue = commonOptions().flatMap(({ required, long }) => (required ? [long] : []));
  const operands = args.filter((arg, index) => !arg.startsWith('-') && !withValue.includes(args[index - 1]));
  if (operands[0] === undefined && args.some((arg) => arg === '-V' || arg === '--version')) return [];
  const name = (operands[0] === 'help' ? operands[1] : operands[0]) ?? '';
  // Not a verb: the server is a front end of its own.
  if (name === 'mcp') return [];
  const verb = await loadVerb(name);
  return verb === undefined ? loadVerbs() : [verb];
}

function buildProgram(verbs: readonly Verb[], start: string, run: Run): Command {
  const program = new Command('git memory')
    .usage('<verb> [arguments] [options]')
    .description('A memory for AI agents whose only source of truth is a git repository.')
    .option('-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help; `git memory help <verb>` for one verb')
    .helpCommand('help [verb]', 'show help, with an example for each verb')
    .configureHelp({ helpWidth: 80, subcommandTerm: termOf })
    .configureOutput({ outputError: () => {} })
    .exitOverride()
    .showSuggestionAfterError()
    .addHelpText('after', () => `\n${exitCodeHelp()}`);
  program.on('option:version', () => {
    process.stdout.write(`${packageVersion()}\n`);
    throw new CommanderError(0, 'commander.version', 'version');
  });
  for (const option of commonOptions()) program.addOption(option.hideHelp());
  for (const verb of verbs) program.addCommand(buildCommand(verb, program, run));
  program.addCommand(mcpCommand(program, { start, style: () => styleFor(process.stdout), warn }));
  return program;
}

/** Shows a verb in the list with its arguments alone, so that its summary stands on the same line. */
function termOf(command: Command): string {
  const args = command.registeredArguments.map((argument) => {
    const name = argument.name() + (argument.variadic ? '...' : '');
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [command.name(), ...args].join(' ');
}

/** Finds the verb that a line was about, as ` recall`, to point to its help; empty if there is none. */
function verbIn(args: readonly string[]): string {
  const verb = verbTable.find(({ name }) => args.includes(name));
  return verb === undefined ? '' : ` ${verb.name}`;
}

function buildCommand(verb: Verb, program: Command, run: Run): Command {
  const command = new Command(verb.name)
    .copyInheritedSettings(program)
    .summary(verb.summary)
    .description(`${verb.summary}.\n\n${verb.help}`)
    .addHelpText('after', () => `\n${exampleHelp(verb)}`);
  addFields(command, verb);
  for (const option of commonOptions(verb)) command.addOption(option);
  return command.action(async () => {
    const options = command.optsWithGlobals<CommonOptions & Record<string, unknown>>();
    await run(verb, inputOf(verb, command.processedArgs, options), options);
  });
}

/** Options that mean the same everywhere; before the verb all are accepted, and refused by verbs they have no meaning for. */
function commonOptions(verb?: Verb): Option[] {
  const options = [
    new Option('--json', 'print the answer as one JSON object, errors as JSON on standard error'),
    new Option('--dir <folder>', 'where the memory is; the current folder or one above it if left out'),
    new Option('--branch <name>', 'the branch of the memory; its main branch if left out'),
  ];
  if (verb === undefined || verb.flags.reads === true) {
    options.push(new Option('--at <when>', 'answer as of a day (2026-11-02), time, tag, commit or branch'));
  }
  if (verb === undefined || verb.flags.changes === true) {
    options.push(new Option('--dry-run', 'show what would be done and write nothing'));
  }
  return options;
}

function exampleHelp(verb: Verb): string {
  return [
    'Example:',
    `  ${verb.example.command}`,
    ...hang('', verb.example.shows, plainStyle, 4).map((line) => line.trimEnd()),
  ].join('\n');
}

function exitCodeHelp(): string {
  const rows = Object.entries(exitMeanings).flatMap(([number, meaning]) =>
    wrap(meaning, 73).map((line, index) => `  ${(index === 0 ? number : '').padStart(3)}  ${line}`),
  );
  return [
    'Every verb takes --json, --dir and --branch; verbs that answer also take --at,',
    'and verbs that change much --dry-run.',
    '',
    'Exit codes:',
    ...rows,
  ].join('\n');
}
