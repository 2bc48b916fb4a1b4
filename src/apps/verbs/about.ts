// The verb that tells what is known of a piece of code, a command or an error.

import { z } from 'zod';
import { hang } from './style.ts';
import { defineVerb, filled, oneOf, optional } from './verb.ts';

/** What a target can be, as in the library. */
export const aboutKinds = ['path', 'command', 'error', 'symbol'] as const;

export const about = defineVerb({
  name: 'about',
  summary: 'Tell what is known of a file, a command or an error',
  help:
    'About answers from the sessions of coding agents that were kept or imported: what you said when the code was changed, how that code ' +
    'stands now, what failed and what was done before it passed, which checks were run. Talks and memories count where they name it. It takes ' +
    'a path, a command, the words of an error, or a name in the code.',
  input: z.strictObject({
    target: filled.describe('a path, a command, an error or a name'),
    kind: oneOf(aboutKinds, 'what it is; if left out, the first of which something is known'),
    tokens: optional(z.int().min(16).max(100_000), 'the most tokens of the answer; 400 if left out'),
  }),
  positional: ['target'],
  words: 'target',
  flags: { reads: true },
  example: { command: 'about src/login.ts', shows: 'what was said and what failed when that file was changed' },
  run: async (context, { target, ...options }) => (await context.view()).about(target, options),
  text: ({ text, target }, style) =>
    (text || `Nothing is known of ${target}.`)
      .split('\n')
      .flatMap((line) => (line.startsWith('- ') ? hang('-', line.slice(2), style, 2) : [line]))
      .join('\n'),
});
