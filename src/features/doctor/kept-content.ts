// What one commit did to captures and logs, held to the change rules. The engine keeps these before each of its commits, and nobody holds
// native git to them. Judges one commit by its parents; which commits are judged is decided in checked-history.ts.

import { orElse, unreadable } from '../../base/errors.ts';
import { splitLines } from '../../base/text.ts';
import { type CommitFacts, historyOf, mergeBases, planMerge, takenBackBy } from '../../history/index.ts';
import { checkCapture } from '../../store/change-rules.ts';
import type { Codec } from '../../store/codec.ts';
import type { Repository } from '../../store/git/repository.ts';
import { diffTrees, findEntry, type TreeDifference } from '../../store/git/tree.ts';
import { parseMessage } from '../../store/guard/message.ts';
import type { Extent } from '../../store/guard/path.ts';
import { isMemoryPath } from '../../store/hand-edits.ts';
import { isMemoryTree } from '../../store/memory-tree.ts';
import { keyedEntries } from '../../store/merge/log-ids.ts';
import { entriesOf } from '../../store/merge/merge-log.ts';
import { kindOf } from '../../store/records/kind.ts';
import type { LogEntry } from '../../store/records/log.ts';
import { type LogFormat, logFormatOf } from '../../store/records/log-readers.ts';
import { parseTranscript } from '../../store/records/transcript.ts';

/** What a commit took away or changed although it stays by the rules. */
export interface Loss {
  readonly commit: string;
  /** The parent that had it. */
  readonly parent: string;
  readonly path: string;
  /** The blob that stood there. */
  readonly was: string;
  /** The entries of a log that are not in it any more, or not as they were. */
  readonly ids?: readonly string[];
}

/** Operations that join two histories in a commit with one parent: what that one had is there, in whatever order and by whatever id. */
const joining: ReadonlySet<string> = new Set(['adopt', 'adopt-remote']);

interface Side {
  readonly parent: string;
  readonly all: readonly TreeDifference[];
  readonly held: readonly (TreeDifference & { readonly before: NonNullable<TreeDifference['before']> })[];
  /** The other parents, and what the side had in common with them; none but of a merge. */
  readonly others: readonly string[];
  readonly bases: readonly string[];
}

/** Judges commits of one repository. */
export class KeptContent {
  /** How many bytes of files were read. */
  bytes = 0;
  private readonly repository: Repository;
  private readonly codec: Codec;
  private readonly extent: Extent;

  constructor(repository: Repository, codec: Codec, isProject: boolean) {
    this.repository = repository;
    this.codec = codec;
    this.extent = isProject ? 'project' : 'memory';
  }

  /** Lists what a commit took away or changed although it stays by the rules; throws what reading it throws. */
  lossesOf(oid: string): Loss[] {
    const history = historyOf(this.repository);
    const sides = this.sidesOf(oid, history.parentOidsAt(history.numberOf(oid)));
    if (sides.length === 0) return [];
    const facts = history.of(oid);
    const { trailers } = parseMessage(facts.message);
    const isJoined =
      facts.parents.length > 1 || trailers.some((one) => one.key === 'Operation' && joining.has(one.value));
    const losses = sides.flatMap((side) => {
      const found = [...this.lostCaptures(side, isJoined), ...this.lostEntries(side, isJoined)];
      return found.map((loss): Loss => ({ ...loss, commit: oid, parent: side.parent }));
    });
    return losses.length === 0 ? losses : this.unexplained(losses, facts);
  }

  /** Gives a version as people read it; null where it cannot be. */
  read(path: string, oid: string): Buffer | null {
    const stored = this.repository.objects.readBlob(oid);
    this.bytes += stored.length;
    return orElse(() => (this.codec.canDecode(stored) ? this.codec.decode(path, stored) : null), null, ...unreadable);
  }

  /** Lists the entries of a version of a log; none where it is no log. */
  entriesIn(path: string, oid: string | undefined): LogEntry[] {
    const format = logFormatOf(path);
    const text = oid === undefined || format === null ? undefined : this.read(path, oid)?.toString('utf8');
    return text !== undefined && format!.isLog(text, path) ? entriesOf(format!.read(text, path)) : [];
  }

