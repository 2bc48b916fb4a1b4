// Private texts and their keys, as they are asked about.

/** What is private in a state, and whether it can be read here. */
export interface KeyStatus {
  /** Globs of memory.yaml. */
  readonly paths: readonly string[];
  /** The id of the key that texts are written under; null where none is named. */
  readonly key: string | null;
  /** Where keys that are made or imported lie. */
  readonly place: string;
  /** Keys that private files are under. */
  readonly keys: readonly { readonly id: string; readonly files: number; readonly isHere: boolean }[];
  /** Private paths whose text is stored as it is: another program committed it so. */
  readonly open: readonly string[];
  /** Whether native git encrypts and decrypts with us here. */
  readonly filter: boolean;
}

/** A key that was made or imported. */
export interface KeyChange {
  readonly id: string;
  /** Where it lies. */
  readonly place: string;
  /** The commit that stores private texts under it; null where none was made. */
  readonly commit: string | null;
  /** Files of native git that were written, so that it encrypts and decrypts with us. */
  readonly gitFiles: readonly string[];
}

/** A key as people pass it on. */
export interface ShownKey {
  readonly id: string;
  /** Its holder reads everything that is private. */
  readonly key: string;
}
