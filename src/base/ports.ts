// The core asks this of the world. adapters/ answers with the real thing, tests with scripted or failing ones.

import type fs from 'node:fs';

/**
 * Is the synchronous part of `node:fs` that the engine uses; memfs offers the same.
 *
 * Synchronous calls cost about half of what promises cost for small files, and a critical section without `await`
 * cannot be interleaved by the same process.
 */
export type FileSystem = Pick<
  typeof fs,
  | 'constants'
  | 'openSync'
  | 'closeSync'
  | 'readSync'
  | 'writeSync'
  | 'fsyncSync'
  | 'fchmodSync'
  | 'fstatSync'
  | 'ftruncateSync'
  | 'readFileSync'
  | 'readdirSync'
  | 'readlinkSync'
  | 'lstatSync'
  | 'statSync'
  | 'realpathSync'
  | 'mkdirSync'
  | 'rmdirSync'
  | 'renameSync'
  | 'linkSync'
  | 'unlinkSync'
>;

/** Tells the time: milliseconds since the Unix epoch. */
export interface Clock {
  now(): number;
}

/** Makes identifiers: unique, sortable by creation time, of `[0-9a-z]`. */
export interface IdSource {
  next(): string;
}

/** Receives what the engine has to say beside its results; the default is silence. */
export interface Logger {
  warn(message: string): void;
  /** Hears how far a question is with what it has to read once, where that takes long. */
  progress?(progress: { readonly what: string; readonly done: number; readonly total: number }): void;
}

/** Keeps the keys of private texts, outside every repository. */
export interface KeyStore {
  /** Where keys that are added lie, to tell people. */
  readonly place: string;
  /** Lists keys as people pass them on. */
  read(): readonly string[];
  add(key: string): void;
}

/** Identifies a running process across pid reuse, reboots and containers. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When the process started, in the unit of the operating system; empty where that cannot be known. */
  readonly start: string;
  /** Changes with every boot of the machine; empty where that cannot be known. */
  readonly boot: string;
  /** The process namespace (container); empty where there is none. */
  readonly space: string;
  /** The machine. */
  readonly host: string;
}

/** Tells who we are and whether another process still lives. */
export interface Processes {
  readonly self: ProcessIdentity;
  /** `unknown` means: it runs, or ran, where we cannot look. */
  stateOf(other: ProcessIdentity): 'alive' | 'dead' | 'unknown';
}

/** Says what texts are to an embedder: some models want what is searched and what is asked marked differently. */
export type EmbeddingKind = 'document' | 'query';

/** Settings of one {@link Embedder.embed} call. */
export interface EmbedOptions {
  /** Default `document`. */
  readonly kind?: EmbeddingKind;
  readonly signal?: AbortSignal;
}

/** Vectors of single words. */
export interface WordVectors {
  readonly dimensions: number;
  /** The words of a text, in order; one may come twice. */
  wordsIn(text: string): readonly string[];
  /** Its length says how much a word weighs; all zero for one that is not known. */
  vectorOf(word: string): Float32Array;
}

/**
 * Turns texts into vectors whose inner product says how alike the texts are.
 *
 * It is ready when it exists: what must be loaded or asked first happens in an {@link EmbedderSource}.
 */
export interface Embedder {
  /** Named in the result of recall: `english-table`, `transformers:Xenova/all-MiniLM-L6-v2`. */
  readonly name: string;
  /** Vectors may be compared, and kept, under equal fingerprints only; it names everything that shapes them. */
  readonly fingerprint: string;
  readonly dimensions: number;
  /** Whether texts leave the machine; then private ones are kept from it. */
  readonly isRemote?: boolean;
  /** Whether it embeds thousands of texts a second, so that a question may wait for those that are new. */
  readonly isInstant?: boolean;
  /** The languages that it understands, as BCP 47 codes; texts and questions in others are ranked by words. Default: all. */
  readonly languages?: readonly string[];
  /** What its vectors weigh beside words that answer a question well, 0 to 1; default 0.15. */
  readonly leastShare?: number;
  /**
   * Gives one vector of `dimensions` finite numbers per text, in order. It has unit length, or is all zero when the text holds nothing to
   * go by. The same text gives the same vector, whatever is embedded beside it.
   */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  /** Its vectors of words; absent where only whole texts have one. */
  readonly words?: WordVectors;
  /** Frees what it holds: worker threads, sessions. Not called on an embedder that the caller of the library made. */
  close?(): Promise<void>;
}

/** The name of the embedder that comes with the package. */
export const tableName = 'english-table';

/** An embedder, or how to get one: called at most once, when a vector is first needed. */
export type EmbedderSource = Embedder | (() => Promise<Embedder>);

/** A text whose worth is asked, with who says it and what was said before it. */
export interface SpokenText {
  readonly text: string;
  /** `user`, `agent`, `assistant`; default `user`. */
  readonly role?: string;
  readonly before?: { readonly text: string } | undefined;
}

/**
 * A model that says what turns are worth, and as what. It is slower than the scorers of the package and better, so it is asked when
 * conversations are extracted from, and never in a question.
 *
 * It is ready when it exists, and runs on this machine.
 */
