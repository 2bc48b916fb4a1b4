// The verb of private texts and their keys.

import { z } from 'zod';
import { count } from '../../base/count.ts';
import { MemoryError } from '../../base/errors.ts';
import type { KeyChange, KeyStatus, ShownKey } from '../../base/types.ts';
import type { Style } from './style.ts';
import { defineVerb, filled } from './verb.ts';

type Output = Partial<KeyStatus & KeyChange & Omit<ShownKey, 'key'>> & { readonly text?: string };

export const key = defineVerb({
  name: 'key',
  summary: 'Keep the texts of some paths private, by a key',
  help:
    'Git stores texts at private paths encrypted; the key stays outside the repository. "new" makes a key, keeps it in ' +
    'your configuration folder and encrypts all private texts in one commit. Globs after "new", such as ' +
    '"knowledge/people/**", become private. "rotate" changes to another key; older commits keep the old one. "show" ' +
    'prints a key. Anyone with the key can read every private text. "import" adds a key from another machine, by ' +
    'default from standard input. "status", the default, lists private paths and the keys on this machine. Paths, sizes ' +
    'and times stay visible, and so does which texts are equal.',
  input: z.strictObject({
    action: z
      .enum(['status', 'new', 'rotate', 'show', 'import'])
      .default('status')
      .describe('status, new, rotate, show or import; status if left out'),
    what: z
      .array(filled)
      .default([])
      .describe('globs of paths (new, rotate), the id of a key (show), or a key (import; - for standard input)'),
  }),
  positional: ['action', 'what'],
  flags: { writes: 'now', asks: ({ action }) => action === undefined || action === 'status' || action === 'show' },
  example: { command: "key new 'knowledge/people/**'", shows: 'the id of the key, and where it lies' },
  async run(context, { action, what }): Promise<Output> {
    const memory = await context.memory();
    switch (action) {
      case 'status':
        return { ...(await memory.keys.status()) };
      case 'new':
      case 'rotate':
        return {
          ...(await memory.keys.new({
            isRotation: action === 'rotate',
            ...(what.length === 0 ? {} : { paths: what }),
          })),
        };
      case 'show': {
        const shown = await memory.keys.show(what[0]);
        return { id: shown.id, text: shown.key };
      }
      case 'import': {
        const given = what[0] === undefined || what[0] === '-' ? await context.readInput('-') : what[0];
        return { ...(await memory.keys.import(given)) };
      }
      default:
        throw new MemoryError('INVALID_ARGUMENT', 'key knows no such action', { where: 'action' });
    }
  },
  text(output, style) {
    if (output.text !== undefined) return output.text;
    if (output.keys !== undefined) return describeStatus(output as KeyStatus, style).join('\n');
    const { id = '', place = '', commit } = output;
    const lines = [`${style.good('key')}  ${id}`, `      kept in ${place}; without a copy elsewhere it can be lost`];
    if (commit != null) lines.push(`      private texts are stored under it since ${commit.slice(0, 12)}`);
    return lines.join('\n');
  },
});

function describeStatus({ paths, key: id, keys, open, place, filter }: KeyStatus, style: Style): string[] {
  if (paths.length === 0 && id === null) return ['Nothing is private. Begin with: git memory key new <glob>'];
  const lines = [`private  ${paths.length === 0 ? 'no path' : paths.join(', ')}`];
  for (const one of keys) {
    const state = one.isHere ? style.good('here') : style.bad('missing');
    const use = one.id === id ? ', writes' : '';
    lines.push(`key      ${one.id}  ${state}${use}  ${count(one.files, 'file')}`);
  }
  if (id === null)
    lines.push(`${style.bad('no key')}   private paths cannot be written; make one with: git memory key new`);
  for (const path of open) lines.push(`${style.bad('open')}     ${path} was committed as it is, by another program`);
  lines.push(`keys in  ${place}`);
  if (!filter) lines.push('git      shows private files encrypted here; open them with: git memory hooks install');
  return lines;
}
