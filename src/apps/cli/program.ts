// The command line, built from the table of verbs.

import { Argument, Command, CommanderError, type HelpConfiguration, Option } from 'commander';
import { type Field, fieldsOf } from '../verbs/fields.ts';
import type { Verb } from '../verbs/verb.ts';
import './first.ts';
import { packageVersion } from '../../adapters/package.ts';
import { MemoryError } from '../../base/errors.ts';
import { filterCommand } from '../filter/filter-command.ts';
import { mcpCommand } from '../mcp/mcp-command.ts';
import { extractorsOption, scopeHelp } from '../scope-option.ts';
import { uiCommand } from '../ui/ui-command.ts';
import { hiddenVerbs, otherOptions } from '../verbs/groups.ts';
import { loadVerbs } from '../verbs/index.ts';
import { behind, commandsOf, firstWords, inOrder, inOwnWords, knownWords, type Line, lineOf } from './commands.ts';
import { completionsCommand } from './completions/completions-command.ts';
import { type CommonOptions, execute, warn } from './execute.ts';
import { allHelp, besideHelp, describeVerb, everydayHelp, exampleHelp, listed, nounHelp } from './help.ts';
import { suggestion } from './suggestions.ts';
import { styleFor } from './terminal.ts';

/** Runs the verb that arguments name, and gives the exit number; `start` is the folder without `--dir`. Throws as the verb, and INVALID_ARGUMENT. */
export async function runProgram(args: readonly string[], start: string, gitIndex?: string): Promise<number> {
  let exitNumber = 0;
  const places = operandsOf(args);
  const isHelp = args[places[0] ?? -1] === 'help';
  if (isHelp && args[places[1] ?? -1] === 'help') {
    return runProgram(
      args.filter((_, place) => place !== places[1]),
      start,
      gitIndex,
    );
  }
  const at = isHelp ? places.slice(1) : places;
  const other = inOwnWords(args, at);
  if (other !== undefined) {
    warn(other.advice);
    return runProgram(other.args, start, gitIndex);
  }
  const asked = at[0] === undefined ? undefined : args[at[0]]!;
  if (asked !== undefined && !knownWords().includes(asked)) {
    throw noVerb(
      asked,
      suggestion(
        at.map((place) => args[place]!),
        firstWords(),
      ),
    );
  }
  const common = commonOptions().map(({ long }) => long);
  const line = await lineOf(args, at, isHelp, (option) => common.includes(option));
  if (line.advice !== undefined) warn(line.advice);
  const verbs = await verbsFor(line, args, asked);
  // Of many options help shows the usual ones.
  const isFull = isHelp && args.includes('--all');
  const run: Run = async (verb, input, options) => {
    exitNumber = await execute(verb, input, options, start, gitIndex);
  };
  const wantsHelp = isHelp || args.some((arg) => /^-(?:h|-help)$/.test(arg));
  const beside = wantsHelp && line.verb !== undefined ? await behind(line.verb.name) : [];
  const program = buildProgram(verbs, start, run, isFull, beside);
  if (asked === undefined && !isHelp && !args.some((arg) => /^-(?:[hV]|-help|-version)$/.test(arg))) {
    // Called without a verb: the help is the answer, though no verb is wrong usage.
    if (args.some((arg) => arg.startsWith('-'))) throw noVerb('');
    process.stderr.write(`${everydayHelp(listed(program, verbs), styleFor(process.stderr))}\n`);
    return 2;
  }
  if (isHelp && args.includes('--json')) {
    const described = await Promise.all(verbs.map(describeVerb));
    const answer = asked === undefined || line.noun !== undefined ? described : described[0];
    process.stdout.write(`${JSON.stringify(answer ?? null, null, 2)}\n`);
    return 0;
  }
  if (line.noun !== undefined) {
    const stream = isHelp ? process.stdout : process.stderr;
    stream.write(`${await nounHelp(line.noun, inOrder(verbs.flatMap(commandsOf)), styleFor(stream))}\n`);
    return isHelp ? 0 : 2;
  }
  try {
    const parsed = isFull ? line.args.filter((arg) => arg !== '--all') : line.args;
    await program.parseAsync(marked(parsed), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    const [what = '', ...hints] = error.message.replace(/^error: /, '').split('\n');
    const [, given, name, choices] = wrongChoice.exec(what) ?? [];
    if (choices !== undefined) {
      throw new MemoryError('INVALID_ARGUMENT', `${JSON.stringify(given!.slice(0, 60))} is no ${name} we know`, {
        hint: `Choose one of ${choices}`,
        cause: error,
      });
    }
    const meant = optionMeant(what, line.verb);
    if (meant !== undefined) hints.splice(0, hints.length, `Did you mean ${meant}?`);
    throw new MemoryError('INVALID_ARGUMENT', what.replace(/\.$/, ''), {
      hint: [
        ...hints.map((hint) => hint.replace(/^\(|\)$/g, '')),
        `See \`git memory help${line.verb === undefined ? '' : ` ${line.verb.name}`}\``,
      ].join(' '),
      cause: error,
    });
  }
  return exitNumber;
}

/** How the parser of options says that an argument is none of a few words. */
const wrongChoice = /^command-argument value '(.*)' is invalid for argument '([^']*)'\. Allowed choices are (.*)\.$/s;

