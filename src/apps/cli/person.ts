// A person at a terminal, who reads what a verb says and answers whether to go on.

import type { Readable, Writable } from 'node:stream';
import type { VerbContext } from '../verbs/verb.ts';
import { cleaned } from './terminal.ts';

type Terminal<Stream> = Stream & { readonly isTTY?: boolean };

/** Gives the ways to a person: to both where input and output are a terminal, to none elsewhere. Input that nobody asks for is not opened. */
export function personAt(streams: {
  readonly stdin: Terminal<Readable>;
  readonly stderr: Terminal<Writable>;
}): Pick<VerbContext, 'tell' | 'ask' | 'confirm'> {
  const output = streams.stderr;
  if (output.isTTY !== true) return {};
  const tell = (text: string): void => void output.write(`${cleaned(text)}\n`);
  const input = streams.stdin;
  if (input.isTTY !== true) return { tell };
  const ask = async (question: string): Promise<string> => {
    const { createInterface } = await import('node:readline/promises');
    const lines = createInterface({ input, output });
    try {
      return (await lines.question(`${cleaned(question)} `)).trim();
    } finally {
      lines.close();
    }
  };
  return { tell, ask, confirm: async (question) => /^y(?:es)?$/i.test(await ask(`${question} [y/N]`)) };
}
