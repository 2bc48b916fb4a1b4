// The details of each kind of event in the changelog (spec 2), and what a new changelog says of them.

import { type ChangelogEventType, changelogEventTypes } from '../../base/types/changelog-types.ts';

interface DetailKeys {
  /** Without these the graph would not know what the event is about; asked for when an event is logged. */
  readonly needs: readonly string[];
  /** What else has a meaning; any other key is kept and means nothing to the engine. */
  readonly knows: readonly string[];
}

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

/** The details by type of event; names of entities in a list are separated by commas. */
export const changelogDetails: Readonly<Record<ChangelogEventType, DetailKeys>> = {
  decision: { needs: [], knows: ['entity', 'attribute', 'from', 'to', 'rationale', ...edgeDetails] },
  create: { needs: ['entity'], knows: ['type', 'path', 'purpose', 'status', ...edgeDetails] },
  modify: { needs: ['entity'], knows: ['path', 'changes', 'status', 'type', ...edgeDetails] },
  delete: { needs: ['entity'], knows: ['path', 'reason'] },
  test: { needs: ['target'], knows: ['result', 'coverage'] },
  fix: { needs: ['entity'], knows: ['symptom', 'root_cause', 'resolution', 'resolves'] },
  // `from` depends on `entity`, or on `to` where that is given; `entity` depends on all of a list of `dependencies`.
  dependency: { needs: ['entity'], knows: ['from', 'to', 'dependencies', 'version', 'reason', 'status'] },
  blocker: { needs: ['blocked_entity', 'blocking_entity'], knows: ['resolution_path'] },
  milestone: { needs: ['name'], knows: ['criteria_met', 'status'] },
  escalation: { needs: ['reason'], knows: ['context', 'requested_action', 'entity'] },
  handoff: { needs: ['from_agent', 'to_agent'], knows: ['entity', 'payload_summary', 'phase'] },
  archive: { needs: ['events'], knows: ['count', 'to'] },
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
