// The remotes of a repository as its own configuration names them, and the refs under which we keep what we last saw of them.

import { attempt, MemoryError, orElse } from '../../base/errors.ts';
import { withLastLineEnded } from '../../base/text.ts';
import { maxGitConfigBytes } from '../guard/limits.ts';
import { checkBranchName, checkRefName } from '../guard/ref-name.ts';
import { type ConfigValues, formatConfigSection, readConfigFile } from './config-file.ts';
import { nativelyLocked } from './native-lock.ts';
import { parseRemoteAddress, type RemoteAddress } from './remote-address.ts';
import type { Repository } from './repository.ts';

export interface Remote {
  readonly name: string;
  readonly address: RemoteAddress;
  /** Where pushes go, when that is elsewhere. */
  readonly pushAddress?: RemoteAddress;
}

/** Gives the ref that tells where a branch of a remote was when we last saw it; only we look at it. */
export function seenRef(remote: string, ref: string): string {
  return checkRefName(`refs/git-memory/remotes/${remote}/${ref.replace(/^refs\/heads\//, '')}`);
}

/** Gives the ref by which native git tells where a branch of a remote was; null where the configuration names no such one. */
export function trackingRef({ disk, commonDirectory }: Repository, remote: string, ref: string): string | null {
  const specs = readConfigFile(disk, `${commonDirectory}/config`).get(`remote.${remote}.fetch`) ?? [];
  return specs.includes(fetchSpec(remote)) ? ref.replace('refs/heads/', `refs/remotes/${remote}/`) : null;
}

const fetchSpec = (remote: string): string => `+refs/heads/*:refs/remotes/${remote}/*`;

/**
 * Lists the commits at which the upstream of a branch was seen last, by native git and by us: what they hold is published. Without an upstream
 * the branch of the same name at `origin` counts.
 */
