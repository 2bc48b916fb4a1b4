// Three-way merge of whole trees, path by path: what undo, merges of branches and virtual bases have in common. Makes objects in an
// overlay and writes nothing; whether a conflict refuses an operation or is settled is for the operation to say.

import { MemoryError } from '../base/errors.ts';
import type { Codec } from './codec.ts';
import type { ObjectOverlay, ObjectReader } from './git/object-overlay.ts';
import { compareNames, diffTrees, type FileMode, findEntry, walkTree } from './git/tree.ts';
import { isMemoryPath } from './hand-edits.ts';
import { inheritChange } from './merge/inherit.ts';
import { type IdRule, turned } from './merge/log-ids.ts';
import { mergeTextWithMarkers } from './merge/markers.ts';
import { mergeFile } from './merge/merge-file.ts';
import { takeItemsBack } from './merge/take-back.ts';
import { isBinary, mergeText } from './merge/text.ts';
import { kindOf } from './records/kind.ts';
import { logReaderOf } from './records/log-readers.ts';
import { memoryPath } from './records/memory-record.ts';
import { isSealed } from './records/private-text.ts';
import { parseRelation } from './records/relation-record.ts';

/** What stands at a path: a file, a link or a submodule. */
export interface Version {
  readonly mode: Exclude<FileMode, '40000'>;
  readonly oid: string;
}

/** Trees by their ids; null is a tree without files. */
export interface MergeSides {
  readonly base: string | null;
  readonly ours: string | null;
  readonly theirs: string | null;
}

export interface TreeMergeSettings {
  /**
   * `kind`: files of the layout merge by what they are; `line`: every file is lines of bytes, as for git. Either way each merges at its
   * path: a file that was renamed is one that went and one that came.
   */
  readonly by: 'kind' | 'line';
  readonly codec: Codec;
  /** Which change is the later: it comes second where both added, and wins a dispute. */
  readonly newer: 'ours' | 'theirs';
  /** Names of the sides, for a file that has to give way to a folder: `path~name`. */
  readonly names: { readonly ours: string; readonly theirs: string };
  /**
   * A record that one side consolidated is gone also if the other changed it. The change passes on to what it became part of, as the
   * relations say that a side added, or any.
   */
  readonly followsLineage?: 'added' | 'any';
  /** Theirs takes back what the base brought: a knowledge file that others went on with loses the items it brought, and stays. */
  readonly takesBack?: boolean;
  /** As a driver of native git merges, one file by itself: nothing goes beside what nobody here can read. */
  readonly asDriver?: boolean;
  /** Which ids of a log at a path stay, where the sides have not been given theirs before. */
  readonly ids?: (path: string) => IdRule;
  /** How often the result is the base of another merge; from 1 on, disputes of texts stand between markers. */
  readonly depth?: number;
  /** Leaves out the paths that theirs changed and this refuses. */
  readonly isWanted?: (path: string) => boolean;
}

/** A path at which the merge differs from ours. */
export interface MergedPath {
  readonly path: string;
  readonly before: Version | null;
  readonly after: Version | null;
  /** Neither side has these bytes: the merge made them. */
  readonly isMade: boolean;
}

/** The outcome: a whole tree, in which every conflict is settled for one side. */
export interface TreeMerge {
  readonly tree: string;
  readonly changes: readonly MergedPath[];
  /** Paths that both sides changed in ways that contradict, sorted. */
  readonly conflicts: readonly string[];
}

/** Merges the changes from `base` to `theirs` into `ours`; the cost grows with those changes, not with the trees. */
export const mergeTrees = (objects: ObjectOverlay, sides: MergeSides, settings: TreeMergeSettings): TreeMerge =>
  new TreeMerger(objects, sides, settings).run();

/** The id of no object: differs from whatever a side has. */
const nobody = '0'.repeat(40);

interface Merged {
  readonly after: Version | null;
  readonly isMade?: boolean;
  readonly isConflict?: boolean;
  /** What cannot be merged and goes beside, and which side it is of. */
  readonly aside?: readonly { readonly version: Version; readonly side: 'ours' | 'theirs' }[];
}

interface Removal {
  readonly path: string;
  readonly base: string;
  readonly changed: string;
}

class TreeMerger {
  private readonly objects: ObjectOverlay;
  private readonly sides: MergeSides;
  private readonly settings: TreeMergeSettings;
  private readonly changes = new Map<string, MergedPath>();
  private readonly conflicts = new Set<string>();
  /** Records that one side removed and the other changed. */
  private readonly removals: Removal[] = [];

