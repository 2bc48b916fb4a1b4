// What a model is asked when it condenses, and what of its answer counts. It chooses and shortens; numbers, names and days must be there
// already.

import { isJsonObject } from '../../../base/canonical-json.ts';
import { defined } from '../../../base/errors.ts';
import * as prompts from '../../../base/generated/prompts.ts';
import { normaliseForHash, oneLine } from '../../../base/text.ts';
import { tokensOf } from '../../../base/tokenizer.ts';
import { firmWordsOf } from '../../lifecycle/gist/words.ts';
import { type DayWriter, type SummaryLine, safeLine, topicOf } from '../../lifecycle/journal.ts';
import { type CoreSection, coreSections, type RollupChooser } from '../../lifecycle/rollup.ts';
import type { Chooser, Reviewer } from '../../lifecycle/shorter-pages.ts';
import type { ModelWriter, WriterQuestion } from './writer.ts';

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
  const closed = { type: 'object', additionalProperties: false } as const;
  const items = { type: 'array', items: { ...closed, required: Object.keys(properties), properties } };
  return { ...closed, required: ['items'], properties: { items } };
}

/** A question for a list: a prompt with what is filled in at `{{day}}`, rows of the memory, and the fields of each item. */
interface ListQuestion extends Pick<WriterQuestion, 'name'> {
  readonly asked: string;
  readonly filledIn: Readonly<Record<string, string | number>>;
  readonly prompt: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly maxOutputTokens?: number;
}

/** Asks for a list; gives its items that are objects, null for an answer of another form. */
async function askForList(
  writer: ModelWriter,
  { name, asked, filledIn, prompt, fields, maxOutputTokens = weekTokens }: ListQuestion,
  signal: AbortSignal | undefined,
): Promise<Record<string, unknown>[] | null> {
  const system = asked.replace(/\{\{(\w+)\}\}/g, (_, key: string) => String(filledIn[key]));
  const question = { name, system, prompt, schema: listOf(fields), maxOutputTokens };
  const answer = await writer.ask({ ...question, ...defined({ signal }) });
  const items = (answer as { items?: unknown } | undefined)?.items;
  return Array.isArray(items) ? items.filter(isJsonObject).slice(0, 200) : null;
}

/** Writes rows below each other, as many of the first as a question shows. */
function shownRows(rows: readonly string[]): string {
  let room = maxShown;
  const end = rows.findIndex((row) => {
    room -= row.length;
    return room < 0;
  });
  return rows.slice(0, end < 0 ? rows.length : end).join('\n');
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
    const shown = turns.map(({ words }, at) => `[${at + 1}] ${words}`).join('\n');
    const question: ListQuestion = {
      name: 'journal',
      asked: prompts.journal.text,
      filledIn: { day, most },
      prompt: `Journal so far:\n${journal ?? '(empty)'}\n\nTurns:\n${shown}`,
      fields: { topic: text, text, turn: number },
      maxOutputTokens: dayTokens,
    };
    const lines = (await askForList(writer, question, signal))?.flatMap((item): SummaryLine[] => {
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
    const question: ListQuestion = {
      name: 'rollup',
      asked: prompts.rollup.text,
      filledIn: { most, sections: coreSections.join(', ') },
      prompt: shownRows(candidates.map(({ day, words, section }, at) => `[${at + 1}] ${day} (${section}) ${words}`)),
      fields: { line: number, text, section: { type: 'string', enum: [...coreSections] } },
    };
    const items = await askForList(writer, question, signal);
    if (items === null) return null;
    const chosen = new Map<number, { index: number; words: string; section: CoreSection }>();
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
    const prompt = items.map(({ section, line }, at) => `[${at + 1}] (${section}) ${oneLine(line, 400)}`).join('\n');
    const asked = { name: 'prune', asked: prompts.prune.text, filledIn: { excess } };
    const answer = await askForList(writer, { ...asked, prompt, fields: { entry: number } }, signal);
    return (answer ?? []).map(({ entry }) => Number(entry) - 1).filter((at) => items[at] !== undefined);
  };
}

/** Names lines of a file that another of its lines has made untrue. Files of few lines of ours are not worth a question. */
export function reviewer(writer: ModelWriter, signal?: AbortSignal): Reviewer {
  return async (path, items) => {
    if (items.filter(({ isOurs }) => isOurs).length < leastReviewed) return [];
    const rows = items.map(
      ({ section, line, isOurs }, at) => `[${at + 1}] (${section}${isOurs ? '' : '; stays'}) ${oneLine(line, 400)}`,
    );
    const asked = { name: 'review', asked: prompts.review.text, filledIn: { path }, prompt: shownRows(rows) };
    const answer = await askForList(writer, { ...asked, fields: { line: number, by: number } }, signal);
    return (answer ?? [])
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
