// Long work in small steps, so that who has to wait for it waits for a few of them only.

/** Work that stops after each step and says what the step weighed: 1 stands for some ten microseconds. The last value is the result. */
export type Steps<T> = Generator<number, T>;

/** Does all that is left at once, and gives the result. */
export function toEnd<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
