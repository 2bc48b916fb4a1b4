// memory.yaml as a typed value in which every key has its default, and what is told of one that cannot be read.

import { MemoryError } from '../errors.ts';
import { camelKeys } from './camel-keys.ts';
import {
  type Configuration,
  configurationSchema,
  configurationVersion,
  isTopKey,
  knownNames,
  schemaOf,
  topKeys,
  type Values,
} from './configuration-schema.ts';
import { configurationDefaults } from './generated/configuration-defaults.ts';
import { nearestWord } from './nearest-word.ts';
import { adoptSpecKeys } from './spec-configuration.ts';
import { lineOfKeys, parseYamlObject } from './yaml.ts';

export type { Configuration } from './configuration-schema.ts';

/** Gives the configuration of a memory whose memory.yaml is empty or missing. */
export function defaultConfiguration(): Configuration {
  return configurationDefaults;
}

/**
 * Parses memory.yaml; an empty file is the default configuration.
 *
 * An unknown key is an error, for a misspelt one would silently do nothing; when the file was written for a newer version of the
 * configuration it is a warning, and ignored. So it is in a `memory-config.yaml`, of which the keys that mean the same are taken
 * over.
 *
 * @throws MemoryError INVALID_CONFIG with path, line, key, and what the key may have been meant to be; TOO_LARGE.
 */
export function parseConfiguration(text: string, path: string): { configuration: Configuration; warnings: string[] } {
  const { set, warnings } = readSet(text, path);
  return { configuration: { ...configurationDefaults, ...camelKeys(set) }, warnings };
}

/** A memory.yaml as it is written: what it sets, and the value of every key. */
export interface ConfigurationFile {
  /** What the file sets, in the keys of memory.yaml. */
  readonly given: Readonly<Record<string, unknown>>;
  readonly values: Values;
  readonly warnings: string[];
}

/** Reads memory.yaml as {@link parseConfiguration} does, with the keys as they stand in the file. */
export function readConfiguration(text: string, path: string): ConfigurationFile {
  const { given, set, warnings } = readSet(text, path);
  return { given, values: { ...(configurationSchema().parse({}) as Values), ...set }, warnings };
}

/** Reads what a file sets; each section of it is whole, with the defaults of what it leaves out. */
function readSet(
  text: string,
  path: string,
): { given: Record<string, unknown>; set: Partial<Values>; warnings: string[] } {
  const yaml = readYaml(text, path);
  const isForeign = path.endsWith('memory-config.yaml');
  const given = isForeign ? adoptSpecKeys(yaml.data) : yaml.data;
  const isNewer = typeof given.version === 'number' && given.version > configurationVersion;
  const warnings: string[] = [];
  const placeOf = (names: readonly PropertyKey[]) =>
    `${path}:${lineOfKeys(text, names) ?? yaml.lineOf(String(names[0] ?? '')) ?? 1}`;
  const leaveOut = (names: readonly PropertyKey[]): void => {
    const place = placeOf(names);
    if (!isNewer && !isForeign) throw unknownKey(place, names.join('.'), path);
    warnings.push(`${place} the key ${names.join('.')} is unknown to this version and ignored`);
    const holder = holderOf(given, names.slice(0, -1));
    delete holder[String(names.at(-1))];
  };
  const set: Record<string, unknown> = {};
  for (const key of topKeys.filter((one) => Object.hasOwn(given, one))) {
    const schema = schemaOf(key);
    // Nothing is compiled for the few values that a process reads once.
    const read = () => schema.safeParse(given[key], { jitless: true });
    let result = read();
    for (const issue of result.error?.issues ?? []) {
      const names = [key, ...issue.path];
      if (issue.code === 'unrecognized_keys') {
        for (const unknown of issue.keys) leaveOut([...names, unknown]);
        continue;
      }
      const name = names.join('.');
      throw new MemoryError('INVALID_CONFIG', `${placeOf(names)} ${name}: ${issue.message}`, {
        where: path,
        hint: 'Change it to what it takes, or leave the line out: then the default holds',
      });
    }
    if (!result.success) result = read();
    set[key] = result.data;
  }
  for (const name of Object.keys(given)) if (!isTopKey(name)) leaveOut([name]);
  if (isNewer)
    warnings.unshift(`${path} is of version ${given.version}, and this engine knows ${configurationVersion}`);
  return { given, set, warnings };
}

function readYaml(text: string, path: string): ReturnType<typeof parseYamlObject> {
  return asConfiguration(() => parseYamlObject(text.replace(/^\ufeff/, ''), path), path);
}

/** Runs what reads YAML: what it cannot read is INVALID_CONFIG. */
export function asConfiguration<T>(read: () => T, path: string): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code !== 'INVALID_RECORD') throw error;
    throw new MemoryError('INVALID_CONFIG', error.what, { where: path, cause: error });
  }
}

function holderOf(data: Record<string, unknown>, keys: readonly PropertyKey[]): Record<string, unknown> {
  return keys.reduce<Record<string, unknown>>((at, key) => at[String(key)] as Record<string, unknown>, data);
}

function unknownKey(place: string, name: string, path: string): MemoryError {
  const meant = nearestWord(name, knownNames());
  return new MemoryError('INVALID_CONFIG', `${place} has the unknown key ${name}`, {
    where: path,
    hint: meant === undefined ? `Known keys are ${topKeys.join(', ')}` : `Did you mean ${meant}`,
  });
}
