// Makes an addition of what a person appended to a log or a note. Typed upon an older version, it comes behind what was acknowledged since. A taken
// id becomes the next free one, also where it is named beside.

import { MemoryError } from '../base/errors.ts';
import { type ChangeLimits, checkChange } from './change-rules.ts';
import type { Codec } from './codec.ts';
import { newObject } from './git/object-codec.ts';
import type { HandEdits } from './hand-edits.ts';
import { growAgain, onlyGrows } from './merge/growth.ts';
import { entriesOf } from './merge/merge-log.ts';
import { mayCite } from './merge-logs.ts';
import { textOf } from './merge-stored.ts';
import type { FileChange } from './operation.ts';
import { logReaderOf } from './records/log-readers.ts';
import { replaceSequenceIds } from './records/sequence-id.ts';
import type { Snapshot } from './snapshot.ts';

interface TypedContext {
  readonly snapshot: Snapshot;
  readonly codec: Codec;
  readonly limits: ChangeLimits;
  /** Versions that the engine may have shown there, as they are stored: pending ones, and those of the tip. */
  versionsOf(path: string): Iterable<Buffer>;
  /** Tells whether git has a blob. */
  hasObject(oid: string): boolean;
}

/** Hand edits that stand behind what is there, and what became of the ids that were typed: old id → new id. */
interface SettledEdits {
  readonly edits: HandEdits;
  readonly names: ReadonlyMap<string, string>;
}

/** Gives hand edits in which every addition is one to the present. One that breaks a rule is left out, and says why. */
export function settleAppends(found: HandEdits, context: TypedContext): SettledEdits {
  const names = new Map<string, string>();
  const skipped = [...found.skipped];
  const torn = [...found.torn];
  const upon = new Map<string, { readonly text: string; readonly typed: string }>();
  const settled = (change: FileChange): FileChange[] => {
    const { path } = change;
    try {
      const staged = upon.get(path);
      const present = staged?.text ?? context.snapshot.readText(path);
      const edit = settleOne(change, present, staged?.typed, context);
      if (edit === null) return [change];
      if (edit.text === present && staged === undefined) {
        // It says nothing that is not there: a version that was never taken out of the file.
        torn.push(path);
        return [];
      }
      for (const [from, to] of edit.names) names.set(from, to);
      const before = present === null ? null : storedOid(context, path, present);
      upon.set(path, edit);
      return [{ ...edit.change, before }];
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      skipped.push({ path, why: error.message });
      return [];
    }
  };
  const [staged, changes] = [found.staged.flatMap(settled), found.changes.flatMap(settled)];
  return { edits: { ...found, staged, changes, torn, skipped }, names };
}

/** Gives edits in which lines that were typed beside, in other files, name what the entries of a log are called now. */
export function withNames(
  { edits, names }: SettledEdits,
  others: HandEdits,
  { snapshot, codec, limits }: TypedContext,
): HandEdits {
  const rename = (change: FileChange): FileChange => {
    const { path, after } = change;
    const text = after === null || !mayCite(path) || onlyGrows(path) ? undefined : textOf(codec, path, after);
    if (text === undefined || !snapshot.isReadable(path)) return change;
    const known = new Set(snapshot.readText(path)?.split('\n'));
    const nameOf = (id: string) => names.get(id) ?? id;
    const renamed = text.split('\n').map((line) => (known.has(line) ? line : replaceSequenceIds(line, nameOf)));
    const bytes = Buffer.from(renamed.join('\n'));
    try {
      checkChange({ path, before: snapshot.read(path), after: bytes }, { limits });
    } catch (error) {
      // It cannot enter, whatever it names.
      if (error instanceof MemoryError) return change;
      throw error;
    }
    return bytes.toString('utf8') === text ? change : { ...change, ...movedTo(codec, path, bytes, after!) };
  };
  const moved = new Map(
    others.changes.flatMap((change) => {
      const renamed = rename(change);
      return renamed === change ? [] : [[change.path, renamed] as const];
    }),
  );
  if (moved.size === 0) return edits;
  const isOther = ({ path }: FileChange) => !moved.has(path);
  return {
    ...edits,
    staged: [...edits.staged.filter(isOther), ...others.staged.filter((change) => !isOther(change))],
    changes: [...edits.changes.filter(isOther), ...moved.values()],
  };
}

