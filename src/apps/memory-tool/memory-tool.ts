// Anthropic's memory tool over a memory: its six commands, each a commit that can be traced and taken back.

import { z } from 'zod';
import { isJsonObject } from '../../base/canonical-json.ts';
import { grouped } from '../../base/count.ts';
import { MemoryError } from '../../base/errors.ts';
import type { MemoryPart } from '../../memory/open-memory.ts';
import { hashObject } from '../../store/git/object-codec.ts';
import { agentHint } from '../../store/guard/agent-door.ts';
import { agentCall, optionsAsMeant } from '../agent-call.ts';

/** The commands as the model sends them (`memory_20250818`). */
export type MemoryToolCommand =
  | { readonly command: 'view'; readonly path: string; readonly view_range?: readonly number[] }
  | { readonly command: 'create'; readonly path: string; readonly file_text: string }
  | { readonly command: 'str_replace'; readonly path: string; readonly old_str: string; readonly new_str?: string }
  | { readonly command: 'insert'; readonly path: string; readonly insert_line: number; readonly insert_text: string }
  | { readonly command: 'delete'; readonly path: string }
  | { readonly command: 'rename'; readonly old_path: string; readonly new_path: string };

type Of<Name extends MemoryToolCommand['command']> = Omit<Extract<MemoryToolCommand, { command: Name }>, 'command'>;

/** Settings of {@link memoryTool}. */
export interface MemoryToolOptions {
  /** What the model sees as `/memories`; `knowledge` if left out. */
  readonly folder?: string;
}

/** Handlers by command, as `betaMemoryTool` of the Anthropic SDK wants them, and one for all, as other libraries do. */
export interface MemoryTool {
  view(command: Of<'view'>): Promise<string>;
  create(command: Of<'create'>): Promise<string>;
  str_replace(command: Of<'str_replace'>): Promise<string>;
  insert(command: Of<'insert'>): Promise<string>;
  delete(command: Of<'delete'>): Promise<string>;
  rename(command: Of<'rename'>): Promise<string>;
  /** Runs any of them: for `anthropic.tools.memory_20250818({ execute })` of the AI SDK. */
  execute(command: MemoryToolCommand): Promise<string>;
}

type Handlers = Omit<MemoryTool, 'execute'>;

const text = z.string();
const fields: Readonly<Record<keyof Handlers, z.ZodRawShape>> = {
  view: { path: text, view_range: z.array(z.int()).optional() },
  create: { path: text, file_text: text },
  str_replace: { path: text, old_str: text, new_str: text.optional() },
  insert: { path: text, insert_line: z.int(), insert_text: text },
  delete: { path: text },
  rename: { old_path: text, new_path: text },
};

/** How often a change is planned anew when somebody else changed the file in between. */
const attempts = 5;

/**
 * Makes the handlers of Anthropic's memory tool over a memory.
 *
 * `/memories/people/ada.md` is `knowledge/people/ada.md`: what the model writes is knowledge that people read, that recall finds and that
 * undo takes back. Each command that changes something is committed when it returns, unless the memory lies inside a project, which is
 * committed on request. Results and failures are worded as the SDK's own handler words them. What the memory itself refuses (paths,
 * secrets, sizes) is a MemoryError with its own words. Where they differ: an `old_str` may have several lines, and `/memoriesX` or `.git`
 * are refused.
 */
