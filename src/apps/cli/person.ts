// A person at a terminal, who reads what a verb says and answers whether to go on.

import type { Readable, Writable } from 'node:stream';
import type { VerbContext } from '../verbs/verb.ts';
import { cleaned } from './terminal.ts';

type Terminal<Stream> = Stream & { readonly isTTY?: boolean };

/** Gives the ways to a person: to both where input and output are a terminal, to none elsewhere. */
export function personAt(input: Terminal<Readable>, output: Terminal<Writable>): Pick<VerbContext, 'tell' | 'confirm'> {
  if (output.isTTY !== true) return {};
  const tell = (text: string): void => void output.write(`${cleaned(text)}\n`);
  if (input.isTTY !== true) return { tell };
  return {
    tell,
    async confirm(question) {
      const { createInterface } = await import('node:readline/promises');
      const lines = createInterface({ input, output });
      try {
        return /^y(?:es)?$/i.test((await lines.question(`${cleaned(question)} [y/N] `)).trim());
      } finally {
        lines.close();
      }
    },
  };
}
