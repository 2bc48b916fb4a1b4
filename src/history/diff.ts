// Compares two states: files, the fields of records, and the text that git apply takes.

import { isJsonObject } from '../base/canonical-json.ts';
import { attempt, defined, orElse, unreadable } from '../base/errors.ts';
import { oncePerValue } from '../base/once-per.ts';
import type { DiffFile } from '../base/types.ts';
import type { MarkedLines } from '../base/unified-diff.ts';
import { damagedFilesOf } from '../store/damaged-files.ts';
import type { ObjectDatabase } from '../store/git/object-database.ts';
import type { Repository } from '../store/git/repository.ts';
import { diffTrees, findEntry, type TreeDifference } from '../store/git/tree.ts';
import { kindOf } from '../store/records/kind.ts';
import type { Snapshot } from '../store/snapshot.ts';
import { filePatch } from './patch.ts';

const minDigits = 7;

interface DiffQuery {
  /** Only this file, or what is below this folder. */
  readonly path?: string;
  /** Lines of context; default 3. */
  readonly context?: number;
  /** Marks changes word by word: each file has `words` in place of its patch. */
  readonly marked?: MarkedLines;
}

/**
 * Compares two states, `null` for the time before the first commit, file by file in git's order.
 *
 * What is pending in `to` counts; what is pending in `from` does not.
 */
export function diffSnapshots(
  repository: Repository,
  from: Snapshot | null,
  to: Snapshot | null,
  query: DiffQuery = {},
): DiffFile[] {
  const { objects } = repository;
  const abbreviate = abbreviator(objects);
  const fromTree = from?.tree ?? null;
  const committed = changesBelow(objects, fromTree, to?.tree ?? null, query.path);
  const changes = withPending(objects, committed, fromTree, to, query);
  const damage = damagedFilesOf(repository);
  return changes.map((change) => {
    const { path, before, after } = change;
    const isPending = to?.overlay?.files.has(path) === true;
    const read = (side: { readonly oid: string }) =>
      side === after && to !== null ? to.readBlob(side.oid, path) : (from ?? to)!.readBlob(side.oid, path);
    const { context = 3, marked } = query;
    const kind = kindOf(path);
    // A submodule is a commit of another repository, and no record.
    const text = (side: TreeDifference['before']) =>
      side === null || side.mode === '160000' ? null : Buffer.from(read(side)).toString('utf8');
    const shown = (): Omit<DiffFile, 'path' | 'kind' | 'change' | 'before' | 'after' | 'pending'> => {
      const { isBinary, patch, ...lines } = filePatch(change, { context, read, abbreviate, marked });
      const isRecord = (kind === 'memory' || kind === 'relation') && !isBinary;
      const fields = isRecord ? fieldChanges(text(before), text(after)) : null;
      return {
        binary: isBinary,
        ...defined({ fields: fields ?? undefined }),
        ...lines,
        ...(marked ? { words: patch } : { patch }),
      };
    };
    return {
      path,
      kind,
      change: before === null ? 'added' : after === null ? 'removed' : 'modified',
      before,
      after,
      ...(isPending ? { pending: true } : {}),
      // Ids show that it is another file, and no more than that: it is damaged, or private without its key.
      ...(orElse(() => damage.passed(shown, (to ?? from)!.commit, path), null, ...unreadable) ?? {
        binary: true,
        added: 0,
        removed: 0,
        patch: '',
      }),
    };
  });
}

/** Lists the differences of two trees, or of what stands at one path in them. */
function changesBelow(
  objects: ObjectDatabase,
  from: string | null,
  to: string | null,
  path: string | undefined,
): TreeDifference[] {
  if (path === undefined) return diffTrees(from, to, objects.readTreeBytes);
  const [left, right] = [from, to].map((tree) => findEntry(tree, path, objects.readTree));
  if (left?.oid === right?.oid && left?.mode === right?.mode) return [];
  const [leftTree, rightTree] = [left, right].map((entry) => (entry?.mode === '40000' ? entry.oid : null));
  const changes = diffTrees(leftTree ?? null, rightTree ?? null, objects.readTreeBytes).map((change) => ({
    ...change,
    path: `${path}/${change.path}`,
    ...(change.rawPath && { rawPath: Buffer.concat([Buffer.from(`${path}/`), change.rawPath]) }),
  }));
  const [before, after] = [left, right].map((entry) =>
    !entry || entry.mode === '40000' ? null : { mode: entry.mode, oid: entry.oid },
  );
  if (before || after) changes.unshift({ path, before: before ?? null, after: after ?? null });
  return changes;
}

