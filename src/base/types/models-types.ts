// Models that a user has on this machine: of vectors, which rank, and scorers of turns, which say what is worth keeping.

/** What a model is for: vectors of what is searched, or which turns are worth keeping. */
export type ModelUse = 'search' | 'keeping';

/** A model that is here. */
export interface InstalledModel {
  readonly use: ModelUse;
  /** What memory.yaml and `transformersEmbedder` call it: an id such as `Xenova/all-MiniLM-L6-v2`. */
  readonly name: string;
  readonly folder: string;
  readonly bytes: number;
  /** What its README or configuration says; null where neither says anything. */
  readonly licence: string | null;
  /** It ranks wherever memory.yaml names no model, or it scores turns. */
  readonly isDefault: boolean;
}

/** The package that runs models, in the user's folder. */
export interface ModelRuntime {
  readonly name: string;
  readonly version: string;
  readonly folder: string;
  readonly bytes: number;
  /** By licence, the packages of it that came along: `{ "MIT": ["onnxruntime-node 1.30.0"] }`. */
  readonly licences: Readonly<Record<string, readonly string[]>>;
}

/** What ten texts, five of them the other five in other words, showed of a model on this machine. */
export interface ModelMeasures {
  readonly use: 'search';
  /** The length of its vectors. */
  readonly dimensions: number;
  /** The package that ran it, `name@version`. */
  readonly runtime: string;
  /** From nothing to the first vector, in milliseconds. */
  readonly loadMs: number;
  readonly msPerText: number;
  /** Of how many of the ten texts the nearest other one is the same in other words. */
  readonly paired: number;
  /** Whether its weights have 8 bits. */
  readonly isQuantised: boolean;
  /**
   * How like its vectors are to those that its weights give with 32 bits, as the mean of cosines. `with` names the model that it is, or the file
   * beside it. Null where there is nothing to compare with.
   */
  readonly agreement: { readonly with: string; readonly cosine: number } | null;
}

/** What ten turns, five of them worth keeping, showed of a scorer on this machine. */
export interface ScorerMeasures extends Pick<ModelMeasures, 'runtime' | 'loadMs' | 'msPerText'> {
  readonly use: 'keeping';
  /** Of how many of the ten it says what they are. */
  readonly told: number;
}

export interface InstalledModels {
  readonly models: readonly InstalledModel[];
  /** Null until a model was added. */
  readonly runtime: ModelRuntime | null;
}

export interface AddedModel extends InstalledModels {
  readonly added: string;
  /** Which model was used for the same until now; null for none. */
  readonly before: string | null;
  readonly measures: ModelMeasures | ScorerMeasures;
}

export interface RemovedModel extends InstalledModels {
  readonly removed: string;
  /** How much room it gave back, with the package that runs models if it was the last one. */
  readonly bytes: number;
}
