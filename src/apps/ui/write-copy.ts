// `git memory ui --export`: the copy as a file.

import { writeFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { packagedPage } from '../../adapters/package.ts';
import { count } from '../../base/count.ts';
import { defined, isUnreadable, MemoryError } from '../../base/errors.ts';
import { dayOf } from '../../base/time.ts';
import type * as types from '../../base/types.ts';
import { type MemoryPart, openMemory } from '../../memory/open-memory.ts';
import { parseScope } from '../scope-option.ts';
import { anonymized } from './anonymize.ts';
import { type Brought, type ConfigAnswer, daySpan, zoneOf } from './brought.ts';
import { questionsTo } from './questions.ts';
import { contentPolicy } from './server.ts';

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

// Copies the page into one read-only file, with days and search, for somebody who has neither the memory nor this program.

/** A copy, and how much is in it. */
export interface ExportedPage {
  readonly html: string;
  readonly claims: number;
  readonly pages: number;
  readonly days: number;
}

/** The newest days of a long life, and the newest commits. */
const mostDays = 400;
const mostCommits = 20_000;
const shownFields: ReadonlySet<string> = new Set([
  ...['content', 'status', 'category', 'subject', 'due', 'confidence', 'sources'],
  ...['replaced_by', 'superseded_by', 'valid_until'],
]);

/** Makes the copy. `page` is the whole page, made by the build; `anonymize` puts stand-ins in the place of names. */
export async function exportPage(memory: MemoryPart, page: string, anonymize: boolean): Promise<ExportedPage> {
  const { answers, ask, bring } = questionsTo(memory);
  const { commits } = await ask<types.LogResult>('log', { limit: mostCommits });
  const log = commits.map((entry) => ({ ...entry, trailers: entry.trailers.filter(({ key }) => key !== 'Memory') }));
  answers[JSON.stringify(['log', { limit: 100_000 }])] = { commits: log };
  const { directory, branch } = await ask<types.StatusResult>('status', {});
  answers['["status",{}]'] = { directory: basename(directory), branch };
  const config = await ask<ConfigAnswer>('config', {});
  answers['["config",{}]'] = { keys: config.keys.filter(({ key }) => /^(?:name|timezone|decay\..*)$/.test(key)) };
  await bring('knowledge', {});
  const listing = await ask<{ readonly files: readonly string[] }>('list', { folder: 'knowledge' });
  const { memories: claims } = await ask<types.ListResult>('list', {});
  const zone = zoneOf(config);
  const days = [...new Set(commits.map(({ time }) => dayOf(Date.parse(time), zone)))].slice(0, mostDays);
  for (const day of days) {
    const input = daySpan(day);
    answers[JSON.stringify(['diff', input])] = shortened(await ask<types.DiffResult>('diff', input));
  }
  const files: string[] = [];
  for (const what of listing.files) {
    if ((await unlessPrivate(bring('show', { what }))) === undefined) continue;
    files.push(what);
    const { lines, ...blame } = await ask<types.BlameResult>('blame', { what });
    answers[JSON.stringify(['blame', { what }])] = { ...blame, lines: lines.map((line) => ({ ...line, text: '' })) };
  }
  answers['["list",{"folder":"knowledge"}]'] = { ...listing, files };
  const origins: Record<string, Brought['origins'][string]> = {};
  for (const { id } of claims) {
    const origin = await ask<types.ProvenanceResult>('provenance', { what: id });
    origins[id] = { ...origin, commits: origin.commits.map(({ oid, change }) => [oid, change] as const) };
  }
  const whole: Brought = { answers, log, claims, origins };
  const brought = anonymize ? anonymized(whole) : whole;
  const data = gzipSync(JSON.stringify(brought), { level: 9 }).toString('base64');
  const policy = `<meta http-equiv="Content-Security-Policy" content="${contentPolicy(page).join('; ')}">`;
  const html = page
    .replace('<meta name="viewport"', () => `${policy}\n<meta name="viewport"`)
    .replace('type="application/json">', () => `type="application/json">${data}`);
  return { html, claims: claims.length, pages: files.length, days: days.length };
}

/** Gives an answer, or nothing where it is of a private text. */
const unlessPrivate = <T>(answer: Promise<T>): Promise<T | undefined> =>
  answer.catch((error) => {
    if (error instanceof MemoryError && isUnreadable(error)) return undefined;
    throw error;
  });

function shortened({ files, ...diff }: types.DiffResult): types.DiffResult {
  return {
    ...diff,
    files: files.map(({ fields, ...file }) => ({
      ...file,
      ...(fields === undefined ? {} : { fields: fields.filter(({ field }) => shownFields.has(field)) }),
    })),
  };
}
