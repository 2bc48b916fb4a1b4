// What people are told of a key of memory.yaml; the build reads it off the schemas, see scripts/configuration.mjs.

/** A key of memory.yaml, or a section of keys. */
export interface ConfigurationKey {
  /** Dotted: `decay.half_life_days`. */
  readonly key: string;
  /** What values it takes, in words; `section` for one that only holds others. */
  readonly takes: string;
  /** Of a number; empty where it has none. */
  readonly unit: string;
  /** Absent where there is none, as for a name. */
  readonly default?: unknown;
  readonly sentence: string;
}
