// A session as episodes: what a person said, and all that was done until they spoke again. The words are those of the transcript, the acts those of
// the file beside it. What was forgotten is in none.

import { orElse } from '../../base/errors.ts';
import { estimateTokens } from '../../base/token-estimate.ts';
import { type PlacedAct, parseActs, type Run, type Scene } from '../../store/records/acts-file.ts';
import { parseTranscript } from '../../store/records/transcript.ts';

/** What a person said, and what followed. */
export interface Episode {
  /** Of the transcript, and the 1-based turn of the words. */
  readonly path: string;
  readonly turn: number;
  /** In milliseconds. */
  readonly time: number;
  readonly speaker: string;
  /** Empty where nobody said anything, or it was forgotten. */
  readonly said: string;
  readonly acts: readonly PlacedAct[];
  /** Where it was. */
  readonly scene: Scene;
  readonly next: Episode | undefined;
}

/** Fewer tokens say nothing of the code: "yes, go on". */
const leastSaid = 5;

/** Puts a session together. A transcript of strangers' words, or one that cannot be read, has none. */
export function episodesOf(
  path: string,
  words: string,
  actsText: string,
  forgotten: ReadonlySet<number> = new Set(),
): readonly Episode[] {
  const transcript = orElse(() => parseTranscript(words, path), null, 'INVALID_RECORD', 'INVALID_DATE', 'TOO_LARGE');
  if (transcript === null || transcript.trust === 'low') return [];
  const { scenes, acts } = parseActs(actsText);
  const kept = acts.filter(({ turn }) => !forgotten.has(turn));
  const starts = transcript.turns.flatMap(({ role }, at) => (role === 'user' ? [at + 1] : []));
  if (starts[0] !== 1) starts.unshift(0);
  let next: Episode | undefined;
  const made: Episode[] = [];
  for (const [at, turn] of [...starts.entries()].reverse()) {
    const end = starts[at + 1] ?? Number.POSITIVE_INFINITY;
    const { time = transcript.started, text = '', speaker } = transcript.turns[turn - 1] ?? {};
    const isSaid = !forgotten.has(turn) && estimateTokens(text) >= leastSaid;
    const own = kept.filter((act) => act.turn >= turn && act.turn < end);
    const scene = scenes.findLast(({ from }) => own.length > 0 && from <= acts.indexOf(own[0]!)) ?? scenes[0] ?? {};
    const said = isSaid ? wordsOf(text) : '';
    next = { path, turn, time, speaker: speaker ?? 'user', said, acts: own, scene, next };
    made.unshift(next);
  }
  return made;
}

/** Leaves out what is quoted by programs: lines of tools and attachments, and blocks of code. */
function wordsOf(text: string): string {
  return text
    .replace(/^```[\s\S]*?^```$/gm, ' ')
    .split('\n')
    .filter((line) => !line.startsWith('> ['))
    .join('\n');
}

export const isRun = (act: PlacedAct): act is PlacedAct & Run => 'run' in act;