  /** The parents that had something to keep: where histories meet, what each had changed since they parted. */
  private sidesOf(oid: string, parents: readonly string[]): Side[] {
    const { objects } = this.repository;
    const history = historyOf(this.repository);
    return parents.flatMap((parent, place): Side[] => {
      const tree = history.treeAt(history.numberOf(parent));
      // What a project did before it had a memory is its own.
      if (!isMemoryTree(tree, objects.readTree)) return [];
      const all = history.changesAgainst(oid, place);
      const mayLose = all.filter((change) => this.isHeld(change)) as unknown as Side['held'];
      if (mayLose.length === 0) return [];
      const others = parents.filter((_, at) => at !== place);
      const bases = others.length === 0 ? [] : mergeBases(objects, [parent], others);
      const own = bases.map((base) => {
        const changed = diffTrees(objects.readCommit(base).tree, tree, objects.readTreeBytes);
        return new Set(changed.map(({ path }) => path));
      });
      const held = mayLose.filter(({ path }) => own.every((paths) => paths.has(path)));
      return held.length === 0 ? [] : [{ parent, all, held, others, bases }];
    });
  }

  private isHeld({ path, before, after }: TreeDifference): boolean {
    if (!before?.mode.startsWith('100') || before.oid === after?.oid) return false;
    if (logFormatOf(path) !== null) return true;
    return ['conversation', 'daily', 'artifact'].includes(kindOf(path)) && isMemoryPath(path, this.extent);
  }

  private lostCaptures({ held, all }: Side, isJoined: boolean): Pick<Loss, 'path' | 'was'>[] {
    return held.flatMap(({ path, before, after }) => {
      // What was moved is there under another name.
      if (logFormatOf(path) !== null) return [];
      if (after === null && all.some((other) => other.after?.oid === before.oid)) return [];
      const old = this.read(path, before.oid);
      const present = after === null ? null : this.read(path, after.oid);
      // Without its key nobody can judge a text.
      if (old === null || (after !== null && present === null)) return [];
      return goesOn(path, old, present, isJoined) ? [] : [{ path, was: before.oid }];
    });
  }

  private lostEntries(side: Side, isJoined: boolean): Pick<Loss, 'path' | 'was' | 'ids'>[] {
    const logs = side.held.filter(({ path, before, after }) => {
      if (logFormatOf(path) === null) return false;
      const [old, present] = [this.read(path, before.oid), after === null ? null : this.read(path, after.oid)];
      if (old === null || present === null) return old !== null && after === null;
      const format = logFormatOf(path)!;
      const [known, grown] = [old, present].map((bytes) => {
        const text = bytes.toString('latin1');
        return text.slice(format.startOf(text, path));
      }) as [string, string];
      return format.grownBy(known, grown, path) === null;
    });
    return logs.flatMap(({ path, before }) => {
      const old = this.entriesIn(path, before.oid);
      const format = logFormatOf(path)!;
      const present = side.all.flatMap((change) =>
        logFormatOf(change.path) === format ? this.entriesIn(change.path, change.after?.oid) : [],
      );
      const lost = isJoined ? this.notJoined(old, present, side, format) : notAmong(old, present);
      return lost.length === 0 ? [] : [{ path, was: before.oid, ids: lost.map(({ id }) => id) }];
    });
  }

  /** The entries that are not there by their words, although nobody took them away on the other side. */
  private notJoined(old: readonly LogEntry[], present: readonly LogEntry[], side: Side, format: LogFormat): LogEntry[] {
    const lost = notAmong(old, present, true);
    if (lost.length === 0) return [];
    const at = (commit: string) => keyedEntries(this.logAt(commit, side, format));
    const [bases, others] = [side.bases.map(at), side.others.map(at)];
    return [...keyedEntries(old)].flatMap(([key, entry]) => {
      const isTaken = bases.some((base) => base.has(key)) && others.some((other) => !other.has(key));
      return lost.includes(entry) && !isTaken ? [entry] : [];
    });
  }

  private logAt(commit: string, { held }: Side, format: LogFormat): LogEntry[] {
    const { objects } = this.repository;
    const { tree } = objects.readCommit(commit);
    return held.flatMap(({ path }) =>
      logFormatOf(path) === format ? this.entriesIn(path, findEntry(tree, path, objects.readTree)?.oid) : [],
    );
  }

