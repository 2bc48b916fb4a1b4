// Where what a memory knows was learnt: the branch and the commit that were checked out in its session, and how they stand now.

import { defined, orElse } from '../../base/errors.ts';
import { oncePer } from '../../base/once-per.ts';
import type { Learnt } from '../../base/types.ts';
import { BoundedCache } from '../../store/git/bounded-cache.ts';
import type { Repository } from '../../store/git/repository.ts';
import { type Acts, actsFolder, actsPathOf, parseActs } from '../../store/records/acts-file.ts';
import { type BranchNote, branchNotesPath, parseBranchNotes } from '../../store/records/branch-notes.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { type Code, codeOf, openCode } from './code.ts';

/** Tells where what rests on turns of conversations was learnt; undefined where nothing says so. */
export type LearntFrom = (sources: readonly { readonly path: string; readonly turn?: number }[]) => Learnt | undefined;

/** Of several sessions the one nearest to what is checked out counts. */
const nearest = ['here', 'landed', 'elsewhere', 'lost', 'unknown'] as const;

/** On a branch that was worked on in one of so many last sessions there may be commits since. */
const mostSessions = 8;

/** Where a session was, and the turns and times of what was done. */
interface Scenes extends Pick<Acts, 'scenes'> {
  readonly acts: readonly { readonly turn: number; readonly time: number }[];
}

/** What one memory knows of the code that it sits by. */
class Beside {
  readonly code: Code;
  notes: readonly BranchNote[] = [];
  private notesId: string | null = null;
  private readonly scenes = new BoundedCache<Scenes>(4_096);

  constructor(repository: Repository) {
    this.code = codeOf(repository, { notes: () => this.notes });
  }

  read(snapshot: Snapshot): this {
    const id = snapshot.oidOf(branchNotesPath);
    if (id !== this.notesId) this.notes = parseBranchNotes(snapshot.textIfWhole(branchNotesPath) ?? '');
    this.notesId = id;
    return this;
  }

  in(snapshot: Snapshot): LearntFrom {
    this.read(snapshot);
    const standings = this.code.standings();
    return (sources) => {
      const all = sources.flatMap(({ path, turn }): Learnt[] => {
        const { head, branch, time } = sceneAt(this.scenesOf(snapshot, actsPathOf(path)), turn);
        return head === undefined && branch === undefined
          ? []
          : [{ standing: standings(head, branch, time), ...(branch !== undefined && { branch }) }];
      });
      return all.sort((a, b) => nearest.indexOf(a.standing) - nearest.indexOf(b.standing))[0];
    };
  }

  branchesIn(snapshot: Snapshot): string[] {
    const lately = [...snapshot.list(actsFolder).keys()].sort().slice(-mostSessions);
    const all = lately.flatMap((path) => this.scenesOf(snapshot, path).scenes.flatMap(({ branch }) => branch ?? []));
    return [...new Set(all)];
  }

  private scenesOf(snapshot: Snapshot, path: string | null): Scenes {
    const id = path === null ? null : snapshot.oidOf(path);
    if (id === null) return { scenes: [], acts: [] };
    const known = this.scenes.get(id);
    if (known !== undefined) return known;
    const text = snapshot.isReadable(path!) ? orElse(() => snapshot.textIfWhole(path!), null) : null;
    const { scenes, acts } = parseActs(text ?? '');
    const made = { scenes, acts: acts.map(({ turn, time }) => ({ turn, time })) };
    this.scenes.set(id, made, 1);
    return made;
  }
}

/** Gives where a session was at a turn, and when: what was done nearest to it says so. Without a turn it is the end. */
function sceneAt({ scenes, acts }: Scenes, turn = Number.POSITIVE_INFINITY) {
  const isNearer = (one: number, other: number) =>
    Math.abs(acts[one]!.turn - turn) <= Math.abs(acts[other]!.turn - turn) ? one : other;
  const near = Number.isFinite(turn) && acts.length > 0 ? [...acts.keys()].reduceRight(isNearer) : acts.length - 1;
  const before = scenes.filter(({ from }) => from <= Math.max(near, 0));
  const scene = before.findLast(({ head }) => head !== undefined) ?? before.at(-1);
  return { ...scene, ...defined({ time: acts[near]?.time }) };
}

const besideOf = oncePer((repository: Repository) => new Beside(repository));

/** Prepares to tell where what a state knows was learnt, in the code repository that it sits in. */
export const learntIn = (repository: Repository, snapshot: Snapshot): LearntFrom => besideOf(repository).in(snapshot);

/** Gives the code of a project: that beside the memory, or another one on this machine. */
export function codeOfProject(repository: Repository, snapshot: Snapshot, project: string): Code {
  const beside = besideOf(repository).read(snapshot);
  if (project === repository.workTree) return beside.code;
  return openCode(repository.disk.fs, project, { notes: () => beside.notes });
}

/** Keeps what was found out of commits, so that later processes look at new ones alone. */
export function keepLearnt(repository: Repository): void {
  besideOf(repository).code.save();
}

/**
 * Notes the branches that were worked on lately, for {@link branchNotesPath}: those that have something of their own that is not noted yet. By
 * that what was learnt there is known again when it has landed and its commits are gone.
 */
export function branchesToNote(repository: Repository, snapshot: Snapshot): BranchNote[] {
  const beside = besideOf(repository).read(snapshot);
  return beside.branchesIn(snapshot).flatMap((branch) => {
    const note = beside.code.noteOf(branch);
    const isNoted = beside.notes.some(
      (one) => one.branch === branch && one.tip === note?.tip && one.base === note.base,
    );
    return note === null || isNoted ? [] : [note];
  });
}
