// Which modules of the program a run begins, as V8 tells at its end. A module is a function in one of the files of the program.

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import { programEnvironment, programPath } from './program.ts';
import { temporaryFolder } from './temporary.ts';

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

interface Script {
  readonly url: string;
  readonly functions: readonly { readonly ranges: readonly [Range, ...Range[]] }[];
}

/** What the program puts around a file, which V8 counts. */
const wrapped = '(function (exports, require, module, __filename, __dirname, importOther) {';

/** Runs the program in a folder and gives the texts of the modules that it began. */
export function begunBy(folder: string, args: readonly string[]): string[] {
  const told = temporaryFolder();
  // Code that was compiled before is no code of the program.
  const cache = temporaryFolder();
  const env = programEnvironment({ NODE_V8_COVERAGE: told, XDG_CACHE_HOME: cache, LOCALAPPDATA: cache });
  const { status, stderr } = spawnSync(process.execPath, [programPath, ...args], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const { result } = JSON.parse(readFileSync(join(told, readdirSync(told)[0]!), 'utf8')) as { result: Script[] };
  const files = pathToFileURL(dirname(programPath)).href;
  return result.filter(({ url }) => url.startsWith(files) && !url.endsWith('/main.js')).flatMap(modulesOf);
}

/** Functions that were called, directly within the one around a file. */
function modulesOf({ url, functions }: Script): string[] {
  const text = wrapped + readFileSync(fileURLToPath(url), 'latin1').replaceAll('import("', 'importOther("');
  const ranges = functions
    .map(({ ranges }) => ranges[0])
    .sort((one, other) => one.startOffset - other.startOffset || other.endOffset - one.endOffset);
  const around: Range[] = [];
  const found: Range[] = [];
  for (const range of ranges) {
    while (around.length > 0 && around.at(-1)!.endOffset <= range.startOffset) around.pop();
    if (around.length === 2 && range.count > 0) found.push(range);
    around.push(range);
  }
  return found.map(({ startOffset, endOffset }) => text.slice(startOffset, endOffset));
}
