// The formulas of memories against what scripts/formula-vectors.py worked out: another language, decimals of 60 digits.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { wordLikeness } from '../../../src/core/lifecycle/likeness.ts';
import { mergedRecord } from '../../../src/core/lifecycle/merge-memories.ts';
import { reinforced } from '../../../src/core/lifecycle/reinforce.ts';
import { blendReviews, triageOf } from '../../../src/core/lifecycle/spaced-review.ts';
import { defaultConfiguration } from '../../../src/store/records/configuration.ts';
import { newMemory } from '../../../src/store/records/memory-record.ts';
import { type Decay, reviewPriorityOf, scoreOf } from '../../../src/store/records/strength.ts';

interface Vectors {
  readonly scores: readonly {
    readonly decay: Readonly<Record<string, number>> & { readonly model: Decay['model'] };
    readonly use_count: number;
    readonly strength: number;
    readonly seconds: number;
    readonly score: number;
  }[];
  readonly priorities: readonly { readonly score: number; readonly priority: number }[];
  readonly merged: readonly {
    readonly strengths: readonly number[];
    readonly cohesion: number;
    readonly strength: number;
  }[];
  readonly likenesses: readonly { readonly one: string; readonly other: string; readonly likeness: number }[];
  readonly uses: readonly {
    readonly own: readonly string[];
    readonly tags: readonly string[];
    readonly boost: boolean;
    readonly strength: number;
    readonly abroad: boolean;
    readonly after: number;
  }[];
  readonly blends: readonly {
    readonly limit: number;
    readonly ratio: number;
    readonly results: number;
    readonly reviews: number;
    readonly order: readonly string[];
  }[];
  readonly triage: readonly {
    readonly score: number;
    readonly use_count: number;
    readonly strength: number;
    readonly urgency: string;
    readonly action: string;
  }[];
}

const vectors = JSON.parse(readFileSync(new URL('formula-vectors.json', import.meta.url), 'utf8')) as Vectors;
const rules = defaultConfiguration();

/** To 1e-9, of the value where that is above one. */
function expectNear(value: number, expected: number): void {
  expect(Math.abs(value - expected)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(expected)));
}

describe('formulas worked out elsewhere', () => {
  it('are those of the strength, in all three models and for any half-life', () => {
    const { model: _model, half_life_days: _days, ...weights } = vectors.scores[0]!.decay;
    const ours = vectors.scores.filter(({ decay }) =>
      Object.entries(weights).every(([key, one]) => decay[key] === one),
    );
    expect(ours.length).toBeGreaterThan(30);
    for (const { decay: given, use_count: useCount, strength, seconds, score } of ours) {
      const decay: Decay = {
        ...rules.decay,
        model: given.model,
        halfLifeDays: given.half_life_days!,
      };
      const lastUsed = 1_700_000_000;
      expectNear(scoreOf({ useCount, strength, lastUsed }, (lastUsed + seconds) * 1000, decay), score);
    }
  });

  it('are those of review, its blending and the triage of what is weak', () => {
    for (const { score, priority } of vectors.priorities) expectNear(reviewPriorityOf(score), priority);
    for (const { limit, ratio, results, reviews, order } of vectors.blends) {
      const named = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name}${at}`);
      const options = { limit, ratio, keyOf: (item: string) => item };
      expect(blendReviews(named('hit', results), named('due', reviews), options)).toEqual(order);
    }
    for (const { score, use_count: useCount, strength, urgency, action } of vectors.triage) {
      expect(triageOf({ useCount, strength }, score)).toEqual({ urgency, action });
    }
  });

  it('are those of use, likeness by words, and the strength of what was merged', () => {
    const memory = (strength: number, tags: readonly string[], at = 0) => ({
      ...newMemory({ id: `m${at}`, content: `Content ${at}`, now: 0, tags }),
      strength,
    });
    for (const { own, tags, boost, strength, abroad, after } of vectors.uses) {
      const used = reinforced(memory(strength, own), { now: 0, tags, boost }, rules);
      expectNear(used.strength, after);
      expect(used.crossDomainCount).toBe(abroad ? 1 : 0);
    }
    for (const { one, other, likeness } of vectors.likenesses)
      expectNear(wordLikeness([one, other]).of(0, 1), likeness);
    for (const { strengths, cohesion, strength } of vectors.merged) {
      const records = strengths.map((each, at) => memory(each, [], at));
      expectNear(mergedRecord(records, { cohesion, gistLevel: null }).strength, strength);
    }
  });
});
