// Where what was learnt at a commit stands, seen from what is checked out: here, landed under another id, elsewhere, or lost.
//
//     main   o ── o ── o ── S ── o HEAD        C is not behind HEAD. S does to the lines what C does, or what all of its branch does:
//                  └── C ── T                  C has landed. Else a branch that leads back to C has it, or nobody.

import { orElse } from '../../base/errors.ts';
import { once } from '../../base/once-per.ts';
import type { Standing } from '../../base/types.ts';
import { type Descent, type HistoryCatalogue, historyOf, isAncestor, patchesOf } from '../../history/index.ts';
import type { ReflogEntry } from '../../store/git/reflog.ts';
import type { Repository } from '../../store/git/repository.ts';
import { diffTrees } from '../../store/git/tree.ts';
import type { BranchNote } from '../../store/records/branch-notes.ts';

/** Where work on branches comes together, as far as git says it: what a clone checks out, and what `git init` calls it. */
const trunks = ['refs/remotes/origin/HEAD', 'refs/heads/main', 'refs/heads/master'];

/** Of where HEAD was, so much is looked at. */
const mostLogged = 500;

interface Tip {
  readonly ref: string;
  readonly oid: string;
}

/** Where a branch ends, or ended once. */
interface Tips {
  readonly all: string[];
  /** A branch is there. */
  isKept: boolean;
}

type Logged = ReflogEntry & { readonly branch: string | undefined };

/** What is known once for a commit that is checked out. */
interface Seen {
  /** What it follows from. */
  readonly state: string;
  readonly descent: Descent;
  readonly branches: readonly Tip[];
  readonly notes: readonly BranchNote[];
  readonly found: Map<string, Standing>;
  /** Commits beyond HEAD → the latest commit behind HEAD that leads to them; -1 for none. */
  readonly bases: Map<number, number>;
  /** Commits beyond HEAD → the tips that lead back to them; `null` as long as nobody asked. */
  tips: ReadonlyMap<number, Tips> | null;
  /** The generation down to which what is behind HEAD is known by its paths. */
  indexedTo: number;
  /** What HEAD was lately, and on which branch. */
  readonly log: () => readonly Logged[];
  readonly followed: Set<string>;
  /** Tips → whether one commit behind HEAD does all that they do. */
  readonly squashed: Map<string, boolean>;
}

/**
 * Tells where work stands that was done on a branch at a time, in milliseconds; the commit is what was checked out then. The commit that came next
 * there took the work in, and is judged. Without a time it is the commit itself, without a commit what was done there.
 */
export type StandingOf = (commit: string | undefined, branch?: string, time?: number) => Standing;

/** Answers for one repository. */
export class Standings {
  private readonly repository: Repository;
  private readonly catalogue: HistoryCatalogue;
  private readonly descentTo: (head: string) => Descent;
  /** What was noted of branches while they were there. */
  private readonly notes: () => readonly BranchNote[];
  /** Commits that were behind some HEAD, by the paths they change. */
  private readonly byPaths = new Map<string, number[]>();
  private readonly indexed = new Set<number>();
  private readonly patches = new Map<number, string | null>();
  private seen: Seen | null = null;

  constructor(repository: Repository, descentTo: (head: string) => Descent, notes: () => readonly BranchNote[]) {
    this.repository = repository;
    this.catalogue = historyOf(repository);
    this.descentTo = descentTo;
    this.notes = notes;
  }

  /** Looks at HEAD and all branches once, and answers as things are then. */
  from(head: string): StandingOf {
    const branches = this.branches();
    const notes = this.notes();
    const state = [head, notes.length, ...branches.map(({ ref, oid }) => `${ref}${oid}`)].join(' ');
    if (this.seen?.state !== state) {
      const descent = this.descentTo(head);
      this.seen = {
        state,
        descent,
        branches,
        notes,
        found: new Map(),
        bases: new Map(),
        tips: null,
        squashed: new Map(),
        followed: new Set(),
        log: once(() => this.logged()),
        indexedTo: Number.POSITIVE_INFINITY,
      };
    }
    const { seen } = this;
    return (commit, branch, time = Number.POSITIVE_INFINITY) => {
      const key = `${commit} ${time} ${branch}`;
      let standing = seen.found.get(key);
      if (standing === undefined) {
        standing = orElse(
          () =>
            commit === undefined
              ? this.findOn(branch, time, seen)
              : this.find(this.committedAs(commit, branch, time, seen), branch, seen),
          'unknown',
        );
        seen.found.set(key, standing);
      }
      return standing;
    };
  }

