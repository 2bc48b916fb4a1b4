// Verbs that native git calls, or that make it call: hooks.

import { z } from 'zod';
import { defineVerb } from './verb.ts';

interface HooksOutput {
  readonly installed?: readonly string[];
  readonly violations?: readonly { readonly path: string; readonly why: string }[];
  readonly warnings?: readonly string[];
}

export const hooks = defineVerb({
  name: 'hooks',
  summary: 'Let native git keep the rules of the memory',
  help:
    'With "install" a pre-commit hook is put into this repository, unless somebody else has one there. "pre-commit" is ' +
    'what the hook calls: it judges what is staged, so that a closed conversation is not changed, records and front matter parse, ' +
    'and MEMORY.md keeps its size.',
  input: z.strictObject({
    action: z.enum(['install', 'pre-commit']).describe('install, or the hook that git is running: pre-commit'),
  }),
  output: z.looseObject({}),
  positional: ['action'],
  flags: { writes: 'now' },
  example: { command: 'git memory hooks install', shows: 'the hook that native git runs from now on' },
  async run(context, { action }): Promise<HooksOutput> {
    const memory = await context.memory();
    if (action === 'install') return { ...(await memory.installHooks()) };
    return { ...(await memory.checkStaged(context.gitIndex)) };
  },
  text(output, style) {
    if (output.installed) return output.installed.map((path) => `${style.good('installed')}  ${path}`).join('\n');
    const lines = (output.warnings ?? []).map((warning) => `${style.bad('warning')}  ${warning}`);
    for (const { path, why } of output.violations ?? []) lines.push(`${style.bad('refused')}  ${path}: ${why}`);
    return lines.length === 0 ? 'What is staged keeps the rules.' : lines.join('\n');
  },
  refusal(output) {
    return (output.violations ?? []).length === 0 ? undefined : 'IMMUTABLE';
  },
});