  constructor(objects: ObjectOverlay, sides: MergeSides, settings: TreeMergeSettings) {
    this.objects = objects;
    this.sides = sides;
    this.settings = settings;
  }

  run(): TreeMerge {
    const { objects, sides, changes } = this;
    for (const { path, before, after } of diffTrees(sides.base, sides.theirs, objects.readTreeBytes)) {
      if (this.settings.isWanted?.(path) === false) continue;
      const merged = this.merge(
        path,
        before as Version | null,
        this.versionIn(sides.ours, path),
        after as Version | null,
      );
      if (merged.isConflict) this.conflicts.add(path);
      this.put(path, this.versionIn(sides.ours, path), merged.after, merged.isMade);
      for (const { version, side } of merged.aside ?? []) this.putAside(path, version, side);
    }
    if (this.removals.length > 0) this.passOn();
    for (const change of [...changes.values()]) if (change.after !== null) this.makeRoom(change.path, change.after);
    const tree = objects.editTree(
      sides.ours,
      new Map([...changes.values()].map(({ path, after }) => [path, after] as const)),
    );
    return { tree, changes: [...changes.values()], conflicts: [...this.conflicts].sort(compareNames) };
  }

  private put(path: string, before: Version | null, after: Version | null, isMade = false): void {
    if (isSame(before, after)) this.changes.delete(path);
    else this.changes.set(path, { path, before, after, isMade });
  }

  private versionIn(tree: string | null, path: string): Version | null {
    const entry = findEntry(tree, path, this.objects.readTree);
    return entry === null || entry.mode === '40000' ? null : { mode: entry.mode, oid: entry.oid };
  }

  /** What stands at a path after the merge. */
  private outcomeAt(path: string): Version | null {
    const change = this.changes.get(path);
    return change === undefined ? this.versionIn(this.sides.ours, path) : change.after;
  }

  // ── a file where the other side has a folder ────────────────────────────────────────────────────────────────────

