// What a session begins with, kept ready: compiling it takes longer than a person waits for. It is handed out as it is while nothing has
// changed that it was made of. The sizes and times of a few files say so, and the memory is not opened.
//
//   cache/beginning    { of: version, zone, day, files: { path: "size time inode" }, text } as JSON

import { readFileSync, statSync } from 'node:fs';
import { nodeFileSystem } from '../../adapters/node.ts';
import { packageVersion } from '../../adapters/package.ts';
import { dayOf } from '../../base/time.ts';
import type { MemoryPart } from '../../memory/open-memory.ts';
import { ConfigurationReader } from '../../store/configuration-reader.ts';
import { discoverRepository } from '../../store/git/discovery.ts';
import { unseenTold } from '../../store/patience.ts';
import { keepJson } from './told.ts';

/** A hook hands its agent no more at a time. */
export const mostTokens = 400;

interface Kept {
  readonly of: string;
  readonly zone: string;
  /** The day on which it was compiled: what is due and what ends depends on it. */
  readonly day: string;
  readonly files: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Changes with what shapes the text. */
const version = () => `${packageVersion()} 1`;
const placeIn = (commonDirectory: string): string => `${commonDirectory}/git-memory/cache/beginning`;

/** Compiles what a session begins with, and keeps it for the next one; empty where nothing is known. */
export async function compileBeginning(memory: MemoryPart): Promise<string> {
  const { repository, ref } = memory.store;
  const { gitDirectory, commonDirectory, ownDirectory } = repository;
  const head = repository.refs.readHead();
  const files = [
    ...new Set([
      `${gitDirectory}/HEAD`,
      `${commonDirectory}/packed-refs`,
      ...['ref' in head ? head.ref : ref, ref, repository.refs.borrowed.get(ref) ?? ref].map(
        (name) => `${commonDirectory}/${name}`,
      ),
      `${ownDirectory}/journal/${encodeURIComponent(ref)}.journal`,
      `${commonDirectory}/refs/heads`,
    ]),
  ];
  // What changes meanwhile makes it stale.
  const stamps = Object.fromEntries(files.map((path) => [path, stampOf(path)]));
  const { damage } = memory.store;
  const since = damage.now;
  const { text, day } = await memory.sessionStart({ tokens: mostTokens });
  const unseen = damage.unseenSince(since);
  // What was not looked at yet will be there for the next session.
  if (unseen > 0) return [text, unseenTold(unseen)].filter((part) => part !== '').join('\n\n');
  const { timezone: zone } = new ConfigurationReader().of(memory.store.snapshot(true));
  const kept: Kept = { of: version(), zone, day, files: stamps, text };
  keepJson(memory, placeIn(commonDirectory), kept);
  return text;
}

/** Gives what is kept ready for the repository of a folder; undefined where it has to be compiled. */
export function keptBeginning(folder: string): string | undefined {
  try {
    const layout = discoverRepository(nodeFileSystem, folder);
    if (layout === null) return undefined;
    const kept = JSON.parse(readFileSync(placeIn(layout.commonDirectory), 'utf8')) as Kept;
    const isFresh =
      kept.of === version() &&
      kept.day === dayOf(Date.now(), kept.zone) &&
      Object.entries(kept.files).every(([path, stamp]) => stampOf(path) === stamp);
    return isFresh ? kept.text : undefined;
  } catch {
    // It was never compiled, or a crash has torn it.
    return undefined;
  }
}

function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.size} ${stat.mtimeMs} ${stat.ino}`;
}
