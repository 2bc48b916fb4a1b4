// What may happen to a fleet. A hazard that is struck from the list happens to none; `FLEET_WITHOUT=cuts,bombs` strikes some for one run.

export const allHazards = [
  /** Clocks are up to three years off, and jump. */
  'clocks',
  /** A connection over HTTP ends, is reset or falls silent after so many bytes in one direction. */
  'cuts',
  /** Somebody else pushes while a push is on its way. */
  'races',
  /** A process ends without a word: what it acknowledged waits in the journal. */
  'crashes',
  /** A machine is without a work tree. */
  'bare',
  /** The built program writes beside a memory that is open. */
  'program',
  'undo',
  'split and consolidate',
  /** What waits for a commit is forgotten, replaced or removed before it has one. */
  'takings in a batch',
  'branches',
  'milestones',
  /** A person edits pages in the work tree, and commits some by native git. */
  'hands',
  /** A person appends to the ledger and to daily notes. */
  'hands on logs',
  'purge',
  /** A second machine purges before it has heard of the first purge. */
  'purges that cross',
  'private',
  /** A person edits a private page in the work tree and commits it by native git. */
  'hands on private pages',
  /** Somebody pushes a dozen objects that are 10^10 paths; an operator takes them back. */
  'bombs',
  /** Somebody pushes a commit of the year 3,170,843. */
  'times',
  /** Somebody pushes a `.meta.json` that tells of 999 purges. */
  'epochs',
] as const;

export type Hazard = (typeof allHazards)[number];

/** Every hazard that is on; with `FLEET_ONLY` these alone, without those of `FLEET_WITHOUT`. */
export function chosenHazards(environment: NodeJS.ProcessEnv = process.env): ReadonlySet<Hazard> {
  const named = (variable: string) => {
    const names = (environment[variable] ?? '').split(',').filter((name) => name !== '');
    const unknown = names.filter((name) => !(allHazards as readonly string[]).includes(name));
    if (unknown.length > 0) throw new Error(`${variable}: no hazard is called ${unknown.join(', ')}`);
    return names as Hazard[];
  };
  const without = named('FLEET_WITHOUT');
  const only = environment.FLEET_ONLY === undefined ? allHazards : named('FLEET_ONLY');
  return new Set(only.filter((hazard) => !without.includes(hazard)));
}
