// Extractors of one's own for the command line, hooks and MCP: a module that the person names, outside of the memory. What a memory holds comes by
// sync, and nothing foreign runs.

import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isJsonObject } from '../base/canonical-json.ts';
import { defined, MemoryError } from '../base/errors.ts';
import { checkOwnExtractors, type OwnExtractors, waysToNameExtractors as ways } from '../core/extract/extractors.ts';
import { discoverRepository } from '../store/git/discovery.ts';
import { nodeFileSystem } from './node.ts';
import { userSettings } from './user-settings.ts';

/**
 * Loads the extractors that the person named; undefined where he named none.
 *
 * The module exports `extractors`, or has as its default what {@link OwnExtractors} is. A relative path counts from `start`. Throws
 * INVALID_ARGUMENT where it lies in the repository of the memory in `directory`, cannot be loaded, or lacks what is `wanted`. The error names
 * the file, the extractor and the field.
 */
export async function namedExtractors(
  option: string | undefined,
  place: { readonly start: string; readonly directory: string; readonly wanted: readonly string[] },
  environment: NodeJS.ProcessEnv = process.env,
): Promise<OwnExtractors | undefined> {
  const found = [
    [ways.option, option],
    [ways.variable, environment[ways.variable]],
    [`git config ${ways.setting}`, userSettings(ways.setting, environment).at(-1)],
  ].find(([, file]) => file !== undefined && file !== '');
  if (found === undefined) return undefined;
  const [where, file] = found as [string, string];
  const { start, directory, wanted } = place;
  const names = `${wanted.length === 1 ? 'the extractor' : 'the extractors'} ${wanted.join(', ')}`;
  const refuse = (what: string, hint: string, cause?: unknown): MemoryError =>
    new MemoryError('INVALID_ARGUMENT', what, { where, hint, cause });
  const given = path.resolve(start, file.replace(/^~(?=\/)/, environment.HOME ?? homedir()));
  if (!existsSync(given))
    throw refuse(`there is no module ${file}, and ${names} was to be in it`, 'Give the path of a JavaScript module');
  const real = realpathSync(given);
  const layout = discoverRepository(nodeFileSystem, directory);
  const held = [layout?.workTree, layout?.gitDirectory, layout?.commonDirectory].flatMap((folder) =>
    folder === undefined || folder === null ? [] : [`${realpathSync(folder)}${path.sep}`],
  );
  if (held.some((folder) => real.startsWith(folder))) {
    throw refuse(
      `${file} lies in the repository of the memory, and what comes with a memory is never run`,
      'Keep the module outside of it, where nobody else writes',
    );
  }
  let module: Record<string, unknown>;
  try {
    module = (await import(pathToFileURL(real).href)) as Record<string, unknown>;
  } catch (cause) {
    throw refuse(`the module ${file} cannot be loaded for ${names}: ${String(cause)}`, 'Mend the module', cause);
  }
  const own = module.extractors ?? module.default;
  if (!isJsonObject(own) || Object.keys(own).length === 0) {
    throw refuse(
      `the module ${file} has no extractors, and ${names} was to be in it`,
      'Export `extractors`: { NAME: { version, extract } }',
    );
  }
  try {
    checkOwnExtractors(own as unknown as OwnExtractors);
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    throw new MemoryError(
      error.code,
      `the module ${file}: ${error.what}`,
      defined({ where: error.where, hint: error.hint }),
    );
  }
  const missing = wanted.find((name) => !Object.hasOwn(own, name));
  if (missing !== undefined)
    throw refuse(`the module ${file} has no extractor ${missing}`, `It has ${Object.keys(own).join(', ')}`);
  return own as unknown as OwnExtractors;
}
