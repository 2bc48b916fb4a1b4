// An export: files are planned from a snapshot by the form that is asked for, compared with what is in the target, and then written.

import { isSystemError, MemoryError, orElse } from '../../base/errors.ts';
import { withoutEndSlash } from '../../base/text.ts';
import { dayOf, millisecondsOf } from '../../base/time.ts';
import type { MemoryRecord } from '../../base/types/stored-types.ts';
import type { ExportOptions, ExportResult, RecordForm } from '../../base/types.ts';
import { leadOf } from '../../core/lifecycle/quoted.ts';
import { ConfigurationReader } from '../../store/configuration-reader.ts';
import type { Disk } from '../../store/git/disk.ts';
import { unsafeFile } from '../../store/git/file-errors.ts';
import { checkPath, foldPath, isGitName } from '../../store/guard/path.ts';
import type { MemoryCatalog } from '../../store/memory-catalog.ts';
import { factPath, formatFact } from '../../store/records/fact-file.ts';
import { parseImportedNote } from '../../store/records/imported-note.ts';
import { formatStoreLine } from '../../store/records/jsonl-store.ts';
import { formatMemory } from '../../store/records/memory-record.ts';
import { formatRelation } from '../../store/records/relation-record.ts';
import type { Snapshot } from '../../store/snapshot.ts';

/** A file to write, below the target. */
export interface ExportFile {
  readonly path: string;
  readonly bytes: Buffer;
}

export interface WrittenFile {
  readonly path: string;
  readonly action: 'write' | 'replace' | 'same';
}

/** A folder that may not be there yet. */
export class ExportTarget {
  /** Absolute, links in what the caller named followed. */
  readonly root: string;
  private readonly disk: Disk;

  /** Throws INVALID_ARGUMENT for a file, and for a place inside a git directory. */
  constructor(disk: Disk, root: string) {
    this.disk = disk;
    this.root = realPathOf(disk, root);
    if (this.root.split('/').some(isGitName)) {
      const hint = 'Name another folder';
      throw new MemoryError('INVALID_ARGUMENT', 'an export cannot go into a git directory', { where: root, hint });
    }
    const stat = disk.stat(this.root);
    if (stat !== null && !stat.isDirectory) {
      const hint = 'Name a folder; it is created if it is missing';
      throw new MemoryError('INVALID_ARGUMENT', 'a file is in the place of the folder', { where: root, hint });
    }
  }

