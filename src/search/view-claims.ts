// The claims of a view: which memory stands under an id, which were taken from a turn, which gave way to which. Columns of the corpus say
// where to look, so that no more memories are decoded than are asked for.

import type { MemoryRecord } from '../base/types/stored-types.ts';
import { isOver } from '../store/claims/claim.ts';
import { turnsIn } from '../store/records/vitals.ts';
import type { Layout } from './layout.ts';
import type { SearchDocument } from './search-document.ts';
import { flag, severalSources, sourceNumber } from './segment.ts';

/** A memory and the document that recall finds it as. */
export interface Claim {
  readonly record: MemoryRecord;
  readonly document: SearchDocument;
}

/** What is known of the claims of a view. */
export interface Claims {
  /** Whether any claim was taken from a turn. */
  readonly hasTaken: boolean;
  /** Whether any claim ended, or will: where none does, there is nothing to ask. */
  readonly hasEnds: boolean;
  /** Finds a claim by its id. */
  find(id: string): Claim | undefined;
  /** Lists what was taken from turns, each named `path#turn`: turn → claims. */
  takenFrom(turns: ReadonlySet<string>): ReadonlyMap<string, readonly Claim[]>;
  /** Lists the claims whose place the claim with this id took. */
  replacedBy(id: string): readonly Claim[];
}

/** Answers for the view it was made of. */
export class ViewClaims implements Claims {
  readonly #layout: Layout;
  readonly #documentAt: (id: string) => SearchDocument | undefined;
  /** Slots of memories that were taken from turns, by the number of their turn, and of those that ended or will. */
  readonly #taken = new Map<number, number[]>();
  readonly #ending: number[] = [];
  #replaced: Map<string, Claim[]> | undefined;

  /** `documentAt` finds a memory of the view by its id. */
  constructor(layout: Layout, documentAt: (id: string) => SearchDocument | undefined) {
    this.#layout = layout;
    this.#documentAt = documentAt;
    const { flags, sources } = layout.corpus.columns;
    for (let slot = 0; slot < layout.size; slot++) {
      if (layout.fileOf[slot]! < 0) continue;
      const number = sources[slot]!;
      if (number !== 0) {
        const known = this.#taken.get(number);
        if (known === undefined) this.#taken.set(number, [slot]);
        else known.push(slot);
      }
      if ((flags[slot]! & flag.ends) !== 0) this.#ending.push(slot);
    }
  }

  get hasTaken(): boolean {
    return this.#taken.size > 0;
  }

  get hasEnds(): boolean {
    return this.#ending.length > 0;
  }

  find(id: string): Claim | undefined {
    const document = this.#documentAt(id);
    return document === undefined ? undefined : claimOf(document);
  }

  takenFrom(turns: ReadonlySet<string>): Map<string, Claim[]> {
    const numbers = new Set([severalSources, ...[...turns].map(sourceNumber)]);
    const slots = [...numbers].flatMap((number) => this.#taken.get(number) ?? []).sort((one, other) => one - other);
    const taken = new Map<string, Claim[]>();
    for (const slot of slots) {
      const claim = claimOf(this.#layout.document(slot));
      for (const turn of claim === undefined ? [] : turnsIn(claim.record)) {
        if (turns.has(turn)) taken.set(turn, [...(taken.get(turn) ?? []), claim!]);
      }
    }
    return taken;
  }

  replacedBy(id: string): readonly Claim[] {
    this.#replaced ??= this.#byReplacement();
    return this.#replaced.get(id) ?? [];
  }

  #byReplacement(): Map<string, Claim[]> {
    const replaced = new Map<string, Claim[]>();
    for (const slot of this.#ending) {
      const claim = claimOf(this.#layout.document(slot));
      const by = claim?.record.replacedBy;
      if (by !== undefined) replaced.set(by, [...(replaced.get(by) ?? []), claim!]);
    }
    return replaced;
  }
}

/** Tells whether a claim ended, or will at a time that is known already. */
export function endsSometime(record: MemoryRecord): boolean {
  return isOver(record, Number.POSITIVE_INFINITY);
}

function claimOf(document: SearchDocument): Claim | undefined {
  const { record } = document;
  return record === undefined ? undefined : { record, document };
}