function withPending(
  objects: ObjectDatabase,
  changes: readonly TreeDifference[],
  fromTree: string | null,
  to: Snapshot | null,
  query: DiffQuery,
): readonly TreeDifference[] {
  if (to === null || to.overlay === null || to.overlay.files.size === 0) return changes;
  const found = new Map(changes.map((change) => [change.path, change]));
  const isAsked = (path: string) =>
    query.path === undefined || path === query.path || path.startsWith(`${query.path}/`);
  for (const [path, pending] of to.overlay.files) {
    if (!isAsked(path)) continue;
    const known = found.get(path);
    const entry = known ? known.before : findEntry(fromTree, path, objects.readTree);
    const before = entry && { mode: entry.mode, oid: entry.oid };
    const mode = known?.after?.mode ?? before?.mode ?? '100644';
    const after = pending.oid === null ? null : { mode, oid: pending.oid };
    if (before?.oid !== after?.oid || before?.mode !== after?.mode) found.set(path, { path, before, after });
    else found.delete(path);
  }
  return [...found.values()].sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
}

/** Makes a function that shortens ids to seven digits, or to as many as tell them from every other object of the repository. */
function abbreviator(objects: ObjectDatabase): (oid: string) => string {
  return oncePerValue((oid: string) => {
    const others = objects.withPrefix(oid.slice(0, minDigits)).filter((other) => other !== oid);
    let digits = minDigits;
    while (others.some((other) => other.startsWith(oid.slice(0, digits)))) digits += 1;
    return oid.slice(0, digits);
  });
}

// Compares two versions of a record, field by field, as its file names the fields.

/** One field; undefined where the version has none. Nested fields have a path: `meta.tags`. */
interface FieldChange {
  readonly field: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/**
 * Compares two versions of a JSON record, `null` for none; gives `null` when one is not a JSON object.
 *
 * Objects are looked into, lists are compared as a whole. Fields come in the order of the newer version, what it lost after them.
 */
function fieldChanges(before: string | null, after: string | null): FieldChange[] | null {
  const [left, right] = [before, after].map((text) => (text === null ? {} : parseObject(text)));
  if (!left || !right) return null;
  const changes: FieldChange[] = [];
  try {
    collect(left, right, '', changes);
  } catch (error) {
    // Values that nest deeper than they can be written down; the lines are still compared.
    if (error instanceof RangeError) return null;
    throw error;
  }
  return changes;
}

type JsonObject = Readonly<Record<string, unknown>>;

function collect(left: JsonObject, right: JsonObject, prefix: string, changes: FieldChange[]): void {
  for (const key of new Set([...Object.keys(right), ...Object.keys(left)])) {
    const field = `${prefix}${key}`;
    const before = Object.hasOwn(left, key) ? left[key] : undefined;
    const after = Object.hasOwn(right, key) ? right[key] : undefined;
    const [inner, other] = [asObject(before), asObject(after)];
    // Records are flat but for a level or two; what is made deeper is compared as a whole.
    if (
      prefix.split('.').length < 4 &&
      (inner ?? other) &&
      (inner || before === undefined) &&
      (other || after === undefined)
    ) {
      collect(inner ?? {}, other ?? {}, `${field}.`, changes);
    } else if (JSON.stringify(before) !== JSON.stringify(after)) {
      changes.push({ field, ...defined({ before, after }) });
    }
  }
}

function parseObject(text: string): JsonObject | null {
  // Somebody wrote it by hand; its lines are still compared.
  return attempt(() => asObject(JSON.parse(text)), null);
}

const asObject = (value: unknown): JsonObject | null => (isJsonObject(value) ? value : null);
