// Which milestones go to a remote and come from it. Tags of days and weeks, before passes, of experiments and quarantine stay at home.

import type { RefCommand } from '../../store/git/remote-protocol.ts';

const milestones = 'refs/tags/memory/milestone/';
/** Where slices of a push wait for the rest, on a remote. */
export const partialRefs = 'refs/git-memory/partial/';

/** A tag here, by the commit it means. */
export interface LocalTag {
  readonly ref: string;
  readonly oid: string;
  readonly commit: string;
}

/** What becomes of the milestones of two repositories. No tag moves: what is called alike and differs gets another name. */
export interface TagPlan {
  /** To be made here. */
  readonly fetch: readonly { readonly ref: string; readonly oid: string }[];
  readonly push: readonly RefCommand[];
}

/** Tells whether a ref is a milestone. */
export const isMilestone = (ref: string): boolean => ref.startsWith(milestones);

/** Tells whether a ref keeps a part of a push that is under way, or broke off. */
export const isPartial = (ref: string): boolean => ref.startsWith(partialRefs);

/**
 * Plans the exchange; `theirs` are the tags of the remote, `suffix` the machine, `remote` its name for ours.
 *
 * `isOurs` and `isTheirs` tell whether a commit is behind the branch of that side: a milestone of another branch brings it along otherwise.
 */
export function planTags(
  ours: readonly LocalTag[],
  theirs: ReadonlyMap<string, string>,
  names: { readonly machine: string; readonly remote: string },
  isOurs: (oid: string) => boolean,
): TagPlan {
  const local = new Map(ours.map((tag) => [tag.ref, tag]));
  const fetch: { ref: string; oid: string }[] = [];
  for (const [ref, oid] of theirs) {
    if (!isMilestone(ref) || ours.some((tag) => tag.oid === oid && isSameName(tag.ref, ref)) || !isOurs(oid)) continue;
    const free = freeName(ref, names.remote, (name) => local.has(name) && local.get(name)!.oid !== oid);
    if (!local.has(free)) fetch.push({ ref: free, oid });
  }
  const push: RefCommand[] = [];
  for (const { ref, oid } of ours) {
    if (
      !isMilestone(ref) ||
      [...theirs].some(([name, other]) => other === oid && isSameName(name, ref)) ||
      !isOurs(oid)
    )
      continue;
    const free = freeName(ref, names.machine, (name) => theirs.has(name));
    push.push({ ref: free, from: null, to: oid });
  }
  return { fetch, push };
}

/** A name, or one that got a suffix because it was taken. */
const isSameName = (a: string, b: string): boolean => a === b || a.startsWith(`${b}-`) || b.startsWith(`${a}-`);

function freeName(ref: string, suffix: string, isTaken: (ref: string) => boolean): string {
  if (!isTaken(ref)) return ref;
  const plain = suffix.replace(/[^A-Za-z0-9-]+/g, '-').replace(/^-+|-+$/g, '') || 'machine';
  for (let number = 1; ; number += 1) {
    const name = `${ref}-${plain}${number === 1 ? '' : `-${number}`}`;
    if (!isTaken(name)) return name;
  }
}
