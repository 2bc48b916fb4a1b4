// Objects that are torn, missing or cut: which they are, and that each costs itself alone. A call that meets a damaged file is begun again
// without it, and history goes on beside a damaged commit or folder. The answer names what is damaged.

import { count } from '../base/count.ts';
import { defined, MemoryError, orElse } from '../base/errors.ts';
import { oncePer } from '../base/once-per.ts';
import type { Damage } from '../base/types.ts';
import type { StoredBytes } from './codec.ts';
import { hashObject } from './git/object-codec.ts';
import type { Repository } from './git/repository.ts';
import { onlyGrows } from './merge/growth.ts';
import { kindOf } from './records/kind.ts';

/** From so many on, a call that meets one after the other has all files looked at. */
const surveyFrom = 3;

const remoteHint = '`git fetch --refetch` brings a missing object back from a remote that has it';
const lookHint = '`git memory doctor --fix` looks for its bytes in work tree, index and journal';
const fileHint = `${lookHint}; writing the same content again repairs it, too; ${remoteHint}`;
const historyHint = `\`git memory doctor\` tells what is missing; ${remoteHint}`;

/** What a call that is spared damage goes by. */
interface Sparing {
  /** How often something was written; a call that wrote is not begun again. */
  writes(): number;
  /** The files of the state that is asked. */
  files(): ReadonlyMap<string, string>;
  /** Gives the id of the file or folder that the state has at a path. */
  oidOf(path: string): string | null;
  /** The commit that brought a file, as seen from another one. */
  bringerOf(path: string, from: string): string | null;
}

interface Known {
  readonly damage: Damage;
  /** Its bytes were found elsewhere, so that it can be read all the same. */
  readonly isFound: boolean;
  /** When a call last did without it. */
  seen: number;
}

/** Says that an object cannot be had. */
export const damages = ['OBJECT_CORRUPT', 'OBJECT_MISSING'] as const;

/** Tells whether an error says that an object cannot be had. */
export const isDamage = (error: unknown): error is MemoryError =>
  error instanceof MemoryError && damages.some((code) => code === error.code);

/**
 * Tells whether a write replaces a file whose bytes are lost; `read` is what its rules would look at. What only grows cannot be replaced, for
 * nobody can tell whether it grew: there the error of the read holds.
 */
export function isReplacing(path: string, read: () => unknown): boolean {
  try {
    read();
    return false;
  } catch (error) {
    if (isDamage(error) && !onlyGrows(path) && !['conversation', 'artifact'].includes(kindOf(path))) return true;
    throw error;
  }
}

/** What one process knows to be damaged in a repository. */
export class DamagedFiles {
  /** Object id → path, or nothing for what is no file → what is known. */
  private readonly known = new Map<string, Map<string | undefined, Known>>();
  private readonly repository: Repository;
  /** What answers said, and when: also those that are no objects. */
  private readonly told = new Map<string, { readonly damage: Damage; readonly at: number }>();
  private readonly besides: Damage[] = [];
  private clock = 0;
  /** How many files an answer did not look at, and when. */
  private unseen = { files: 0, at: 0 };
  private found = 0;
  /** What git stores of the bytes of a work tree, where that is known; throws where a key is missing. */
  private stored: (path: string, bytes: Buffer) => Buffer = (_, bytes) => bytes;
  /** Another number wherever other files can be listed. */
  version = 0;

  constructor(repository: Repository) {
    this.repository = repository;
  }

  /** Lets private texts be read from the work tree, too, where they lie open. */
  readAs(stored: (path: string, bytes: Buffer) => Buffer): void {
    this.stored = stored;
  }

  get isEmpty(): boolean {
    return this.known.size === 0;
  }

  /**
   * Reads a file of a state. Damaged bytes are taken from the work tree where they stand there.
   *
   * Throws OBJECT_CORRUPT, OBJECT_MISSING; both name the path.
   */
  read(oid: string, path: string, commit: string | null): StoredBytes {
    const { objects } = this.repository;
    try {
      return objects.readBlob(oid);
    } catch (error) {
      if (!isDamage(error)) throw error;
      const bytes = blobInWorkTree(this.repository, oid, path, (plain) => this.stored(path, plain));
      const state = stateOf(error);
      const why = `its object is ${state}${bytes === null ? '' : '; it was read from the work tree'}`;
      this.note({ path, object: oid, commit, why, hint: fileHint }, bytes !== null);
      if (bytes === null) {
        const what = `${path} cannot be read, for its object ${oid} is ${state}`;
        throw new MemoryError(error.code, what, { where: path, hint: fileHint, cause: error });
      }
      objects.lend(oid, bytes);
      return bytes;
    }
  }

