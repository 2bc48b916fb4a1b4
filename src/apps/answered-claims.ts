// A claim as a model answers with one, in memory_add as behind a request of ours. It has words, turns that it rests on, and what it changes. Here it
// becomes what the library remembers; whether the turns bear it out is asked of memory/answered-claims.ts.

import { z } from 'zod';
import { defined } from '../base/errors.ts';
import { type MemoryCategory, memoryCategories } from '../base/types/stored-types.ts';
import type { ClaimInput } from '../base/types.ts';
import { type ChangeKind, changeKinds, endsClaim, sureness } from '../core/extract/model/contract.ts';
import type { AnsweredClaim } from '../memory/answered-claims.ts';
import { filled } from './verbs/verb.ts';

/** What stands beside a kind in a record, by the words that models have for it. */
const flagged = { constraint: 'principle', procedure: 'skill' } as const satisfies Record<string, MemoryCategory>;
const kinds = [...memoryCategories, 'constraint', 'procedure'] as const;
const turn = z.int().min(1);

/** Fields that a claim may have beside those of memory_add. */
export const answerFields = {
  says: filled.exactOptional(),
  t: z.union([turn, z.array(turn).min(1)]).exactOptional(),
  turns: z.union([turn, z.array(turn).min(1)]).exactOptional(),
  quote: filled.exactOptional(),
  kind: z.enum(kinds).exactOptional(),
  standing: z.boolean().exactOptional(),
  from: filled.exactOptional(),
  until: filled.exactOptional(),
  sure: z.enum(Object.keys(sureness) as [keyof typeof sureness]).exactOptional(),
  changes: z
    .array(z.strictObject({ id: filled, how: z.enum(changeKinds).exactOptional(), quote: filled.exactOptional() }))
    .exactOptional(),
};

/** The same in words, for whoever is offered the tool. */
export const answerWords = 'or says, kind, t, quote, from, until, sure, changes [{id, how}]';

type Answer = z.output<z.ZodObject<typeof answerFields>>;

/** Makes a claim of an answer; `words` are the fields that the library has itself. */
export function claimOfAnswer(
  { says, t, turns = t, quote, kind, standing, from, until, sure, changes = [] }: Answer,
  words: Partial<ClaimInput>,
): AnsweredClaim {
  const flag = kind !== undefined && Object.hasOwn(flagged, kind) ? (kind as keyof typeof flagged) : undefined;
  const category = flag === undefined ? (kind as MemoryCategory | undefined) : flagged[flag];
  const marks = [...(flag === undefined ? [] : [flag]), ...(standing === true ? ['standing'] : [])];
  const tags = [...(words.tags ?? []), ...marks];
  const ended = changes.filter(({ how = 'replaces' as ChangeKind }) => endsClaim(how)).map(({ id }) => id);
  const replaces = [...new Set([...[words.replaces ?? []].flat(), ...ended])];
  const content = words.content ?? says;
  return {
    claim: {
      ...defined({ category, validFrom: from, validUntil: until }),
      ...words,
      ...defined({ content, confidence: sure === undefined ? undefined : sureness[sure] }),
      ...(tags.length === 0 ? {} : { tags }),
      ...(replaces.length === 0 ? {} : { replaces }),
    } as ClaimInput,
    turns: turns === undefined ? [] : [turns].flat(),
    ...defined({ quote }),
  };
}