  /** Notes what a branch has beyond the trunk: what is needed to know it again when it is gone. `null` for nothing. */
  noteOf(branch: string): BranchNote | null {
    const read = (ref: string) => orElse(() => this.repository.refs.read(ref), null);
    const tips = new Set(trunks.map(read).filter((tip) => tip !== null));
    const notes = [...tips].flatMap((tip) => this.noteBeyond(branch, tip) ?? []);
    const sizeOf = ({ patches }: BranchNote) => Object.keys(patches).length;
    return notes.sort((one, other) => sizeOf(one) - sizeOf(other))[0] ?? null;
  }

  private noteBeyond(branch: string, trunk: string): BranchNote | null {
    this.from(trunk);
    const seen = this.seen!;
    const tip = tipsOf(branch, seen)[0];
    if (tip === undefined) return null;
    const number = this.catalogue.numberOf(tip);
    const beyond = this.beyond(number, seen).map((one) => this.catalogue.oidAt(one));
    const base = this.baseOf(number, seen);
    if (beyond.length === 0 || base < 0) return null;
    const from = this.catalogue.oidAt(base);
    const whole = orElse(() => patchesOf(this.repository).between(from, tip), null);
    const patches = beyond.flatMap((oid) => {
      const patch = this.patchOf(oid);
      return patch === null ? [] : [[oid, patch]];
    });
    return { branch, base: from, tip, whole, patches: Object.fromEntries(patches) };
  }

  private logged(): Logged[] {
    const at = this.repository.refs.readHead();
    let branch = 'ref' in at ? at.ref.slice('refs/heads/'.length) : undefined;
    const log = orElse(() => this.repository.refs.readLog('HEAD'), []).slice(-mostLogged);
    return log
      .toReversed()
      .map((entry) => {
        const logged = { ...entry, branch };
        if (entry.message.startsWith('checkout: moving from ')) branch = entry.message.split(' ')[3];
        return logged;
      })
      .reverse();
  }

  /** Gives the commit that took in what was changed on a branch after a commit; that one itself where nobody knows of any. */
  private committedAs(commit: string, branch: string | undefined, time: number, seen: Seen): string {
    if (branch === undefined || time === Number.POSITIVE_INFINITY || this.isCheckedOut(branch)) return commit;
    if (!orElse(() => seen.descent.reaches(commit), false)) return commit;
    const isNext = (entry: Logged) =>
      entry.from === commit &&
      entry.branch === branch &&
      entry.message.startsWith('commit') &&
      (entry.time + 1) * 1000 > time;
    const logged = seen.log().find(isNext)?.to;
    if (logged !== undefined) return logged;
    const [tip] = tipsOf(branch, seen);
    if (tip === undefined)
      return seen.notes.find((note) => note.branch === branch && note.base === commit)?.tip ?? commit;
    for (let number = this.catalogue.numberOf(tip); ; ) {
      const oid = this.catalogue.oidAt(number);
      const parent = this.catalogue.parentsAt(number)[0];
      if (parent === undefined || seen.descent.reaches(oid)) return commit;
      if (this.catalogue.oidAt(parent) === commit) return oid;
      number = parent;
    }
  }

  private find(commit: string, branch: string | undefined, seen: Seen): Standing {
    const number = orElse(() => this.catalogue.numberOf(commit), null);
    if (number === null) return this.findLost(commit, branch, seen);
    if (seen.descent.reaches(commit)) return 'here';
    const tips = this.tipsIn(seen).get(number);
    if (this.hasLanded(commit, seen)) return 'landed';
    if ([commit, ...(tips?.all ?? [])].some((tip) => this.isSquashed(tip, seen))) return 'landed';
    if (notesOn(commit, branch, seen).some((note) => this.hasLandedAs(note.whole, note.base, seen))) return 'landed';
    return tips?.isKept ? 'elsewhere' : this.afterwards(commit, branch, seen);
  }

