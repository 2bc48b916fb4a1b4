// What a model is asked when it condenses, and what of its answer counts. It chooses and shortens; numbers, names and days must be there
// already.

import * as prompts from '../../../base/generated/prompts.ts';
import { normaliseForHash, oneLine } from '../../../base/text.ts';
import { tokensOf } from '../../../base/tokenizer.ts';
import type { Chooser } from '../../lifecycle/core-memory.ts';
import type { Reviewer } from '../../lifecycle/distil.ts';
import { firmWordsOf } from '../../lifecycle/gist/words.ts';
import { type DayWriter, type SummaryLine, safeLine, topicOf } from '../../lifecycle/journal.ts';
import { coreSections, type RollupChooser } from '../../lifecycle/rollup.ts';
import type { ModelWriter } from './writer.ts';

/** Characters of conversations or journals that a question shows at once. */
const maxShown = 8000;
/** Tokens of the answer that is a day, and of one that is a week or a shorter MEMORY.md. */
const dayTokens = 500;
const weekTokens = 2000;

/** So many lines of a file the engine has written at least before a model looks at it. */
const leastReviewed = 3;

const text = { type: 'string' } as const;
const number = { type: 'integer' } as const;

function listOf(properties: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const item = { type: 'object', additionalProperties: false, required: Object.keys(properties), properties };
  return {
    type: 'object',
    additionalProperties: false,
    required: ['items'],
    properties: { items: { type: 'array', items: item } },
  };
}

/** Fills in what a prompt is asked with: `{{day}}`. */
function filled(prompt: string, values: Readonly<Record<string, string | number>>): string {
  return prompt.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name]));
}

/** Gives the items of an answer that are objects; an answer of another form has none. */
function itemsIn(answer: unknown): Record<string, unknown>[] | null {
  const items = (answer as { items?: unknown } | undefined)?.items;
  if (!Array.isArray(items)) return null;
  return items.filter((one): one is Record<string, unknown> => typeof one === 'object' && one !== null).slice(0, 200);
}

/** Writes the summary of a day from its turns; each line names the turn it rests on, or does not count. */
export function dayWriter(writer: ModelWriter, signal?: AbortSignal): DayWriter {
  return async (day, sessions, journal, most) => {
    const turns: { path: string; turn: number; words: string; topic: string }[] = [];
    let room = maxShown;
    for (const { path, transcript } of sessions) {
      if (transcript.trust === 'low') continue;
      for (const [at, { role, speaker, flag, text: said }] of transcript.turns.entries()) {
        const words = `${speaker ?? role}: ${said}`;
        if (flag !== undefined || words.length > room) continue;
        room -= words.length;
        turns.push({ path, turn: at + 1, words, topic: topicOf(transcript) });
      }
    }
    if (turns.length === 0) return null;
    const answer = await writer.ask({
      name: 'journal',
      system: filled(prompts.journal.text, { day, most }),
      prompt: `Journal so far:\n${journal === null ? '(empty)' : journal}\n\nTurns:\n${turns.map(({ words }, at) => `[${at + 1}] ${words}`).join('\n')}`,
      schema: listOf({ topic: text, text, turn: number }),
      maxOutputTokens: dayTokens,
      ...(signal === undefined ? {} : { signal }),
    });
    const lines = itemsIn(answer)?.flatMap((item): SummaryLine[] => {
      const source = turns[Number(item.turn) - 1];
      if (source === undefined || typeof item.text !== 'string') return [];
      const words = safeLine(item.text);
      if (words === '' || !rests(words, source.words)) return [];
      const topic = typeof item.topic === 'string' ? topicOf({ topic: item.topic, title: '' }) : source.topic;
      return [{ topic, words, path: source.path, turn: source.turn }];
    });
    return lines?.slice(0, most) ?? null;
  };
}

