// The option --scope of the command line: paths, and tags behind `tag:`, with commas between them.

import type { ScopeInput } from '../store/scope.ts';

export const scopeHelp = 'see and write only this part: paths, and tags as tag:<name>, with commas between';

/** Reads `knowledge/projects/apollo,tag:apollo`; nothing is no scope, and what is wrong with it is said when a memory is opened. */
export function parseScope(given: string | undefined): { scope?: ScopeInput } {
  if (given === undefined) return {};
  const parts = given.split(',').map((part) => part.trim());
  const tags = parts.filter((part) => part.startsWith('tag:')).map((part) => part.slice('tag:'.length));
  return { scope: { paths: parts.filter((part) => !part.startsWith('tag:')), tags } };
}
