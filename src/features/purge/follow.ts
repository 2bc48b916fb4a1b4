// Purging here what was purged elsewhere, as the receipts of that other history tell. Where nothing may be written the outcome is only thought of.
//
//     theirs   a ── b' ── c' ── receipt          what is known there keeps its id
//     ours     a ── b ─── c ─── d        ──►     a ── b' ── c' ── d'      d, without what was purged

import { defined, MemoryError } from '../../base/errors.ts';
import type { GitObject, NewObject } from '../../store/git/object-codec.ts';
import { ObjectOverlay } from '../../store/git/object-overlay.ts';
import { holdsPurged, type PurgeReceipt } from '../../store/records/purge-receipt.ts';
import { planPurge } from './plan.ts';
import { alone, carryOut, type PurgeDependencies } from './purge.ts';
import { type HistorySource, recognise, rewritingOf } from './recognise.ts';

/** A history as it is without what was purged; nothing of it is written. */
export interface CleanHistory {
  /** Gives what a commit, or tag, of the old history is in the clean one; itself where nothing of it was purged. */
  imageOf(oid: string): string;
  /** Reads what is new and what was there. */
  readonly objects: HistorySource;
}

/** What was made on top of a store of objects. */
class Layer implements HistorySource {
  readonly below: HistorySource;
  private readonly made: ReadonlyMap<string, NewObject>;
  private readonly overlay: ObjectOverlay;

  constructor(below: HistorySource, made: ReadonlyMap<string, NewObject>) {
    this.below = below;
    this.made = made;
    this.overlay = new ObjectOverlay(below);
    for (const object of made.values()) this.overlay.add(object);
  }

  has(oid: string): boolean {
    return this.made.has(oid) || this.below.has(oid);
  }

  read(oid: string): GitObject {
    return this.made.get(oid) ?? this.below.read(oid);
  }

  readonly readTree = (oid: string) => this.overlay.readTree(oid);
  readonly readBlob = (oid: string) => this.overlay.readBlob(oid);
  readonly readTreeBytes = (oid: string) => this.overlay.readTreeBytes(oid);
  readonly readCommit = (oid: string) => this.overlay.readCommit(oid);

  *copies() {
    for (const [oid, object] of this.made) yield { oid, where: oid, read: () => object };
    yield* this.below.copies();
  }

  rescanPacks(): void {
    this.below.rescanPacks();
  }

  openPacks() {
    return this.below.openPacks();
  }
}

/** Receipts in the order in which they were given: a later purge went over what an earlier one had left. */
function inOrder(receipts: readonly PurgeReceipt[]): PurgeReceipt[] {
  return [...receipts].sort(
    (a, b) => a.epoch - b.epoch || (a.time < b.time ? -1 : a.time > b.time ? 1 : a.id < b.id ? -1 : 1),
  );
}

/** Thinks of a history without what the receipts say. `known`: what is known already of its commits; see `RewriteRules`. */
export function withoutPurged(
  objects: HistorySource,
  tips: readonly string[],
  receipts: readonly PurgeReceipt[],
  known: ReadonlyMap<string, string>,
): CleanHistory {
  const steps: ((oid: string) => string)[] = [];
  const imageOf = (oid: string) => steps.reduce((current, step) => step(current), oid);
  let source: HistorySource = objects;
  for (const receipt of inOrder(receipts)) {
    const present = tips.map(imageOf);
    const commits = present.filter((oid) => source.read(oid).type === 'commit');
    const scope = recognise(source, commits, receipt);
    if (scope === null) continue;
    const { rewrite } = rewritingOf(source, scope, { ...receipt, known });
    // All at once: what is rewritten later might name commits by ids that others have by then.
    for (const tip of present) rewrite.of(tip);
    steps.push((oid) => rewrite.of(oid));
    source = new Layer(source, rewrite.made);
  }
  return { imageOf, objects: source };
}

/** Throws PURGED where an object holds what was purged: it was written down in a way by which it was not known again. */
export function refuseHolding(objects: readonly GitObject[], receipts: readonly PurgeReceipt[], where: string): void {
  const prints = receipts.flatMap(({ texts }) => texts);
  if (!objects.some(({ data }) => holdsPurged(data.toString('utf8'), prints))) return;
  throw new MemoryError('PURGED', 'it holds purged content in a form that cannot be removed', {
    where,
    hint: 'Nothing was fetched. Purge the content there, by its words, and repeat the call',
  });
}

/**
 * Purges this repository by receipts of another history, whose commits `theirs` it has; they stay what they are. Gives the new ids of
 * commits that have one. What is found nowhere here changes nothing.
 *
 * Throws what a purge throws, and CONFLICT where refs of a code repository hold it.
 */
export async function followPurges(
  dependencies: PurgeDependencies,
  receipts: readonly PurgeReceipt[],
  theirs: readonly string[],
): Promise<Map<string, string>> {
  const { store, placement, now, machine, nextId } = dependencies;
  const { objects, refs } = store.repository;
  const commits = new Map<string, string>();
  const known = new Map(theirs.map((oid) => [oid, oid]));
  for (const receipt of inOrder(receipts)) {
    await alone(dependencies, () =>
      store.rewriting((journal) => {
        const tips = refs.list('refs/').map(({ oid }) => oid);
        const scope = recognise(
          objects,
          tips.filter((oid) => objects.read(oid).type === 'commit'),
          receipt,
        );
        if (scope === null) return;
        const { id, replacement } = receipt;
        const plan = planPurge({
          ...{ store, placement, scope, id, known, machine, now: now(), salt: nextId, allRefs: false },
          ...defined({ replacement }),
          onProgress: () => undefined,
        });
        if (plan.refs.length === 0 && plan.dropped.size === 0 && plan.journals.pending === 0) return;
        if (plan.foreign.length > 0) {
          const what = `refs of the code repository hold what was purged: ${plan.foreign.slice(0, 5).join(', ')}`;
          throw new MemoryError('CONFLICT', what, {
            where: plan.foreign[0]!,
            hint: 'Nothing was changed. `git memory purge --all-refs` removes it from them, too; then repeat the sync',
          });
        }
        carryOut(store, journal, id, plan);
        for (const [from, to] of commits) commits.set(from, plan.rewrite.commits.get(to) ?? to);
        for (const [from, to] of plan.rewrite.commits) commits.set(from, to);
      }),
    );
  }
  return commits;
}
