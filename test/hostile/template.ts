// The repository that the cases damage or make hostile, and the tools they do it with. Nothing here needs a git program.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { openMemory } from '../../src/memory/open-memory.ts';
import { formatCommit } from '../../src/store/git/commit-object.ts';
import { formatLoose, type NewObject, newObject } from '../../src/store/git/object-codec.ts';
import { discoverRepository, openRepository, type Repository } from '../../src/store/git/repository.ts';
import { countingIds, ManualClock } from '../helpers/memories.ts';

/** Makes a memory with a few commits, a tag, and a pending write if asked for. */
export async function makeTemplate(dir: string, options: { pending?: boolean; loose?: boolean } = {}): Promise<void> {
  const clock = new ManualClock();
  const memory = await openMemory({ dir, create: true, durability: 'fast', clock, ids: countingIds() });
  await memory.capture({
    session: 'ses_tea',
    started: clock.now(),
    topic: 'tea',
    messages: [{ role: 'user', text: 'I prefer tea.', time: clock.now() }],
  });
  await memory.write('knowledge/people/ada.md', '# Ada\n\n- Lives in Paris\n');
  await memory.commit();
  await memory.snapshots.create('first');
  clock.advance({ days: 1 });
  await memory.edit('knowledge/people/ada.md', 'Paris', 'Rome');
  await memory.remember({ content: 'Ada drinks tea', tags: ['tea'] });
  await memory.commit();
  clock.advance({ days: 1 });
  await memory.remember({ content: 'The tea is green' });
  await memory.commit();
  await memory.close();
  if (options.loose) unpack(dir);
  if (options.pending) {
    const again = await openMemory({ dir, durability: 'fast', clock, ids: countingIds('later') });
    await again.write('knowledge/people/bob.md', '# Bob\n');
    await again.write('knowledge/people/eve.md', '# Eve\n');
    // Left as a process leaves them that dies now.
    await new Promise((resolve) => setTimeout(resolve, 60));
    again.dispose();
  }
}

export const open = (dir: string): Repository => openRepository(fs, discoverRepository(fs, dir)!);

/** Stores every object as a file of its own. */
export function unpack(dir: string): void {
  const repository = open(dir);
  const objects = [...repository.objects.copies()].map(({ oid, read }) => ({ oid, ...read() }));
  repository.objects.close();
  fs.rmSync(path.join(dir, '.git/objects/pack'), { recursive: true });
  fs.mkdirSync(path.join(dir, '.git/objects/pack'));
  for (const object of objects) putLoose(dir, object);
}

export function loosePath(dir: string, oid: string): string {
  return path.join(dir, '.git/objects', oid.slice(0, 2), oid.slice(2));
}

/** Writes an object as a file; `bytes` in place of what belongs there. */
export function putLoose(dir: string, object: NewObject, bytes = formatLoose(object)): string {
  const file = loosePath(dir, object.oid);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.rmSync(file, { force: true });
  fs.writeFileSync(file, bytes);
  return object.oid;
}

/** A tree's bytes as somebody writes them who keeps no rule. */
export function rawTree(entries: readonly (readonly [mode: string, name: string, oid: string])[]): NewObject {
  const parts = entries.flatMap(([mode, name, oid]) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, 'hex')]);
  return newObject('tree', Buffer.concat(parts));
}

const signature = { name: 'Mallory', email: 'mallory@example.org', time: 1_700_000_000, zone: '+0000' };

/** Puts a commit on top of the branch whose tree is the last one's, with entries added at the root. */
export function commitRoot(
  dir: string,
  added: readonly (readonly [mode: string, name: string, oid: string])[],
): string {
  const { objects } = open(dir);
  const tip = read(dir, '.git/refs/heads/main').trim();
  const present = objects
    .readTree(objects.readCommit(tip).tree)
    .map(({ mode, name, oid }) => [mode, name, oid] as const);
  const names = new Set(added.map(([, name]) => name));
  const sorted = [...present.filter(([, name]) => !names.has(name)), ...added].sort(([a, x], [b, y]) =>
    Buffer.compare(Buffer.from(a === '40000' ? `${x}/` : x), Buffer.from(b === '40000' ? `${y}/` : y)),
  );
  objects.close();
  return commitTree(dir, putLoose(dir, rawTree(sorted)), [tip]);
}

