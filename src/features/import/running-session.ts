// A session of a coding agent while it runs: what its program's file has and no transcript yet.

import type { FileSystem } from '../../base/ports.ts';
import type { ActingTurn } from '../../core/capture/turns.ts';
import type { SecretFilter } from '../../store/guard/secret-filter.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { codesOn, linesOfActs } from './acts-beside.ts';
import { Assembler, type AssembleSettings, type Piece } from './assemble.ts';
import { Sessions, type Unrecorded } from './conversations.ts';
import { formOf, forms, surely } from './forms/index.ts';
import type { Source } from './source.ts';

/** A session that runs. */
export interface RunningSession extends Unrecorded {
  readonly head: Piece['head'];
  /** What was done in the turns, see {@link linesOfActs}. */
  readonly done: ReturnType<typeof linesOfActs>;
  /** When it was last spoken in, in milliseconds. */
  readonly last: number;
}

/** Reads the session in a file of an agent's program (of Claude Code where it looks like none); null where nobody speaks. Throws as files do, and SECRET. */
export function runningSession(
  snapshot: Snapshot,
  source: Source,
  settings: AssembleSettings & { readonly filter: SecretFilter },
  fs: FileSystem,
): RunningSession | null {
  const codeOf = codesOn(fs);
  const assembler = new Assembler(source, settings);
  const pieces = source.files.flatMap((file) => {
    const found = formOf(file);
    return [...assembler.read(file, (found?.certainty ?? 0) < surely ? forms['claude-code'] : found!.form)];
  });
  const session = pieces.find((piece) => piece.session !== undefined)?.session;
  if (session === undefined) return null;
  const own = pieces.filter((piece) => piece.session === session);
  const turns: ActingTurn[] = own.flatMap((piece) => [...piece.turns]);
  const isDated = own.every((piece) => piece.isDated);
  const { head } = own.at(-1)!;
  const ran = { isDated, channel: head.channel };
  const unrecorded = new Sessions(true, codeOf).unrecorded(snapshot, session, turns, ran);
  const done = linesOfActs({ head, turns: unrecorded.turns }, unrecorded.recorded + 1, { ...settings, codeOf });
  return { ...unrecorded, head, done, last: turns.at(-1)!.time };
}
