// Reflections in files of knowledge/identity (spec 4): where they have grown too long, what is said twice goes and the oldest move to the
// archive. History and archive keep every line.

import { count } from '../../base/count.ts';
import { normaliseForHash, splitLines } from '../../base/text.ts';
import { wordLikeness } from './likeness.ts';
import type { Pass, PassItem } from './pass.ts';

/** From this share of common words on the newer of two reflections says both; the requirements name no number. */
const twinLikeness = 0.8;
/** What is consolidated goes down to this share of the limit, so that it is not due again with the next line. */
const aim = 0.75;
const heading = /^#{1,6} +reflections?\b.*$/i;
const anyHeading = /^#{1,6} /;

/** A file with shorter reflections, and the lines that left it. */
export interface ShorterReflections {
  readonly text: string;
  /** Said again further down. */
  readonly repeated: readonly string[];
  /** The oldest, for the archive. */
  readonly moved: readonly string[];
}

/** Reflections of a larger file are consolidated (spec 4). */
const maxBytes = 8192;

/** Shortens reflections, items of lists below a heading "Reflections", the later ones further down; undefined where nothing has to leave. */
export function shortenReflections(text: string): ShorterReflections | undefined {
  if (Buffer.byteLength(text) <= maxBytes) return undefined;
  const lines = splitLines(text);
  let isInside = false;
  const places: number[] = [];
  for (const [at, line] of lines.entries()) {
    if (anyHeading.test(line)) isInside = heading.test(line);
    else if (isInside && /^[-*] /.test(line)) places.push(at);
  }
  const gone = new Map<number, 'repeated' | 'moved'>();
  const words = places.map((at) => normaliseForHash(lines[at]!.replace(/^[-*] +(?:\d{4}-\d\d-\d\d:? *)?/, '')));
  const likeness = wordLikeness(words);
  for (let older = 0; older < places.length; older++) {
    for (let newer = older + 1; newer < places.length && !gone.has(places[older]!); newer++) {
      if (words[older] === words[newer] || likeness.of(older, newer) >= twinLikeness)
        gone.set(places[older]!, 'repeated');
    }
  }
  const sizeOf = () => lines.reduce((sum, line, at) => (gone.has(at) ? sum : sum + Buffer.byteLength(line) + 1), 0);
  let size = sizeOf();
  for (const at of places) {
    if (size <= aim * maxBytes) break;
    if (gone.has(at)) continue;
    gone.set(at, 'moved');
    size -= Buffer.byteLength(lines[at]!) + 1;
  }
  if (gone.size === 0) return undefined;
  const linesOf = (what: string) => lines.filter((_, at) => gone.get(at) === what);
  return {
    text: `${lines.filter((_, at) => !gone.has(at)).join('\n')}\n`,
    repeated: linesOf('repeated'),
    moved: linesOf('moved'),
  };
}

/** Plans to shorten the reflections of identity files above {@link maxBytes}, and to put what left them into the archive. */
export const reflections: Pass<void> = {
  name: 'reflections',
  kind: 'identity',
  plan({ snapshot }) {
    const items: PassItem[] = [];
    const left: { id: string; why: string }[] = [];
    for (const [path, oid] of snapshot.list('knowledge/identity/')) {
      const text = path.endsWith('.md') ? (snapshot.readText(path) ?? '') : '';
      if (Buffer.byteLength(text) <= maxBytes) continue;
      const shorter = shortenReflections(text);
      if (shorter === undefined) {
        left.push({ id: path, why: `it is larger than ${maxBytes} bytes and has no reflections` });
        continue;
      }
      const archive = `archive/${path}`;
      const archived = snapshot.readText(archive) ?? `# Reflections of ${path}\n`;
      const gone = [...shorter.moved, ...shorter.repeated];
      items.push({
        action: 'shorten',
        ids: [],
        why: `it has ${Buffer.byteLength(text)} bytes: ${shorter.repeated.length} reflections are said again, ${shorter.moved.length} are the oldest`,
        changes: [
          { path, before: oid, after: Buffer.from(shorter.text) },
          {
            path: archive,
            before: snapshot.oidOf(archive),
            after: Buffer.from(`${archived.trimEnd()}\n${archived.includes('\n- ') ? '' : '\n'}${gone.join('\n')}\n`),
          },
        ],
      });
    }
    return { items, left };
  },
  describe: (items) => ({ subject: `reflections of ${count(items.length, 'file')} shortened` }),
};
