// Three copies of a memory as pure values: commits, trees and blobs in maps, changed by the engine's own plans, with no repository and
// no files. What happened to whom is written down beside it, so that afterwards can be said what must still be there.

import { createHash } from 'node:crypto';
import type { MemoryRecord } from '../../src/base/types/stored-types.ts';
import { reinforced } from '../../src/core/lifecycle/reinforce.ts';
import { planInverse } from '../../src/history/inverse.ts';
import { planMerge } from '../../src/history/merge.ts';
import { identityCodec } from '../../src/store/codec.ts';
import type { Commit } from '../../src/store/git/commit-object.ts';
import { ObjectOverlay, type ObjectReader } from '../../src/store/git/object-overlay.ts';
import { findEntry, type TreeChange, walkTree } from '../../src/store/git/tree.ts';
import type { PlannedChange } from '../../src/store/planned-change.ts';
import { defaultConfiguration } from '../../src/store/records/configuration.ts';
import { formatMemory, memoryPath, newMemory, parseMemory } from '../../src/store/records/memory-record.ts';
import { formatRelation, newRelation, relationPath } from '../../src/store/records/relation-record.ts';

/** What was done to a memory or a list item, by whichever replica. */
export interface Fact {
  readonly kind: 'add' | 'touch' | 'edit' | 'tag' | 'remove' | 'consolidate' | 'item' | 'drop item';
  /** Id of the memory, or the item's word. */
  readonly id: string;
  /** What was said, and what stood there before. */
  readonly text?: string;
  readonly before?: string;
  /** What it was consolidated into. */
  readonly heir?: string;
  readonly commit: string;
}

const knowledge = 'knowledge/list.md';
const settings = { by: 'kind', codec: identityCodec } as const;

/** All that the replicas hold together, as a remote would. */
export class World implements ObjectReader {
  readonly facts: Fact[] = [];
  /** Commits that an undo took back, or brought back: what they did cannot be counted on. */
  readonly undone = new Set<string>();
  /** Paths that some merge had to decide. */
  readonly conflicts = new Set<string>();
  private readonly commits = new Map<string, Commit>();
  private readonly objects: ObjectOverlay;
  private time = 1_760_000_000;

  constructor() {
    const nothing = (oid: string): never => {
      throw new Error(`no object ${oid}`);
    };
    this.objects = new ObjectOverlay({
      readCommit: nothing,
      readTree: nothing,
      readTreeBytes: nothing,
      readBlob: nothing,
    });
  }

  readonly readCommit = (oid: string): Commit => this.commits.get(oid) ?? this.objects.readCommit(oid);
  readonly readTree = (oid: string) => this.objects.readTree(oid);
  readonly readTreeBytes = (oid: string) => this.objects.readTreeBytes(oid);
  readonly readBlob = (oid: string): Buffer => this.objects.readBlob(oid);

  now(): number {
    this.time += 1;
    return this.time;
  }

  /** A commit and all before it. */
  closure(tip: string | undefined): Set<string> {
    const reached = new Set(tip === undefined ? [] : [tip]);
    for (const oid of reached) for (const parent of this.readCommit(oid).parents) reached.add(parent);
    return reached;
  }

  /** Makes a commit of changed files, null for one that goes. */
  commit(parents: readonly string[], files: ReadonlyMap<string, string | null>): string {
    const changes = new Map<string, TreeChange>();
    for (const [path, text] of files) {
      changes.set(path, text === null ? null : { mode: '100644', oid: this.objects.addBlob(Buffer.from(text)) });
    }
    const first = parents[0];
    const tree = this.objects.editTree(first === undefined ? null : this.readCommit(first).tree, changes);
    const signature = { name: 'R', email: 'r@example.org', time: this.now(), zone: '+0000' };
    const commit: Commit = { tree, parents, author: signature, committer: signature, message: 'x' };
    const oid = createHash('sha1').update(JSON.stringify(commit)).digest('hex');
    this.commits.set(oid, commit);
    return oid;
  }