/** Chooses lines of journals for MEMORY.md, and may say them shorter. */
export function rollupChooser(writer: ModelWriter, signal?: AbortSignal): RollupChooser {
  return async (candidates, most) => {
    const shown: string[] = [];
    let room = maxShown;
    for (const [at, { day, words, section }] of candidates.entries()) {
      const line = `[${at + 1}] ${day} (${section}) ${words}`;
      if (line.length > room) break;
      room -= line.length;
      shown.push(line);
    }
    const answer = await writer.ask({
      name: 'rollup',
      system: filled(prompts.rollup.text, { most, sections: coreSections.join(', ') }),
      prompt: shown.join('\n'),
      schema: listOf({ line: number, text, section: { type: 'string', enum: [...coreSections] } }),
      maxOutputTokens: weekTokens,
      ...(signal === undefined ? {} : { signal }),
    });
    const items = itemsIn(answer);
    if (items === null) return null;
    const chosen = new Map<number, { index: number; words: string; section: (typeof coreSections)[number] }>();
    for (const { line, text: said, section } of items) {
      const index = Number(line) - 1;
      const candidate = candidates[index];
      if (candidate === undefined || chosen.has(index)) continue;
      const shorter = typeof said === 'string' ? safeLine(said) : '';
      const words = isShorter(shorter, candidate.words) ? shorter : candidate.words;
      const place = coreSections.find((one) => one === section) ?? candidate.section;
      chosen.set(index, { index, words, section: place });
    }
    return [...chosen.values()].slice(0, most).sort((a, b) => a.index - b.index);
  };
}

/** Chooses entries of MEMORY.md that may leave. */
export function pruneChooser(writer: ModelWriter, signal?: AbortSignal): Chooser {
  return async (_, items, excess) => {
    const answer = await writer.ask({
      name: 'prune',
      system: filled(prompts.prune.text, { excess }),
      prompt: items.map(({ section, line }, at) => `[${at + 1}] (${section}) ${oneLine(line, 400)}`).join('\n'),
      schema: listOf({ entry: number }),
      maxOutputTokens: weekTokens,
      ...(signal === undefined ? {} : { signal }),
    });
    return (itemsIn(answer) ?? []).map(({ entry }) => Number(entry) - 1).filter((at) => items[at] !== undefined);
  };
}

/** Names lines of a file that another of its lines has made untrue. Files of few lines of ours are not worth a question. */
export function reviewer(writer: ModelWriter, signal?: AbortSignal): Reviewer {
  return async (path, items) => {
    if (items.filter(({ isOurs }) => isOurs).length < leastReviewed) return [];
    const shown: string[] = [];
    let room = maxShown;
    for (const [at, { section, line, isOurs }] of items.entries()) {
      const row = `[${at + 1}] (${section}${isOurs ? '' : '; stays'}) ${oneLine(line, 400)}`;
      if (row.length > room) break;
      room -= row.length;
      shown.push(row);
    }
    const answer = await writer.ask({
      name: 'review',
      system: filled(prompts.review.text, { path }),
      prompt: shown.join('\n'),
      schema: listOf({ line: number, by: number }),
      maxOutputTokens: weekTokens,
      ...(signal === undefined ? {} : { signal }),
    });
    return (itemsIn(answer) ?? [])
      .map(({ line, by }) => ({ line: Number(line) - 1, by: Number(by) - 1 }))
      .filter(({ line, by }) => line !== by && items[line] !== undefined && items[by] !== undefined);
  };
}

/** Tells whether what a line says is in its source: every number, name and piece of code, and a good part of its words. */
function rests(line: string, source: string): boolean {
  const said = source.toLowerCase();
  if (!firmWordsOf(`- ${line}`).every((word) => said.includes(word))) return false;
  const known = new Set(tokensOf(source));
  const words = tokensOf(line);
  return words.length > 0 && words.filter((word) => known.has(word)).length >= words.length * 0.4;
}

/** A shorter form counts if it adds nothing and leaves out no number, name or negation. */
function isShorter(shorter: string, whole: string): boolean {
  if (shorter === '' || shorter.length > whole.length || normaliseForHash(shorter) === '') return false;
  return rests(shorter, whole) && firmWordsOf(whole).every((word) => shorter.toLowerCase().includes(word));
}