  /** Plans each file. Throws ALREADY_EXISTS for one that differs (unless `overwrite`), INVALID_PATH, UNSAFE_FILE for a link or folder there. */
  plan(files: readonly ExportFile[], overwrite: boolean): WrittenFile[] {
    const names = new Map<string, string>();
    const planned = files.map(({ path, bytes }): WrittenFile => {
      const twin = names.get(foldPath(checkPath(path)));
      if (twin !== undefined)
        throw new MemoryError('CONFLICT', `${twin} and ${path} would be one file`, { where: path });
      names.set(foldPath(path), path);
      const present = this.read(path, bytes.length);
      return { path, action: present === null ? 'write' : present.equals(bytes) ? 'same' : 'replace' };
    });
    const differing = planned.filter(({ action }) => action === 'replace');
    if (differing.length > 0 && !overwrite) {
      const others = differing.length === 1 ? '' : ` and ${differing.length - 1} more`;
      throw new MemoryError('ALREADY_EXISTS', `another ${differing[0]!.path}${others} is there already`, {
        where: this.root,
        hint: 'Export to an empty folder, or with --overwrite',
      });
    }
    return planned.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** Writes a file: beside its place first, then by rename. Throws UNSAFE_FILE where a folder became a link. */
  write({ path, bytes }: ExportFile): void {
    const { disk } = this;
    const { folders, name } = split(path);
    disk.makeDirectory(this.root);
    disk.inFolder(this.root, folders, true, (folder) => {
      const temporary = `${folder}/${disk.temporaryName('.git-memory-')}`;
      try {
        disk.writeNew(temporary, [bytes], { sync: false });
        disk.rename(temporary, `${folder}/${name}`);
      } catch (error) {
        disk.removeQuietly(temporary);
        throw error;
      }
    });
  }

  /** Reads what stands there, up to one byte more than is expected. */
  private read(path: string, length: number): Buffer | null {
    const { disk } = this;
    if (disk.stat(this.root) === null) return null;
    const { folders, name } = split(path);
    return disk.inFolder(this.root, folders, false, (folder) => {
      const stat = disk.stat(`${folder}/${name}`);
      if (stat === null) return null;
      if (!stat.isFile) throw unsafeFile(`${this.root}/${path}`);
      return stat.size === length ? disk.read(`${folder}/${name}`) : Buffer.alloc(0);
    });
  }
}

function split(path: string): { folders: string[]; name: string } {
  const folders = path.split('/');
  return { folders, name: folders.pop()! };
}

/** Follows links as far as the path is there; what is missing is added as it was named. */
function realPathOf(disk: Disk, path: string): string {
  if (typeof path !== 'string' || path === '')
    throw new MemoryError('INVALID_ARGUMENT', 'the folder to export to is missing', { where: 'target' });
  const missing: string[] = [];
  for (let rest = withoutEndSlash(path.replaceAll('\\', '/')) || '/'; ; ) {
    try {
      const real = withoutEndSlash(String(disk.fs.realpathSync(rest)).replaceAll('\\', '/'));
      return [real, ...missing].join('/');
    } catch (error) {
      if (!isSystemError(error, 'ENOENT')) throw error;
    }
    const slash = rest.lastIndexOf('/');
    missing.unshift(rest.slice(slash + 1));
    rest = slash <= 0 ? '/' : rest.slice(0, slash);
    if (slash < 0) throw new MemoryError('INVALID_ARGUMENT', 'the folder has to be an absolute path', { where: path });
  }
}

/** What is exported. */
export interface ExportScope {
  readonly snapshot: Snapshot;
  readonly catalog: MemoryCatalog;
  /** The folder of the memory whose files are exported as files. */
  readonly folder: string;
}

/** Files of an export and what could not become one; a function of the snapshot alone. */
export interface ExportPlan {
  readonly files: readonly ExportFile[];
  readonly records: number;
  readonly left: readonly { readonly path: string; readonly why: string }[];
}

const planners: Readonly<Record<RecordForm, (scope: ExportScope) => ExportPlan>> = {
  jsonl: exportJsonl,
  facts: exportFacts,
  markdown: exportMarkdown,
  memories: exportMemoryFolder,
};

/**
 * Exports a snapshot into a folder, which is made if it is missing; what else is in it stays.
 *
 * Throws ALREADY_EXISTS before anything is written, INVALID_ARGUMENT, UNSAFE_FILE and IO. PRIVATE_OPEN is for private texts that would lie
 * open in the work tree, where the next commit finds them. A file that was written before a failure is whole.
 */
export async function exportTo(
  from: { disk: Disk; snapshot: Snapshot; catalog: MemoryCatalog; workTree: string | null },
  target: string,
  options: ExportOptions,
): Promise<ExportResult> {
  const { disk, snapshot, catalog, workTree } = from;
  const { as: form = 'jsonl', path: folder = 'knowledge', overwrite = false, dryRun = false } = options;
  const { signal, onProgress } = options;
  if (!Object.hasOwn(planners, form)) {
    const hint = `Name one of ${Object.keys(planners).join(', ')}`;
    throw new MemoryError('INVALID_ARGUMENT', `${String(form)} is no form of export`, { where: 'as', hint });
  }
  const place = new ExportTarget(disk, target);
  const scope = { snapshot, catalog, folder: withoutEndSlash(folder) };
  const { files, records, left } = planners[form](scope);
  if (workTree !== null && snapshot.privacy.patterns.length > 0 && snapshot.isUnlocked) {
    const open = planners[form]({ ...scope, snapshot: snapshot.withoutPrivate() });
    refuseInside(place.root, new ExportTarget(disk, workTree).root, { files, open: open.files }, snapshot);
  }
  const planned = place.plan(files, overwrite);
  const bytes = new Map(files.map((file) => [file.path, file]));
  const due = planned.filter(({ action }) => action !== 'same');
  for (const [index, { path }] of (dryRun ? [] : due).entries()) {
    if (index % 100 === 0) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      signal?.throwIfAborted();
      onProgress?.({ done: index, total: due.length });
    }
    place.write(bytes.get(path)!);
  }
  onProgress?.({ done: due.length, total: due.length });
  return { form, target: place.root, commit: snapshot.commit, files: planned, records, left };
}

/** Private texts leave the memory at the wish of who has the key; an open copy within it would be committed. */
function refuseInside(
  root: string,
  workTree: string,
  { files, open }: { readonly files: readonly ExportFile[]; readonly open: readonly ExportFile[] },
  { privacy }: Snapshot,
): void {
  if (!`${root}/`.startsWith(`${workTree}/`)) return;
  const harmless = new Map(open.map(({ path, bytes }) => [path, bytes]));
  const found = files
    .filter(({ path, bytes }) => harmless.get(path)?.equals(bytes) !== true)
    .map(({ path }) => `${root}/${path}`.slice(workTree.length + 1))
    .find((path) => !privacy.isPrivate(path));
  if (found === undefined) return;
  const hint = 'Nothing was written. Name a folder outside the memory, or a private one';
  throw new MemoryError('PRIVATE_OPEN', `anyone could read the private texts in ${found}`, { where: root, hint });
}