  /** Notes what a walk through history leaves out: a file at a path, or else what a commit was or did. Throws what is no damage. */
  passOver(error: unknown, commit: string | null, path?: string): void {
    if (!isDamage(error)) throw error;
    const { where = commit ?? '' } = error.cause instanceof MemoryError ? error.cause : error;
    const why = `object ${where} is ${stateOf(error)}`;
    this.note(
      { ...defined({ path }), object: where, commit, why, hint: path === undefined ? historyHint : fileHint },
      false,
    );
  }

  /** Gives what a part of a walk through history finds; null where it is passed over. */
  passed<T>(find: () => T, commit: string | null, path?: string): T | null {
    try {
      return find();
    } catch (error) {
      this.passOver(error, commit, path);
      return null;
    }
  }

  /** Has the next answer tell of something else that was damaged: whoever opens a memory gets none. */
  tell(damage: Damage): void {
    this.besides.push(damage);
  }

  /** Notes that an answer does without some files, for they are not made ready yet. */
  leave(files: number): void {
    if (files > 0) this.unseen = { files, at: ++this.clock };
  }

  /** How many files answers did not look at since a moment. */
  unseenSince(moment: number): number {
    return this.unseen.at > moment ? this.unseen.files : 0;
  }

  /** Lists refs below a prefix. The next answer names those that cannot be read. */
  refs(prefix: string): { ref: string; oid: string }[] {
    return this.repository.refs.list(prefix, ({ where, what, hint = '' }) =>
      this.tell({ ...defined({ path: where }), commit: null, why: what, hint }),
    );
  }

  /** Tells of an earlier commit that is shown in the place of the newest one: every answer does. */
  private standing(): Damage[] {
    return [...this.repository.refs.standIns.values()].map(({ tip, damage: { what, hint = '' } }) => {
      return { ...(tip === '' ? {} : { object: tip }), commit: null, why: what, hint };
    });
  }

  private note(damage: Damage & { readonly object: string }, isFound: boolean): void {
    const places = this.known.get(damage.object) ?? new Map<string | undefined, Known>();
    this.known.set(damage.object, places);
    const known = places.get(damage.path);
    this.clock += 1;
    if (known !== undefined) {
      known.seen = this.clock;
      return;
    }
    places.set(damage.path, { damage, isFound, seen: this.clock });
    if (isFound) return;
    this.found += 1;
    this.version += 1;
  }

  /** Tells whether a file has to be done without. */
  lacks(oid: string, path: string): boolean {
    const places = this.known.get(oid);
    if (places === undefined) return false;
    const [first] = places.values();
    if (!places.has(path)) places.set(path, { ...first!, damage: { ...first!.damage, path } });
    return !first!.isFound;
  }

  /** Takes bytes that somebody brings for a file: where a damaged object held just these, they are read in its place. */
  offer(oid: string | null, bytes: Buffer): void {
    if (oid === null || !this.known.has(oid) || hashObject('blob', bytes) !== oid) return;
    this.repository.objects.lend(oid, bytes);
    this.forget(oid);
  }

  private forget(oid: string): void {
    this.known.delete(oid);
    this.version += 1;
  }

  /** Forgets what can be read again, since somebody repaired it. */
  private look(): void {
    for (const oid of this.known.keys()) {
      try {
        this.repository.objects.read(oid);
        this.forget(oid);
      } catch (error) {
        if (!(error instanceof MemoryError)) throw error;
      }
    }
  }

  /**
   * Runs a call about a state. What it throws because of a file that nobody knew to be damaged begins it again without that one, unless
   * it wrote something before. An answer that is an object of data, or a list, tells as `damaged` what the state lacks and what was passed over.
   * As `unseen` it says how many files were not looked at.
   */
  async sparing<T>(call: () => T | Promise<T>, state: Sparing): Promise<T> {
    this.look();
    const begun = this.clock;
    const written = state.writes();
    for (let attempt = 1; ; attempt++) {
      const { found } = this;
      try {
        const answer = await call();
        const damaged = [
          ...this.standing(),
          ...(this.isEmpty ? [] : this.concerning(state, begun)),
          ...(Array.isArray(answer) || isData(answer) ? this.besides.splice(0) : []),
        ];
        const unseen = this.unseenSince(begun);
        for (const one of damaged) this.told.set(`${one.path} ${one.object}`, { damage: one, at: ++this.clock });
        return Array.isArray(answer) || isData(answer) ? (withDamage(answer, damaged, unseen) as T) : answer;
      } catch (error) {
        if (this.found === found || state.writes() !== written) throw this.explained(error, state, begun);
        if (attempt === surveyFrom) this.survey(state.files());
      }
    }
  }

