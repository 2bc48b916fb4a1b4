// Three whole memories, told by a clock and ids of their own, byte for byte: what is said and remembered, the commits that keep it, and what
// history, undo and sync answer. What is made of it, such as claims of an extraction and pages for reading, may change and is left out.
//
//   npx vitest run test/golden -u    writes the files anew: look at what changes, and say why in the commit

import { describe, expect, it } from 'vitest';
import { type Memory, openMemory } from '../../src/memory/open-memory.ts';
import { bareRepository } from '../helpers/git-server.ts';
import { countingIds, ManualClock, newTestMemory } from '../helpers/memories.ts';
import { fsck, git, hasGit } from '../helpers/native-git.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

/** Operations whose commits hold what was made of what was said. */
const derived = /^Operation: (extract|condense|maintain|consolidate|journal|rollup|night|pack)/m;

/** A commit as it stands, with the files that nobody derived. */
function commitLines(directory: string, oid: string): string[] {
  const [tree, author, authored, committed, ...message] = git(
    directory,
    'show',
    '--no-patch',
    '--format=%T%n%an <%ae>%n%aI%n%cI%n%B',
    oid,
  )
    .trimEnd()
    .split('\n');
  const raw = git(directory, 'ls-tree', tree!, 'raw').split('\t')[0]!.trim() || 'none';
  if (derived.test(message.join('\n'))) return [];
  const changes = git(directory, 'diff-tree', '-m', '--root', '--no-commit-id', '-r', '--no-renames', oid)
    .split('\n')
    .filter(
      (line) => /\t(raw|knowledge|memories|state\/held|memory\.yaml|CHANGELOG|TODO)/.test(line) && !isDerivedPage(line),
    );
  return [
    `${committed} ${author}${authored === committed ? '' : ` at ${authored}`}; raw ${raw}`,
    ...message,
    ...changes,
  ];
}

const isDerivedPage = (line: string) =>
  /\tknowledge\/(journal|months|entities|people|consolidation-reports|reference\/20)|\/[0-9a-f]{32}\.json/.test(line);

function commitsOf(directory: string, branch: string): string {
  const oids = git(directory, 'rev-list', '--reverse', '--topo-order', branch).trim().split('\n');
  return oids
    .map((oid) => commitLines(directory, oid).join('\n'))
    .filter((lines) => lines !== '')
    .join('\n\n');
}

/** The files that nobody derived, whole. */
async function filesOf(memory: Memory): Promise<string> {
  const paths = (await memory.files()).filter(
    (path) => /^(raw|knowledge|memories|CHANGELOG|TODO|memory\.yaml)/.test(path) && !isDerivedPage(`\t${path}`),
  );
  return (await Promise.all(paths.map(async (path) => `── ${path}\n${await memory.read(path)}`))).join('\n');
}

const answerText = (name: string, answer: unknown) => `── ${name}\n${JSON.stringify(answer, null, 1)}`;
const turn = (speaker: string, text: string, role: 'user' | 'assistant' = 'user') => ({ role, speaker, text });

/** Names what was committed after something was derived, for whose ids it changes: each commit, and each tree but that of raw/. */
function withoutIds(text: string, directory: string): string {
  let count = 0;
  const oids = git(directory, 'rev-list', '--reverse', '--topo-order', '--all').trim().split('\n');
  const names = new Map<string, string>();
  for (const oid of oids) {
    const [tree, ...message] = git(directory, 'show', '--no-patch', '--format=%T%n%B', oid).split('\n');
    const isDerived = derived.test(message.join('\n'));
    if (!isDerived) count += 1;
    names.set(tree!, 'TREE').set(oid, isDerived ? 'DERIVED' : `COMMIT ${count}`);
  }
  const plain = text.replace(/(?<=Sequence(: |",\s+"value": "))\d+|(?<=[0-9a-f]{12}-)\d+/g, 'N');
  return [...names].reduce((all, [oid, name]) => all.replaceAll(oid, name).replaceAll(oid.slice(0, 12), name), plain);
}

