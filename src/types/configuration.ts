// The configuration of a memory, key by key.

/** One key of memory.yaml. */
export interface ConfigurationEntry {
  /** Dotted: `decay.half_life_days`. */
  readonly key: string;
  /** What holds; absent where there is neither a value nor a default. */
  readonly value?: unknown;
  readonly default?: unknown;
  /** Whether memory.yaml says it. */
  readonly isSet: boolean;
  /** What values it takes, in words. */
  readonly takes: string;
  /** Of a number; empty where it has none. */
  readonly unit: string;
  readonly sentence: string;
}

export interface ConfigurationResult {
  /** The file that configures, or would: `memory.yaml`. */
  readonly path: string;
  readonly keys: readonly ConfigurationEntry[];
  /** What the file says to no effect. */
  readonly warnings?: readonly string[];
}
