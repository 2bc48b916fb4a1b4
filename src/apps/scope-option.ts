// Options of the command line and of the server: the part of the memory that is seen, and the module of one's own extractors.

import { Option } from 'commander';
import type { ScopeInput } from '../store/scope.ts';

export const scopeHelp = 'see and write only this part: paths, and tags as tag:<name>, with commas between';

/** Reads `knowledge/projects/apollo,tag:apollo`; nothing is no scope, and what is wrong with it is said when a memory is opened. */
export function parseScope(given: string | undefined): { scope?: ScopeInput } {
  if (given === undefined) return {};
  const parts = given.split(',').map((part) => part.trim());
  const tags = parts.filter((part) => part.startsWith('tag:')).map((part) => part.slice('tag:'.length));
  return { scope: { paths: parts.filter((part) => !part.startsWith('tag:')), tags } };
}

/** Makes the option that names a module of extractors; see adapters/own-extractors.ts. */
export function extractorsOption(isHidden = false): Option {
  const help = 'a module with extractors of your own, outside of the memory; GIT_MEMORY_EXTRACTORS names one, too';
  return new Option('--extractors-from <file>', help).hideHelp(isHidden);
}
