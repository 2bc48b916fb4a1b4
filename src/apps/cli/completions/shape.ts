// What a shell needs to know of the command line to complete it, read off the commands themselves.

import type { Argument, Command, Option } from 'commander';
import { subjects } from '../../verbs/groups.ts';

/** What stands for a value that is not one of a few words. Git is asked for the names of branches and tags, the shell for files. */
export type Candidates = readonly string[] | 'revisions' | 'files';

export interface FlagShape {
  /** `--mode`. */
  readonly name: string;
  readonly description: string;
  /** Absent for a switch. */
  readonly value?: Candidates;
}

export interface CommandShape {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly FlagShape[];
  /** What can stand at each position; the last goes on where it may be repeated. */
  readonly positions: readonly Candidates[];
}

/** Names of arguments and options that mean a state of the memory. */
const revisionNames = new Set(['at', 'branch', 'from', 'into', 'onto', 'revision', 'theirs', 'to']);
const commonStates = new Set(['at', 'branch']);
/** Verbs whose `from` and `to` are no states: paths, ids, addresses. */
const withoutRevisions = new Set(['extract', 'init', 'file mv', 'record relate', 'import']);

/** Describes the commands below a program, in their order, `help` last; a noun with the words behind it is one as well. */
export function shapeOf(program: Command): CommandShape[] {
  const shapes = program.commands.map(commandShape);
  const nouns = new Map<string, string[]>();
  for (const { name } of shapes) {
    const [noun = '', word] = name.split(' ');
    if (word !== undefined) nouns.set(noun, [...(nouns.get(noun) ?? []), word]);
  }
  const isVerb = (noun: string) => shapes.some(({ name }) => name === noun);
  const ofNouns = [...nouns].flatMap(([name, words]) => {
    if (isVerb(name)) return [];
    const { summary = '' } = subjects[name] ?? {};
    return [{ name, summary, flags: [{ name: '--help', description: 'show this help' }], positions: [words] }];
  });
  const names = [...shapes, ...ofNouns].map(({ name }) => name).filter((name) => !name.includes(' '));
  const help = { name: 'help', summary: 'Show help, with an example for each verb', flags: [], positions: [names] };
  return [...shapes, ...ofNouns, help];
}

/** Names the commands of two words, each in quotation marks. */
export function pairsOf(commands: readonly CommandShape[]): string[] {
  return commands.flatMap(({ name }) => (name.includes(' ') ? [`'${name}'`] : []));
}

/**
 * Writes a line for what may stand behind each flag of a command (`list --status`) and at each position of it (`list 0`), but for files.
 *
 * `offer` is the line's command for one of a few words; `row` puts it behind its pattern.
 */
export function rowsOf(
  commands: readonly CommandShape[],
  offer: (words: string) => string,
  row: (pattern: string, answer: string) => string,
): string {
  const places = commands.flatMap(({ name, flags, positions }) => [
    ...flags.map((flag) => [`${name} ${flag.name}`, flag.value ?? 'files'] as const),
    ...positions.map((candidates, index) => [`${name} ${index}`, candidates] as const),
  ]);
  const lines = places.flatMap(([pattern, candidates]) => {
    if (candidates === 'files') return [];
    return [row(pattern, candidates === 'revisions' ? '__git_memory_revisions' : offer(candidates.join(' ')))];
  });
  return lines.join('\n');
}

/** Names the flags of any verb that take a value. */
export function valuedFlags(commands: readonly CommandShape[]): string[] {
  const names = commands.flatMap(({ flags }) => flags.filter(({ value }) => value !== undefined));
  return [...new Set(names.map(({ name }) => name))].sort();
}

function commandShape(command: Command): CommandShape {
  const name = command.name();
  const inner = command.commands;
  const options = [command, ...inner].flatMap(({ options }) => options);
  const seen = new Set<string>();
  const flags = options.flatMap((option): FlagShape[] => {
    if (option.long === undefined || option.long === null || seen.has(option.long)) return [];
    seen.add(option.long);
    return [flagShape(name, option)];
  });
  const positions = command.registeredArguments.map((argument) => candidatesOf(name, argument.name(), argument));
  return {
    name,
    summary: command.summary(),
    flags: [...flags, { name: '--help', description: 'show this help' }],
    positions: inner.length > 0 ? [inner.map((one) => one.name())] : positions,
  };
}

function flagShape(verb: string, option: Option): FlagShape {
  const takesValue = option.required || option.optional;
  return {
    name: option.long!,
    description: option.description,
    ...(takesValue ? { value: candidatesOf(verb, option.attributeName(), option) } : {}),
  };
}

function candidatesOf(verb: string, name: string, { argChoices }: Argument | Option): Candidates {
  if (argChoices !== undefined) return argChoices;
  // Of the common ones each script knows by itself.
  return revisionNames.has(name) && !commonStates.has(name) && !withoutRevisions.has(verb) ? 'revisions' : 'files';
}
