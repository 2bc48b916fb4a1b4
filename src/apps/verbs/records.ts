// Verbs that write memories and knowledge. Each is durable when it returns and joins the next batch commit.

import { z } from 'zod';
import { memoryCategories } from '../../base/types/stored-types.ts';
import type { RememberInput, WriteResult } from '../../base/types.ts';
import { relationTypes } from '../../store/records/relation-record.ts';
import { describeRedactions } from './redactions.ts';
import { hang, type Style } from './style.ts';
import { allowRemovals, defineVerb, filled, flag, maybe, oneOf, optional, several } from './verb.ts';

const path = filled.describe('a path inside the memory, such as knowledge/people/ada.md');
const id = filled.describe('the id of a memory, or the beginning of it');

export const remember = defineVerb({
  name: 'remember',
  summary: 'Keep one fact, decision, preference or promise',
  help:
    'Use it for what you know outright; extract finds what conversations hold. A rule, preference, correction, decision ' +
    'or promise that is plainly one needs no category.',
  input: z.strictObject({
    content: filled.trim().min(1, 'must not be empty').describe('what to remember, one thought'),
    tags: several('words to find it by'),
    entities: several('people, projects or things it is about'),
    source: optional(z.string(), 'where it comes from'),
    context: optional(z.string(), 'what it was about when it was said'),
    category: oneOf(memoryCategories, `its kind: ${memoryCategories.join(', ')}`),
    statement: maybe('the same in words that are understood alone, where they are not'),
    subject: maybe('the person, project or thing it is about'),
    attribute: maybe(
      'what of the subject it says, where that has one value at a time, such as home; the value before it ends',
    ),
    validFrom: maybe('from when it holds: a day, or a time; since now if left out'),
    validUntil: maybe('until when it holds; a day is its end'),
    replaces: several('ids of the memories it replaces; they end'),
    session: maybe('the id of the conversation it belongs to; undo takes it'),
    agent: maybe('the name of the agent that remembers it'),
    strength: optional(z.number().min(0).max(2), 'how strong it starts, 0 to 2; 1 if left out'),
    due: optional(z.string(), 'the day a commitment is due: 2026-02-16, 16.2.2026, next friday, in 2 weeks'),
    id: maybe('an id of your own; made up if left out'),
  }),
  positional: ['content'],
  words: 'content',
  stream: 'content',
  usual: ['category', 'tags', 'entities', 'source', 'due', 'replaces'],
  flags: { writes: 'batch' },
  example: {
    command: 'remember --category preference "Ada prefers short answers"',
    shows: 'the id of the new memory and its commit',
  },
  run: async (context, input) => (await context.memory()).remember(input as RememberInput),
  text(output, style) {
    const kind = output.category === undefined ? '' : `  ${style.faint(output.category)}`;
    const done = describe(output.isDuplicate ? 'known already' : 'remembered', output, style, kind);
    const closed = (output.closed ?? []).flatMap((one) =>
      hang(`ended ${one.id.slice(0, 10)}`, one.content, style, 17, 2),
    );
    const near = (output.near ?? []).flatMap((one) =>
      hang(`near ${one.id.slice(0, 10)}`, `${one.content} (${one.likeness.toFixed(2)})`, style, 17, 2),
    );
    return [done, ...closed, ...near].join('\n');
  },
});

export const write = defineVerb({
  name: 'write',
  summary: 'Write a whole knowledge file',
  help: 'Creates or replaces the file. If you give the blob you read, the file is written only when nobody has changed it since.',
  input: z.strictObject({
    path,
    text: z.string().describe('the whole new content; "-" reads standard input'),
    ifBlob: optional(z.string(), 'write only if the file is still this git blob'),
  }),
  positional: ['path', 'text'],
  stream: 'text',
  flags: { writes: 'batch' },
  example: { command: 'file write knowledge/people/ada.md - < ada.md', shows: 'the path and the commit that holds it' },
  run: async (context, input) =>
    (await context.memory()).write(input.path, input.text, input.ifBlob === undefined ? {} : { ifBlob: input.ifBlob }),
  text: (output, style) => describe('wrote', output, style),
});

export const edit = defineVerb({
  name: 'edit',
  summary: 'Replace a passage of a knowledge file',
  help: 'The file must contain the old passage exactly once; otherwise nothing changes.',
  input: z.strictObject({
    path,
    old: filled.describe('the passage as the file has it'),
    new: z.string().describe('the new passage; may be empty'),
  }),
  positional: ['path', 'old', 'new'],
  flags: { writes: 'batch' },
  example: {
    command: 'file edit knowledge/people/ada.md "in Paris" "in Rome"',
    shows: 'the path and the commit that holds the change',
  },
  run: async (context, input) => (await context.memory()).edit(input.path, input.old, input.new),
  text: (output, style) => describe('edited', output, style),
});

export const rm = defineVerb({
  name: 'rm',
  summary: 'Remove a file from what is known now',
  help: 'Its history stays: recall at an earlier time still finds it, and undo brings it back. Captures cannot be removed.',
  input: z.strictObject({ path, recursive: flag('the path is a folder: remove all below it'), allowRemovals }),
  positional: ['path'],
  flags: { writes: 'batch' },
  example: { command: 'file rm knowledge/people/ada.md', shows: 'the path and the commit that removed it' },
  run: async (context, { path: name, ...options }) => (await context.memory()).remove(name, options),
  text: (output, style) => describe('removed', output, style),
});