  /** Says of what is not found where else it may be: in what cannot be read. */
  private explained(error: unknown, state: Sparing, begun: number): unknown {
    if (!(error instanceof MemoryError) || error.code !== 'NOT_FOUND' || this.isEmpty) return error;
    const [first, ...others] = this.concerning(state, begun).filter(({ object = '' }) =>
      [...(this.known.get(object)?.values() ?? [])].some(({ isFound }) => !isFound),
    );
    if (first === undefined) return error;
    const place = `${first.path ?? first.object}${others.length === 0 ? '' : ` or ${count(others.length, 'other place')}`}`;
    const { what, where, hint = 'Check the name' } = error;
    return new MemoryError('NOT_FOUND', what, {
      ...defined({ where }),
      hint: `${hint}; or run \`git memory doctor\`, for it may be in ${place}, which cannot be read`,
      cause: error,
    });
  }

  /** A moment, for {@link toldSince}. */
  get now(): number {
    return this.clock;
  }

  /** Lists what answers had to do without since a moment. */
  toldSince(moment: number): Damage[] {
    return [...this.told.values()].filter(({ at }) => at > moment).map(({ damage }) => damage);
  }

  private survey(files: ReadonlyMap<string, string>): void {
    for (const [path, oid] of files) {
      try {
        this.read(oid, path, null);
      } catch (error) {
        if (!isDamage(error)) throw error;
      }
    }
  }

  /** Lists what a state has at its path, and what was met since a moment. */
  private concerning(state: Sparing, moment: number): Damage[] {
    return [...this.known]
      .flatMap(([oid, places]) => [...places.values()].map((known) => ({ oid, ...known })))
      .filter(({ oid, damage: { path }, seen }) => seen > moment || (path !== undefined && state.oidOf(path) === oid))
      .map(({ damage: { path, commit, ...damage } }) => {
        const from = path === undefined || commit === null ? commit : this.orNull(() => state.bringerOf(path, commit));
        return { ...defined({ path }), ...damage, commit: from ?? commit };
      })
      .sort((a, b) => ((a.path ?? '~') < (b.path ?? '~') ? -1 : 1));
  }

  /** History may be damaged, too. */
  private orNull(find: () => string | null): string | null {
    return orElse(find, null, ...damages);
  }
}

/**
 * Finds the bytes of a blob in the file of the work tree that holds them. Of a private text that lies open there it gives them as `stored`.
 */
export function blobInWorkTree(
  { workTree, disk }: Pick<Repository, 'workTree' | 'disk'>,
  oid: string,
  path: string,
  stored: (plain: Buffer) => Buffer,
): Buffer | null {
  if (workTree === null) return null;
  const names = path.split('/');
  const name = names.pop()!;
  try {
    const bytes = disk.inFolder(workTree, names, false, (folder) => disk.read(`${folder}/${name}`)) ?? null;
    if (bytes === null || hashObject('blob', bytes) === oid) return bytes;
    const encoded = stored(bytes);
    return hashObject('blob', encoded) === oid ? encoded : null;
  } catch (error) {
    // What stands there is something else, such as a folder or a link.
    if (error instanceof MemoryError) return null;
    throw error;
  }
}

const stateOf = ({ code }: MemoryError): string => (code === 'OBJECT_MISSING' ? 'missing' : 'damaged');

/** Adds to an answer what it had to do without; the lines of a log that are damaged by themselves stay in its list. */
export function withDamage(answer: object, damaged: readonly Damage[], unseen: number): object {
  if (damaged.length === 0 && unseen === 0) return answer;
  const { damaged: own = [] } = answer as { readonly damaged?: readonly object[] };
  const lacking = {
    ...(damaged.length === 0 ? {} : { damaged: [...own.filter((one) => !('hint' in one)), ...damaged] }),
    ...(unseen === 0 ? {} : { unseen }),
  };
  return Array.isArray(answer) ? Object.assign([...answer], lacking) : { ...answer, ...lacking };
}

/** Objects with functions or live members are no answers but something to go on with. */
function isData(answer: unknown): answer is object {
  if (answer === null || typeof answer !== 'object' || Object.getPrototypeOf(answer) !== Object.prototype) return false;
  return Object.values(Object.getOwnPropertyDescriptors(answer)).every(
    ({ get, value }) => get === undefined && typeof value !== 'function',
  );
}

/** Gives what is known of an opened repository: one for all its snapshots. */
export const damagedFilesOf = oncePer((repository: Repository) => new DamagedFiles(repository));
