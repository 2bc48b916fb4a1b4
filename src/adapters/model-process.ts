// Starts the process in which a model runs (transformers-process.mjs), asks it, and notices when it dies or falls silent.

import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** What to load: a module by its file URL, and a model from a folder or over the network. */
export interface ModelRequest {
  readonly module: string;
  readonly modelFolder?: string;
  readonly download?: { readonly id: string; readonly host: string; readonly cacheFolder: string };
  readonly isQuantised: boolean;
  /** The weights, where they are no embedder's: the process is given rows of a vocabulary, and gives what they give as it is. */
  readonly weights?: string;
}

/** A text, or the rows of its word pieces, with 0 for what is judged and 1 for what stands before it. */
export type ModelInput = string | { readonly rows: readonly number[]; readonly parts: readonly number[] };

export interface ModelProcessOptions {
  /** So long may it say nothing while it has something to do. */
  readonly silenceMs: number;
  readonly signal?: AbortSignal;
  /** Bytes of all files that are being downloaded. */
  readonly onProgress?: (progress: { done: number; total: number }) => void;
}

interface Reply {
  readonly id?: number;
  readonly vector?: Float32Array;
  readonly failed?: string;
  readonly ready?: { readonly dimensions: number };
  readonly progress?: { readonly file: string; readonly done: number; readonly total: number };
}

interface Waiting {
  resolve(reply: Reply): void;
  reject(error: Error): void;
}

const script = fileURLToPath(new URL('transformers-process.mjs', import.meta.url));
const keptErrorOutput = 4000;

/** A process with a loaded model. */
export class ModelProcess {
  readonly #child: ChildProcess;
  readonly #silenceMs: number;
  readonly #waiting = new Map<number, Waiting>();
  #dimensions = 0;
  #next = 0;
  #errorOutput = '';
  #timer: NodeJS.Timeout | undefined;
  #end: Error | undefined;

  /** Starts a process and loads the model into it. Throws an Error that says why it cannot (death, refusal, silence), or the abort's reason. */
  static async start(request: ModelRequest, options: ModelProcessOptions): Promise<ModelProcess> {
    const started = new ModelProcess(options);
    const stop = (): void => started.#fail(options.signal?.reason as Error);
    options.signal?.addEventListener('abort', stop, { once: true });
    try {
      const reply = await started.#ask(0, request);
      started.#dimensions = reply.ready!.dimensions;
      return started;
    } catch (error) {
      await started.close();
      throw error;
    } finally {
      options.signal?.removeEventListener('abort', stop);
    }
  }

  private constructor({ silenceMs, onProgress }: ModelProcessOptions) {
    this.#silenceMs = silenceMs;
    this.#child = fork(script, [], {
      // Debuggers and loaders of ours are not for it; within Electron it is to be a plain Node.
      execArgv: [],
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.#errorOutput = (this.#errorOutput + chunk.toString()).slice(-keptErrorOutput);
    });
    const files = new Map<string, { done: number; total: number }>();
    this.#child.on('message', (reply: Reply) => {
      this.#watch();
      if (reply.progress === undefined) return this.#answer(reply);
      files.set(reply.progress.file, reply.progress);
      const sum = (key: 'done' | 'total') => [...files.values()].reduce((total, file) => total + file[key], 0);
      onProgress?.({ done: sum('done'), total: sum('total') });
    });
    this.#child.on('error', (error) => this.#fail(error));
    // `close`, not `exit`: by then all it printed is here, and that says why it died.
    this.#child.on('close', (code, signal) =>
      this.#fail(new Error(`the process ended ${this.#lastWords(code, signal)}`)),
    );
    this.#rest();
  }

  /** The length of its vectors. */
  get dimensions(): number {
    return this.#dimensions;
  }

  /** Whether it still answers. */
  get isAlive(): boolean {
    return this.#end === undefined;
  }

  /** Runs inputs, all handed over at once, so that the process never waits for one. An abort waits for none, a question for nothing before it. */
  async run(inputs: readonly ModelInput[], isQuestion: boolean, signal?: AbortSignal): Promise<Float32Array[]> {
    const asked = inputs.map(async (input) => {
      const id = ++this.#next;
      const { vector } = await this.#ask(id, { id, input, isQuestion });
      return vector!;
    });
    const answered = Promise.all(asked);
    if (signal === undefined) return answered;
    let stop: (() => void) | undefined;
    const aborted = new Promise<never>((_, reject) => {
      stop = () => reject(signal.reason as Error);
      signal.addEventListener('abort', stop, { once: true });
    });
    try {
      return await Promise.race([answered, aborted]);
    } finally {
      signal.removeEventListener('abort', stop!);
    }
  }

  /** Ends the process and waits until it is gone. */
  async close(): Promise<void> {
    this.#fail(new Error('the model was closed'));
    const { exitCode, signalCode, pid } = this.#child;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    this.#child.ref();
    await new Promise((resolve) => this.#child.once('exit', resolve));
  }

  #ask(id: number, message: object): Promise<Reply> {
    if (this.#end !== undefined) return Promise.reject(this.#end);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#watch();
      this.#child.send(message, (error) => error && this.#fail(error));
    });
  }

  #answer(reply: Reply): void {
    // Only the answer to loading, question 0, has no number.
    const id = reply.id ?? 0;
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (reply.failed === undefined) waiting?.resolve(reply);
    else waiting?.reject(new Error(reply.failed));
    if (this.#waiting.size === 0) this.#rest();
  }

  #fail(error: Error): void {
    if (this.#end !== undefined) return;
    this.#end = error;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    this.#rest();
    this.#child.kill('SIGKILL');
  }

  /** Begins to count silence anew, and keeps our own process alive while an answer is due. */
  #watch(): void {
    clearTimeout(this.#timer);
    if (this.#waiting.size === 0) return;
    this.#timer = setTimeout(
      () => this.#fail(new Error(`no answer for ${this.#silenceMs / 1000} seconds`)),
      this.#silenceMs,
    );
    this.#child.ref();
    this.#child.channel?.ref();
  }

  /** Nothing is due: our own process may end while it waits. */
  #rest(): void {
    clearTimeout(this.#timer);
    this.#child.unref();
    this.#child.channel?.unref();
    (this.#child.stderr as (NodeJS.ReadableStream & { unref?(): void }) | null)?.unref?.();
  }

  #lastWords(code: number | null, signal: NodeJS.Signals | null): string {
    const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
    const line = this.#errorOutput.split('\n').find((text) => /error|cannot|wrong|abort|fatal/i.test(text));
    return line === undefined ? how : `${how}: ${line.trim().slice(0, 300)}`;
  }
}
