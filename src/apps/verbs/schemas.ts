// Fields that several verbs share.

import { z } from 'zod';
import { acceptableChanges } from '../../base/types/branches-types.ts';

/** A text that says something. */
export const filled = z.string().min(1, 'must not be empty');

/** Lets a verb take away so many memories that it looks like an accident. */
export const allowRemovals = z
  .boolean()
  .exactOptional()
  .describe('also when more than a fifth of the memories, captures or pages, and at least ten, would go at once');

/** Lets a branch change what others may change only where a person accepts it. */
export const accept = z
  .array(z.enum(acceptableChanges))
  .exactOptional()
  .describe(`what the branch may change: ${acceptableChanges.join(', ')}`);