/** Gives the option that a verb has for one that it lacks, by what other programs call it. */
function optionMeant(what: string, verb: Verb | undefined): string | undefined {
  const given = /^unknown option '--([a-z]+)/.exec(what)?.[1] ?? '';
  const meant = Object.hasOwn(otherOptions, given) ? otherOptions[given]! : undefined;
  return meant !== undefined && verb !== undefined && meant in verb.input.shape ? `--${meant}` : undefined;
}

function noVerb(name: string, hint = 'See `git memory help`'): MemoryError {
  const what = name === '' ? 'the verb is missing' : `there is no verb ${JSON.stringify(name.slice(0, 60))}`;
  return new MemoryError('INVALID_ARGUMENT', what, { hint });
}

/** Makes the program with every verb, to be read and not to be run. */
export const wholeProgram = async (): Promise<Command> => buildProgram(await loadVerbs(), '.', async () => {}, true);

type Run = (verb: Verb, input: Record<string, unknown>, options: CommonOptions) => Promise<void>;

/** Texts that begin with dashes, such as `- a` or `---`, are no options: those are a letter, or words with hyphens and maybe a value. */
const dashedText = /^-(?![A-Za-z]\S*$|-[A-Za-z][\w-]*(?:=|$)|-?$)/;
/** Stands before such a text on the way through the parser of options. A line of a shell holds no NUL. */
const textMark = '\0';

/** Marks such texts, up to a `--` behind which all are texts. */
function marked(args: readonly string[]): string[] {
  const end = args.indexOf('--');
  return args.map((arg, place) => (dashedText.test(arg) && (end < 0 || place < end) ? textMark + arg : arg));
}

function unmarked<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(unmarked) as Value;
  return (typeof value === 'string' && value.startsWith(textMark) ? value.slice(textMark.length) : value) as Value;
}

function operandsOf(args: readonly string[]): number[] {
  const withValue = commonOptions().flatMap(({ required, long }) => (required ? [long] : []));
  return args.flatMap((arg, index) =>
    (arg.startsWith('-') && !dashedText.test(arg)) || withValue.includes(args[index - 1]) ? [] : [index],
  );
}

async function verbsFor(line: Line, args: readonly string[], asked: string | undefined): Promise<readonly Verb[]> {
  if (line.verb !== undefined) return [line.verb];
  if (line.noun !== undefined) {
    const { noun } = line;
    return (await loadVerbs()).filter((verb) => commandsOf(verb)[0]!.name.startsWith(`${noun} `));
  }
  if (asked !== undefined || args.some((arg) => arg === '-V' || arg === '--version')) return [];
  return loadVerbs();
}

