// Each rule holds at each door: what stands at one door stands at all of them.
//
// A rule is one entry of `rules`. A door is found at run time, and doors.ts says what comes in by it.

import { expect, it } from 'vitest';
import { MemoryError } from '../../src/base/errors.ts';
import { fsck } from '../helpers/native-git.ts';
import { tracesOf } from '../helpers/traces.ts';
import {
  aFile,
  allDoors,
  type Brought,
  type Door,
  entriesWithoutDoor,
  good,
  newWorld,
  takenAt,
  type World,
  withListsAsTexts,
  withStranger,
} from './doors.ts';
import { contentOf } from './worlds.ts';

/** What came of bringing something in. */
interface Outcome {
  readonly door: Door;
  readonly world: World;
  /** What the door refused it with. */
  readonly error: unknown;
  /** Whether the disk holds what it held before. */
  readonly isSame: boolean;
  readonly bad: string;
}

interface Rule {
  readonly name: string;
  /** Which of what is brought is bad; `field` for one that nobody knows beside it, `lists` for all lists as texts. */
  readonly part: keyof Brought | 'field' | 'lists';
  readonly bad: readonly string[];
  /** What is brought with it. */
  readonly beside?: Partial<Brought>;
  /** What is done here where something comes from elsewhere. */
  meanwhile?(world: World): Promise<unknown>;
  /** So many doors have it at least; default 16. */
  readonly least?: number;
  /** Where it holds, beside that the door takes such a part; default: everywhere. */
  applies?(door: Door): boolean;
  /** Says what is wrong; undefined where the rule holds. */
  wrong(outcome: Outcome): string | undefined | Promise<string | undefined>;
}

const secret = `ghp_${'a1B2c3D4e5F6g7H8i9'.repeat(2)}`;

const proofs = ['raw/artifacts/note.txt', 'ledger/extra.jsonl', '.memory/purges/x.json', '.memory/context.md'];

const rules: readonly Rule[] = [
  {
    name: 'a field that nobody knows is refused by its name, and nothing is written',
    part: 'field',
    bad: ['strangr'],
    // The fields of `configure` are the keys of memory.yaml.
    applies: ({ kind, name }) => ['library', 'cli', 'tool', 'page'].includes(kind) && name !== 'configure',
    wrong({ error, isSame, bad }) {
      if (!(error instanceof MemoryError && error.code === 'INVALID_ARGUMENT')) return `was not refused: ${error}`;
      if (!error.message.includes(bad)) return `is not named: ${error.message}`;
      return isSame ? undefined : 'something was written';
    },
  },
  {
    name: 'a secret in a text is in no object, journal or file afterwards',
    part: 'text',
    bad: [`The key is ${secret}.`],
    // What native git committed was written before anybody of ours was asked.
    applies: ({ kind }) => !['native commit', 'merge', 'sync'].includes(kind),
    wrong: ({ world }) => tracesOf(world.directory, [secret])[0],
  },
  {
    name: 'a page of an unfinished merge is quoted nowhere, and told of, whichever way it came',
    part: 'text',
    bad: ['Brewed.\n\n<<<<<<< ours\nThe tea is zebrawhite.\n=======\nThe tea is zebrared.\n>>>>>>> theirs\n'],
    async wrong({ world: { memory } }) {
      const isMarked = async (name: string) => (await memory.read(name)).includes('\n<<<<<<< ours\n');
      const pages: string[] = [];
      for (const name of await memory.files('knowledge/')) if (await isMarked(name)) pages.push(name);
      const { hits } = await memory.recall('what is zebrawhite or zebrared');
      const quoted = hits.find((hit) => pages.includes(hit.path));
      if (quoted !== undefined) return `is quoted: ${quoted.snippet}`;
      const told = JSON.stringify(await memory.review({ only: ['unfinished'] }));
      return pages.map((page) => (told.includes(page) ? undefined : `${page} waits in no review`)).find(Boolean);
    },
  },
  {
    name: 'a secret in a name is in no object, ref, journal or file afterwards',
    part: 'name',
    bad: [secret],
    // What native git committed was written before anybody of ours was asked.
    applies: ({ kind }) => !['native commit', 'merge', 'sync'].includes(kind),
    wrong: ({ world }) => tracesOf(world.directory, [secret])[0],
  },
  {
    name: 'a time that git has no date for makes no commit that git calls corrupt',
    part: 'time',
    bad: ['1962-03-04T10:00:00Z'],
    wrong: ({ world, error }) => (error === undefined ? fsck(world.directory) || undefined : `was refused: ${error}`),
  },
  {
    name: 'what people decide, and what proves something, comes in by no tool and no merge without their word',
    part: 'path',
    bad: ['expect/tea.yaml', 'EXPECT/new.yaml', 'memory.yaml', '.gitattributes', '.gitignore', '.meta.json', ...proofs],
    applies: ({ kind }) => kind === 'tool' || kind === 'merge',
    least: 3,
    async wrong({ door, world, error, isSame, bad }) {
      // Proofs that another machine made come in, and so do lines for git.
      const isJudged = door.kind === 'tool' || ['expect/tea.yaml', 'memory.yaml'].includes(bad);
      if (!isJudged) return undefined;
      if (!(error instanceof MemoryError)) return `was not refused: ${error}`;
      const isThere = (await world.memory.files()).includes(bad) && (await world.memory.read(bad)).includes(good.text);
      return isThere || (door.kind === 'tool' && !isSame) ? `${bad} was written` : undefined;
    },
  },
  {
    name: 'a line that was changed here and there waits in the review until somebody decides',
    part: 'text',
    bad: ['- The tea is red.'],
    beside: { name: 'tea' },
    meanwhile: ({ memory }) => memory.edit(aFile, 'green', 'blue').then(() => memory.commit()),
    applies: ({ kind }) => kind === 'merge' || kind === 'sync',
    least: 2,
    async wrong({ world: { memory }, error }) {
      const { counts } = await memory.review({ only: ['disputed'] });
      return counts.disputed === 1 ? undefined : `${counts.disputed} wait, after ${error}`;
    },
  },
  {
    name: 'a list that is JSON in a text is that list',
    part: 'lists',
    bad: [''],
    applies: ({ kind }) => kind === 'tool',
    least: 10,
    wrong: ({ error, isSame }) => (isSame || error !== undefined ? `was not taken: ${error}` : undefined),
  },
];

