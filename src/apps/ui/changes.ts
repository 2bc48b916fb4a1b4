// What changed between two states, by claim and page in place of file and patch; and what each day brought, from the log. Pure.

import { defined } from '../../base/errors.ts';
import { dayOf } from '../../base/time.ts';
import type { DiffFile, DiffResult, LogEntry } from '../../base/types.ts';

export type ChangeKind = 'came' | 'changed' | 'closed' | 'gone' | 'back' | 'used';

/** What happened to one claim. */
export interface ClaimChange {
  readonly kind: ChangeKind;
  readonly id: string;
  /** The words after; those before, where it is gone. Absent where only other fields changed. */
  readonly words?: string;
  readonly wordsBefore?: string;
  readonly category?: string;
  readonly subject?: string;
  readonly confidence?: number;
  readonly due?: string;
  readonly sources: readonly { readonly path: string; readonly turn?: number }[];
  /** The id of what took its place. */
  readonly replacedBy?: string;
  /** Seconds: until when it held. */
  readonly until?: number;
}

/** What happened between two states. */
export interface Changes {
  readonly came: readonly ClaimChange[];
  readonly changed: readonly ClaimChange[];
  /** Each with what took its place, if that came in the same time; it is then not among those that came. */
  readonly closed: readonly (ClaimChange & { readonly by?: ClaimChange })[];
  readonly gone: readonly ClaimChange[];
  readonly back: readonly ClaimChange[];
  readonly used: readonly ClaimChange[];
  readonly pages: readonly DiffFile[];
  readonly talks: readonly DiffFile[];
  /** Files of the engine's own making. */
  readonly others: number;
}

const isKnowledge = (path: string): boolean => path.startsWith('knowledge/') && !path.startsWith('knowledge/journal/');
/** What people read: also the notes of a day. The log of what was done in a session only grows as these do. */
const isPage = ({ path, kind }: DiffFile): boolean => isKnowledge(path) || (kind === 'daily' && path.endsWith('.md'));
const endings = new Set(['superseded', 'archived', 'promoted']);

/** Folds what differs between two states. */
export function foldDiff({ files }: Pick<DiffResult, 'files'>): Changes {
  const claims = files.filter(({ kind, fields }) => kind === 'memory' && fields !== undefined).map(claimChangeOf);
  const of = (kind: ChangeKind): ClaimChange[] => claims.filter((claim) => claim.kind === kind);
  const came = new Map(of('came').map((claim) => [claim.id, claim]));
  const closed = of('closed').map((claim) => {
    const by = claim.replacedBy === undefined ? undefined : came.get(claim.replacedBy);
    return by === undefined ? claim : { ...claim, by };
  });
  for (const { by } of closed as Changes['closed']) if (by !== undefined) came.delete(by.id);
  const pages = files.filter(isPage);
  const talks = files.filter(({ kind }) => kind === 'conversation');
  return {
    came: [...came.values()],
    changed: of('changed'),
    closed,
    gone: of('gone'),
    back: of('back'),
    used: of('used'),
    pages,
    talks,
    others: files.length - claims.length - pages.length - talks.length,
  };
}

function claimChangeOf({ path, change, fields = [] }: DiffFile): ClaimChange {
  const find = (name: string) => fields.find(({ field }) => field === name);
  const after = <T>(name: string): T | undefined => (find(name)?.after ?? undefined) as T | undefined;
  const before = <T>(name: string): T | undefined => (find(name)?.before ?? undefined) as T | undefined;
  const side = change === 'removed' ? before : after;
  const status = after<string>('status');
  const kind: ChangeKind =
    change === 'removed'
      ? 'gone'
      : status !== undefined && endings.has(status)
        ? 'closed'
        : change === 'added'
          ? 'came'
          : status === 'active'
            ? 'back'
            : find('content') !== undefined || find('valid_until') !== undefined
              ? 'changed'
              : 'used';
  const text = (name: string): string | undefined => {
    const value = side<unknown>(name);
    return typeof value === 'string' ? value : undefined;
  };
  return {
    kind,
    id: idOf(path),
    sources: side<ClaimChange['sources']>('sources') ?? [],
    ...defined({
      words: text('content'),
      wordsBefore: change === 'modified' ? before<string>('content') : undefined,
      category: text('category'),
      subject: text('subject'),
      due: text('due'),
      confidence: side<number>('confidence'),
      replacedBy: after<string>('replaced_by') ?? after<string>('superseded_by'),
      until: after<number>('valid_until'),
    }),
  };
}

