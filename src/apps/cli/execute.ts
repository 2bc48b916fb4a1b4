// One verb from its parsed arguments to what is printed: opens the memory lazily, flushes and closes it, then answers.

import { relative, resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { defined, MemoryError } from '../../base/errors.ts';
import type { Logger } from '../../base/ports.ts';
import type { LogEntry, WriteResult } from '../../base/types.ts';
import type { MemoryPart } from '../../memory/open-memory.ts';
import { maxObjectBytes } from '../../store/guard/limits.ts';
import { errorShape } from '../error-shape.ts';
import { exitNumberOf } from '../exit-codes.ts';
import { openFirst, projectFolder } from '../project-memory.ts';
import { parseScope } from '../scope-option.ts';
import { describeBroken } from '../verbs/expectation-text.ts';
import { fieldsOf } from '../verbs/fields.ts';
import { describeEntry, hang, type Style } from '../verbs/style.ts';
import { describeDamage, runVerb, type Verb, type VerbContext } from '../verbs/verb.ts';
import { namedFiles, newFolder, readInput } from './inputs.ts';
import { cleaned, escapedJson, ProgressLine, styleFor } from './terminal.ts';

/** Options that every verb takes. */
export interface CommonOptions {
  readonly dir?: string;
  readonly branch?: string;
  readonly scope?: string;
  readonly json?: boolean;
  readonly at?: string;
  readonly dryRun?: boolean;
  readonly extractorsFrom?: string;
}

/** Runs a verb and prints its answer; gives the exit number. Throws what the verb throws, with the memory closed. */
export async function execute(
  verb: Verb,
  input: Record<string, unknown>,
  options: CommonOptions,
  start: string,
  gitIndex?: string,
): Promise<number> {
  const progress = new ProgressLine(process.stderr);
  const directory = resolve(start, options.dir ?? '.');
  let opened: Promise<MemoryPart> | undefined;
  const isDeck = isInteractive(verb, options);
  const isAsking =
    !isDeck && (verb.flags.writes === undefined || verb.flags.asks?.(input) === true || options.dryRun === true);
  const onProgress: VerbContext['onProgress'] = ({ what, done, total }) => progress.show(what, done, total);
  const opening = { option: options.extractorsFrom, start, logger: { warn, progress: onProgress } };
  const anyRepository = isAsking && verb.flags.anyRepository === true;
  const openIn = (dir: string, more: { readonly anyRepository?: boolean } = {}) =>
    open(opening, {
      dir,
      ...branchOf(options),
      ...('scope' in verb.input.shape ? {} : parseScope(options.scope)),
      ...(isAsking ? { readOnly: true } : { mends: verb.flags.mends === true }),
      ...more,
    });
  const memory = (): Promise<MemoryPart> => {
    const project = options.dir === undefined ? projectFolder(process.env) : undefined;
    opened ??=
      project === undefined
        ? openIn(directory, { anyRepository })
        : openFirst([project], openIn).then((found) => found ?? openIn(directory, { anyRepository }));
    return opened;
  };
  const context: VerbContext = {
    ...defined({ at: options.at }),
    dryRun: options.dryRun === true,
    ...(verb.flags.stays !== undefined && input[verb.flags.stays] === true ? { signal: stopSignal() } : {}),
    memory,
    view: async () => (options.at === undefined ? memory() : (await memory()).at(options.at)),
    create: ({ directory: named = '.', placement, begun }) => {
      const dir = resolve(directory, named);
      opened ??= open(opening, {
        dir,
        create: true,
        ...branchOf(options),
        ...defined({ placement }),
        ...(begun === undefined ? {} : { clock: { now: () => begun } }),
      });
      return opened;
    },
    newFolder: (name) => newFolder(resolve(directory, name)),
    plan: async ({ directory: named, ...wanted }) => {
      const { planMemory } = await import('../../memory/plan-memory.ts');
      const dir = resolve(directory, named ?? '.');
      const plan = await planMemory({ dir, ...branchOf(options), ...wanted });
      // A folder that is named is meant itself, and not what is around it.
      if (named === undefined || wanted.placement !== undefined || relative(plan.directory, dir) === '') return plan;
      const held = plan.exists ? ', which holds a memory already' : '';
      throw new MemoryError('INVALID_ARGUMENT', `${dir} is inside the repository ${plan.directory}${held}`, {
        where: 'directory',
        hint: '`--placement repository` makes a memory in the folder; without a folder, `git memory init` takes the repository',
      });
    },
    doctor: async (wanted) => {
      const { doctor } = await import('../../memory/doctor-questions.ts');
      return doctor({ dir: directory, ...branchOf(options), ...wanted });
    },
    checkStaged: async () => {
      const { checkStagedIn } = await import('../../memory/staged.ts');
      return checkStagedIn({ dir: directory, ...branchOf(options), ...defined({ indexFile: gitIndex }) });
    },
    mergeFile: async (path, versions) =>
      (await import('../../memory/merge-driver.ts')).mergeFileIn(directory, path, versions),
    pathOf: (name) => resolve(process.cwd(), name),
    readInput: (name) => readInput(name, process.cwd(), process.stdin),
    files: namedFiles(process.cwd()),
    onProgress,
    ...(options.json === true ? {} : personAt(process)),
  };
  if (isDeck) {
    try {
      const { goThrough } = await import('./deck.ts');
      await goThrough(await memory(), input, { input: process.stdin, output: process.stdout });
    } finally {
      await (await opened)?.close();
    }
    return 0;
  }
  let answer: Answer;
  try {
    const output = await runVerb(verb, context, await withStream(verb, input));
    answer =
      verb.flags.writes === 'batch' && !isAsking
        ? await flush(await memory(), output as WriteResult)
        : { output, committed: [], skipped: [] };
  } catch (error) {
    progress.clear();
    // What failed first is what to tell; a close that fails as well has nothing to add.
    await opened?.then((memory) => memory.close()).catch(() => undefined);
    throw error;
  }
  progress.clear();
  // A verb may have gone on where there is no memory.
  let timeZone: string | undefined;
  await opened?.then(
    (memory) => {
      timeZone = memory.timeZone;
      return memory.close();
    },
    () => undefined,
  );
  print(verb, answer, { isJson: options.json === true, ...defined({ timeZone }) });
  const refusal = verb.refusal?.(answer.output);
  return refusal === undefined ? 0 : exitNumberOf(refusal);
}

function isInteractive({ name }: Verb, { json = false }: CommonOptions): boolean {
  return name === 'review list' && !json && process.stdin.isTTY === true && process.stdout.isTTY === true;
}

/** Aborts when the process is asked to end, so that what stays can finish what it is at; asked twice, it ends at once. */
function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => controller.abort());
  return controller.signal;
}