const doors = await (async () => {
  const { memory } = await newWorld();
  const all = await allDoors(memory);
  memory.dispose();
  return all;
})();

it('each door says what comes in by it', () => {
  expect(new Set(doors.map(({ kind }) => kind)).size).toBe(9);
  expect(doors.filter(({ entry }) => entry === undefined).map(({ kind, name }) => `${kind} ${name}`)).toEqual([]);
  expect(entriesWithoutDoor(doors)).toEqual([]);
});

it.each(rules)('$name', { timeout: 300_000 }, async (rule) => {
  const { part, bad, beside, meanwhile, applies = () => true, least = 16, wrong } = rule;
  const complaints: string[] = [];
  let tried = 0;
  for (const door of doors.filter(applies)) {
    for (const value of bad) {
      const isShaped = part === 'field' || part === 'lists';
      const shaped = part === 'lists' ? withListsAsTexts : withStranger;
      const given = isShaped ? shaped(door.entry!(good)) : door.entry!({ ...good, ...beside, [part]: value });
      if (given === undefined || (!isShaped && !takenAt(door).has(part))) continue;
      tried += 1;
      const world = await newWorld(door);
      const before = contentOf(world.directory);
      const error = await door.through(world, given, meanwhile).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      const isSame = contentOf(world.directory) === before;
      await world.memory.commit().catch(() => undefined);
      const complaint = await wrong({ door, world, error, isSame, bad: value });
      if (complaint !== undefined) complaints.push(`${door.kind} ${door.name}: ${complaint}`);
      await world.memory.close();
    }
  }
  expect(complaints).toEqual([]);
  expect(tried).toBeGreaterThanOrEqual(least);
});

it('what breaks no rule comes in by each door', { timeout: 300_000 }, async () => {
  const complaints: string[] = [];
  for (const door of doors.filter((one) => takenAt(one).size > 0)) {
    const world = await newWorld(door);
    const before = contentOf(world.directory);
    const error = await door.through(world, door.entry!(good)).catch((thrown: unknown) => thrown);
    const isRefused = error instanceof Error || (error as { isError?: boolean } | undefined)?.isError === true;
    if (isRefused) complaints.push(`${door.kind} ${door.name}: ${String(error)}`);
    else if (contentOf(world.directory) === before) complaints.push(`${door.kind} ${door.name} has written nothing`);
    await world.memory.close();
  }
  expect(complaints).toEqual([]);
});