  /** Makes a commit of a plan, whose tree it must come out as. */
  commitPlan(parents: readonly string[], changes: readonly PlannedChange[], tree: string): string {
    const oid = this.commit(parents, new Map(changes.map(({ path, bytes }) => [path, bytes?.toString() ?? null])));
    if (this.readCommit(oid).tree !== tree) throw new Error('a plan and its changes differ');
    return oid;
  }
}

/** One copy: a tip, and what can be done on it. */
export class Replica {
  readonly name: string;
  tip: string;
  private readonly world: World;
  private readonly next: (below: number) => number;
  private made = 0;

  constructor(name: string, world: World, tip: string, next: (below: number) => number) {
    this.name = name;
    this.world = world;
    this.tip = tip;
    this.next = next;
  }

  get tree(): string {
    return this.world.readCommit(this.tip).tree;
  }

  /** Does something at random; undoes and merges are for {@link undo} and {@link merge}. */
  act(): void {
    const ids = this.ids();
    const pick = () => ids[this.next(ids.length)]!;
    const choice = this.next(100);
    if (ids.length < 3 || choice < 20) this.add();
    else if (choice < 45) this.touch(pick());
    else if (choice < 58) this.edit(pick());
    else if (choice < 66) this.tag(pick());
    else if (choice < 72) this.remove([pick()]);
    else if (choice < 79) this.consolidate([...new Set([pick(), pick(), pick()])]);
    else if (choice < 94) this.addItem();
    else this.dropItem();
  }

  ids(): string[] {
    return [...walkTree(this.tree, this.world.readTree)]
      .filter(({ path }) => path.startsWith('memories/'))
      .map(({ path }) => path.slice(path.lastIndexOf('/') + 1, -'.json'.length));
  }

  read(path: string): string | null {
    const entry = findEntry(this.tree, path, this.world.readTree);
    return entry === null ? null : this.world.readBlob(entry.oid).toString();
  }

  memory(id: string): MemoryRecord | null {
    const text = this.read(memoryPath(id));
    return text === null ? null : parseMemory(text, memoryPath(id));
  }

  private word(): string {
    this.made += 1;
    return `${this.name}${this.made}`;
  }

  private change(files: Record<string, string | null>, ...facts: Omit<Fact, 'commit'>[]): void {
    this.tip = this.world.commit([this.tip], new Map(Object.entries(files)));
    for (const fact of facts) this.world.facts.push({ ...fact, commit: this.tip });
  }

  private add(): void {
    const id = this.word();
    const text = `content ${id}`;
    const record = newMemory({ id, content: text, now: this.world.now() * 1000, tags: ['born'] });
    this.change({ [memoryPath(id)]: formatMemory(record) }, { kind: 'add', id, text });
  }

  private rewrite(id: string, record: MemoryRecord, fact: Omit<Fact, 'commit' | 'id'>): void {
    this.change({ [memoryPath(id)]: formatMemory(record) }, { ...fact, id });
  }

  private touch(id: string): void {
    this.rewrite(id, reinforced(this.memory(id)!, { now: this.world.now() * 1000 }, defaultConfiguration()), {
      kind: 'touch',
    });
  }

  private edit(id: string): void {
    const record = this.memory(id)!;
    const text = `said ${this.word()}`;
    this.rewrite(id, { ...record, content: text }, { kind: 'edit', text, before: record.content });
  }

  private tag(id: string): void {
    const record = this.memory(id)!;
    const text = this.word();
    this.rewrite(id, { ...record, meta: { ...record.meta, tags: [...record.meta.tags, text] } }, { kind: 'tag', text });
  }

  private remove(ids: readonly string[]): void {
    this.change(
      Object.fromEntries(ids.map((id) => [memoryPath(id), null])),
      ...ids.map((id) => ({ kind: 'remove', id }) as const),
    );
  }

