// Which sessions hold a key: of each a sorted list of hashes, kept between processes. Derived: it can be thrown away, and a hash may be that of
// another key, so that whoever asks looks at the session itself.
//
//   cache/about     one frame = id of the acts | id of the transcript | hashes, u32, sorted

import { firstNotBelow } from '../../base/sorted.ts';
import { CacheFile, type CachePlace } from '../../store/cache-file.ts';
import { noOid } from '../../store/git/object-codec.ts';
import { actsFolder, actsPathOf } from '../../store/records/acts-file.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import type { Episode } from './episodes.ts';
import { codesIn, codeWordsIn, commandKeys, endingsOf, filesIn, prefixesOf, signatureOf } from './keys.ts';

/** To be raised whenever what keys are made of changes. */
const version = 3;
const idBytes = 40;
const mostTalks = 200;

/** A file as it is in a state. */
export interface Stored {
  readonly path: string;
  readonly oid: string;
}

/** A session: its words and its acts, and what names both as they are. */
export interface KnownSession {
  readonly transcript: Stored;
  /** Absent where nothing was done. */
  readonly acts?: Stored;
  readonly id: string;
}

/** How a key is called in the index: its kind and itself. */
export const keyOf = {
  path: (path: string) => `p ${path}`,
  /** Of a command that failed, as it is and as others begin: one that always went well has nothing to tell. */
  command: (key: string) => `c ${key}`,
  beginning: (key: string) => `b ${key}`,
  name: (name: string) => `n ${name}`,
  error: (signature: string) => `e ${signature}`,
} as const;

/** Hashes a key to 32 bits (FNV-1a). */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** The index of one repository. */
export class ActsIndex {
  private readonly file: CacheFile;
  private frames: Map<string, Uint32Array> | undefined;

  constructor(place: CachePlace) {
    this.file = new CacheFile(place, 'about', version);
  }

  /** Lists the sessions of a state that may hold keys, the newest first, each with their number. `read` reads a session that is not in the index yet. */
  holding(
    snapshot: Snapshot,
    keys: readonly string[],
    read: (session: KnownSession) => readonly Episode[],
  ): { readonly session: KnownSession; readonly count: number }[] {
    const sessions = sessionsIn(snapshot);
    this.frames ??= this.load();
    const { frames } = this;
    const wanted = keys.map(hashOf);
    const unknown = sessions.filter(({ id }) => !frames.has(id));
    // An old history of talks is read little by little.
    const talks = new Set(unknown.filter(({ acts }) => acts === undefined).slice(0, mostTalks));
    const missing = unknown.filter((session) => session.acts !== undefined || talks.has(session));
    for (const session of missing) frames.set(session.id, hashesOf(read(session)));
    this.keep(snapshot, sessions, missing, frames);
    return sessions.flatMap((session) => {
      const own = frames.get(session.id);
      const count = own === undefined ? 0 : wanted.filter((hash) => own[firstNotBelow(own, hash)] === hash).length;
      return count === 0 ? [] : [{ session, count }];
    });
  }

  private load(): Map<string, Uint32Array> {
    const frames = new Map<string, Uint32Array>();
    for (const bytes of this.file.read()) {
      const { buffer, byteOffset, byteLength } = bytes;
      const hashes = new Uint32Array(buffer.slice(byteOffset + idBytes, byteOffset + byteLength));
      frames.set(bytes.toString('hex', 0, idBytes), hashes);
    }
    return frames;
  }

  /** Keeps what is new; where most is of other states, what is of this one alone. Nothing of private sessions. */
  private keep(
    { privacy }: Snapshot,
    sessions: readonly KnownSession[],
    missing: readonly KnownSession[],
    frames: ReadonlyMap<string, Uint32Array>,
  ): void {
    if (missing.length === 0) return;
    const isAnew = missing.length > 8 || frames.size > 2 * sessions.length + 64;
    const payloads = (isAnew ? sessions : missing)
      .filter(({ id, acts, transcript }) => {
        return frames.has(id) && ![transcript, acts].some((file) => privacy.isPrivate(file?.path ?? ''));
      })
      .map(({ id }) => frameOf(id, frames.get(id)!));
    if (isAnew) this.file.replace(payloads);
    else for (const payload of payloads) this.file.append(payload);
  }
}

function frameOf(id: string, hashes: Uint32Array): Buffer {
  return Buffer.concat([Buffer.from(id, 'hex'), new Uint8Array(hashes.buffer, hashes.byteOffset, hashes.byteLength)]);
}

function sessionsIn(snapshot: Snapshot): KnownSession[] {
  const done = snapshot.list(actsFolder);
  return [...snapshot.list('raw/conversations/')]
    .flatMap(([path, oid]): KnownSession[] => {
      const acts = actsPathOf(path);
      if (acts === null) return [];
      const own = done.get(acts);
      return [{ transcript: { path, oid }, id: (own ?? noOid) + oid, ...(own && { acts: { path: acts, oid: own } }) }];
    })
    .reverse();
}

function hashesOf(episodes: readonly Episode[]): Uint32Array {
  const keys = new Set<string>();
  for (const { said, acts } of episodes) {
    for (const file of filesIn(said)) for (const ending of endingsOf(file)) keys.add(keyOf.path(ending));
    for (const code of codesIn(said)) keys.add(keyOf.error(code));
    for (const word of codeWordsIn(said)) keys.add(keyOf.name(word)).add(keyOf.name(word.toLowerCase()));
    for (const act of acts) {
      if ('edit' in act) {
        for (const ending of endingsOf(act.edit)) keys.add(keyOf.path(ending));
        for (const name of act.names ?? []) keys.add(keyOf.name(name));
        continue;
      }
      if (act.ok === false)
        for (const key of commandKeys(act.run)) {
          keys.add(keyOf.command(key));
          for (const beginning of prefixesOf(key)) keys.add(keyOf.beginning(beginning));
        }
      for (const line of act.errors ?? []) {
        for (const word of signatureOf(line).match(errorWord) ?? []) keys.add(keyOf.error(word));
        for (const code of codesIn(line)) keys.add(keyOf.error(code));
      }
    }
  }
  return Uint32Array.from(new Set([...keys].map(hashOf))).sort();
}

/** Words by which an error is found: those of its signature that are long enough to tell something. */
export const errorWord = /[\p{L}_][\p{L}\p{N}_]{4,}/gu;
