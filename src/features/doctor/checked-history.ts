// The commits that lead to a tip, each held once to what its parents had. What was judged is noted by commit, so that the next look costs
// what came since; the notes can be deleted at any time.
//
//   tip ──► commits that are not noted, parents first ──► kept-content.ts ──► losses ──► what the present still lacks ──► findings

import { isJsonObject } from '../../base/canonical-json.ts';
import { count } from '../../base/count.ts';
import { attempt, MemoryError, orElse } from '../../base/errors.ts';
import { oneLine } from '../../base/text.ts';
import { formatSeconds } from '../../base/time.ts';
import { historyOf, isAncestor, logOf } from '../../history/index.ts';
import { CacheFile } from '../../store/cache-file.ts';
import type { Codec } from '../../store/codec.ts';
import { isOid } from '../../store/git/object-codec.ts';
import type { Repository } from '../../store/git/repository.ts';
import { logFormatOf } from '../../store/records/log-readers.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import type { Examination } from './examination.ts';
import { goesOn, KeptContent, type Loss, notAmong } from './kept-content.ts';
import type { WalkLimits } from './reachable.ts';

/** To be raised whenever other losses are found in the same commits. */
const version = 2;
/** With so many frames in the file, they become one. */
const maxFrames = 32;
const mostNamed = 5;

/** Commits that were judged, as was all that leads to them, and what they took away. */
interface Notes {
  readonly commits: string[];
  readonly losses: Loss[];
}

/** Judges what is new behind a tip, and tells what is lost in the present. */
export class CheckedHistory {
  private readonly repository: Repository;
  private readonly content: KeptContent;
  private readonly limits: WalkLimits;
  private readonly tip: string;
  private readonly file: CacheFile;
  private readonly frames: readonly Notes[];
  private readonly noted: Set<string>;
  private readonly losses: Loss[];
  /** What is to be judged, the first one last. */
  private readonly open: string[];
  private readonly news: Notes = { commits: [], losses: [] };

  constructor(repository: Repository, codec: Codec, tip: string, isProject: boolean, limits: WalkLimits) {
    this.repository = repository;
    this.content = new KeptContent(repository, codec, isProject);
    this.limits = limits;
    this.tip = tip;
    this.file = new CacheFile(repository, isProject ? 'checked-project' : 'checked', version);
    this.frames = this.file.read().map(parseNotes);
    this.noted = new Set(this.frames.flatMap(({ commits }) => commits));
    this.losses = this.frames.flatMap(({ losses }) => losses);
    this.open = this.unjudged();
  }

  /** How many commits are still to be judged. */
  get left(): number {
    return this.open.length;
  }

  /** Judges up to `most` commits; returns false when all are judged, or enough was read. */
  next(most: number): boolean {
    for (let step = 0; step < most; step++) {
      const oid = this.isFull() ? undefined : this.open.pop();
      if (oid === undefined) {
        this.save();
        return false;
      }
      this.judge(oid);
    }
    return true;
  }

  /** Each commit has a tree and a file at least. */
  private isFull(): boolean {
    return this.content.bytes > this.limits.maxBytes || 3 * this.news.commits.length > this.limits.maxObjects;
  }

  /** Tells every loss that the present has not got back, with the commit and what brings it back. */
  report(examination: Examination, snapshot: Snapshot): void {
    for (const loss of this.losses)
      examination.part(() => this.reportLoss(loss, examination, snapshot.withoutOverlay()));
    if (this.left === 0) return;
    const what = `${count(this.left, 'commit')} are not yet held to what came before them`;
    examination.find(
      'PARTLY_CHECKED',
      this.tip,
      what,
      'Each look goes on where the last one ended; `git memory doctor --all` looks at all',
    );
  }

  private reportLoss(loss: Loss, examination: Examination, tip: Snapshot): void {
    if (!this.isBehind(loss, this.tip)) return;
    const logs = () => [...tip.list('')].filter(([path]) => logFormatOf(path) === logFormatOf(loss.path));
    const left = this.leftOf(loss, tip.oidOf(loss.path), logs);
    if (left === null) return;
    const { parents } = this.repository.objects.readCommit(loss.commit);
    const [commit, parent] = [loss.commit.slice(0, 10), loss.parent.slice(0, 10)];
    const more = left.length > mostNamed ? ` and ${left.length - mostNamed} more` : '';
    const ids = `${left.slice(0, mostNamed).join(', ')}${more}`;
    const verb = `${left.length > 1 ? 'were' : 'was'} changed or taken away`;
    const what = `${ids || 'a capture'} ${verb} by ${namedCommit(this.repository, loss.commit)}`;
    const shown = `\`git show ${parent}:${loss.path}\` shows what it was`;
    const hint =
      parents.length > 1
        ? `${shown}; what is missing may be written behind the rest`
        : `\`git memory undo ${commit}\` brings it back; ${shown}`;
    const code = loss.ids === undefined ? 'CAPTURE_CHANGED' : 'EVENT_CHANGED';
    examination.find(code, loss.path, what, hint);
  }

