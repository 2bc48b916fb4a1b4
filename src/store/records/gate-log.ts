// Records decisions of the gate and what came of them (spec 5 §5.5): state/gate/YYYY-MM-DD.jsonl, a line for each. Lines are only added, so
// that files of two machines merge by lines; a later line that names a decision rates it. No line holds words of a message.

import { jsonObjectIn } from '../../base/canonical-json.ts';
import { sha256Hex } from '../../base/hash.ts';

/** Where all of them stand. */
export const gateLogFolder = 'state/gate/';

/** One decision about one topic. */
export interface GateDecision {
  readonly id: string;
  /** Milliseconds. */
  readonly time: number;
  /** Names the message: the beginning of a SHA-256 of its first 500 characters. */
  readonly messageHash: string;
  readonly topic: string;
  readonly tier1: boolean;
  /** Null where there were no words to compare. */
  readonly score: number | null;
  /** Whether the table let it in, dropped it, or asked. */
  readonly route: 'open' | 'ask' | 'drop';
  readonly isOpen: boolean;
  /** The judge that was asked, `rule` or a model; null where none was. */
  readonly judge: string | null;
}

/** Whether a decision helped, as was seen later. */
export interface GateRating {
  readonly of: string;
  readonly time: number;
  readonly wasUseful: boolean;
  /** `agent`: somebody said so; `output`: what the agent said took up what the topic says. */
  readonly by: 'agent' | 'output';
}

/** Gives the file of a day. */
export const gateLogPath = (day: string): string => `${gateLogFolder}${day}.jsonl`;

/** Gives the day of a file of decisions; null for any other path. */
export const dayOfGateLog = (path: string): string | null =>
  /^state\/gate\/(\d{4}-\d\d-\d\d)\.jsonl$/.exec(path)?.[1] ?? null;

/** Names a decision by what it was about, so that the same one is one on two machines. */
export function decisionId({ time, messageHash, topic }: Pick<GateDecision, 'time' | 'messageHash' | 'topic'>): string {
  return sha256Hex(`${time} ${messageHash} ${topic}`).slice(0, 12);
}

/** Formats a decision as a line; the keys are those of the spec, and more. */
export function formatDecision(decision: GateDecision): string {
  const { id, time, messageHash, topic, tier1, score, route, isOpen, judge } = decision;
  return `${JSON.stringify({
    id,
    timestamp: new Date(time).toISOString(),
    message_hash: messageHash,
    topic_name: topic,
    tier1_matched: tier1,
    tier2_score: score,
    route,
    gate_result: isOpen,
    judge,
  })}\n`;
}

export const formatRating = ({ of, time, wasUseful, by }: GateRating): string =>
  `${JSON.stringify({ of, timestamp: new Date(time).toISOString(), was_useful: wasUseful, by })}\n`;

/** Parses a file; lines that are neither a decision nor a rating are passed over. */
export function parseGateLog(text: string): { decisions: GateDecision[]; ratings: GateRating[] } {
  const decisions: GateDecision[] = [];
  const ratings: GateRating[] = [];
  for (const line of text.split('\n')) {
    const value = line.length > 4000 ? undefined : jsonObjectIn(line);
    if (value === undefined) continue;
    const time = Date.parse(String(value.timestamp));
    if (Number.isNaN(time)) continue;
    if (typeof value.of === 'string' && typeof value.was_useful === 'boolean') {
      ratings.push({ of: value.of, time, wasUseful: value.was_useful, by: value.by === 'output' ? 'output' : 'agent' });
    } else if (isDecision(value)) {
      decisions.push({
        id: value.id,
        time,
        messageHash: String(value.message_hash),
        topic: value.topic_name,
        tier1: value.tier1_matched === true,
        score: typeof value.tier2_score === 'number' ? value.tier2_score : null,
        route: value.route === 'open' || value.route === 'drop' ? value.route : 'ask',
        isOpen: value.gate_result,
        judge: typeof value.judge === 'string' ? value.judge : null,
      });
    }
  }
  return { decisions, ratings };
}

function isDecision(
  value: Record<string, unknown>,
): value is { id: string; topic_name: string; gate_result: boolean; [key: string]: unknown } {
  return typeof value.id === 'string' && typeof value.topic_name === 'string' && typeof value.gate_result === 'boolean';
}
