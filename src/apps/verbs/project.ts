// Verbs about the log of a project: the graph that follows from it, and what an agent reads before it begins.

import { z } from 'zod';
import { count } from '../../base/count.ts';
import { MemoryError } from '../../base/errors.ts';
import type * as types from '../../base/types.ts';
import { describeRedactions } from './redactions.ts';
import { type Style, shortOid } from './style.ts';
import { defineVerb, flag, maybe, optional } from './verb.ts';

export const graph = defineVerb({
  name: 'graph',
  summary: 'Show the graph that a changelog describes',
  help:
    'Replays CHANGELOG.md, archived events included, into nodes and edges. Nodes are components, tasks, dependencies, ' +
    'decisions, documents and milestones, with status and last event. The answer says whether .memory/graph.md and ' +
    '.memory/context.md agree with the log. It also lists errors in them and in TODO.md, by line. The engine keeps both ' +
    'in step with every event; `git memory maintain graph` makes anew what something else left behind.',
  input: z.strictObject({ check: flag('show only errors, and fail if there are any') }),
  flags: { reads: true },
  example: { command: 'project graph --at yesterday', shows: 'the nodes and edges as of yesterday' },
  async run(context, { check }) {
    const result = await (await context.view()).project.graph();
    return { ...result, ...(check ? { check } : {}) };
  },
  text(output: types.GraphResult & { readonly check?: boolean }, style) {
    const { text, problems, nodes, edges, horizon } = output;
    const told = problems.map((problem) => describeProblem(problem, style));
    if (!output.check) return [text.trimEnd(), ...told].join('\n');
    const sum = `${count(nodes.length, 'node')}, ${count(edges.length, 'edge')}, up to ${horizon ?? 'no event'}`;
    const states = [describeState('graph.md', output.graph), describeState('context.md', output.context)].join('; ');
    return [...told, `${sum}; ${states}`].join('\n');
  },
  refusal: ({ check, problems }: types.GraphResult & { readonly check?: boolean }) =>
    check && problems.length > 0 ? 'INVALID_RECORD' : undefined,
});

export function describeProblem({ path, line, why }: types.IntegrityProblem, style: Style): string {
  return `${style.bad(`${path}${line === undefined ? '' : `:${line}`}`)}  ${why}`;
}

function describeState(name: string, state: types.LayerState): string {
  return state === 'missing' ? `there is no ${name}` : `${name} is ${state}`;
}

export const boot = defineVerb({
  name: 'boot',
  summary: 'Print all that an agent reads before it begins',
  help:
    'Prints AGENTS.md, the context and the graph of the project, in this order, as one text. If a file is stale or ' +
    'missing, its current content from the log takes its place, and the text says so. The verb writes nothing.',
  input: z.strictObject({}),
  flags: { reads: true },
  example: { command: 'project boot', shows: 'rules, what matters now, and the graph; stale files are named' },
  run: async (context): Promise<types.BootResult> => (await context.view()).project.boot(),
  text: ({ text }) => text.trimEnd(),
});

export const shutdown = defineVerb({
  name: 'shutdown',
  summary: 'End the work on a project with one commit',
  help:
    'Appends the given events, rebuilds .memory/graph.md and .memory/context.md even where they are missing, and ' +
    'commits what waits. Events are JSON, a list or one per line, with the fields of `git memory project change`.',
  input: z.strictObject({
    events: optional(
      z.union([z.string(), z.array(z.looseObject({}))]),
      'a list of events; as text a JSON list, or one JSON object in each line',
    ),
    file: maybe('a file of events, - for standard input'),
  }),
  positional: ['events'],
  flags: { writes: 'now' },
  example: {
    command: 'project shutdown --file events.jsonl',
    shows: 'the ids that the events were given, and the commit that holds them, graph and context',
  },
  async run(context, { events, file }): Promise<types.ShutdownResult> {
    const given = events ?? (file === undefined ? '' : await context.readInput(file));
    const values: readonly unknown[] = typeof given === 'string' ? eventsOf(given) : given;
    return (await context.memory()).project.shutdown(values as readonly types.ChangeInput[]);
  },
  text({ events, commit, horizon, redacted = [] }, style) {
    const lines = events.map(({ id, type, summary }) => `${style.strong(id)}  ${type}  ${summary}`);
    const state = `Graph and context know ${horizon ?? 'no event'}.`;
    const head = commit === null ? [] : [style.reference(shortOid(commit))];
    return [...head, ...lines, ...describeRedactions(redacted, style, true), state].join('\n');
  },
});

function eventsOf(text: string): unknown[] {
  const words = text.trim();
  if (words === '') return [];
  try {
    if (words.startsWith('[')) return JSON.parse(words);
    return words
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line));
  } catch (error) {
    throw new MemoryError('INVALID_ARGUMENT', 'the events are not JSON', {
      where: 'events',
      hint: 'Give a list, or one event in each line: {"type":"fix","scope":"parser","summary":"…","details":{"entity":"parser"}}',
      cause: error,
    });
  }
}
