// The verb of other memories that this one looks into.

import { z } from 'zod';
import { MemoryError } from '../../base/errors.ts';
import type { MountInput, MountsResult } from '../../base/types.ts';
import { hang, type Style } from './style.ts';
import { defineVerb, flag, maybe } from './verb.ts';

type Output = MountsResult & { readonly mounted?: MountInput; readonly unmounted?: MountInput };

export const mount = defineVerb({
  name: 'mount',
  summary: 'Look into another memory, which stays as it is',
  help:
    'Searches also cover a second memory on this machine, such as that of a team. Its hits are marked, and you read its ' +
    'files below mounts/<name>/. The engine never writes to it, not even a cache, and its private texts stay closed. ' +
    'The list of mounts does not sync, because folders of one machine mean nothing on another. An answer names each ' +
    'mount that could not be read. Without a name, the verb lists all mounts.',
  input: z.strictObject({
    name: maybe('the name below mounts/: small letters, digits and hyphens'),
    folder: maybe('the folder of the other memory'),
    state: maybe('look at this tag, branch, commit or date instead of its present'),
    remove: flag('end this mount'),
  }),
  positional: ['name', 'folder'],
  flags: { writes: 'now', asks: ({ name }) => name === undefined },
  example: { command: 'mount team ../team-memory', shows: 'what is mounted now' },
  async run(context, { name, folder, state, remove }): Promise<Output> {
    const memory = await context.whole();
    if (name === undefined) return memory.mounts.list();
    if (remove) {
      const unmounted = await memory.mounts.remove(name);
      return { ...(await memory.mounts.list()), unmounted };
    }
    if (folder === undefined) {
      throw new MemoryError('INVALID_ARGUMENT', 'the folder of the other memory is missing', {
        where: 'folder',
        hint: '`git memory mount <name> <folder>`; --remove ends it',
      });
    }
    const at = state === undefined ? {} : { at: state };
    const mounted = await memory.mounts.add({ name, dir: context.pathOf(folder), ...at });
    return { ...(await memory.mounts.list()), mounted };
  },
  text({ mounts, problems }, style) {
    if (mounts.length + problems.length === 0) return 'Nothing is mounted.';
    const lines = mounts.map(({ name, dir, at }) =>
      hang(`mounts/${name}`, `${dir}${at === undefined ? '' : ` as of ${at}`}`, style, 20).join('\n'),
    );
    return [...lines, ...describeMountProblems(problems, style)].join('\n');
  },
});

/** Says which mounts did not answer, and why. */
export function describeMountProblems(problems: MountsResult['problems'], style: Style): string[] {
  return problems.map(({ name, why }) =>
    hang('', `${style.bad('not asked')} ${name === '' ? 'mounts' : `mounts/${name}`}: ${why}`, style, 0).join('\n'),
  );
}
