// Doctor looks at what surrounds the memory: what native git would run, hooks of ours and of others, and linked work trees. It looks at
// what is borrowed, replaced or cut, and at the remote as far as it is known here. Nobody is asked, and a remote that is away is no fault.

import { MemoryError } from '../../base/errors.ts';
import { formatSeconds } from '../../base/time.ts';
import { commitsBeyond } from '../../history/index.ts';
import { resolveHint } from '../../store/checkout.ts';
import { isTrue, readConfigFile } from '../../store/git/config-file.ts';
import { resolvePath } from '../../store/git/discovery.ts';
import { unfinishedOperation } from '../../store/git/native-operation.ts';
import { passedHooks } from '../../store/git/passed-hooks.ts';
import { openFolders } from '../../store/git/permissions.ts';
import { findRemote, seenRef } from '../../store/git/remotes.ts';
import type { Repository } from '../../store/git/repository.ts';
import { maxGitConfigBytes, maxLineFileBytes } from '../../store/guard/limits.ts';
import { extentAt } from '../../store/hand-edits.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { type HookScript, type HookState, hookStates } from '../repository/index.ts';
import { lastSync } from '../sync/index.ts';
import type { Examination } from './examination.ts';
import { examineFetches } from './leftovers.ts';

/** What this installation of git-memory puts into a repository. */
export interface OwnInstallation {
  readonly hooks: readonly HookScript[];
  /** The line of `merge.git-memory.driver`. */
  readonly mergeDriver: string;
  /** `core.hooksPath` of the user's own configuration. */
  readonly userHooksPath?: string;
  /** Parts of the program that are not there. */
  readonly missing: readonly string[];
}

/** Keys with which native git runs a program or reads another file; see git-config(1). */
const running = new RegExp(
  `^(?:${[
    'core\\.(?:fsmonitor|sshcommand|hookspath|pager|editor|gitproxy|askpass|alternaterefscommand)',
    'sequence\\.editor|interactive\\.difffilter|uploadpack\\.packobjectshook|alias\\..*|pager\\..*',
    '(?:diff|merge|filter)\\..*\\.(?:command|textconv|driver|clean|smudge|process)|diff\\.external',
    '(?:difftool|mergetool)\\..*\\.cmd|remote\\..*\\.(?:uploadpack|receivepack|vcs)',
    'credential\\..*helper|gpg\\..*program|include\\.path|includeif\\..*\\.path',
  ].join('|')})$`,
);

/** Names what would run when native git is used here; the engine itself runs nothing of a repository. */
export function examineSettings(examination: Examination, repository: Repository, own: OwnInstallation): void {
  for (const part of own.missing)
    examination.find(
      'INSTALLATION',
      part,
      'it is not there',
      'Install git-memory anew: `npm install --global git-memory`',
    );
  const { disk, commonDirectory } = repository;
  const path = `${commonDirectory}/config`;
  const values = readConfigFile(disk, path);
  const keys = [...values.keys()].filter((key) => {
    if (!running.test(key)) return false;
    const value = values.get(key)!.at(-1)!;
    if (key === 'merge.git-memory.driver') return value !== own.mergeDriver;
    return !(key === 'core.fsmonitor' && isSwitch(value));
  });
  if (keys.length > 0)
    examination.find('CONFIG_RUNS', path, `native git runs or reads what these keys name: ${keys.sort().join(', ')}`);
  const ours = new Map(own.hooks.map(({ name, text }) => [name, text]));
  const isOurs = (path: string, name: string): boolean =>
    disk.stat(path)?.isFile === true && disk.readText(path, maxGitConfigBytes) === ours.get(name);
  const hooks = disk.list(`${commonDirectory}/hooks`).filter((name) => {
    const path = `${commonDirectory}/hooks/${name}`;
    return !name.endsWith('.sample') && disk.stat(path)?.isExecutable && !isOurs(path, name);
  });
  if (hooks.length > 0)
    examination.find('HOOKS', `${commonDirectory}/hooks`, `native git runs these hooks: ${hooks.sort().join(', ')}`);
  for (const folder of openFolders(repository))
    examination.find('FOLDER_OPEN', folder, 'any user of this machine may put files there', `\`chmod o-w ${folder}\``);
  if (isTrue(values, 'core.sparsecheckout')) {
    const what = 'only some files are checked out (core.sparseCheckout); the others are not taken for removed';
    examination.find('FILE_LEFT_OUT', path, what);
  }
}

