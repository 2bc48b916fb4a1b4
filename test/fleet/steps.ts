// What happens to a fleet, step by step: a new kind of step is one entry of the table.

import { isSealed } from '../../src/store/records/private-text.ts';
import { tryGit } from '../helpers/native-git.ts';
import type { Fleet } from './fleet.ts';
import type { Hazard } from './hazards.ts';
import type { Cut } from './line.ts';
import type { Machine } from './machine.ts';
import { type Word, wordsIn } from './words.ts';

/** One step: who acts, and choices that are its own, so that the others make theirs without it, too. */
export interface Scene {
  readonly fleet: Fleet;
  readonly machine: Machine;
  readonly step: number;
  readonly next: (below: number) => number;
}

interface Step {
  readonly name: string;
  readonly weight: number;
  /** It happens only with this hazard; null: always. */
  readonly hazard: Hazard | null;
  /** Gives what is to be said of it; null where there was nothing to do. */
  readonly run: (scene: Scene) => Promise<string | null>;
}

const act = (name: string, weight: number, hazard: Hazard | null, run: Step['run']): Step => {
  return { name, weight, hazard, run };
};

/** The page that all of them write. */
export const list = 'knowledge/reference/list.md';
/** The page that is private once people are. */
export const privatePage = 'knowledge/people/ada.md';
const ownPage = ({ name }: Machine) => `knowledge/projects/${name}.md`;
const day = 24 * 3_600_000;

function pick<T>({ next }: Scene, choices: readonly T[]): T | undefined {
  return choices.length === 0 ? undefined : choices[next(choices.length)];
}

const newSentence = ({ fleet, step, next }: Scene, letter = 'a') => fleet.acknowledged.sentence(step, letter, next);

function acknowledge(scene: Scene, said: { word: string; sentence: string }, path: string, more: Partial<Word> = {}) {
  const { fleet, machine, step } = scene;
  fleet.acknowledged.acknowledge({ ...said, step, machine: machine.name, path, ...more });
  return said.word;
}

const readOrNull = (machine: Machine, path: string) => machine.memory.read(path).catch(() => null);

