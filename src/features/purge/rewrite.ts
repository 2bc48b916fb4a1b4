// Makes the history that would be there if something had never been said: blobs, trees, commits and tags, each old id with its new one.
// First-parent shape, authors and times that git takes stay as they are; what leads to nothing that changed keeps its id. Writes nothing.

import { MemoryError } from '../../base/errors.ts';
import { type Commit, withTakenTimes } from '../../store/git/commit-object.ts';
import {
  emptyTreeOid,
  type GitObject,
  type NewObject,
  newObject,
  type ObjectType,
} from '../../store/git/object-codec.ts';
import {
  compareEntries,
  editTree,
  entriesOf,
  formatTree,
  type TreeChange,
  type TreeEntry,
} from '../../store/git/tree.ts';
import { cutTree } from '../../store/git/tree-bytes.ts';
import { parseMessage } from '../../store/guard/message.ts';
import type { Census } from './census.ts';
import type { Needles } from './needles.ts';

/** Files and folders that go whole; a node without children is one of them. */
interface GoneNode {
  readonly children: Map<string, GoneNode>;
}

/** The objects of a history as they are. */
export interface RewriteSource {
  read(oid: string): GitObject;
  readTree(oid: string): readonly TreeEntry[];
  readBlob(oid: string): Buffer;
  readCommit(oid: string): Commit;
}

interface RewriteRules {
  readonly needles: Needles;
  readonly census: Census;
  /** Files, or folders with all below them, that go whole. */
  readonly gone: readonly string[];
  /** Where a record is now that its name has changed; `null` for what stays in its folder. */
  readonly placeOf: (path: string) => string | null;
  /** Commits known to be without it; those that lead to themselves are of a history that was cleaned by its owner. */
  readonly known?: ReadonlyMap<string, string>;
  /** Commits and tags change, too, where nothing but their time is none that git takes. */
  readonly times?: boolean;
}

/** What vouches for the very bytes of a commit. */
const signatureField = /^(?:gpgsig|gpgsig-sha256|mergetag) /;
const yamlName = /\.ya?ml$/i;

/** One rewriting of the objects of one repository. */
export class HistoryRewrite {
  readonly made = new Map<string, NewObject>();
  /** Every object that the rewritten history holds, new and old. */
  readonly used = new Set<string>();
  /** Old ids whose object is another one now, or gone. */
  readonly changed = new Map<string, string | null>();
  readonly commits = new Map<string, string>();
  /** Commits whose own message or author held it. */
  readonly messages = new Set<string>();
  /** Of these, commits that now give their kind alone, since they brought or changed a file that goes. */
  readonly retold = new Set<string>();
  /** Commits that lost a signature. */
  readonly signed = new Set<string>();
  /** Where blobs that change were first met. */
  readonly files = new Set<string>();
  private readonly objects: RewriteSource;
  private readonly rules: RewriteRules;
  private readonly goneRoot: GoneNode;
  private readonly results = new Map<string, string | null>();
  private readonly goneStates = new Map<string, string>();
  private readonly movesRecords: boolean;
  /** Old commits by their first seven digits. */
  private readonly prefixes = new Map<string, string>();

  constructor(objects: RewriteSource, rules: RewriteRules) {
    this.objects = objects;
    this.rules = rules;
    this.goneRoot = { children: new Map() };
    for (const path of rules.gone) {
      let node = this.goneRoot;
      for (const name of path.split('/')) {
        const next = node.children.get(name) ?? { children: new Map() };
        node.children.set(name, next);
        node = next;
      }
    }
    this.movesRecords = [...rules.census.names.keys()].some((name) => name.endsWith('.json'));
  }

  /** Gives what a ref or log that holds an object has to hold now. Throws OBJECT_MISSING where history is not whole. */
  of(oid: string): string {
    switch (this.objects.read(oid).type) {
      case 'commit':
        return this.commit(oid);
      case 'tag':
        return this.tag(oid);
      case 'tree':
        return this.tree(oid, '', null) ?? this.keepEmptyTree();
      case 'blob':
        return this.blob(oid, '');
    }
  }

  /** Gives what a commit of notes becomes: notes are files named by the commit that they are about. */
  ofNotes(oid: string): string {
    return this.commit(oid, true);
  }

  private put(type: ObjectType, data: Buffer): string {
    const object = newObject(type, data);
    if (!this.rules.census.types.has(object.oid)) this.made.set(object.oid, object);
    return object.oid;
  }

  private note(key: string, oid: string, result: string | null): string | null {
    this.results.set(key, result);
    if (result !== null) this.used.add(result);
    if (result !== oid) this.changed.set(oid, result);
    return result;
  }

  private keepEmptyTree(): string {
    this.put('tree', Buffer.alloc(0));
    this.used.add(emptyTreeOid);
    return emptyTreeOid;
  }