/** Tells whether native git, which has the order to merge the memory with our driver, knows what that is. */
export function examineMergeDriver(
  examination: Examination,
  { disk, commonDirectory }: Repository,
  snapshot: Snapshot,
  isProject: boolean,
): void {
  const local = disk.readText(`${commonDirectory}/info/attributes`, maxGitConfigBytes);
  const attributes = [snapshot.readText('.gitattributes'), local].join('\n');
  const extent = extentAt(isProject, snapshot);
  const path = `${commonDirectory}/config`;
  const isThere = readConfigFile(disk, path).has('merge.git-memory.driver');
  // Into a project no attributes of ours come along with a clone.
  const isWanted = extent !== 'memory' || /^[^#\n]*\smerge=git-memory\s*$/m.test(attributes);
  const isNamed = extent !== 'logged project' || /^\/?CHANGELOG\.md\s.*\bmerge\b/m.test(attributes);
  if (!isWanted || (isThere && isNamed)) return;
  const what = 'native git merges memories as plain text here, with conflicts and markers';
  const hint = '`git memory hooks install` tells it how; a clone does not bring that along';
  examination.find('MERGE_DRIVER', path, what, hint);
}

const isSwitch = (value: string): boolean => /^(?:true|false|yes|no|on|off|0|1|)$/i.test(value);

/** Tells where the history ends early, is replaced for native git, or lies with somebody else. */
export function examineArrangement(examination: Examination, { disk, commonDirectory, objects }: Repository): void {
  if (objects.isShallow)
    examination.find('SHALLOW', `${commonDirectory}/shallow`, 'the history is cut at the boundary of a shallow clone');
  const replaced = disk.list(`${commonDirectory}/refs/replace`).length;
  if (replaced > 0)
    examination.find('REPLACED', `${commonDirectory}/refs/replace`, `native git shows ${replaced} objects as others`);
  if (disk.exists(`${commonDirectory}/info/grafts`))
    examination.find('REPLACED', `${commonDirectory}/info/grafts`, 'native git shows commits with other parents');
  const file = `${commonDirectory}/objects/info/alternates`;
  for (const line of (disk.readText(file, maxGitConfigBytes) ?? '').split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const path = resolvePath(`${commonDirectory}/objects`, line);
    const [code, what, hint] = disk.exists(path)
      ? ([
          'ALTERNATE',
          'objects are borrowed from there; they must not go away',
          '`git repack -a -d` copies them',
        ] as const)
      : ([
          'ALTERNATE_GONE',
          'objects were borrowed from there, and it is gone',
          'Bring it back, or fetch what is missing',
        ] as const);
    examination.find(code, path, what, hint);
  }
}

/** Finds linked work trees whose folder is not there any more, or does not know them. */
export function examineWorkTrees(examination: Examination, { disk, commonDirectory }: Repository): void {
  for (const name of disk.list(`${commonDirectory}/worktrees`)) {
    const folder = `${commonDirectory}/worktrees/${name}`;
    const target = disk.readText(`${folder}/gitdir`, maxLineFileBytes)?.trim();
    if (target !== undefined && disk.stat(resolvePath(folder, target))?.isFile) continue;
    const what = target === undefined ? 'it does not say where the work tree is' : `the work tree is not at ${target}`;
    const hint = 'If it was moved, run `git worktree repair` there; if it is gone for good, `git worktree prune`';
    examination.find('WORK_TREE_GONE', folder, what, hint);
  }
}

/** Tells of a merge, cherry-pick, revert or rebase that native git has stopped at. */
export function examineUnfinished(examination: Examination, repository: Repository): void {
  const operation = unfinishedOperation(repository);
  if (operation === null) return;
  examination.find('MERGE_UNFINISHED', operation.path, `git waits for a ${operation.name} to be finished`, resolveHint);
}

/** Tells of hooks that are missing, and makes those anew that are of another version: nobody but us has written them. */
export function examineOwnHooks(examination: Examination, repository: Repository, own: OwnInstallation): void {
  const states = statesOf(examination, repository, own);
  if (states === null) return;
  const named = (state: string) => states.filter((hook) => hook.state === state).map(({ name }) => name);
  const missing = named('missing');
  const place = `${repository.commonDirectory}/hooks`;
  if (missing.length === states.length) {
    const what = 'what is committed with git is not judged by the rules of the memory';
    examination.find('HOOKS_MISSING', place, what, '`git memory hooks install` lets git keep them');
    return;
  }
  if (missing.length > 0) {
    const what = `of the hooks of git-memory these are not there: ${missing.join(', ')}`;
    examination.find('HOOKS_MISSING', place, what, '`git memory hooks install` puts them there');
  }
  for (const { path, name } of states.filter(({ state }) => state === 'old')) {
    examination.find('HOOKS_OLD', path, 'the hook is of another version of git-memory, or of another place', {
      does: 'put it aside and write the one of this version',
      run: () => {
        const moved = examination.quarantine(path, 'a hook of another version of git-memory');
        const text = own.hooks.find((hook) => hook.name === name)!.text;
        repository.disk.writeNew(path, [Buffer.from(text)], { mode: 0o755 });
        return `written anew; the old one is ${moved}`;
      },
    });
  }
}

/** How our hooks stand; null, and a note, where git takes hooks from a folder that is not of this repository alone. */
function statesOf(examination: Examination, repository: Repository, own: OwnInstallation): HookState[] | null {
  try {
    return hookStates(repository, own.hooks, own.userHooksPath);
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code !== 'UNSUPPORTED_REPOSITORY') throw error;
    examination.find('HOOKS_MISSING', error.where ?? '', error.what, error.hint);
    return null;
  }
}