export function commitTree(dir: string, tree: string, parents: readonly string[], message = 'hostile\n'): string {
  const commit = newObject('commit', formatCommit({ tree, parents, author: signature, committer: signature, message }));
  putLoose(dir, commit);
  put(dir, '.git/refs/heads/main', `${commit.oid}\n`);
  return commit.oid;
}

export function putBlob(dir: string, text: string | Buffer): string {
  return putLoose(dir, newObject('blob', Buffer.from(text)));
}

export const read = (dir: string, name: string): string => fs.readFileSync(path.join(dir, name), 'utf8');

/** Writes a file below the folder, with the folders above it. */
export function put(dir: string, name: string, content: string | Buffer): void {
  const file = path.join(dir, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.rmSync(file, { force: true });
  fs.writeFileSync(file, content);
}

export function append(dir: string, name: string, content: string): void {
  fs.appendFileSync(path.join(dir, name), content);
}

export function remove(dir: string, ...names: string[]): void {
  for (const name of names) fs.rmSync(path.join(dir, name), { recursive: true });
}

/** Changes the bytes of a file. */
export function change(dir: string, name: string, edit: (bytes: Buffer) => Buffer): void {
  put(dir, name, edit(fs.readFileSync(path.join(dir, name))));
}

export const cutInHalf = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length >> 1);
export const zeros = (bytes: Buffer): Buffer => Buffer.alloc(bytes.length);

/** Flips one bit, in the middle unless told where. */
export const flip =
  (at?: number) =>
  (bytes: Buffer): Buffer => {
    const changed = Buffer.from(bytes);
    changed[at ?? bytes.length >> 1]! ^= 0x10;
    return changed;
  };

/** Puts the right checksum at the end of an index of git, or of a pack. */
export function withChecksum(bytes: Buffer): Buffer {
  const content = bytes.subarray(0, -20);
  return Buffer.concat([content, createHash('sha1').update(content).digest()]);
}

/** Makes a file look as if it had been left two hours ago. */
export function age(dir: string, name: string): void {
  const then = Date.now() / 1000 - 2 * 3600;
  fs.utimesSync(path.join(dir, name), then, then);
}

export function packs(dir: string, suffix: string): string[] {
  const names = fs.readdirSync(path.join(dir, '.git/objects/pack')).sort();
  return names.filter((name) => name.endsWith(suffix)).map((name) => `.git/objects/pack/${name}`);
}

type Present = Record<'tip' | 'parent' | 'root' | 'people' | 'ada' | 'first', string>;

/** Names the objects of the present: the tip, what is behind it, its root tree, a folder, and the file `knowledge/people/ada.md`. */
export function present(dir: string): Present {
  const { objects } = open(dir);
  const tip = read(dir, '.git/refs/heads/main').trim();
  const entry = (tree: string, name: string) => objects.readTree(tree).find((item) => item.name === name)!.oid;
  const root = objects.readCommit(tip).tree;
  const people = entry(entry(root, 'knowledge'), 'people');
  let first = tip;
  for (let commit = objects.readCommit(tip); commit.parents[0]; commit = objects.readCommit(first))
    first = commit.parents[0];
  const parent = objects.readCommit(tip).parents[0]!;
  const found = { tip, parent, root, people, ada: entry(people, 'ada.md'), first };
  objects.close();
  return found;
}

/** Gives where the entry of an object begins in the pack that holds it. */
export function packedAt(dir: string, oid: string): { file: string; offset: number } {
  const { objects } = open(dir);
  for (const pack of objects.openPacks()) {
    const offset = pack.find(oid);
    if (offset >= 0) return { file: `.git/objects/pack/${pack.name}.pack`, offset };
  }
  throw new Error(`no pack holds ${oid}`);
}
