// What an import comes to before anything is written: items with their changes, what is there already, and what is left and why. Where
// something is there already, three versions are compared: what is here, what comes in, what the last import made of it. None is lost.

import { MemoryError } from '../../base/errors.ts';
import { once, oncePerValue } from '../../base/once-per.ts';
import type { ImportNote, Redaction } from '../../base/types.ts';
import type { PassItem, PassView } from '../../core/lifecycle/pass.ts';
import { logOf, undoneCommits } from '../../history/index.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import { type ChangeLimits, changeLimits, checkChange } from '../../store/change-rules.ts';
import { SecretFilter } from '../../store/guard/secret-filter.ts';
import { findRedactions } from '../../store/guard/secrets.ts';
import { coreMemoryPath } from '../../store/records/kind.ts';
import { countLines } from '../../store/records/knowledge-file.ts';

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

interface IncomingFile {
  readonly path: string;
  readonly text: string;
  readonly source: string;
  readonly ids?: readonly string[];
  readonly isRedacted?: boolean;
}

export class ImportPlan {
  readonly context: ImportContext;
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

  constructor(context: ImportContext) {
    const { view } = context;
    this.context = context;
    this.filter = new SecretFilter(view.configuration.secrets);
    this.limits = changeLimits(view.configuration);
    this.snapshot = view.snapshot;
  }

  /** The filter for what goes to a place: a private one keeps its secrets. */
  filterAt(path: string): SecretFilter {
    if (!this.snapshot.privacy.isPrivate(path)) return this.filter;
    return new SecretFilter({ ...this.limits.secrets, mode: 'off' });
  }

  /** Does something with what has a place in the source; why it cannot be done is noted. Throws SECRET where the policy refuses. */
  attempt<Made>(source: string, work: () => Made): Made | null {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof MemoryError) || error.code === 'SECRET') throw error;
      this.left.push({ source, why: error.what });
      return null;
    }
  }

  /** Decides by what is here, what comes in and what an import made of the path before; see {@link decide}. */
  decide(path: string, current: string | null, incoming: string, base: string | undefined) {
    const { earlier, settings } = this.context;
    return decide({ current, incoming, base, wasImported: earlier.has(path) }, settings.overwrite);
  }

  /** Takes a file in, leaves it and notes why, or counts it as unchanged; tells whether it is one to take. */
  settle(item: IncomingFile, current: string | null = this.snapshot.readText(item.path)): boolean {
    const { path, text, source } = item;
    const { take, why } = this.decide(path, current, text, this.context.earlier.textOf(path));
    if (why !== undefined) this.left.push({ source, why });
    else if (take) this.take(item);
    else this.unchanged += 1;
    return take;
  }

  /** Takes a file in, unless a change rule forbids it; the reason is noted then. */
  take(item: IncomingFile): void {
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
    if (item.isRedacted) this.redacted.push(...findRedactions(text).map(({ kind, line }) => ({ kind, path, line })));
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

/** The versions of one thing, as texts that are equal when the things are. */
interface Versions {
  readonly current: string | null;
  readonly incoming: string;
  /** What the last import made of it, if one did. */
  readonly base: string | undefined;
  readonly wasImported: boolean;
}

/**
 * Decides whether what comes in is taken.
 *
 * | here                        | there                 |                                     |
 * |-----------------------------|-----------------------|-------------------------------------|
 * | not there                   |                       | taken                               |
 * | taken out since the import  |                       | left, and said so                   |
 * | the same                    |                       | nothing to do                       |
 * | as the last import left it  | changed since         | taken                               |
 * | changed since the import    | as the last import    | nothing to do                       |
 * | changed, or never imported  | another               | left, and said so                   |
 *
 * With `overwrite` all that is another is taken.
 */
function decide(
  { current, incoming, base, wasImported }: Versions,
  overwrite: boolean,
): { readonly take: boolean; readonly why?: string } {
  if (current === null) {
    if (!wasImported || overwrite) return { take: true };
    return { take: false, why: 'was taken out here since it was imported' };
  }
  if (current === incoming) return { take: false };
  if (overwrite || (base !== undefined && current === base)) return { take: true };
  if (base === incoming) return { take: false };
  const why =
    base === undefined ? 'something else is here already' : 'was changed here and there since it was imported';
  return { take: false, why };
}

/** The `Operation` trailer of imports. */
export const importName = 'import';

/** The imports of a history that nobody took back. */
export type EarlierImports = ReturnType<typeof earlierImports>;

/** Looks for the imports of a history when it is first asked for one. */
export function earlierImports(store: BranchStore, from: string | null) {
  const { repository } = store;
  /** The newest import of each path. */
  const newest = once((): ReadonlyMap<string, string> => {
    const found = new Map<string, string>();
    const { commits } = logOf(repository, from, { operation: importName, limit: Number.POSITIVE_INFINITY });
    if (commits.length === 0) return found;
    const undone = undoneCommits(repository, from!);
    for (const { oid, paths } of commits) {
      if (!undone.has(oid)) for (const path of paths) if (!found.has(path)) found.set(path, oid);
    }
    return found;
  });
  const stateAt = oncePerValue((commit: string) => store.at(commit));
  return {
    /** Tells whether an import made or changed a path. */
    has: (path: string): boolean => newest().has(path),
    /** Gives a file as the newest import of it left it; undefined if none did, or it left none. */
    textOf(path: string): string | undefined {
      const commit = newest().get(path);
      return commit === undefined ? undefined : (stateAt(commit).readText(path) ?? undefined);
    },
  };
}
