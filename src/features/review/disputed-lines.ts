// Finds lines that a merge kept in two wordings: the merge names the page, and its sides have the wordings. An edit of either decides.

import { MemoryError } from '../../base/errors.ts';
import { sha256Hex } from '../../base/hash.ts';
import { splitKeepingEnds, withLastLineEnded } from '../../base/text.ts';
import type { CommitResult, VerdictKind, VerdictOptions, VerdictResult } from '../../base/types.ts';
import type { PackClaims } from '../../core/context/pack/conflicts.ts';
import type { Batch } from '../../core/write/batch.ts';
import type { Origins } from '../../core/write/origin.ts';
import { formatVerdict, mergeBases, type ReviewHistory, reviewHistoryOf } from '../../history/index.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import type { MemoryCatalog } from '../../store/memory-catalog.ts';
import { unitsOf } from '../../store/merge/list-items.ts';
import { keptWordings } from '../../store/merge/merge-knowledge.ts';
import { kindOf } from '../../store/records/kind.ts';
import { wordsOfLine } from '../../store/records/knowledge-marks.ts';
import type { Snapshot } from '../../store/snapshot.ts';

/** What a verdict about a line is given with. */
export interface LinePorts {
  readonly store: BranchStore;
  readonly batch: Batch;
  readonly origins: Origins;
  /** A write is committed at once, and not with a commit of the project. */
  readonly isImmediate: boolean;
  commit(): Promise<CommitResult>;
}

/** One of two wordings. */
export interface DisputedLine {
  /** `line:` and twelve digits, of the page and the words; no memory is called so. */
  readonly id: string;
  /** The item with the lines that continue it, as the page has it. */
  readonly item: string;
  /** When the side had it, in seconds. */
  readonly time: number;
}

/** Two wordings of one item, both in a page. */
export interface DisputedPair {
  readonly path: string;
  /** The merge that kept both. */
  readonly commit: string;
  readonly newer: DisputedLine;
  readonly older: DisputedLine;
}

/** So many merges are looked at, the newest first: what is older stands as everybody has seen it. */
const mostMerges = 300;

/** What a verdict may be about a line. */
export const lineVerdicts: readonly VerdictKind[] = ['keep', 'close', 'forget'];

/** Tells whether a verdict is about a line of a page. */
export const isLine = (id: string): boolean => typeof id === 'string' && id.startsWith('line:');

/** Lists the pairs that stand and that nobody has judged, those of the newest merge first. */
export function disputedPairs(
  store: Pick<BranchStore, 'repository' | 'at'>,
  snapshot: Snapshot,
  { disputes, verdicts }: Pick<ReviewHistory, 'disputes' | 'verdicts'>,
): DisputedPair[] {
  const { objects } = store.repository;
  const judged = new Set(
    verdicts.flatMap(({ ids: [one, other] }) => (other === undefined ? [] : [pairOf(one!, other)])),
  );
  const textAt = (commit: string | undefined, path: string): string | null => {
    const state = commit === undefined ? null : store.at(commit);
    return state?.isReadable(path) ? state.textIfWhole(path) : null;
  };
  const found = new Map<string, DisputedPair>();
  for (const { commit, paths } of disputes.slice(0, mostMerges)) {
    const [ours, theirs] = objects.readCommit(commit).parents;
    if (ours === undefined || theirs === undefined) continue;
    const timeOf = (side: string) => objects.readCommit(side).committer.time;
    for (const path of paths.filter((one) => kindOf(one) === 'knowledge')) {
      const present = snapshot.isReadable(path) ? snapshot.textIfWhole(path) : null;
      const [mine, other] = [textAt(ours, path), textAt(theirs, path)];
      if (present === null || mine === null || other === null) continue;
      const standing = new Set(itemsIn(present));
      const base = textAt(mergeBases(objects, [ours], [theirs])[0], path);
      for (const [first, second] of keptWordings([base, mine, other])) {
        if (!standing.has(first) || !standing.has(second)) continue;
        const lines = [
          { id: idOf(path, first), item: first, time: timeOf(ours) },
          { id: idOf(path, second), item: second, time: timeOf(theirs) },
        ] as const;
        const [newer, older] = lines[1].time > lines[0].time ? [lines[1], lines[0]] : lines;
        const key = pairOf(newer.id, older.id);
        if (!judged.has(key) && !found.has(key)) found.set(key, { path, commit, newer, older });
      }
    }
  }
  return [...found.values()];
}