  private blob(oid: string, path: string): string {
    const form = yamlName.test(path) ? 'plain' : 'text';
    const isJson = path.endsWith('.json');
    const key = `${oid}:${form}:${isJson}`;
    const known = this.results.get(key);
    if (known !== undefined) return known!;
    if (this.rules.census.unread.has(oid)) return this.note(key, oid, oid)!;
    const isHolding = this.rules.census.holding.has(oid);
    // Small files of ours name commits that came before them.
    if (!isHolding && !(isJson && this.commits.size > 0)) return this.note(key, oid, oid)!;
    const before = this.objects.readBlob(oid);
    const clean = isHolding ? this.rules.needles.replace(before, form) : before;
    const after = isJson ? this.withNewIds(clean) : clean;
    if (after === before) return this.note(key, oid, oid)!;
    if (isHolding) this.files.add(path);
    return this.note(key, oid, this.put('blob', after))!;
  }

  private withNewIds(bytes: Buffer): Buffer {
    const text = bytes.toString('latin1');
    const after = text.replace(/\b[0-9a-f]{40}\b/g, (id) => this.commits.get(id) ?? id);
    return after === text ? bytes : Buffer.from(after, 'latin1');
  }

  /** A tree below `prefix`; `gone` says what goes in it. `null`: nothing is left of it. */
  private tree(oid: string, prefix: string, gone: GoneNode | null): string | null {
    // What a tree becomes depends on its place only where something below it goes by its path.
    const key = gone === null ? oid : `${oid}:${prefix}`;
    const known = this.results.get(key);
    if (known !== undefined) return known;
    const before = this.objects.readTree(oid);
    const after: TreeEntry[] = [];
    let isChanged = false;
    for (const entry of before) {
      const path = `${prefix}${entry.name}`;
      const goneBelow = gone?.children.get(entry.name) ?? null;
      if (goneBelow !== null && goneBelow.children.size === 0) {
        this.noteGone(entry, path);
        isChanged = true;
        continue;
      }
      const result = this.entry(entry, path, goneBelow);
      if (result === null) {
        isChanged = true;
        continue;
      }
      const name = entry.rawName ? entry.name : (this.rules.census.names.get(entry.name) ?? entry.name);
      if (result !== entry.oid || name !== entry.name) {
        isChanged = true;
        if (name !== entry.name) this.files.add(path);
        after.push({ ...entry, name, oid: result });
      } else after.push(entry);
    }
    if (!isChanged) return this.note(key, oid, oid);
    if (after.length === 0) return this.note(key, oid, null);
    return this.note(key, oid, this.put('tree', formatTree(after.sort(compareEntries))));
  }

  private entry(entry: TreeEntry, path: string, gone: GoneNode | null): string | null {
    if (entry.mode === '160000') return entry.oid;
    return entry.mode === '40000' ? this.tree(entry.oid, `${path}/`, gone) : this.blob(entry.oid, path);
  }

  /** Notes all that goes with a file or folder; what has a place elsewhere stays there. */
  private noteGone(entry: TreeEntry, path: string): void {
    if (entry.mode === '160000' || this.changed.has(entry.oid)) return;
    if (entry.mode === '40000') {
      for (const child of this.objects.readTree(entry.oid)) this.noteGone(child, `${path}/${child.name}`);
    } else this.files.add(path);
    this.changed.set(entry.oid, null);
  }

  private rootTree(oid: string): string {
    const root = this.tree(oid, '', this.goneRoot.children.size === 0 ? null : this.goneRoot);
    if (root === null) return this.keepEmptyTree();
    return this.movesRecords ? this.withMovedRecords(root) : root;
  }

  /** A record lies in a folder that follows from its id, so one that is called otherwise has another place. */
  private withMovedRecords(root: string): string {
    const key = `${root}:placed`;
    const known = this.results.get(key);
    if (known !== undefined) return known!;
    const readTree = (id: string) => this.entriesOf(id);
    const names = new Set(this.rules.census.names.values());
    const edits = new Map<string, TreeChange>();
    const visit = (id: string, prefix: string) => {
      for (const { mode, name, oid } of readTree(id)) {
        if (mode === '40000') visit(oid, `${prefix}${name}/`);
        else if (names.has(name)) {
          const place = this.rules.placeOf(`${prefix}${name}`);
          if (place === null || place === `${prefix}${name}`) continue;
          edits.set(`${prefix}${name}`, null);
          edits.set(place, { mode: mode === '160000' ? '100644' : mode, oid });
        }
      }
    };
    for (const { mode, name, oid } of readTree(root)) {
      if (mode === '40000' && (name === 'memories' || name === 'relations')) visit(oid, `${name}/`);
    }
    const edited = edits.size === 0 ? { root, trees: [] } : editTree(root, edits, readTree, { allowTwins: true });
    this.keep(edited.trees);
    this.results.set(key, edited.root);
    this.used.add(edited.root!);
    return edited.root!;
  }

