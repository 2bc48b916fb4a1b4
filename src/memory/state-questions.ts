// What can be asked of any state: its files, its configuration, all of it in the form of other tools.

import type { ConfigurationResult, ExportOptions, ExportResult } from '../base/types.ts';
import { notThere } from '../core/write/edits.ts';
import { withoutPrivate } from '../store/derive.ts';
import { shownText } from '../store/forgotten.ts';
import { checkPath } from '../store/guard/path.ts';
import { graphPath } from '../store/records/graph-file.ts';
import { openLoopsPath } from '../store/records/ledger-files.ts';
import { narrativePath } from '../store/records/narrative-file.ts';
import type { Snapshot } from '../store/snapshot.ts';
import type { State } from './state.ts';

/** Makes the text of a file that follows from a log; undefined for any other, and of the past. */
async function followingText({ shared }: Pick<State, 'shared'>, snapshot: Snapshot, path: string) {
  const isPresent = shared.scope === null && snapshot.version === shared.present().version;
  if (!isPresent || !derivedPaths.includes(path)) return undefined;
  const { derivationsOf } = await import('../core/ledger/derivations.ts');
  const files = snapshot.privacy.isPrivate(path) ? snapshot : withoutPrivate(snapshot, snapshot.privacy);
  const wanted = new Set([path]);
  const maker = derivationsOf(shared).find(({ paths }) => paths.includes(path));
  return maker?.derive(files, wanted).get(path);
}

const derivedPaths: readonly string[] = [graphPath, narrativePath, openLoopsPath];

/** Reads the files of a state. */
export function stateQuestions(state: Pick<State, 'shared' | 'current'>) {
  return {
    /** Tells every key of memory.yaml, or those of a name or section: what holds, its default, what it does. Throws NOT_FOUND, INVALID_CONFIG. */
    config: async (name?: string): Promise<ConfigurationResult> =>
      (await import('../core/write/configuration.ts')).configurationOf(state.current(), name),

    /**
     * Reads a file as text, to the letter. With `hideForgotten` it reads `(forgotten)` where a turn of `raw/` was forgotten, as all doors
     * show it, and each line keeps its number. A file of the present that follows from a log is then as the log has it, whatever native git
     * left there. Throws NOT_FOUND, INVALID_PATH.
     */
    async read(path: string, options: { hideForgotten?: boolean } = {}): Promise<string> {
      const text = state.current().readText(checkPath(path));
      if (text === null) throw notThere(state.current(), path);
      if (options.hideForgotten !== true) return text;
      return (await followingText(state, state.current(), path)) ?? shownText(state.current(), path, text, 'forgotten');
    },

    /** Reads a file as bytes, such as an attachment. Throws NOT_FOUND, INVALID_PATH. */
    async readBytes(path: string): Promise<Uint8Array> {
      const bytes = state.current().read(checkPath(path));
      if (bytes !== null) return bytes;
      throw notThere(state.current(), path);
    },

    /** Lists files below a folder, in order of path. */
    files: async (prefix = ''): Promise<string[]> => [...state.current().listNamed(prefix).keys()].sort(),

    /**
     * Writes this state into a folder, in a form that other tools and `import` read; what is pending counts as part of the present.
     *
     * Nothing is written outside the folder, and nothing over a file that differs, unless `overwrite`: ALREADY_EXISTS. The same state
     * gives the same bytes. Throws INVALID_ARGUMENT, INVALID_PATH, UNSAFE_FILE, IO, PRIVATE_OPEN where private texts would lie open in the work tree.
     */
    async export(target: string, options: ExportOptions = {}): Promise<ExportResult> {
      const { exportTo } = await import('../features/export/index.ts');
      const { repository, catalog } = state.shared;
      const { disk, workTree } = repository;
      return exportTo({ disk, snapshot: state.current(), catalog, workTree }, target, options);
    },
  };
}
