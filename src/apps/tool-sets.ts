// Sets of tools by name; tools.ts and mcp/ say what is in each. Known to the command line, which loads neither.

import type { z } from 'zod';
import type { Verb } from './verbs/verb.ts';

/**
 * How much a server offers.
 *
 * - `everyday`: what is used every day
 * - `all`: all that needs no files of the caller
 * - `chatgpt`: `search` and `fetch` alone
 * - `reference`: the nine tools of the reference memory server
 */
export const toolSets = ['everyday', 'all', 'chatgpt', 'reference'] as const;
export type ToolSet = (typeof toolSets)[number];

/** `ask`: writes nothing. `add`: only adds. `change`: may replace or take away what is known now; history keeps it. */
type ToolKind = 'ask' | 'add' | 'change';

/** A verb as a tool: its name there, and what of its input makes sense for a caller without files. */
export interface ToolEntry {
  /** `snake_case`, at most 30 characters: what every client accepts. */
  readonly name: string;
  readonly title: string;
  /** Its name; or the verb in the words of a model. */
  readonly verb: string | Verb;
  /** Of a verb in the words of a model: which part of its answer is given. */
  readonly answer?: z.ZodObject;
  readonly kind: ToolKind;
  /** Calling it twice with the same input changes no more than calling it once. */
  readonly isIdempotent?: boolean;
  /** What is set where the memory is only read: it then writes nothing, and is offered as what asks. */
  readonly forReaders?: Readonly<Record<string, unknown>>;
  /** Reads what models send in the place of a field that the schema names, after {@link asMeant}. */
  readonly reads?: (given: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** Optional texts that are somebody's words, unless the other field that is named here is given; see {@link asMeant}. */
  readonly asWritten?: Readonly<Record<string, string>>;
  /** What every call sets. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** Fields of the verb that a tool has not. */
  readonly without?: readonly string[];
}