  /** Moves a file aside, as git does, where the other side has a folder of the same name: theirs here, ours above. */
  private makeRoom(path: string, version: Version): void {
    if (this.isFolder(path)) {
      this.conflicts.delete(path);
      this.put(path, this.versionIn(this.sides.ours, path), null);
      this.putAside(path, version, 'theirs');
    }
    for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) {
      const above = path.slice(0, end);
      const file = this.outcomeAt(above);
      if (file === null) continue;
      this.conflicts.delete(above);
      this.put(above, this.versionIn(this.sides.ours, above), null);
      this.putAside(above, file, 'ours');
    }
  }

  private isFolder(path: string): boolean {
    const { readTree } = this.objects;
    const entry = findEntry(this.sides.ours, path, readTree);
    if (entry?.mode !== '40000') return false;
    for (const file of walkTree(entry.oid, readTree, `${path}/`)) if (this.outcomeAt(file.path) !== null) return true;
    return [...this.changes.values()].some((change) => change.after !== null && change.path.startsWith(`${path}/`));
  }

  private putAside(path: string, version: Version, side: 'ours' | 'theirs'): void {
    const wanted = asideName(path, this.settings.names[side]);
    let name = wanted;
    for (let count = 0; this.outcomeAt(name) !== null; count += 1) name = `${wanted}_${count}`;
    this.conflicts.add(name);
    this.put(name, this.versionIn(this.sides.ours, name), version);
  }

  // ── one path ────────────────────────────────────────────────────────────────────────────────────────────────────

  private merge(path: string, base: Version | null, ours: Version | null, theirs: Version | null): Merged {
    if (isSame(ours, theirs) || isSame(theirs, base)) return { after: ours };
    if (isSame(ours, base)) return { after: theirs };
    if (ours === null || theirs === null) return this.mergeRemoval(path, base, ours, theirs);
    if (typeOf(ours) !== typeOf(theirs)) return this.mergeTypes(base, ours, theirs);
    const mode = mergeModes(base, ours, theirs);
    const ground = base !== null && typeOf(base) === typeOf(ours) ? base : null;
    const { isConflict: isModeConflict } = mode;
    const take = (side: Version): Merged => ({ after: { mode: mode.mode, oid: side.oid }, isConflict: isModeConflict });
    if (ours.oid === theirs.oid || ground?.oid === theirs.oid) return take(ours);
    if (ground?.oid === ours.oid) return take(theirs);
    // Links and submodules have one value, which two sides gave differently.
    if (typeOf(ours) !== 'file') {
      const after = this.isVirtual ? (ground ?? { mode: ours.mode, oid: nobody }) : this.winner(ours, theirs);
      return { after, isConflict: true };
    }
    const [whole, ...others] = [ours, theirs].filter((side) => !this.isDamaged(side));
    // What was damaged says nothing, whenever that was.
    if (whole !== undefined && others.length === 0)
      return { after: { mode: mode.mode, oid: whole.oid }, isConflict: true };
    const { bytes, isConflict } = this.mergeBytes(path, ground, ours, theirs);
    if (isConflict && this.settings.takesBack === true && base !== null) {
      const left = this.withoutItemsOf(path, base, ours, theirs);
      if (left !== undefined) return left;
    }
    if (bytes === null) return { after: null, isConflict };
    const oid = this.objects.addBlob(bytes);
    const isMade = oid !== ours.oid && oid !== theirs.oid;
    const aside = isConflict ? this.keptForTheKey(path, ours, theirs) : [];
    return { after: { mode: mode.mode, oid }, isMade, isConflict: isConflict || isModeConflict, aside };
  }

  /** Of two versions that nobody here can read the one that does not stand goes beside, as it is: who has the key merges them. */
  private keptForTheKey(path: string, ours: Version, theirs: Version): NonNullable<Merged['aside']> {
    const { codec, newer, names, by, takesBack, asDriver } = this.settings;
    if (this.depth > 0 || by !== 'kind' || takesBack === true || asDriver === true) return [];
    const side = newer === 'ours' ? 'theirs' : 'ours';
    const version = side === 'ours' ? ours : theirs;
    const stored = [ours, theirs].map(({ oid }) => this.objects.readBlob(oid));
    if (stored.every((bytes) => codec.canDecode(bytes)) || !isSealed(this.objects.readBlob(version.oid))) return [];
    // Beside it must be as private as here, or whoever has the key would write it down open.
    return codec.present.isPrivate(asideName(path, names[side])) ? [{ version, side }] : [];
  }

  /** Whether a dispute has to stay one for whoever merges with this as its base; by kind it is settled there as here. */
  private get isVirtual(): boolean {
    return this.depth > 0 && this.settings.by === 'line';
  }

  private get depth(): number {
    return this.settings.depth ?? 0;
  }

  private winner(ours: Version, theirs: Version): Version {
    return this.settings.newer === 'ours' ? ours : theirs;
  }

  /** One side removed what the other changed: what was changed stays, unless only counters of a record were. */
  private mergeRemoval(path: string, base: Version | null, ours: Version | null, theirs: Version | null): Merged {
    const kept = ours ?? theirs;
    if (this.settings.by === 'line') return { after: this.isVirtual ? base : kept, isConflict: true };
    if (kept !== null && logReaderOf(path) !== null && isMemoryPath(path)) {
      const { bytes, isConflict } = this.mergeByKind(path, base, ours, theirs) ?? { bytes: null, isConflict: true };
      if (bytes === null) return { after: isConflict ? kept : null, isConflict };
      return { after: { mode: kept.mode, oid: this.objects.addBlob(bytes) }, isMade: true, isConflict };
    }
    if ([base, kept].every((version) => version !== null && typeOf(version) === 'file') && isMemoryPath(path)) {
      if (this.settings.takesBack === true && ours !== null) {
        const left = this.withoutItemsOf(path, base!, ours, null);
        if (left !== undefined) return left;
      }
      const text = (version: Version | null) => (version === null ? null : this.textOf(path, version));
      const texts = [text(base), text(ours), text(theirs)] as const;
      const isReadable = [base, ours, theirs].every((version, side) => version === null || texts[side] !== null);
      const [before, mine, other] = texts;
      const changed = mine ?? other;
      if (this.settings.followsLineage && isReadable && before !== null && changed !== null)
        this.removals.push({ path, base: before, changed });
      const { merged, conflicts } = isReadable ? mergeFile(path, texts) : { merged: '', conflicts: [path] };
      if (merged === null) return { after: null };
      // Of a box one side took its memories out, and the other put some in.
      if (kept !== null && conflicts.length === 0) {
        const oid = this.objects.addBlob(this.settings.codec.encode(path, Buffer.from(merged)));
        return { after: { mode: kept.mode, oid }, isMade: oid !== kept.oid };
      }
    }
    return { after: kept, isConflict: true };
  }

  /** A knowledge file without the items that a change brought; undefined if it is none, or somebody changed more than items. */
  private withoutItemsOf(path: string, base: Version, ours: Version, theirs: Version | null): Merged | undefined {
    if (kindOf(path) !== 'knowledge' || (theirs !== null && typeOf(theirs) !== 'file')) return undefined;
    const [after, present] = [this.textOf(path, base), this.textOf(path, ours)];
    const before = theirs === null ? null : this.textOf(path, theirs);
    if (after === null || present === null || (theirs !== null && before === null)) return undefined;
    const merged = takeItemsBack({ before, after }, present);
    if (merged === undefined) return undefined;
    if (merged === null) return { after: null };
    const bytes = this.settings.codec.encode(path, Buffer.from(merged));
    return { after: { mode: ours.mode, oid: this.objects.addBlob(bytes) }, isMade: true };
  }

  /** Takes away the removed records that were consolidated, and hands what was done with them to what they became part of. */
  private passOn(): void {
    const { objects, sides, settings } = this;
    const lineage = new Lineage(objects, settings.codec, settings.followsLineage === 'any' ? null : sides.base, [
      sides.ours,
      sides.theirs,
    ]);
    for (const { path, base, changed } of this.removals) {
      const id = /([^/]*)\.json$/.exec(path)?.[1] ?? '';
      const heir = kindOf(path) === 'memory' ? lineage.heirOf(id, (place) => this.outcomeAt(place) !== null) : null;
      const version = heir === null ? null : this.outcomeAt(heir);
      const text = heir === null || version === null ? null : this.textOf(heir, version);
      if (heir === null || version === null || text === null) continue;
      this.conflicts.delete(path);
      this.put(path, this.versionIn(sides.ours, path), null);
      const { merged, conflicts } = inheritChange(text, heir, base, changed);
      if (conflicts.length > 0) this.conflicts.add(heir);
      const bytes = settings.codec.encode(heir, Buffer.from(merged));
      const after = { mode: version.mode, oid: objects.addBlob(bytes) };
      this.put(heir, this.versionIn(sides.ours, heir), after, true);
    }
  }

  /** A file against a link or a submodule stands beside it, and so do a link and a submodule (as for git's merge-ort). */
  private mergeTypes(base: Version | null, ours: Version, theirs: Version): Merged {
    if (this.isVirtual) return { after: base, isConflict: true };
    const aside = { ours: { version: ours, side: 'ours' }, theirs: { version: theirs, side: 'theirs' } } as const;
    if (typeOf(ours) === 'file') return { after: theirs, isConflict: true, aside: [aside.ours] };
    if (typeOf(theirs) === 'file') return { after: ours, isConflict: true, aside: [aside.theirs] };
    return { after: null, aside: [aside.ours, aside.theirs] };
  }

  private mergeBytes(
    path: string,
    base: Version | null,
    ours: Version,
    theirs: Version,
  ): { bytes: Buffer | null; isConflict: boolean } {
    if (this.settings.by === 'kind' && isMemoryPath(path)) {
      const merged = this.mergeByKind(path, base, ours, theirs);
      if (merged !== null) return merged;
    }
    const [before, mine, other] = [base, ours, theirs].map((version) =>
      version === null ? null : this.objects.readBlob(version.oid),
    ) as [Buffer | null, Buffer, Buffer];
    // What is encrypted is none, either.
    if ([before, mine, other].some((bytes) => bytes !== null && (isBinary(bytes) || isSealed(bytes)))) {
      const stands = this.settings.newer === 'ours' ? mine : other;
      return { bytes: this.isVirtual ? (before ?? Buffer.alloc(0)) : stands, isConflict: true };
    }
    // Every byte is one character of Latin-1, whatever the file means by it.
    const texts = [before, mine, other].map((bytes) => bytes?.toString('latin1') ?? null);
    const [from, left, right] = texts as [string | null, string, string];
    const { clean, text } = mergeText(from, left, right, this.settings.newer);
    const result = clean || !this.isVirtual ? text : mergeTextWithMarkers(from, left, right, 7 + 2 * this.depth);
    return { bytes: Buffer.from(result, 'latin1'), isConflict: !clean };
  }

  /** By what the file is; null where a side is not text, so that there is nothing to read. */
  private mergeByKind(path: string, base: Version | null, ours: Version | null, theirs: Version | null) {
    const [older, later] = this.settings.newer === 'theirs' ? [ours, theirs] : [theirs, ours];
    const texts = [base, older, later].map((version) => (version === null ? null : this.textOf(path, version)));
    const [before, first, second] = texts as [string | null, string | null, string | null];
    const isUnread = (version: Version | null, text: string | null) => version !== null && text === null;
    if (isUnread(base, before) || isUnread(older, first) || isUnread(later, second)) return null;
    const rule = this.settings.ids?.(path);
    const ids = rule === undefined || older === ours ? rule : turned(rule);
    const { merged, conflicts } = mergeFile(path, [before, first, second], 'theirs', ids);
    const bytes = merged === null ? null : this.settings.codec.encode(path, Buffer.from(merged));
    return { bytes, isConflict: conflicts.length > 0 };
  }

  private isDamaged({ oid }: Version): boolean {
    return this.settings.codec.faultOf(this.objects.readBlob(oid)) === 'damaged';
  }

  private textOf(path: string, version: Version): string | null {
    const stored = this.objects.readBlob(version.oid);
    if (!this.settings.codec.canDecode(stored) || this.isDamaged(version)) return null;
    const bytes = this.settings.codec.decode(path, stored);
    const text = bytes.toString('utf8');
    return Buffer.from(text).equals(bytes) ? text : null;
  }
}

