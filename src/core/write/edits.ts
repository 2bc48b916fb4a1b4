// The small writes that join the batch: each is planned against the present, under the lock, as the new text of one file.

import { MemoryError } from '../../base/errors.ts';
import type { Redaction } from '../../base/types.ts';
import { sentencesOf } from '../../language/index.ts';
import { checkMemoryPath } from '../../store/guard/path.ts';
import type { SecretFilter } from '../../store/guard/secret-filter.ts';
import { findRedactions } from '../../store/guard/secrets.ts';
import { cutFrontMatter } from '../../store/records/front-matter.ts';
import { kindOf } from '../../store/records/kind.ts';
import { nearestPath, withGuess } from '../../store/records/nearest-word.ts';
import { LinkedFiles, withMovedLinks } from '../../store/records/note-links.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import type { KnowledgeChange } from '../capture/session.ts';

/** What a file shall be; `null`: gone. */
export interface PlannedEdit {
  readonly path: string;
  readonly after: string | null;
}

/** Plans a write: what it is about comes first. */
export type EditPlan = (snapshot: Snapshot) => PlannedEdit | readonly [PlannedEdit, ...PlannedEdit[]];

/**
 * Takes the secrets out of what an edit writes, and says where. What was in the file before stays, and what is private is kept as it is.
 *
 * `isRecord`: it was formatted from a record whose words were looked at. Throws SECRET when the policy refuses them.
 */
export function cleanEdit(
  edit: PlannedEdit,
  snapshot: Snapshot,
  filter: SecretFilter,
  isRecord: boolean,
): { edit: PlannedEdit; redacted: Redaction[] } {
  const { path, after } = edit;
  if (after === null || snapshot.privacy.isPrivate(path)) return { edit, redacted: [] };
  const before = isRecord ? null : snapshot.textIfWhole(path);
  const text = isRecord ? after : filter.pass(after, path, { known: before });
  if (filter.count === 0) return { edit, redacted: [] };
  const known = new Set(before?.split('\n') ?? []);
  const lines = text.split('\n');
  const redacted = findRedactions(text).filter(({ line }) => !known.has(lines[line - 1]!));
  return { edit: { path, after: text }, redacted: redacted.map(({ kind, line }) => ({ kind, path, line })) };
}

/** Plans a whole file; throws CONFLICT unless the file has the blob that is expected (`null`: none). */
export function planWrite(path: string, text: string, expected: string | null | undefined): EditPlan {
  return (snapshot) => {
    if (expected === undefined || expected === snapshot.oidOf(path)) {
      snapshot.offer(path, Buffer.from(text));
      return { path, after: text };
    }
    const hint = 'Read it again and repeat the change';
    throw new MemoryError('CONFLICT', `${path} is not the version that was expected`, { where: path, hint });
  };
}

/** Plans the replacement of a text that occurs exactly once; throws NOT_FOUND, AMBIGUOUS. */
export function planReplace(path: string, oldText: string, newText: string): EditPlan {
  return (snapshot) => {
    const text = snapshot.readText(path);
    if (text === null) throw notThere(snapshot, path);
    const at = text.indexOf(oldText);
    if (at < 0) throw new MemoryError('NOT_FOUND', 'the old text does not occur in the file', { where: path });
    if (text.indexOf(oldText, at + 1) >= 0) {
      const hint = 'Give more of the text around it';
      throw new MemoryError('AMBIGUOUS', 'the old text occurs more than once', { where: path, hint });
    }
    return { path, after: text.slice(0, at) + newText + text.slice(at + oldText.length) };
  };
}

/** Plans the removal of a file, or with `isRecursive` of all below a folder; throws NOT_FOUND. */
export function planRemove(path: string, isRecursive = false): EditPlan {
  return (snapshot) => {
    if (snapshot.oidOf(path) !== null) return { path, after: null };
    const [first, ...rest] = isRecursive ? snapshot.list(`${path}/`).keys() : [];
    if (first === undefined && isFolder(snapshot, path)) {
      const hint = '--recursive (`recursive` in the library) removes all below it';
      throw new MemoryError('NOT_FOUND', `${path} is a folder, and no file`, { where: path, hint });
    }
    if (first === undefined) throw notThere(snapshot, path);
    return [{ path: first, after: null }, ...rest.map((below) => ({ path: below, after: null }))];
  };
}

/**
 * Plans another name for a file, or for all below a folder; `plain`: also where private texts come to lie open by that. Throws NOT_FOUND,
 * ALREADY_EXISTS, INVALID_ARGUMENT, INVALID_RECORD for no text, PRIVATE_OPEN.
 */