/** Plans a file for each memory and each entity; relations have no place in that layout and are named. */
function exportFacts({ catalog, snapshot }: ExportScope): ExportPlan {
  const factOf = (record: MemoryRecord) => ({ path: factPath(record), bytes: Buffer.from(formatFact(record)) });
  const memories = catalog.stored(snapshot).map(({ record }) => factOf(record));
  const entities: ExportFile[] = [];
  for (const path of snapshot.list('knowledge/').keys()) {
    const [, folder, name] = /^knowledge\/(people|projects|entities)\/([^/]+\.md)$/.exec(path) ?? [];
    if (name === undefined) continue;
    const type = folder === 'people' ? 'person-' : folder === 'projects' ? 'project-' : '';
    entities.push({ path: `entities/${type}${name}`, bytes: snapshot.read(path)! });
  }
  const relations = catalog.relations(snapshot).map(({ path }) => ({ path, why: 'fact files know no relations' }));
  return {
    files: [...memories, ...entities],
    records: memories.length + entities.length,
    left: [...catalog.problems(snapshot), ...relations],
  };
}

function exportMarkdown({ snapshot, folder }: ExportScope): ExportPlan {
  const files: ExportFile[] = [];
  for (const path of snapshot.list(`${folder}/`).keys()) {
    const bytes = snapshot.read(path)!;
    const place = path.slice(folder.length + 1);
    const note = path.endsWith('.md') ? parseImportedNote(bytes.toString('utf8'), path) : null;
    if (note === null || !isFileName(note.name)) files.push({ path: place, bytes });
    else files.push({ path: place.replace(/[^/]*$/, () => note.name), bytes: Buffer.from(note.text) });
  }
  return { files, records: files.length, left: [] };
}

/** Plans the same, and beside it the memories that are active as lists, a file for each kind: an agent reads them without us. */
function exportMemoryFolder(scope: ExportScope): ExportPlan {
  const whole = exportMarkdown(scope);
  // What the nights did is no knowledge.
  const files = whole.files.filter(({ path }) => !path.startsWith('consolidation-reports/'));
  const kinds = new Map<string, MemoryRecord[]>();
  for (const { record } of scope.catalog.stored(scope.snapshot)) {
    if (record.status !== 'active' && record.status !== 'schema') continue;
    const kind = record.category ?? 'memory';
    kinds.set(kind, [...(kinds.get(kind) ?? []), record]);
  }
  const { timezone } = new ConfigurationReader().of(scope.snapshot);
  const lists = [...kinds].map(([kind, memories]) => {
    return { path: `remembered/${kind}.md`, bytes: Buffer.from(listOf(kind, memories, timezone)) };
  });
  const count = [...kinds.values()].flat().length;
  const problems = scope.catalog.problems(scope.snapshot);
  return { files: [...files, ...lists], records: files.length + count, left: [...whole.left, ...problems] };
}

function listOf(kind: string, memories: readonly MemoryRecord[], timeZone: string): string {
  const byAge = [...memories].sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
  const indented = (content: string) => content.trim().replaceAll('\n', '\n  ');
  const items = byAge.map((record) => {
    const { createdAt, content, due, subject, attribute, statement, sources = [] } = record;
    // Of a quote the subject is who says it.
    const isQuote = sources.some(({ turn }) => turn !== undefined) && (attribute ?? statement) === undefined;
    const lead = leadOf(dayOf(millisecondsOf(createdAt), timeZone), isQuote ? subject : undefined);
    return `- ${lead}${indented(content)}${due === undefined ? '' : ` (due ${due})`}`;
  });
  return `# ${kind[0]!.toUpperCase()}${kind.slice(1)}\n\n${items.join('\n')}\n`;
}

/** What a note says it was called is somebody's text. */
const isFileName = (name: string): boolean => orElse(() => !checkPath(name).includes('/'), false);

function exportJsonl({ catalog, snapshot }: ExportScope): ExportPlan {
  const memories = catalog.stored(snapshot).map(({ record }) => ({ id: record.id, json: formatMemory(record) }));
  const relations = catalog.relations(snapshot).map(({ record }) => ({ id: record.id, json: formatRelation(record) }));
  const store = (records: { id: string; json: string }[]) => {
    const lines = records.sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ json }) => formatStoreLine(json));
    return Buffer.from(lines.join(''));
  };
  return {
    files: [
      { path: 'memories.jsonl', bytes: store(memories) },
      { path: 'relations.jsonl', bytes: store(relations) },
    ],
    records: memories.length + relations.length,
    left: catalog.problems(snapshot),
  };
}
