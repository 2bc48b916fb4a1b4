// What a request to purge means: texts to look for, files that go whole, names to be replaced where texts have them.

import { MemoryError, orElse } from '../../base/errors.ts';
import { splitSentences } from '../../base/sentences.ts';
import type { PurgeTarget } from '../../base/types.ts';
import { commitsBehind } from '../../history/index.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import { wordsOfClaim } from '../../store/claims/claim.ts';
import { isSession, parseMessage } from '../../store/guard/message.ts';
import { askedPath } from '../../store/guard/path.ts';
import { attachmentsNamedIn } from '../../store/records/attachment-lines.ts';
import { memoryPath, parseMemory } from '../../store/records/memory-record.ts';
import type { PurgeReceipt } from '../../store/records/purge-receipt.ts';
import { parseRelation } from '../../store/records/relation-record.ts';
import { isSessionPath, parseTranscript } from '../../store/records/transcript.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { checkNeedle } from './needles.ts';

/** A request as the rewriting needs it. */
export interface PurgeScope {
  readonly what: PurgeReceipt['what'];
  readonly texts: readonly string[];
  /** Files and folders that go whole. */
  readonly gone: readonly string[];
  /** Names and paths in texts, each with what takes its place. */
  readonly literals: ReadonlyMap<string, string>;
  /** Files of the present that name what goes. */
  readonly derived: readonly string[];
  /** What comes from it alone goes, too. */
  readonly isDerived?: boolean;
}

/** No words go: commits and tags get times that git takes. */
export const scopeOfTimes: PurgeScope = { what: 'times', texts: [], gone: [], literals: new Map(), derived: [] };

/** So many words make a sentence that nobody else would have written by chance. */
const leastQuotedWords = 4;

/** Finds what is meant; `derived` adds what comes from nothing else, and quotations. Throws INVALID_ARGUMENT, INVALID_PATH, TOO_LARGE, NOT_FOUND. */
export function scopeOf(store: BranchStore, target: PurgeTarget, id: string, derived: boolean): PurgeScope {
  const [what, value] = Object.entries(target).find(([, one]) => one !== undefined) as [PurgeScope['what'], string];
  if (what === 'times') return scopeOfTimes;
  if (what === 'text') return { what, texts: [checkNeedle(value)], gone: [], literals: new Map(), derived: [] };
  const snapshot = store.snapshot();
  const first =
    what === 'path' ? [askedPath(value)] : what === 'id' ? pathsOfMemory(value) : pathsOfSession(store, value);
  if (what !== 'path' && first.length === 0) throw nothingFound(what, value);
  const roots = withAttachments(snapshot, first, what);
  const literals = literalsOf(what, first, id);
  const named = [...literals.keys(), ...(what === 'id' ? [value] : [])];
  const mentions = named.length === 0 ? [] : filesNaming(snapshot, named, roots);
  const read = (path: string) => snapshot.readText(path);
  const sources = new Set(first);
  const records = mentions.filter((path) => path.startsWith('memories/') && isFedOnlyBy(read(path), path, sources));
  const relations = relationsOf(snapshot, what === 'id' ? [value] : []);
  const gone = [...roots, ...relations, ...(derived ? records : [])];
  const texts = derived ? quotationsOf(gone, read) : [];
  return { what, texts, gone, literals, derived: mentions.filter((path) => !gone.includes(path)), isDerived: derived };
}

function nothingFound(what: string, value: string): MemoryError {
  return new MemoryError('NOT_FOUND', `no ${what === 'id' ? 'memory' : what} ever had that name`, {
    where: value,
    hint: '`git memory log` and `git memory learned` search the history',
  });
}

function pathsOfMemory(id: string): string[] {
  if (!/^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u.test(id))
    throw new MemoryError('INVALID_ARGUMENT', 'that is not the id of a memory', { where: 'id' });
  return [memoryPath(id), `memories/${id}.json`];
}

/** A session is known by its commits, wherever they are, and by what waits for one. */
function pathsOfSession(store: BranchStore, session: string): string[] {
  const found = new Set<string>();
  if (session.trim() === '') throw new MemoryError('INVALID_ARGUMENT', 'that is not a session', { where: 'session' });
  // So few letters are in many names: they mean a session by its whole id alone.
  const isMeant = (path: string) => (session.length < 3 ? isSessionPath(path, session) : isSession(path, session));
  const { objects, refs } = store.repository;
  const tips = refs.list('refs/').map(({ oid }) => oid);
  const commits = tips.filter((oid) => ['commit', 'tag'].includes(objects.read(oid).type));
  const consider = (path: string) => {
    if (path.startsWith('raw/') && isMeant(path)) found.add(path);
  };
  for (const oid of commitsBehind(objects, commits.map(objects.peelToCommit.bind(objects)))) {
    for (const { key, value } of parseMessage(objects.readCommit(oid).message).trailers)
      if (key === 'Session') consider(value);
  }
  for (const path of store.snapshot().list('raw/').keys()) consider(path);
  if (found.size > 1 && !found.has(session)) {
    throw new MemoryError('AMBIGUOUS', `${session} fits ${found.size} sessions`, {
      where: 'session',
      hint: 'Name one by its path',
    });
  }
  return [...found];
}

