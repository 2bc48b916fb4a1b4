// Other memories that are looked into. Each is opened as a memory of its own on a file system that refuses to write, so that nothing of it can
// change. Its answers come back under mounts/<name>/ and say whose they are. Where one cannot be asked, the result says so and the others answer.
//
//     a question ──► our own view ────────────────► hits ─┐
//              └───► each mount, read-only, lazily ► hits ─┴─► by score, ours first among equals, marked ──► the first so many

import { defined, MemoryError } from '../../base/errors.ts';
import { keptIn } from '../../base/once-per.ts';
import type { MountInput, MountProblem, RecallHit, RecallOptions, RecallResult } from '../../base/types.ts';
import type { JudgedHit, RankedHit } from '../../search/index.ts';
import { asMemoryError } from '../../store/git/file-errors.ts';
import type { Repository } from '../../store/git/repository.ts';
import { mountFolder } from '../../store/guard/path.ts';
import { cutMounted, isMountName, type Mount, readMounts, writeMounts } from '../../store/mounts.ts';

/** What is asked of a mounted memory. */
export interface MountedView {
  recall(query: string, options: RecallOptions): Promise<RecallResult>;
}

/** What mounted memories answered. */
export interface MountedHits {
  readonly hits: RecallHit[];
  readonly problems: MountProblem[];
  /** Whether all that answered know probably nothing. */
  readonly probablyNothing: boolean;
}

/** A mounted memory: its present, and its other states. */
export interface MountedMemory<V extends MountedView> {
  at(when: string): Promise<V>;
  close(): Promise<void>;
}

/** What changes the list. */
export interface Changing {
  /** Does a work under the repository lock. */
  locked<T>(work: () => T): Promise<T>;
  /** Whether our own tree has files below a folder. */
  holds(folder: string): boolean;
}

/** The mounts of a repository, as one process asks them. */
export class Mounts<V extends MountedView, M extends V & MountedMemory<V>> {
  private readonly repository: Repository;
  private readonly open: (dir: string) => Promise<M>;
  private readonly opened = new Map<string, Promise<M>>();

  /** `open` opens a folder so that nothing there can be written, and refuses the repository itself. */
  constructor(repository: Repository, open: (dir: string) => Promise<M>) {
    this.repository = repository;
    this.open = open;
  }

  /** Lists what is mounted, by name. Throws INVALID_CONFIG. */
  list(): readonly Mount[] {
    return readMounts(this.repository);
  }

  /** Mounts a memory, after a look into it. Throws INVALID_ARGUMENT, ALREADY_EXISTS, and as opening does. */
  async add({ name, dir, at }: MountInput, { locked, holds }: Changing): Promise<Mount> {
    if (!isMountName(name)) {
      const hint = 'Up to 40 small letters, digits and hyphens, such as team';
      throw new MemoryError('INVALID_ARGUMENT', `${String(name)} is no name for a mount`, { where: 'name', hint });
    }
    if (dir === '' || at === '') {
      throw new MemoryError('INVALID_ARGUMENT', 'a mount names the folder of a memory, and may name a state', {
        where: dir === '' ? 'dir' : 'at',
      });
    }
    const mount = { name, dir, ...defined({ at }) };
    const memory = await this.open(dir);
    try {
      if (at !== undefined) await memory.at(at);
    } finally {
      await memory.close();
    }
    return locked(() => {
      const others = this.list();
      if (others.some((other) => other.name === name) || holds(`${mountFolder}/${name}/`)) {
        const hint = 'Choose another name, or unmount what has it';
        throw new MemoryError('ALREADY_EXISTS', `${mountFolder}/${name} is taken`, { where: 'name', hint });
      }
      writeMounts(this.repository, [...others, mount]);
      return mount;
    });
  }

  /** Takes a mount off the list; the memory stays as it is. Throws NOT_FOUND. */
  async remove(name: string, { locked }: Pick<Changing, 'locked'>): Promise<Mount> {
    await this.leave(name);
    return locked(() => {
      const mounts = this.list();
      const found = mounts.find((mount) => mount.name === name);
      if (found === undefined) throw unknownMount(name, mounts);
      const others = mounts.filter((mount) => mount !== found);
      writeMounts(this.repository, others);
      return found;
    });
  }

  /** Gives the mounted memory that a path leads into, with the path there; null for a path of our own. Throws as opening does. */
  async behind(path: string): Promise<{ readonly view: V; readonly path: string } | null> {
    const place = cutMounted(path);
    const mount = place && this.list().find(({ name }) => name === place.name);
    if (!place || !mount) return null;
    return { view: await this.asked(mount), path: place.path };
  }

