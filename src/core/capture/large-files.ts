// The lines of .gitattributes that hand attachments to git-lfs (spec 5 §3.8). They are written where somebody asks for them; the engine
// itself stores bytes, never pointers.

import { withLastLineEnded } from '../../base/text.ts';
import type { FileChange } from '../../store/operation.ts';
import type { Snapshot } from '../../store/snapshot.ts';

const attributesPath = '.gitattributes';

/** As the specification words them. */
export const lfsLines: readonly string[] = [
  '# LFS for binary attachments',
  ...['png', 'jpg', 'pdf', 'mp4'].map((ending) => `attachments/**/*.${ending} filter=lfs diff=lfs merge=lfs -text`),
];

/** Plans the lines that `.gitattributes` has not got yet, behind what it has; null where all are there. */
export function planLfsAttributes(snapshot: Snapshot): FileChange | null {
  const text = snapshot.readText(attributesPath) ?? '';
  const present = new Set(text.split(/\r?\n/));
  const missing = lfsLines.filter((line) => !present.has(line));
  // The comment alone is not worth a commit.
  if (!missing.some((line) => !line.startsWith('#'))) return null;
  return {
    path: attributesPath,
    before: snapshot.oidOf(attributesPath),
    after: Buffer.from(`${withLastLineEnded(text)}${missing.join('\n')}\n`),
  };
}
