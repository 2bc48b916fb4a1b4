// A session of a coding agent while it runs: what its program's file has and no transcript yet.

import type { Turn } from '../../base/types/stored-types.ts';
import type { SecretFilter } from '../../store/guard/secret-filter.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { Assembler, type AssembleSettings, type Piece } from './assemble.ts';
import { Sessions, type Unrecorded } from './conversations.ts';
import { forms } from './forms/index.ts';
import type { Source } from './source.ts';

/** A session that runs. */
export interface RunningSession extends Unrecorded {
  readonly head: Piece['head'];
  /** When it was last spoken in, in milliseconds. */
  readonly last: number;
}

/** Reads the session in a file of Claude Code; null where nobody says anything in it. Throws what the file system says, and SECRET. */
export function runningSession(
  snapshot: Snapshot,
  source: Source,
  settings: AssembleSettings & { readonly filter: SecretFilter },
): RunningSession | null {
  const form = forms['claude-code'];
  const assembler = new Assembler(source, settings);
  const pieces = source.files.flatMap((file) => [...assembler.read(file, form)]);
  const session = pieces.find((piece) => piece.session !== undefined)?.session;
  if (session === undefined) return null;
  const own = pieces.filter((piece) => piece.session === session);
  const turns: Turn[] = own.flatMap((piece) => [...piece.turns]);
  const isDated = own.every((piece) => piece.isDated);
  const unrecorded = new Sessions(true).unrecorded(snapshot, session, turns, isDated);
  return { ...unrecorded, head: own.at(-1)!.head, last: turns.at(-1)!.time };
}
