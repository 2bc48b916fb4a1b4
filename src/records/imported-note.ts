// A text of another program inside a markdown note, and out again: the note says what the file was called.

import { MemoryError } from '../errors.ts';
import { formatFrontMatter, splitFrontMatter } from './front-matter.ts';

const key = 'imported_from';

/** Makes a note of a text that is no markdown, or whose front matter nobody can read; `name` is that of its file. */
export function formatImportedNote(text: string, name: string): string {
  return formatFrontMatter({ [key]: name }, text);
}

/** Gives the text and the file name that a note was made of; null for any other note. */
export function parseImportedNote(note: string, path: string): { text: string; name: string } | null {
  try {
    const { data, body } = splitFrontMatter(note, path);
    const name = data[key];
    const isOnly = Object.keys(data).length === 1 && typeof name === 'string' && !/[\\/]/.test(name);
    return isOnly ? { text: body, name } : null;
  } catch (error) {
    if (error instanceof MemoryError) return null;
    throw error;
  }
}
