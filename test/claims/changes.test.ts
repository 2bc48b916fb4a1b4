// Invented lives in which something changes, and their look-alikes (test/evals/changes.json): sentence by sentence, as extraction compares them.
// Those of changes-another-hand.json and changes-later-hands.json were written by people who had not seen the rules.

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

const read = (name: string): readonly Case[] =>
  JSON.parse(readFileSync(new URL(`../evals/${name}.json`, import.meta.url), 'utf8')) as Case[];

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

describe.each([
  { name: 'changes', alike: 30, named: 60, least: 0.9 },
  // The repetitions of an assistant are judged with what they repeat (claims/echo.ts), and not here.
  { name: 'changes-another-hand', alike: 108, named: 300, least: 0.6 },
  { name: 'changes-later-hands', alike: 66, named: 180, least: 0.45 },
])('in lives in which something changes ($name)', ({ name, alike, named, least }) => {
  const cases = read(name);

  it('what only looks like a change ends nothing', () => {
    const same = cases.filter(({ closes }) => closes.length === 0);
    const wrong = same.filter((one) => {
      const readings = readingsOf(one);
      return readings.some((later, at) => readings.slice(0, at).some((earlier) => isClosed(earlier, later)));
    });
    expect(same).toHaveLength(alike);
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });

  it('most of what names its matter is found to be over', () => {
    const pairs = cases
      .filter(({ tie }) => tie === 'named')
      .flatMap((one) => {
        const readings = readingsOf(one);
        return one.closes.map(({ turn, by }) => isClosed(readings[turn]!, readings[by]!));
      });
    expect(pairs.length).toBeGreaterThan(named);
    expect(pairs.filter(Boolean).length / pairs.length).toBeGreaterThan(least);
  });
});