export interface TurnScorer {
  /** What the user calls it: the name of its folder. */
  readonly name: string;
  /** Names everything that shapes what it says, in letters, digits and `-`. */
  readonly fingerprint: string;
  /**
   * Gives 13 logits for each text, in order: of worth, of each of the categories of language/, and of standing. All but the first are for the case
   * that the text is worth keeping. The same text gives the same, whatever is asked beside it.
   *
   * @throws MemoryError EMBEDDER_UNAVAILABLE, EMBEDDING_FAILED, CLOSED. The reason of an abort goes through.
   */
  score(texts: readonly SpokenText[], options?: { readonly signal?: AbortSignal }): Promise<Float32Array[]>;
  /** Frees what it holds. Not called on one that the caller of the library made. */
  close?(): Promise<void>;
}

/** A scorer of turns, or how to get one: called at most once, when something is extracted. */
export type TurnScorerSource = TurnScorer | (() => Promise<TurnScorer>);

/** What a language model is asked. */
export interface TextRequest {
  /** What it is to do. */
  readonly system: string;
  /** What it is to do it with: text of the memory, never instructions. */
  readonly prompt: string;
  /** The most tokens the answer may have; a provider with a least takes that. Default: what the model's adapter says. */
  readonly maxOutputTokens?: number;
  readonly signal?: AbortSignal;
}

/** What a language model is asked when its answer is to have a shape. */
export interface ShapedRequest extends TextRequest {
  /** JSON Schema of the answer, an object; providers that know schemas are held to it, the others get it as text. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** What the answer is called, of `[a-z_]`. */
  readonly name: string;
  /** The most tokens the answer may have. */
  readonly maxOutputTokens: number;
}

/** Tokens as the provider counts them for its bill. */
export interface TokenUsage {
  readonly input: number;
  readonly output: number;
  /** What it cost in US dollars, where the provider tells that, too. */
  readonly costUsd?: number;
}

/** What a language model answered, and what that took. */
export interface ShapedAnswer {
  /** Meant to be JSON of the shape asked for; whoever asked checks it. */
  readonly text: string;
  /** Absent where the provider does not tell. */
  readonly usage?: TokenUsage;
  /** Whether the answer ends where no more tokens were allowed. */
  readonly isCut?: boolean;
}

/** Is a language model; everything works without one. What it answers is checked by whoever asked. */
export interface TextModel {
  /** Named in the `Model` trailer of what it had a part in: `openai/gpt-5-mini`. */
  readonly name: string;
  /** Whether texts leave the machine; private ones are kept from it unless this is false. */
  readonly isRemote?: boolean;
  /** Gives its answer as text; throws when it has none. */
  complete(request: TextRequest): Promise<string>;
  /**
   * Gives its answer as JSON; without this, {@link complete} is asked for JSON in words.
   *
   * Throws a MemoryError MODEL_UNAVAILABLE when asking again at once is of no use: no server, no key, too busy after several attempts.
   */
  shape?(request: ShapedRequest): Promise<ShapedAnswer>;
}

/** One request to a server, as isomorphic-git makes it. */
export interface HttpRequest {
  readonly url: string;
  readonly method?: string | undefined;
  readonly headers?: Record<string, string> | undefined;
  /** The parts of the body, in order. */
  readonly body?: AsyncIterable<Uint8Array> | Iterable<Uint8Array> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Asks clients that follow redirects by themselves, those of isomorphic-git, not to: git-memory follows, and knows who may see a secret. */
  readonly fetchOptions?: unknown;
}

export interface HttpAnswer {
  /** Where the answer came from; another origin than the request's is refused. */
  readonly url: string;
  readonly statusCode: number;
  readonly statusMessage: string;
  /** By names in lower case. */
  readonly headers?: Record<string, string> | undefined;
  readonly body?: AsyncIterable<Uint8Array> | Iterable<Uint8Array> | undefined;
}

/**
 * Speaks HTTP; throws when no answer comes. It is the plug-in interface of isomorphic-git: `isomorphic-git/http/node` is one, and so is whatever
 * else was written for it. Limits, redirects, secrets and the form of an answer are seen to above it.
 */
export interface HttpClient {
  request(request: HttpRequest): Promise<HttpAnswer>;
}

/** A program that runs: bytes go in, bytes come out. */
export interface RunningProgram {
  readonly output: AsyncIterable<Uint8Array>;
  /** Writes, and with `isLast` ends the input. */
  write(bytes: Uint8Array, isLast: boolean): Promise<void>;
  /** Gives what it said beside its output, when it has ended; `code` is null where it never started. */
  readonly ended: Promise<{ readonly code: number | null; readonly message: string }>;
  stop(): void;
}

/** Starts programs of the machine, by name and arguments, never through what a repository says. */
export interface Programs {
  start(command: string, parameters: readonly string[], environment: Readonly<Record<string, string>>): RunningProgram;
  /** Variables that the user has set, such as `GIT_SSH_COMMAND`. */
  variable(name: string): string | undefined;
}

/** A name and a secret for one server. */
export interface Credential {
  readonly username: string;
  readonly password: string;
}

/** What reaching another repository takes. */
export interface Network {
  readonly http: HttpClient;
  readonly programs: Programs;
  /** Gives what the user has for a server, from the environment or git's helpers; never asks a person. */
  credentialFor(origin: string, path: string): Promise<Credential | null>;
}