const rescues = 'refs/git-memory/rescue/';

/** Tells how far the branch is from its remote, what a sync left when it was stopped, and what was kept from being lost. */
export function examineOtherMachines(examination: Examination, repository: Repository, ref: string): void {
  examination.part(() => examineRemote(examination, repository, ref));
  examination.part(() => examineFetches(examination, repository));
  for (const { ref: kept } of repository.refs.list(rescues)) {
    const hint = `\`git memory log --at ${kept}\` shows them; \`git update-ref -d ${kept}\` lets them go once nobody needs them`;
    examination.find('RESCUED', kept, 'it keeps commits that the branch, or its remote, has left', hint);
  }
}

function examineRemote(examination: Examination, repository: Repository, ref: string): void {
  const remote = remoteOf(examination, repository);
  if (remote === null) return;
  const { name, address } = remote;
  const passed = passedHooks(repository.disk, remote);
  if (passed !== null) examination.find('HOOKS_PASSED', name, passed);
  const tip = repository.refs.read(ref);
  const seen = repository.refs.read(seenRef(name, ref));
  const hint = '`git memory sync` brings both in step';
  if (seen === null || tip === null) {
    examination.find('NOT_SYNCED', name, `never in step with ${address.shown} yet`, hint);
    return;
  }
  const ahead = commitsBeyond(repository.objects, tip, [seen]).length;
  const behind = commitsBeyond(repository.objects, seen, [tip]).length;
  if (ahead + behind === 0) return;
  const last = lastSync(repository, name, ref);
  const since = last === null ? '' : `; both were in step ${formatSeconds(Math.floor(last / 1000))}`;
  const places = [...(ahead > 0 ? [`${ahead} ahead`] : []), ...(behind > 0 ? [`${behind} behind`] : [])];
  examination.find('NOT_SYNCED', name, `${places.join(' and ')} of ${address.shown}, in commits${since}`, hint);
}

/** The remote that `sync` would take; null where there is none, or several, or none that we speak to. */
function remoteOf(examination: Examination, repository: Repository): ReturnType<typeof findRemote> | null {
  try {
    return findRemote(repository);
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code === 'IO') throw error;
    if (!['NOT_FOUND', 'AMBIGUOUS'].includes(error.code))
      examination.find('NOT_SYNCED', error.where ?? 'remote', error.what, error.hint);
    return null;
  }
}
