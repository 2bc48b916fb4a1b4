// Memories as fact files, and the knowledge of people, projects and things as entity files (spec 4).

import { factPath, formatFact } from '../../records/fact-file.ts';
import type { ExportFile, ExportPlan, ExportScope } from './target.ts';

/** Plans a file for each memory and each entity; relations have no place in that layout and are named. */
export function exportFacts({ catalog, snapshot }: ExportScope): ExportPlan {
  const memories = catalog
    .stored(snapshot)
    .map(({ record }) => ({ path: factPath(record), bytes: Buffer.from(formatFact(record)) }));
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
