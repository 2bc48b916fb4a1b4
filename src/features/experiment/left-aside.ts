// What extraction brought into a state, taken out of it: the beginning of every experiment. Remembered, edited and live content stays.

import { normaliseForHash } from '../../base/text.ts';
import { changesOf } from '../../history/index.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import type { Repository } from '../../store/git/repository.ts';
import { parseMessage } from '../../store/guard/message.ts';
import { mergeFile } from '../../store/merge/merge-file.ts';
import type { FileChange } from '../../store/operation.ts';
import { kindOf, type RecordKind } from '../../store/records/kind.ts';
import { parseMemory } from '../../store/records/memory-record.ts';

/** The `Operation` of the commits with which experiments begin and end. */
export const experimentOperation = 'experiment';

/** What a state would be without extraction. */
export interface LeftAside {
  readonly changes: readonly FileChange[];
  /** How many memories it leaves out. */
  readonly memories: number;
  /** What was extracted and taken away since by whomever, by turn and words: {@link wordsOfTurn}. It does not come back. */
  readonly gone: ReadonlySet<string>;
}

/** Names what a turn said, letter case and punctuation apart. */
export function wordsOfTurn(path: string, turn: number | undefined, content: string): string {
  return `${path} ${turn ?? ''} ${normaliseForHash(content)}`;
}

/** Captures and logs only grow, whoever wrote them; what is derived follows; a configuration is nobody's extraction. */
const derivedKinds: ReadonlySet<RecordKind> = new Set<RecordKind>(['memory', 'relation', 'knowledge', 'box']);

/** Tells what an experiment takes back and makes anew. */
export const isExtracted = (path: string): boolean => derivedKinds.has(kindOf(path));

/**
 * Takes back, newest first, what every commit with an `Extractor` trailer did, as far as nothing else was done to it since. A record that
 * was edited stays, one that was only used goes.
 *
 * `commit` is the state. What undo has taken back already counts as never done.
 */
export function leaveAside(store: BranchStore, commit: string): LeftAside {
  const { repository } = store;
  const files = filesOf(store, commit);
  const replaced = new Set<string>();
  const made: { path: string; oid: string }[] = [];
  for (const { oid, isExperiment } of extractions(repository, commit)) {
    for (const { path, before, after } of changesOf(repository, oid)) {
      if (!isExtracted(path)) continue;
      files.takeBack(path, before?.oid ?? null, after?.oid ?? null);
      if (kindOf(path) !== 'memory') continue;
      if (isExperiment && after === null) replaced.add(path);
      if (!isExperiment && before === null && after !== null) made.push({ path, oid: after.oid });
    }
  }
  const present = store.at(commit);
  const gone = new Set<string>();
  for (const { path, oid } of made) {
    if (replaced.has(path) || present.oidOf(path) !== null) continue;
    for (const key of keysOf(files.text(path, oid), path)) gone.add(key);
  }
  const changes = files.changes();
  const isLeft = ({ path, after }: FileChange) => after === null && kindOf(path) === 'memory';
  return { changes, memories: changes.filter(isLeft).length, gone };
}

function keysOf(text: string, path: string): string[] {
  const { content, sources = [] } = parseMemory(text, path);
  return sources.map((source) => wordsOfTurn(source.path, source.turn, content));
}

interface Extraction {
  readonly oid: string;
  readonly isExperiment: boolean;
}

/** Lists the commits by which extraction is in a history, each before those that it stands upon. */
function extractions({ objects }: Repository, tip: string): Extraction[] {
  const undone = new Set<string>();
  const found: Extraction[] = [];
  for (const oid of childrenFirst(objects.readCommit, tip)) {
    const { message } = objects.readCommit(oid);
    if (undone.has(oid) || !/^(?:Extractor|Undoes): /m.test(message)) continue;
    const { trailers } = parseMessage(message);
    for (const { key, value } of trailers) if (key === 'Undoes') undone.add(value);
    if (!trailers.some(({ key }) => key === 'Extractor')) continue;
    const isExperiment = trailers.some(({ key, value }) => key === 'Operation' && value === experimentOperation);
    found.push({ oid, isExperiment });
  }
  return found;
}

/** Lists what leads to a commit, each before its parents, whatever clocks said. */
function childrenFirst(readCommit: (oid: string) => { readonly parents: readonly string[] }, tip: string): string[] {
  const children = new Map([[tip, 0]]);
  const found = [tip];
  for (const oid of found) {
    for (const parent of readCommit(oid).parents) {
      const count = children.get(parent);
      if (count === undefined) found.push(parent);
      children.set(parent, (count ?? 0) + 1);
    }
  }
  const ordered = [tip];
  for (const oid of ordered) {
    for (const parent of readCommit(oid).parents) {
      const left = children.get(parent)! - 1;
      children.set(parent, left);
      if (left === 0) ordered.push(parent);
    }
  }
  return ordered;
}

/** Follows files as they become while one commit after the other is taken back. */
function filesOf(store: BranchStore, commit: string) {
  const { codec, repository } = store;
  const snapshot = store.at(commit);
  /** Path → blob id, or the text that a merge made; null: gone. */
  const files = new Map<string, { readonly oid: string } | { readonly text: string } | null>();
  const at = (path: string) => {
    const file = files.get(path);
    if (file !== undefined) return file;
    const oid = snapshot.oidOf(path);
    const present = oid === null ? null : { oid };
    files.set(path, present);
    return present;
  };
  const text = (path: string, oid: string): string =>
    codec.decode(path, repository.objects.readBlob(oid)).toString('utf8');
  return {
    text,
    takeBack(path: string, before: string | null, after: string | null): void {
      const present = at(path);
      const oid = present === null ? null : 'oid' in present ? present.oid : undefined;
      if (oid === before) return;
      if (oid === after) {
        files.set(path, before === null ? null : { oid: before });
        return;
      }
      const textOf = (version: string | null) => (version === null ? null : text(path, version));
      const ours = present === null ? null : 'oid' in present ? textOf(present.oid) : present.text;
      const { merged } = mergeFile(path, [textOf(after), ours, textOf(before)], 'ours');
      files.set(path, merged === null ? null : { text: merged });
    },
    changes: (): FileChange[] =>
      [...files].flatMap(([path, file]): FileChange[] => {
        const before = snapshot.oidOf(path);
        if (file === null) return before === null ? [] : [{ path, before, after: null }];
        if ('oid' in file && file.oid === before) return [];
        const after =
          'oid' in file ? repository.objects.readBlob(file.oid) : codec.encode(path, Buffer.from(file.text));
        return [{ path, before, after }];
      }),
  };
}
