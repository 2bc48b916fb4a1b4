// How much a randomised suite tries: a fixed number of rounds for each change, a span of time for long runs.
//
//   FAULT_SEED=n       the same choices again        FAULT_MINUTES=n    go on for so long instead

/** A change is judged by the same cases each time; people and long runs look for new ones. */
export const seed = Number(process.env.FAULT_SEED ?? (process.env.CI ? 2 : Math.floor(Math.random() * 1e9)));

const minutes = process.env.FAULT_MINUTES === undefined ? null : Number(process.env.FAULT_MINUTES);

/** How long a suite may take with {@link goingOn}; what goes far beyond that hangs. */
export const longRunMs = (minutes ?? 0) * 60_000 + 600_000;

/** Tells, before each round, whether there is another: until `rounds` are made, or until the time of a long run is over. */
export function goingOn(rounds: number): (round: number) => boolean {
  const started = performance.now();
  return (round) => (minutes === null ? round < rounds : performance.now() - started < minutes * 60_000);
}
