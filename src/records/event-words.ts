// What both logs ask of the words of a caller, and how they refuse them.

import type { z } from 'zod';
import { MemoryError } from '../errors.ts';

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
