// The configuration of a snapshot as a value, and what is said of its files; each version is parsed once.

import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from '../base/canonical-json.ts';
import { orElse } from '../base/errors.ts';
import {
  type Configuration,
  defaultConfiguration,
  parseConfiguration,
  readConfiguration,
} from './records/configuration.ts';
import { configurationFiles } from './records/kind.ts';

/** A state as far as its configuration goes. */
export interface ConfiguredState {
  oidOf(path: string): string | null;
  readBlob(oid: string, path: string): Buffer;
}

/** Gives the file that holds the configuration of a state; undefined where the defaults do. */
export const configurationFileOf = (snapshot: Pick<ConfiguredState, 'oidOf'>): string | undefined =>
  configurationFiles.find((path) => snapshot.oidOf(path) !== null);

/** Says what of the files of a configuration has no effect: keys, and the whole of one that another stands before. Throws INVALID_CONFIG. */
export function configurationWarnings(snapshot: ConfiguredState): string[] {
  const read = (path: string) => {
    const oid = snapshot.oidOf(path);
    return oid === null ? null : readConfiguration(snapshot.readBlob(oid, path).toString('utf8'), path);
  };
  const path = configurationFileOf(snapshot);
  const holds = path === undefined ? null : read(path);
  if (path === undefined || holds === null) return [];
  const [, other = ''] = configurationFiles;
  if (path === other || snapshot.oidOf(other) === null) return holds.warnings;
  const beside = orElse(() => read(other), null, 'INVALID_CONFIG');
  const isTaken = beside !== null && isWithin(beside.given, holds.given);
  const why = isTaken ? `${path} has taken its keys over` : `${path} is there too`;
  return [...holds.warnings, `${other} is ignored: ${why}`, ...(beside?.warnings ?? [])];
}

/** Whether one configuration says all that another says. */
function isWithin(one: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(one).every(([key, value]) => {
    const said = other[key];
    return isJsonObject(value) ? isJsonObject(said) && isWithin(value, said) : isDeepStrictEqual(value, said);
  });
}

export class ConfigurationReader {
  private readonly known = new Map<string, Configuration>();
  private readonly asked = new WeakMap<ConfiguredState, Configuration>();
  private fallback: Configuration | undefined;
  /** Gives what holds in the place of a broken one; null: that is thrown. */
  lastWhole: (() => Configuration | null) | null;

  constructor(lastWhole: ConfigurationReader['lastWhole'] = null) {
    this.lastWhole = lastWhole;
  }

  /** Gives the configuration of a snapshot; without a file, the defaults. Throws INVALID_CONFIG. */
  of(snapshot: ConfiguredState): Configuration {
    const read = () => this.asked.get(snapshot) ?? this.find(snapshot);
    const known = this.lastWhole === null ? read() : orElse(read, null, 'INVALID_CONFIG');
    if (known === null) return this.lastWhole?.() ?? read();
    this.asked.set(snapshot, known);
    return known;
  }

  isBroken(snapshot: ConfiguredState): boolean {
    return orElse(() => this.find(snapshot), null, 'INVALID_CONFIG') === null;
  }

  private find(snapshot: ConfiguredState): Configuration {
    const path = configurationFileOf(snapshot);
    if (path === undefined) {
      this.fallback ??= defaultConfiguration();
      return this.fallback;
    }
    const oid = snapshot.oidOf(path)!;
    return this.known.get(oid) ?? this.parse(snapshot, path, oid);
  }

  private parse(snapshot: ConfiguredState, path: string, oid: string): Configuration {
    const { configuration } = parseConfiguration(snapshot.readBlob(oid, path).toString('utf8'), path);
    this.known.set(oid, configuration);
    return configuration;
  }
}