/**
 * Tells whether an edit has to be in the journal before anything else happens. That is so where what lies in the work tree is not what it
 * came to.
 */
export const isMoved = ({ stood }: FileChange): boolean => stood !== undefined;

interface SettledEdit {
  readonly text: string;
  /** As it lies there. */
  readonly typed: string;
  readonly names: ReadonlyMap<string, string>;
  readonly change: FileChange;
}

/** Null for what is no addition; `staged` is what lies in the index. Throws the rule that one breaks. */
function settleOne(
  change: FileChange,
  present: string | null,
  staged: string | undefined,
  context: TypedContext,
): SettledEdit | null {
  const { path, after } = change;
  const { codec, limits } = context;
  const text = after === null ? undefined : textOf(codec, path, after);
  if (text === undefined || present === null || !onlyGrows(path, present, text)) return null;
  const shown = [...context.versionsOf(path)].flatMap((stored) => textOf(codec, path, stored) ?? []);
  const isBase = (version: string) => growAgain(path, version, version, text) !== undefined;
  const [base = pastVersion(path, present, text, context)] = [
    present,
    ...(staged === undefined ? [] : [staged]),
    ...shown,
  ]
    .filter(isBase)
    .sort((a, b) => b.length - a.length);
  const grown = base === undefined ? undefined : growAgain(path, base, present, text);
  if (grown === undefined) return null;
  // Judged as what it was typed upon: time and number of what came since are none of its matter.
  const own = growAgain(path, base!, base!, text)!.text;
  checkChange({ path, before: Buffer.from(base!), after: Buffer.from(own) }, { limits });
  if (grown.text === text) return { ...grown, typed: text, change };
  return { ...grown, typed: text, change: { ...change, ...movedTo(codec, path, Buffer.from(grown.text), after!) } };
}

/** How many older versions of a log are tried; a file is left behind for as long as something in it breaks a rule. */
const maxPastVersions = 100;

/**
 * Finds the version in history that a log was added to: the longest beginning of both that git has. Undefined where an entry that stands there
 * was changed, which no log allows: one with the id, time and author of another is that one.
 */
function pastVersion(path: string, present: string, text: string, context: TypedContext): string | undefined {
  const read = logReaderOf(path, present, text);
  if (read === null) return undefined;
  const known = new Map(entriesOf(read(present, path)).map((entry) => [entry.id, entry]));
  const isChanged = entriesOf(read(text, path)).some(({ id, time, agent, text: own }) => {
    const entry = known.get(id);
    return entry?.time === time && entry.agent === agent && entry.text.trim() !== own.trim();
  });
  if (isChanged) return undefined;
  let end = 0;
  while (end < present.length && present[end] === text[end]) end += 1;
  for (let count = 0; count < maxPastVersions && end > 0; count++) {
    end = present.lastIndexOf('\n', end - 1) + 1;
    const version = present.slice(0, end);
    if (end > 0 && context.hasObject(storedOid(context, path, version)))
      return growAgain(path, version, version, text) === undefined ? undefined : version;
    end -= 1;
  }
  return undefined;
}

function movedTo(codec: Codec, path: string, text: Buffer, typed: Buffer): Pick<FileChange, 'after' | 'stood'> {
  return { after: codec.encode(path, text), stood: [newObject('blob', typed).oid] };
}

const storedOid = ({ codec }: TypedContext, path: string, text: string): string =>
  newObject('blob', codec.encode(path, Buffer.from(text))).oid;
