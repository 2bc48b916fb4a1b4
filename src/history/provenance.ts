// Provenance: file → commits → trailers → turns of a transcript, also for files that are gone.

import { formatTime } from '../base/time.ts';
import { MemoryError } from '../errors.ts';
import type { Repository } from '../git/repository.ts';
import { kindOf } from '../records/kind.ts';
import { memoryPath, parseMemory } from '../records/memory-record.ts';
import { parseTranscriptWithLines } from '../records/transcript.ts';
import type { SourceReference } from '../records/types.ts';
import type { Snapshot } from '../store/snapshot.ts';
import type { ProvenanceResult } from '../types.ts';
import { changesOf, logOf } from './log.ts';

/**
 * Tells where a file or memory comes from, as known at a snapshot.
 *
 * `at` opens a snapshot of a commit: a file that is gone is read where it was last alive. Throws NOT_FOUND.
 */
export function provenanceOf(
  repository: Repository,
  snapshot: Snapshot,
  at: (commit: string) => Snapshot,
  pathOrId: string,
): ProvenanceResult {
  const path = pathOrId.includes('/') || snapshot.oidOf(pathOrId) !== null ? pathOrId : memoryPath(pathOrId);
  const { commits } = logOf(repository, snapshot.commit, { path, limit: Number.POSITIVE_INFINITY });
  const isAlive = snapshot.oidOf(path) !== null;
  if (commits.length === 0 && !isAlive) {
    throw new MemoryError('NOT_FOUND', `${pathOrId} is not in this memory, nor was it ever`, {
      where: pathOrId,
      hint: '`git memory list` and `git memory recall` show what there is',
    });
  }
  const steps = commits
    .map((commit) => {
      const change = changesOf(repository, commit.oid).find((candidate) => candidate.path === path);
      const kind = change?.before == null ? 'added' : change.after === null ? 'removed' : 'modified';
      return { ...commit, change: kind as 'added' | 'modified' | 'removed' };
    })
    .reverse();
  const removal = steps.findLast((step) => step.change === 'removed');
  const alive = isAlive ? snapshot : at(removal!.parents[0]!);
  const record = kindOf(path) === 'memory' ? parseMemory(alive.readText(path) ?? '', path) : null;
  const trailer = (key: string) =>
    steps.flatMap((step) => step.trailers.filter((candidate) => candidate.key === key).map(({ value }) => value));
  const sources = record?.sources ?? sourcesOf(trailer('Source'), trailer('Session'));
  const extractor = trailer('Extractor')[0];
  const model = trailer('Model')[0];
  return {
    path,
    ...(record ? { id: record.id } : {}),
    alive: isAlive,
    commits: steps,
    ...(extractor === undefined ? {} : { extractor }),
    ...(model === undefined ? {} : { model }),
    sources: sources
      .filter((source) => source.path !== path)
      .map((source) => describe(repository, snapshot, at, source)),
  };
}

/** Reads `path#turn` trailers; a session without any turn stands for itself. */
function sourcesOf(sources: readonly string[], sessions: readonly string[]): SourceReference[] {
  const parsed = [...new Set(sources)].map((source) => {
    const match = /^(.*?)(?:#(\d+))?$/.exec(source)!;
    return match[2] === undefined ? { path: match[1]! } : { path: match[1]!, turn: Number(match[2]) };
  });
  const rest = [...new Set(sessions)].filter((session) => !parsed.some((source) => source.path === session));
  return [...parsed, ...rest.map((path) => ({ path }))];
}

function describe(
  repository: Repository,
  snapshot: Snapshot,
  at: (commit: string) => Snapshot,
  source: SourceReference,
): ProvenanceResult['sources'][number] {
  const { commits } = logOf(repository, snapshot.commit, { path: source.path, limit: 2 });
  const newest = commits[0];
  const isAlive = snapshot.oidOf(source.path) !== null;
  // A capture that was taken back is read where it last was.
  const text = isAlive
    ? snapshot.readText(source.path)
    : newest?.parents[0] === undefined
      ? null
      : at(newest.parents[0]).readText(source.path);
  const recorded = isAlive ? newest : commits[1];
  const base = {
    path: source.path,
    ...(source.turn === undefined ? {} : { turn: source.turn }),
    ...(source.role === undefined ? {} : { role: source.role }),
    ...(recorded === undefined ? {} : { commit: recorded.oid }),
  };
  if (text === null || kindOf(source.path) !== 'conversation') return base;
  const transcript = parseTranscriptWithLines(text, source.path);
  const turn = source.turn === undefined ? undefined : transcript.turns[source.turn - 1];
  if (!turn) return { ...base, session: transcript.sessionId };
  return {
    ...base,
    session: transcript.sessionId,
    line: turn.line,
    role: turn.role,
    ...(turn.speaker === undefined ? {} : { speaker: turn.speaker }),
    time: formatTime(turn.time),
    text: turn.text,
  };
}
