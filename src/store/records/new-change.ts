// An event of the changelog before it has its id: what a caller gave, checked and brought to the form of the file.

import { z } from 'zod';
import { MemoryError } from '../../base/errors.ts';
import { oneLine } from '../../base/text.ts';
import type { ChangelogDetail } from '../../base/types/changelog-types.ts';
import { type ChangelogEvent, type ChangeWords, changelogEventTypes } from '../../base/types/changelog-types.ts';
import { supersedesKey } from './changelog.ts';
import { changelogDetails } from './changelog-types.ts';
import { readWords } from './new-event.ts';
import { parseSequenceId } from './sequence-id.ts';

/** What becomes an event when it gets its id and time. */
export type ChangeDraft = Omit<ChangelogEvent, 'id' | 'number' | 'time' | 'line'>;

const most = { scope: 200, summary: 500, value: 2000, word: 100 };
const nothing = /^(?:none|n\/a|nil|null|-|–|—)?\.?$/i;

const line = (limit: number) =>
  z
    .string()
    .transform((text) => oneLine(text, Number.POSITIVE_INFINITY))
    .refine((text) => text !== '', { error: 'must not be blank' })
    .refine((text) => text.length <= limit, { error: `must have at most ${limit} characters` });

const id = z.string().refine((text) => parseSequenceId(text)?.series === 'evt', {
  error: 'must be the id of an event of the changelog, such as evt-012',
});
const value = z.union([z.string(), z.number(), z.array(line(most.word))]);

const schema = z.strictObject({
  type: z.enum(changelogEventTypes.filter((type) => type !== 'archive')),
  scope: line(most.scope),
  summary: line(most.summary),
  details: z.record(z.string(), value).optional(),
  refs: z.array(id).optional(),
  tags: z
    .array(line(most.word).refine((tag) => !tag.includes(','), { error: 'must be one tag, without a comma' }))
    .optional(),
  agent: line(most.word)
    .refine((name) => !name.includes('|'), { error: 'must not have a bar' })
    .optional(),
  supersedes: id.optional(),
});

/**
 * Checks what a caller gave and brings it to the form of the file; `author` stands where it names no agent.
 *
 * @throws MemoryError INVALID_ARGUMENT that names the field.
 */
export function draftChange(input: ChangeWords, author: string): ChangeDraft {
  const hint = `A change has type, scope and summary; types are ${changelogEventTypes.slice(0, -1).join(', ')}`;
  const read = readWords(schema, input, 'a change', hint);
  const { type, scope, summary, supersedes, refs = [], tags = [], agent = author } = read;
  const details = detailsOf(read.details ?? {});
  const missing = changelogDetails[type].needs.filter((key) => details.every((detail) => detail.key !== key));
  if (missing.length > 0) {
    const what = `an event of the type ${type} needs the detail ${missing.join(' and ')}`;
    const hint = `Without it nobody knows what it is about: \`--detail ${missing[0]}=…\``;
    throw new MemoryError('INVALID_ARGUMENT', what, { where: `details.${missing[0]}`, hint });
  }
  const tidy = tags.map((tag) => tag.replace(/^[#`\s]+|[`\s]+$/g, '')).filter((tag) => !nothing.test(tag));
  return {
    agent: agent.replaceAll('|', '/'),
    type,
    scope,
    summary,
    details: supersedes === undefined ? details : [...details, { key: supersedesKey, value: supersedes }],
    refs: [...new Set([...refs, ...(supersedes === undefined ? [] : [supersedes])])],
    tags: [...new Set(tidy)],
  };
}

function detailsOf(given: Readonly<Record<string, string | number | readonly string[]>>): ChangelogDetail[] {
  return Object.entries(given).map(([name, raw]) => {
    const key = name.trim();
    const refuse = (why: string): MemoryError =>
      new MemoryError('INVALID_ARGUMENT', `details.${name}: ${why}`, { where: 'details' });
    if (!/^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} ._/-]{0,62}[\p{L}\p{M}\p{N}])?$/u.test(key))
      throw refuse('a key has letters, digits, spaces, and ._/- between them');
    if (key === supersedesKey) throw refuse('give the id as `supersedes`');
    const text = oneLine(typeof raw === 'object' ? raw.join(', ') : String(raw), Number.POSITIVE_INFINITY);
    if (text === '') throw refuse('must not be blank');
    if (text.length > most.value) throw refuse(`must have at most ${most.value} characters`);
    return { key, value: text };
  });
}
