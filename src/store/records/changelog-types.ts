// The details of each kind of event in the changelog (spec 2), and what a new changelog says of them.

import { type ChangelogEventType, changelogEventTypes } from '../../base/types/changelog-types.ts';

/** What follows of itself from an event that names it as a detail: an edge from its entity to each that the value lists. */
export const edgeDetails = [
  'depends_on',
  'blocks',
  'implements',
  'tests',
  'documents',
  'contains',
  'precedes',
  'related_to',
] as const;

/** The details by type of event. Without those that it `needs` the graph would not know what it is about: logging one asks for them. */
export const changelogDetails: Readonly<Record<ChangelogEventType, { readonly needs: readonly string[] }>> = {
  decision: { needs: [] },
  create: { needs: ['entity'] },
  modify: { needs: ['entity'] },
  delete: { needs: ['entity'] },
  test: { needs: ['target'] },
  fix: { needs: ['entity'] },
  // `from` depends on `entity`, or on `to` where that is given; `entity` depends on all of a list of `dependencies`.
  dependency: { needs: ['entity'] },
  blocker: { needs: ['blocked_entity', 'blocking_entity'] },
  milestone: { needs: ['name'] },
  escalation: { needs: ['reason'] },
  handoff: { needs: ['from_agent', 'to_agent'] },
  archive: { needs: ['events'] },
};

const types = changelogEventTypes.filter((type) => type !== 'archive').join(' · ');

/** Gives a changelog without events. */
export function newChangelog(): string {
  return `# Changelog

What was done in this project, event by event. It is the source of truth: graph, context and tasks follow from it, never the other way.

- Only append. Events that stand here are never changed, moved or removed; a later event corrects an earlier one.
- One event for each action, with the next number. The summary makes sense by itself; refs name the events that led to it.
- Types: ${types}

\`\`\`markdown
### evt-NNN | YYYY-MM-DD HH:MM | agent-name | type

**Scope**: area affected
**Summary**: one-line description

**Details**:
- key: value

**Refs**: evt-XXX (or "none")
**Tags**: tag1, tag2
\`\`\`

## Event Log
`;
}

export const newChangelogArchive = (): string =>
  '# Changelog archive\n\nEvents that were moved out of the changelog, word for word. They can still be referred to.\n';
