// That native git encrypts and decrypts with us wherever a state has private paths, whatever brought their rule here.

import { MemoryError } from '../errors.ts';
import type { Repository } from '../git/repository.ts';
import type { Logger } from '../ports.ts';
import { CacheFile } from './cache-file.ts';
import { hasFilter } from './file-content.ts';
import { readPrivateAttributes } from './private-attributes.ts';

/** Tells native git of the filter and of the paths that it has; gives the paths of what was written. Throws LOCKED, and what the disk says. */
export type FilterInstaller = (repository: Repository, patterns: readonly string[]) => readonly string[];

/** Lies in our folder while files of the work tree may be encrypted for want of a key; when that is here, they are shown anew. */
const lockedMark = 'private-locked';

export class GitFilter {
  private readonly repository: Repository;
  private readonly installer: FilterInstaller | undefined;
  private readonly logger: Logger;
  private isNew = false;

  constructor(repository: Repository, installer: FilterInstaller | undefined, logger: Logger) {
    this.repository = repository;
    this.installer = installer;
    this.logger = logger;
  }

  /** Tells whether native git knows these paths as private ones. */
  covers(patterns: readonly string[]): boolean {
    if (patterns.length === 0 || this.installer === undefined) return true;
    if (!hasFilter(this.repository)) return false;
    const known = new Set(readPrivateAttributes(this.repository));
    return patterns.every((pattern) => known.has(pattern));
  }

  /**
   * Installs what is missing, before a file may lie open. Where that cannot be done, files stay encrypted and the next commit or opening
   * tries again: nothing that is acknowledged waits for it.
   */
  bring(patterns: readonly string[]): void {
    if (patterns.length === 0 || this.installer === undefined) return;
    try {
      if (this.installer(this.repository, patterns).length > 0) this.isNew = true;
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      this.logger.warn(`private files stay encrypted in the work tree: ${error.message}`);
    }
  }

  /** Tells whether files may lie there otherwise than they could be shown. */
  isDue(hasKey: boolean): boolean {
    return this.isNew || (hasKey && this.repository.disk.exists(this.markPath));
  }

  /** Notes how the files lie there now: open, or some of them encrypted for want of a key. */
  shown(isLocked: boolean): void {
    const { disk } = this.repository;
    this.isNew = false;
    if (disk.exists(this.markPath) === isLocked) return;
    if (isLocked) disk.writeNew(this.markPath, [], { sync: false });
    else disk.remove(this.markPath);
  }

  /** Gives a commit in which no private text lies open, as far as that was looked into; null when nobody knows. */
  encryptedAt(): string | null {
    const text = this.note.read().at(-1)?.toString('latin1') ?? '';
    return /^[0-9a-f]{40}$/.test(text) ? text : null;
  }

  /** Notes such a commit: a cache, which may be lost. */
  noteEncrypted(commit: string): void {
    this.note.replace([Buffer.from(commit)]);
  }

  private get note(): CacheFile {
    return new CacheFile(this.repository, 'private-encrypted', 1);
  }

  private get markPath(): string {
    return `${this.repository.ownDirectory}/${lockedMark}`;
  }
}
