// Makes a memory: the first commit of its branch, in a repository that may have to be made too.

import type { Placement } from '../../base/types.ts';
import type { Operation } from '../../store/operation.ts';
import { formatConfiguration, type InitialConfiguration, takenOver } from '../../store/records/configuration-text.ts';
import { configurationFiles } from '../../store/records/kind.ts';
import { formatMeta, metaPath, newMeta } from '../../store/records/storage-meta.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { mergeAttributes } from './install-git-drivers.ts';

const ignored = [
  '# Scratch and secrets never enter the memory.',
  ...'scratch/ tmp/ *.tmp .env secrets/ *.key *.pem .DS_Store Thumbs.db'.split(' '),
  '',
];

/** Text is stored byte for byte: captures are verbatim, and equal records are equal blobs on every machine. */
const attributes = ['* -text', ...mergeAttributes('memory'), ''];

/**
 * Plans the first commit; files that are there already stay as they are. What a configuration of another program says, committed or in the
 * work tree (`read`), is taken over. Throws INVALID_CONFIG.
 */
export function planInit(
  snapshot: Pick<Snapshot, 'oidOf' | 'readText'>,
  placement: Placement,
  options: { now: number; machine: string; configuration?: InitialConfiguration; read?(path: string): string | null },
): Operation {
  const [, foreign = ''] = configurationFiles;
  const text = snapshot.readText(foreign) ?? options.read?.(foreign) ?? null;
  const initial = formatConfiguration(options.configuration);
  const configuration = text === null ? initial : takenOver(text, foreign, initial);
  const isProject = placement === 'project';
  const files: [string, string][] = [
    ['memory.yaml', isProject ? `${configuration}\nplacement: project\n` : configuration],
    ['.gitignore', ignored.join('\n')],
    ['.gitattributes', attributes.join('\n')],
    [metaPath, formatMeta(newMeta(options.now, options.machine))],
  ];
  // Inside a project the ignore rules and attributes are the project's own.
  const isOurs = ([path]: readonly [string, string]) => !(isProject && path.startsWith('.git'));
  return {
    kind: 'maintenance',
    name: 'init',
    subject: 'begin a memory',
    trailers: [],
    changes: files
      .filter(isOurs)
      .filter(([path]) => snapshot.oidOf(path) === null)
      .map(([path, text]) => ({ path, before: null, after: Buffer.from(text) })),
    onConflict: 'refuse',
  };
}