  /** Leaves out what a commit proves to be right: a merge that is ours, whichever side was later, and what takes back what it names. */
  private unexplained(losses: readonly Loss[], { oid, tree, parents, message }: CommitFacts): Loss[] {
    const { objects } = this.repository;
    const [ours, theirs] = parents;
    if (ours !== undefined && theirs !== undefined) {
      const ways = [{ newer: 'ours' }, { newer: 'theirs' }, { asDriver: true }] as const;
      return ways.reduce<readonly Loss[]>((left, way) => {
        if (left.length === 0) return left;
        const plan = planMerge(objects, ours, theirs, { by: 'kind', codec: this.codec, ...way });
        return left.filter(({ path }) => {
          const [made, wanted] = [tree, plan.tree].map((root) => findEntry(root, path, plan.objects.readTree)?.oid);
          if (made === undefined || wanted === undefined) return made !== wanted;
          return !this.read(path, made)?.equals(this.codec.decode(path, plan.objects.readBlob(wanted)));
        });
      }, losses) as Loss[];
    }
    const named = /^This reverts commit ([0-9a-f]{40})/m.exec(message)?.[1];
    const taken = [...takenBackBy(objects.readCommit(oid)), ...(named === undefined ? [] : [named])];
    return taken.length === 0 ? [...losses] : losses.filter((loss) => !taken.some((one) => this.brought(one, loss)));
  }

  /** Tells whether taking a commit back takes what is lost, and no more; a merge may have brought an event by another name. */
  private brought(taken: string, { commit, path, was, ids }: Loss): boolean {
    const facts = historyOf(this.repository).of(taken);
    if (ids === undefined) {
      const changeOf = (oid: string) =>
        historyOf(this.repository)
          .changesOf(oid)
          .find((change) => change.path === path);
      const [brought, made] = [changeOf(taken), changeOf(commit)?.after];
      if (brought === undefined || !made || made.oid === brought.before?.oid) return brought !== undefined;
      // Something of it was said before or since: then that is all there is.
      const known = [was, brought.before?.oid].flatMap((oid) =>
        oid === undefined ? [] : (this.read(path, oid) ?? []),
      );
      const present = this.read(path, made.oid);
      return present === null || (kindOf(path) !== 'artifact' && holds(path, present, ...known));
    }
    if (facts.parents.length > 1) return facts.changes.some((change) => logFormatOf(change.path) !== null);
    const lost = this.entriesIn(path, was).filter(({ id }) => ids.includes(id));
    const logs = facts.changes.filter((change) => logFormatOf(change.path) === logFormatOf(path));
    const [before, after] = (['before', 'after'] as const).map((side) =>
      keyedEntries(logs.flatMap((change) => this.entriesIn(change.path, change[side]?.oid))),
    );
    return [...keyedEntries(lost).keys()].every((key) => after!.has(key) && !before!.has(key));
  }
}

/** Lists the entries that are not there as they were; where sides were joined, under whatever id. */
export function notAmong(old: readonly LogEntry[], present: readonly LogEntry[], isJoined = false): LogEntry[] {
  if (isJoined) {
    const words = keyedEntries(present);
    const said = new Set(present.map(({ sameAs }) => sameAs).filter((one) => one !== undefined));
    return [...keyedEntries(old)].flatMap(([key, entry]) => (words.has(key) || said.has(entry.sameAs!) ? [] : [entry]));
  }
  const words = ({ id, text }: LogEntry) => `${id}\n${text.trim()}`;
  const there = new Set(present.map(words));
  return old.filter((entry) => !there.has(words(entry)));
}

/** Tells whether a capture stayed as it was or grew as it may, joined sides included; one that was unreadable can become no worse. */
export function goesOn(path: string, before: Buffer, after: Buffer | null, isJoined = false): boolean {
  if (after?.equals(before) || !throwsError(() => checkCapture({ path, before, after }))) return true;
  if (after === null || kindOf(path) === 'artifact') return false;
  const isBroken = kindOf(path) === 'conversation' && throwsError(() => partsOf(path, before));
  return isBroken || (isJoined && holds(path, before, after));
}

function throwsError(act: () => unknown): boolean {
  const isDone = () => {
    act();
    return false;
  };
  return orElse(isDone, true);
}

/** Tells whether all that a version of a capture says is in others, in whatever order. */
function holds(path: string, version: Buffer, ...others: readonly Buffer[]): boolean {
  const there = orElse(() => new Set(others.flatMap((other) => partsOf(path, other))), null);
  return there !== null && orElse(() => partsOf(path, version), ['']).every((part) => there.has(part));
}

function partsOf(path: string, bytes: Buffer): string[] {
  const text = bytes.toString('utf8');
  if (kindOf(path) === 'daily') return splitLines(text);
  return parseTranscript(text, path).turns.map(({ role, time, text: words }) => JSON.stringify([role, time, words]));
}
