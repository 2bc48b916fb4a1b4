// What a remote lacks of a history, as packs: one after the other, and behind each of them it holds a whole history.
//
//     has ◄── 1 ◄── 2 ◄── 3 ◄── 4 ◄── tip      first parents; what else a commit of them needs goes with it
//             └─ slice ─┘ └─ slice ─┘

import { MemoryError } from '../../base/errors.ts';
import type { NewObject } from '../../store/git/object-codec.ts';
import type { ObjectDatabase } from '../../store/git/object-database.ts';
import { formatPack, formatPackEntry, type PackEntry } from '../../store/git/pack-format.ts';
import { maxTreeDepth } from '../../store/guard/limits.ts';
import { parentsFirst } from './parents-first.ts';

/** How much goes at once: what breaks off loses seconds of a slow line, and a server gets few packs. */
export const sliceBytes = 4 << 20;

/** A part of what a remote lacks. */
export interface PushSlice {
  /** The commit that the remote can hold when it has this slice and those before. */
  readonly tip: string;
  /** How many commits it brings. */
  readonly commits: number;
  /** Whether no slice can be smaller: it is one commit of the first parents, with what that merges. */
  readonly isSmallest: boolean;
  readonly pack: Buffer;
}

/**
 * Formats the commits and what they hold that their parents do not hold at the same place. Slices have at most `maxBytes` where single
 * commits are no larger.
 *
 * `commits` are those behind the tip that the remote does not have; without any there is one slice of nothing. Objects `besides`, such as
 * annotated tags, go with the last. A slice is formatted when it
 * is asked for, so that one is held in memory at a time.
 */
export function* slicesOf(
  objects: ObjectDatabase,
  tip: string,
  commits: readonly string[],
  maxBytes: number,
  besides: readonly string[] = [],
): Generator<PushSlice, void> {
  const steps = new Set(firstParents(objects, tip, new Set(commits)));
  const sent = new Set<string>();
  let open: Part = { tip, commits: 0, steps: 0, bytes: 0, entries: [] };
  let step: PackEntry[] = [];
  let count = 0;
  // From the oldest step on: what comes between two is what the later one needs.
  for (const commit of parentsFirst(objects, [...[...steps].reverse(), ...commits])) {
    for (const object of newIn(objects, commit, sent)) step.push(formatPackEntry(object));
    count += 1;
    if (!steps.has(commit)) continue;
    const bytes = step.reduce((sum, entry) => sum + entry.bytes.length, 0);
    if (open.steps > 0 && open.bytes + bytes > maxBytes) {
      yield sliceOf(open);
      open = { tip, commits: 0, steps: 0, bytes: 0, entries: [] };
    }
    open = {
      tip: commit,
      commits: open.commits + count,
      steps: open.steps + 1,
      bytes: open.bytes + bytes,
      entries: open.entries,
    };
    for (const entry of step) open.entries.push(entry);
    [step, count] = [[], 0];
  }
  for (const oid of besides) open.entries.push(formatPackEntry({ oid, ...objects.read(oid) }));
  yield sliceOf(open);
}

interface Part {
  readonly tip: string;
  readonly commits: number;
  readonly steps: number;
  readonly bytes: number;
  readonly entries: PackEntry[];
}

function sliceOf({ tip, commits, steps, entries }: Part): PushSlice {
  return { tip, commits, isSmallest: steps <= 1, pack: formatPack(entries).pack };
}

function firstParents(objects: ObjectDatabase, tip: string, wanted: ReadonlySet<string>): string[] {
  const line: string[] = [];
  for (
    let oid: string | undefined = tip;
    oid !== undefined && wanted.has(oid);
    [oid] = objects.readCommit(oid).parents
  ) {
    line.push(oid);
  }
  return line;
}

/** Reads a commit and what it holds that its parents do not at the same place, less what was `sent`, and adds it there. */
function newIn(objects: ObjectDatabase, commit: string, sent: Set<string>): NewObject[] {
  const found: NewObject[] = [];
  const add = (oid: string): void => {
    if (sent.has(oid)) return;
    sent.add(oid);
    found.push({ oid, ...objects.read(oid) });
  };
  add(commit);
  const { tree, parents } = objects.readCommit(commit);
  const known = parents.map((parent) => objects.readCommit(parent).tree);
  addTree(objects, tree, known, add, sent, 0);
  return found;
}

function addTree(
  objects: ObjectDatabase,
  tree: string,
  known: readonly string[],
  add: (oid: string) => void,
  sent: ReadonlySet<string>,
  depth: number,
): void {
  if (known.includes(tree) || sent.has(tree)) return;
  if (depth > maxTreeDepth) {
    throw new MemoryError('TOO_LARGE', `a commit has folders deeper than ${maxTreeDepth}`, {
      where: tree,
      hint: 'This is not a commit of a memory; nothing was pushed',
    });
  }
  add(tree);
  const others = known.map((oid) => new Map(objects.readTree(oid).map((entry) => [entry.name, entry])));
  for (const { name, mode, oid } of objects.readTree(tree)) {
    const same = others.flatMap((entries) => entries.get(name) ?? []);
    if (mode === '160000' || same.some((other) => other.oid === oid)) continue;
    const folders = same.filter((other) => other.mode === '40000').map((other) => other.oid);
    if (mode === '40000') addTree(objects, oid, folders, add, sent, depth + 1);
    else add(oid);
  }
}
