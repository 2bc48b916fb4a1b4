// The verb that prepares searching by meaning.

import { z } from 'zod';
import { count } from '../base/count.ts';
import { filled } from './schemas.ts';
import { hang } from './style.ts';
import { defineVerb } from './verb.ts';

export const reindex = defineVerb({
  name: 'reindex',
  summary: 'Make ready to be found what is new, and fetch a model',
  help:
    'Questions do this by themselves as they need it; reindex does it ahead of them: the words of new files are split and kept, and with a ' +
    'model of your own every text gets its vector. "git memory model add" installs one for all your memories; memory.yaml may name another for this ' +
    'one, as embedder: { model: … }, a folder or an id such as Xenova/all-MiniLM-L6-v2, and with --download it is fetched into ' +
    'your cache if it is not there. Without a model the built-in embedder ranks. With --since only what changed since a commit is ' +
    'embedded, and --seconds bounds the time for it: the hooks of "git memory hooks install" run it after a commit and a merge.',
  input: z.strictObject({
    download: z.boolean().exactOptional().describe('fetch the model if it is not there'),
    since: filled.exactOptional().describe('only texts of files that are not as they were in this commit, tag or day'),
    seconds: z.number().min(0).exactOptional().describe('begin nothing new after so many seconds; what was done stays'),
  }),
  positional: [],
  flags: {},
  example: { command: 'git memory maintain reindex', shows: 'which embedder ranks, and how many texts it embedded' },
  async run(context, input) {
    const signal = context.signal === undefined ? {} : { signal: context.signal };
    return (await context.whole()).reindex({ ...input, ...signal, onProgress: context.onProgress });
  },
  text({ embedder, embedded, known, left, documents, read }, style) {
    const words = `${count(documents, 'document')} to be found, ${read === 0 ? 'no file' : count(read, 'file')} read anew.`;
    if (embedder === 'builtin') return hang('', `${words} Words alone rank.`, style, 0).join('\n');
    const undone = left === 0 ? '' : `, ${left} left to do`;
    return `${words}\n${embedder} ranks: ${count(embedded, 'text')} embedded now, ${count(known, 'vector')} kept${undone}.`;
  },
});
