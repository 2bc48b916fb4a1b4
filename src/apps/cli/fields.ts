// From the fields of a verb to options and arguments of a command line, and back to an input object.

import { Argument, type Command, Option } from 'commander';
import { type Field, fieldsOf } from '../verbs/fields.ts';
import type { Verb } from '../verbs/verb.ts';

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
    if (field.kind === 'list') {
      option.argParser((text: string, before: string[] | undefined) => [...(before ?? []), text]);
    }
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
