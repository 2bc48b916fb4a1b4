// Doctor looks whether branches are where they were last seen. One only set back goes forward; between two histories a person chooses.

import { count } from '../../base/count.ts';
import { MemoryError, orElse } from '../../base/errors.ts';
import { formatSeconds } from '../../base/time.ts';
import { commitsBeyond, isAncestor } from '../../history/index.ts';
import { planAdvance } from '../../store/advance.ts';
import { isLost, type SeenTip, seenTip } from '../../store/branch-tip.ts';
import type { Codec } from '../../store/codec.ts';
import { contentOf } from '../../store/file-content.ts';
import { decodeRef } from '../../store/git/refs.ts';
import { rescueRef } from '../../store/git/remotes.ts';
import type { Repository } from '../../store/git/repository.ts';
import { findWorkTreeOf } from '../../store/git/work-trees.ts';
import { parseMessage } from '../../store/guard/message.ts';
import { WorkTree } from '../../store/projection.ts';
import { type Publication, publish } from '../../store/publish.ts';
import { journalOf } from '../../store/recovery.ts';
import type { Examined, Repair } from './examination.ts';
import { isWhole } from './reachable.ts';

/** Tells of branches that were lost. `own` is that of the memory, about which somebody may have chosen. */
export function examineTips(examined: Examined, own: string | null, choice: Choice): void {
  const { examination, repository } = examined;
  for (const name of examination.disk.list(`${repository.ownDirectory}/tips`)) {
    const ref = decodeRef(name);
    if (ref !== null) examination.part(() => examineTip(examined, ref, own, choice));
  }
}

type Choice = 'restore' | 'accept' | undefined;

function examineTip(
  { examination, repository, codec }: Examined,
  ref: string,
  own: string | null,
  choice: Choice,
): void {
  const { objects } = repository;
  // The part that looks at refs names one that cannot be read.
  const found = orElse(() => seenTip(repository, ref), null, 'REF_CORRUPT');
  const leadsTo = (ancestor: string, descendant: string) => isAncestor(objects, ancestor, descendant);
  // Other branches go by `git branch -d`.
  if (found === null || (found.tip === null && ref !== own) || !isLost(repository, found, leadsTo)) return;
  const { seen, tip } = found as SeenTip & { readonly seen: string };
  const isThere = isWhole(repository, seen);
  const isSetBack = isThere && (tip === null || leadsTo(tip, seen));
  const chosen = ref === own ? choice : undefined;
  examination.find('BRANCH_LOST', ref, told(repository, found, isThere), mendOf());

  function mendOf(): Repair | string {
    if (chosen === 'accept')
      return { does: 'leave it where it is', run: () => accept(repository, ref, seen, tip, isThere) };
    if (isThere && (isSetBack || chosen === 'restore')) {
      const kept = isSetBack ? 'what is there now is part of it' : 'what is there now is kept';
      return { does: `move it to ${seen}; ${kept}`, run: () => restore(repository, found!, isSetBack, codec) };
    }
    const back = isThere ? '`--tip restore` goes back, ' : 'bring those commits back, from another copy, or ';
    return `${back}\`--tip accept\` goes on from here${isThere ? '; what is left is kept either way' : ''}`;
  }
}

function told({ objects }: Repository, { seen, tip }: SeenTip, isThere: boolean): string {
  const named = (oid: string) => {
    const { message, committer } = objects.readCommit(oid);
    return `${oid.slice(0, 12)} (${formatSeconds(committer.time)}, ${parseMessage(message).subject})`;
  };
  const now = tip === null ? 'it is gone' : `it is at ${named(tip)}`;
  if (!isThere) return `${now}; it was last seen at ${seen!.slice(0, 12)}, of which not all can be read`;
  const only = commitsBeyond(objects, seen!, tip === null ? [] : [tip]).length;
  return `${now}; it was last seen at ${named(seen!)}, and ${count(only, 'commit')} of there would be lost`;
}

/** Keeps a commit that a branch leaves. */
export function keep({ refs, objects }: Repository, branch: string, oid: string, why = 'doctor'): string {
  const ref = rescueRef(why, branch, oid);
  const identity = objects.readCommit(oid).committer;
  if (refs.read(ref) === null) refs.update({ ref, from: null, to: oid, reason: 'doctor: kept', identity });
  return ref;
}

function accept(repository: Repository, ref: string, seen: string, tip: string | null, isThere: boolean): string {
  const kept = isThere ? `; ${keep(repository, ref, seen)} keeps where it was seen` : '';
  const { notes } = repository.refs;
  if (tip === null) notes.forget(ref);
  else notes.write(ref, tip);
  return `it stays where it is${kept}`;
}

/** Moves a branch to where it was seen. Files and index follow, but for what a person edited. */
function restore(repository: Repository, { ref, seen, tip }: SeenTip, isSetBack: boolean, codec: Codec): string {
  const kept = isSetBack ? '' : `; ${keep(repository, ref, tip!)} keeps where it was`;
  moveBranch(repository, ref, tip, codec, (workTree) => {
    const build = planAdvance(repository, tip, seen!);
    const isEdited = (path: string, known: readonly (string | null)[]) => {
      const present = workTree?.inspect(path) ?? null;
      return present !== null && !known.includes(present.oid);
    };
    const edited = [...build.touched.values()].filter(({ path, before, oid }) =>
      isEdited(path, [before ?? '', oid ?? '']),
    );
    return { build, blocked: new Set(edited.map(({ path }) => path)) };
  });
  return `it is at ${seen} again${kept}`;
}

/** Moves a branch, and the index and files of the work tree that has it checked out. Throws LOCKED. */
export function moveBranch(
  repository: Repository,
  ref: string,
  from: string | null,
  codec: Codec,
  plan: (workTree: WorkTree | null) => Pick<Publication, 'build' | 'blocked'>,
): void {
  const own = repository.workTree === null ? null : new WorkTree(repository, ref, contentOf(repository, codec));
  const view = own?.isCheckedOut() ? repository : findWorkTreeOf(repository, ref);
  const workTree = view === null ? null : view === repository ? own : new WorkTree(view, ref, contentOf(view, codec));
  const since = workTree?.moment() ?? null;
  const { build, blocked } = plan(workTree);
  const journal = journalOf(repository, ref);
  journal.refresh();
  const section = { needsRecovery: false, warn: () => undefined };
  const outcome = publish({ repository, ref, journal, section }, { build, from, covers: [], workTree, since, blocked });
  if (outcome === 'done') return;
  throw new MemoryError('LOCKED', 'a git command is running there', {
    where: ref,
    hint: 'Nothing was changed; try again',
  });
}
