// Fields that several verbs share.

import { z } from 'zod';

/** A text that says something. */
export const filled = z.string().min(1, 'must not be empty');

/** Lets a verb take away so many memories that it looks like an accident. */
export const allowRemovals = z
  .boolean()
  .exactOptional()
  .describe('also when more than a fifth of the memories, and at least ten, would go at once');
