// A text of another program inside a markdown note, and out again: the note says what the file was called.

import { orElse } from '../../base/errors.ts';
import { formatFrontMatter, splitFrontMatter } from './front-matter.ts';

const key = 'imported_from';

/** Makes a note of a text that is no markdown, or whose front matter nobody can read; `name` is that of its file. */
export const formatImportedNote = (text: string, name: string): string => formatFrontMatter({ [key]: name }, text);

/** Gives the text and the file name that a note was made of; null for any other note. */
export function parseImportedNote(note: string, path: string): { text: string; name: string } | null {
  const cut = orElse(() => splitFrontMatter(note, path), null);
  const name = cut?.data[key];
  if (cut === null || Object.keys(cut.data).length !== 1 || typeof name !== 'string' || /[\\/]/.test(name)) return null;
  return { text: cut.body, name };
}