  private keep(trees: readonly NewObject[]): void {
    for (const tree of trees) {
      this.made.set(tree.oid, tree);
      this.used.add(tree.oid);
    }
  }

  private entriesOf(oid: string): readonly TreeEntry[] {
    const made = this.made.get(oid);
    return made === undefined ? this.objects.readTree(oid) : entriesOfNew(made);
  }

  private commit(tip: string, isNotes = false): string {
    const open = [tip];
    for (let oid = open.at(-1); oid !== undefined; oid = open.at(-1)) {
      if (this.results.has(oid)) {
        open.pop();
        continue;
      }
      const data = this.objects.read(oid).data.toString('latin1');
      const waiting = parentsOf(data).filter((parent) => !this.results.has(parent));
      if (waiting.length > 0) open.push(...waiting);
      else {
        this.rewriteCommit(oid, data, isNotes);
        open.pop();
      }
    }
    return this.results.get(tip)!;
  }

  private rewriteCommit(oid: string, data: string, isNotes: boolean): void {
    const known = isNotes ? undefined : this.rules.known?.get(oid);
    if (known !== undefined) {
      this.noteCommit(oid, known);
      if (known === oid) this.keepWhole(data.slice(5, 45));
      return;
    }
    const split = data.indexOf('\n\n');
    const [head, body] = split < 0 ? [data, ''] : [data.slice(0, split), data.slice(split + 2)];
    const lines: string[] = [];
    let isCut = false;
    for (const line of headerLines(head)) {
      if (line.startsWith('tree ')) {
        const tree = line.slice(5, 45);
        lines.push(`tree ${isNotes ? this.notesTree(tree) : this.rootTree(tree)}`);
      } else if (line.startsWith('parent ')) lines.push(`parent ${this.results.get(line.slice(7, 47))!}`);
      else if (signatureField.test(line)) isCut = true;
      else lines.push(this.clean(line, 'plain'));
    }
    const message = this.message(oid, data, body);
    // A signature that still fits is no reason to change anything.
    const taken = withTakenTimes(lines.join('\n'));
    if (message === body && isUnchanged(head, this.rules.times ? headerLines(taken) : lines)) {
      this.note(oid, oid, oid);
      return;
    }
    const after = `${taken}${split < 0 ? '' : `\n\n${message}`}`;
    if (isCut) this.signed.add(oid);
    if (message !== body && !this.rules.times && this.rules.census.holding.has(oid)) this.messages.add(oid);
    const result = this.put('commit', Buffer.from(after, 'latin1'));
    this.noteCommit(oid, result);
  }

  private noteCommit(oid: string, result: string): void {
    this.note(oid, oid, result);
    if (result === oid) return;
    this.commits.set(oid, result);
    this.prefixes.set(oid.slice(0, 7), oid);
  }

  /** Notes that a tree is used with all below it. */
  private keepWhole(tree: string): void {
    if (this.used.has(tree)) return;
    this.used.add(tree);
    for (const { mode, oid } of this.objects.readTree(tree)) {
      if (mode === '40000') this.keepWhole(oid);
      else this.used.add(oid);
    }
  }

  private message(oid: string, data: string, body: string): string {
    const named = this.withNewAbbreviations(this.clean(body, 'text'));
    if (this.rules.gone.length === 0) return named;
    const tree = /^tree ([0-9a-f]{40})/.exec(data)![1]!;
    const [parent] = parentsOf(data);
    const before = parent === undefined ? '' : this.goneStateOf(this.objects.readCommit(parent).tree);
    if (this.goneStateOf(tree) === before) return named;
    // What it says of a file that goes may quote it: only what names things is left.
    this.messages.add(oid);
    this.retold.add(oid);
    const { subject, trailers, others } = parseMessage(Buffer.from(named, 'latin1').toString('utf8'));
    const kind = /^[a-z]+: /.exec(subject)?.[0] ?? '';
    const block = [...trailers, ...others].map(({ key, value }) => `${key}: ${value}`);
    const text = `${[`${kind}${this.rules.needles.mark}`, block.join('\n')].filter((part) => part !== '').join('\n\n')}\n`;
    return Buffer.from(text).toString('latin1');
  }

