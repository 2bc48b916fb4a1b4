// The verb that prepares searching by meaning.

import { z } from 'zod';
import { count } from '../../base/count.ts';
import { hang } from './style.ts';
import { defineVerb, flag, maybe, optional } from './verb.ts';

export const reindex = defineVerb({
  name: 'reindex',
  summary: 'Prepare new texts for search, and fetch a model',
  help:
    'Questions prepare new texts as they need them, but make no vectors of a model of your own. Reindex makes those, ' +
    'and does the rest in advance. It splits new files into words and gives every text a vector. "git memory model add" installs a model for all your ' +
    'memories. In memory.yaml you can name another one, as embedder: { model: … }, by folder or by an id such as ' +
    'Xenova/all-MiniLM-L6-v2. --download fetches it into your cache. Without a model the table of the package ranks. ' +
    '--since embeds only what changed since a commit, and --seconds limits the time. The hooks of "git memory hooks ' +
    'install" use both after a commit or merge.',
  input: z.strictObject({
    download: flag('fetch the model if it is not there'),
    since: maybe('only texts of files that changed since this commit, tag or day'),
    seconds: optional(z.number().min(0), 'stop after this many seconds; finished work stays'),
  }),
  example: { command: 'maintain reindex', shows: 'which embedder ranks, and how many texts it embedded' },
  async run(context, input) {
    const signal = context.signal === undefined ? {} : { signal: context.signal };
    return (await context.whole()).maintenance.reindex({ ...input, ...signal, onProgress: context.onProgress });
  },
  text({ embedder, embedded, known, left, documents, read }, style) {
    const words = `${count(documents, 'document')} to be found, ${read === 0 ? 'no file' : count(read, 'file')} read anew.`;
    if (embedder === null) return hang('', `${words} Words alone rank.`, style, 0).join('\n');
    const undone = left === 0 ? '' : `, ${left} left to do`;
    return `${words}\n${embedder} ranks: ${count(embedded, 'text')} embedded now, ${count(known, 'vector')} kept${undone}.`;
  },
});
