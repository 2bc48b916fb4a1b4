// memory.yaml of a snapshot as a value; each version is parsed once.

import { type Configuration, defaultConfiguration, parseConfiguration } from './records/configuration.ts';

/** A state as far as its configuration goes. */
export interface ConfiguredState {
  oidOf(path: string): string | null;
  readBlob(oid: string, path: string): Buffer;
}

const names = ['memory.yaml', 'memory-config.yaml'];

export class ConfigurationReader {
  private readonly known = new Map<string, Configuration>();
  private fallback: Configuration | undefined;

  /** Gives the configuration of a snapshot; without a file, the defaults. Throws INVALID_CONFIG. */
  of(snapshot: ConfiguredState): Configuration {
    for (const path of names) {
      const oid = snapshot.oidOf(path);
      if (oid !== null) return this.known.get(oid) ?? this.parse(snapshot, path, oid);
    }
    this.fallback ??= defaultConfiguration();
    return this.fallback;
  }

  private parse(snapshot: ConfiguredState, path: string, oid: string): Configuration {
    const { configuration } = parseConfiguration(snapshot.readBlob(oid, path).toString('utf8'), path);
    this.known.set(oid, configuration);
    return configuration;
  }
}
