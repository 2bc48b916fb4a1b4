// Many packs as one, made in small steps: entries are copied as they stand, versions of one thing become deltas. Reads only.

import type { Steps } from '../base/steps.ts';
import { MemoryError } from '../errors.ts';
import type { ObjectDatabase } from './object-database.ts';
import { formatWithDeltas, isDeltaCandidate, type PackCandidate } from './pack-deltas.ts';
import { type FormattedPack, formatPackEntry, formatPackInSteps, type PackEntry } from './pack-format.ts';
import type { PackReader, StoredEntry } from './pack-reader.ts';

/** So much is held in memory to look for deltas; the rest is copied as it is. */
const maxCandidateBytes = 128 << 20;
/** Copying so many entries, or inflating so many bytes, takes about as long as one step of other work on packs. */
const entriesPerStep = 8;
const bytesPerStep = 8192;

/** One pack in place of several. */
export interface JoinedPacks {
  readonly formatted: FormattedPack;
  /** Those of the given packs of which it holds everything. */
  readonly packs: readonly PackReader[];
  /** Those that are damaged, of which it holds nothing. */
  readonly damaged: readonly PackReader[];
}

/** What else a joined pack holds, and what it does not. */
export interface JoinOptions {
  readonly besides?: readonly PackEntry[];
  readonly without?: ReadonlySet<string>;
}

/** Formats the pack that holds what several hold, each object once. Throws OBJECT_MISSING when one is gone meanwhile, OBJECT_CORRUPT. */
export function* joinPacks(
  objects: ObjectDatabase,
  packs: readonly PackReader[],
  { besides = [], without = new Set() }: JoinOptions = {},
): Steps<JoinedPacks> {
  const taken = new Set([...besides.map(({ oid }) => oid), ...without]);
  const stored = new Map<string, StoredEntry>();
  const [sound, damaged]: [PackReader[], PackReader[]] = [[], []];
  for (const pack of packs) {
    const entries = yield* readEntries(pack);
    (entries === null ? damaged : sound).push(pack);
    for (const entry of entries ?? []) {
      if (!taken.has(entry.oid) && !stored.has(entry.oid)) stored.set(entry.oid, entry);
      yield 0.02;
    }
  }
  const heights = yield* heightsOf(stored);
  const entries: PackEntry[] = [];
  const candidates: PackCandidate[] = [];
  let candidateBytes = 0;
  for (const { oid, type, size, baseOid, raw, crc } of stored.values()) {
    // A delta whose base comes along stays one; any other is stored whole, since its base may lie elsewhere.
    const isKept = type !== null || (baseOid !== null && stored.has(baseOid));
    const isCandidate = type !== null && isDeltaCandidate(type, size) && candidateBytes + size <= maxCandidateBytes;
    if (isCandidate) {
      candidateBytes += size;
      candidates.push({ oid, ...objects.read(oid), raw, crc, height: heights.get(oid) ?? 0 });
    } else entries.push(isKept ? { oid, bytes: raw, crc } : formatPackEntry({ oid, ...objects.read(oid) }));
    yield isCandidate || !isKept ? 1 + size / bytesPerStep : 0.02;
  }
  const formatted = yield* formatPackInSteps([...besides, ...entries, ...(yield* formatWithDeltas(candidates))]);
  return { formatted, packs: sound, damaged };
}

function* readEntries(pack: PackReader): Steps<StoredEntry[] | null> {
  const entries: StoredEntry[] = [];
  try {
    for (const entry of pack.storedEntries()) {
      entries.push(entry);
      if (entries.length % entriesPerStep === 0) yield 1;
    }
    return entries;
  } catch (error) {
    if (error instanceof MemoryError && error.code === 'OBJECT_CORRUPT') return null;
    throw error;
  }
}

/** Counts for each object the longest row of kept deltas that leads to it. */
function* heightsOf(stored: ReadonlyMap<string, StoredEntry>): Steps<Map<string, number>> {
  const heights = new Map<string, number>();
  for (const entry of stored.values()) {
    let height = 0;
    const seen = new Set<string>();
    // Up the chain, as long as this makes it higher; a damaged pack could name itself as a base.
    for (let base = entry.baseOid; base !== null && !seen.has(base); base = stored.get(base)?.baseOid ?? null) {
      height += 1;
      if ((heights.get(base) ?? 0) >= height) break;
      heights.set(base, height);
      seen.add(base);
    }
    yield 0.02 + height * 0.02;
  }
  return heights;
}
