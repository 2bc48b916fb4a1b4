// What becomes of something that is imported where there is something already: three versions are compared, none is lost.

/** The versions of one thing, as texts that are equal when the things are. */
export interface Versions {
  /** Null where there is nothing now. */
  readonly current: string | null;
  readonly incoming: string;
  /** What the last import made of it, if one did. */
  readonly base: string | undefined;
  readonly wasImported: boolean;
}

export type Decision = { readonly take: boolean; readonly why?: string };

/**
 * Decides whether what comes in is taken.
 *
 * | here                        | there                 |                                     |
 * |-----------------------------|-----------------------|-------------------------------------|
 * | not there                   |                       | taken                               |
 * | taken out since the import  |                       | left, and said so                   |
 * | the same                    |                       | nothing to do                       |
 * | as the last import left it  | changed since         | taken                               |
 * | changed since the import    | as the last import    | nothing to do                       |
 * | changed, or never imported  | another               | left, and said so                   |
 *
 * With `overwrite` all that is another is taken.
 */
export function decide({ current, incoming, base, wasImported }: Versions, overwrite: boolean): Decision {
  if (current === null) {
    if (!wasImported || overwrite) return { take: true };
    return { take: false, why: 'was taken out here since it was imported' };
  }
  if (current === incoming) return { take: false };
  if (overwrite || (base !== undefined && current === base)) return { take: true };
  if (base === incoming) return { take: false };
  const why =
    base === undefined ? 'something else is here already' : 'was changed here and there since it was imported';
  return { take: false, why };
}