export function memoryTool(memory: MemoryPart, { folder = 'knowledge' }: MemoryToolOptions = {}): MemoryTool {
  const handlers: Handlers = {
    view: async ({ path, view_range: range }) => {
      const place = placeOf(path, folder);
      const content = place.isRoot ? null : await readFile(memory, place.path);
      if (content !== null) return fileText(place.shown, content, range);
      const files = await filesBelow(memory, place.path);
      if (files.length === 0 && !place.isRoot) throw missing(place);
      return folderText(place.shown, 4096, await entriesOf(memory, place.path, files));
    },

    create: async ({ path, file_text: text }) => {
      const place = placeOf(path, folder);
      if (typeof text !== 'string') throw new Error('file_text is missing');
      const isFolder = place.isRoot || (await filesBelow(memory, place.path)).length > 0;
      if (isFolder) throw new Error(`File ${place.shown} already exists`);
      await memory.write(place.path, text, { ifBlob: null }).catch((error: unknown) => {
        if (isCode(error, 'CONFLICT')) throw new Error(`File ${place.shown} already exists`);
        throw error;
      });
      await commit(memory);
      return `File created successfully at: ${place.shown}`;
    },

    str_replace: async ({ path, old_str: oldText, new_str: newText = '' }) => {
      const place = placeOf(path, folder);
      let line = 0;
      const after = await change(memory, place, (content) => {
        line = placeOfText(content, oldText, place);
        return content.replace(oldText, () => newText);
      });
      const lines = after.split('\n');
      const first = Math.max(0, line - 2);
      const snippet = numbered(lines.slice(first, Math.min(lines.length, line + 3)), first + 1);
      return `The memory file has been edited. Here is the snippet showing the change (with line numbers):\n${snippet}`;
    },

    insert: async ({ path, insert_line: line, insert_text: text }) => {
      const place = placeOf(path, folder);
      if (typeof text !== 'string') throw new Error('insert_text is missing');
      await change(memory, place, (content) => {
        const lines = content.split('\n');
        if (!Number.isInteger(line) || line < 0 || line > lines.length) {
          throw new Error(
            `Invalid \`insert_line\` parameter: ${line}. It should be within the range of lines of the file: [0, ${lines.length}]`,
          );
        }
        lines.splice(line, 0, text.replace(/\n$/, ''));
        return lines.join('\n');
      });
      return `The file ${place.shown} has been edited.`;
    },

    delete: async ({ path }) => {
      const place = placeOf(path, folder);
      if (place.isRoot) throw new Error('Cannot delete the /memories directory itself');
      await memory.remove(place.path, { recursive: true }).catch((error: unknown) => {
        // A name that nothing can have is one that is not there; what is not for agents may well be.
        const isNone = isCode(error, 'NOT_FOUND') || (isCode(error, 'INVALID_PATH') && !agentHint(place.path, 'file'));
        throw isNone ? new Error(`The path ${place.shown} does not exist`) : error;
      });
      await commit(memory);
      return `Successfully deleted ${place.shown}`;
    },

    rename: async ({ old_path: from, new_path: to }) => {
      const [old, next] = [placeOf(from, folder), placeOf(to, folder)];
      if (old.isRoot) throw new Error('Cannot rename the /memories directory itself');
      if (next.isRoot) throw new Error(`The destination ${next.shown} already exists`);
      await memory.move(old.path, next.path).catch((error: unknown) => {
        if (isCode(error, 'ALREADY_EXISTS')) throw new Error(`The destination ${next.shown} already exists`);
        if (isCode(error, 'NOT_FOUND')) throw new Error(`The path ${old.shown} does not exist`);
        throw error;
      });
      await commit(memory);
      return `Successfully renamed ${old.shown} to ${next.shown}`;
    },
  };
  const handle = <Name extends keyof Handlers>(name: Name): Handlers[Name] => {
    const run = handlers[name] as (input: unknown) => Promise<string>;
    return (given: unknown) => agentCall(() => run(optionsAsMeant(fields[name], given, { new_str: null })));
  };
  const tool: MemoryTool = {
    view: handle('view'),
    create: handle('create'),
    str_replace: handle('str_replace'),
    insert: handle('insert'),
    delete: handle('delete'),
    rename: handle('rename'),
    execute: async (given) => {
      if (!isJsonObject(given) || typeof given.command !== 'string') {
        throw new MemoryError('INVALID_ARGUMENT', 'a command of the memory tool is an object with its name', {
          where: 'command',
          hint: 'Pass on the input of the tool call, such as { command: "view", path: "/memories" }',
        });
      }
      const { command, ...input } = given as MemoryToolCommand;
      const run = Object.hasOwn(tool, command) && command !== ('execute' as never) ? tool[command] : undefined;
      if (run === undefined) throw new Error(`Unknown command: ${String(command)}`);
      return run(input as never);
    },
  };
  return tool;
}

