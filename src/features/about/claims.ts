// What memories say of code by its name: remembered by hand, or taken from a talk.

import { formatTime } from '../../base/time.ts';
import type { MemoryRecord } from '../../base/types/stored-types.ts';
import type { AboutFact, SaidFact } from '../../base/types.ts';
import { holdsAt, quoteOfClaim } from '../../store/claims/claim.ts';
import { speakerOfQuote } from '../../store/claims/speaker.ts';
import { recordsSaying } from '../../store/found-records.ts';
import type { Stored } from '../../store/record-table.ts';
import type { LearntFrom } from '../code/index.ts';
import type { Episode } from './episodes.ts';
import { quoted } from './words.ts';

/** How words are known to be about what is asked. */
export interface Named {
  /** What names it has one of these texts. */
  readonly needles: readonly string[];
  readonly said: (words: string, episode: Episode, before?: Episode) => boolean;
}

export interface ClaimSources {
  readonly claims: () => readonly Stored<MemoryRecord>[];
  /** In milliseconds. */
  readonly now: number;
  /** Gives what tells where conversations were held; undefined where none was with code. */
  readonly learntFrom: () => Promise<LearntFrom | undefined>;
}

/** Lists claims that hold and name what is asked, as facts. Those whose turn is among the facts already are left out. */
export async function claimsNaming(
  { claims, now, learntFrom }: ClaimSources,
  { needles, said }: Named,
  told: readonly AboutFact[],
): Promise<SaidFact[]> {
  const found = needles.length === 0 ? [] : recordsSaying(claims(), needles);
  if (found.length === 0) return [];
  const learnt = await learntFrom();
  const turns = new Set(told.flatMap((fact) => (fact.fact === 'checked' ? [] : [`${fact.path}#${fact.turn}`])));
  return found.flatMap(({ path: file, record }): SaidFact[] => {
    const { sources = [], createdAt } = record;
    const words = quoteOfClaim(record);
    const isTold = sources.some(({ path, turn }) => turns.has(`${path}#${turn}`));
    const time = createdAt * 1000;
    const [{ path, turn } = { path: file, turn: undefined }] = sources;
    const speaker = speakerOfQuote(record) ?? 'remembered';
    const alone: Episode = { path, turn: 0, time, speaker, said: words, acts: [], scene: {}, next: undefined };
    if (isTold || !holdsAt(record, now / 1000) || !said(words, alone)) return [];
    const { standing, branch } = learnt?.(sources) ?? {};
    const isAway = standing === 'elsewhere' || standing === 'lost';
    return [
      {
        ...{ fact: 'said', time: formatTime(time), path, speaker, text: quoted(words, needles) },
        ...(turn !== undefined && { turn }),
        ...(isAway && { standing, ...(branch !== undefined && { branch }) }),
      },
    ];
  });
}
