// Private files of a branch. Native git encrypts and decrypts them with us wherever a state has some, whatever brought their rule here.
// They lie open in the work tree where that is so and the key is here. What was committed open is stored encrypted.

import { MemoryError } from '../base/errors.ts';
import { CacheFile } from './cache-file.ts';
import type { Codec } from './codec.ts';
import { hasFilter, readPrivateAttributes } from './file-content.ts';
import type { Repository } from './git/repository.ts';
import { planEncryption } from './open-texts.ts';
import type { Operation } from './operation.ts';
import type { PendingPlacingDependencies } from './pending-placing.ts';
import { noCommit } from './projection.ts';
import { Snapshot } from './snapshot.ts';
import type { ProjectedFile } from './work-tree-files.ts';

/** Tells native git of the filter and of the paths that it has; gives the paths of what was written. Throws LOCKED, and what the disk says. */
export type FilterInstaller = (repository: Repository, patterns: readonly string[]) => readonly string[];

/** Lies in our folder while files of the work tree may be encrypted for want of a key. When the key is here, they are shown anew. */
const lockedMark = 'private-locked';

interface PrivateFilesDependencies extends PendingPlacingDependencies {
  readonly repository: Repository;
  readonly codec: Codec;
  /** Lets native git encrypt private files. Default: nobody does, and they lie encrypted in the work tree. */
  readonly installFilter?: FilterInstaller;
}

export class PrivateFiles {
  private readonly dependencies: PrivateFilesDependencies;
  private readonly repository: Repository;
  /** Native git has just learnt of paths, so that files which no commit touched lie there encrypted. */
  private isNew = false;
  /** The tip in which a flush looked for texts that lie open. */
  private checkedTip: string | null = null;

  constructor(dependencies: PrivateFilesDependencies) {
    this.dependencies = dependencies;
    this.repository = dependencies.repository;
  }

  /** Sees to it that native git encrypts the private paths of the present, and that their files lie open where the key is here. */
  async follow({ privacy }: Snapshot): Promise<void> {
    const { section, checkout, codec } = this.dependencies;
    if (privacy.patterns.length === 0 || !checkout.isCheckedOut()) return;
    if (!this.covers(privacy.patterns)) await section.run(() => this.bring(privacy.patterns));
    const isLocked = codec.holdsKeyOf(privacy) && this.repository.disk.exists(this.markPath);
    if (this.isNew || isLocked) await this.showAgain();
  }

  /** Shows what native git has learnt of with the last commit. */
  async showNew(): Promise<void> {
    if (this.isNew) await this.showAgain();
  }

  /** Shows private files anew: open where native git encrypts with us and the key is here, else as git has them. */
  async showAgain(): Promise<void> {
    const { repository, codec, section, checkout, tip: tipOf, snapshotAt } = this.dependencies;
    await section.run(() => {
      const tip = tipOf();
      if (tip === null || !checkout.isCheckedOut()) return;
      const snapshot = snapshotAt(tip);
      const workTree = checkout.workTree!;
      const { index } = workTree.index();
      const files: ProjectedFile[] = [];
      for (const [path, oid] of new Snapshot(repository, codec, tip).listStored()) {
        const entry = snapshot.privacy.isPrivate(path) ? index.find(path) : null;
        // What a person changed or staged stays, and so does what waits for a commit.
        if (entry === null || entry === 'unmerged' || entry.oid !== oid || snapshot.overlay?.files.has(path)) continue;
        if (workTree.inspect(path)?.oid !== oid) continue;
        const bytes = repository.objects.readBlob(oid);
        const isExecutable = entry.mode === 0o100755;
        if (!workTree.files.isShown(path, bytes)) files.push({ path, oid, bytes, isExecutable });
      }
      section.unsettled(() => workTree.renew(files, { from: tip, to: noCommit }));
      const isHidden = files.some(({ path, bytes }) => !workTree.files.isShown(path, bytes!));
      this.shown(isHidden || !codec.holdsKeyOf(snapshot.privacy));
    });
  }

  /** Plans to store encrypted what native git committed open: a file that nobody changes since is no hand edit. */
  encryptions(): Operation[] {
    const { repository, codec, tip: tipOf } = this.dependencies;
    const tip = tipOf();
    if (tip === null || codec.present.patterns.length === 0) return [];
    const known = this.encryptedAt();
    if (known === tip) return [];
    const since = known !== null && repository.objects.has(known) ? known : null;
    const changes = planEncryption(repository.objects, codec, tip, since);
    this.checkedTip = changes === null ? null : tip;
    if (changes === null || changes.length === 0) return [];
    const subject = 'encrypt what was committed open';
    return [{ kind: 'maintenance', name: 'encrypt', subject, trailers: [], changes, onConflict: 'later' }];
  }

  /** Notes what the flush with them has led to, and no commit that came after it: a cache, which may be lost. */
  noteEncrypted(tip: string | null): void {
    if (this.checkedTip !== null && tip !== null) this.note.replace([Buffer.from(tip)]);
    this.checkedTip = null;
  }

  /**
   * Installs what is missing, before a file may lie open. Where that cannot be done, files stay encrypted and the next commit or opening
   * tries again: nothing that is acknowledged waits for it.
   */
  bring(patterns: readonly string[]): void {
    const { installFilter, logger } = this.dependencies;
    if (patterns.length === 0 || installFilter === undefined) return;
    try {
      if (installFilter(this.repository, patterns).length > 0) this.isNew = true;
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      logger.warn(`private files stay encrypted in the work tree: ${error.message}`);
    }
  }

  /** Tells whether native git knows these paths as private ones. */
  private covers(patterns: readonly string[]): boolean {
    if (this.dependencies.installFilter === undefined) return true;
    if (!hasFilter(this.repository)) return false;
    const known = new Set(readPrivateAttributes(this.repository));
    return patterns.every((pattern) => known.has(pattern));
  }

  /** Notes how the files lie there now: open, or some of them encrypted for want of a key. */
  private shown(isLocked: boolean): void {
    const { disk } = this.repository;
    this.isNew = false;
    if (disk.exists(this.markPath) === isLocked) return;
    if (isLocked) disk.writeNew(this.markPath, [], { sync: false });
    else disk.remove(this.markPath);
  }

  /** Gives a commit in which no private text lies open, as far as that was looked into; null when nobody knows. */
  private encryptedAt(): string | null {
    const text = this.note.read().at(-1)?.toString('latin1') ?? '';
    return /^[0-9a-f]{40}$/.test(text) ? text : null;
  }

  private get note(): CacheFile {
    return new CacheFile(this.repository, 'private-encrypted', 1);
  }

  private get markPath(): string {
    return `${this.repository.ownDirectory}/${lockedMark}`;
  }
}
