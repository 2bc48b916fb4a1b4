// Plugs the memory into a client, and out again: which texts its files get. Writing them is a step of its own, so that they can be shown first.

import fs from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { installedPaths } from '../../adapters/installation.ts';
import { defined, MemoryError } from '../../base/errors.ts';
import { diffLines } from '../../base/line-diff.ts';
import { type Client, type ClientFile, clients, hookTool } from './clients.ts';
import { type JsonPath, valueAt, withoutValue, withValue } from './json-text.ts';
import { tableIn, withoutTable, withTable } from './toml-text.ts';

/** Whose files are meant. */
export interface PlugPlace {
  /** One of {@link clients}. */
  readonly client: string;
  /** The folder of the project; absent for the files of the user. */
  readonly project?: string;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** What is entered. */
export interface PlugWords {
  /** What starts the program: `['git-memory']`, say. */
  readonly program: readonly string[];
  /** The memory to serve; found by the server if left out. */
  readonly memory?: string;
}

/** A file as it is and as it is to be; null where there is none. */
export interface FileChange {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Whether a client has settings of projects. */
export const isOfProjects = (name: string): boolean =>
  clients[name]!.files.some(({ project }) => project !== undefined);

/** Gives the files of a client with our server and hooks in them. What is there already stays where it is. Throws INVALID_RECORD. */
export function plugged(place: PlugPlace, words: PlugWords): FileChange[] {
  const files = filesOf(place);
  const server = nameFor(files);
  const args = [
    ...words.program.slice(1),
    'mcp',
    '--hooks',
    ...(words.memory === undefined ? [] : ['--dir', words.memory]),
  ];
  // A teammate who has not installed it shall see no error.
  const hookWords = { command: `${shellLine(words.program)} hook || exit 0`, server };
  return files.map(({ file, path, before }) => {
    let after = before ?? '';
    const { servers, hooks, head = {} } = file;
    if (servers !== undefined) {
      const { extra, inProject } = servers;
      const entry = { ...extra, command: words.program[0]!, args, ...(place.project === undefined ? {} : inProject) };
      after = withServer(after, file, server, entry, path);
    }
    for (const [key, value] of Object.entries(head))
      if (valueAt(after || '{}', [key], path) === undefined) after = withValue(after, [key], value, path);
    for (const [event, wanted] of Object.entries(hooks?.(hookWords) ?? {})) {
      const own = oursIn(after, path, event);
      if (JSON.stringify(own.toReversed().map((one) => valueAt(after, one, path))) === JSON.stringify(wanted)) continue;
      for (const one of own) after = withoutValue(after, one, path) || '{}\n';
      for (const one of wanted) after = withValue(after, ['hooks', event, -1], one, path);
    }
    return { path, before, after };
  });
}

/** Gives the files of a client without what is ours in them. Throws INVALID_RECORD. */
export function unplugged(place: PlugPlace): FileChange[] {
  return filesOf(place).map(({ file, path, before }) => {
    if (before === null) return { path, before, after: null };
    let after = before;
    const { servers, hooks, head = {} } = file;
    for (const name of servers === undefined ? [] : ourServers(after, file, path)) {
      after =
        file.form === 'toml'
          ? withoutTable(after, `${servers!.key}.${name}`)
          : withoutValue(after, [servers!.key, name], path);
    }
    for (const event of hooks === undefined ? [] : Object.keys(Object(hooksIn(after, path)))) {
      for (const one of oursIn(after, path, event)) after = withoutValue(after, one, path);
    }
    const isOurs =
      after !== before &&
      Object.keys(head).length > 0 &&
      JSON.stringify(Object(wholeIn(after, path))) === JSON.stringify(head);
    return { path, before, after: after.trim() === '' || isOurs ? null : after };
  });
}

/** Writes files as they are to be. One that is no more goes with the folders that held nothing else, up to that of the project or the user. */
export function writeChanges(changes: readonly FileChange[], place: PlugPlace): void {
  for (const { path, before, after } of changes) {
    if (before === after) continue;
    // Some keep their settings elsewhere and link to them: the link stays.
    const file = fs.existsSync(path) ? fs.realpathSync(path) : path;
    if (after === null) {
      fs.rmSync(file, { force: true });
      leaveEmpty(dirname(path), place.project ?? place.home);
      continue;
    }
    fs.mkdirSync(dirname(file), { recursive: true });
    // Some of these files hold keys of other servers and are private.
    fs.writeFileSync(`${file}.git-memory`, after, fs.existsSync(file) ? { mode: fs.statSync(file).mode } : {});
    fs.renameSync(`${file}.git-memory`, file);
  }
}

function leaveEmpty(folder: string, root: string): void {
  if (!folder.startsWith(`${root}/`) && !folder.startsWith(`${root}\\`)) return;
  try {
    fs.rmdirSync(folder);
  } catch {
    return;
  }
  leaveEmpty(dirname(folder), root);
}

/** Tells of a change what a reader sees: the lines that go and come. */
export function linesOf({ before, after }: FileChange): string[] {
  const [old, now] = [before, after].map((text) => (text ?? '').replace(/\n$/, '').split('\n'));
  const from = before === null ? [] : old!;
  const to = after === null ? [] : now!;
  return diffLines(from, to).flatMap(({ beforeStart, beforeEnd, afterStart, afterEnd }) => [
    ...from.slice(beforeStart, beforeEnd).map((line) => `- ${line}`),
    ...to.slice(afterStart, afterEnd).map((line) => `+ ${line}`),
  ]);
}

/** Tells whether the path knows this program. What npx puts on it goes with its cache. */
export const isOnPath = (path: string): boolean =>
  path
    .split(delimiter)
    .some((folder) => folder !== '' && !/[\\/]_npx[\\/]/.test(folder) && fs.existsSync(join(folder, 'git-memory')));

/**
 * Gives what starts this program: its name where the path knows it or the files are shared, else this very installation. It is npx only where
 * somebody asks for it: npm gives whatever has the name.
 */
export function programWords(path: string, asked: { readonly npx: boolean; readonly isShared: boolean }): string[] {
  if (asked.npx) return ['npx', '-y', 'git-memory'];
  const { node, program } = installedPaths();
  return asked.isShared || isOnPath(path) ? ['git-memory'] : [node, program];
}

/** Writes words for a shell; what has signs of its own is quoted. */
const shellLine = (words: readonly string[]): string =>
  words.map((word) => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : `"${word}"`)).join(' ');

/** Gives the place of a client on this machine. */
export const ownPlace = (client: string, project: string | undefined): PlugPlace => ({
  client,
  home: homedir(),
  environment: process.env,
  ...defined({ project }),
});

/** The program by its name, or by the place where it is installed. */
const ours = /git-memory|\bdist[\\/]+program[\\/]+main\.js\b/;

interface OpenFile {
  readonly file: ClientFile;
  readonly path: string;
  readonly before: string | null;
}

function filesOf({ client, project, home, environment }: PlugPlace): OpenFile[] {
  const { files, title }: Client = clients[client]!;
  const found = files.flatMap((file): OpenFile[] => {
    const inProject = project === undefined || file.project === undefined ? undefined : join(project, file.project);
    const path = project === undefined ? file.home?.(home, environment) : inProject;
    return path === undefined
      ? []
      : [{ file, path, before: fs.existsSync(path) ? fs.readFileSync(path, 'utf8') : null }];
  });
  if (found.length > 0) return found;
  throw new MemoryError('INVALID_ARGUMENT', `${title} has no settings of a project`, {
    where: client,
    hint: 'Add --global, for your own settings',
  });
}

/** Other memories are called memory, too. */
function nameFor(files: readonly OpenFile[]): string {
  const isTaken = files.some(({ file, path, before }) => {
    if (file.servers === undefined || before === null) return false;
    return serverIn(before, file, 'memory', path) !== undefined && !ourServers(before, file, path).includes('memory');
  });
  return isTaken ? 'git-memory' : 'memory';
}

function serverIn(text: string, { form, servers }: ClientFile, name: string, path: string): unknown {
  return form === 'toml' ? tableIn(text, `${servers!.key}.${name}`) : valueAt(text || '{}', [servers!.key, name], path);
}

function ourServers(text: string, file: ClientFile, path: string): string[] {
  return ['memory', 'git-memory'].filter((name) => {
    const said = JSON.stringify(serverIn(text, file, name, path) ?? '').replaceAll('\\"', '"');
    return ours.test(said.replace(/^"?\[[^\]]*\]/, '')) && said.includes('"mcp"');
  });
}

function withServer(
  text: string,
  file: ClientFile,
  name: string,
  entry: Readonly<Record<string, unknown>>,
  path: string,
): string {
  const key = file.servers!.key;
  if (file.form === 'toml') {
    const fields = entry as Readonly<Record<string, string | readonly string[]>>;
    const wanted = tableIn(withTable('', `${key}.${name}`, fields), `${key}.${name}`);
    return tableIn(text, `${key}.${name}`) === wanted ? text : withTable(text, `${key}.${name}`, fields);
  }
  const isThere = JSON.stringify(valueAt(text || '{}', [key, name], path)) === JSON.stringify(entry);
  return isThere ? text : withValue(text, [key, name], entry, path);
}

const wholeIn = (text: string, path: string): unknown => valueAt(text || '{}', [], path);
const hooksIn = (text: string, path: string): unknown => valueAt(text || '{}', ['hooks'], path);
const isOurs = (hook: unknown): boolean => {
  const { command, tool } = Object(hook) as { command?: unknown; tool?: unknown };
  return (
    tool === hookTool || (typeof command === 'string' && /\b(?:git-memory|program[\\/]main\.js"?) hook\b/.test(command))
  );
};

/** Finds what is ours below an event, the last first: groups that hold nothing else, and single hooks in those of others. */
function oursIn(text: string, path: string, event: string): JsonPath[] {
  const groups = Object(hooksIn(text, path))[event] as unknown;
  if (!Array.isArray(groups)) return [];
  const found = groups.flatMap((group: unknown, at): JsonPath[] => {
    const { hooks } = Object(group) as { hooks?: unknown };
    if (!Array.isArray(hooks)) return isOurs(group) ? [['hooks', event, at]] : [];
    if (hooks.length > 0 && hooks.every(isOurs)) return [['hooks', event, at]];
    return hooks.flatMap((hook, place): JsonPath[] => (isOurs(hook) ? [['hooks', event, at, 'hooks', place]] : []));
  });
  return found.reverse();
}
