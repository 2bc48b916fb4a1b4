// The verb that turns conversations into memories.

import { z } from 'zod';
import { count } from '../../base/count.ts';
import { defined } from '../../base/errors.ts';
import type { ExtractResult, ModelReport } from '../../base/types.ts';
import { dayOfNote } from '../../store/records/daily-note.ts';
import { hang, type Style, shortOid } from './style.ts';
import { defineVerb, flag, maybe, several, underway } from './verb.ts';

export const extract = defineVerb({
  name: 'extract',
  summary: 'Derive memories from conversations, by rules or a model',
  help:
    'Extract reads each conversation once. It makes one commit per conversation, and each memory names the turn it ' +
    'comes from. Rules do the reading, unless you name a language model here, in GIT_MEMORY_MODEL or by "git memory ' +
    'model use". If that model is not available, nothing is read. What it would take is said before; above ' +
    'extract.model.ask_calls or ask_tokens of memory.yaml you are asked, and a program goes so far. The extractors ' +
    'decisions, lessons, people, procedures, facts and journal each keep a part of the findings.',
  input: z.strictObject({
    from: several('paths or session ids to read; all new ones if left out'),
    onlyEnded: flag('skip conversations that may go on: they have no end yet, and somebody spoke within a day'),
    model: maybe('the language model that reads, such as openai/gpt-5-mini or ollama/llama3.2; none for the rules'),
    yes: flag('do not ask, and do not stop, where a model is asked for much'),
    extractors: several(
      'the extractors to use: rules, model, decisions, people, …; by default those of extract.extractors',
    ),
  }),
  positional: ['from'],
  flags: { changes: true, writes: 'now' },
  example: { command: 'extract --dry-run', shows: 'the memories it would make; it writes nothing' },
  async run(context, input) {
    const memory = await context.whole();
    const { leaveToRead } = await import('./reading-cost.ts');
    const leave = await leaveToRead(context, memory, input);
    if (!leave.isGiven) return { extractor: 'model', notes: [leave.note], left: leave.conversations, transcripts: [] };
    const { model, extractors, onlyEnded } = input;
    const from = input.from?.length === 0 ? undefined : input.from;
    const options = defined({ from, model, extractors, onlyEnded, limit: leave.limit });
    const result = await memory.extract({ ...options, ...underway(context, 'Extracting') });
    return leave.note === undefined ? result : { ...result, notes: [leave.note, ...(result.notes ?? [])] };
  },
  text: describeExtraction,
});

function describeExtraction(result: ExtractResult, style: Style): string {
  const notes = (result.notes ?? []).flatMap((note) => hang('', note, style, 0));
  if (result.transcripts.length === 0 && result.left === undefined)
    return [...notes, 'No conversation is new to the extractor.'].join('\n');
  const lines: string[] = [];
  for (const transcript of result.transcripts) {
    if (transcript.created.length + transcript.updated.length + transcript.skipped.length === 0) continue;
    const oid = transcript.commit === null ? '' : `${style.reference(shortOid(transcript.commit))}  `;
    lines.push(`${oid}${transcript.path}`);
    for (const { category = 'memory', content } of transcript.created)
      lines.push(...hang(`  ${style.good('+')} ${category}`, content, style, 17, 2));
    for (const path of transcript.updated) lines.push(`  ~ ${path}`);
    for (const { content, why } of transcript.skipped)
      lines.push(...hang('  -', `${content} (${why})`, style, 4, 1).map(style.faint));
  }
  const created = result.transcripts.reduce((sum, transcript) => sum + transcript.created.length, 0);
  const from = count(result.transcripts.length, 'conversation');
  const by = [...new Set(result.transcripts.map(({ extractor = result.extractor }) => extractor))].join(' and ');
  const told = result.transcripts.reduce((sum, { events }) => sum + events.length, 0);
  const ledger = told === 0 ? '' : `, and ${count(told, 'event')} in the ledger`;
  lines.push(
    `${style.good(count(created, 'memory', 'memories'))} from ${from}, by ${by || result.extractor}${ledger}.`,
  );
  if (result.barren !== undefined) lines.push(...barrenOf(result.barren, style));
  if (result.model !== undefined && result.model.calls + result.model.windows.kept > 0)
    lines.push(costOf(result.model));
  if (result.left !== undefined) lines.push(`${count(result.left, 'conversation')} left for another time.`);
  lines.push(...notes);
  return lines.join('\n');
}

function barrenOf({ conversations, paths }: NonNullable<ExtractResult['barren']>, style: Style): string[] {
  const isNote = paths.some((path) => dayOfNote(path) !== null);
  const more = conversations > paths.length ? [`… and ${conversations - paths.length} more`] : [];
  return [
    `Nothing to remember in ${count(conversations, 'conversation')}:`,
    ...[...paths, ...more].map((line) => style.faint(`  ${line}`)),
    ...(isNote
      ? [`Of a daily note, only what stands under "Priority Extracts" is read; see ${style.command('help note')}.`]
      : []),
  ];
}

function costOf({ name, calls, inputTokens, outputTokens, isEstimated, cost, costUsd, windows }: ModelReport): string {
  const about = isEstimated ? 'about ' : '';
  const told = costUsd === undefined ? '' : `, for $${costUsd.toPrecision(3)}`;
  const price = cost === null ? told : `, for ${about}${cost.toPrecision(3)}`;
  const kept = windows.kept === 0 ? '' : `, ${count(windows.kept, 'answer')} kept from before`;
  return `${name}: ${count(calls, 'question')}, ${about}${inputTokens} tokens in and ${outputTokens} out${price}${kept}.`;
}
