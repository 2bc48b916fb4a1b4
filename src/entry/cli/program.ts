// The command line, built from the table of verbs.

import { Command, CommanderError, type HelpConfiguration, Option } from 'commander';
import { packageVersion } from '../../adapters/package.ts';
import { MemoryError } from '../../errors.ts';
import { loadVerb, loadVerbs, verbTable } from '../../verbs/index.ts';
import type { Verb } from '../../verbs/verb.ts';
import { filterCommand } from '../filter/command.ts';
import { mcpCommand } from '../mcp/command.ts';
import { scopeHelp } from '../scope-option.ts';
import { completionsCommand } from './completions/command.ts';
import { type CommonOptions, execute, warn } from './execute.ts';
import { addFields, inputOf } from './fields.ts';
import { allHelp, describeVerb, everydayHelp, exampleHelp, listed } from './help.ts';
import { suggestion } from './suggestions.ts';
import { styleFor } from './terminal.ts';

/**
 * Parses arguments and runs the verb they name; gives the exit number. `start` is the folder to look in without `--dir`.
 *
 * @throws MemoryError of the verb, or INVALID_ARGUMENT for a line that cannot be parsed.
 */
export async function runProgram(args: readonly string[], start: string, gitIndex?: string): Promise<number> {
  let exitNumber = 0;
  const operands = operandsOf(args);
  const [asked, subject] = operands;
  const names = [...verbTable.map(({ name }) => name), ...extraCommands];
  const wanted = asked === 'help' ? subject : asked;
  if (wanted !== undefined && wanted !== 'help' && !names.includes(wanted)) {
    throw noVerb(wanted, suggestion(operands.slice(operands.indexOf(wanted)), names));
  }
  const verbs = await verbsFor(operands, args);
  const program = buildProgram(verbs, start, async (verb, input, options) => {
    exitNumber = await execute(verb, input, options, start, gitIndex);
  });
  if (asked === undefined && !args.some((arg) => /^-(?:[hV]|-help|-version)$/.test(arg))) {
    // Called without a verb: the help is the answer, though no verb is wrong usage.
    if (args.some((arg) => arg.startsWith('-'))) throw noVerb('');
    process.stderr.write(`${everydayHelp(listed(program), styleFor(process.stderr))}\n`);
    return 2;
  }
  if (asked === 'help' && args.includes('--json')) {
    const described = await Promise.all(verbs.map(describeVerb));
    const answer = subject === undefined ? described : described[0];
    process.stdout.write(`${JSON.stringify(answer ?? null, null, 2)}\n`);
    return 0;
  }
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    const [what = '', ...hints] = error.message.replace(/^error: /, '').split('\n');
    throw new MemoryError('INVALID_ARGUMENT', what.replace(/\.$/, ''), {
      hint: [...hints.map((hint) => hint.replace(/^\(|\)$/g, '')), `See \`git memory help${verbIn(args)}\``].join(' '),
      cause: error,
    });
  }
  return exitNumber;
}

function noVerb(name: string, hint = 'See `git memory help`'): MemoryError {
  const what = name === '' ? 'the verb is missing' : `there is no verb ${JSON.stringify(name.slice(0, 60))}`;
  return new MemoryError('INVALID_ARGUMENT', what, { hint });
}

/** Makes the program with every verb, to be read and not to be run. */
export async function wholeProgram(): Promise<Command> {
  return buildProgram(await loadVerbs(), '.', async () => {});
}

type Run = (verb: Verb, input: Record<string, unknown>, options: CommonOptions) => Promise<void>;

/** Commands that are no verbs: front ends of their own. */
const extraCommands: readonly string[] = ['filter', 'mcp', 'completions'];

/** Lists what stands on a line beside options and their values: the verb first. */
function operandsOf(args: readonly string[]): string[] {
  const withValue = commonOptions().flatMap(({ required, long }) => (required ? [long] : []));
  return args.filter((arg, index) => !arg.startsWith('-') && !withValue.includes(args[index - 1]));
}

/** Loads the one verb that a line runs or asks help for; all of them where a list is wanted. */
async function verbsFor(operands: readonly string[], args: readonly string[]): Promise<readonly Verb[]> {
  if (operands[0] === undefined && args.some((arg) => arg === '-V' || arg === '--version')) return [];
  const name = (operands[0] === 'help' ? operands[1] : operands[0]) ?? '';
  if (extraCommands.includes(name)) return [];
  const verb = await loadVerb(name);
  return verb === undefined ? loadVerbs() : [verb];
}

function buildProgram(verbs: readonly Verb[], start: string, run: Run): Command {
  const program = new Command('git memory')
    .usage('<verb> [arguments] [options]')
    .description('A memory for AI agents whose only source of truth is a git repository.')
    .option('-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [verb]', 'show help, with an example for each verb')
    .configureHelp(helpLook())
    .configureOutput({ outputError: () => {} })
    .exitOverride()
    .showSuggestionAfterError();
  program.on('option:version', () => {
    process.stdout.write(`${packageVersion()}\n`);
    throw new CommanderError(0, 'commander.version', 'version');
  });
  for (const option of commonOptions()) program.addOption(option.hideHelp());
  for (const verb of verbs) program.addCommand(buildCommand(verb, program, run));
  program.addCommand(filterCommand(program, warn), { hidden: true });
  program.addCommand(mcpCommand(program, { start, style: () => styleFor(process.stdout), warn }));
  program.addCommand(completionsCommand(program, wholeProgram));
  program.helpInformation = () => `${allHelp(listed(program), styleFor(process.stdout))}\n`;
  return program;
}

/** How commander renders the help of one verb: as wide as the terminal, with what a word may be beside its meaning. */
function helpLook(): HelpConfiguration {
  const style = styleFor(process.stdout);
  const withChoices = ({ description, argChoices = [] }: { description: string; argChoices?: string[] }): string =>
    argChoices.every((choice) => description.includes(choice))
      ? description
      : `${description}${description === '' ? '' : '; '}one of ${argChoices.join(', ')}`;
  return {
    helpWidth: style.width,
    argumentDescription: withChoices,
    optionDescription: withChoices,
    styleTitle: style.strong,
    styleOptionTerm: style.reference,
    styleArgumentTerm: style.reference,
  };
}

/** Finds the verb that a line was about, as ` recall`, to point to its help; empty if there is none. */
function verbIn(args: readonly string[]): string {
  const names = new Set(verbTable.map(({ name }) => name));
  const verb = args.find((arg) => names.has(arg));
  return verb === undefined ? '' : ` ${verb}`;
}

function buildCommand(verb: Verb, program: Command, run: Run): Command {
  const command = new Command(verb.name)
    .copyInheritedSettings(program)
    .summary(verb.summary)
    .description(`${verb.summary}.\n\n${verb.help}`)
    .addHelpText('after', () => `\n${exampleHelp(verb, styleFor(process.stdout))}`);
  addFields(command, verb);
  for (const option of commonOptions(verb)) command.addOption(option.helpGroup('Everywhere:'));
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
  // The scope of a changelog event is another one.
  if (verb === undefined || !('scope' in verb.input.shape)) options.push(new Option('--scope <parts>', scopeHelp));
  if (verb === undefined || verb.flags.reads === true) {
    options.push(new Option('--at <when>', 'answer as of a day (2026-11-02), time, tag, commit or branch'));
  }
  if (verb === undefined || verb.flags.changes === true) {
    options.push(new Option('--dry-run', 'show what would be done and write nothing'));
  }
  return options;
}
