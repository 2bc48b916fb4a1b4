// Judges what commits of others would bring into a branch, before they come in. Pure: whoever lets commits in asks here, and refuses.
//
//     each new commit ── text, path or message with a secret? ──► secrets: nobody can accept them, for history would keep them
//     bases, ours ──► theirs ── memory.yaml, expect/, hooks, topics/; what was recorded before ──► changes: each by the word that accepts it

import { isJsonObject, parseJson } from '../../base/canonical-json.ts';
import { count } from '../../base/count.ts';
import { MemoryError, orElse } from '../../base/errors.ts';
import { acceptableChanges } from '../../base/types/branches-types.ts';
import type { AcceptableChange, IncomingChange, IncomingFindings, IncomingSecret } from '../../base/types.ts';
import { broughtBy } from '../../store/brought.ts';
import { checkRecorded } from '../../store/change-rules.ts';
import type { Codec } from '../../store/codec.ts';
import type { ObjectReader } from '../../store/git/object-overlay.ts';
import { findEntry, type TreeDifference } from '../../store/git/tree.ts';
import { parseMessage } from '../../store/guard/message.ts';
import { findNewSecret, type SecretPolicy } from '../../store/guard/secret-filter.ts';
import { keepsWhatCame } from '../../store/merge/keeps-what-came.ts';
import { keyedEntries } from '../../store/merge/log-ids.ts';
import { isBinary } from '../../store/merge/text.ts';
import { validityKeys } from '../../store/merge/validity.ts';
import { changelogArchivePath } from '../../store/records/changelog.ts';
import { kindOf } from '../../store/records/kind.ts';
import { dayOfSegment, ledgerArchivePath } from '../../store/records/ledger-segment.ts';
import { logReaderOf } from '../../store/records/log-readers.ts';
import { isSealed } from '../../store/records/private-text.ts';
import { receiptFolder } from '../../store/records/purge-receipt.ts';
import { commitsBehind, commitsBeyond } from '../merge-base.ts';

/** What is asked about: the commits behind `theirs` that are not behind `ours`. */
interface IncomingQuestion {
  /** Reads both sides; nothing is written. */
  readonly objects: Pick<ObjectReader, 'readBlob' | 'readCommit' | 'readTree' | 'readTreeBytes'>;
  readonly codec: Codec;
  /** The tip that would receive them. */
  readonly ours: string;
  readonly theirs: string;
  /** Where both parted; several for histories that crossed. */
  readonly bases: readonly string[];
  /** The rules of the branch that receives: what a branch says of secrets does not count for itself. */
  readonly secrets: SecretPolicy;
  readonly accepted: readonly AcceptableChange[];
}

/**
 * Tells what speaks against letting commits in; both lists are empty where nothing does.
 *
 * `secrets` lists what any of the commits brought and holds, whether the tip still has it or not; never the secret
 * itself. `changes` lists what the tip has otherwise than the bases and ours, as far as it is not accepted. These are
 * files that tell agents or programs what to do. They are also records that are gone or say something else now. Counts,
 * uses, endings of claims, turns of an open conversation and new lines of logs are no such changes. Nor are entries of logs
 * that an archive has now, or that have another number; new records and pages are none.
 *
 * It does not ask who wrote a commit: author, trailers and reflog of one are words that anybody can write. Throws for
 * objects that cannot be read, and for nothing that it judges.
 */
export function judgeIncoming(question: IncomingQuestion): IncomingFindings {
  const { objects, ours, theirs, bases, accepted } = question;
  const changes = broughtBy(objects, theirs, [...bases, ours]);
  return {
    secrets: secretsIn(question),
    changes: changesIn(question, changes).filter(({ what }) => !accepted.includes(what)),
  };
}

/** Throws what findings say, SECRET or UNACCEPTED; `name` is what people call the branch. */
export function refuseIncoming({ secrets, changes }: IncomingFindings, name: string): void {
  if (secrets.length > 0) {
    const commits = new Set(secrets.map(({ commit }) => commit));
    const places = secrets.map(({ commit, where, kind }) => `${kind} in ${where} of ${commit.slice(0, 12)}`);
    throw new MemoryError(
      'SECRET',
      `${count(commits.size, 'commit')} of ${name} ${commits.size === 1 ? 'holds' : 'hold'} a secret (${some(places)})`,
      {
        where: name,
        hint: 'Nothing was merged: history would keep it. `git memory purge --dry-run` shows how to take it out',
      },
    );
  }
  if (changes.length === 0) return;
  const kinds = acceptableChanges.filter((one) => changes.some(({ what }) => what === one));
  const told = kinds.map((one) => {
    const paths = changes.filter(({ what }) => what === one).map(({ path, how }) => `${path} ${how}`);
    return `${one} (${some(paths)})`;
  });
  throw new MemoryError('UNACCEPTED', `${name} changes what has to be accepted by its word: ${told.join('; ')}`, {
    where: name,
    hint: `Nothing was merged. Look at it, and repeat the call with --accept ${kinds.join(' --accept ')}`,
  });
}

const mostNamed = 5;

