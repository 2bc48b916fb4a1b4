// How an experiment stands, as one line of its newest commit, so that the branch alone tells it and a killed run can go on.

import { isJsonObject } from '../../base/canonical-json.ts';
import { attempt } from '../../base/errors.ts';
import type { ExperimentState, ExtractionCost } from '../../base/types.ts';
import { parseMessage } from '../../store/guard/message.ts';

/** What a commit of an experiment says of it. */
export type ExperimentReport = Pick<
  ExperimentState,
  | 'name'
  | 'base'
  | 'extractor'
  | 'config'
  | 'total'
  | 'done'
  | 'isFinished'
  | 'created'
  | 'updated'
  | 'skipped'
  | 'leftAside'
  | 'cost'
>;

export const noCost: ExtractionCost = { calls: 0, inputTokens: 0, outputTokens: 0, price: 0 };

/** Adds up what was spent; a price that is not known makes the sum unknown. */
export function addCost(one: ExtractionCost, other: ExtractionCost): ExtractionCost {
  return {
    calls: one.calls + other.calls,
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    price: one.price === null || other.price === null ? null : one.price + other.price,
  };
}

/** Formats the line: `report {"name":"strict",…}`. */
export const formatReport = (report: ExperimentReport): string => `report ${JSON.stringify(report)}`;

/** Reads the line from a commit of this experiment; null where there is none. */
export function reportOf(message: string, name: string): ExperimentReport | null {
  const { body, trailers } = parseMessage(message);
  if (!trailers.some(({ key }) => key === 'Extractor')) return null;
  const line = /^ ?report (\{.*\})$/m.exec(body)?.[1];
  if (line === undefined) return null;
  const value: unknown = attempt(() => JSON.parse(line), null);
  return isReport(value) && value.name === name ? value : null;
}

const counts = ['total', 'done', 'created', 'updated', 'skipped', 'leftAside'] as const;

function isReport(value: unknown): value is ExperimentReport {
  if (!isJsonObject(value) || !isJsonObject(value.config) || !isJsonObject(value.cost)) return false;
  const { calls, inputTokens, outputTokens, price } = value.cost;
  return (
    typeof value.name === 'string' &&
    typeof value.extractor === 'string' &&
    /^[0-9a-f]{40}$/.test(String(value.base)) &&
    typeof value.isFinished === 'boolean' &&
    counts.every((key) => Number.isSafeInteger(value[key])) &&
    [calls, inputTokens, outputTokens].every((number) => typeof number === 'number') &&
    (price === null || typeof price === 'number')
  );
}
