// The mark by which a process of ours knows that a model of ours started it, by however many programs in between.

/**
 * Is set in whatever a program that is a model starts. A hook of ours that finds it keeps nothing and says nothing, and a model asks no model. Else
 * the program's own hooks would call us, and we the program.
 */
export const insideVariable = 'GIT_MEMORY_INSIDE';

/** Tells whether a model of ours started this process. */
export function isInside(environment: Readonly<Record<string, string | undefined>> = process.env): boolean {
  return environment[insideVariable] !== undefined;
}
