// Small files in the layout of a memory repository, for the tests of search/.

import { sha256Hex } from '../../src/base/hash.ts';
import type { MemoryRecord, Turn } from '../../src/base/types/stored-types.ts';
import { SearchIndex } from '../../src/search/search-index.ts';
import { formatMemory, memoryPath, newMemory } from '../../src/store/records/memory-record.ts';
import { formatTranscript, transcriptPath } from '../../src/store/records/transcript.ts';

/** The time of everything that does not say otherwise. */
export const noon = Date.parse('2026-02-16T12:00:00Z');

/** Makes the path and text of a memory record. */
export function memoryFile(
  id: string,
  content: string,
  changes: Partial<MemoryRecord> & { tags?: readonly string[] } = {},
): [string, string] {
  return [memoryPath(id), formatMemory(newMemory({ id, content, now: noon, ...changes }))];
}

/** Makes the path and text of a closed session; turns are one minute apart unless they say when. */
export function transcriptFile(
  sessionId: string,
  turns: readonly (Partial<Turn> & { readonly text: string })[],
  started = noon,
): [string, string] {
  const spoken = turns.map((turn, at) => ({
    role: at % 2 === 0 ? 'user' : 'agent',
    time: started + at * 60_000,
    ...turn,
  }));
  const transcript = {
    sessionId,
    started,
    ended: spoken.at(-1)?.time ?? started,
    title: `About ${sessionId}`,
    turns: spoken,
  };
  return [transcriptPath(transcript), formatTranscript(transcript)];
}

/** Holds files by content, as a repository does: a listing of paths, and a reader that counts how often it is asked. */
export class Shelf {
  readonly #contents = new Map<string, Uint8Array>();
  reads = 0;

  readonly read = (oid: string): Uint8Array => {
    this.reads += 1;
    return this.#contents.get(oid)!;
  };

  listing(files: Iterable<readonly [string, string]>): Map<string, string> {
    return new Map(
      [...files].map(([path, text]) => {
        const oid = sha256Hex(text).slice(0, 40);
        this.#contents.set(oid, new TextEncoder().encode(text));
        return [path, oid];
      }),
    );
  }
}

/** An index of files. */
export function indexOf(files: Iterable<readonly [string, string]>): SearchIndex {
  const shelf = new Shelf();
  const index = new SearchIndex(shelf.read);
  index.moveTo(shelf.listing(files));
  return index;
}
