// Keys of memory.yaml that earlier versions had, and that are fixed now: a file that sets one is still read, and the key does nothing.

/** A section stands for all that was in it. */
const names = `
  decay.alpha decay.beta decay.lambda decay.two_component decay.urgent decay.promote reinforce review consolidate
  entities profile identity split changelog narrative evict projects
  attachments.most artifacts.min_lines artifacts.max_bytes boxes.topics boxes.trace_overlap boxes.trace_days
  ledger.compact_days ledger.prune_days knowledge.changes memory_md.warn_lines memory_md.max_lines journal.summarise_days journal.lines
  condense.characters condense.week_lines condense.day_tokens condense.week_tokens commit_message.characters commit_message.wait_seconds
  schedule.week schedule.month schedule.tag_daily schedule.tag_weekly
  embedder.wait_ms pack.words context.projects_kb context.knowledge_share context.evict_share context.min_score
  trust.confidence extract.model.retries watchers.gate watchers.gate_wait_ms watchers.gate_calls watchers.gate_cache
  watchers.rule_confidence watchers.tune_days watchers.tune_least limits.pending_bytes limits.removed_min
  extract.importance extract.tiers extract.important_from
`;
const formerKeys: ReadonlySet<string> = new Set(names.trim().split(/\s+/));

/** Tells whether an earlier version had a key, alone or in a section that is gone. */
export function isFormerKey(key: string): boolean {
  const path = key.split('.');
  return path.some((_, index) => formerKeys.has(path.slice(0, index + 1).join('.')));
}