  /** Asks all mounts that `paths` does not leave out. */
  async recall(query: string, options: RecallOptions): Promise<MountedHits> {
    const hits: RecallHit[] = [];
    let probablyNothing = true;
    const problems: MountProblem[] = [];
    const { review: _, paths: asked, ...rest } = options;
    for (const mount of this.listed(problems)) {
      const paths = pathsWithin(mount.name, asked);
      if (paths?.length === 0) continue;
      await this.attempt(mount, problems, async () => {
        const view = await this.asked(mount);
        const found = await view.recall(query, { ...rest, ...defined({ paths }) });
        hits.push(...found.hits.map((hit) => marked(hit, mount.name)));
        probablyNothing &&= found.probablyNothing === true;
      });
    }
    return { hits, problems, probablyNothing };
  }

  /** Says of each mount that cannot be asked why. */
  async problems(): Promise<MountProblem[]> {
    const problems: MountProblem[] = [];
    for (const mount of this.listed(problems)) await this.attempt(mount, problems, () => this.asked(mount));
    return problems;
  }

  async close(): Promise<void> {
    for (const name of [...this.opened.keys()]) await this.leave(name);
  }

  /** Notes why a mount cannot be asked, and lets go of it, so that the next question tries anew. */
  private async attempt({ name, dir }: Mount, problems: MountProblem[], ask: () => Promise<unknown>): Promise<void> {
    try {
      await ask();
    } catch (error) {
      await this.leave(name);
      problems.push({ name, dir, why: whyOf(error) });
    }
  }

  /** A list that is no list is one more mount that does not answer. A list that the disk does not give is a failure of the disk. */
  private listed(problems: MountProblem[]): readonly Mount[] {
    try {
      return this.list();
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      problems.push({ name: '', dir: '', why: whyOf(error) });
      return [];
    }
  }

  /** Gives the state of a mount that is to be seen, as it is now. */
  private async asked({ name, dir, at }: Mount): Promise<V> {
    const memory = await keptIn(this.opened, name, () => this.open(dir));
    return at === undefined ? memory : memory.at(at);
  }

  private async leave(name: string): Promise<void> {
    const opened = this.opened.get(name);
    this.opened.delete(name);
    await opened?.then((memory) => memory.close()).catch(() => undefined);
  }
}

/** Puts hits of others among our own: by score, ours first among equals. */
export function withMounted<H extends { readonly score: number }>(
  own: readonly H[],
  others: readonly H[],
): readonly H[] {
  return others.length === 0 ? own : [...own, ...others].sort((a, b) => b.score - a.score);
}

/** Makes of a hit what a context packs. What it shows of the text of another memory is the passage that answers. */
export function asJudged(hit: RecallHit): JudgedHit {
  const { path, session, turn, line, speaker, role, title, snippet, highlights, score, parts } = hit;
  const time = hit.time === undefined ? Number.NaN : Date.parse(hit.time);
  const document: RankedHit['document'] = {
    key: `${path}#${turn ?? line}`,
    path,
    category: hit.category as RankedHit['document']['category'],
    line,
    text: snippet,
    ...defined({ session, turn, speaker, role, title }),
    ...(Number.isNaN(time) ? {} : { time }),
  };
  const { until, replacedBy: by } = hit;
  const ended = { ...(until === undefined ? {} : { until: Date.parse(until) / 1000 }), ...defined({ by }) };
  return {
    hit: { document, snippet, highlights, line, score, parts: parts as unknown as RankedHit['parts'] },
    score,
    passages: [],
    ...(until === undefined && by === undefined ? {} : { ended }),
  };
}

function marked(hit: RecallHit, mount: string): RecallHit {
  const at = (path: string) => `${mountFolder}/${mount}/${path}`;
  const moved = <One extends { readonly path: string }>(some: readonly One[] | undefined) =>
    some?.map((one) => ({ ...one, path: at(one.path) }));
  const beside = { also: moved(hit.also), later: moved(hit.later), sources: moved(hit.sources) };
  return { ...hit, path: at(hit.path), mount, ...defined(beside) };
}

/** What of the asked paths lies within a mount: all of it if none were named, nothing if others were. */
function pathsWithin(name: string, paths: readonly string[] | undefined): string[] | undefined {
  if (paths === undefined) return undefined;
  const root = `${mountFolder}/${name}`;
  if (paths.some((path) => [mountFolder, root].includes(path.replace(/\/+$/, '')))) return undefined;
  return paths.filter((path) => path.startsWith(`${root}/`)).map((path) => path.slice(root.length + 1));
}

function unknownMount(name: string, mounts: readonly Mount[]): MemoryError {
  const hint = mounts.length === 0 ? 'Nothing is mounted' : `There is ${mounts.map((mount) => mount.name).join(', ')}`;
  return new MemoryError('NOT_FOUND', `nothing is mounted as ${name}`, { where: 'name', hint });
}

function whyOf(error: unknown): string {
  const known = asMemoryError(error);
  return known instanceof Error ? known.message : String(known);
}
