// The graph that follows from a changelog: what each event does to nodes and edges. No node is ever taken out, and of the edges only what
// blocks, once it is fixed.

import type { ChangelogEvent } from '../base/types/changelog-types.ts';
import { detailOf, supersedesKey } from '../store/records/changelog.ts';
import type { Graph } from '../store/records/graph-file.ts';
import { GraphBuilder } from './graph-builder.ts';
import { retracted } from './supersession.ts';

/**
 * Replays all events of a log, in the order in which they happened.
 *
 * | event | becomes |
 * |---|---|
 * | create | a node; its type is the detail `type`, else a document or component by its path; one that was deprecated is active again |
 * | modify | status, last event and attributes of the node |
 * | delete | the status `deprecated` |
 * | decision | a decision node (`<entity>.<attribute>`, else the summary), which each entity implements; an older one of that name gives way |
 * | dependency | a dependency node (`to`, else `entity`), on which `from`, else the entity of a `to`, else the scope, depends. A list of `dependencies` too |
 * | blocker | an edge: `blocking_entity` blocks `blocked_entity` |
 * | test | attributes of the target |
 * | fix | the last event of the node; what it blocks is free, or what `resolves` or a blocker among the refs names |
 * | milestone | a milestone node, completed |
 * | handoff | phase and assignee of the task (`task`, `entity`, else the scope) |
 * | escalation, archive | nothing but the horizon |
 *
 * Details named as a relation (`precedes: release`) are edges from what the event is about. What an event names and nobody created is a node
 * from then on, so that no edge lacks an end. An event that a later one supersedes does nothing: what it would have brought is deprecated.
 */
export const materialise = (events: readonly ChangelogEvent[]): Graph => replay(events).graph();

function replay(events: readonly ChangelogEvent[]): GraphBuilder {
  const ordered = inOrder(events);
  const replacements = replacementsOf(ordered);
  const replaced = new Set(replacements.values());
  const builder = new GraphBuilder();
  for (const event of ordered) {
    // One that only takes another back says nothing itself.
    if (!replaced.has(event) && !event.tags.includes(retracted)) builder.add(event);
    const old = replacements.get(event);
    if (old !== undefined) builder.takeBack(old, event);
  }
  builder.last = byNumber(events).at(-1);
  return builder;
}

/**
 * Gives what {@link materialise} gives, for one state of a log after the other. Events that came at the end and take the place of none are
 * added to what the ones before them made. Events are known as the values they are, so that anything else is a replay of all.
 */
export class GrowingGraph {
  private seen: readonly ChangelogEvent[] = [];
  private builder = new GraphBuilder();

  of(events: readonly ChangelogEvent[]): Graph {
    const added = this.addedTo(events);
    if (added === null) this.builder = replay(events);
    else {
      for (const event of added) if (!event.tags.includes(retracted)) this.builder.add(event);
      this.builder.last = byNumber(events).at(-1);
    }
    this.seen = events;
    return this.builder.graph();
  }

  /** The events that are new; null where the rest is not what was seen, or one of them reaches back. */
  private addedTo(events: readonly ChangelogEvent[]): readonly ChangelogEvent[] | null {
    const { seen } = this;
    if (events.length < seen.length || !seen.every((event, at) => events[at] === event)) return null;
    const added = events.slice(seen.length);
    // In their order already, those that were seen included.
    const isNext = inOrder(events).every((event, at) => event === events[at]);
    return isNext && added.every((event) => detailOf(event, supersedesKey) === undefined) ? added : null;
  }
}

/**
 * Events by when they happened: a merge numbers what one side did earlier behind what the other has published. Those of one agent stay in the
 * order of their numbers, and so do those of one minute.
 */
export function inOrder(events: readonly ChangelogEvent[]): readonly ChangelogEvent[] {
  const latest = new Map<string, string>();
  const timed = byNumber(events).map((event) => {
    const last = latest.get(event.agent) ?? '';
    const time = event.time > last ? event.time : last;
    latest.set(event.agent, time);
    return { event, time };
  });
  return timed.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0)).map(({ event }) => event);
}

const byNumber = (events: readonly ChangelogEvent[]): readonly ChangelogEvent[] =>
  [...events].sort((a, b) => a.number - b.number);

/** Which event an event takes the place of. */
function replacementsOf(ordered: readonly ChangelogEvent[]): ReadonlyMap<ChangelogEvent, ChangelogEvent> {
  const byId = new Map(ordered.map((event) => [event.id, event]));
  const replacements = new Map<ChangelogEvent, ChangelogEvent>();
  for (const event of ordered) {
    const old = byId.get(detailOf(event, supersedesKey) ?? '');
    if (old !== undefined && old.number < event.number) replacements.set(event, old);
  }
  return replacements;
}
