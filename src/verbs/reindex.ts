// The verb that prepares searching by meaning.

import { z } from 'zod';
import { filled } from './schemas.ts';
import { count } from './style.ts';
import { defineVerb } from './verb.ts';

export const reindex = defineVerb({
  name: 'reindex',
  summary: 'Give every text its vector, and fetch the model for it',
  help:
    'Needed only with a model of your own: name it in memory.yaml as embedder: { model: … }, a folder or an id such as ' +
    'Xenova/all-MiniLM-L6-v2, and install @huggingface/transformers beside git-memory. With --download the model is fetched into ' +
    'your cache if it is not there. Without a model the built-in embedder ranks, and nothing has to be kept. Recall embeds what is ' +
    'new by itself, for two seconds at most. With --since only what changed since a commit is looked at, and --seconds bounds the ' +
    'time: a hook after a commit runs git memory reindex --since HEAD~1 --seconds 20 in the background.',
  input: z.strictObject({
    download: z.boolean().exactOptional().describe('fetch the model if it is not there'),
    since: filled.exactOptional().describe('only texts of files that are not as they were in this commit, tag or day'),
    seconds: z.number().min(0).exactOptional().describe('begin nothing new after so many seconds; what was done stays'),
  }),
  output: z.looseObject({ embedder: z.string(), embedded: z.number(), known: z.number(), left: z.number() }),
  positional: [],
  flags: {},
  example: { command: 'git memory reindex', shows: 'which embedder ranks, and how many texts it embedded' },
  async run(context, input) {
    const signal = context.signal === undefined ? {} : { signal: context.signal };
    return (await context.memory()).reindex({ ...input, ...signal, onProgress: context.onProgress });
  },
  text({ embedder, embedded, known, left }) {
    if (embedder === 'builtin') return 'The built-in embedder ranks; it keeps no vectors.';
    return `${embedder} ranks: ${count(embedded, 'text')} embedded now, ${count(known, 'vector')} kept${left === 0 ? '' : `, ${left} left to do`}.`;
  },
});
