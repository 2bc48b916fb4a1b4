// git's configuration file: text → keys and values, strictly. Nothing is ever included from elsewhere, and nothing is run.
// Format: https://git-scm.com/docs/git-config#_syntax

import { MemoryError } from '../../base/errors.ts';
import { keptIn } from '../../base/once-per.ts';
import { maxGitConfigBytes } from '../guard/limits.ts';
import type { Disk } from './disk.ts';

/** Values by key, in the order of the file: `core.bare`, `remote.origin.url`; section and name in lower case. */
export type ConfigValues = ReadonlyMap<string, readonly string[]>;

/** Reads a configuration; an absent file has no values. Throws REPOSITORY_CORRUPT, TOO_LARGE, UNSAFE_FILE. */
export const readConfigFile = (disk: Disk, path: string): ConfigValues =>
  parseConfigFile(disk.readText(path, maxGitConfigBytes) ?? '', path);

/** Parses a configuration; throws REPOSITORY_CORRUPT with the line that cannot be read, as git itself refuses the file. */
export function parseConfigFile(text: string, where: string): ConfigValues {
  const values = new Map<string, string[]>();
  // A line that ends in a backslash goes on; comments do not.
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  let section = '';
  for (let number = 0; number < lines.length; number++) {
    const first = number + 1;
    const damaged = () =>
      new MemoryError('REPOSITORY_CORRUPT', `line ${first} of the configuration of the repository cannot be read`, {
        where,
        hint: 'Nothing was changed; `git config --list` names the same line',
      });
    let rest = lines[number]!.trimStart();
    const header = /^\[([A-Za-z0-9.-]+)(?:[ \t]+"((?:[^"\\]|\\.)*)")?\]/.exec(rest);
    if (header) {
      const [all, name, subsection] = header as unknown as [string, string, string | undefined];
      section = name.toLowerCase() + (subsection === undefined ? '' : `.${subsection.replace(/\\(.)/g, '$1')}`);
      rest = rest.slice(all.length).trimStart();
    }
    if (rest === '' || rest.startsWith('#') || rest.startsWith(';')) continue;
    const name = /^([A-Za-z][A-Za-z0-9-]*)[ \t]*(?:=|$|(?=[#;]))/.exec(rest);
    if (name === null || section === '') throw damaged();
    const key = `${section}.${name[1]!.toLowerCase()}`;
    // A key alone means true.
    let value = 'true';
    if (name[0].endsWith('=')) {
      let parsed = parseValue(rest.slice(name[0].length));
      while (parsed === 'goes on' && number + 1 < lines.length) {
        number += 1;
        rest = `${rest.slice(0, -1)}${lines[number]!}`;
        parsed = parseValue(rest.slice(name[0].length));
      }
      if (parsed === null || parsed === 'goes on') throw damaged();
      value = parsed.value;
    }
    keptIn(values, key, () => []).push(value);
  }
  return values;
}

/** Formats one section; every value is quoted. */
export function formatConfigSection(name: string, values: Readonly<Record<string, string>>): string {
  const quoted = (value: string): string => `"${value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`;
  const lines = Object.entries(values).map(([key, value]) => `\t${key} = ${quoted(value)}\n`);
  return `[${name}]\n${lines.join('')}`;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b', '\\': '\\', '"': '"' };

/** Parses what stands behind the equals sign: bare and quoted parts, escapes, a comment; `null` when it is damaged. */
function parseValue(text: string): { value: string } | 'goes on' | null {
  let value = '';
  let isQuoted = false;
  /** Up to here white space is part of the value. */
  let kept = 0;
  for (let position = 0; position < text.length; position++) {
    const character = text[position]!;
    if (character === '\\') {
      if (position === text.length - 1) return 'goes on';
      const escaped = escapes[text[++position]!];
      if (escaped === undefined) return null;
      value += escaped;
      kept = value.length;
    } else if (character === '"') {
      isQuoted = !isQuoted;
      kept = value.length;
    } else if (character === '\0') return null;
    else if (!isQuoted && (character === '#' || character === ';')) break;
    else if (isQuoted || !/\s/.test(character)) {
      value += character;
      kept = value.length;
    } else if (value !== '') value += character;
  }
  return isQuoted ? null : { value: value.slice(0, kept) };
}

/** Reads a boolean as git does: `true`, `yes`, `on`, `1`; anything else is false. The last value counts. */
export const isTrue = (values: ConfigValues, key: string): boolean =>
  /^(?:true|yes|on|[1-9]\d*)$/i.test(values.get(key)?.at(-1) ?? '');
