// How programs learn of a failure: the JSON of a MemoryError, and the same form for anything else that was thrown.

import { defined, isSystemError, MemoryError } from '../base/errors.ts';

/** Gives the JSON of anything thrown: IO for what the system says where no verb runs, UNEXPECTED with its place for what nobody foresaw. */
export function errorShape(error: unknown): { error: { code: string; what: string; where?: string; hint?: string } } {
  if (error instanceof MemoryError) return error.toJSON();
  if (!(error instanceof Error)) return { error: { code: 'UNEXPECTED', what: String(error) } };
  if (isSystemError(error)) return { error: { code: 'IO', what: error.message } };
  const where = /\n\s+at (.*)/.exec(error.stack ?? '')?.[1];
  const hint = 'This is a fault of git-memory: please report it';
  return { error: { code: 'UNEXPECTED', what: error.message, ...defined({ where }), hint } };
}