  /** Judges what was done on a branch at a time by the commit that came next there, or else the last one. */
  private findOn(branch: string | undefined, time: number, seen: Seen): Standing {
    const tip = branch === undefined ? undefined : tipsOf(branch, seen)[0];
    if (tip === undefined) {
      const notes = seen.notes.filter((note) => note.branch === branch);
      return notes.some(({ whole, base }) => this.hasLandedAs(whole, base, seen)) ? 'landed' : 'unknown';
    }
    if (this.isCheckedOut(branch)) return 'here';
    const timeOf = (number: number) => this.catalogue.timeAt(number) * 1000;
    const number = this.catalogue.numberOf(tip);
    const beyond = this.beyond(number, seen);
    const base = beyond.length === 0 ? -1 : this.baseOf(number, seen);
    if (beyond.length === 0 || (base >= 0 && timeOf(base) >= time)) return 'landed';
    const next = beyond.filter((one) => timeOf(one) >= time).sort((one, other) => timeOf(one) - timeOf(other))[0];
    return this.find(this.catalogue.oidAt(next ?? number), branch, seen);
  }

  private isCheckedOut(branch: string | undefined): boolean {
    const at = this.repository.refs.readHead();
    return 'ref' in at && at.ref === `refs/heads/${branch}`;
  }

  /** Judges a commit that is not there any more by what was noted of it. */
  private findLost(commit: string, branch: string | undefined, seen: Seen): Standing {
    const notes = notesOn(commit, branch, seen);
    const landed = notes.some(
      ({ patches, whole, base }) =>
        this.hasLandedAs(patches[commit] ?? null, base, seen) || this.hasLandedAs(whole, base, seen),
    );
    if (landed) return 'landed';
    if (notes.length === 0) return 'unknown';
    return this.afterwards(commit, branch, seen);
  }

  /** Judges a commit that no branch leads back to: it may have been written anew. */
  private afterwards(commit: string, branch: string | undefined, seen: Seen): Standing {
    const amended = seen.log().findLast(({ from, message }) => from === commit && message.startsWith('commit (amend)'));
    // Each amendment is followed once: a commit may have been amended to what it was before.
    if (amended && !seen.followed.has(commit)) {
      seen.followed.add(commit);
      return this.find(amended.to, branch, seen);
    }
    return branch !== undefined && !this.isCheckedOut(branch) && tipsOf(branch, seen).length > 0 ? 'elsewhere' : 'lost';
  }

  /** Tells whether HEAD has what one commit does. */
  private hasLanded(commit: string, seen: Seen): boolean {
    const number = this.catalogue.numberOf(commit);
    const base = this.baseOf(number, seen);
    const own = this.patchOf(commit);
    return own !== null && this.isThere(own, this.catalogue.pathsAt(number), base, seen);
  }

  /** Tells whether one commit behind HEAD does what all of a branch does, up to `tip`. */
  private isSquashed(tip: string, seen: Seen): boolean {
    let isThere = seen.squashed.get(tip);
    if (isThere !== undefined) return isThere;
    const base = this.baseOf(this.catalogue.numberOf(tip), seen);
    const { objects } = this.repository;
    const [before, after] = [base, this.catalogue.numberOf(tip)].map((one) =>
      one < 0 ? null : this.catalogue.treeAt(one),
    );
    const paths = diffTrees(before!, after!, objects.readTreeBytes).map(({ path }) => path);
    const isMet = base >= 0 && this.candidates(paths, base, seen).length > 0;
    isThere =
      isMet && this.isThere(patchesOf(this.repository).between(this.catalogue.oidAt(base), tip), paths, base, seen);
    seen.squashed.set(tip, isThere);
    return isThere;
  }

  /** Tells the same of a patch id that was noted; the paths are not known any more. */
  private hasLandedAs(patch: string | null, from: string, seen: Seen): boolean {
    const base = orElse(() => this.catalogue.numberOf(from), -1);
    if (patch === null || base < 0 || !seen.descent.reaches(from)) return false;
    return this.later(base, seen).some((number) => this.isPatch(number, patch, base, seen));
  }

  private isThere(patch: string | null, paths: readonly string[], base: number, seen: Seen): boolean {
    return patch !== null && this.candidates(paths, base, seen).some((one) => this.isPatch(one, patch, base, seen));
  }

  /** Lists commits later than a base, behind this HEAD or another, that change the same files. */
  private candidates(paths: readonly string[], base: number, seen: Seen): readonly number[] {
    const generation = base < 0 ? 0 : seen.descent.generationOf(this.catalogue.oidAt(base));
    if (generation < seen.indexedTo) for (const number of this.later(base, seen)) this.index(number);
    seen.indexedTo = Math.min(seen.indexedTo, generation);
    return this.byPaths.get(paths.join('\0')) ?? [];
  }

