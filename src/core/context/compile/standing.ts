// What every context has, whatever was said: identity (P0), and the memory, journal and projects of the session (P1).

import { orElse } from '../../../base/errors.ts';
import { withoutEmptySections } from '../../../base/text.ts';
import { shownText } from '../../../store/forgotten.ts';
import { splitFrontMatter } from '../../../store/records/front-matter.ts';
import { withoutSources } from '../../../store/records/knowledge-marks.ts';
import { isUnfinished } from '../../../store/records/unfinished-merge.ts';
import { asContent, labelOf } from './data-text.ts';
import { fitText, type Meter } from './meter.ts';
import type { ShownFiles } from './outdated.ts';
import type { Part, Piece } from './part.ts';

export const identityFolder = 'knowledge/identity/';
export const activeProjectsPath = 'knowledge/projects/_active.md';
export const activeProjectsKb = 1;

/** The order of spec 5 §2.2: who I am, whom I work for, what I must, what I have. */
const roles = ['soul', 'user', 'rules', 'tools'];
const roleOfName: Readonly<Record<string, string>> = { SOUL: 'soul', USER: 'user', AGENTS: 'rules', TOOLS: 'tools' };

/**
 * Gives what a markdown file says, harmless and without its front matter and the sources of its lines. Null where there is no file or
 * nothing in it.
 */
export function contentOf(snapshot: ShownFiles, path: string): { readonly text: string; readonly data: object } | null {
  const source = snapshot.textIfWhole(path);
  if (source === null || source.includes('\0') || isUnfinished(path, source)) return null;
  const { data, body } = readLeniently(shownText(snapshot, path, source), path);
  // Each would cost as much as the line it stands behind; blame and provenance know them.
  const said = path.startsWith('knowledge/') ? withoutSources(body) : body;
  const text = asContent(path.startsWith(identityFolder) ? said : withoutEmptySections(said));
  return text === '' ? null : { text, data };
}

/** A file whose front matter cannot be read still says what it says. */
const readLeniently = (source: string, path: string): { readonly data: object; readonly body: string } =>
  orElse(() => splitFrontMatter(source, path), { data: {}, body: source }, 'INVALID_RECORD', 'TOO_LARGE');

/** Makes a piece of a file: its label and its text. */
export function filePiece(path: string, text: string, why: string, meter: Meter, isCut = false): Piece {
  const whole = `${labelOf(path)}\n${text}`;
  const tokens = meter.count(`${whole}\n`);
  return { source: path, path, line: 1, text: whole, tokens, why, ...(isCut ? { isCut: true as const } : {}) };
}

/** Lists the files of knowledge/identity: soul, user, rules, tools, then the others by name. All of them belong into every context. */
export function identityPieces(snapshot: ShownFiles, meter: Meter): Piece[] {
  return [...snapshot.list(identityFolder).keys()]
    .filter((path) => path.endsWith('.md'))
    .flatMap((path) => {
      const content = contentOf(snapshot, path);
      if (content === null) return [];
      const named = 'role' in content.data ? content.data.role : undefined;
      const name = path.slice(identityFolder.length, -3);
      const role = typeof named === 'string' ? named : (roleOfName[name] ?? '');
      const rank = roles.indexOf(role.toLowerCase());
      return [{ path, text: content.text, role, rank: rank < 0 ? roles.length : rank }];
    })
    .sort((a, b) => a.rank - b.rank || (a.path < b.path ? -1 : 1))
    .map(({ path, text, role }) => filePiece(path, text, `identity${role === '' ? '' : ` (${role})`}: always`, meter));
}

/** Puts one file into a part as far as it fits, and notes what does not; tells whether all of it is there. */
export function addFile(
  part: Part,
  snapshot: ShownFiles,
  path: string,
  how: { readonly room: number; readonly meter: Meter; readonly why: string; readonly keep?: 'start' | 'end' },
): boolean {
  const content = contentOf(snapshot, path);
  if (content === null) return false;
  const label = how.meter.count(`${labelOf(path)}\n`);
  const fitted = fitText(content.text, how.room - label, how.meter, how.keep);
  const piece = fitted && filePiece(path, fitted.text, how.why, how.meter, fitted.isCut);
  if (piece === null || piece.tokens > how.room) {
    part.left.push({ source: path, why: 'no room' });
    return false;
  }
  part.pieces.push(piece);
  if (piece.isCut) part.left.push({ source: path, why: 'the rest of it did not fit' });
  return piece.isCut !== true;
}

/** The notes of a day: what was derived from it, and what was written down on it. */
export function notesOf(day: string): readonly { readonly path: string; readonly keep: 'start' | 'end' }[] {
  return [
    { path: `knowledge/journal/${day}.md`, keep: 'start' },
    // What was noted last stands at its end, and so do the extracts that matter.
    { path: `raw/daily/${day}.md`, keep: 'end' },
  ];
}

/**
 * Puts yesterday and today into a part, and tells which files are there as a whole. Today has the first claim to the room. Yesterday
 * comes first, so that a line added today changes as little of the text as can be.
 */
export function addJournal(
  part: Part,
  snapshot: ShownFiles,
  [yesterday, today]: readonly [string, string],
  room: number,
  meter: Meter,
): string[] {
  const whole: string[] = [];
  let left = room;
  const days = [
    { day: today, why: 'the notes of today' },
    { day: yesterday, why: 'the notes of yesterday' },
  ];
  for (const { day, why } of days) {
    const before = part.pieces.length;
    for (const { path, keep } of notesOf(day)) {
      const had = part.tokens;
      if (addFile(part, snapshot, path, { room: left, meter, why, keep })) whole.push(path);
      left -= part.tokens - had;
    }
    if (day === yesterday) part.pieces.unshift(...part.pieces.splice(before));
  }
  return whole;
}
