// memory.yaml as a typed value in which every key has its default, and what is said of one that cannot be read.

import { MemoryError } from '../../base/errors.ts';
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
import { isFormerKey } from './former-keys.ts';
import { configurationDefaults } from './generated/configuration-defaults.ts';
import { nearestWord } from './nearest-word.ts';
import { adoptSpecKeys } from './spec-keys.ts';
import { lineOfKeys, parseYamlObject } from './yaml.ts';

export type { Configuration } from './configuration-schema.ts';

/** Gives the configuration of a memory whose memory.yaml is empty or missing. */
export const defaultConfiguration = (): Configuration => configurationDefaults;

/**
 * Parses memory.yaml; an empty file is the default configuration.
 *
 * An unknown key is an error, for a misspelt one would silently do nothing. In a file that was written for a newer version of the
 * configuration it is a warning, and ignored. So is a key that an earlier version had, and one in a `memory-config.yaml`. The keys of the
 * specification are understood in both files (see spec-keys.ts).
 *
 * @throws MemoryError INVALID_CONFIG with path, line, key, and what the key may have been meant to be; TOO_LARGE.
 */
export function parseConfiguration(text: string, path: string): { configuration: Configuration; warnings: string[] } {
  const { set, warnings } = readSet(text, path);
  return { configuration: { ...configurationDefaults, ...camelKeys(set) }, warnings };
}

/** A memory.yaml as it is written: what it sets, and the value of every key. */
interface ConfigurationFile {
  /** What the file sets, in the keys of memory.yaml. */
  readonly given: Readonly<Record<string, unknown>>;
  /** Makes the schemas of all keys, for their defaults. */
  values(): Values;
  readonly warnings: string[];
}

/** Reads memory.yaml as {@link parseConfiguration} does, with the keys as the file has them. */
export function readConfiguration(text: string, path: string): ConfigurationFile {
  const { given, set, warnings } = readSet(text, path);
  return { given, values: () => ({ ...(configurationSchema().parse({}) as Values), ...set }), warnings };
}

/** Names of tasks that earlier versions had, and the tasks that do what they did. */
const formerTasks: Readonly<Record<string, string>> = { commitments: 'expire', 'archive-facts': 'expire' };

/** Reads what a file sets; each section of it is whole, with the defaults of what it leaves out. */
function readSet(
  text: string,
  path: string,
): { given: Record<string, unknown>; set: Partial<Values>; warnings: string[] } {
  const yaml = asConfiguration(() => parseYamlObject(text.replace(/^\ufeff/, ''), path), path);
  const isForeign = path.endsWith('memory-config.yaml');
  const { data: given, said, idle } = adoptSpecKeys(yaml.data);
  const isNewer = typeof given.version === 'number' && given.version > configurationVersion;
  const warnings: string[] = [];
  const placeOf = (names: readonly PropertyKey[]) =>
    `${path}:${lineOfKeys(text, names) ?? yaml.lineOf(String(names[0] ?? '')) ?? 1}`;
  for (const name of idle) {
    const place = placeOf(name.split('.'));
    warnings.push(`${place} the key ${name} names a hosted embedder and is ignored: \`git memory model\` chooses one`);
  }
  const leaveOut = (names: readonly PropertyKey[]): void => {
    const place = placeOf(names);
    const name = names.join('.');
    if (isFormerKey(name)) warnings.push(`${place} the key ${name} has no effect any more and can be taken out`);
    else if (isNewer || isForeign) warnings.push(`${place} the key ${name} is unknown to this version and ignored`);
    else throw unknownKey(place, name, path);
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
      const name = said.get(names.join('.')) ?? names.join('.');
      throw new MemoryError('INVALID_CONFIG', `${placeOf(name.split('.'))} ${name}: ${issue.message}`, {
        where: path,
        hint: 'Change it to what it takes, or leave the line out: then the default holds',
      });
    }
    if (!result.success) result = read();
    for (const names of key === 'maintain'
      ? [['maintain', 'every_hours']]
      : key === 'schedule'
        ? [['schedule', 'tasks']]
        : []) {
      const tasks = (result.data as Record<string, Record<string, unknown>>)[names[1]!]!;
      for (const [former, present] of Object.entries(formerTasks)) {
        if (!Object.hasOwn(tasks, former)) continue;
        warnings.push(
          `${placeOf([...names, former])} the task ${former} is part of ${present} now, and its time is ignored`,
        );
        delete tasks[former];
      }
    }
    set[key] = result.data;
  }
  for (const name of Object.keys(given)) if (!isTopKey(name)) leaveOut([name]);
  if (isNewer)
    warnings.unshift(`${path} is of version ${given.version}, and this engine knows ${configurationVersion}`);
  return { given, set, warnings };
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

const holderOf = (data: Record<string, unknown>, keys: readonly PropertyKey[]): Record<string, unknown> =>
  keys.reduce<Record<string, unknown>>((at, key) => at[String(key)] as Record<string, unknown>, data);

function unknownKey(place: string, name: string, path: string): MemoryError {
  const meant = nearestWord(name, knownNames());
  return new MemoryError('INVALID_CONFIG', `${place} has the unknown key ${name}`, {
    where: path,
    hint: meant === undefined ? `Known keys are ${topKeys.join(', ')}` : `Did you mean ${meant}`,
  });
}
