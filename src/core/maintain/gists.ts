// The pass of gists with all it takes: the level as callers name it, and what it saved.

import { MemoryError } from '../../base/errors.ts';
import type { GistOptions, GistResult } from '../../base/types.ts';
import { gistBands, gistLevelOf } from '../lifecycle/gist/gist.ts';
import { type GistItem, type GistPassOptions, gistBackfill } from '../lifecycle/gist/gist-pass.ts';
import { type RunPorts, runPass } from '../write/run-pass.ts';

/** Makes missing gists, or those asked for anew, and counts what they save. */
export async function makeGists(ports: RunPorts, { ids, level, all, ...running }: GistOptions): Promise<GistResult> {
  const { store, catalog } = ports;
  const snapshot = store.snapshot();
  const asked = level === undefined ? undefined : gistLevelOf(level);
  if (asked === null || (asked !== undefined && !Object.hasOwn(gistBands, asked))) {
    throw new MemoryError('INVALID_ARGUMENT', `${JSON.stringify(level)} is not a level of gists`, {
      where: 'level',
      hint: 'Use light, moderate, strong or aggressive',
    });
  }
  const options: GistPassOptions = {
    ...(asked === undefined ? {} : { level: asked }),
    ...(all ? { all } : {}),
    ...(ids === undefined ? {} : { ids: ids.map((id) => catalog.find(snapshot, id).record.id) }),
  };
  const result = await runPass<GistPassOptions, GistItem>(ports, gistBackfill, options, {
    ...running,
    isByRule: ids === undefined && !all,
  });
  const tokens = result.items.reduce(
    (sum, item) => ({ full: sum.full + item.tokens.full, gists: sum.gists + item.tokens.gist }),
    { full: 0, gists: 0 },
  );
  return { ...result, tokens };
}
