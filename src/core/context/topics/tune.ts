// Better thresholds for topics, from what the gate decided and how it turned out.

import { keptIn } from '../../../base/once-per.ts';
import type { TopicSuggestion } from '../../../base/types.ts';
import type { GateDecision, GateRating } from '../../../store/records/gate-log.ts';
import { leastLikenessOf } from './gate.ts';
import type { CompiledTopic } from './topic-catalog.ts';

/** A decision for which it is known whether the topic would have been right. */
interface Known {
  readonly score: number;
  readonly isRight: boolean;
}

/** How many decisions of a topic have to be known to be right or wrong. */
const least = 5;
/** So many questions with nearly all the same answer say something about the topic. */
const telling = 10;
const nearlyAll = 0.9;

/**
 * Proposes a `similarity_threshold` for each topic with enough decisions that are known to have been right or wrong. It is the number
 * with the fewest wrong ones, the nearest to the present one, and only if it has fewer than that. Also says which topics might do without
 * the gate, and which have patterns that find too much.
 *
 * A decision is known by its rating, the latest one; else by the answer of a model, not of the rule.
 */
export function planTuning(
  topics: readonly CompiledTopic[],
  decisions: readonly GateDecision[],
  ratings: readonly GateRating[],
): TopicSuggestion[] {
  const rated = new Map<string, boolean>();
  for (const { of, wasUseful } of [...ratings].sort((a, b) => a.time - b.time)) rated.set(of, wasUseful);
  const byTopic = new Map<string, GateDecision[]>();
  for (const decision of new Map(decisions.map((one) => [one.id, one])).values())
    keptIn(byTopic, decision.topic, () => []).push(decision);
  return topics.flatMap(({ file }) => {
    const own = byTopic.get(file.name) ?? [];
    if (file.activation !== 'gated' || own.length === 0) return [];
    const judged = own.flatMap((one) => {
      const answer = rated.get(one.id) ?? (one.judge === null || one.judge === 'rule' ? undefined : one.isOpen);
      return answer === undefined ? [] : [{ ...one, isRight: answer }];
    });
    const about = { path: file.path, name: file.name, decisions: own.length, known: judged.length };
    const suggestions: TopicSuggestion[] = [];
    // Critical topics are let in whatever their likeness.
    const current = file.similarityThreshold ?? (file.priority === 'critical' ? null : leastLikenessOf(file));
    const scored = judged.flatMap(({ score, tier1, isRight }) =>
      score === null || !tier1 ? [] : [{ score, isRight }],
    );
    if (current !== null && scored.length >= least) {
      const best = bestThreshold(scored, current);
      const [before, after] = [wrongAt(scored, current), wrongAt(scored, best)];
      if (after < before) {
        const why = `${after} of ${scored.length} decisions would be wrong, and ${before} are at ${current}`;
        suggestions.push({ ...about, key: 'similarity_threshold', from: current, to: best, why });
      }
    }
    const asked = judged.filter(({ route }) => route === 'ask');
    const right = asked.filter(({ isRight }) => isRight).length;
    if (asked.length >= telling) {
      if (right >= asked.length * nearlyAll) {
        const why = `${right} of ${asked.length} times it was right; with "activation: auto" nobody need be asked`;
        suggestions.push({ ...about, key: 'activation', why });
      }
      if (right <= asked.length * (1 - nearlyAll)) {
        const why = `${asked.length - right} of ${asked.length} times it was wrong; its triggers find too much`;
        suggestions.push({ ...about, key: 'triggers', why });
      }
    }
    return suggestions;
  });
}

/**
 * Counts what a threshold decides wrongly: what is right and kept out, or let in and not right. A threshold lets in what is as alike or more.
 */
const wrongAt = (known: readonly Known[], threshold: number): number =>
  known.filter(({ score, isRight }) => score >= threshold !== isRight).length;

function bestThreshold(known: readonly Known[], current: number): number {
  const scores = [...new Set(known.map(({ score }) => score))].sort((a, b) => a - b);
  // Between two neighbours every number does the same; the middle is what new scores will fit best.
  const between = scores.slice(1).map((score, at) => (score + scores[at]!) / 2);
  const candidates = [current, ...between, Math.min(1, scores.at(-1)! + 0.05), Math.max(0, scores[0]! - 0.05)].map(
    (score) => Number(score.toFixed(3)),
  );
  return candidates.reduce((best, candidate) => {
    const gain = wrongAt(known, best) - wrongAt(known, candidate);
    return gain > 0 || (gain === 0 && Math.abs(candidate - current) < Math.abs(best - current)) ? candidate : best;
  }, current);
}
