// Which verbs agents are offered as tools, under which names, and what may be expected of each. What they do is the verbs'.

import type { z } from 'zod';
import { defined, MemoryError } from '../base/errors.ts';
import { reviewReasons } from '../base/types/review-types.ts';
import { everyday } from './everyday-tools.ts';
import type { ToolEntry, ToolSet } from './tool-sets.ts';
import { type OfferedTool, type OfferedTools, withoutOptions } from './tool-words.ts';
import { commandOf } from './verbs/groups.ts';
import { loadVerb, outputSchemaOf } from './verbs/index.ts';
import { flag, maybe, type Verb } from './verbs/verb.ts';

/** What else can be done without files of the machine; offered on request. A tool has the name of its verb where none is given. */
const further: readonly (Omit<ToolEntry, 'name' | 'verb'> & { readonly name?: string; readonly verb: string })[] = [
  { title: 'Write a knowledge file', verb: 'write', kind: 'change', isIdempotent: true },
  { title: 'Edit a knowledge file', verb: 'edit', kind: 'change' },
  { title: 'Say that a memory was of use', verb: 'touch', kind: 'add' },
  { name: 'memory_link', title: 'Relate two memories', verb: 'relate', kind: 'add', isIdempotent: true },
  { name: 'memory_history', title: 'What was done, and when', verb: 'log', kind: 'ask' },
  { title: 'Where something comes from', verb: 'provenance', kind: 'ask' },
  { title: 'Events of the ledger', verb: 'events', kind: 'ask' },
  { title: 'What was promised and not done', verb: 'loops', kind: 'ask' },
  { title: 'What to begin with', verb: 'session-start', kind: 'ask', without: ['why'] },
  {
    name: 'memory_verdict',
    title: 'Write down what a person decided',
    verb: 'review',
    kind: 'change',
    without: ['limit', 'only', 'since', 'weak'],
  },
  {
    title: 'What waits for a person',
    verb: 'review',
    kind: 'ask',
    // The words of strangers are for people.
    fixed: { action: 'list', only: reviewReasons.filter((why) => why !== 'low_trust') },
    without: ['action', 'only', 'id', 'other', 'content'],
  },
  { title: 'What nobody has verified lately', verb: 'knowledge', kind: 'ask' },
  { title: 'Confirm a fact of a knowledge file', verb: 'verify', kind: 'change', isIdempotent: true },
  { title: 'Memories that came together', verb: 'boxes', kind: 'ask' },
  { title: 'The whole behind a short form', verb: 'expand', kind: 'add' },
  { title: 'Rules, context and graph of a project', verb: 'boot', kind: 'ask' },
  { title: 'End the work on a project', verb: 'shutdown', kind: 'add', without: ['file'] },
  { title: 'What the changelog of a project comes to', verb: 'graph', kind: 'ask' },
  { title: 'What is to be done in a project', verb: 'todo', kind: 'ask' },
  { title: 'Add, move or complete a task', verb: 'task', kind: 'change' },
  { title: 'Playbooks, and which of them a message wakes', verb: 'topics', kind: 'change' },
  { title: 'What changed between two states', verb: 'diff', kind: 'ask' },
  { title: 'When a text came and went', verb: 'learned', kind: 'ask' },
  { title: 'Author and time of each line', verb: 'blame', kind: 'ask' },
  { title: 'Judge the memory by its expectations', verb: 'test', kind: 'ask', without: ['all', 'junit'] },
  { title: 'What an agent was handed', verb: 'replay', kind: 'ask' },
  { title: 'Since when a question finds something else', verb: 'bisect', kind: 'ask' },
  // Only a person lets a model take more than memory.yaml allows unasked.
  { title: 'Derive memories from conversations', verb: 'extract', kind: 'add', without: ['yes'] },
  { title: 'Make one memory of several', verb: 'consolidate', kind: 'change' },
  { title: 'Make several memories of one', verb: 'split', kind: 'change' },
  { title: 'Make knowledge of strong memories', verb: 'promote', kind: 'change' },
  { title: 'Forget, archive and tidy up what is due', verb: 'maintain', kind: 'change', without: ['daemon'] },
  { title: 'Record what was done in a project', verb: 'change', kind: 'add' },
  { title: 'What was done in a project', verb: 'changes', kind: 'ask' },
  { title: 'Consolidate the day', verb: 'nightly', kind: 'change', isIdempotent: true },
  { title: 'Put a memory aside', verb: 'archive', kind: 'change', isIdempotent: true },
  { title: 'Bring a memory back', verb: 'restore', kind: 'add' },
  { name: 'memory_move', title: 'Rename a file or folder', verb: 'mv', kind: 'change' },
  { name: 'memory_remove', title: 'Remove a knowledge file', verb: 'rm', kind: 'change', without: ['allowRemovals'] },
  { title: 'Commit what waits', verb: 'commit', kind: 'add', without: ['paths', 'allowRemovals'] },
  { title: 'Name the present state', verb: 'snapshot', kind: 'add' },
  { title: 'Make, list, compare or drop branches', verb: 'branch', kind: 'change' },
  // What a branch of others may change is for a person to say.
  { title: 'Bring a branch in', verb: 'merge', kind: 'change', without: ['accept', 'allowRemovals'] },
  // Only with a remote that people have named: an agent that could give an address could be talked into sending the memory there.
  { title: 'Bring the memory in step', verb: 'sync', kind: 'change', without: ['remote', 'adopt', 'leaving'] },
];