/** Fills the field of a verb that may come from standard input: where it is `-`, or is missing while text is piped in. */
async function withStream(verb: Verb, input: Record<string, unknown>): Promise<Record<string, unknown>> {
  const field = verb.stream;
  if (field === undefined) return input;
  const isPiped = () => process.stdin.isTTY !== true;
  if (fieldsOf(verb).find(({ name }) => name === field)?.kind === 'list') {
    const isMissing = input[field] === undefined && input.text === undefined;
    return isMissing && isPiped() ? { ...input, [field]: ['-'] } : input;
  }
  const isWanted = input[field] === '-' || (input[field] === undefined && isPiped());
  if (!isWanted) return input;
  // Of one text, more than a file may have is refused before it fills memory.
  const text = await readInput('-', process.cwd(), process.stdin, maxObjectBytes);
  if (text !== '') return { ...input, [field]: text };
  // What started the program may have given it nothing to read: that is no wish for an empty text.
  const mayBeEmpty = verb.input.shape[field]?.safeParse('').success === true;
  throw new MemoryError('INVALID_ARGUMENT', `${field} is missing, and standard input is empty`, {
    where: field,
    hint: mayBeEmpty ? 'Give it as an argument, or "" for an empty one' : 'Give it as an argument',
  });
}

const branchOf = ({ branch }: CommonOptions) => defined({ branch });

async function open(
  { option, start, logger }: { readonly option: string | undefined; readonly start: string; readonly logger: Logger },
  options: Parameters<typeof import('../../memory/open-memory.ts').openMemory>[0],
): Promise<MemoryPart> {
  // Help and usage errors must not pay for loading the engine.
  const { openMemory } = await import('../../memory/open-memory.ts');
  const authors = options?.readOnly === true ? {} : await import('../../adapters/terminal-author.ts');
  const extractors = async (wanted: readonly string[]) => {
    const { namedExtractors } = await import('../../adapters/own-extractors.ts');
    return namedExtractors(option, { start, directory: options?.dir ?? start, wanted });
  };
  return openMemory({ ...options, ...authors, extractors, logger });
}

/** Tells a person what is worth knowing beside the answer. */
export function warn(message: string): void {
  process.stderr.write(`warning: ${process.stderr.isTTY === true ? cleaned(message) : message}\n`);
}

