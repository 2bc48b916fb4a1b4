// Invented lives in which something changes, and their look-alikes (test/evals/changes.json): sentence by sentence, as extraction compares them.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { closing } from '../../src/claims/closing.ts';
import { type Reading, readSaid } from '../../src/claims/reading.ts';
import { saidIn } from '../../src/claims/said.ts';
import { sentencesOf } from '../../src/extract/sentences.ts';
import type { Turn } from '../../src/records/types.ts';

interface Case {
  readonly id: string;
  readonly tie?: 'named' | 'loose';
  readonly turns: readonly { session: string; time: string; role: string; speaker?: string; text: string }[];
  readonly closes: readonly { turn: number; by: number }[];
}

const cases: readonly Case[] = JSON.parse(
  readFileSync(new URL('../evals/changes.json', import.meta.url), 'utf8'),
) as Case[];

function readingsOf({ turns }: Case): Reading[][] {
  const sessions = new Map<string, Turn[]>();
  return turns.map(({ session, time, role, speaker, text }) => {
    const said = [...(sessions.get(session) ?? [])];
    said.push({
      ...{ role: role === 'assistant' ? 'agent' : role, time: Date.parse(time), text },
      ...(speaker === undefined ? {} : { speaker }),
    });
    sessions.set(session, said);
    return sentencesOf(text).map((sentence) => readSaid(saidIn(sentence.text, said, said.length)!));
  });
}

const isClosed = (earlier: readonly Reading[], later: readonly Reading[]): boolean =>
  earlier.some((one) => later.some((other) => closing(one, other) !== null));

describe('in lives in which something changes', () => {
  it('what only looks like a change ends nothing', () => {
    const alike = cases.filter(({ closes }) => closes.length === 0);
    const wrong = alike.filter((one) => {
      const readings = readingsOf(one);
      return readings.some((later, at) => readings.slice(0, at).some((earlier) => isClosed(earlier, later)));
    });
    expect(alike).toHaveLength(30);
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });

  it('what names its matter is found to be over in nine of ten', () => {
    const pairs = cases
      .filter(({ tie }) => tie === 'named')
      .flatMap((one) => {
        const readings = readingsOf(one);
        return one.closes.map(({ turn, by }) => isClosed(readings[turn]!, readings[by]!));
      });
    expect(pairs.length).toBeGreaterThan(60);
    expect(pairs.filter(Boolean).length / pairs.length).toBeGreaterThan(0.9);
  });
});