/** Makes the program of some verbs. `beside` are those that the help of a single one names. */
function buildProgram(
  verbs: readonly Verb[],
  start: string,
  run: Run,
  isFull = false,
  beside: readonly Verb[] = [],
): Command {
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
  const commands = inOrder(verbs.flatMap((verb) => (verb.name.includes(' ') ? [verb] : commandsOf(verb))));
  for (const command of commands) {
    const built = buildCommand(command, program, run, isFull);
    if (beside.length > 0) built.addHelpText('after', () => `\n${besideHelp(beside, styleFor(process.stdout))}`);
    program.addCommand(built, { hidden: hiddenVerbs.includes(command.name) });
  }
  // A line that runs one verb needs no other.
  if (verbs.length !== 1) {
    program.addCommand(filterCommand(program, warn), { hidden: true });
    program.addCommand(mcpCommand(program, { start, warn }));
    program.addCommand(uiCommand(program, start, warn));
    program.addCommand(completionsCommand(program, wholeProgram), { hidden: true });
  }
  program.helpInformation = () => `${allHelp(listed(program, verbs), styleFor(process.stdout))}\n`;
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

function buildCommand(verb: Verb, program: Command, run: Run, isFull: boolean): Command {
  const command = new Command(verb.name)
    .copyInheritedSettings(program)
    .summary(verb.summary)
    .description(`${verb.summary}.\n\n${verb.help}`)
    .addHelpText('after', () => `\n${exampleHelp(verb, styleFor(process.stdout))}`);
  addFields(command, verb, isFull);
  if (command.options.some(({ hidden }) => hidden))
    command.addHelpText('after', `\n\`git memory help ${verb.name} --all\` shows further options.`);
  for (const option of commonOptions(verb)) command.addOption(option.helpGroup('Everywhere:'));
  return command.action(async () => {
    const given = command.optsWithGlobals<Record<string, unknown>>();
    const options: CommonOptions & Record<string, unknown> = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, unmarked(value)]),
    );
    await run(verb, inputOf(verb, command.processedArgs.map(unmarked), options), options);
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
  if (verb === undefined || verb.flags.writes !== undefined)
    options.push(extractorsOption(verb === undefined || !/^(?:extract|hook)/.test(verb.name)));
  if (verb === undefined || verb.flags.reads === true)
    options.push(new Option('--at <when>', 'answer as of a day (2026-11-02), time, tag, commit or branch'));
  if (verb === undefined || verb.flags.changes === true)
    options.push(new Option('--dry-run', 'show what would be done and write nothing'));
  return options;
}

// From the fields of a verb to options and arguments of a command line, and back to an input object.

/** Makes `--if-blob` of `ifBlob`, and `--entity` of the list `entities`, which is given once for each. */
function flagOf(field: Field): string {
  const one = field.kind === 'list' ? field.name.replace(/ies$/, 'y').replace(/s$/, '') : field.name;
  return `--${one.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Adds a verb's arguments and options to a command; help shows all of them where `isFull`, else those that are usual. */
export function addFields(command: Command, verb: Verb, isFull = false): void {
  const fields = fieldsOf(verb);
  for (const name of verb.positional) {
    const field = fields.find((candidate) => candidate.name === name)!;
    const many = field.kind === 'list' || verb.words === name ? '...' : '';
    // What a stream can fill may be missing on the line; the schema still asks for it.
    const isNeeded = field.isRequired && verb.stream !== name;
    const argument = new Argument(isNeeded ? `<${name}${many}>` : `[${name}${many}]`, field.description);
    // Said in help and offered by completions; what is wrong is judged by the verb's schema alone.
    if (field.values !== undefined) argument.argChoices = [...field.values];
    command.addArgument(argument);
  }
  for (const field of fields) {
    if (verb.positional.includes(field.name)) continue;
    const value = field.kind === 'flag' ? '' : field.kind === 'number' ? ' <n>' : ' <text>';
    const repeated = field.kind === 'list' ? ' (may be repeated)' : '';
    const option = new Option(`${flagOf(field)}${value}`, `${field.description}${repeated}`);
    if (field.values !== undefined) option.argChoices = [...field.values];
    if (field.kind === 'list')
      option.argParser((text: string, before: string[] | undefined) => [...(before ?? []), text]);
    if (!isFull && verb.usual?.includes(field.name) === false) option.hideHelp();
    command.addOption(option);
  }
}

/** Collects the input object of a verb from what commander parsed. Values are checked by the verb's schema, not here. */
export function inputOf(
  verb: Verb,
  positional: readonly unknown[],
  options: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const field of fieldsOf(verb)) {
    const index = verb.positional.indexOf(field.name);
    const attribute = flagOf(field)
      .slice(2)
      .replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
    const given = index >= 0 ? positional[index] : options[attribute];
    if (given === undefined || (Array.isArray(given) && given.length === 0)) continue;
    input[field.name] = convert(field, given);
  }
  return input;
}

function convert(field: Field, given: unknown): unknown {
  if (field.kind === 'number') {
    const number = String(given).trim() === '' ? Number.NaN : Number(given);
    return Number.isNaN(number) ? given : number;
  }
  return field.kind === 'text' && Array.isArray(given) ? given.join(' ') : given;
}