function some(names: readonly string[]): string {
  const more = names.length - mostNamed;
  return [...names.slice(0, mostNamed), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

// ── secrets ───────────────────────────────────────────────────────────────────────────────────────────────────────

function secretsIn({ objects, ours, theirs, secrets: policy }: IncomingQuestion): IncomingSecret[] {
  const found: IncomingSecret[] = [];
  for (const commit of commitsBeyond(objects, theirs, [ours]).reverse()) {
    const { parents, message } = objects.readCommit(commit);
    const look = (where: string, before: string | null, text: string, isKnown = () => false): void => {
      const secret = findNewSecret(before, text, policy);
      if (secret !== null && !isKnown())
        found.push({ commit, subject: parseMessage(message).subject, where, kind: secret.kind });
    };
    look('its message', null, message);
    for (const { path, before, after } of broughtBy(objects, commit, parents)) {
      if (before === null) look('a path', null, path);
      const stored = after?.mode.startsWith('100') ? objects.readBlob(after.oid) : null;
      // Nobody reads a private text without its key.
      if (stored === null || isBinary(stored) || isSealed(stored)) continue;
      const known = before?.mode.startsWith('100') ? objects.readBlob(before.oid) : null;
      const isPlain = known !== null && !isSealed(known);
      look(path, isPlain ? known.toString('utf8') : null, stored.toString('utf8'), () =>
        commitsBehind(objects, [ours]).some(
          (own) => findEntry(objects.readCommit(own).tree, path, objects.readTree)?.oid === after!.oid,
        ),
      );
    }
  }
  return found;
}

// ── what has to be accepted ───────────────────────────────────────────────────────────────────────────────────────

function changesIn(question: IncomingQuestion, brought: readonly TreeDifference[]): IncomingChange[] {
  const moved = new Map(
    brought.flatMap(({ path, after }) => (after === null ? [] : [[nameOf(path), after.oid] as const])),
  );
  return brought.flatMap(({ path, before, after }): IncomingChange[] => {
    const how = before === null ? 'added' : after === null ? 'removed' : 'changed';
    const ruling = rulingOn(path);
    if (ruling !== null) return [{ what: ruling, path, how }];
    if (before === null || !before.mode.startsWith('100')) return [];
    const kind = kindOf(path);
    const isRecord = kind === 'memory' || kind === 'relation';
    const what = isRecord || kind === 'ledger' || kind === 'changelog' ? 'records' : 'transcripts';
    if (what === 'transcripts' && kind !== 'conversation' && kind !== 'daily' && kind !== 'artifact') return [];
    // One that was put into the archive is still there.
    const present =
      after ?? (isRecord && moved.has(nameOf(path)) ? { mode: before.mode, oid: moved.get(nameOf(path))! } : null);
    const [old, next] = [before.oid, present?.oid ?? null].map((oid) => oid && question.objects.readBlob(oid));
    const isSame = isKept(question.codec, path, old as Buffer, next as Buffer | null);
    return isSame || isElsewhere(question, path, old as Buffer) ? [] : [{ what, path, how }];
  });
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** What a file that tells agents or programs what to do is accepted as; null for any other. */
function rulingOn(path: string): AcceptableChange | null {
  if (kindOf(path) === 'configuration' || path === '.gitattributes' || path.startsWith(`${receiptFolder}/`))
    return 'configuration';
  if (path.startsWith('expect/')) return 'expectations';
  if (/^\.?(?:git-?)?hooks\/|^\.husky\//.test(path)) return 'hooks';
  return kindOf(path) === 'topic' || path === 'recall/triggers.json' ? 'topics' : null;
}

/** Whether each entry of a log is still there, in its file or in an archive: with the same words, whatever its number. */
function isElsewhere({ objects, codec, theirs }: IncomingQuestion, path: string, old: Buffer): boolean {
  const read = logReaderOf(path);
  if (read === null) return false;
  const { tree } = objects.readCommit(theirs);
  const day = dayOfSegment(path);
  const piecesOf = (place: string, stored: Buffer) =>
    // What stands between entries is no record, unless it is a damaged one.
    read(codec.decode(place, stored).toString('utf8'), place).filter(
      (piece) => piece.kind === 'entry' || piece.why !== undefined,
    );
  return orElse(() => {
    const present = [path, day === null ? changelogArchivePath : ledgerArchivePath(day)].flatMap((place) => {
      const entry = findEntry(tree, place, objects.readTree);
      return entry?.mode.startsWith('100') ? piecesOf(place, objects.readBlob(entry.oid)) : [];
    });
    const keys = keyedEntries(present);
    return [...keyedEntries(piecesOf(path, old)).keys()].every((key) => keys.has(key));
  }, false);
}

/** Whether what was recorded still says all that it said, as the rules of its kind have it. */
function isKept(codec: Codec, path: string, old: Buffer, next: Buffer | null): boolean {
  if (next === null) return false;
  if (![old, next].every((stored) => codec.canDecode(stored))) return false;
  return orElse(() => {
    const [before, after] = [codec.decode(path, old), codec.decode(path, next)];
    if (kindOf(path) === 'memory' || kindOf(path) === 'relation')
      return keepsWhatCame(path, null, withoutEnding(before, path), withoutEnding(after, path));
    checkRecorded({ path, before, after });
    return true;
  }, false);
}

/** A record without what says that it ended: a claim may end, and what it said stays. */
function withoutEnding(bytes: Buffer, path: string): Buffer {
  const fields = parseJson(bytes.toString('utf8'), path);
  if (!isJsonObject(fields)) return bytes;
  return Buffer.from(
    JSON.stringify(Object.fromEntries(Object.entries(fields).filter(([key]) => !validityKeys.includes(key)))),
  );
}
