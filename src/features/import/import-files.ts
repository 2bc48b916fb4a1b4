// Notes of other programs on their way into knowledge/: markdown as it is, other texts inside a note that names them.

import { MemoryError, orElse } from '../../base/errors.ts';
import { slugOf, withoutEndSlash } from '../../base/text.ts';
import { hashObject } from '../../store/git/object-codec.ts';
import { checkMemoryPath, checkPath, foldPath } from '../../store/guard/path.ts';
import { splitFrontMatter } from '../../store/records/front-matter.ts';
import { formatImportedNote } from '../../store/records/imported-note.ts';
import { type ImportContext, ImportPlan } from './import-plan.ts';
import { type Source, type SourceFile, wordsIn } from './source.ts';

/** The folders of `knowledge/`: a source that has them is laid out as we are. */
const categories: ReadonlySet<string> = new Set(
  'identity memory journal projects people entities procedures principles insights reference'.split(' '),
);

const markdown = /\.(?:md|markdown)$/i;

/** Plans the files of a folder whose names are wanted; the others are left. */
export async function planFolder(source: Source, context: ImportContext, wanted: RegExp): Promise<ImportPlan> {
  const plan = new ImportPlan(context);
  const takeNote = noteTaker(plan);
  for (const [index, file] of source.files.entries()) {
    if (index % 100 === 0) await context.pace(index, source.files.length);
    if (wanted.test(file.path)) takeNote(file, placeOf(file.path, source, context.settings.into));
    else plan.left.push({ source: file.path, why: 'is no markdown or text' });
  }
  await context.pace(source.files.length, source.files.length);
  return plan;
}

/** Gives the place of a note that has none of its own: below `into`, its category, or a folder called as the source. */
export function placeOf(
  path: string,
  { name, isFolder }: Pick<Source, 'name' | 'isFolder'>,
  into: string | undefined,
): string {
  if (into !== undefined) return `${withoutEndSlash(into)}/${path}`;
  const [top, ...below] = path.split('/');
  if (top === 'knowledge' && below.length > 0) return path;
  if (below.length > 0 && categories.has(top!)) return `knowledge/${path}`;
  return isFolder ? `knowledge/reference/${slugOf(name)}/${path}` : `knowledge/reference/${path}`;
}

/**
 * Makes what plans notes, and sees that no two become one file. It takes a file in at a place below `knowledge/`, or notes why not; tells whether it
 * is one to take. Throws SECRET where the policy refuses.
 */
export function noteTaker(plan: ImportPlan): (file: SourceFile, place: string) => boolean {
  const { earlier, view } = plan.context;
  const listed = view.snapshot.list('knowledge/');
  const names = new Map([...listed.keys()].map((path) => [foldPath(path), path]));
  /** The same bytes under another name are a file that was renamed. */
  const here = new Set(listed.values());
  return (file, place) => {
    const source = file.path;
    const isTaken = plan.attempt(source, () => {
      if (file.bytes > view.configuration.limits.fileBytes)
        throw new MemoryError('TOO_LARGE', 'is too large for a note');
      const { path, text } = noteOf(plan.filterAt(place).pass(wordsIn(file), source), place);
      const isRedacted = plan.wasRedacted();
      const twin = names.get(foldPath(path));
      if (twin !== undefined && twin !== path)
        throw new MemoryError('INVALID_PATH', `would be one file with ${twin} where case does not count`);
      names.set(foldPath(path), path);
      if (twin === undefined && !earlier.has(path) && here.has(hashObject('blob', Buffer.from(text)))) {
        plan.unchanged += 1;
        return false;
      }
      return plan.settle({ path, text, source, isRedacted });
    });
    return isTaken === true;
  };
}

/** Makes a note of a text: its path with names that every system can hold, and its bytes. Throws INVALID_PATH. */
function noteOf(text: string, place: string): { path: string; text: string } {
  const safe = place.split('/').map(safeName).join('/');
  const name = place.slice(place.lastIndexOf('/') + 1);
  const path = markdown.test(safe) ? safe.replace(markdown, '.md') : `${safe}.md`;
  if (!path.startsWith('knowledge/')) throw new MemoryError('INVALID_PATH', `${path} does not lie below knowledge/`);
  checkMemoryPath(path);
  return {
    path,
    text:
      markdown.test(name) && orElse(() => splitFrontMatter(text, path), null) !== null
        ? text
        : formatImportedNote(text, name),
  };
}

/** Replaces what some system cannot hold in a name; a name that is fine stays. */
function safeName(name: string): string {
  const kept = orElse(() => checkPath(name), null);
  if (kept !== null) return kept;
  const plain = name
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\\:*?"<>|]+/gu, '-')
    .replace(/[. ]+$/, '')
    .replace(/^-+(?=.)/, '');
  return /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(plain) ? `_${plain}` : plain;
}