/** Decides a line: `keep` alone or beside `other`; `close` and `forget` take it out. Throws INVALID_ARGUMENT, NOT_FOUND, AMBIGUOUS, LOCKED. */
export async function judgeLine(
  { store, batch, origins, isImmediate, commit }: LinePorts,
  verdict: VerdictKind,
  given: string,
  { other }: VerdictOptions,
): Promise<VerdictResult> {
  if (!lineVerdicts.includes(verdict)) {
    throw new MemoryError('INVALID_ARGUMENT', `a line is not judged by ${verdict}`, {
      where: 'verdict',
      hint: 'keep, close and forget are for lines. `git memory file edit` gives it other words',
    });
  }
  const pairs = disputedPairs(store, store.snapshot(), reviewHistoryOf(store.repository, store.tip()));
  const asked = pairs.filter(({ newer, older }) => [newer, older].some(({ id }) => id.startsWith(given)));
  const [pair] = asked;
  if (pair === undefined || asked.length > 1) {
    throw new MemoryError(pair === undefined ? 'NOT_FOUND' : 'AMBIGUOUS', `no single line is called ${given}`, {
      where: given,
      hint: '`git memory review --only disputed` lists them',
    });
  }
  const [line, rival] = pair.newer.id.startsWith(given) ? [pair.newer, pair.older] : [pair.older, pair.newer];
  if (other !== undefined && !rival.id.startsWith(other))
    throw new MemoryError('INVALID_ARGUMENT', `${line.id} is in dispute with ${rival.id} alone`, { where: 'other' });
  const isBoth = verdict === 'keep' && other !== undefined;
  const ids = isBoth ? [line.id, rival.id] : [line.id];
  const said = formatVerdict(verdict, ids);
  if (isBoth) {
    if (!isImmediate) {
      throw new MemoryError('INVALID_ARGUMENT', 'inside a project a verdict that changes nothing is no commit', {
        where: 'verdict',
        hint: `Word one of the lines in ${pair.path} anew, so that nobody takes them for two versions of one`,
      });
    }
    const trailers = [{ key: 'Verdict', value: said } as const];
    const subject = `both lines of ${pair.path} hold`;
    const outcome = await store.commit(
      () => [
        { kind: 'memory', name: 'review', subject, trailers, changes: [], onConflict: 'refuse', mayBeEmpty: true },
      ],
      { onBusy: 'fail' },
    );
    return { verdict, ids, commit: outcome.commits[0] ?? null };
  }
  const gone = verdict === 'keep' ? rival : line;
  await batch.write(
    'review',
    (snapshot) => ({ path: pair.path, after: withoutItem(snapshot.readText(pair.path) ?? '', gone.item) }),
    { origin: { ...origins.of(), verdict: said } },
  );
  return { verdict, ids, commit: isImmediate ? ((await commit()).commits.at(-1) ?? null) : null };
}

/** Gives what conflicts of the recall pack are sought among: claims of a state, what is said to contradict, and lines in dispute. */
export function claimsIn(
  state: Pick<BranchStore, 'repository' | 'at'> & { readonly catalog: MemoryCatalog },
  snapshot: Snapshot,
): PackClaims {
  const pairs = disputedPairs(state, snapshot, reviewHistoryOf(state.repository, snapshot.commit));
  return {
    memories: state.catalog.stored(snapshot),
    relations: state.catalog.relations(snapshot),
    disputed: pairs.map(({ path, newer, older }) => ({ entity: path, sides: [sideOf(newer), sideOf(older)] })),
  };
}

const sideOf = ({ id, item }: DisputedLine) => ({ id, text: wordsOfLine(item.replace(/^\s*[-*+]\s/, '')) });

const itemsIn = (text: string): string[] => unitsOf(splitKeepingEnds(withLastLineEnded(text)));

function withoutItem(text: string, item: string): string {
  const items = itemsIn(text);
  const at = items.indexOf(item);
  return at < 0 ? text : items.toSpliced(at, 1).join('');
}

const idOf = (path: string, item: string): string => `line:${sha256Hex(`${path}\n${item}`).slice(0, 12)}`;

/** Names a pair, whichever of the two comes first. */
export const pairOf = (one: string, other: string): string => (one < other ? `${one} ${other}` : `${other} ${one}`);
