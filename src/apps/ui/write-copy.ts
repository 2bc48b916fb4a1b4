// `git memory ui --export`: the copy as a file.

import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { packagedPage } from '../../adapters/package.ts';
import { count } from '../../base/count.ts';
import { defined } from '../../base/defined.ts';
import { MemoryError } from '../../base/errors.ts';
import { openMemory } from '../../memory/open-memory.ts';
import { parseScope } from '../scope-option.ts';
import { exportPage } from './page-export.ts';

export interface CopyOptions {
  readonly dir?: string;
  readonly branch?: string;
  readonly scope?: string;
  readonly anonymize?: boolean;
}

/** Writes the copy. What is private stays out of it: it is made without keys. */
export async function writeCopy(file: string, options: CopyOptions, start: string, warn: (message: string) => void) {
  const memory = await openMemory({
    dir: resolve(start, options.dir ?? '.'),
    logger: { warn },
    readOnly: true,
    keys: { place: '', read: () => [], add: () => undefined },
    ...defined({ branch: options.branch }),
    ...parseScope(options.scope),
  });
  try {
    const { html, claims, pages, days } = await exportPage(memory, packagedPage(), options.anonymize === true);
    await writeFile(resolve(start, file), html).catch((error: NodeJS.ErrnoException) => {
      throw new MemoryError('IO', `the file cannot be written: ${error.message}`, { where: file, cause: error });
    });
    const size = `${Math.ceil(Buffer.byteLength(html) / 1024)} KB`;
    process.stdout.write(
      `${file}  ${size}: ${count(claims, 'claim')}, ${count(pages, 'page')}, ${count(days, 'day')}\n`,
    );
  } finally {
    await memory.close();
  }
}