/** How much there is of each kind of change. */
export type ChangeCounts = Readonly<Record<Exclude<keyof Changes, 'others'> | 'replaced', number>>;

/** Counts each kind. */
export function countsOf(changes: Changes): ChangeCounts {
  const { others: _, ...lists } = changes;
  const counts = Object.fromEntries(Object.entries(lists).map(([kind, { length }]) => [kind, length]));
  const replaced = changes.closed.filter(({ by }) => by !== undefined).length;
  return { ...counts, replaced } as ChangeCounts;
}

/** Puts the files of a difference into the order in which a page shows them: what closed with what took its place, then what came. */
export function inOrder(files: readonly DiffFile[]): readonly DiffFile[] {
  const { closed, came, changed, back, gone, pages, talks, used } = foldDiff({ files });
  const ids = [...closed.flatMap(({ id, by }) => (by === undefined ? [id] : [id, by.id]))];
  for (const claims of [came, changed, back, gone, used]) ids.push(...claims.map(({ id }) => id));
  const rank = new Map(ids.map((id, index) => [id, index]));
  const shown = new Set([...pages, ...talks]);
  const rankOf = (file: DiffFile) => rank.get(idOf(file.path)) ?? (shown.has(file) ? ids.length : ids.length + 1);
  // What is used or weighed anew stands behind all else that is shown.
  const isUsed = new Set(used.map(({ id }) => id));
  const last = (file: DiffFile) =>
    isUsed.has(idOf(file.path)) ? 1 : shown.has(file) || rank.has(idOf(file.path)) ? 0 : 2;
  return [...files].sort((a, b) => last(a) - last(b) || rankOf(a) - rankOf(b));
}

const idOf = (path: string): string => /([^/]+)\.json$/.exec(path)?.[1] ?? path;

/** Says in parts of a sentence what happened; the parts can be joined. */
export function countChanges(
  counts: ChangeCounts,
): readonly { readonly number: number; readonly kind: ChangeKind | 'pages' | 'talks' }[] {
  const { came, changed, closed, gone, back, pages, talks } = counts;
  return [
    { number: came + counts.replaced, kind: 'came' as const },
    { number: closed, kind: 'closed' as const },
    { number: changed, kind: 'changed' as const },
    { number: gone, kind: 'gone' as const },
    { number: back, kind: 'back' as const },
    { number: pages, kind: 'pages' as const },
    { number: talks, kind: 'talks' as const },
  ].filter(({ number }) => number > 0);
}

/** One day of the thread: what came stands above it, what went hangs below. */
export interface ThreadDay {
  readonly day: string;
  readonly up: number;
  readonly down: number;
  readonly commits: number;
}

const losing = new Set(['forget', 'archive', 'expire', 'decay', 'undo', 'purge']);

/** Folds the log into days with something in them, oldest first. */
export function foldLog(commits: readonly LogEntry[], zone: string): readonly ThreadDay[] {
  const days = new Map<string, { day: string; up: number; down: number; commits: number }>();
  for (const { time, operation, trailers, paths, subject } of commits) {
    const day = dayOf(Date.parse(time), zone);
    let entry = days.get(day);
    if (entry === undefined) {
      entry = { day, up: 0, down: 0, commits: 0 };
      days.set(day, entry);
    }
    entry.commits += 1;
    const claims = paths.filter((path) => path.startsWith('memories/')).length;
    const closed = trailers.filter(({ key }) => key === 'Closes').length;
    const isLoss = losing.has(operation ?? '') || /forget|forgot|archive/.test(subject.slice(0, 60));
    if (isLoss) entry.down += claims;
    else if (operation !== 'touch') entry.up += Math.max(0, claims - closed) + paths.filter(isKnowledge).length * 0.5;
    entry.down += isLoss ? 0 : closed;
  }
  return [...days.values()].sort((a, b) => (a.day < b.day ? -1 : 1));
}

/** Says who did it: the agent that is named, else the author. */
export function actorOf({ trailers, author }: LogEntry): string {
  return trailers.find(({ key }) => key === 'Agent')?.value ?? author;
}

/** Gives one trailer of a commit. */
export function trailerOf({ trailers }: LogEntry, name: string): string | undefined {
  return trailers.find(({ key }) => key === name)?.value;
}
