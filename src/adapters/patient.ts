// Attempts at a call to a server that may be busy or gone for a moment. Pauses grow, or last as long as the server asks for.

/** What an attempt that failed means for the next one. */
export type Verdict =
  /** Another attempt may succeed; `afterMs` is what the server asked for. */
  { readonly retry: true; readonly afterMs?: number } | { readonly retry: false };

/** How patient to be. */
export interface Patience {
  /** Attempts after the first. */
  readonly retries: number;
  /** Of one attempt. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Reads what an attempt threw. */
  judge(error: unknown): Verdict;
  /** For tests; default a timer that an abort ends. */
  readonly pause?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

const firstPauseMs = 1000;
const maxPauseMs = 30_000;

/**
 * Calls until it succeeds or patience ends, and then throws what the last attempt threw.
 *
 * A pause is as long as the server asked for, else 1, 2, 4 … seconds. These are shortened by up to a quarter at random, so that several
 * callers do not come back together. A server that asks for more than 30 seconds is not waited for. A timeout counts as busy; an abort ends
 * it at once.
 */
export async function patiently<T>(call: (signal: AbortSignal) => Promise<T>, patience: Patience): Promise<T> {
  const { retries, timeoutMs, signal, judge, pause = wait } = patience;
  for (let attempt = 0; ; attempt++) {
    signal?.throwIfAborted();
    const limit = AbortSignal.timeout(timeoutMs);
    try {
      return await call(signal === undefined ? limit : AbortSignal.any([signal, limit]));
    } catch (error) {
      signal?.throwIfAborted();
      const verdict: Verdict = limit.aborted ? { retry: true } : judge(error);
      if (!verdict.retry || attempt >= retries || (verdict.afterMs ?? 0) > maxPauseMs) throw error;
      const growing = Math.min(maxPauseMs, firstPauseMs * 2 ** attempt) * (1 - Math.random() / 4);
      await pause(verdict.afterMs ?? growing, signal);
    }
  }
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
