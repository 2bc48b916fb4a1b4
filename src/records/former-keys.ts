// Keys of memory.yaml that earlier versions had, and that are fixed now: a file that sets one is still read, and the key does nothing.

/** A section stands for all that was in it. */
const names = `
  decay.alpha decay.beta decay.lambda decay.two_component decay.urgent decay.promote reinforce review consolidate
  entities profile identity split changelog narrative evict projects
  extract.importance extract.tiers extract.important_from
`;
const formerKeys: ReadonlySet<string> = new Set(names.trim().split(/\s+/));

/** Tells whether an earlier version had a key, alone or in a section that is gone. */
export function isFormerKey(key: string): boolean {
  const path = key.split('.');
  return path.some((_, index) => formerKeys.has(path.slice(0, index + 1).join('.')));
}