  private consolidate(sources: readonly string[]): void {
    const id = this.word();
    const text = sources.map((source) => this.memory(source)!.content).join(' + ');
    const now = this.world.now() * 1000;
    const files: Record<string, string | null> = {
      [memoryPath(id)]: formatMemory(newMemory({ id, content: text, now })),
    };
    for (const source of sources) {
      files[memoryPath(source)] = null;
      const relation = newRelation({
        id: `${id}-${source}`,
        fromMemoryId: id,
        toMemoryId: source,
        relationType: 'consolidated_from',
        now,
      });
      files[relationPath(relation.id)] = formatRelation(relation);
    }
    this.change(
      files,
      { kind: 'add', id, text },
      ...sources.flatMap(
        (source) =>
          [
            { kind: 'remove', id: source },
            { kind: 'consolidate', id: source, heir: id },
          ] as const,
      ),
    );
  }

  items(): string[] {
    return (this.read(knowledge) ?? '').split('\n').flatMap((line) => /^- item (\S+)$/.exec(line)?.[1] ?? []);
  }

  private addItem(): void {
    const lines = (this.read(knowledge) ?? '# List\n\n').split('\n');
    const id = this.word();
    const places = lines.flatMap((line, at) => (line.startsWith('- ') ? [at, at + 1] : []));
    const at = this.next(3) === 0 ? places[this.next(places.length)] : undefined;
    lines.splice(at ?? lines.length - 1, 0, `- item ${id}`);
    this.change({ [knowledge]: lines.join('\n') }, { kind: 'item', id });
  }

  private dropItem(): void {
    const items = this.items();
    const id = items[this.next(items.length)];
    if (id === undefined) return;
    const text = this.read(knowledge)!.replace(`- item ${id}\n`, '');
    this.change({ [knowledge]: text }, { kind: 'drop item', id });
  }

  /** Takes back a commit of its history at random, a merge or an undo as well as any other; false where later changes stand in the way. */
  undo(): boolean {
    const past = this.past();
    const commit = past[this.next(Math.min(past.length, 30))]!;
    const tree = this.tree;
    const plan = planInverse(this.world, tree, [commit], { ...settings, name: this.name });
    if (plan.conflicts.length > 0) return false;
    this.tip = this.world.commitPlan([this.tip], plan.changes, plan.tree);
    for (const { oid } of this.brought(commit)) this.world.undone.add(oid);
    this.world.undone.add(this.tip);
    return true;
  }

  /** What a commit brought to its first parent: itself, and for a merge all that came with it. */
  private brought(commit: string): { oid: string }[] {
    const [first, ...others] = this.world.readCommit(commit).parents;
    const known = new Set(this.closure(first));
    return [commit, ...others.flatMap((other) => [...this.closure(other)])]
      .filter((oid) => !known.has(oid))
      .map((oid) => ({ oid }));
  }

  private closure(tip: string | undefined): Set<string> {
    return this.world.closure(tip);
  }

  /** The first-parent line without its beginning, newest first. */
  private past(): string[] {
    const line: string[] = [];
    for (let oid: string | undefined = this.tip; oid !== undefined; oid = this.world.readCommit(oid).parents[0]) {
      if (this.world.readCommit(oid).parents.length > 0) line.push(oid);
    }
    return line.length === 0 ? [this.tip] : line;
  }

  /** Merges another copy, checking that the other way round would give the same tree. */
  merge(other: Replica): void {
    const plan = planMerge(this.world, this.tip, other.tip, settings);
    if (plan.bases[0] === other.tip) return;
    const back = planMerge(this.world, other.tip, this.tip, settings);
    if (back.tree !== plan.tree) throw new Error(`${this.name} and ${other.name} would merge to different trees`);
    for (const path of plan.conflicts) this.world.conflicts.add(path);
    const changes = plan.changes.map(({ path, before, after, isMade }) => ({
      path,
      before,
      after,
      isMade,
      bytes: after === null ? null : plan.objects.readBlob(after.oid),
    }));
    this.tip = this.world.commitPlan([this.tip, other.tip], changes, plan.tree);
  }
}