const asideName = (path: string, side: string): string => `${path}~${side.replaceAll('/', '_')}`;

const isSame = (a: Version | null, b: Version | null): boolean =>
  a === b || (a !== null && b !== null && a.oid === b.oid && a.mode === b.mode);

const typeOf = (version: Version): 'file' | 'link' | 'submodule' =>
  version.mode === '120000' ? 'link' : version.mode === '160000' ? 'submodule' : 'file';

/** Merges whether a file is executable; two sides can differ from the base in one way only, and from none in two. */
function mergeModes(
  base: Version | null,
  ours: Version,
  theirs: Version,
): { mode: Version['mode']; isConflict: boolean } {
  if (ours.mode === theirs.mode || ours.mode === base?.mode) return { mode: theirs.mode, isConflict: false };
  return { mode: ours.mode, isConflict: theirs.mode !== base?.mode };
}

/** Knows for a consolidated memory what it became part of. */
class Lineage {
  private readonly heirs = new Map<string, string[]>();

  /** Reads the relations that trees have and a base has not; null is a base without any. */
  constructor(
    objects: Pick<ObjectReader, 'readTree' | 'readTreeBytes' | 'readBlob'>,
    codec: Codec,
    base: string | null,
    trees: readonly (string | null)[],
  ) {
    const folderOf = (tree: string | null): string | null =>
      findEntry(tree, 'relations', objects.readTree)?.oid ?? null;
    for (const tree of trees) {
      for (const { path, after } of diffTrees(folderOf(base), folderOf(tree), objects.readTreeBytes)) {
        if (after === null || !path.endsWith('.json')) continue;
        const stored = objects.readBlob(after.oid);
        if (!codec.canDecode(stored)) continue;
        this.read(`relations/${path}`, codec.decode(`relations/${path}`, stored).toString('utf8'));
      }
    }
  }

  private read(path: string, text: string): void {
    try {
      const { relationType, fromMemoryId, toMemoryId } = parseRelation(text, path);
      if (relationType !== 'consolidated_from') return;
      this.heirs.set(toMemoryId, [...(this.heirs.get(toMemoryId) ?? []), fromMemoryId].sort());
    } catch (error) {
      // What cannot be read leads nowhere; the rules of changes speak of it.
      if (!(error instanceof MemoryError) || !['INVALID_RECORD', 'TOO_LARGE'].includes(error.code)) throw error;
    }
  }

  /** Gives the path of what a memory became part of, through further consolidations; null if nothing of it is there. */
  heirOf(id: string, isThere: (path: string) => boolean): string | null {
    const seen = new Set([id]);
    const next = [...(this.heirs.get(id) ?? [])];
    for (let heir = next.shift(); heir !== undefined; heir = next.shift()) {
      if (seen.has(heir)) continue;
      seen.add(heir);
      const place = [memoryPath(heir), `memories/${heir}.json`].find(isThere);
      if (place !== undefined) return place;
      next.push(...(this.heirs.get(heir) ?? []));
    }
    return null;
  }
}