export function planMove(from: string, to: string, plain = false): EditPlan {
  return (snapshot) => {
    if (snapshot.oidOf(to) !== null || snapshot.list(`${to}/`).size > 0)
      throw new MemoryError('ALREADY_EXISTS', `${to} is there already`, { where: to, hint: 'Choose another name' });
    const paths = snapshot.oidOf(from) !== null ? [from] : [...snapshot.list(`${from}/`).keys()];
    if (paths.length === 0) throw notThere(snapshot, from);
    if (to.startsWith(`${from}/`)) {
      const hint = 'Choose another name';
      throw new MemoryError('INVALID_ARGUMENT', 'a folder cannot move into itself', { where: to, hint });
    }
    const edits = paths.flatMap((path): PlannedEdit[] => {
      if (['memory', 'relation'].includes(kindOf(path))) {
        const hint = 'Leave it there';
        throw new MemoryError('INVALID_PATH', 'the id of a record decides its path', { where: path, hint });
      }
      const bytes = snapshot.read(path)!;
      const text = bytes.toString('utf8');
      if (!Buffer.from(text).equals(bytes)) {
        const hint = 'Move it in the work tree, then commit';
        throw new MemoryError('INVALID_RECORD', 'the file is not UTF-8 text', { where: path, hint });
      }
      const moved = checkMemoryPath(to + path.slice(from.length));
      const { privacy } = snapshot;
      if (!plain && privacy.isPrivate(path) && !privacy.isPrivate(moved)) {
        throw new MemoryError('PRIVATE_OPEN', `${path} is private, but anyone could read ${moved}`, {
          where: path,
          hint: 'Choose a private place. --plain (`plain` in the library) moves it anyway; everyone with the repository can then read it',
        });
      }
      return [
        { path: moved, after: text },
        { path, after: null },
      ];
    });
    return withLinksFollowing(snapshot, edits, new Map(paths.map((path) => [path, to + path.slice(from.length)])));
  };
}

/** Tells what edits do to knowledge, for the transcript of the session that makes them; of what is private it tells nothing. */
export function knowledgeChangesOf(edits: readonly PlannedEdit[], snapshot: Snapshot): KnowledgeChange[] {
  return edits.flatMap(({ path, after }) => {
    const before = snapshot.textIfWhole(path);
    if (!path.startsWith('knowledge/') || before === after || snapshot.privacy.isPrivate(path)) return [];
    const action =
      after === null ? 'removed' : before === null ? 'created' : after.startsWith(before) ? 'appended' : 'updated';
    const linesOf = (text: string | null): string[] => sentencesOf(cutFrontMatter(text ?? '')?.body ?? text ?? '');
    const [old, made] = [linesOf(before), linesOf(after)];
    const line = made.find((one) => !old.includes(one)) ?? old.find((one) => !made.includes(one)) ?? made[0] ?? path;
    return [{ path, action, summary: line }];
  });
}

/** Where links and paths of notes stand that follow them. */
const linking = ['knowledge/', 'topics/', 'archive/knowledge/'];

/** Lets the links of all notes lead to where files move. */
function withLinksFollowing(
  snapshot: Snapshot,
  edits: readonly PlannedEdit[],
  moves: ReadonlyMap<string, string>,
): [PlannedEdit, ...PlannedEdit[]] {
  const notes = linking.flatMap((folder) => [...snapshot.list(folder).keys()]).filter((path) => path.endsWith('.md'));
  const paths = [...new Set([...notes, ...moves.keys()])];
  const files = [new LinkedFiles(paths), new LinkedFiles(paths.map((path) => moves.get(path) ?? path))] as const;
  const following = notes.flatMap((path): PlannedEdit[] => {
    const text = moves.has(path) ? null : snapshot.textIfWhole(path);
    const after = text === null ? null : withMovedLinks(text, [path, path], moves, files);
    return after === null || after === text ? [] : [{ path, after }];
  });
  const moved = edits.map(({ path, after }): PlannedEdit => {
    const old = after === null ? undefined : [...moves].find(([, to]) => to === path)?.[0];
    return { path, after: old === undefined ? after : withMovedLinks(after!, [old, path], moves, files) };
  });
  return [...moved, ...following] as [PlannedEdit, ...PlannedEdit[]];
}

const isFolder = (snapshot: Snapshot, path: string): boolean => snapshot.list(`${path}/`).size > 0;

/** Says that a path is not in a state, or is a folder there, and which one was probably meant. */
export function notThere(snapshot: Snapshot, path: string): MemoryError {
  if (isFolder(snapshot, path)) {
    const hint = `\`git memory list ${path}\` lists what is in it`;
    return new MemoryError('NOT_FOUND', `${path} is a folder, and no file`, { where: path, hint });
  }
  const meant = nearestPath(path, snapshot.listStored().keys());
  const hint = withGuess(meant, '`git memory log <path>` shows whether it ever existed');
  return new MemoryError('NOT_FOUND', `${path} is not in this memory`, { where: path, hint });
}
