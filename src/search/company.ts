// How the built-in embedder ranks: which documents keep the company of the words of a query, each with what is said around it, for
// one turn has few words.

import { addScaled, dot, normalise } from '../base/vectors.ts';
import type { Layout } from './layout.ts';
import { type LearntSpace, learn, meetDocuments, type SpaceStore, surroundings } from './learnt-space.ts';

/** A view as its space sees it: by slot, the direction of what is said there and around, as far as somebody asked. */
interface SeenView {
  readonly learnt: LearntSpace;
  readonly isKnown: Uint8Array;
  readonly directions: Float32Array;
}

const seenViews = new WeakMap<object, SeenView>();

function seen(layout: Layout, store: SpaceStore | undefined): SeenView {
  let view = seenViews.get(layout.version);
  if (view === undefined) {
    const learnt = learn(layout, store);
    const room = layout.size * (learnt.space?.dimensions ?? 0);
    view = { learnt, isKnown: new Uint8Array(layout.size), directions: new Float32Array(room) };
    seenViews.set(layout.version, view);
  }
  return view;
}

/** Makes the space of a view, or takes it from a store, ahead of the first question. */
export function prepareCompany(layout: Layout, store: SpaceStore | undefined): void {
  seen(layout, store);
}

/** Finds the directions of documents that have none yet. */
function look({ learnt, isKnown, directions }: SeenView, layout: Layout, slots: ArrayLike<number>): void {
  const windows = new Map<number, readonly [first: number, last: number]>();
  const around = new Set<number>();
  for (let at = 0; at < slots.length; at++) {
    const slot = slots[at]!;
    if (isKnown[slot]) continue;
    const [first, last] = surroundings(layout, slot);
    windows.set(slot, [first, last]);
    for (let near = first; near <= last; near++) around.add(near);
  }
  meetDocuments(learnt, layout, around);
  const { dimensions } = learnt.space!;
  for (const [slot, [first, last]] of windows) {
    const sum = new Float64Array(dimensions);
    for (let near = first; near <= last; near++) addScaled(sum, learnt.vectors.get(near)!, 1);
    directions.set(normalise(sum), slot * dimensions);
    isKnown[slot] = 1;
  }
}

/**
 * Compares a query with a view as the built-in embedder sees it: by the words of the query and those around each document, −1 to 1
 * by slot.
 *
 * Undefined where it knows none of the words, or the view is too small to learn from. The first question to a view makes its space,
 * or takes it from a store.
 */
export function companyOf(
  terms: readonly string[],
  layout: Layout,
  store?: SpaceStore,
): ((slots: ArrayLike<number>) => Float64Array) | undefined {
  const view = seen(layout, store);
  const { space } = view.learnt;
  if (space === undefined) return undefined;
  const query = normalise(space.vectorOf(terms));
  if (query.every((value) => value === 0)) return undefined;
  const { dimensions } = space;
  return (slots) => {
    look(view, layout, slots);
    return Float64Array.from(slots, (slot) =>
      dot(view.directions.subarray(slot * dimensions, (slot + 1) * dimensions), query),
    );
  };
}
