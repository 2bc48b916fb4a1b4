// Finds what is wrong with what follows from a changelog, and with the tasks beside it, by file and line. It repairs nothing: a wrong layer is
// made anew from the one above it.

import type { ChangelogEvent } from '../base/types/changelog-types.ts';
import type { IntegrityProblem } from '../base/types.ts';
import { type Graph, graphPath, parseGraph } from '../store/records/graph-file.ts';
import { narrativePath, parseNarrative } from '../store/records/narrative-file.ts';
import { parseTodo, todoPath } from '../store/records/todo-file.ts';

const remedy = '`git memory maintain graph` makes it anew';

/** Checks a graph file against the events and the graph that they come to. */
export function graphProblems(text: string, events: readonly ChangelogEvent[], graph: Graph): IntegrityProblem[] {
  const read = parseGraph(text);
  const known = new Set(events.map(({ id }) => id));
  const names = new Set<string>();
  const at = (line: number, why: string): IntegrityProblem => ({ path: graphPath, line, why });
  const problems = read.problems.map(({ line, why }) => at(line, why));
  for (const { name, line, created, last } of read.nodes) {
    if (names.has(name)) problems.push(at(line, `there is a node ${name} already`));
    names.add(name);
    for (const id of new Set([created, last]))
      if (!known.has(id)) problems.push(at(line, `${id} is no event of the log`));
  }
  for (const { from, to, line, created } of read.edges) {
    for (const end of [from, to])
      if (!names.has(end)) problems.push(at(line, `the edge leads to ${end}, which is no node`));
    if (!known.has(created)) problems.push(at(line, `${created} is no event of the log`));
  }
  const horizon = horizonProblem(graphPath, read.horizon, graph.horizon, known);
  return [...problems, ...horizon].sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
}

/** Checks a narrative file: its horizon, its sections, and that what it names are nodes. */
export function narrativeProblems(text: string, events: readonly ChangelogEvent[], graph: Graph): IntegrityProblem[] {
  const read = parseNarrative(text);
  const names = new Set(graph.nodes.map(({ name }) => name));
  const isNamed = (name: string) => names.has(name.replace(/^[*`]+|[*`]+$/g, ''));
  const unknown = (line: number, name: string): IntegrityProblem => ({
    path: narrativePath,
    line,
    why: `${name} is no node of the graph`,
  });
  const lines = (title: Parameters<typeof read.sections.get>[0]) => read.sections.get(title) ?? [];
  const problems = [
    ...lines('Current Sprint').flatMap(({ line, text: row }, position) => {
      const name = row.startsWith('|') ? cellOf(row) : '';
      return position < 2 || name === '' || /^[—-]$/.test(name) || isNamed(name) ? [] : [unknown(line, name)];
    }),
    ...lines('Blockers').flatMap(({ line, text: item }) => unknownEnds(item, ' blocks ', isNamed, line, unknown)),
    ...lines('Key Dependencies').flatMap(({ line, text: item }) =>
      unknownEnds(item, ' depends on ', isNamed, line, unknown),
    ),
    ...lines('Next Actions').flatMap(({ line, text: item }) => {
      const name = /^\d+[.)]\s+(.*)$/.exec(item)?.[1];
      return name === undefined || isNamed(name) || isNamed(name.replace(/ \(after .*\)$/, ''))
        ? []
        : [unknown(line, name)];
    }),
  ];
  const missing = read.missing.map((title) => ({ path: narrativePath, why: `the section ${title} is missing` }));
  const known = new Set(events.map(({ id }) => id));
  return [...horizonProblem(narrativePath, read.horizon, graph.horizon, known), ...missing, ...problems];
}

function horizonProblem(
  path: string,
  horizon: string | null,
  last: string | null,
  known: ReadonlySet<string>,
): IntegrityProblem[] {
  if (horizon === last) return [];
  if (horizon === null) return [{ path, why: `it does not say which event it knows; ${remedy}` }];
  if (!known.has(horizon)) return [{ path, why: `its horizon ${horizon} is no event of the log; ${remedy}` }];
  return [{ path, why: `it knows ${horizon} and not ${last}; ${remedy}` }];
}

/** The first cell of a row of our own making. */
function cellOf(row: string): string {
  const end = /(?<!\\) \| /.exec(row.slice(2));
  return row
    .slice(2, end === null ? undefined : end.index + 2)
    .replaceAll('\\|', '|')
    .trim();
}

/** A name may hold the words between: any way of reading the line that names two nodes is one. */
function unknownEnds(
  item: string,
  words: string,
  isNamed: (name: string) => boolean,
  line: number,
  unknown: (line: number, name: string) => IntegrityProblem,
): IntegrityProblem[] {
  const text = /^[-*+]\s+(.*)$/.exec(item)?.[1]?.replace(/ — evt-\d+.*$/, '');
  if (text === undefined || !text.includes(words)) return [];
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    if (isNamed(text.slice(0, at)) && isNamed(text.slice(at + words.length))) return [];
  }
  const at = text.indexOf(words);
  return [text.slice(0, at), text.slice(at + words.length)]
    .filter((name) => !isNamed(name))
    .map((name) => unknown(line, name));
}

/** Checks a list of tasks: how many are in progress, and that what is completed names events of the log. */
export function todoProblems(
  text: string,
  events: readonly ChangelogEvent[],
  mostInProgress: number,
): IntegrityProblem[] {
  const { items } = parseTodo(text);
  const known = new Set(events.map(({ id }) => id));
  const begun = items.filter(({ section }) => section === 'In Progress');
  const excess = begun.slice(mostInProgress).map(
    ({ start }): IntegrityProblem => ({
      path: todoPath,
      line: start + 1,
      why: `more than ${mostInProgress} tasks are in progress`,
    }),
  );
  const completed = items
    .filter(({ section }) => section === 'Completed')
    .flatMap(({ start, events: named, completed: day }): IntegrityProblem[] => {
      const lost = named.filter((id) => !known.has(id));
      return [
        ...(day === null ? ['it does not say when it was completed'] : []),
        ...(named.length === 0 ? ['it names no event'] : []),
        ...lost.map((id) => `${id} is no event of the log`),
      ].map((why) => ({ path: todoPath, line: start + 1, why }));
    });
  return [...excess.slice(0, 1), ...completed];
}
