// How a state came about: its operations, where lines and memories come from, when something was learnt, what is different elsewhere.

import { defined, MemoryError } from '../base/errors.ts';
import type * as types from '../base/types.ts';
import { rangeOf, timeOf } from '../core/recall/asked-times.ts';
import { askedWithin, checkSeen, refuseInScope, withoutOthers } from '../core/recall/scoped-questions.ts';
import { placeOf, placesOf } from '../core/write/places.ts';
import { logOf } from '../history/index.ts';
import { findEvent } from '../logs/index.ts';
import { maxObjectBytes } from '../store/guard/limits.ts';
import { askedPath, checkPath } from '../store/guard/path.ts';
import { parseSequenceId } from '../store/records/sequence-id.ts';
import { linesAt, spotIn } from '../store/records/spot.ts';
import type { Snapshot } from '../store/snapshot.ts';
import { momentOf, type SharedSources, type State, stateAt } from './state.ts';

/** Asks how a state came about. */
export function historyQuestions(state: State) {
  const { shared } = state;
  const { repository } = shared;
  return {
    /** Lists operations, newest first. Throws NOT_FOUND for an unknown `after`. */
    async log(filter: types.LogFilter = {}): Promise<types.LogResult> {
      const snapshot = state.current();
      const moment = momentOf(state, snapshot);
      const { id, path, since, until, ...rest } = filter;
      const from = timeOf(since, 'since', moment, false);
      const to = timeOf(until, 'until', moment, true);
      if (filter.follow && path === undefined)
        throw new MemoryError('INVALID_ARGUMENT', 'follow needs the path of a file', { where: 'follow' });
      if (id !== undefined) checkSeen(shared, snapshot, id);
      const place =
        path === undefined && id !== undefined
          ? placesOf(shared, snapshot, id)
          : askedWithin(shared, snapshot, path === undefined ? undefined : askedPath(path));
      const log = logOf(repository, snapshot.commit, { ...rest, ...defined({ path: place, since: from, until: to }) });
      return withoutOthers(shared, snapshot, log);
    },

    /** Tells from which commit each line of a file or value of a memory is. Throws NOT_FOUND, INVALID_ARGUMENT, and as {@link Memory.at}. */
    async blame(pathOrId: string, options: types.BlameOptions = {}): Promise<types.BlameResult> {
      const { blameOf } = await import('../history/index.ts');
      const { at: when, ...rest } = options;
      const here = state.current();
      const snapshot = when === undefined ? here : stateAt(shared, when);
      checkSeen(shared, snapshot, pathOrId);
      const { path, id } = placeOf(shared, snapshot, pathOrId);
      const blame = blameOf(repository, snapshot, path, rest);
      return { ...defined({ id }), ...withoutOthers(shared, snapshot, blame) };
    },

    /**
     * Tells where a file, a memory or one line comes from, also of what is gone. It follows consolidations and splits, and goes down to the
     * turns of conversations. `PATH#TURN`, `PATH:LINE` and the id of an event name a turn or line, too. Throws NOT_FOUND, INVALID_ARGUMENT.
     */
    async provenance(pathOrId: string, line?: number): Promise<types.ProvenanceResult> {
      refuseInScope(shared, 'provenance');
      const { provenanceOf } = await import('../history/index.ts');
      const snapshot = state.current();
      const context = { repository, snapshot, at: shared.at };
      const spot = line === undefined && typeof pathOrId === 'string' ? spotIn(pathOrId) : null;
      if (spot !== null) {
        const path = askedPath(spot.path);
        const text = snapshot.readText(path);
        if (text !== null) return provenanceOf(context, [path], pathOrId, linesAt(text, spot)[0]);
      }
      if (line === undefined && parseSequenceId(pathOrId)?.series.startsWith('EVT') === true) {
        const event = findEvent(snapshot, pathOrId);
        return provenanceOf(context, [event.path], pathOrId, event.line);
      }
      if (line !== undefined) return provenanceOf(context, [placeOf(shared, snapshot, pathOrId).path], pathOrId, line);
      return provenanceOf(context, placesOf(shared, snapshot, pathOrId), pathOrId);
    },

    /**
     * Finds when a text came or went: commits, newest first, in which the number of its occurrences in a file changed (`git log -S`).
     *
     * A RegExp (RE2 syntax: no look-around, no back-references) finds commits whose added or removed lines match (`git log -G`). Throws
     * INVALID_ARGUMENT, INVALID_DATE, TOO_LARGE for a pattern or text too large to be searched, and NOT_FOUND for an unknown `after`.
     */
    async learned(what: string | RegExp, options: types.LearnedOptions = {}): Promise<types.LearnedResult> {
      const { learnedOf } = await import('../history/index.ts');
      const { compilePattern } = await import('../store/guard/pattern.ts');
      const { path, since, until, limit = 50, after } = options;
      if (what === '') throw new MemoryError('INVALID_ARGUMENT', 'the text to look for is missing', { where: 'what' });
      if (!(Number.isInteger(limit) && limit > 0))
        throw new MemoryError('INVALID_ARGUMENT', 'limit must be a whole number above 0', { where: 'limit' });
      const snapshot = state.current();
      const folder = folderAsked(shared, snapshot, 'learned', path);
      const moment = momentOf(state, snapshot);
      const [from, to] = [timeOf(since, 'since', moment, false), timeOf(until, 'until', moment, true)];
      const needle =
        typeof what === 'string'
          ? what
          : {
              pattern: await compilePattern(what, { where: 'what', maxTextBytes: maxObjectBytes }),
              source: what.source,
              ignoresCase: what.ignoreCase,
            };
      return learnedOf(repository, snapshot.commit, {
        what: needle,
        limit,
        plain: (stored) => snapshot.plainOr(stored),
        ...defined({ path: folder, since: from, until: to, after }),
      });
    },

    /**
     * Compares a state with this one, or two states: files, the fields of memories, and patches for `git apply`.
     *
     * States are revisions and times, or a range of them as in `yesterday..now`; an end that is left out of a range is this state. A time
     * before the first commit is an empty state. With three dots, as in `main...explore/plan`, the second state is compared with where it
     * parted from the first. Of several such places it takes the newest, as git does. Throws as {@link Memory.at}, and NOT_FOUND where the
     * two never were one.
     */
    async diff(
      from: types.TimeInput,
      to?: types.TimeInput,
      options: types.DiffOptions = {},
    ): Promise<types.DiffResult> {
      const { diffSnapshots } = await import('../history/index.ts');
      const { context = 3, path, patch = true, words = false } = options;
      if (!Number.isInteger(context) || context < 0 || context > 1000) {
        throw new MemoryError('INVALID_ARGUMENT', 'context must be a whole number from 0 to 1000', {
          where: 'context',
        });
      }
      const folder = folderAsked(shared, state.current(), 'diff', path);
      const range = to === undefined ? rangeOf(from) : { from, to, sinceParting: false };
      const stateAt = (end: types.TimeInput | undefined): Snapshot | null => {
        if (end === undefined) return state.current();
        if (end === 'now') return shared.present();
        const commit = shared.stateOf(end);
        return commit === null ? null : shared.at(commit);
      };
      const after = stateAt(range.to);
      const named = stateAt(range.from);
      const before = range.sinceParting ? await whereParted(shared, named, after) : named;
      const query = {
        context,
        ...defined({ path: folder }),
        ...(words && patch ? { marked: (await import('../base/word-diff.ts')).wordDiff } : {}),
      };
      const files = diffSnapshots(repository, before?.withoutOverlay() ?? null, after, query);
      const shown = patch ? files : files.map(({ patch: _, ...file }) => file);
      return { from: before?.commit ?? null, to: after?.commit ?? null, files: shown };
    },
  };
}

/** Gives the file or folder that a question is about; within a scope it is one of those. */
function folderAsked(shared: SharedSources, snapshot: Snapshot, what: string, given?: string): string | undefined {
  if (given === undefined) refuseInScope(shared, `${what} without a path`);
  const path = given === undefined ? undefined : checkPath(given.replace(/\/$/, ''));
  if (path !== undefined) checkSeen(shared, snapshot, path);
  return path;
}

async function whereParted(shared: SharedSources, one: Snapshot | null, other: Snapshot | null): Promise<Snapshot> {
  const { mergeBases } = await import('../history/index.ts');
  const [left, right] = [one?.commit ?? null, other?.commit ?? null];
  const bases = left === null || right === null ? [] : mergeBases(shared.repository.objects, [left], [right]);
  if (bases[0] !== undefined) return shared.at(bases[0]);
  throw new MemoryError('NOT_FOUND', 'the two states have no commit in common', {
    where: 'from',
    hint: 'Compare them with two dots',
  });
}
