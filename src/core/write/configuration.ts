// The configuration as a question and as an edit: every key with its value, where that comes from, and what it does.

import { isJsonObject } from '../../base/canonical-json.ts';
import { MemoryError, orElse } from '../../base/errors.ts';
import type { ConfigurationKey } from '../../base/types/stored-types.ts';
import type { ConfigurationEntry, ConfigurationResult } from '../../base/types.ts';
import { configurationFileOf, configurationWarnings } from '../../store/configuration-reader.ts';
import { readConfiguration } from '../../store/records/configuration.ts';
import { knownNames } from '../../store/records/configuration-schema.ts';
import { configurationPath, takenOver, withKeys } from '../../store/records/configuration-text.ts';
import { isFormerKey } from '../../store/records/former-keys.ts';
import { configurationKeys } from '../../store/records/generated/configuration-keys.ts';
import { nearestWord } from '../../store/records/nearest-word.ts';
import { presentKey } from '../../store/records/spec-keys.ts';
import { parseYamlValue } from '../../store/records/yaml.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import type { PlannedEdit } from './edits.ts';

/** Lists all keys that hold values, or those of one section or name. Throws NOT_FOUND for an unknown key, INVALID_CONFIG. */
export function configurationOf(snapshot: Snapshot, asked?: string): ConfigurationResult {
  const name = asked === undefined ? undefined : presentKey(asked);
  const path = configurationFileOf(snapshot) ?? configurationPath;
  const file = readConfiguration(snapshot.readText(path) ?? '', path);
  const values = file.values();
  const warnings = configurationWarnings(snapshot);
  const keys = configurationKeys
    .filter(({ takes }) => takes !== 'section')
    .filter(({ key }) => name === undefined || key === name || key.startsWith(`${name}.`))
    .map((key) => entryOf(key, values, file.given));
  if (name !== undefined && keys.length === 0) throw unknown(name);
  return { path, keys, ...(warnings.length === 0 ? {} : { warnings }) };
}

function entryOf(about: ConfigurationKey, values: object, given: object): ConfigurationEntry {
  const names = about.key.split('.');
  const value = valueAt(values, names);
  return { ...about, ...(value === undefined ? {} : { value }), isSet: valueAt(given, names) !== undefined };
}

const valueAt = (holder: unknown, names: readonly string[]): unknown =>
  names.reduce<unknown>((at, name) => (isJsonObject(at) ? at[name] : undefined), holder);

/**
 * Plans other values of keys; comments stay. A text is read as YAML, so that `0.5`, `true` and `[a, b]` are what they look like. It is
 * taken as it is where the key takes a text; undefined brings the default back.
 *
 * The plan throws NOT_FOUND for a key that does not exist, INVALID_CONFIG for a value that it does not take.
 */
export function planConfiguration(given: Readonly<Record<string, unknown>>): (snapshot: Snapshot) => PlannedEdit {
  const values = Object.fromEntries(Object.entries(given).map(([name, value]) => [presentKey(name), value]));
  const names = Object.keys(values);
  if (names.length === 0) throw new MemoryError('INVALID_ARGUMENT', 'no key is named', { where: 'values' });
  const known = knownNames();
  // What stands below a mapping of names, such as maintain.every_hours.gc, is a key of its own.
  const isKnown = (name: string) =>
    known.includes(name) ||
    (values[name] === undefined && isFormerKey(name)) ||
    configurationKeys.some(({ key, takes }) => takes.startsWith('mapping') && name.startsWith(`${key}.`));
  const stranger = names.find((name) => !isKnown(name));
  if (stranger !== undefined) throw unknown(stranger);
  return (snapshot) => {
    const path = configurationFileOf(snapshot) ?? configurationPath;
    const present = snapshot.readText(path) ?? '';
    // A file of the specification is only read: what it says goes along.
    let text = path === configurationPath ? present : takenOver(present, path, '');
    for (const [name, value] of Object.entries(values)) text = withValue(text, name, value);
    return { path: configurationPath, after: text };
  };
}

function withValue(text: string, name: string, value: unknown): string {
  const read = typeof value === 'string' ? parseYamlValue(value) : value;
  try {
    return withKeys(text, configurationPath, { [name]: read });
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code !== 'INVALID_CONFIG') throw error;
    const isTaken = typeof value === 'string' && read !== value;
    const taken = isTaken ? orElse(() => withKeys(text, configurationPath, { [name]: value }), undefined) : undefined;
    if (taken === undefined) throw refused(error, name);
    return taken;
  }
}

/** Says what a key takes that was given something else; the line at which the reader stopped is in no file. */
function refused(error: MemoryError, name: string): MemoryError {
  const about = configurationKeys.find(({ key }) => key === name);
  if (about === undefined || about.takes === 'section' || !error.what.includes(` ${name}: `)) return error;
  return new MemoryError('INVALID_CONFIG', `${name} takes ${about.takes}`, {
    where: name,
    hint: `\`git memory config get ${name}\` says what it does`,
    cause: error,
  });
}

function unknown(name: string): MemoryError {
  if (isFormerKey(name)) {
    throw new MemoryError('NOT_FOUND', `the key ${name} of earlier versions has no effect any more`, {
      where: name,
      hint: `\`git memory config unset ${name}\` takes it out`,
    });
  }
  const meant = nearestWord(name, knownNames());
  const hint = meant === undefined ? '`git memory config` lists all keys' : `Did you mean ${meant}`;
  return new MemoryError('NOT_FOUND', `there is no key ${name}`, { where: name, hint });
}
