// An export: files are planned from a snapshot, compared with what is in the target, and then written.

import { MemoryError } from '../../errors.ts';
import type { Disk } from '../../git/disk.ts';
import type { MemoryCatalog } from '../../store/memory-catalog.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import type { ExportOptions, ExportResult, RecordForm } from '../../types.ts';
import { exportFacts } from './export-facts.ts';
import { exportMarkdown, exportMemoryFolder } from './export-files.ts';
import { exportJsonl } from './export-jsonl.ts';
import { type ExportFile, type ExportPlan, type ExportScope, ExportTarget } from './target.ts';

const planners: Readonly<Record<RecordForm, (scope: ExportScope) => ExportPlan>> = {
  jsonl: exportJsonl,
  facts: exportFacts,
  markdown: exportMarkdown,
  memories: exportMemoryFolder,
};

/**
 * Exports a snapshot into a folder, which is made if it is missing; what else is in it stays.
 *
 * Throws ALREADY_EXISTS before anything is written, INVALID_ARGUMENT, UNSAFE_FILE, IO, PRIVATE_OPEN for private texts that would lie open in
 * the work tree, where the next commit finds them; a file that was written before a failure is whole.
 */
export async function exportTo(
  {
    disk,
    snapshot,
    catalog,
    workTree,
  }: { disk: Disk; snapshot: Snapshot; catalog: MemoryCatalog; workTree: string | null },
  target: string,
  {
    as: form = 'jsonl',
    path: folder = 'knowledge',
    overwrite = false,
    dryRun = false,
    signal,
    onProgress,
  }: ExportOptions,
): Promise<ExportResult> {
  if (!Object.hasOwn(planners, form)) {
    throw new MemoryError('INVALID_ARGUMENT', `${String(form)} is no form of export`, {
      where: 'as',
      hint: `Name one of ${Object.keys(planners).join(', ')}`,
    });
  }
  const place = new ExportTarget(disk, target);
  const scope = { snapshot, catalog, folder: folder.replace(/\/+$/, '') };
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
  throw new MemoryError('PRIVATE_OPEN', `private texts would lie open in ${found}`, {
    where: root,
    hint: 'Nothing was written. Name a folder outside of the memory, or a private one',
  });
}
