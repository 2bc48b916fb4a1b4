// What an import comes to before anything is written: items with their changes, what is there already, and what is left and why.

import { MemoryError } from '../../errors.ts';
import { SecretFilter } from '../../guard/secret-filter.ts';
import { findRedactions } from '../../guard/secrets.ts';
import type { PassItem, PassView } from '../../lifecycle/pass.ts';
import { coreMemoryPath } from '../../records/kind.ts';
import { countLines } from '../../records/knowledge-file.ts';
import { type ChangeLimits, changeLimits, checkChange } from '../../store/change-rules.ts';
import type { ImportNote, Redaction } from '../../types.ts';
import type { EarlierImports } from './earlier-imports.ts';

const shortenHint = '`git memory maintain memory-md` moves what is oldest to the archive';

/** One file that an import makes or changes. */
export interface ImportItem extends PassItem {
  readonly action: 'add' | 'change';
  /** The place in the source: a path below it, and the line where that helps. */
  readonly source: string;
}

export interface ImportSettings {
  /** Take what is another than here. */
  readonly overwrite: boolean;
  /** Leave `last_used` as the source says. */
  readonly keepLastUsed: boolean;
  /** A folder below `knowledge/` for files that have no place of their own. */
  readonly into?: string;
}

/** What planning an import needs. */
export interface ImportContext {
  readonly view: PassView;
  readonly earlier: EarlierImports;
  readonly settings: ImportSettings;
  /** Lets others run, tells how far it is, and throws when it shall end. */
  readonly pace: (done: number, total: number) => Promise<void>;
}

export class ImportPlan {
  readonly items: ImportItem[] = [];
  readonly left: ImportNote[] = [];
  readonly notes: ImportNote[] = [];
  readonly redacted: Redaction[] = [];
  /** What is here already, as it is there. */
  unchanged = 0;
  /** When the newest of what comes in was made, in milliseconds since the Unix epoch. */
  newest: number | null = null;
  readonly filter: SecretFilter;
  private readonly limits: ChangeLimits;
  private readonly snapshot: PassView['snapshot'];
  private seenSecrets = 0;

  constructor({ view }: ImportContext) {
    this.filter = new SecretFilter(view.configuration.secrets);
    this.limits = changeLimits(view.configuration);
    this.snapshot = view.snapshot;
  }

  /** The filter for what goes to a place: a private one keeps its secrets. */
  filterAt(path: string): SecretFilter {
    if (!this.snapshot.privacy.isPrivate(path)) return this.filter;
    return new SecretFilter({ ...this.limits.secrets, mode: 'off' });
  }

  /** Takes a file in, unless a change rule forbids it; the reason is noted then. */
  take(item: { path: string; text: string; source: string; ids?: readonly string[]; isRedacted?: boolean }): void {
    const { path, text, source, ids = [] } = item;
    const before = this.snapshot.oidOf(path);
    const after = Buffer.from(text);
    try {
      checkChange(
        { path, before: this.snapshot.read(path), after },
        { limits: this.limits, mayBeLong: true, secrecy: this.snapshot.privacy.isPrivate(path) ? 'kept' : 'ordinary' },
      );
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      this.left.push({ source, why: error.what });
      return;
    }
    const { maxMemoryLines } = this.limits;
    if (path === coreMemoryPath && countLines(text) > maxMemoryLines) {
      const lines = `has ${countLines(text)} lines, and ${maxMemoryLines} are allowed`;
      this.notes.push({ source, why: `${lines}: it is here whole, and may only get shorter; ${shortenHint}` });
    }
    if (item.isRedacted) {
      this.redacted.push(...findRedactions(text).map(({ kind, line }) => ({ kind, path, line })));
    }
    const action = before === null ? 'add' : 'change';
    this.items.push({
      action,
      ids,
      source,
      why: `it comes from ${source}`,
      changes: [{ path, before, after, isFormatted: true }],
    });
  }

  /** Tells whether secrets were redacted since it was asked last. */
  wasRedacted(): boolean {
    const isNew = this.filter.count > this.seenSecrets;
    this.seenSecrets = this.filter.count;
    return isNew;
  }

  /** Notes when something that comes in was made. */
  date(milliseconds: number): void {
    if (this.newest === null || milliseconds > this.newest) this.newest = milliseconds;
  }
}
