// Finds the histories that programs keep on a machine, by the places that forms name. Reads nothing outside of these, and of a file only its head.

import { defined } from '../../base/errors.ts';
import type { ConversationForm, FoundHistory } from '../../base/types.ts';
import type { Disk } from '../../store/git/disk.ts';
import type { NamedForm, Place } from './forms/form.ts';
import { formOf, forms, surely } from './forms/index.ts';
import { formTitles } from './forms/titles.ts';
import { liesIn, openSource, type Source, type SourceFile } from './source.ts';

/** The machine that is looked at. */
export interface Machine {
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** As Node names it: `linux`, `darwin`, `win32`. */
  readonly platform: string;
  /** The folder that is worked in. */
  readonly project: string;
}

/** Editors of the family of VS Code, by the names of their folders. */
const editors = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'];

/** Gives the folders that the root of a place may stand for on a machine. */
export function rootsOf(
  { root, variable }: Place,
  { home, environment, platform, project }: Machine,
): readonly string[] {
  const named = variable === undefined ? undefined : environment[variable];
  if (named !== undefined && named !== '') return [named];
  const roaming = environment.APPDATA ?? `${home}/AppData/Roaming`;
  const config =
    platform === 'darwin'
      ? `${home}/Library/Application Support`
      : platform === 'win32'
        ? roaming
        : (environment.XDG_CONFIG_HOME ?? `${home}/.config`);
  const data = environment.XDG_DATA_HOME ?? (platform === 'win32' ? roaming : `${home}/.local/share`);
  const [, kind = '', editor] = /^<(\w+)(?::(.*))?>/.exec(root) ?? [];
  const rest = root.replace(/^(?:<[^>]*>|~)/, '');
  if (kind === 'user')
    return (editor === undefined ? editors : [editor]).map((name) => `${config}/${name}/User${rest}`);
  const base = kind === 'config' ? config : kind === 'data' ? data : kind === 'project' ? project : home;
  return [`${base}${rest}`];
}

/** Opens the files of a place below one of its roots; null where there are none. Folders without wildcards are gone down first. */
function openPlace(
  disk: Disk,
  root: string,
  files: string,
): { readonly folder: string; readonly glob: string; readonly source: Source } | null {
  const parts = files.split('/');
  const fixed = parts.findIndex((part, at) => /[*?{]/.test(part) || at === parts.length - 1);
  const folder = [root, ...parts.slice(0, fixed)].join('/');
  const glob = parts.slice(fixed).join('/');
  if (disk.stat(folder)?.isDirectory !== true) return null;
  const source = openSource(disk, folder, glob);
  return source.files.length === 0 ? null : { folder, glob, source };
}

/** Names the programs whose histories lie on a machine; looks at no more than the first file of each that is one. */
export function programsOf(disk: Disk, machine: Machine): string[] {
  const isThere = ({ places, ...form }: NamedForm) =>
    places.some((place) =>
      rootsOf(place, machine).some((root) =>
        openPlace(disk, root, place.files)?.source.files.some(
          (file) => (formOf(file, { places, ...form })?.certainty ?? 0) >= surely,
        ),
      ),
    );
  return Object.values(forms).flatMap((form) => (isThere(form) ? [formTitles[form.name].title] : []));
}

const headBytes = 64 << 10;

/**
 * Lists the histories of a machine, in the order of the forms; of `only`, or of all. A place that cannot be read is passed over. With `within`,
 * files whose head names another folder are no part of it.
 */
export function discover(
  disk: Disk,
  machine: Machine,
  only: readonly ConversationForm[] = [],
  within?: string,
): FoundHistory[] {
  const found: FoundHistory[] = [];
  for (const form of Object.values(forms)) {
    if (only.length > 0 && !only.includes(form.name)) continue;
    for (const place of form.places) {
      for (const root of rootsOf(place, machine)) {
        const opened = openPlace(disk, root, place.files);
        if (opened === null) continue;
        const { folder, glob, source } = opened;
        const isOfProject = place.root.startsWith('<project>');
        const isHere = within === undefined || isOfProject;
        const heads = source.files
          .filter((file) => (formOf(file, form)?.certainty ?? 0) >= surely)
          .map((file) => ({ file, ...headOf(file) }))
          .filter(({ project }) => isHere || project === undefined || liesIn(project, within));
        if (heads.length === 0) continue;
        const { title } = formTitles[form.name];
        const kind = {
          ...(form.isKnowledge === true ? { isKnowledge: true as const } : {}),
          ...(isOfProject ? { isOfProject: true as const } : {}),
        };
        found.push({ form: form.name, title, folder, files: glob, ...spanOf(heads, form), ...kind });
      }
    }
  }
  return found;
}

const anyTime = /\b(20\d\d-\d\d-\d\d)[T ]\d\d:\d\d|\b(1[5-9]\d{8})\d{3}\b/;
const anyFolder = /"(?:cwd|directory|working_dir|workspaceDirectory)"\s*:\s*"((?:[^"\\]|\\.)+)"/;

interface Head {
  readonly file: SourceFile;
  readonly began?: string;
  readonly project?: string;
}

function headOf(file: SourceFile): Omit<Head, 'file'> {
  const head = file.head(headBytes).toString('latin1');
  const [, day, seconds] = anyTime.exec(head) ?? [];
  const began = day ?? (seconds === undefined ? undefined : dayOf(Number(seconds) * 1000));
  const folder = anyFolder.exec(head)?.[1];
  return defined({ began, project: folder?.replace(/\\(.)/g, '$1').replace(/^file:\/\//, '') });
}

function spanOf(
  heads: readonly Head[],
  { sessionOf = (path) => path }: NamedForm,
): Pick<FoundHistory, 'sessions' | 'bytes' | 'from' | 'until' | 'projects'> {
  const last = Math.max(...heads.map(({ file }) => file.modified ?? 0));
  const [from] = heads.flatMap(({ began }) => began ?? []).sort();
  const until = last === 0 ? undefined : dayOf(last);
  return {
    sessions: new Set(heads.flatMap(({ file }) => sessionOf(file.path) ?? [])).size,
    bytes: heads.reduce((sum, { file }) => sum + file.bytes, 0),
    projects: [...new Set(heads.flatMap(({ project }) => project ?? []))].sort(),
    ...defined({ from, until }),
  };
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