/** A tool with its schemas, ready to be registered. */
export interface Tool {
  readonly entry: ToolEntry;
  readonly verb: Verb;
  readonly description: string;
  /** The verb's own input, with `at` where it answers from other times and `dryRun` where it can plan. */
  readonly input: z.ZodObject;
  readonly output: z.ZodObject | JsonSchema;
  /** Which part of the verb's answer is given; all of it if left out. */
  readonly answer?: z.ZodObject;
  /** All that are offered with it. */
  readonly tools: OfferedTools;
}

/** What of JSON Schema is used here. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly JsonSchema[];
}

const atField = maybe('a day such as 2026-11-02, tag or commit: answer as of then');
const dryRunField = flag('true: tell what would be done, and write nothing');

/** Lists the tools of a set that are verbs; without those that write for a memory that is only read. */
export function toolsOf(set: ToolSet, isReadOnly: boolean): Promise<readonly Tool[]> {
  const sets: Readonly<Record<ToolSet, readonly ToolEntry[]>> = {
    everyday,
    all: [...everyday, ...further.map((one) => ({ name: `memory_${one.verb.replace('-', '_')}`, ...one }))],
    chatgpt: [],
    reference: [],
  };
  if (!Object.hasOwn(sets, set)) {
    const error = new MemoryError('INVALID_ARGUMENT', 'there is no set of tools of that name', {
      where: 'tools',
      hint: `Name one of ${Object.keys(sets).join(', ')}`,
    });
    return Promise.reject(error);
  }
  const asking = sets[set].flatMap((entry): ToolEntry[] => {
    if (entry.kind === 'ask') return [entry];
    return entry.forReaders === undefined ? [] : [{ ...entry, kind: 'ask', fixed: entry.forReaders }];
  });
  return offered(isReadOnly ? asking : sets[set]);
}

async function offered(entries: readonly ToolEntry[]): Promise<readonly Tool[]> {
  const tools = new Map<string, OfferedTool>();
  const made = await Promise.all(entries.map((entry) => toolOf(entry, tools)));
  for (const { entry, verb, input } of made) {
    const { name, without = [] } = entry;
    const takesWords = !verb.positional.some((field) => without.includes(field));
    for (const said of [verb.name, commandOf(verb.name)])
      tools.set(said, { name, fields: new Set(Object.keys(input.shape)), takesWords });
  }
  return made;
}

async function toolOf(entry: ToolEntry, tools: OfferedTools): Promise<Tool> {
  const { answer } = entry;
  const verb = typeof entry.verb === 'string' ? await loadVerb(entry.verb) : entry.verb;
  if (verb === undefined) throw new Error(`no verb is called ${entry.verb}`);
  const left = Object.fromEntries((entry.without ?? []).map((name) => [name, true]));
  const input = verb.input.omit(left as Record<string, never>).extend({
    ...(verb.flags.reads === true ? { at: atField } : {}),
    ...(verb.flags.changes === true ? { dryRun: dryRunField } : {}),
  });
  return {
    entry,
    verb,
    description: answer !== undefined ? verb.help : withoutOptions(`${verb.summary}. ${verb.help}`),
    input,
    output: answer ?? objectOf(await outputSchemaOf(verb.name)),
    tools,
    ...defined({ answer }),
  };
}

/** A tool answers with an object: of several shapes it becomes one, in which only what all of them have is certain. */
function objectOf(schema: JsonSchema): JsonSchema {
  const { anyOf: shapes } = schema;
  if (shapes === undefined) return schema;
  const properties: Record<string, JsonSchema> = {};
  for (const shape of shapes) {
    for (const [name, field] of Object.entries(shape.properties ?? {})) {
      const known = properties[name];
      const isSame = known === undefined || JSON.stringify(known) === JSON.stringify(field);
      properties[name] = isSame ? field : { anyOf: [...(known.anyOf ?? [known]), field] };
    }
  }
  const required = Object.keys(properties).filter((name) => shapes.every((shape) => shape.required?.includes(name)));
  return { type: 'object', properties, required };
}