/** Changes a file that is there: planned anew when it is another one by the time it is written. Gives its new content. */
async function change(memory: MemoryPart, place: Place, edit: (content: string) => string): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    const content = place.isRoot ? null : await readFile(memory, place.path);
    if (content === null) {
      const isFolder = place.isRoot || (await filesBelow(memory, place.path)).length > 0;
      throw isFolder ? new Error(`The path ${place.shown} is not a file.`) : missing(place);
    }
    const after = edit(content);
    try {
      await memory.write(place.path, after, { ifBlob: hashObject('blob', Buffer.from(content)) });
      await commit(memory);
      return after;
    } catch (error) {
      if (!isCode(error, 'CONFLICT') || attempt === attempts) throw error;
    }
  }
}

/** Commits at once; a commit that has to wait for another program is made later, and the write is durable either way. */
async function commit(memory: MemoryPart): Promise<void> {
  if (!memory.commitsUnasked) return;
  await memory.commit(undefined, { waiting: true }).catch((error: unknown) => {
    if (!isCode(error, 'LOCKED')) throw error;
  });
}

/** Gives the line, from 0, on which the text begins that occurs once. */
function placeOfText(content: string, text: string, place: Place): number {
  if (typeof text !== 'string' || text === '') throw new Error('old_str is missing');
  const found: number[] = [];
  for (let at = content.indexOf(text); at >= 0; at = content.indexOf(text, at + text.length)) found.push(at);
  const lines = found.map((at) => content.slice(0, at).split('\n').length);
  if (lines.length === 0)
    throw new Error(`No replacement was performed, old_str \`${text}\` did not appear verbatim in ${place.shown}.`);
  if (lines.length > 1) {
    throw new Error(
      `No replacement was performed. Multiple occurrences of old_str \`${text}\` in lines: ${[...new Set(lines)].join(', ')}. Please ensure it is unique`,
    );
  }
  return lines[0]! - 1;
}

/** What is in a folder, two levels deep, each folder before what is in it, hidden names and node_modules left out. */
async function entriesOf(memory: MemoryPart, path: string, files: readonly string[]): Promise<Entry[]> {
  const names = new Set<string>();
  for (const file of files) {
    const segments = file.split('/');
    const hidden = segments.findIndex((segment) => segment.startsWith('.') || segment === 'node_modules');
    const shown = hidden < 0 ? segments.length : hidden;
    for (let depth = 1; depth <= Math.min(2, shown); depth += 1) {
      names.add(segments.slice(0, depth).join('/') + (depth < segments.length ? '/' : ''));
    }
  }
  const parts = (name: string) => name.replace(/\/$/, '').split('/');
  const sorted = [...names].sort((a, b) => compare(parts(a), parts(b)));
  return Promise.all(
    sorted.map(async (name) => ({
      path: name,
      bytes: name.endsWith('/') ? 4096 : Buffer.byteLength(await memory.read(`${path}/${name}`)),
    })),
  );
}

/** Folder by folder, in the order of UTF-16, as a listing that is sorted level by level. */
function compare(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((segment, index) => segment !== b[index]);
  if (at < 0) return a.length - b.length;
  return b[at] !== undefined && a[at]! < b[at]! ? -1 : 1;
}

function missing(place: Place): Error {
  return new Error(`The path ${place.shown} does not exist. Please provide a valid path.`);
}

function isCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof MemoryError && codes.includes(error.code);
}

// The texts of Anthropic's memory tool, as its SDK writes them (@anthropic-ai/sdk 1.12, tools/memory/node): models were trained on them.

const maxLines = 999_999;
const numberWidth = String(maxLines).length;

