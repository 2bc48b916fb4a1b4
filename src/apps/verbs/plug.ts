// The verbs that plug the memory into a coding agent's program, and out of it.

import { z } from 'zod';
import { defined, MemoryError } from '../../base/errors.ts';
import type { Placement } from '../../base/types.ts';
import { clients } from '../plug/clients.ts';
import type { Style } from './style.ts';
import { defineVerb, flag, maybe, type VerbContext } from './verb.ts';

const names = Object.keys(clients) as [string, ...string[]];

interface PlugResult {
  readonly client: string;
  /** The memory of the project; absent for your own settings, with which the server finds one. */
  readonly memory?: {
    readonly directory: string;
    readonly branch: string;
    readonly placement: Placement;
    readonly isNew: boolean;
  };
  readonly files: readonly {
    readonly path: string;
    readonly change: 'added' | 'changed' | 'removed' | 'none';
    /** The lines that come (`+ `) and go (`- `). */
    readonly lines: readonly string[];
  }[];
  readonly written: boolean;
  readonly note?: string;
}

const client = z.enum(names).describe(`the client: ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`);
const isGlobal = flag('in your own settings, for all projects, in place of those of this one');

/** Says what to do where the files name a program that this machine does not find. */
const missing =
  'git-memory is not on the PATH here, so the client cannot start it yet: install it. Or plug in again with --npx, ' +
  'which fetches what npm has of that name, or with --global.';

/** Of paths, in characters; no system has longer ones. */
const longestPath = 32_768;

export const plug = defineVerb({
  name: 'plug',
  summary: 'Plug the memory into a coding agent',
  help:
    'Plug enters the server and the hooks into the settings of a client. In a project these are files that a team can commit. Entries of ' +
    'others and comments stay. Where the code repository has no memory, one is begun on the branch memory/main, which leaves the code alone. ' +
    '`git memory unplug` takes everything out again and keeps the memory.',
  input: z.strictObject({
    client,
    global: isGlobal,
    npx: flag('start the program by npx, for a team that has not installed it; every hook then takes longer'),
    memory: maybe(
      'the folder of the memory to serve, with --global; if left out, that of the project, else your own one',
    ),
  }),
  positional: ['client'],
  flags: { writes: 'now', changes: true },
  example: { command: 'plug claude-code --dry-run', shows: 'which lines would be added to which files' },
  async run(context, { client: name, global: wantsGlobal, npx = false, memory }): Promise<PlugResult> {
    if (memory !== undefined && memory.length > longestPath) {
      throw new MemoryError('TOO_LARGE', `the path of a memory has at most ${longestPath} characters`, {
        where: 'memory',
        hint: 'Name the folder of the memory',
      });
    }
    const { isOfProjects, isOnPath, ownPlace, plugged, programWords } = await import('../plug/plug.ts');
    const inProject = !wantsGlobal && isOfProjects(name);
    const found = inProject ? await memoryFor(context) : undefined;
    const path = process.env.PATH ?? '';
    const program = programWords(path, { npx, isShared: inProject });
    const place = ownPlace(name, found?.directory);
    const changes = plugged(place, {
      program,
      ...defined({ memory: memory === undefined ? undefined : context.pathOf(memory) }),
    });
    const plain = await resultOf(context, place, changes, found);
    const isMissing = !npx && !isOnPath(path) && (inProject || program[1]?.includes('_npx') === true);
    return isMissing ? { ...plain, note: `${plain.note ?? ''} ${missing}`.trim() } : plain;
  },
  text: (output, style) => describe(output, style, 'Plugged into'),
});

export const unplug = defineVerb({
  name: 'unplug',
  summary: 'Take the memory out of a coding agent',
  help: 'Unplug takes out of the settings of a client what plug entered, and nothing else. The memory stays.',
  input: z.strictObject({ client, global: isGlobal }),
  positional: ['client'],
  flags: { writes: 'now', changes: true },
  example: { command: 'unplug claude-code', shows: 'the files that were changed or removed' },
  async run(context, { client: name, global: wantsGlobal }): Promise<PlugResult> {
    const { isOfProjects, ownPlace, unplugged } = await import('../plug/plug.ts');
    const inProject = !wantsGlobal && isOfProjects(name);
    const place = ownPlace(name, inProject ? (await context.plan({})).directory : undefined);
    return resultOf(context, place, unplugged(place));
  },
  text: (output, style) => describe(output, style, 'Unplugged from'),
});

/** Finds the memory of the project, or begins one on a branch of its own. Throws NOT_A_REPOSITORY. */
async function memoryFor(context: VerbContext): Promise<NonNullable<PlugResult['memory']>> {
  const there = await context.plan({});
  const plan = there.exists ? there : await context.plan({ placement: 'branch' });
  const { directory, branch, placement, exists } = plan;
  if (!context.dryRun) await context.create(exists ? {} : { placement: 'branch' });
  return { directory, branch, placement, isNew: !exists };
}

async function resultOf(
  { dryRun }: VerbContext,
  place: import('../plug/plug.ts').PlugPlace,
  changes: readonly import('../plug/plug.ts').FileChange[],
  memory?: PlugResult['memory'],
): Promise<PlugResult> {
  const { linesOf, writeChanges } = await import('../plug/plug.ts');
  if (!dryRun) writeChanges(changes, place);
  const { title, note } = clients[place.client]!;
  const files = changes.map((one) => ({ path: one.path, change: changeOf(one), lines: linesOf(one) }));
  return {
    client: title,
    files,
    written: !dryRun,
    ...defined({ memory, note: memory === undefined ? undefined : note }),
  };
}

type Versions = Pick<import('../plug/plug.ts').FileChange, 'before' | 'after'>;

function changeOf({ before, after }: Versions): PlugResult['files'][number]['change'] {
  if (before === after) return 'none';
  return before === null ? 'added' : after === null ? 'removed' : 'changed';
}

function describe({ client: title, memory, files, written, note }: PlugResult, style: Style, done: string): string {
  const changed = files.filter(({ change }) => change !== 'none');
  const lines = changed.flatMap(({ path, change, lines: shown }) => [
    `${change.padEnd(8)} ${path}`,
    ...(written ? [] : shown.map((line) => (line.startsWith('+') ? style.good(line) : style.bad(line)))),
  ]);
  const where = memory === undefined ? [] : [`memory   ${memory.branch} (${memory.placement}) in ${memory.directory}`];
  const notes = note === undefined ? [] : [note];
  if (changed.length === 0) return [`Nothing to change for ${title}.`, ...where, ...notes].join('\n');
  if (!written) return [...lines, ...where, ...notes, 'Nothing is written yet: leave out --dry-run.'].join('\n');
  return [`${style.good(`${done} ${title}.`)}`, ...lines, ...where, ...notes, `Start ${title} anew.`].join('\n');
}
