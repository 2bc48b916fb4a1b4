// An event before it has its id: what a caller gave, checked and brought to one form.

import { z } from 'zod';
import { defined, MemoryError } from '../../base/errors.ts';
import { foldLetter, specialLetter } from '../../base/text.ts';
import { type EventWords, eventTypes, type LedgerEvent, priorities } from '../../base/types/ledger-types.ts';
import { parseSequenceId } from './sequence-id.ts';

/** What becomes an event when it gets its id and time. */
export type EventDraft = Omit<LedgerEvent, 'id' | 'ts'>;

const id = z.string().refine((text) => parseSequenceId(text)?.series.startsWith('EVT') === true, {
  error: 'must be the id of an event, such as EVT-20260128-001',
});
const filled = z.string().refine((text) => text.trim() !== '', { error: 'must not be blank' });
const words = z.array(filled);

const schema = z.strictObject({
  type: z.enum(eventTypes).optional(),
  priority: z.enum(priorities).optional(),
  content: filled,
  entity: filled.optional(),
  tags: words.optional(),
  source: filled.optional(),
  session: filled.optional(),
  agent: filled.optional(),
  related: z.array(id).optional(),
  supersedes: id.optional(),
  status: z.enum(['open', 'closed']).optional(),
  closes: id.optional(),
  due: z.iso.date({ error: 'must be a day such as 2026-02-01' }).optional(),
  memory: filled.optional(),
});

/**
 * Checks what a caller gave and fills in what follows from it; `ofCommitment` gives the commitment that is closed, by its id.
 *
 * @throws MemoryError INVALID_ARGUMENT that names the field; what `ofCommitment` throws.
 */
export function draftEvent(input: EventWords, ofCommitment: (id: string) => LedgerEvent): EventDraft {
  const hint = `Types are ${eventTypes.join(', ')}; priorities ${priorities.join(', ')}`;
  const read = readWords(schema, input, 'an event', hint);
  const { closes, entity, related = [], tags = [], content, ...given } = read;
  const closed = closes === undefined ? undefined : ofCommitment(closes);
  const isClosing = closed !== undefined || given.status === 'closed';
  const type = given.type ?? (isClosing ? 'commitment' : 'fact');
  if (type !== 'commitment' && (given.status !== undefined || closed !== undefined)) {
    const hint = 'Leave status and closes out, or make it a commitment';
    throw new MemoryError('INVALID_ARGUMENT', `a ${type} is neither open nor closed`, { where: 'status', hint });
  }
  if (closed !== undefined && given.status === 'open')
    throw new MemoryError('INVALID_ARGUMENT', 'what closes a commitment is not open', { where: 'status' });
  const about = entity === undefined ? closed?.entity : snakeCase(entity);
  const status = type === 'commitment' ? (isClosing ? 'closed' : 'open') : undefined;
  const { supersedes, session, agent, due, memory } = given;
  const all = [...new Set([...(closes === undefined ? [] : [closes]), ...related])];
  return {
    type,
    priority: given.priority ?? closed?.priority ?? 'P2',
    content: content.trim(),
    ...defined({ entity: about }),
    ...(tags.length === 0 ? {} : { tags: [...new Set(tags)] }),
    source: given.source ?? 'live',
    ...(all.length === 0 ? {} : { related: all }),
    ...defined({ supersedes, status, session, agent, due, memory }),
  };
}

/** Brings a name to snake_case: `Client X` is `client_x`. Letters of all scripts stay; a name without any stays as it is. */
export function snakeCase(name: string): string {
  const words = name
    .normalize('NFKC')
    .toLowerCase()
    .replace(specialLetter, foldLetter)
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '');
  return words === '' ? name.trim() : words;
}

/**
 * Reads what a caller gave by a schema; `what` is what it would become, such as `an event`.
 *
 * @throws MemoryError INVALID_ARGUMENT that names the first field that is wrong.
 */
export function readWords<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  what: string,
  hint: string,
): z.output<Schema> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const where = issue.path.join('.');
  throw new MemoryError('INVALID_ARGUMENT', `${where === '' ? what : where}: ${issue.message}`, {
    ...(where === '' ? {} : { where }),
    hint,
  });
}
