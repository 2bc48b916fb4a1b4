// A part of a memory: some folders, and memories of some tags. A state seen through it holds nothing else, and a write beside it is refused.

import { MemoryError, orElse, unreadable } from '../base/errors.ts';
import { withoutEndSlash } from '../base/text.ts';
import type { Codec, PlainBytes } from './codec.ts';
import type { Repository } from './git/repository.ts';
import { checkAgentOperation } from './guard/agent-door.ts';
import { checkPath } from './guard/path.ts';
import type { FileChange } from './operation.ts';
import { memoryPath, parseMemory } from './records/memory-record.ts';
import { parseRelation } from './records/relation-record.ts';
import { Snapshot } from './snapshot.ts';

/** What a part of a memory holds; a file belongs to it that one of the two names. */
export interface ScopeInput {
  /** Files, and folders with all below them: `knowledge/projects/apollo`. */
  readonly paths?: readonly string[];
  /** Memories with at least one of these tags, and relations between two such. */
  readonly tags?: readonly string[];
}

/** How a part is looked through, and who judges what is written. */
export interface StoreScope {
  readonly paths: readonly string[];
  readonly tags: readonly string[];
  /** Whether a path belongs to it whatever stands there. */
  covers(path: string): boolean;
  /** Gives what is to be seen of a state. */
  view(snapshot: Snapshot): Snapshot;
  /** Throws READ_ONLY for a change that is not within it. */
  check(snapshot: Snapshot, changes: readonly FileChange[]): void;
}

/** What the engine itself has to know of any memory. */
const always: ReadonlySet<string> = new Set(['memory.yaml', '.meta.json']);

/** Makes a scope. Throws INVALID_ARGUMENT for one that holds nothing, INVALID_PATH. */
export function scopeOf(repository: Repository, codec: Codec, { paths = [], tags = [] }: ScopeInput): StoreScope {
  if ([...paths, ...tags].some((one) => one.trim() === ''))
    throw new MemoryError('INVALID_ARGUMENT', 'a scope must be a list of paths and tags', { where: 'scope' });
  if (paths.length + tags.length === 0) {
    const hint = 'Name a folder such as knowledge/projects/apollo, or a tag';
    throw new MemoryError('INVALID_ARGUMENT', 'a scope needs at least one path or tag', { where: 'scope', hint });
  }
  const folders = paths.map((path) => checkPath(withoutEndSlash(path)));
  const covers = (path: string) => folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
  const records = new Records(new Set(tags));
  const view = (snapshot: Snapshot) => new ScopedSnapshot(repository, codec, snapshot, { folders, covers, records });
  return {
    paths: folders,
    tags,
    covers,
    view,
    check: (snapshot, changes) => {
      const seen = view(snapshot);
      const isOurs = ({ path, after }: FileChange): boolean => {
        if (covers(path)) return true;
        // What stands there already has to be of the scope, and what shall stand there, too.
        if (snapshot.oidOf(path) !== null && seen.oidOf(path) === null) return false;
        if (after === null) return seen.oidOf(path) !== null;
        return records.isOurs(path, codec.decode(path, after), (id) => {
          const place = memoryPath(id);
          const made = changes.find((change) => change.path === place);
          if (made?.after) return records.isOurs(place, codec.decode(place, made.after), () => false);
          return seen.oidOf(place) !== null;
        });
      };
      const beside = changes.find((change) => !isOurs(change));
      if (beside === undefined) return;
      throw new MemoryError('READ_ONLY', `${beside.path} is outside the scope of this memory`, {
        where: beside.path,
        hint: `Write below ${[...folders, ...tags.map((tag) => `the tag ${tag}`)].join(', ')}`,
      });
    },
  };
}

/** Whose memories and relations are, by what they say; each version is read once. */
class Records {
  private readonly tags: ReadonlySet<string>;
  private readonly known = new Map<string, boolean | readonly [string, string]>();

  constructor(tags: ReadonlySet<string>) {
    this.tags = tags;
  }

  get areWanted(): boolean {
    return this.tags.size > 0;
  }

  isOurs(path: string, bytes: PlainBytes, isSeen: (id: string) => boolean): boolean {
    return judge(this.read(path, bytes), isSeen);
  }