interface Answer {
  readonly output: unknown;
  /** Commits that this process made of what was pending, oldest first. */
  readonly committed: readonly LogEntry[];
  readonly skipped: readonly { readonly path: string; readonly why: string }[];
}

/** A process that ends has no later flush to wait for: commits the batch and says so in the answer. */
export async function flush(memory: MemoryPart, output: WriteResult): Promise<Answer> {
  if (!memory.commitsUnasked) return { output: { ...output, commit: null }, committed: [], skipped: [] };
  const { commits, skipped } = await memory.commit(undefined, { waiting: true }).catch((error: unknown) => {
    // The write itself is durable; only its commit has to wait.
    if (!(error instanceof MemoryError) || error.code !== 'LOCKED') throw error;
    return { commits: [], skipped: [{ path: error.where ?? '', why: error.what }] };
  });
  const committed = commits.length === 0 ? [] : [...(await memory.log({ limit: commits.length })).commits].reverse();
  // A flush may hold more than this write: what was pending before, and edits by hand.
  const own = committed.findLast(({ paths }) => paths.includes(output.path));
  const pending = own === undefined && (await memory.status()).pending.some(({ path }) => path === output.path);
  return { output: { ...output, pending, commit: own?.oid ?? null }, committed, skipped };
}

function print(verb: Verb, answer: Answer, { isJson, ...zone }: { isJson: boolean; timeZone?: string }): void {
  if (isJson) {
    const json = JSON.stringify(answer.output, null, 2);
    process.stdout.write(`${process.stdout.isTTY === true ? escapedJson(json) : json}\n`);
    return;
  }
  const style = { ...styleFor(process.stdout), ...zone };
  const shown = process.stdout.isTTY === true ? cleaned(answer) : answer;
  const text = [verb.text(shown.output, style), ...describeFlush(shown, style)].join('\n');
  if (text !== '') process.stdout.write(`${text}\n`);
  const errorStyle = styleFor(process.stderr);
  const { output } = shown;
  for (const aside of [
    verb.aside?.(output, errorStyle),
    describeBroken(output, errorStyle),
    describeDamage(output, errorStyle),
  ]) {
    if (aside !== undefined) process.stderr.write(`${process.stderr.isTTY === true ? cleaned(aside) : aside}\n`);
  }
}

function describeFlush({ committed, skipped }: Answer, style: Style): string[] {
  return [
    ...committed.map((entry) => describeEntry(entry, style)),
    ...skipped.flatMap(({ path, why }) => hang(`${style.bad('left')}  `, `${path}: ${why}`, style, 6)),
  ];
}

/** Prints a failure on standard error: a sentence for people, or the error's JSON. Standard output stays as it is. */
export function printError(error: unknown, isJson: boolean): void {
  if (isJson) {
    process.stderr.write(`${JSON.stringify(errorShape(error))}\n`);
    return;
  }
  const style = styleFor(process.stderr);
  const { what, where, hint } = errorShape(error).error;
  const told = `${what}${where === undefined ? '' : ` (${where})`}${hint === undefined ? '' : `. ${hint}`}`;
  const message = error instanceof MemoryError ? error.message : told;
  const shown = process.stderr.isTTY === true ? cleaned(message) : message;
  process.stderr.write(`${style.bad('error:')} ${shown}\n`);
}

// A person at a terminal, who reads what a verb says and answers whether to go on.

type Terminal<Stream> = Stream & { readonly isTTY?: boolean };

/** Gives the ways to a person: to both where input and output are a terminal, to none elsewhere. Input that nobody asks for is not opened. */
export function personAt(streams: {
  readonly stdin: Terminal<Readable>;
  readonly stderr: Terminal<Writable>;
}): Pick<VerbContext, 'tell' | 'ask' | 'confirm'> {
  const output = streams.stderr;
  if (output.isTTY !== true) return {};
  const tell = (text: string): void => void output.write(`${cleaned(text)}\n`);
  const input = streams.stdin;
  if (input.isTTY !== true) return { tell };
  const ask = async (question: string): Promise<string> => {
    const { createInterface } = await import('node:readline/promises');
    const lines = createInterface({ input, output });
    try {
      return (await lines.question(`${cleaned(question)} `)).trim();
    } finally {
      lines.close();
    }
  };
  return { tell, ask, confirm: async (question) => /^y(?:es)?$/i.test(await ask(`${question} [y/N]`)) };
}