const newestOf = async (memory: Memory, path: string) => (await memory.log({ path })).commits[0]!.oid;

/** Begins a repository whose commits are Ada's, wherever the tests run. */
function ownRepository(directory: string): string {
  git(directory, 'init', '--quiet', '--initial-branch', 'main');
  git(directory, 'config', 'user.name', 'Ada');
  git(directory, 'config', 'user.email', 'ada@example.org');
  return directory;
}

describe.runIf(hasGit)('a golden memory', () => {
  it('of somebody who talks a lot', async () => {
    const { memory, clock, directory } = await newTestMemory({ dir: ownRepository(temporaryFolder()) });
    const answers: string[] = [];
    const said = await memory.capture({
      session: 'kitchen',
      topic: 'kitchen',
      messages: [
        turn('Ada', 'The tiles for the kitchen arrive on 2026-03-02.\n\nPlease keep that.'),
        turn('Bot', 'Noted: the tiles arrive on 2026-03-02.', 'assistant'),
        turn('Ada', 'My code for the gate is 7714. 🙂 Größe: 3 m²'),
      ],
    });
    clock.advance({ hours: 1 });
    const tiles = await memory.remember({
      content: 'Tiles come from Faro',
      subject: 'kitchen',
      attribute: 'tiles',
      category: 'fact',
      source: `${said.path}#1`,
      tags: ['house'],
    });
    clock.advance({ hours: 1 });
    await memory.remember({
      content: 'Tiles come from Brno',
      subject: 'kitchen',
      attribute: 'tiles',
      category: 'fact',
    });
    await memory.extract();
    clock.advance({ days: 1 });
    const session = await memory.startSession({ session: 'walk', topic: 'walk', agent: 'scout' });
    for (const text of ['The gate is painted green.', 'Bo waters the lemon tree each Friday.']) {
      await session.message('user', text, { speaker: 'Bo' });
      clock.advance({ minutes: 3 });
    }
    await session.toolCall('weather', '{"town":"Brno"}', 'rain');
    await session.end();
    await memory.snapshots.create('before-the-move');
    await memory.write('knowledge/reference/paint.md', '# Paint\n\n- Gate: green\n- Door: white\n');
    await memory.edit('knowledge/reference/paint.md', 'white', 'grey');
    await memory.commit('Paint of the house');
    clock.advance({ days: 1 });
    await memory.maintenance.night();
    await memory.commit();
    clock.advance({ days: 1 });
    await memory.forget(tiles.id!);
    await memory.commit();
    clock.advance({ hours: 1 });
    answers.push(answerText('undo of a forgetting', await memory.undo(await newestOf(memory, tiles.path))));
    clock.advance({ hours: 1 });
    answers.push(
      answerText('undo of a page', await memory.undo(await newestOf(memory, 'knowledge/reference/paint.md'))),
    );
    answers.push(answerText('blame', await memory.blame(said.path)));
    answers.push(answerText('provenance', await memory.provenance(tiles.id!)));
    answers.push(answerText('log of a memory', await memory.log({ path: tiles.path })));
    answers.push(
      answerText('diff', await memory.diff('before-the-move', 'HEAD', { path: 'knowledge/reference/paint.md' })),
    );
    const past = await memory.at('before-the-move');
    answers.push(answerText('the past', await past.read(tiles.path)));
    await expectGolden('talk', { directory, memory, answers, isDerived: true });
  });

  it('of a project', async () => {
    const directory = ownRepository(temporaryFolder());
    const { memory, clock } = await newTestMemory({ dir: directory, placement: 'project' });
    const answers: string[] = [];
    await memory.project.deploy(5);
    await memory.commit('begin');
    await memory.project.change({ type: 'create', scope: 'api', summary: 'the api', details: { entity: 'api' } });
    clock.advance({ hours: 2 });
    await memory.project.change({
      type: 'decision',
      scope: 'api',
      summary: 'answers are pages',
      details: { entity: 'api', rationale: 'lists grew', alternatives: 'streams' },
      refs: ['evt-001'],
    });
    await memory.project.task({ add: 'Measure the pages' });
    await memory.commit('pages');
    clock.advance({ days: 1 });
    await memory.project.shutdown([
      { type: 'fix', scope: 'api', summary: 'the last page ends', details: { entity: 'api' } },
    ]);
    await memory.commit('last page');
    answers.push(answerText('changes', await memory.project.changes()));
    answers.push(answerText('tasks', await memory.project.todo()));
    answers.push(answerText('check', await memory.ledger.check()));
    answers.push(answerText('undo', await memory.undo(await newestOf(memory, 'TODO.md'))));
    await memory.commit();
    await expectGolden('project', { directory, memory, answers });
  });

  it('of four machines', async () => {
    const remote = bareRepository(temporaryFolder());
    const clock = new ManualClock();
    const machines: { memory: Memory; directory: string }[] = [];
    const answers: string[] = [];
    for (const name of ['oak', 'elm', 'ash', 'fir']) {
      const directory = ownRepository(temporaryFolder());
      const memory = await openMemory({
        dir: directory,
        create: true,
        durability: 'fast',
        clock,
        ids: countingIds(name),
      });
      machines.push({ memory, directory });
      clock.advance({ minutes: 1 });
      answers.push(answerText(`${name} meets the remote`, await memory.sync({ remote })));
    }
    for (const [at, { memory }] of machines.entries()) {
      clock.advance({ hours: 1 });
      await memory.capture({
        session: `talk-${at}`,
        topic: 'talk',
        messages: [turn('Ada', `Machine ${at} was here.`)],
      });
      await memory.remember({ content: `Machine ${at} has ${at + 4} cores`, category: 'fact', tags: [`m${at}`] });
      await memory.write('knowledge/reference/shelf.md', `# Shelf\n\n- Place: ${at}\n- Height: 2 m\n`);
      await memory.ledger.add({ content: `decided at ${at}`, type: 'decision', entity: 'shelf' });
      await memory.commit();
    }
    for (const round of [1, 2]) {
      for (const [at, { memory }] of machines.entries()) {
        clock.advance({ minutes: 5 });
        answers.push(answerText(`machine ${at}, sync ${round}`, await memory.sync()));
      }
    }
    const [first, , third] = machines;
    const { memories } = await third!.memory.list({ tag: 'm0' });
    await third!.memory.forget(memories[0]!.id);
    await third!.memory.commit();
    clock.advance({ hours: 1 });
    answers.push(answerText('the forgetting goes', await third!.memory.sync()));
    answers.push(answerText('and comes', await first!.memory.sync()));
    answers.push(
      answerText('undo of what came', await first!.memory.undo(await newestOf(third!.memory, memories[0]!.path))),
    );
    for (const { memory } of machines.slice(1)) await memory.close();
    await expectGolden('machines', { ...first!, answers, folders: [remote] });
  });
});

interface Golden {
  readonly directory: string;
  readonly memory: Memory;
  readonly answers: readonly string[];
  /** Folders whose names differ from run to run. */
  readonly folders?: readonly string[];
  /** Whether ids of commits follow from what may change; else they are a part of it. */
  readonly isDerived?: boolean;
}

async function expectGolden(name: string, { directory, memory, answers, folders = [], isDerived }: Golden) {
  const whole = [commitsOf(directory, memory.branchName), await filesOf(memory), ...answers].join('\n\n');
  const text = [directory, ...folders].reduce((all, folder, at) => all.replaceAll(folder, `FOLDER-${at}`), whole);
  expect(fsck(directory)).toBe('');
  await memory.close();
  await expect(`${isDerived ? withoutIds(text, directory) : text}\n`).toMatchFileSnapshot(`${name}.golden.txt`);
}
