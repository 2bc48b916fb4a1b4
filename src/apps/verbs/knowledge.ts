// Verbs about what knowledge files claim: what nobody has verified lately, what contradicts, who links to whom, and the confirmation.

import { z } from 'zod';
import { count } from '../../base/count.ts';
import { defined } from '../../base/errors.ts';
import type { BacklinksResult, KnowledgeConflict, KnowledgeResult, ListedFact } from '../../base/types.ts';
import { otherWording } from '../../base/word-diff.ts';
import { freshnessStates } from '../../store/records/freshness.ts';
import { hang, paintWords, type Style } from './style.ts';
import { defineVerb, filled, flag, maybe, optional } from './verb.ts';

export const knowledge = defineVerb({
  name: 'knowledge',
  summary: 'List facts that need to be verified again',
  help:
    'A fact is a line of a knowledge file below a heading such as "Key Facts", or one with [verified: 2026-02-16]. It ' +
    'is fresh for 30 days, then aging, and stale after 60 (`knowledge:` in memory.yaml). Preferences, relations, rules ' +
    'and procedures do not age. Age deletes nothing; `git memory knowledge verify` confirms a fact. What ' +
    'contradicts is listed: lines of claims of one subject and attribute that are both open, and lines in dispute. With --links the ' +
    'verb lists the other files that link to a file or name it.',
  input: z.strictObject({
    path: maybe('a file, or a folder such as knowledge/people; all of knowledge if left out'),
    entity: maybe('only facts about this person, project or thing, in any spelling'),
    all: flag('also facts that are fresh or do not age'),
    day: maybe('count ages up to this day, such as 2026-02-16; today if left out'),
    links: flag('show lines of other files that link to the file or name it'),
  }),
  positional: ['path'],
  flags: { reads: true },
  example: { command: 'knowledge knowledge/people', shows: 'which facts about people are old, and how old' },
  async run(context, { all, links, path, ...options }): Promise<KnowledgeResult | BacklinksResult> {
    const view = await context.view();
    if (links) return view.knowledge.backlinks(path ?? '');
    return view.knowledge.list({ ...options, ...defined({ path }), ...(all ? { states: freshnessStates } : {}) });
  },
  text: (output, style) => ('links' in output ? describeLinks(output, style) : describeKnowledge(output, style)),
});

const stateWidth = 9;

function describeKnowledge({ facts: listed, conflicts, counts, unreadable }: KnowledgeResult, style: Style): string {
  const sum = freshnessStates.filter((state) => counts[state] > 0).map((state) => `${counts[state]} ${state}`);
  return [
    ...listed.flatMap((fact) => describeFact(fact, style)),
    ...conflicts.flatMap((conflict) => describeConflict(conflict, style)),
    ...unreadable.flatMap(({ path, why }) => hang(style.bad('left'), `${path}: ${why}`, style, stateWidth)),
    style.faint(sum.length === 0 ? 'No facts.' : `${sum.join(', ')}`),
  ].join('\n');
}

function describeFact({ path, line, text, state, why }: ListedFact, style: Style): string[] {
  const label = state === 'stale' ? style.bad(state) : state === 'aging' ? style.strong(state) : style.faint(state);
  return [
    ...hang(label, text, style, stateWidth, 3),
    ...hang('', `${path}:${line}, ${why}`, style, stateWidth).map(style.faint),
  ];
}

function describeConflict({ sides }: KnowledgeConflict, style: Style): string[] {
  return [
    ...sides.flatMap(({ path, line, text, id }, at) => [
      ...(at === 0
        ? hang(style.bad('conflict'), text, style, stateWidth, 3)
        : paintWords(hang('', otherWording(sides[0].text, text), style, stateWidth, 3), style)),
      ...hang('', `${id}, ${path}:${line}`, style, stateWidth).map(style.faint),
    ]),
    ...hang('', 'Both are open; somebody has to say.', style, stateWidth),
  ];
}

function describeLinks({ path, links, mentions }: BacklinksResult, style: Style): string {
  const rows = [
    ...links.map((one) => ({ ...one, label: style.good('link') })),
    ...mentions.map((one) => ({ ...one, label: style.faint('names it') })),
  ];
  if (rows.length === 0) return `No other file links to ${path}, or names it.`;
  return rows
    .flatMap(({ label, text, path: from, line }) => [
      ...hang(label, text, style, stateWidth, 2),
      ...hang('', `${from}:${line}`, style, stateWidth).map(style.faint),
    ])
    .join('\n');
}

export const verify = defineVerb({
  name: 'verify',
  summary: 'Confirm that a fact of a knowledge file is true',
  help:
    'The line gets [verified: …] with the day, in place of another day; nothing else in the file changes. Without words and line, all facts of ' +
    'the file that age are confirmed.',
  input: z.strictObject({
    path: filled.describe('a knowledge file, such as knowledge/people/ada.md'),
    text: maybe('words of the one line that is confirmed'),
    line: optional(z.int().min(1), 'its number'),
    day: maybe('the day on which it was true, such as 2026-02-16; today if left out'),
  }),
  positional: ['path', 'text'],
  words: 'text',
  flags: { writes: 'batch' },
  example: {
    command: 'knowledge verify knowledge/people/ada.md lives in Rome',
    shows: 'the line that is confirmed, and its commit',
  },
  run: async (context, { path, ...options }) => (await context.memory()).knowledge.verify(path, options),
  text({ lines, day, path, unchanged }, style) {
    const named = `${count(lines.length, 'line')} of ${path}`;
    const were = lines.length === 1 ? 'was' : 'were';
    return [
      ...lines.flatMap(({ line, text }) => hang(`${line}:`, text, style, 6, 2)),
      style.faint(
        unchanged ? `${named} ${were} verified on ${day} already; nothing was written` : `${named} verified on ${day}`,
      ),
    ].join('\n');
  },
});