/** The memories that this machine has, in an order that is the same whenever the seed is. */
async function memories({ machine }: Scene) {
  const { memories: all } = await machine.memory.list();
  return [...all].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Before something is taken away: where what is taken has to have a commit of its own, it gets one. */
async function beforeTaking({ fleet, machine }: Scene): Promise<void> {
  if (!fleet.hazards.has('takings in a batch')) await machine.memory.commit();
}

/** Adds a line to a page, somewhere below its heading. */
function withLine(text: string | null, line: string, next: (below: number) => number): string {
  const lines = (text ?? '# Page\n\n').split('\n');
  const first = Math.min(2, lines.length - 1);
  lines.splice(first + next(lines.length - first), 0, `- ${line}`);
  return lines.join('\n');
}

/** Whether a path is private by what this machine knows. */
async function isPrivateHere({ machine }: Scene): Promise<boolean> {
  return (await machine.memory.keys.status()).paths.length > 0;
}

/** Writes a page through the engine; where it is private, also what is refused may not lie open anywhere. */
async function appendTo(scene: Scene, path: string, isPrivate = false): Promise<string> {
  const { machine, fleet, next } = scene;
  const said = newSentence(scene);
  if (isPrivate) fleet.acknowledged.hidden.add(said.word);
  const before = await readOrNull(machine, path);
  if (before === null) await machine.memory.write(path, `# Page\n\n- ${said.sentence}\n`);
  else {
    const lines = before.split('\n').filter((line) => line.startsWith('- '));
    const anchor = lines[next(Math.max(1, lines.length))];
    const isOnce = anchor !== undefined && before.split(anchor).length === 2;
    if (isOnce) await machine.memory.edit(path, anchor, `${anchor}\n- ${said.sentence}`);
    else await machine.memory.write(path, withLine(before, said.sentence, next));
  }
  return acknowledge(scene, said, path, { isPrivate });
}

function cutOf({ next }: Scene): Cut {
  const afterBytes = next(1 << (4 + next(11)));
  const manner = (['end', 'reset', 'stall'] as const)[next(3)]!;
  return { direction: next(2) === 0 ? 'up' : 'down', afterBytes, manner, lasts: next(3) === 0 };
}

/** What a commit and its parent hold differently, as words; what is private is read by the keys of the fleet. */
function wordsOfCommit({ fleet, machine }: Scene, commit: string): { added: string } {
  const { stdout } = tryGit(machine.directory, [
    'diff-tree',
    '-r',
    '--no-commit-id',
    '--diff-merges=first-parent',
    commit,
  ]);
  let [added, removed] = ['', ''];
  for (const line of stdout.split('\n')) {
    const [, , before, after] = line.split(' ');
    if (before === undefined || after === undefined) continue;
    for (const [oid, isAfter] of [
      [before, false],
      [after, true],
    ] as const) {
      if (/^0+$/.test(oid)) continue;
      const text = fleet.acknowledged.textOf(fleet.blob(machine.directory, oid));
      if (isAfter) added += text;
      else removed += text;
    }
  }
  const old = wordsIn(removed);
  return { added: [...wordsIn(added)].filter((word) => !old.has(word)).join(' ') };
}

export const steps: readonly Step[] = [
  act('sync', 9, null, ({ machine }) => machine.sync()),
  act('sync over a line that breaks', 4, 'cuts', async (scene) => {
    const { machine } = scene;
    if (machine.line === null) return null;
    const cut = cutOf(scene);
    const how = `${cut.direction} ${cut.afterBytes} ${cut.manner}${cut.lasts ? ' for good' : ''}`;
    return `${how}: ${await machine.sync({ cut })}`;
  }),
  act('sync, and somebody else is faster', 2, 'races', async ({ machine, fleet, next }) => {
    const others = fleet.machines.filter((other) => other !== machine);
    const other = others[next(others.length)]!;
    if (machine.line === null) return null;
    let said = 'no push';
    const beforePush = async () => {
      said = await fleet.attempt(() => other.sync());
    };
    return `${await machine.sync({ beforePush })}; ${other.name} meanwhile: ${said}`;
  }),
  act('capture', 3, null, async (scene) => {
    const said = newSentence(scene);
    const { path } = await scene.machine.memory.capture({
      messages: [{ role: 'user', text: said.sentence }],
      topic: `step ${scene.step}`,
    });
    return acknowledge(scene, said, path);
  }),
  act('remember', 5, null, async (scene) => {
    const said = newSentence(scene);
    const { path } = await scene.machine.memory.remember({ content: said.sentence });
    return acknowledge(scene, said, path);
  }),
  act('remember two sentences', 2, null, async (scene) => {
    const [one, two] = [newSentence(scene), newSentence(scene, 'b')];
    const { path } = await scene.machine.memory.remember({ content: `${one.sentence} ${two.sentence}` });
    return `${acknowledge(scene, one, path)} ${acknowledge(scene, two, path)}`;
  }),
  act('event', 3, null, async (scene) => {
    const said = newSentence(scene);
    const { path, id } = await scene.machine.memory.ledger.add({
      type: 'decision',
      priority: 'P1',
      content: said.sentence,
    });
    return `${acknowledge(scene, said, path)} ${id}`;
  }),
  act('note', 2, null, async (scene) => {
    const said = newSentence(scene);
    const { path } = await scene.machine.memory.note(said.sentence);
    return acknowledge(scene, said, path);
  }),
  act('add a line to the list', 4, null, (scene) => appendTo(scene, list)),
  act('write its own page anew', 2, null, async (scene) => {
    const { machine, fleet } = scene;
    await beforeTaking(scene);
    const path = ownPage(machine);
    const before = (await readOrNull(machine, path)) ?? '';
    const said = newSentence(scene);
    const text = `# Page of ${machine.name}\n\n- ${said.sentence}\n`;
    await machine.memory.write(path, text);
    fleet.acknowledged.take(`${machine.name} wrote the page anew`, before, text);
    return acknowledge(scene, said, path);
  }),
  act('replace a line of the list', 2, null, async (scene) => {
    const { machine, fleet } = scene;
    await beforeTaking(scene);
    const before = (await readOrNull(machine, list)) ?? '';
    const line = pick(
      scene,
      before.split('\n').filter((one) => one.startsWith('- ')),
    );
    if (line === undefined || before.split(line).length !== 2) return null;
    const said = newSentence(scene);
    await machine.memory.edit(list, line, `- ${said.sentence}`);
    fleet.acknowledged.take(`${machine.name} replaced the line`, line);
    return `${[...wordsIn(line)].join(' ')} by ${acknowledge(scene, said, list)}`;
  }),
  act('remove its own page', 1, null, async (scene) => {
    const { machine, fleet } = scene;
    await beforeTaking(scene);
    const before = await readOrNull(machine, ownPage(machine));
    if (before === null) return null;
    await machine.memory.remove(ownPage(machine));
    fleet.acknowledged.take(`${machine.name} removed the page`, before);
    return [...wordsIn(before)].join(' ');
  }),
  act('forget', 2, null, async (scene) => {
    const { machine, fleet } = scene;
    await beforeTaking(scene);
    const record = pick(scene, await memories(scene));
    if (record === undefined) return null;
    await machine.memory.forget(record.id, { allowRemovals: true });
    fleet.acknowledged.take(`${machine.name} forgot it`, record.content);
    return [...wordsIn(record.content)].join(' ');
  }),
  act('touch or archive', 1, null, async (scene) => {
    const record = pick(scene, await memories(scene));
    if (record === undefined) return null;
    const verb = scene.next(2) === 0 ? 'touch' : 'archive';
    await scene.machine.memory.records[verb](record.id);
    return `${verb} ${[...wordsIn(record.content)].join(' ')}`;
  }),
  act('relate', 1, null, async (scene) => {
    const all = await memories(scene);
    const [from, to] = [pick(scene, all), pick(scene, all)];
    if (from === undefined || to === undefined || from === to) return null;
    await scene.machine.memory.records.relate(from.id, to.id, 'supports');
    return `${[...wordsIn(from.content)].join(' ')} to ${[...wordsIn(to.content)].join(' ')}`;
  }),
  act('split', 2, 'split and consolidate', async (scene) => {
    await beforeTaking(scene);
    const record = pick(
      scene,
      (await memories(scene)).filter(({ content }) => /\. The |\n/.test(content)),
    );
    if (record === undefined) return null;
    const parts = record.content.split(/(?<=\.)\s+/).filter((part) => part !== '');
    const { items } = await scene.machine.memory.records.split(record.id, parts);
    const contents = items.flatMap((item) => item.parts.map(({ content }) => content)).join(' ');
    if (items.length > 0) scene.fleet.acknowledged.take('split', record.content, contents);
    return [...wordsIn(record.content)].join(' ');
  }),
  act('consolidate', 1, 'split and consolidate', async (scene) => {
    await beforeTaking(scene);
    const all = await memories(scene);
    const [one, two] = [pick(scene, all), pick(scene, all)];
    if (one === undefined || two === undefined || one === two) return null;
    const { items } = await scene.machine.memory.records.consolidate({ ids: [one.id, two.id] });
    const contents = items.map(({ content }) => content).join(' ');
    if (items.length > 0) scene.fleet.acknowledged.take('consolidated', `${one.content} ${two.content}`, contents);
    return [...wordsIn(`${one.content} ${two.content}`)].join(' ');
  }),
  act('undo', 3, 'undo', async (scene) => {
    const { machine, fleet } = scene;
    const { commits } = await machine.memory.log({ limit: 10 });
    // Who takes back the rule of what is private wants it to lie open.
    const commit = pick(
      scene,
      commits.filter(({ operation, paths }) => operation !== 'init' && !paths.includes('memory.yaml')),
    );
    if (commit === undefined) return null;
    const { undone, conflicts } = await machine.memory.undo(commit.oid, { allowRemovals: true });
    const added = undone.map((oid) => wordsOfCommit(scene, oid).added).join(' ');
    fleet.acknowledged.take(`${machine.name} undid ${commit.oid.slice(0, 8)}`, added);
    return `${commit.subject}${conflicts.length > 0 ? ` conflicts: ${conflicts.join(' ')}` : ''}: ${added}`;
  }),
  act('undo the undo', 1, 'undo', async (scene) => {
    const { machine, fleet } = scene;
    const { undone } = await machine.memory.undo({ redo: true }, { allowRemovals: true });
    const added = undone.map((oid) => wordsOfCommit(scene, oid).added).join(' ');
    fleet.acknowledged.take(`${machine.name} undid an undo`, added);
    return undone.join(' ');
  }),
  act('commit', 3, null, async ({ machine }) => {
    const { commits, skipped } = await machine.memory.commit();
    return `${commits.length} commits${skipped.map(({ path, why }) => `; skipped ${path}: ${why}`).join('')}`;
  }),
  act('end and begin again', 1, null, async ({ machine }) => {
    await machine.end(false);
    await machine.open();
    return '';
  }),
  act('die and begin again', 2, 'crashes', async ({ machine }) => {
    await machine.end(true);
    await machine.open();
    return '';
  }),
  act('set the clock', 2, 'clocks', async ({ machine, next }) => {
    const days = next(2191) - 1095;
    machine.clock.pass(days * day);
    return `${days} days`;
  }),
  act('tag a milestone', 1, 'milestones', async ({ machine, step }) => {
    return (await machine.memory.snapshots.create(`at-${step}`)).tag;
  }),
  act('write on a branch', 2, 'branches', async (scene) => {
    const { machine, fleet, step } = scene;
    const known = [...fleet.branches].find(([, owner]) => owner === machine)?.[0];
    const name = known ?? `explore/${machine.name}${step}`;
    const branch = await machine.memory.branches.open(name, known === undefined ? { create: true } : {});
    fleet.branches.set(name, machine);
    try {
      const said = newSentence(scene);
      const { path } = await branch.remember({ content: said.sentence });
      await branch.commit();
      return `${name} ${acknowledge(scene, said, path, { branch: `${machine.name}:${name}` })}`;
    } finally {
      branch.dispose();
    }
  }),
  act('merge a branch', 1, 'branches', async ({ machine, fleet }) => {
    const name = [...fleet.branches].find(([, owner]) => owner === machine)?.[0];
    if (name === undefined) return null;
    return fleet.mergeBranch(machine, name);
  }),
  act('edit the list by hand', 3, 'hands', async (scene) => {
    const { machine, next } = scene;
    if (machine.placement === 'bare') return null;
    const said = newSentence(scene);
    machine.save(list, withLine(machine.file(list), said.sentence, next));
    return acknowledge(scene, said, list);
  }),
  act('commit by native git', 2, 'hands', async (scene) => {
    const { machine, next, step } = scene;
    if (machine.placement === 'bare') return null;
    const said = newSentence(scene);
    const path = `knowledge/reference/by-hand-${machine.name}.md`;
    machine.save(path, withLine(machine.file(path), said.sentence, next));
    const all = next(2) === 0;
    const added = machine.git('add', ...(all ? ['-A'] : [path]));
    const { status, stderr, stdout } = machine.git('commit', '-qm', `by hand ${step}`);
    if (added.status !== 0 || status !== 0) throw new Error(`git: ${added.stderr}${stderr}${stdout}`);
    return `${acknowledge(scene, said, path)}${all ? ' and all' : ''}`;
  }),
  act('remove by native git', 1, 'hands', async ({ machine, fleet, step }) => {
    const path = ownPage(machine);
    if (machine.placement === 'bare') return null;
    const before = machine.file(path);
    if (before === null || machine.git('rm', '-q', path).status !== 0) return null;
    const { status, stderr } = machine.git('commit', '-qm', `remove by hand ${step}`);
    if (status !== 0) throw new Error(`git: ${stderr}`);
    fleet.acknowledged.take(`${machine.name} removed the page by native git`, before);
    return [...wordsIn(before)].join(' ');
  }),
  act('append to a log by hand', 2, 'hands on logs', async (scene) => {
    const { machine, next } = scene;
    if (machine.placement === 'bare') return null;
    const said = newSentence(scene);
    const time = new Date(machine.clock.now()).toISOString();
    const today = time.slice(0, 10);
    if (next(2) === 0) {
      const path = `raw/daily/${today}.md`;
      machine.save(path, `${machine.file(path) ?? `# ${today}\n`}\n## ${time.slice(11, 16)}\n\n${said.sentence}\n`);
      return acknowledge(scene, said, path);
    }
    const path = `ledger/${today.slice(0, 4)}/${today.slice(5, 7)}/${today}.jsonl`;
    if (next(2) === 0) {
      // The engine has one that waits beside it, or has just written.
      const other = newSentence(scene, 'b');
      const { path: where } = await machine.memory.ledger.add({
        type: 'fact',
        priority: 'P1',
        content: other.sentence,
      });
      acknowledge(scene, other, where);
    }
    const before = machine.file(path) ?? '';
    const number = String(1 + before.split('\n').length - 1).padStart(3, '0');
    const event = {
      ...{ ts: `${time.slice(0, 19)}Z`, id: `EVT-${today.replaceAll('-', '')}-${number}`, type: 'fact' },
      ...{ priority: 'P1', content: said.sentence, source: 'live' },
    };
    machine.save(path, `${before}${JSON.stringify(event)}\n`);
    return `${acknowledge(scene, said, path)} ${event.id}`;
  }),
  act('the program remembers', 1, 'program', async (scene) => {
    const said = newSentence(scene);
    const { status, stdout, stderr } = await scene.machine.run('remember', said.sentence, '--json');
    if (status !== 0) return scene.fleet.judgeAnswer(stderr, stdout);
    return acknowledge(scene, said, JSON.parse(stdout).path);
  }),
  act('the program syncs', 1, 'program', async ({ machine, fleet }) => {
    await machine.line?.begin();
    const { status, stdout, stderr } = await machine.run('sync', '--json');
    return status === 0 ? JSON.parse(stdout).state : fleet.judgeAnswer(stderr, stdout);
  }),
  act('purge', 2, 'purge', async (scene) => {
    const { machine, fleet } = scene;
    if (!fleet.mayPurge(machine)) return null;
    // Mostly what it said itself, which it has for sure.
    const isAnybodys = scene.next(4) === 0;
    const held = [...fleet.acknowledged.words.values()].filter(
      ({ isPurged, branch, machine: by }) => !isPurged && !branch && (isAnybodys || by === machine.name),
    );
    const word = pick(scene, held);
    if (word === undefined) return null;
    await machine.memory.purge({ text: word.sentence });
    word.isPurged = true;
    fleet.purged.push({ word: word.word, sentence: word.sentence, by: machine });
    return word.word;
  }),
  act('make people private', 2, 'private', async ({ machine, fleet }) => {
    if (!machine.hasKey || fleet.acknowledged.keys.length > 0) return null;
    await machine.memory.keys.new({ paths: ['knowledge/people/**'] });
    return '';
  }),
  act('write about a person', 3, 'private', async (scene) => {
    if (!(await isPrivateHere(scene))) return null;
    return appendTo(scene, privatePage, true);
  }),
  act('write about a person by hand', 2, 'hands on private pages', async (scene) => {
    const { machine, fleet, next, step } = scene;
    if (machine.placement === 'bare' || !machine.hasKey || !(await isPrivateHere(scene))) return null;
    const before = machine.file(privatePage);
    if (before === null) return null;
    if (isSealed(Buffer.from(before)))
      fleet.problem(`${privatePage} lies sealed in the work tree of ${machine.name}, which has the key`);
    const said = newSentence(scene);
    fleet.acknowledged.hidden.add(said.word);
    machine.save(privatePage, withLine(before, said.sentence, next));
    if (next(2) === 0) return acknowledge(scene, said, privatePage, { isPrivate: true });
    const { status, stderr } = machine.git('commit', '-qm', `about ada ${step}`, '--', privatePage);
    return `${acknowledge(scene, said, privatePage, { isPrivate: true })}${status === 0 ? ' committed' : ` ${stderr}`}`;
  }),
  act('a bomb is pushed', 1, 'bombs', async ({ fleet }) => {
    if (fleet.intruder.tip === null || fleet.intruder.hasBomb) return null;
    fleet.intruder.bomb();
    return '';
  }),
  act('the operator looks after the remote', 3, 'bombs', async ({ fleet }) => {
    if (!fleet.intruder.hasBomb) return null;
    fleet.intruder.takeBack();
    return 'the bomb is gone';
  }),
  act('a page of an impossible time is pushed', 1, 'times', async (scene) => {
    const { fleet, step } = scene;
    if (fleet.intruder.tip === null || fleet.intruder.hasBomb) return null;
    const said = newSentence(scene);
    fleet.intruder.page(`t${step}.md`, `# Page\n\n- ${said.sentence}\n`, 99_999_999_999_999);
    return acknowledge(scene, said, `pages/t${step}.md`);
  }),
  act('a false epoch is pushed', 1, 'epochs', async ({ fleet }) => {
    if (fleet.intruder.tip === null || fleet.intruder.hasBomb || fleet.hasFalseEpoch) return null;
    fleet.intruder.epoch(999);
    fleet.hasFalseEpoch = true;
    return '';
  }),
];