  /** Tells one state of the files that go from another. */
  private goneStateOf(tree: string): string {
    const known = this.goneStates.get(tree);
    if (known !== undefined) return known;
    const found: string[] = [];
    const visit = (oid: string, node: GoneNode) => {
      for (const { name, oid: child, mode } of this.objects.readTree(oid)) {
        const next = node.children.get(name);
        if (next === undefined) continue;
        if (next.children.size === 0) found.push(child);
        else if (mode === '40000') visit(child, next);
      }
    };
    visit(tree, this.goneRoot);
    const state = found.join(' ');
    this.goneStates.set(tree, state);
    return state;
  }

  private clean(text: string, form: 'text' | 'plain'): string {
    const bytes = Buffer.from(text, 'latin1');
    const after = this.rules.needles.replace(bytes, form);
    return after === bytes ? text : after.toString('latin1');
  }

  /** Messages name commits by their ids, whole or from seven digits. */
  private withNewAbbreviations(text: string): string {
    if (this.commits.size === 0) return text;
    return text.replace(/\b[0-9a-f]{7,40}\b/g, (id) => {
      if (id.length === 40) return this.commits.get(id) ?? id;
      const old = this.oldOf(id);
      return old === undefined ? id : this.commits.get(old)!.slice(0, id.length);
    });
  }

  private oldOf(prefix: string): string | undefined {
    const old = this.prefixes.get(prefix.slice(0, 7));
    return old?.startsWith(prefix) ? old : undefined;
  }

  private tag(oid: string): string {
    const known = this.results.get(oid);
    if (known !== undefined) return known!;
    const data = this.objects.read(oid).data.toString('latin1');
    const target = /^object ([0-9a-f]{40})\n/.exec(data)?.[1];
    if (target === undefined) throw new MemoryError('OBJECT_CORRUPT', `tag ${oid} names no object`, { where: oid });
    const split = data.indexOf('\n\n');
    const [head, body] = split < 0 ? [data, ''] : [data.slice(0, split), data.slice(split + 2)];
    const cleanHead = this.clean(head.replace(target, this.of(target)), 'plain');
    const taken = withTakenTimes(cleanHead);
    const newHead = this.rules.times || cleanHead !== head ? taken : head;
    const signature = body.search(/^-----BEGIN (?:PGP|SSH) /m);
    const words = this.withNewAbbreviations(this.clean(body, 'text'));
    if (newHead === head && words === body) return this.note(oid, oid, oid)!;
    if (signature >= 0) this.signed.add(oid);
    const unsigned = signature < 0 ? words : words.slice(0, Math.max(words.search(/^-----BEGIN (?:PGP|SSH) /m), 0));
    return this.note(
      oid,
      oid,
      this.put('tag', Buffer.from(`${newHead}${split < 0 ? '' : `\n\n${unsigned}`}`, 'latin1')),
    )!;
  }

  /** The tree of a commit of notes: `1a2b…` or `1a/2b…`, the name of the commit, is that of the new one. */
  private notesTree(oid: string): string {
    const root = this.tree(oid, '', null);
    if (root === null) return this.keepEmptyTree();
    const edits = new Map<string, TreeChange>();
    const visit = (id: string, prefix: string) => {
      for (const { mode, name, oid: child } of this.entriesOf(id)) {
        const path = `${prefix}${name}`;
        if (mode === '40000') visit(child, `${path}/`);
        else {
          const to = this.commits.get(path.replaceAll('/', ''));
          if (to === undefined || mode === '160000') continue;
          const lengths = path.split('/').map((part) => part.length);
          const starts = lengths.map((_, at) => lengths.slice(0, at).reduce((sum, length) => sum + length, 0));
          const parts = lengths.map((length, at) => to.slice(starts[at], starts[at]! + length));
          edits.set(path, null);
          if (!edits.has(parts.join('/'))) edits.set(parts.join('/'), { mode, oid: child });
        }
      }
    };
    visit(root, '');
    if (edits.size === 0) return root;
    const edited = editTree(root, edits, (id) => this.entriesOf(id), { allowTwins: true });
    this.keep(edited.trees);
    return edited.root ?? this.keepEmptyTree();
  }
}

function entriesOfNew(tree: NewObject): readonly TreeEntry[] {
  if ('entries' in tree) return (tree as NewObject & { entries: readonly TreeEntry[] }).entries;
  return entriesOf(cutTree(tree.data, tree.oid));
}

function isUnchanged(head: string, lines: readonly string[]): boolean {
  const own = headerLines(head).filter((line) => !signatureField.test(line));
  return own.length === lines.length && own.every((line, position) => line === lines[position]);
}

function parentsOf(data: string): string[] {
  const head = data.slice(0, Math.max(0, data.indexOf('\n\n')) || data.length);
  return [...head.matchAll(/^parent ([0-9a-f]{40})$/gm)].map((match) => match[1]!);
}

/** Cuts a head into its fields; one goes on where lines are indented. */
const headerLines = (head: string): string[] => head.split(/\n(?! )/);