  /** A commit that the branch began with is none in which it landed. */
  private isPatch(number: number, patch: string, base: number, { descent }: Seen): boolean {
    if (this.patchAt(number) !== patch || !descent.reaches(this.catalogue.oidAt(number))) return false;
    const { objects } = this.repository;
    return base < 0 || !isAncestor(objects, this.catalogue.oidAt(number), this.catalogue.oidAt(base));
  }

  /** Lists the commits behind HEAD that are of a later generation than a base. */
  private later(base: number, { descent }: Seen): readonly number[] {
    return descent.later(base < 0 ? null : this.catalogue.oidAt(base));
  }

  private index(number: number): void {
    if (this.indexed.has(number)) return;
    this.indexed.add(number);
    const key = orElse(() => this.catalogue.pathsAt(number), []).join('\0');
    const same = this.byPaths.get(key);
    if (same) same.push(number);
    else this.byPaths.set(key, [number]);
  }

  private patchAt(number: number): string | null {
    let patch = this.patches.get(number);
    if (patch === undefined) {
      patch = this.patchOf(this.catalogue.oidAt(number));
      this.patches.set(number, patch);
    }
    return patch;
  }

  private patchOf(commit: string): string | null {
    return orElse(() => patchesOf(this.repository).of(commit), null);
  }

  /** Finds the latest commit behind HEAD that leads to a commit beyond it; -1 where they have nothing in common. */
  private baseOf(number: number, { descent, bases }: Seen): number {
    const open = [number];
    for (let at = open.at(-1); at !== undefined; at = open.at(-1)) {
      const parents = this.catalogue.parentsAt(at);
      const isHere = (parent: number) => descent.reaches(this.catalogue.oidAt(parent));
      const unknown = parents.filter((parent) => !isHere(parent) && !bases.has(parent));
      if (unknown.length > 0) {
        open.push(...unknown);
        continue;
      }
      const found = parents.map((parent) => (isHere(parent) ? parent : bases.get(parent)!)).filter((base) => base >= 0);
      bases.set(at, found.length === 0 ? -1 : descent.latest(found));
      open.pop();
    }
    return bases.get(number)!;
  }

  /** Finds the branches of commits beyond HEAD: those that are there, and those whose end HEAD once was. */
  private tipsIn(seen: Seen): ReadonlyMap<number, Tips> {
    if (seen.tips) return seen.tips;
    const found = new Map<number, Tips>();
    const kept = new Set(seen.branches.map(({ oid }) => oid));
    for (const tip of new Set([...kept, ...seen.log().map(({ to }) => to)])) {
      const number = orElse(() => this.catalogue.numberOf(tip), null);
      for (const one of number === null ? [] : this.beyond(number, seen)) {
        const tips = found.get(one) ?? { all: [], isKept: false };
        tips.all.push(tip);
        tips.isKept ||= kept.has(tip);
        found.set(one, tips);
      }
    }
    seen.tips = found;
    return found;
  }

  /** Lists a commit and what leads to it, as far as that is not behind HEAD. */
  private beyond(tip: number, { descent }: Seen): number[] {
    const known = new Set<number>();
    const open = [tip];
    for (let number = open.pop(); number !== undefined; number = open.pop()) {
      if (known.has(number) || descent.reaches(this.catalogue.oidAt(number))) continue;
      known.add(number);
      open.push(...this.catalogue.parentsAt(number));
    }
    return [...known];
  }

  private branches(): Tip[] {
    const list = (prefix: string) => this.repository.refs.list(prefix, () => {});
    const all = [...list('refs/heads/'), ...list('refs/remotes/')];
    // A memory beside the code has a history of its own.
    return all.filter(({ ref }) => !ref.startsWith('refs/heads/memory/'));
  }
}

function notesOn(commit: string, branch: string | undefined, { notes }: Seen): BranchNote[] {
  const isOn = (note: BranchNote) => Object.hasOwn(note.patches, commit) || note.tip === commit;
  return notes.filter((note) => isOn(note) && (branch === undefined || note.branch === branch));
}

function tipsOf(branch: string, { branches }: Seen): string[] {
  const remote = (ref: string) => ref.startsWith('refs/remotes/') && ref.split('/').slice(3).join('/') === branch;
  return branches.flatMap(({ ref, oid }) => (ref === `refs/heads/${branch}` || remote(ref) ? [oid] : []));
}