/** Numbers lines as `cat -n` does, from `first` on. */
export function numbered(lines: readonly string[], first: number): string {
  return lines.map((line, index) => `${String(index + first).padStart(numberWidth, ' ')}\t${line}`).join('\n');
}

/** Shows a file, or lines `[from, to]` of it, counted from 1; -1 is the last. */
function fileText(shown: string, content: string, range: readonly number[] | undefined): string {
  const lines = content.split('\n');
  if (lines.length > maxLines) {
    const most = grouped(maxLines);
    throw new Error(`File ${shown} has too many lines (${lines.length}). Maximum is ${most} lines.`);
  }
  const [from, to] = range?.length === 2 ? [Math.max(1, range[0]!), range[1]!] : [1, -1];
  const part = lines.slice(from - 1, to === -1 ? lines.length : to);
  return `Here's the content of ${shown} with line numbers:\n${numbered(part, from)}`;
}

/** A file or folder of a listing; folders end in `/`. */
export interface Entry {
  readonly path: string;
  readonly bytes: number;
}

function folderText(shown: string, bytes: number, entries: readonly Entry[]): string {
  const header = `Here're the files and directories up to 2 levels deep in ${shown}, excluding hidden items and node_modules:`;
  const rows = entries.map((entry) => `${size(entry.bytes)}\t${shown}/${entry.path}`);
  return [header, `${size(bytes)}\t${shown}`, ...rows].join('\n');
}

/** `22B`, `1.5K`, `4K`: powers of 1,024, with one digit behind the point unless it comes out even. */
function size(bytes: number): string {
  if (bytes === 0) return '0B';
  const power = Math.floor(Math.log(bytes) / Math.log(1024));
  const amount = bytes / 1024 ** power;
  return (amount % 1 === 0 ? String(amount) : amount.toFixed(1)) + ['B', 'K', 'M', 'G'][power]!;
}

// Turns the paths that a model writes below /memories into paths of the memory, and finds what is there.

const root = '/memories';

/** A file or folder below /memories. */
export interface Place {
  /** As the model wrote it; messages repeat it. */
  readonly shown: string;
  /** Inside the memory, such as `knowledge/people/ada.md`. */
  readonly path: string;
  readonly isRoot: boolean;
}

/**
 * Finds the place that a model names.
 *
 * It is `/memories` or below it, and nothing that merely begins alike. Dots and empty segments are read as a file system would, and lead
 * nowhere above. What git or a file system cannot hold, `.git` in every spelling included, the memory itself refuses when it is written.
 *
 * @throws Error that the model is shown.
 */
export function placeOf(shown: unknown, folder: string): Place {
  if (typeof shown !== 'string' || (shown !== root && !shown.startsWith(`${root}/`)))
    throw new Error(`Path must start with /memories, got: ${String(shown)}`);
  const segments: string[] = [];
  for (const segment of shown.slice(root.length).split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) throw new Error(`Path ${shown} would escape /memories directory`);
  }
  return { shown, path: [folder, ...segments].join('/'), isRoot: segments.length === 0 };
}

/** Reads a file; null where there is none, also because the name is one that nothing can have. */
export async function readFile(memory: MemoryPart, path: string): Promise<string | null> {
  try {
    return await memory.read(path, { hideForgotten: true });
  } catch (error) {
    if (error instanceof MemoryError && ['NOT_FOUND', 'INVALID_PATH'].includes(error.code)) return null;
    throw error;
  }
}

/** Lists the paths of all files below a folder, relative to it; empty where there is none, since git keeps no empty folder. */
export async function filesBelow(memory: MemoryPart, path: string): Promise<string[]> {
  const files = await memory.files(path).catch((error: unknown) => {
    if (error instanceof MemoryError && error.code === 'INVALID_PATH') return [];
    throw error;
  });
  return files.filter((file) => file.startsWith(`${path}/`)).map((file) => file.slice(path.length + 1));
}
