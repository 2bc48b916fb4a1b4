// Histories of other programs that lie on this machine: what a person sees of them, chooses, and gets.

import { count } from '../../base/count.ts';
import { defined, MemoryError } from '../../base/errors.ts';
import type { CaptureResult, ConversationForm, FoundHistory, ImportOptions, ImportResult } from '../../base/types.ts';
import { formTitles } from '../../features/import/index.ts';
import { plainStyle, type Style } from './style.ts';
import { type RunContext, underway } from './verb.ts';

export interface ImportAnswer {
  readonly imports: readonly ImportResult[];
  readonly captures: readonly CaptureResult[];
  /** With --discover: what lies on this machine. */
  readonly found?: readonly FoundHistory[];
  /** A person saw what lies there, and took nothing. */
  readonly isDeclined?: true;
  /** A dry run: nothing was written. */
  readonly isPlanned?: true;
}

type Wanted = Omit<ImportOptions, 'as' | 'files'> & { readonly take?: string };

/** Lists what is found and takes what was named; a person at a terminal is shown the list, and asked. */
export async function discovered(
  context: RunContext,
  folder: string,
  { take, project, ...options }: Wanted,
): Promise<ImportAnswer> {
  const { findHistories } = await import('../../memory/histories.ts');
  const within = project === undefined ? undefined : folder;
  const found = findHistories(folder, [], within);
  const asked = take === undefined && found.length > 0 ? await choice(context, found) : undefined;
  const chosen = take === undefined ? asked : chosenOf(take, found);
  const imports =
    chosen === undefined ? [] : await importFound(context, chosen, { ...options, ...defined({ within }) });
  const answer = imported(context, imports);
  return { ...answer, found, ...(chosen?.length === 0 ? { isDeclined: true as const } : {}) };
}

/** Shows a person the list, and asks until the answer can be read; undefined where nobody is there. */
async function choice(
  { ask, tell }: RunContext,
  found: readonly FoundHistory[],
): Promise<readonly FoundHistory[] | undefined> {
  if (ask === undefined) return undefined;
  tell?.(rowsOf(found, plainStyle).join('\n'));
  for (;;) {
    const words = await ask('Which shall come in? Numbers such as 1,3, or all, or none:');
    try {
      return chosenOf(words === '' ? 'none' : words, found);
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      tell?.(`${error.what}.`);
    }
  }
}

/** Reads `all`, `none`, or numbers of the list and forms. Throws INVALID_ARGUMENT. */
function chosenOf(words: string, found: readonly FoundHistory[]): readonly FoundHistory[] {
  if (words === 'all') return found;
  if (words === 'none') return [];
  const chosen = new Set(words.split(',').flatMap((word) => namedBy(word.trim(), found)));
  return found.filter((one) => chosen.has(one));
}

function namedBy(word: string, found: readonly FoundHistory[]): readonly FoundHistory[] {
  const one = found[Number(word) - 1];
  if (one !== undefined) return [one];
  if (Object.hasOwn(formTitles, word)) return found.filter(({ form }) => form === (word as ConversationForm));
  throw new MemoryError('INVALID_ARGUMENT', `${word} is no number of the list, and no form of histories`, {
    where: 'take',
    hint: `Name "all", numbers from 1 to ${found.length}, or some of ${Object.keys(formTitles).join(', ')}`,
  });
}

/** Gives what an import answers. */
export function imported({ dryRun }: RunContext, imports: readonly ImportResult[]): ImportAnswer {
  const captures = imports.flatMap((one) => one.captures ?? []);
  return { imports, captures, ...(dryRun ? { isPlanned: true as const } : {}) };
}

/** Imports what was chosen, each place by itself; one tag marks the state before the first. */
async function importFound(
  context: RunContext,
  chosen: readonly FoundHistory[],
  { within, ...options }: ImportOptions & { readonly within?: string },
): Promise<ImportResult[]> {
  const memory = await context.whole();
  const imports: ImportResult[] = [];
  for (const { folder, files, form, title, isOfProject } of chosen) {
    const hasTag = imports.some(({ backup }) => backup !== null);
    const settings = {
      ...options,
      // What lies in the folder that is worked in is of it, whether it says so or not.
      ...(within === undefined || isOfProject === true ? {} : { project: within }),
      as: form,
      files,
      ...underway(context, title),
      ...(hasTag ? { backup: false as const } : {}),
    };
    imports.push(await memory.import(folder, settings));
  }
  return imports;
}

/** Lists what lies on the machine, and how it is taken. */
export function describeFound(found: readonly FoundHistory[], style: Style): string {
  if (found.length === 0) return 'No other program keeps a history here.';
  const how =
    'Take all with `git memory import --discover --take all`, or some by their numbers or forms: --take 1,codex.';
  return [...rowsOf(found, style), style.faint(how)].join('\n');
}

function rowsOf(found: readonly FoundHistory[], style: Style): string[] {
  return found.flatMap(({ title, form, folder, files, sessions, bytes, from, until, projects, isKnowledge }, at) => {
    const span = [...new Set([from, until].filter((day) => day !== undefined))].join(' to ');
    const size = bytes < 1 << 20 ? `${Math.ceil(bytes / 1024)} KB` : `${Math.round(bytes / (1 << 20))} MB`;
    const isDatabase = files.endsWith('db');
    const what = count(sessions, isDatabase ? 'database' : isKnowledge === true ? 'file' : 'session');
    const where = projects.length === 0 ? [] : [projects.length === 1 ? projects[0]! : `${projects.length} projects`];
    const number = String(at + 1).padStart(2);
    return [
      `${number}  ${style.strong(title)}  ${[what, span, size, ...where].filter((part) => part !== '').join(', ')}`,
      style.faint(`    ${form}  ${folder}${files.includes('*') || files.includes('{') ? '' : `/${files}`}`),
    ];
  });
}
