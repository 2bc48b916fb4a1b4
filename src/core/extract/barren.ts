// Remembers which transcripts an extractor found nothing in, so that they are not read again with every run.
// A cache: what it says follows from transcript and extractor alone, and deleting it costs time only.

import { sha256Hex } from '../../base/hash.ts';
import { CacheFile } from '../../store/cache-file.ts';
import type { Repository } from '../../store/git/repository.ts';

const oidBytes = 20;

/** Answers for one extractor and the options that shape what it finds. */
export class BarrenTranscripts {
  private readonly file: CacheFile;
  private readonly known = new Set<string>();

  constructor(repository: Repository, extractor: string, options: unknown) {
    const fingerprint = sha256Hex(`${extractor}\n${JSON.stringify(options)}`).slice(0, 16);
    this.file = new CacheFile(repository, `barren-${fingerprint}`, 1);
    for (const payload of this.file.read()) {
      for (let at = 0; at + oidBytes <= payload.length; at += oidBytes)
        this.known.add(payload.toString('hex', at, at + oidBytes));
    }
  }

  has(blobOid: string): boolean {
    return this.known.has(blobOid);
  }

  /** Adds transcripts by their blob ids; a disk that refuses costs reading them again. */
  add(blobOids: readonly string[]): void {
    const added = blobOids.filter((oid) => !this.known.has(oid));
    if (added.length === 0) return;
    for (const oid of added) this.known.add(oid);
    this.file.append(Buffer.from(added.join(''), 'hex'));
  }
}
