// Which verbs agents are offered as tools, under which names, and what may be expected of each. What they do is the verbs'.

import { z } from 'zod';
import { defined } from '../base/defined.ts';
import { MemoryError } from '../base/errors.ts';
import { reviewReasons } from '../base/types/review-types.ts';
import { everyday } from './everyday-tools.ts';
import type { ToolEntry, ToolSet } from './tool-sets.ts';
import { type OfferedTool, type OfferedTools, withoutOptions } from './tool-words.ts';
import { commandOf } from './verbs/groups.ts';
import { loadVerb, outputSchemaOf } from './verbs/index.ts';
import type { Verb } from './verbs/verb.ts';

/** What else can be done without files of the machine; offered on request. */
const further: readonly ToolEntry[] = [
  { name: 'memory_write', title: 'Write a knowledge file', verb: 'write', kind: 'change', isIdempotent: true },
  { name: 'memory_edit', title: 'Edit a knowledge file', verb: 'edit', kind: 'change' },
  { name: 'memory_touch', title: 'Say that a memory was of use', verb: 'touch', kind: 'add' },
  { name: 'memory_link', title: 'Relate two memories', verb: 'relate', kind: 'add', isIdempotent: true },
  { name: 'memory_history', title: 'What was done, and when', verb: 'log', kind: 'ask' },
  { name: 'memory_provenance', title: 'Where something comes from', verb: 'provenance', kind: 'ask' },
  { name: 'memory_events', title: 'Events of the ledger', verb: 'events', kind: 'ask' },
  { name: 'memory_loops', title: 'What was promised and not done', verb: 'loops', kind: 'ask' },
  { name: 'memory_session_start', title: 'What to begin with', verb: 'session-start', kind: 'ask', without: ['why'] },
  {
    name: 'memory_verdict',
    title: 'Write down what a person decided',
    verb: 'review',
    kind: 'change',
    without: ['limit', 'only', 'since', 'weak'],
  },
  {
    name: 'memory_review',
    title: 'What waits for a person',
    verb: 'review',
    kind: 'ask',
    // The words of strangers are for people.
    fixed: { action: 'list', only: reviewReasons.filter((why) => why !== 'low_trust') },
    without: ['action', 'only', 'id', 'other', 'content'],
  },
  { name: 'memory_knowledge', title: 'What nobody has verified lately', verb: 'knowledge', kind: 'ask' },
  {
    name: 'memory_verify',
    title: 'Confirm a fact of a knowledge file',
    verb: 'verify',
    kind: 'change',
    isIdempotent: true,
  },
  { name: 'memory_boxes', title: 'Memories that came together', verb: 'boxes', kind: 'ask' },
  { name: 'memory_expand', title: 'The whole behind a short form', verb: 'expand', kind: 'add' },
  { name: 'memory_boot', title: 'Rules, context and graph of a project', verb: 'boot', kind: 'ask' },
  {
    name: 'memory_shutdown',
    title: 'End the work on a project',
    verb: 'shutdown',
    kind: 'add',
    without: ['file'],
  },
  { name: 'memory_graph', title: 'What the changelog of a project comes to', verb: 'graph', kind: 'ask' },
  { name: 'memory_todo', title: 'What is to be done in a project', verb: 'todo', kind: 'ask' },
  { name: 'memory_task', title: 'Add, move or complete a task', verb: 'task', kind: 'change' },
  { name: 'memory_topics', title: 'Playbooks, and which of them a message wakes', verb: 'topics', kind: 'change' },
  { name: 'memory_diff', title: 'What changed between two states', verb: 'diff', kind: 'ask' },
  { name: 'memory_learned', title: 'When a text came and went', verb: 'learned', kind: 'ask' },
  { name: 'memory_blame', title: 'Author and time of each line', verb: 'blame', kind: 'ask' },
  {
    name: 'memory_test',
    title: 'Judge the memory by its expectations',
    verb: 'test',
    kind: 'ask',
    without: ['all', 'junit'],
  },
  { name: 'memory_replay', title: 'What an agent was handed', verb: 'replay', kind: 'ask' },
  { name: 'memory_bisect', title: 'Since when a question finds something else', verb: 'bisect', kind: 'ask' },
  { name: 'memory_extract', title: 'Derive memories from conversations', verb: 'extract', kind: 'add' },
  { name: 'memory_consolidate', title: 'Make one memory of several', verb: 'consolidate', kind: 'change' },
  { name: 'memory_split', title: 'Make several memories of one', verb: 'split', kind: 'change' },
  { name: 'memory_promote', title: 'Make knowledge of strong memories', verb: 'promote', kind: 'change' },
  {
    name: 'memory_maintain',
    title: 'Forget, archive and tidy up what is due',
    verb: 'maintain',
    kind: 'change',
    without: ['daemon'],
  },
  { name: 'memory_change', title: 'Record what was done in a project', verb: 'change', kind: 'add' },
  { name: 'memory_changes', title: 'What was done in a project', verb: 'changes', kind: 'ask' },
  { name: 'memory_nightly', title: 'Consolidate the day', verb: 'nightly', kind: 'change', isIdempotent: true },
  { name: 'memory_archive', title: 'Put a memory aside', verb: 'archive', kind: 'change', isIdempotent: true },
  { name: 'memory_restore', title: 'Bring a memory back', verb: 'restore', kind: 'add' },
  { name: 'memory_move', title: 'Rename a file or folder', verb: 'mv', kind: 'change' },
  { name: 'memory_remove', title: 'Remove a knowledge file', verb: 'rm', kind: 'change', without: ['allowRemovals'] },
  {
    name: 'memory_commit',
    title: 'Commit what waits',
    verb: 'commit',
    kind: 'add',
    without: ['paths', 'allowRemovals'],
  },
  { name: 'memory_snapshot', title: 'Name the present state', verb: 'snapshot', kind: 'add' },
  { name: 'memory_branch', title: 'Make, list, compare or drop branches', verb: 'branch', kind: 'change' },
  // What a branch of others may change is for a person to say.
  {
    name: 'memory_merge',
    title: 'Bring a branch in',
    verb: 'merge',
    kind: 'change',
    without: ['accept', 'allowRemovals'],
  },
  // Only with a remote that people have named: an agent that could give an address could be talked into sending the memory there.
  {
    name: 'memory_sync',
    title: 'Bring the memory in step',
    verb: 'sync',
    kind: 'change',
    without: ['remote', 'adopt', 'leaving'],
  },
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

const atField = z
  .string()
  .min(1)
  .exactOptional()
  .describe('a day such as 2026-11-02, tag or commit: answer as of then');
const dryRunField = z.boolean().exactOptional().describe('true: tell what would be done, and write nothing');

/** Lists the tools of a set that are verbs; without those that write for a memory that is only read. */
export function toolsOf(set: ToolSet, isReadOnly: boolean): Promise<readonly Tool[]> {
  const sets: Readonly<Record<ToolSet, readonly ToolEntry[]>> = {
    everyday,
    all: [...everyday, ...further],
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

/** Maps verbs, and what a command line calls them, to the tools that they are here. */
async function offered(entries: readonly ToolEntry[]): Promise<readonly Tool[]> {
  const tools = new Map<string, OfferedTool>();
  const made = await Promise.all(entries.map((entry) => toolOf(entry, tools)));
  for (const { entry, verb, input } of made) {
    const { name, without = [] } = entry;
    const takesWords = !verb.positional.some((field) => without.includes(field));
    for (const said of [verb.name, commandOf(verb.name)]) {
      tools.set(said, { name, fields: new Set(Object.keys(input.shape)), takesWords });
    }
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
