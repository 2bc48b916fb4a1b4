// The verb of quarantine: what came in with low trust is looked at, let in or dropped. For people: no agent lets in what it has read.

import { z } from 'zod';
import { count } from '../../base/count.ts';
import { defined, MemoryError } from '../../base/errors.ts';
import type * as types from '../../base/types.ts';
import { describeRefused } from './branches.ts';
import { cut, hang, type Style, shortOid, shortTime } from './style.ts';
import { accept, actionOf, defineVerb, flag, maybe } from './verb.ts';

const actions = ['list', 'show', 'accept', 'drop'] as const;

type Output =
  | types.QuarantineListResult
  | { readonly shown: types.QuarantineShowResult }
  | { readonly accepted: types.AcceptQuarantineResult }
  | { readonly dropped: types.DropQuarantineResult };

export const quarantine = defineVerb({
  name: 'quarantine',
  summary: 'Look at what came with low trust; let it in or drop it',
  help:
    'With trust.quarantine in memory.yaml, conversations of low trust wait on their own branches, together with their ' +
    'extracted memories. No search finds them. "list" names them, and "show NAME" shows what one would bring. "accept ' +
    'NAME" merges it in one commit, which undo takes back. "drop NAME" ends it; the tag memory/quarantine/NAME keeps ' +
    'the evidence.',
  input: z.strictObject({
    action: actionOf(actions),
    name: maybe('which one, as list names it'),
    commit: maybe('only if its newest commit is still this one, which show printed'),
    accept,
    force: flag('even while a session is open there'),
  }),
  positional: ['action', 'name'],
  actions: {
    list: { summary: 'List what waits in quarantine', takes: ['name'], example: 'quarantine' },
    show: { summary: 'Show what one would bring', takes: ['name'], example: 'quarantine show web-1' },
    accept: {
      summary: 'Let one in, by one commit',
      takes: ['name', 'commit', 'accept'],
      example: 'quarantine accept web-1',
    },
    drop: {
      summary: 'End one, and keep a tag of it',
      takes: ['name', 'force'],
      example: 'quarantine drop web-1',
    },
  },
  flags: { writes: 'now', asks: ({ action = 'list' }) => action === 'list' || action === 'show' },
  example: { command: 'quarantine', shows: 'what waits, and how much each would bring' },
  async run(context, { action = 'list', name, commit, accept: accepted, force }): Promise<Output> {
    if ((name === undefined) !== (action === 'list')) {
      const what = action === 'list' ? 'list takes no name' : `${action} needs the name of what lies in quarantine`;
      throw new MemoryError('INVALID_ARGUMENT', what, {
        where: 'name',
        hint: '`git memory quarantine` lists what waits',
      });
    }
    const memory = await context.whole();
    if (action === 'show') return { shown: await memory.quarantine.show(name!) };
    if (action === 'accept')
      return { accepted: await memory.quarantine.accept(name!, defined({ commit, accept: accepted })) };
    if (action === 'drop') return { dropped: await memory.quarantine.drop(name!, { force: force ?? false }) };
    return memory.quarantine.list();
  },
  text(output, style) {
    if ('shown' in output) return describeEntry(output.shown, style);
    if ('accepted' in output) return describeAccepted(output.accepted, style);
    if ('quarantined' in output) return describeList(output, style);
    const { name, tag, commit } = output.dropped;
    return `${style.good('dropped')}  ${name}  ${style.faint(`was ${shortOid(commit)}, kept as ${tag}`)}`;
  },
});

function describeList({ quarantined, dropped }: types.QuarantineListResult, style: Style): string {
  const lines = quarantined.map(({ name, time, captures, memories }) => {
    const what = captures.map(({ topic, session }) => topic ?? session).join(', ');
    const much = `${count(captures.length, 'capture')}, ${count(memories.length, 'memory', 'memories')}`;
    return `${style.strong(name)}  ${style.faint(shortTime(time, style))}  ${much}  ${cut(what, 40)}`;
  });
  if (lines.length === 0) lines.push('Nothing waits in quarantine.');
  return [...lines, ...dropped.map(({ tag }) => style.faint(`dropped  ${tag}`))].join('\n');
}

function describeEntry(entry: types.QuarantineShowResult, style: Style): string {
  const { name, commit, time, captures, memories, files, conflicts, refused } = entry;
  return [
    `${style.strong(name)}  ${style.reference(shortOid(commit))}  ${style.faint(shortTime(time, style))}`,
    ...captures.flatMap((capture) => ['', ...describeCapture(capture, style)]),
    ...(memories.length === 0 ? [] : ['', `${count(memories.length, 'memory', 'memories')} would come:`]),
    ...memories.flatMap(({ change, category = 'memory', content, confidence }) =>
      hang(`  ${change}  `, `${content} (${category}${confidence === undefined ? '' : `, ${confidence}`})`, style, 4),
    ),
    ...(files.length === 0 ? [] : ['', 'and change:', ...files.map((path) => `  ${path}`)]),
    ...(conflicts.length === 0 ? [] : ['', 'It contradicts the present in:', ...conflicts.map((path) => `  ${path}`)]),
    ...(refused === undefined ? [] : ['', ...describeRefused(refused, style)]),
    '',
    `\`git memory quarantine accept --commit ${commit} ${name}\` lets it in as it stands here.`,
  ].join('\n');
}

function describeCapture(capture: types.QuarantineEntry['captures'][number], style: Style): string[] {
  const { path, channel, isOpen, turns } = capture;
  const about = [channel, isOpen ? 'goes on' : undefined].filter((part) => part !== undefined).join(', ');
  return [
    `${path}${about === '' ? '' : `  ${style.faint(about)}`}`,
    ...turns.flatMap(({ role, speaker, text }) => hang(`  ${speaker ?? role}: `, text, style, 4)),
  ];
}

function describeAccepted(result: types.AcceptQuarantineResult, style: Style): string {
  const { name, commit, captures, memories, conflicts } = result;
  const much = `${count(captures, 'capture')}, ${count(memories, 'memory', 'memories')}`;
  const lines = [`${style.good('accepted')}  ${style.reference(shortOid(commit))}  ${name}  ${much}`];
  if (conflicts.length > 0) lines.push('On both sides in ways that contradict; the later stands:');
  return [...lines, ...conflicts.map((path) => `  ${path}`)].join('\n');
}