export function publishedTips({ disk, commonDirectory, refs }: Repository, ref: string): string[] {
  const values = readConfigFile(disk, `${commonDirectory}/config`);
  const name = ref.replace(/^refs\/heads\//, '');
  const upstream = (key: string) => values.get(`branch.${name}.${key}`)?.at(-1);
  const [remote, merge] = [upstream('remote') ?? 'origin', upstream('merge') ?? ref];
  const far = () => [merge.replace('refs/heads/', `refs/remotes/${remote}/`), seenRef(remote, ref)];
  return (remote === '.' ? [merge] : far()).flatMap((one) => orElse(() => refs.read(one), null) ?? []);
}

/** Where lies what a sync kept of what a branch or remote held. */
export const rescueFolder = 'refs/git-memory/rescue/';

/** Gives a ref that keeps a commit which the branch, or the remote, has left. */
export function rescueRef(remote: string, ref: string, commit: string): string {
  return checkRefName(`${rescueFolder}${remote}/${ref.replace(/^refs\/heads\//, '')}/${commit.slice(0, 12)}`);
}

/**
 * Finds the remote that is meant: by name, by address, or the only one there is (`origin` first).
 *
 * An address that no remote has is `isNew`, and called origin. An origin that we wrote and nobody ever reached gives way to it, so that a
 * mistyped address can be given again. Throws NOT_FOUND, AMBIGUOUS, INVALID_ARGUMENT, ALREADY_EXISTS.
 */
export function findRemote(repository: Repository, given?: string): Remote & { readonly isNew?: boolean } {
  const settings = readRemotes(repository);
  const { urls } = settings;
  const place = repository.workTree ?? repository.gitDirectory;
  const parse = (text: string) => parseRemoteAddress(settings.rewrite(text), place);
  const named = (name: string): Remote => {
    checkBranchName(name);
    const pushed = settings.pushUrl(name);
    const address = parse(urls.get(name)!);
    return { name, address, ...(pushed === null ? {} : { pushAddress: parseRemoteAddress(pushed, place) }) };
  };
  if (given === undefined) {
    const [first] = urls.keys();
    if (urls.has('origin')) return named('origin');
    if (first !== undefined && urls.size === 1) return named(first);
    if (first !== undefined) {
      throw new MemoryError('AMBIGUOUS', `the repository has several remotes: ${[...urls.keys()].join(', ')}`, {
        where: 'remote',
        hint: 'Name one of them',
      });
    }
    throw new MemoryError('NOT_FOUND', 'the memory has no remote yet', {
      where: 'remote',
      hint: 'Give its address once: `git memory sync <address>`',
    });
  }
  if (urls.has(given)) return named(given);
  const address = parse(given);
  for (const [name, url] of urls) {
    if (url === given || isSame(settings.rewrite(url), address, place)) return named(name);
  }
  if (!/[:/\\]/.test(given)) {
    const hint = urls.size === 0 ? 'Give its address' : `There is ${[...urls.keys()].join(', ')}`;
    throw new MemoryError('NOT_FOUND', `no remote is called ${given}`, { where: 'remote', hint });
  }
  if (urls.has('origin') && !isUntried(repository, 'origin')) {
    throw new MemoryError('ALREADY_EXISTS', `origin is another address already, and ${address.shown} has no name`, {
      where: 'remote',
      hint: 'Name it: `git remote add <name> <address>`, then `git memory sync <name>`',
    });
  }
  return { name: 'origin', address, isNew: true };
}

/** Whether the configuration has a remote as {@link addRemote} wrote it, and neither we nor native git ever saw a branch there. */
function isUntried(repository: Repository, name: string): boolean {
  const { disk, commonDirectory, refs } = repository;
  const text = disk.readText(`${commonDirectory}/config`, maxGitConfigBytes) ?? '';
  const url = readRemotes(repository).urls.get(name);
  if (url === undefined) return false;
  const [, behind] = text.split(sectionOf(name, url));
  if (behind === undefined || !/^(?:\[|$)/.test(behind)) return false;
  return [`refs/remotes/${name}/`, `refs/git-memory/remotes/${name}/`].every(
    (prefix) => refs.list(prefix).length === 0,
  );
}

function sectionOf(name: string, url: string): string {
  return formatConfigSection(`remote "${name}"`, { url, fetch: fetchSpec(name) });
}

/** Writes a remote into the repository's own configuration, as `git remote add` does, in the place of an untried one. Throws LOCKED. */
export function addRemote(repository: Repository, { name, address }: Remote): void {
  const { disk, commonDirectory } = repository;
  const present = readConfigFile(disk, `${commonDirectory}/config`).get(`remote.${name}.url`)?.at(-1);
  if (present !== undefined && !isUntried(repository, name)) return;
  const url = address.kind === 'http' ? address.url : address.shown;
  addSection(repository, sectionOf(name, url), present === undefined ? '' : sectionOf(name, present));
}

/** Writes which branch of a remote a branch goes with, as `git branch --track` does. Throws LOCKED. */
export function trackBranch(repository: Repository, remote: string, ref: string): void {
  addSection(repository, formatConfigSection(`branch "${ref.replace('refs/heads/', '')}"`, { remote, merge: ref }));
}

function addSection(repository: Repository, section: string, instead = ''): void {
  const { disk, commonDirectory } = repository;
  const path = `${commonDirectory}/config`;
  const text = (disk.readText(path, maxGitConfigBytes) ?? '').replace(instead, '');
  const lock = `${path}.lock`;
  try {
    disk.writeNew(lock, [Buffer.from(`${withLastLineEnded(text)}${section}`)]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw nativelyLocked(repository, lock, 'another program holds the configuration of the repository');
  }
  disk.rename(lock, path);
}

/** Gives the remotes that the repository's own configuration names, each with its address as it stands there. */
export const remoteUrls = (repository: Repository): ReadonlyMap<string, string> => readRemotes(repository).urls;

interface RemoteSettings {
  /** The first address of each remote, as it is written. */
  readonly urls: ReadonlyMap<string, string>;
  /** What an address means: the longest `url.<base>.insteadOf` that it begins with gives way to that base. */
  rewrite(url: string): string;
  /** Where pushes of a remote go, when that is elsewhere: its `pushurl`, or what `url.<base>.pushInsteadOf` makes of its address. */
  pushUrl(name: string): string | null;
}

/** Of the repository's own configuration, as git reads it (git-config(1), `remote` and `url`); the user's is not read. */
function readRemotes({ disk, commonDirectory }: Repository): RemoteSettings {
  const path = `${commonDirectory}/config`;
  const values: ConfigValues = readConfigFile(disk, path);
  const urls = new Map<string, string>();
  const pushUrls = new Map<string, string>();
  const instead = new Map<string, string>();
  const pushInstead = new Map<string, string>();
  for (const [key, all] of values) {
    const [, section, name = '', variable] = /^(remote|url)\.(.+)\.([a-z]+)$/s.exec(key) ?? [];
    if (section === 'remote' && variable === 'url') urls.set(name, all[0]!);
    if (section === 'remote' && variable === 'pushurl') pushUrls.set(name, all[0]!);
    if (section === 'url' && variable === 'insteadof') for (const prefix of all) instead.set(prefix, name);
    if (section === 'url' && variable === 'pushinsteadof') for (const prefix of all) pushInstead.set(prefix, name);
  }
  const rewrite = (url: string) => rewritten(url, instead) ?? url;
  return {
    urls,
    rewrite,
    pushUrl(name) {
      const own = pushUrls.get(name);
      return own === undefined ? rewritten(urls.get(name) ?? '', pushInstead) : rewrite(own);
    },
  };
}

function rewritten(url: string, bases: ReadonlyMap<string, string>): string | null {
  const [prefix] = [...bases.keys()].filter((one) => url.startsWith(one)).sort((a, b) => b.length - a.length);
  return prefix === undefined ? null : bases.get(prefix)! + url.slice(prefix.length);
}

function isSame(url: string, address: RemoteAddress, place: string): boolean {
  // A remote that we would not speak to is another one.
  return attempt(() => parseRemoteAddress(url, place).shown === address.shown, false);
}
