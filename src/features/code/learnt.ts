// Where what a memory knows was learnt: the branch and the commit that were checked out in its session, and how they stand now.

import { defined } from '../../base/defined.ts';
import { oncePer } from '../../base/once-per.ts';
import { orElse } from '../../base/or-else.ts';
import type { Learnt } from '../../base/types.ts';
import { BoundedCache } from '../../store/git/bounded-cache.ts';
import type { Repository } from '../../store/git/repository.ts';
import { actsPathOf, parseActs, type Scene } from '../../store/records/acts-file.ts';
import { type BranchNote, branchNotesPath, parseBranchNotes } from '../../store/records/branch-notes.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { type Code, codeOf } from './code.ts';

/** Tells where what rests on conversations was learnt; undefined where nothing says so. */
export type LearntFrom = (conversations: readonly string[]) => Learnt | undefined;

/** Of several sessions the one nearest to what is checked out counts. */
const nearest = ['here', 'landed', 'elsewhere', 'lost', 'unknown'] as const;

type LastScene = Scene & { readonly time?: number };

/** What one memory knows of the code that it sits by. */
class Beside {
  readonly code: Code;
  notes: readonly BranchNote[] = [];
  private notesId: string | null = null;
  private readonly scenes = new BoundedCache<LastScene | null>(4_096);

  constructor(repository: Repository) {
    this.code = codeOf(repository, { notes: () => this.notes });
  }

  /** Prepares answers about one state. */
  in(snapshot: Snapshot): LearntFrom {
    const id = snapshot.oidOf(branchNotesPath);
    if (id !== this.notesId) this.notes = parseBranchNotes(snapshot.textIfWhole(branchNotesPath) ?? '');
    this.notesId = id;
    const standings = this.code.standings();
    return (conversations) => {
      const all = conversations.flatMap((path): Learnt[] => {
        const { head, branch, time } = this.sceneOf(snapshot, path) ?? {};
        return head === undefined && branch === undefined
          ? []
          : [{ standing: standings(head, branch, time), ...(branch !== undefined && { branch }) }];
      });
      return all.sort((a, b) => nearest.indexOf(a.standing) - nearest.indexOf(b.standing))[0];
    };
  }

  /** Gives where and when a session worked last: what it said is about what was committed by then. */
  private sceneOf(snapshot: Snapshot, conversation: string): LastScene | null {
    const path = actsPathOf(conversation);
    const id = path === null ? null : snapshot.oidOf(path);
    if (id === null) return null;
    const known = this.scenes.get(id);
    if (known !== undefined) return known;
    const text = snapshot.isReadable(path!) ? orElse(() => snapshot.textIfWhole(path!), null) : null;
    const { scenes = [], acts = [] } = text === null ? {} : parseActs(text);
    const last = scenes.findLast(({ head }) => head !== undefined) ?? scenes.at(-1);
    const scene = last === undefined ? null : { ...last, ...defined({ time: acts.at(-1)?.time }) };
    this.scenes.set(id, scene, 1);
    return scene;
  }
}

const besideOf = oncePer((repository: Repository) => new Beside(repository));

/** Prepares to tell where what a state knows was learnt, in the code repository that it sits in. */
export function learntIn(repository: Repository, snapshot: Snapshot): LearntFrom {
  return besideOf(repository).in(snapshot);
}

/** Keeps what was found out of commits, so that later processes look at new ones alone. */
export function keepLearnt(repository: Repository): void {
  besideOf(repository).code.save();
}

/**
 * Gives the line to be added to {@link branchNotesPath}; `null` where a branch has nothing of its own, or that is noted already.
 *
 * By it what was learnt there is known again when it has landed and its commits are gone.
 */
export function branchToNote(repository: Repository, snapshot: Snapshot, branch: string): BranchNote | null {
  const beside = besideOf(repository);
  beside.in(snapshot);
  const note = beside.code.noteOf(branch);
  const isNoted =
    note !== null &&
    beside.notes.some((one) => one.branch === branch && one.tip === note.tip && one.base === note.base);
  return isNoted ? null : note;
}
