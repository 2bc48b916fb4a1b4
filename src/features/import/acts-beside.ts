// What the agent of a conversation did, as the file beside its transcript: paths as the project calls them, edits with where they stand.

import { defined } from '../../base/errors.ts';
import { oncePerValue } from '../../base/once-per.ts';
import type { FileSystem } from '../../base/ports.ts';
import { withoutEndSlash } from '../../base/text.ts';
import { formatTime } from '../../base/time.ts';
import type { ActingTurn } from '../../core/capture/turns.ts';
import type { SecretFilter } from '../../store/guard/secret-filter.ts';
import type { FileChange } from '../../store/operation.ts';
import {
  type Act,
  actsPathOf,
  formatActs,
  formatScene,
  isLocalFolder,
  type Scene,
} from '../../store/records/acts-file.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { type Code, openCode } from '../code/index.ts';
import type { HeadEntry } from './forms/form.ts';

/** What is noted with acts, beside them. */
export interface ActsSettings {
  readonly filter: SecretFilter;
  /** Opens the code of a project; an edit is cited where it has its text. */
  readonly codeOf: (project: string) => Code;
}

/** Opens the code of projects, each once. */
export function codesOn(fs: FileSystem): ActsSettings['codeOf'] {
  return oncePerValue((project: string) => openCode(fs, project));
}

/** Where a session was, and its turns with what was done in them. */
export interface ActingSession {
  readonly head: Pick<HeadEntry, 'project' | 'root' | 'branch'>;
  readonly turns: readonly ActingTurn[];
}

/** Gives the lines of what each turn did, by its place; empty for one that did nothing. With the commit that is checked out where its branch is. */
export function linesOfActs(
  { head, turns }: ActingSession,
  first: number,
  settings: ActsSettings,
): { scene: string; lines: string[] } {
  const { filter, codeOf } = settings;
  if (!turns.some(({ acts }) => acts !== undefined)) return { scene: '', lines: turns.map(() => '') };
  const folder = head.root ?? head.project;
  const code = folder === undefined || !isLocalFolder(folder) ? undefined : codeOf(folder);
  const root = code?.root ?? folder;
  const placed = (act: Act, time: number): Act => {
    if ('run' in act) return act;
    const edit = belowRoot(act.edit, root);
    const text = act.whole;
    // What is in no file any more may be in history.
    const cited =
      text === undefined || code === undefined
        ? undefined
        : (code.cite(edit, { text }) ?? code.cite(edit, { text, since: formatTime(time) }));
    const { whole: _, ...rest } = act;
    return {
      ...rest,
      edit,
      ...(cited === undefined || cited === null ? {} : { cited, ...defined({ line: cited.lines?.from ?? act.line }) }),
    };
  };
  const lines = turns.map(({ acts = [], time }, at) =>
    formatActs(
      first + at,
      time,
      acts.map((act) => filter.passAll(placed(act, time), 'what was done', { isCertain: true })),
    ),
  );
  // What is checked out says where a session was only while its branch is: an old one may be of another.
  const isThere = head.branch !== undefined && head.branch === (code?.branch() ?? 'HEAD');
  const scene: Scene = filter.passAll(
    defined({ project: folder, branch: head.branch, head: isThere ? (code?.head() ?? undefined) : undefined }),
    'where it was done',
    { isCertain: true },
  );
  return { scene: formatScene(scene), lines };
}

function belowRoot(path: string, root: string | undefined): string {
  const folder = root && withoutEndSlash(root.replaceAll('\\', '/'));
  return folder !== undefined && path.startsWith(`${folder}/`)
    ? path.slice(folder.length + 1)
    : path.replace(/^\.\//, '');
}

/** Gives the change that writes acts beside a transcript; none where nothing was done, or where the words are private and this would not be. */
export function actsBeside(transcript: string, snapshot: Snapshot, text: string): FileChange[] {
  const path = actsPathOf(transcript);
  const { isPrivate } = snapshot.privacy;
  if (path === null || text === '' || (isPrivate(transcript) && !isPrivate(path))) return [];
  return [{ path, before: snapshot.oidOf(path), after: Buffer.from(text), isFormatted: true }];
}