  /** Lists what leads to the tip and is not noted, each before all that it leads to. */
  private unjudged(): string[] {
    const catalogue = historyOf(this.repository);
    const order: string[] = [];
    const seen = new Set(this.noted);
    const way: { readonly oid: string; isEntered?: boolean }[] = [{ oid: this.tip }];
    for (let step = way.pop(); step !== undefined; step = way.pop()) {
      if (step.isEntered) order.push(step.oid);
      if (seen.has(step.oid)) continue;
      seen.add(step.oid);
      way.push({ oid: step.oid, isEntered: true });
      // Other parts tell of what cannot be read, and what lies behind it is out of reach.
      const parents = orElse(() => catalogue.parentOidsAt(catalogue.numberOf(step.oid)), []);
      for (const oid of parents) way.push({ oid });
    }
    return order.reverse();
  }

  private judge(oid: string): void {
    const { objects } = this.repository;
    try {
      const losses = this.content.lossesOf(oid).flatMap((loss) => this.newIn(loss));
      this.losses.push(...losses);
      // Where something could not be read, it is looked at again, and so is all that came after it.
      if (objects.isBoundary(oid) || !objects.readCommit(oid).parents.every((parent) => this.noted.has(parent))) return;
      this.noted.add(oid);
      this.news.commits.push(oid);
      this.news.losses.push(...losses);
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
    }
  }

  /** Leaves out what an earlier commit had spoilt already, so that mending it is no loss. */
  private newIn(loss: Loss): Loss[] {
    const earlier = this.losses
      .filter(({ path }) => path === loss.path)
      .filter((one) => this.isBehind(one, loss.commit));
    const spoilt = earlier.map((one) => this.leftOf(one, loss.was, () => [[loss.path, loss.was]]));
    if (loss.ids === undefined) return spoilt.every((left) => left === null) ? [loss] : [];
    const known = new Set(spoilt.flatMap((left) => left ?? []));
    const ids = loss.ids.filter((id) => !known.has(id));
    return ids.length === 0 ? [] : [{ ...loss, ids }];
  }

  private isBehind({ commit }: Loss, tip: string): boolean {
    return this.repository.objects.has(commit) && isAncestor(this.repository.objects, commit, tip);
  }

  /** What a state lacks of a loss: the ids of entries, none for a capture; null where it has all of it. */
  private leftOf(
    { commit, path, was, ids }: Loss,
    present: string | null,
    logs: () => [string, string][],
  ): string[] | null {
    const isJoined = this.repository.objects.readCommit(commit).parents.length > 1;
    if (ids !== undefined) {
      const wanted = this.content.entriesIn(path, was).filter(({ id }) => ids.includes(id));
      const there = logs().flatMap(([other, oid]) => this.content.entriesIn(other, oid));
      const left = notAmong(wanted, there, isJoined);
      return left.length === 0 ? null : left.map(({ id }) => id);
    }
    // What was taken back as a whole since has nothing to be brought back.
    const isTakenBack = () =>
      logOf(this.repository, this.tip, { path, limit: 1 }).commits.every(({ oid }) => oid !== commit);
    if (present === null) return isTakenBack() ? null : [];
    const [old, now] = [this.content.read(path, was), this.content.read(path, present)];
    return old === null || now === null || goesOn(path, old, now, isJoined) ? null : [];
  }

  private save(): void {
    historyOf(this.repository).save();
    if (this.news.commits.length === 0) return;
    const bytes = (notes: Notes) => Buffer.from(JSON.stringify(notes));
    if (this.frames.length < maxFrames) this.file.append(bytes(this.news));
    else {
      const all = [...this.frames, this.news];
      const joined = { commits: all.flatMap(({ commits }) => commits), losses: all.flatMap(({ losses }) => losses) };
      this.file.replace([bytes(joined)]);
    }
  }
}

/** Reads a frame; nothing is noted where it is none of ours. */
function parseNotes(bytes: Buffer): Notes {
  const nothing: Notes = { commits: [], losses: [] };
  return attempt(() => {
    const { commits, losses } = JSON.parse(bytes.toString('utf8')) as Notes;
    const isLoss = (loss: Loss) => isJsonObject(loss) && [loss.commit, loss.parent, loss.was].every(isOid);
    return commits.every(isOid) && losses.every(isLoss) ? { commits, losses } : nothing;
  }, nothing);
}

/** Names a commit for people: `0123456789 of Ada, 2026-02-16T09:00:00Z`. */
export function namedCommit({ objects }: Repository, oid: string): string {
  const { author } = objects.readCommit(oid);
  return `${oid.slice(0, 10)} of ${oneLine(author.name, 60)}, ${formatSeconds(author.time)}`;
}
