// Where gists are made beside the pass: with a new memory, and again when the content of one is edited.

import { MemoryError } from '../errors.ts';
import { bestGistOf, gistBands, gistLevelOf } from '../lifecycle/gist/gist.ts';
import { type GistItem, type GistPassOptions, gistBackfill } from '../lifecycle/gist/gist-pass.ts';
import type { Configuration } from '../records/configuration.ts';
import { kindOf } from '../records/kind.ts';
import { formatMemory, parseMemory } from '../records/memory-record.ts';
import type { MemoryRecord } from '../records/types.ts';
import type { GistOptions, GistResult } from '../types.ts';
import type { PlannedEdit } from './edits.ts';
import type { PassDependencies } from './run-pass.ts';

/** Gives a memory the gist of its content; one that it has already stays. */
export function withGist(record: MemoryRecord, { level }: Configuration['gist']): MemoryRecord {
  return record.gist === null ? { ...record, gist: bestGistOf(record.content, gistLevelOf(level)) } : record;
}

/** Makes the gist of an edited memory anew, where the edit changed the content and left the gist of the old one. */
export function refreshGist(edit: PlannedEdit, before: string | null, { level }: Configuration['gist']): PlannedEdit {
  if (edit.after === null || before === null || kindOf(edit.path) !== 'memory') return edit;
  const [old, made] = [before, edit.after].map((text) => readMemory(text, edit.path));
  if (!old || !made || old.content === made.content || old.gist !== made.gist) return edit;
  return { ...edit, after: formatMemory({ ...made, gist: bestGistOf(made.content, gistLevelOf(level)) }) };
}

/** What is no record is judged by the change rules, not here. */
function readMemory(text: string, path: string): MemoryRecord | null {
  try {
    return parseMemory(text, path);
  } catch (error) {
    if (error instanceof MemoryError && error.code === 'INVALID_RECORD') return null;
    throw error;
  }
}

/** Makes missing gists, or those asked for anew, and counts what they save. */
export async function makeGists(
  dependencies: PassDependencies,
  { ids, level, all, ...running }: GistOptions,
): Promise<GistResult> {
  const { store, catalog } = dependencies;
  const snapshot = store.snapshot();
  const asked = level === undefined ? undefined : gistLevelOf(level);
  if (asked === null || (asked !== undefined && !Object.hasOwn(gistBands, asked))) {
    throw new MemoryError('INVALID_ARGUMENT', `${JSON.stringify(level)} is no level of gists`, {
      where: 'level',
      hint: 'There are light, moderate, and strong or aggressive',
    });
  }
  const options: GistPassOptions = {
    ...(asked === undefined ? {} : { level: asked }),
    ...(all ? { all } : {}),
    ...(ids === undefined ? {} : { ids: ids.map((id) => catalog.find(snapshot, id).record.id) }),
  };
  // Every write of a memory comes by this file, and few make a pass.
  const { runPass } = await import('./run-pass.ts');
  const result = await runPass<GistPassOptions, GistItem>(dependencies, gistBackfill, options, {
    ...running,
    isByRule: ids === undefined && !all,
  });
  const tokens = result.items.reduce(
    (sum, item) => ({ full: sum.full + item.tokens.full, gists: sum.gists + item.tokens.gist }),
    { full: 0, gists: 0 },
  );
  return { ...result, tokens };
}
