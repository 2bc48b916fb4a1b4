// What a coding agent did in a session, as JSON lines beside its transcript: files that it edited, commands that it ran, and where. Of the talk
// it has no words, and of code no whole texts. A turn is named by its number, a text by the id that git would give it.
//
//   raw/conversations/2026/03/01/1000-5e55-login.md  ─►  raw/code/2026/03/01-1000-5e55-login.jsonl
//
//   {"project":"/w/shop","branch":"main","head":"9f2c…"}
//   {"turn":3,"time":"…","edit":"src/tax.ts","line":16,"lines":1,"was":"…","now":"…","size":31,"text":"return net * rate","names":["addTax"]}
//   {"turn":4,"time":"…","run":"npm test","ok":false,"errors":["RangeError: rate is no share"]}
//
// Such a file only grows, as a daily note does.

import { jsonObjectIn } from '../../base/canonical-json.ts';
import { formatTime } from '../../base/time.ts';
import type { Citation } from '../../base/types.ts';

/** Where the agent worked: its folder, the branch, and the commit that was checked out when this was noted. */
export interface Scene {
  readonly project?: string;
  readonly branch?: string;
  readonly head?: string;
}

/** An edit of a file. */
export interface Edit {
  /** Below the folder of the project; absolute where it lies elsewhere. */
  readonly edit: string;
  /** The 1-based line at which the new text begins, and how many lines it has. */
  readonly line?: number;
  readonly lines: number;
  /** Ids that git would give the old text and the new one. */
  readonly was?: string;
  readonly now: string;
  /** Characters of the new text. */
  readonly size: number;
  /** The beginning of the new text. */
  readonly text: string;
  /** What it declares, calls or takes away. */
  readonly names?: readonly string[];
  /** Where it stood when this was noted; absent where nothing said so. */
  readonly cited?: Citation;
  /** All of the new text, until it is cited; never written. */
  readonly whole?: string;
}

/** A command with its outcome. */
export interface Run {
  readonly run: string;
  /** Absent where nothing says how it went. */
  readonly ok?: boolean;
  /** Lines that say what went wrong, the most telling first. */
  readonly errors?: readonly string[];
}

export type Act = Edit | Run;

/** An act with the turn of the transcript in which it was done, and when, in milliseconds. */
export type PlacedAct = Act & { readonly turn: number; readonly time: number };

/** What a session was about: its acts in order, and the scenes, each with the number of acts before it. */
export interface Acts {
  readonly scenes: readonly (Scene & { readonly from: number })[];
  readonly acts: readonly PlacedAct[];
}

export const actsFolder = 'raw/code/';

/** Tells whether a file holds what was done in a session. */
export const isActsPath = (path: string): boolean => path.startsWith(actsFolder) && path.endsWith('.jsonl');

/** Gives the path of the acts of a transcript. A month is one folder: fewer trees are read to list them. */
export function actsPathOf(transcript: string): string | null {
  const [, month, day, name] = /^raw\/conversations\/(\d{4}\/\d\d)\/(\d\d)\/([^/]+)\.md$/.exec(transcript) ?? [];
  return month === undefined ? null : `${actsFolder}${month}/${day}-${name}.jsonl`;
}

/** Tells a folder of this machine: asking for one of another machine would tell that machine of it. */
export const isLocalFolder = (folder: string): boolean => /^(?:\/(?!\/)|[A-Za-z]:[\\/])/.test(folder);

/** Writes a scene as a line. */
export const formatScene = (scene: Scene): string => `${JSON.stringify(scene)}\n`;

/** Writes the acts of a turn as lines. */
export const formatActs = (turn: number, time: number, acts: readonly Act[]): string =>
  acts.map((act) => `${JSON.stringify({ turn, time: formatTime(time), ...act, whole: undefined })}\n`).join('');

/** Reads acts. Lines that are none, of a later version or damaged, are passed over: what is beside the words is no reason to refuse them. */
export function parseActs(text: string): Acts {
  const scenes: (Scene & { from: number })[] = [];
  const acts: PlacedAct[] = [];
  for (const line of new Set(text.split('\n'))) {
    const value = jsonObjectIn(line);
    if (value === undefined) continue;
    const time = typeof value.time === 'string' ? Date.parse(value.time) : Number.NaN;
    const isPlaced = Number.isInteger(value.turn) && !Number.isNaN(time);
    if (isPlaced && (typeof value.edit === 'string' || typeof value.run === 'string'))
      acts.push({ ...value, time } as unknown as PlacedAct);
    else if (value.turn === undefined) scenes.push({ ...(value as Scene), from: acts.length });
  }
  return { scenes, acts };
}
