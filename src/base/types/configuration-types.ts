// The configuration of a memory, key by key.

import type { ConfigurationKey } from './stored-types.ts';

export type { ConfigurationKey };

/** A key with what holds. */
export interface ConfigurationEntry extends ConfigurationKey {
  /** Absent where there is neither a value nor a default. */
  readonly value?: unknown;
  /** Whether memory.yaml says it. */
  readonly isSet: boolean;
}

export interface ConfigurationResult {
  /** The file that configures, or would: `memory.yaml`. */
  readonly path: string;
  readonly keys: readonly ConfigurationEntry[];
  /** What the file says to no effect. */
  readonly warnings?: readonly string[];
}
