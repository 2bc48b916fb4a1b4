// How programs are told of a failure: the JSON of a MemoryError, and the same form for anything else that was thrown.

import { MemoryError } from '../errors.ts';

/** Gives the JSON of anything thrown; what nobody foresaw has the code UNEXPECTED. */
export function errorShape(error: unknown): { error: { code: string; what: string; where?: string; hint?: string } } {
  if (error instanceof MemoryError) return error.toJSON();
  return { error: { code: 'UNEXPECTED', what: error instanceof Error ? error.message : String(error) } };
}