export const mv = defineVerb({
  name: 'mv',
  summary: 'Give a knowledge file or folder another name',
  help:
    'A folder moves with all its files in one commit. If the new name is taken, nothing moves. A private file needs a ' +
    'private place. With --plain it may go anywhere; it is then readable by all, without its secrets.',
  input: z.strictObject({
    from: path,
    to: filled.describe('its new path, such as knowledge/people/ada-lovelace.md'),
    plain: flag('also where this makes a private text readable by all'),
  }),
  positional: ['from', 'to'],
  flags: { writes: 'batch' },
  example: {
    command: 'file mv knowledge/people/ada.md knowledge/people/ada-lovelace.md',
    shows: 'the new path and the commit',
  },
  run: async (context, { from, to, ...options }) => (await context.memory()).move(from, to, options),
  text: (output, style) => describe('moved to', output, style),
});

export const touch = defineVerb({
  name: 'touch',
  summary: 'Say that a memory was used: it gets stronger',
  help:
    'The memory then lasts longer. Use it for work with other tags, or boost it, and it gets stronger. Asking alone ' +
    'strengthens nothing.',
  input: z.strictObject({
    id,
    tags: several('the tags of the work it was used for'),
    boost: flag('it mattered: make it stronger, too'),
  }),
  positional: ['id'],
  flags: { writes: 'batch' },
  example: { command: 'record touch 01k9', shows: 'the memory that was strengthened' },
  run: async (context, { id: name, ...options }) => (await context.memory()).records.touch(name, options),
  text: (output, style) => describe('touched', output, style),
});

export const archive = defineVerb({
  name: 'archive',
  summary: 'Put a memory aside without forgetting it',
  help: 'The memory stays where it is with the status archived and no longer competes with active ones. Restore brings it back.',
  input: z.strictObject({ id }),
  positional: ['id'],
  flags: { writes: 'batch' },
  example: { command: 'record archive 01k9', shows: 'the memory that was put aside' },
  run: async (context, input) => (await context.memory()).records.archive(input.id),
  text: (output, style) => describe('archived', output, style),
});

export const forget = defineVerb({
  name: 'forget',
  summary: 'Take a memory out of what is known now',
  help:
    'Its file leaves the tree, together with its relations and every line that was written from it. The turns it was taken from stay in raw/, ' +
    'and no answer shows them; other memories from them stay and are named. History keeps it, and restore or undo brings it back; purge removes it from ' +
    'history, too.',
  input: z.strictObject({ id, allowRemovals }),
  positional: ['id'],
  flags: { writes: 'batch' },
  example: { command: 'forget 01k9', shows: 'the memory that was forgotten' },
  run: async (context, { id: name, ...options }) => (await context.memory()).forget(name, options),
  text: (output, style) =>
    [
      describe('forgot', output, style),
      ...output.turns.map((turn) => `still in ${turn}, which no answer shows`),
      ...(output.others ?? []).flatMap((one) => hang(`shown still ${one.id.slice(0, 10)}`, one.content, style, 24, 2)),
      ...(output.others === undefined ? [] : ['That was said with it; `git memory forget ID` takes it away, too.']),
      ...(output.paths ?? []).map((path) => `the name of ${path} was made of its words`),
      ...(output.turns.length === 0 ? [] : ['`git memory purge TEXT` removes words from there and from all history.']),
    ].join('\n'),
});

export const restore = defineVerb({
  name: 'restore',
  summary: 'Bring back a memory that was archived or forgotten',
  help:
    'Give its id, or the beginning of it. The memory returns from the archive or from history, with its relations to ' +
    'present memories. This counts as a use, so that it does not fade at once.',
  input: z.strictObject({ id }),
  positional: ['id'],
  flags: { writes: 'batch' },
  example: { command: 'record restore 01k9', shows: 'the memory that is back' },
  run: async (context, input) => (await context.whole()).records.restore(input.id),
  text: (output, style) => describe('restored', output, style),
});

/** Lineage is said by consolidation and splitting alone. */
const types = relationTypes.filter((type) => !type.endsWith('_from'));

export const relate = defineVerb({
  name: 'relate',
  summary: 'Say how two memories belong together',
  help:
    `The types are ${types.slice(0, -1).join(', ')} and ${types.at(-1)}; you may also use any other word. \`git memory ` +
    'file rm PATH` removes a relation.',
  input: z.strictObject({
    from: filled.describe('the id of a memory, or the beginning of it'),
    to: filled.describe('the id of another one'),
    type: maybe('how the first relates to the second; related if left out'),
    strength: optional(z.number().min(0).max(2), 'how strongly, 0 to 2; 1 if left out'),
  }),
  positional: ['from', 'to', 'type'],
  flags: { writes: 'batch' },
  example: { command: 'record relate 01k9 01m2 supports', shows: 'the id and path of the relation' },
  run: async (context, { from, to, type, ...options }) =>
    (await context.memory()).records.relate(from, to, type, options),
  text: (output, style) => describe('related', output, style),
});

function describe(done: string, result: WriteResult, style: Style, kind = ''): string {
  const name = result.id === undefined ? result.path : `${result.id}  ${style.faint(result.path)}`;
  const line = `${style.good(done)}  ${name}${kind}${result.pending ? style.faint('  (pending)') : ''}`;
  return [line, ...describeRedactions(result.redacted, style, true)].join('\n');
}
