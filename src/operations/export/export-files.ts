// Knowledge as a folder of files: notes as they are, and texts of other programs under the names they came with.

import { checkPath } from '../../guard/path.ts';
import { parseImportedNote } from '../../records/imported-note.ts';
import type { MemoryRecord } from '../../records/types.ts';
import type { ExportFile, ExportPlan, ExportScope } from './target.ts';

/** Plans the files below a folder of the memory. */
export function exportMarkdown({ snapshot, folder }: ExportScope): ExportPlan {
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
export function exportMemoryFolder(scope: ExportScope): ExportPlan {
  const { files, records, left } = exportMarkdown(scope);
  const kinds = new Map<string, MemoryRecord[]>();
  for (const { record } of scope.catalog.stored(scope.snapshot)) {
    if (record.status !== 'active' && record.status !== 'schema') continue;
    const kind = record.category ?? 'memory';
    kinds.set(kind, [...(kinds.get(kind) ?? []), record]);
  }
  const lists = [...kinds].map(([kind, memories]) => ({
    path: `remembered/${kind}.md`,
    bytes: Buffer.from(listOf(kind, memories)),
  }));
  const count = [...kinds.values()].reduce((sum, memories) => sum + memories.length, 0);
  return {
    files: [...files, ...lists],
    records: records + count,
    left: [...left, ...scope.catalog.problems(scope.snapshot)],
  };
}

function listOf(kind: string, memories: readonly MemoryRecord[]): string {
  const items = [...memories]
    .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
    .map(
      ({ content, due }) => `- ${content.trim().replaceAll('\n', '\n  ')}${due === undefined ? '' : ` (due ${due})`}`,
    );
  return `# ${kind[0]!.toUpperCase()}${kind.slice(1)}\n\n${items.join('\n')}\n`;
}

/** What a note says it was called is somebody's text. */
function isFileName(name: string): boolean {
  try {
    return !checkPath(name).includes('/');
  } catch {
    return false;
  }
}
