// memory.yaml as people see it: a first one, and one with other values.

import { isJsonObject } from '../../base/canonical-json.ts';
import { MemoryError } from '../../base/errors.ts';
import {
  asConfiguration,
  type Configuration,
  defaultConfiguration,
  parseConfiguration,
  readConfiguration,
} from './configuration.ts';
import { configurationVersion } from './configuration-schema.ts';
import { isFormerKey } from './former-keys.ts';
import { namesFor } from './spec-keys.ts';
import { formatYamlObject, setYamlValues } from './yaml.ts';

export const configurationPath = 'memory.yaml';

/**
 * Gives a memory.yaml with other values; keys have dotted names, `extract.min_confidence`, and comments stay. `undefined` takes a key out.
 *
 * @throws MemoryError INVALID_CONFIG for a key that does not exist or has no effect any more, or a value that it does not take.
 */
export function withKeys(text: string, path: string, values: Readonly<Record<string, unknown>>): string {
  const former = Object.keys(values).find((name) => values[name] !== undefined && isFormerKey(name));
  if (former !== undefined)
    throw new MemoryError('INVALID_CONFIG', `the key ${former} has no effect any more`, { where: former });
  // A key may stand there under the name of the specification, which gives way.
  const changes = Object.entries(values).flatMap(([name, value]) => [
    ...namesFor(name).map((other) => ({ keys: other.split('.'), value: undefined })),
    { keys: name.split('.'), value },
  ]);
  const made = asConfiguration(() => setYamlValues(text, path, changes), path);
  parseConfiguration(made, path);
  return made;
}

/** Gives a memory.yaml, or adds to one, what the file of another program says; its keys that mean nothing here stay out. Throws INVALID_CONFIG. */
export const takenOver = (text: string, path: string, into: string): string =>
  withKeys(into, configurationPath, Object.fromEntries(leavesOf(readConfiguration(text, path).given)));

const leavesOf = (values: Readonly<Record<string, unknown>>, before = ''): [string, unknown][] =>
  Object.entries(values).flatMap(([key, value]): [string, unknown][] =>
    isJsonObject(value) ? leavesOf(value, `${before}${key}.`) : [[before + key, value]],
  );

/** The keys that `init` lets people set. */
export type InitialConfiguration = Partial<
  Pick<Configuration, 'name' | 'author' | 'timezone' | 'language' | 'flushMinutes' | 'autoExtract'>
>;

/** Formats a short memory.yaml with the keys people change, each with a comment; what is not given stands at its default. */
export function formatConfiguration(given: InitialConfiguration = {}): string {
  const values = { ...defaultConfiguration(), ...given };
  const line = (key: string, value: unknown, comment: string): string =>
    value === undefined || value === null ? '' : `\n# ${comment}\n${formatYamlObject({ [key]: value })}`;
  return [
    '# Configuration of this memory. Every key has a default, and an unknown key is an error.\n',
    `version: ${configurationVersion}\n`,
    line('name', values.name, 'What people call this memory.'),
    line('author', values.author, "Author of the engine's commits; without it, git's own."),
    line('timezone', values.timezone, 'Decides which day something belongs to.'),
    line('language', values.language, 'The language of the conversations.'),
    line('flush_minutes', values.flushMinutes, 'How long pending writes wait for their batch commit.'),
    line(
      'auto_extract',
      values.autoExtract,
      'Whether memories are extracted by themselves, while people talk and when a session ends.',
    ),
  ].join('');
}
