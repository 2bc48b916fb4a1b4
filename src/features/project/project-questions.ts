// What can be asked of a project's log in a state: its graph, what an agent reads before it begins, its tasks.

import { defined } from '../../base/errors.ts';
import type { BootLayer, BootResult, GraphResult, LayerState, TodoResult, TodoTask } from '../../base/types.ts';
import type { ChangelogQuestion } from '../../core/ledger/ledger-questions.ts';
import { graphProblems, materialise, narrate, narrativeProblems, todoProblems } from '../../logs/index.ts';
import { formatGraph, graphPath } from '../../store/records/graph-file.ts';
import { agentsPath } from '../../store/records/kind.ts';
import { formatNarrative, narrativePath } from '../../store/records/narrative-file.ts';
import { parseTodo, type TodoItem, todoPath } from '../../store/records/todo-file.ts';

/** The state that is asked. */
export interface ProjectQuestion extends Omit<ChangelogQuestion, 'now'> {
  /** What AGENTS.md says there; null where there is none. */
  readonly agents: string | null;
  /** What an agent must know before all else. */
  readonly warning?: string;
}

function layersOf({ changelogs, snapshot }: ProjectQuestion) {
  const events = changelogs.of(snapshot);
  const graph = materialise(events);
  const narrativeText = formatNarrative(narrate(events, graph));
  return { events, graph, graphText: formatGraph(graph), narrativeText };
}

/** Gives the graph that the log comes to, and what is wrong with the files that follow from it. */
export function graphOf(question: ProjectQuestion): GraphResult {
  const { snapshot, configuration } = question;
  const { events, graph, graphText, narrativeText } = layersOf(question);
  const graphFile = snapshot.textIfWhole(graphPath);
  const narrativeFile = snapshot.textIfWhole(narrativePath);
  const todoFile = snapshot.textIfWhole(todoPath);
  const problems = [
    ...(graphFile === null ? [] : graphProblems(graphFile, events, graph)),
    ...(narrativeFile === null ? [] : narrativeProblems(narrativeFile, events, graph)),
    ...(todoFile === null ? [] : todoProblems(todoFile, events, configuration.todo.inProgress)),
  ];
  const plain = <Row extends { attributes: ReadonlyMap<string, string> }>(row: Row) => ({
    ...row,
    attributes: Object.fromEntries(row.attributes),
  });
  return {
    horizon: graph.horizon,
    nodes: graph.nodes.map(plain),
    edges: graph.edges.map(plain),
    text: graphText,
    graph: stateOf(graphFile, graphText),
    context: stateOf(narrativeFile, narrativeText),
    problems,
  };
}

/** Native git may merge a file, or a person edit it, to something else that knows the same last event. */
function stateOf(text: string | null, made: string): LayerState {
  return text === null ? 'missing' : text === made ? 'fresh' : 'stale';
}

/** Gives what an agent reads before it begins, up to date whatever the files say, and says which of them are not. */
export function bootOf(question: ProjectQuestion): BootResult {
  const { snapshot, agents, edited, warning } = question;
  const { graph, graphText, narrativeText } = layersOf(question);
  const layerOf = (layer: 2 | 3, path: string, made: string): BootLayer => {
    return { layer, path, state: stateOf(snapshot.readText(path), made), text: made };
  };
  const layers: BootLayer[] = [
    { layer: 0, path: agentsPath, state: agents === null ? 'missing' : 'fresh', text: agents },
    layerOf(3, narrativePath, narrativeText),
    layerOf(2, graphPath, graphText),
  ];
  const { horizon } = graph;
  const text = layers
    .map((one) => `<!-- ${one.path}: ${told(one, horizon)} -->\n\n${(one.text ?? '').trim()}`)
    .map((part) => part.trimEnd())
    .join('\n\n');
  const head = warning === undefined ? '' : `<!-- warning: ${warning} -->\n\n`;
  return { horizon, layers, text: `${head}${text}\n`, ...defined({ edited }) };
}

function told({ layer, state }: BootLayer, horizon: string | null): string {
  if (layer === 0) return state === 'missing' ? 'there is none' : 'holds always';
  const last = horizon ?? 'no event';
  if (state === 'fresh') return `fresh, knows ${last}`;
  const why = state === 'stale' ? 'the file was stale' : 'there is no file';
  return `${why}; this is made of the log up to ${last}`;
}

/** Lists the tasks of TODO.md. */
export function todoOf({ changelogs, snapshot, configuration }: ProjectQuestion): TodoResult {
  const text = snapshot.textIfWhole(todoPath) ?? '';
  const { items } = parseTodo(text);
  return {
    path: todoPath,
    tasks: items.map((item) => taskOf(item, items)),
    problems: todoProblems(text, changelogs.of(snapshot), configuration.todo.inProgress),
  };
}

/** An item as callers see it; `items` says what of what it waits for is done. */
export function taskOf(item: TodoItem, items: readonly TodoItem[]): TodoTask {
  const { section, task, completed, events, after, start } = item;
  const done = items.filter((one) => one.section === 'Completed').map((one) => one.task.toLowerCase());
  return {
    section,
    task,
    ...(section === 'Completed' && completed !== null ? { completed } : {}),
    events,
    waitsFor: after.filter((name) => !done.some((words) => words.includes(name.toLowerCase()))),
    line: start + 1,
  };
}
