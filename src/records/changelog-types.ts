// What kinds of events the changelog knows, and which details each of them has (spec 2, event types and materialisation rules).

export const changelogEventTypes = [
  'decision',
  'create',
  'modify',
  'delete',
  'test',
  'fix',
  'dependency',
  'blocker',
  'milestone',
  'escalation',
  'handoff',
  'archive',
] as const;

/** `archive` is written by archival alone. */
export type ChangelogEventType = (typeof changelogEventTypes)[number];

/** One detail of an event. */
export interface ChangelogDetail {
  /** Empty for an item of a file written by hand that names none. */
  readonly key: string;
  readonly value: string;
}

/** The details of one type of event. */
export interface DetailKeys {
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
  // `from` depends on `entity`, or on `to` where that is given.
  dependency: { needs: ['entity'], knows: ['from', 'to', 'version', 'reason', 'status'] },
  blocker: { needs: ['blocked_entity', 'blocking_entity'], knows: ['resolution_path'] },
  milestone: { needs: ['name'], knows: ['criteria_met', 'status'] },
  escalation: { needs: ['reason'], knows: ['context', 'requested_action', 'entity'] },
  handoff: { needs: ['from_agent', 'to_agent'], knows: ['entity', 'payload_summary', 'phase'] },
  archive: { needs: ['events'], knows: ['count', 'to'] },
};