  /** The same, by the id of a version that may be known. */
  has(oid: string, path: string, bytes: () => PlainBytes, isSeen: (id: string) => boolean): boolean {
    if (!this.areWanted || !/^(?:memories|relations)\//.test(path)) return false;
    let found = this.known.get(oid);
    if (found === undefined) {
      const text = readOrNull(bytes);
      // Private, and its key is not here: nobody can tell whose it is.
      if (text === null) return false;
      found = this.read(path, text);
      this.known.set(oid, found);
    }
    return judge(found, isSeen);
  }

  /** Whether a memory has one of the tags; of a relation its ends. */
  private read(path: string, bytes: PlainBytes): boolean | readonly [string, string] {
    if (!this.areWanted || !path.endsWith('.json')) return false;
    try {
      const text = bytes.toString('utf8');
      if (path.startsWith('memories/')) return parseMemory(text, path).meta.tags.some((tag) => this.tags.has(tag));
      if (!path.startsWith('relations/')) return false;
      const { fromMemoryId, toMemoryId } = parseRelation(text, path);
      return [fromMemoryId, toMemoryId];
    } catch {
      return false;
    }
  }
}

const readOrNull = (bytes: () => PlainBytes): PlainBytes | null => orElse(bytes, null, ...unreadable);

const judge = (found: boolean | readonly [string, string], isSeen: (id: string) => boolean): boolean =>
  typeof found === 'boolean' ? found : found.every(isSeen);

interface Sight {
  readonly folders: readonly string[];
  readonly covers: (path: string) => boolean;
  readonly records: Records;
}

/** A state that shows only a part. */
class ScopedSnapshot extends Snapshot {
  private readonly whole: Snapshot;
  private readonly sight: Sight;
  private readonly owner: readonly [Repository, Codec];

  constructor(repository: Repository, codec: Codec, whole: Snapshot, sight: Sight) {
    super(repository, codec, whole.commit, whole.overlay);
    this.owner = [repository, codec];
    this.whole = whole;
    this.sight = sight;
  }

  override withoutOverlay(): Snapshot {
    return this.overlay === null ? this : new ScopedSnapshot(...this.owner, this.whole.withoutOverlay(), this.sight);
  }

  override with(changes: readonly FileChange[]): Snapshot {
    return new ScopedSnapshot(...this.owner, this.whole.with(changes), this.sight);
  }

  private shows(path: string, oid: string | null): boolean {
    if (oid === null || this.sight.covers(path)) return true;
    const bytes = () => this.whole.readBlob(oid, path);
    return this.sight.records.has(oid, path, bytes, (id) => this.oidOf(memoryPath(id)) !== null);
  }

  override oidOf(path: string): string | null {
    const oid = this.whole.oidOf(path);
    return always.has(path) || this.shows(path, oid) ? oid : null;
  }

  override listedOidOf(path: string): string | null {
    const oid = this.whole.listedOidOf(path);
    return this.shows(path, oid) ? oid : null;
  }

  override read(path: string): PlainBytes | null {
    return this.oidOf(path) === null ? null : this.whole.read(path);
  }

  override withoutPrivate(): Snapshot {
    const whole = this.whole.withoutPrivate();
    return whole === this.whole ? this : new ScopedSnapshot(...this.owner, whole, this.sight);
  }

  override get isUnlocked(): boolean {
    return this.whole.isUnlocked;
  }

  override get showsAll(): boolean {
    return false;
  }

  override list(prefix = ''): ReadonlyMap<string, string> {
    return this.part(prefix, (root) => this.whole.list(root));
  }

  override listNamed(prefix = ''): ReadonlyMap<string, string> {
    return this.part(prefix, (root) => this.whole.listNamed(root));
  }

  override listStored(prefix = '', isSparing = false): ReadonlyMap<string, string> {
    return this.part(prefix, (root) => this.whole.listStored(root, isSparing));
  }

  /** What is to be seen of listings of folders. */
  private part(prefix: string, listOf: (root: string) => ReadonlyMap<string, string>): Map<string, string> {
    const { folders, records } = this.sight;
    const listing = new Map<string, string>();
    const roots = folders.filter((folder) => `${folder}/`.startsWith(prefix) || prefix.startsWith(`${folder}/`));
    const recordRoots = records.areWanted ? ['memories/', 'relations/'] : [];
    const asked = [
      ...roots.map((folder) => (prefix.length > folder.length ? prefix : `${folder}/`)),
      ...recordRoots
        .filter((root) => root.startsWith(prefix) || prefix.startsWith(root))
        .map((root) => (prefix.length > root.length ? prefix : root)),
    ];
    for (const root of asked) {
      for (const [path, oid] of listOf(root)) if (this.shows(path, oid)) listing.set(path, oid);
    }
    // A path of the scope may be a file.
    for (const file of folders) {
      const oid = file.startsWith(prefix) ? this.whole.listedOidOf(file) : null;
      if (oid !== null) listing.set(file, oid);
    }
    return listing;
  }

  /** What is beside the scope is in nobody's way that can write there. */
  override inTheWayOf(path: string): string | null {
    return this.whole.inTheWayOf(path);
  }
}

/** Has a plan see its part of the memory alone, and write within that, and within what whoever asks may change. */
export const within =
  <Write extends { readonly changes: readonly FileChange[] }>(
    scope: StoreScope | null,
    plan: (snapshot: Snapshot) => readonly Write[],
  ) =>
  (snapshot: Snapshot): readonly Write[] => {
    const planned = plan(scope?.view(snapshot) ?? snapshot);
    for (const { changes } of planned) {
      scope?.check(snapshot, changes);
      checkAgentOperation(changes.map(({ path }) => path));
    }
    return planned;
  };
