// Remembers which transcripts an extractor found nothing in, so that they are not read again with every run.
// A cache: what it says follows from transcript and extractor alone, and deleting it costs time only.

import { sha256Hex } from '../base/hash.ts';
import { privateMode } from '../git/permissions.ts';
import type { Repository } from '../git/repository.ts';

/** Answers for one extractor and the options that shape what it finds. */
export class BarrenTranscripts {
  private readonly path: string;
  private readonly repository: Repository;
  private readonly known: Set<string>;

  constructor(repository: Repository, extractor: string, options: unknown) {
    this.repository = repository;
    const fingerprint = sha256Hex(`${extractor}\n${JSON.stringify(options)}`).slice(0, 16);
    this.path = `${repository.ownDirectory}/cache/barren-${fingerprint}`;
    const lines = (repository.disk.readText(this.path) ?? '').split('\n');
    this.known = new Set(lines.filter((line) => /^[0-9a-f]{40}$/.test(line)));
  }

  has(blobOid: string): boolean {
    return this.known.has(blobOid);
  }

  /** Adds transcripts by their blob ids. Two processes at once keep the list of one of them: the other reads again. */
  add(blobOids: readonly string[]): void {
    const { disk } = this.repository;
    if (blobOids.length === 0) return;
    for (const oid of blobOids) this.known.add(oid);
    disk.makeDirectory(this.path.slice(0, this.path.lastIndexOf('/')), privateMode);
    const temporary = disk.temporaryName(`${this.path}.`);
    disk.writeNew(temporary, [Buffer.from(`${[...this.known].join('\n')}\n`)], { sync: false });
    disk.rename(temporary, this.path);
  }
}
