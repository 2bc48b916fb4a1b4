// What branches of code had beyond what was checked out, noted while they were there: state/branches.jsonl. Their patch ids tell when their work
// has landed, also when git has thrown their commits away. Lines are only added.
//
//     {"branch":"faster-tax","base":"9f2c…","tip":"41aa…","whole":"77b0…","patches":{"41aa…":"c3d1…","0e2f…":"90ab…"}}

import { isJsonObject, jsonObjectIn } from '../../base/canonical-json.ts';

export const branchNotesPath = 'state/branches.jsonl';

/** A branch at one time. */
export interface BranchNote {
  readonly branch: string;
  /** The commit from which it parted. */
  readonly base: string;
  readonly tip: string;
  /** The patch id of all that it changed; `null` for nothing. */
  readonly whole: string | null;
  /** Commit → patch id, without merges. */
  readonly patches: Readonly<Record<string, string>>;
}

export const formatBranchNote = (note: BranchNote): string => `${JSON.stringify(note)}\n`;

/** Reads notes; lines that are none are passed over. */
export function parseBranchNotes(text: string): BranchNote[] {
  return text.split('\n').flatMap((line) => {
    const note = jsonObjectIn(line);
    const isNote = typeof note?.branch === 'string' && isJsonObject(note.patches);
    return isNote ? [note as unknown as BranchNote] : [];
  });
}