/** What came with the messages of a session and with no other goes with it. */
function withAttachments(snapshot: Snapshot, paths: readonly string[], what: PurgeScope['what']): string[] {
  if (what !== 'session') return [...paths];
  const own = new Set(paths.flatMap((path) => attachmentsNamedIn(snapshot.readText(path) ?? '')));
  if (own.size === 0) return [...paths];
  for (const path of snapshot.list('raw/').keys()) {
    if (paths.includes(path)) continue;
    for (const named of attachmentsNamedIn(snapshot.readText(path) ?? '')) own.delete(named);
  }
  return [...paths, ...own];
}

/** Gives what replaces the names of files that go, where texts have them. */
export function literalsOf(what: PurgeScope['what'], paths: readonly string[], id: string): Map<string, string> {
  const telling = paths.filter(isTelling);
  const literals = new Map(telling.map((path) => [path, placeholderOf(path, id)]));
  // Subjects name a conversation by its file, without folder and ending.
  if (what === 'session') for (const path of telling) literals.set(stemOf(path), `purged-${id}`);
  return literals;
}

/** The name of a conversation tells what it was about; that of a record or attachment does not. */
function isTelling(path: string): boolean {
  return !/^(?:memories|relations|attachments)\//.test(path);
}

const stemOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.[A-Za-z0-9]+$/, '');

function placeholderOf(path: string, id: string): string {
  const slash = path.lastIndexOf('/') + 1;
  const ending = /\.[A-Za-z0-9]+$/.exec(path.slice(slash))?.[0] ?? '';
  return `${path.slice(0, slash)}purged-${id}${ending}`;
}

/** Tells whether a path is one of these, or lies below one. */
export function isWithin(path: string, roots: readonly string[]): boolean {
  return roots.some((root) => path === root || path.startsWith(`${root}/`));
}

function filesNaming(snapshot: Snapshot, names: readonly string[], gone: readonly string[]): string[] {
  const wanted = names.map((name) => Buffer.from(name));
  return [...snapshot.list('').keys()].filter((path) => {
    if (isWithin(path, gone)) return false;
    const bytes = snapshot.read(path);
    return bytes !== null && wanted.some((name) => bytes.includes(name));
  });
}

/** Tells whether a memory has sources, and none but these. */
export function isFedOnlyBy(text: string | null, path: string, sources: ReadonlySet<string>): boolean {
  const record = orElse(() => parseMemory(text ?? '', path), null);
  const own = record?.sources ?? [];
  return own.length > 0 && own.every((source) => sources.has(source.path));
}

function relationsOf(snapshot: Snapshot, ids: readonly string[]): string[] {
  if (ids.length === 0) return [];
  return [...snapshot.list('relations/').keys()].filter((path) => {
    const relation = orElse(() => parseRelation(snapshot.readText(path) ?? '', path), null);
    return relation !== null && (ids.includes(relation.fromMemoryId) || ids.includes(relation.toMemoryId));
  });
}

/** Lists the sentences of four words and more in the present versions of what goes; all versions would be too many. Damage quotes nothing. */
export function quotationsOf(paths: readonly string[], read: (path: string) => string | null): string[] {
  const texts = paths.flatMap((path) => {
    const text = read(path);
    if (text === null) return [];
    if (path.startsWith('memories/')) {
      const record = orElse(() => parseMemory(text, path), null);
      return record === null ? [] : [record.content, wordsOfClaim(record)];
    }
    const transcript = path.startsWith('raw/conversations/') ? orElse(() => parseTranscript(text, path), null) : null;
    return transcript === null ? [] : transcript.turns.map((turn) => turn.text);
  });
  const sentences = texts.flatMap((text) => [text, ...text.split('\n').flatMap(splitSentences)]);
  return [...new Set(sentences.map((sentence) => sentence.trim()))].flatMap((sentence) => {
    if (sentence.split(/\s+/).length < leastQuotedWords) return [];
    return orElse(() => checkNeedle(sentence), []);
  });
}
