// What sessions on branches taught, seen from what is checked out: recall and context have what was learnt here first, and say of the rest where.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { answerTo } from '../../../src/apps/hook/answer.ts';
import { plainStyle } from '../../../src/apps/verbs/style.ts';
import { keepSession } from '../../../src/memory/kept-sessions.ts';
import { parseBranchNotes } from '../../../src/store/records/branch-notes.ts';
import { verbNamed } from '../../apps/verbs/context.ts';
import { codingSession } from '../../helpers/coding-session.ts';
import { newTestMemory } from '../../helpers/memories.ts';
import { git, hasGit } from '../../helpers/native-git.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

/** A kiln whose code is changed on a branch for each way to hold its heat, and a memory on a branch beside. */
async function kiln() {
  const dir = temporaryFolder();
  const run = (...args: string[]) => git(dir, ...args);
  const file = path.join(dir, 'kiln.ts');
  run('init', '-q', '-b', 'main');
  fs.writeFileSync(file, Array.from({ length: 60 }, (_, line) => `step(${line});\n`).join(''));
  run('add', '-A');
  run('commit', '-qm', 'Begin');
  const { memory } = await newTestMemory({ dir, placement: 'branch' });
  let sessions = 0;
  /** Works on a branch of two commits, and keeps the session. */
  const work = async (branch: string, line: number, said: string) => {
    if (branch !== 'main') run('switch', '-qc', branch, 'main');
    const before = fs.readFileSync(file, 'utf8');
    const [old, now] = [`step(${line});`, `step(${line}, '${branch}');`];
    const session = `5e5510${++sessions}`;
    const start = `2026-03-0${sessions}T10:00:00Z`;
    const told = codingSession({ cwd: dir, session, start, branch }).says(said).edits('kiln.ts', old, now);
    fs.writeFileSync(file, before.replace(old, now));
    run('commit', '-qam', `Hold at ${line}`);
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(`step(${line + 1});`, `step(${line + 1}, 2);`));
    run('commit', '-qam', `Hold at ${line + 1}`);
    const log = path.join(temporaryFolder(), `${session}.jsonl`);
    fs.writeFileSync(log, told.runs('npm test', 'ok').answers('Done.').text());
    await keepSession(memory, log, true);
    if (branch !== 'main') run('switch', '-q', 'main');
  };
  return { memory, run, work };
}

const question = 'how long does the kiln hold its glaze heat';

describe.skipIf(!hasGit)('what was learnt on a branch', () => {
  it('comes behind what was learnt here, and says so in recall and context', async () => {
    const { memory, work } = await kiln();
    await work('main', 5, 'The kiln holds its glaze heat for 40 minutes.');
    await work('slower', 20, 'How long the kiln does hold its glaze heat: the kiln holds glaze heat 90 minutes.');
    const { hits } = await memory.recall(question);
    const said = hits.filter(({ role }) => role === 'user');
    expect(said.map(({ snippet, learnt }) => [snippet.includes('40'), learnt])).toEqual([
      [true, undefined],
      [false, { standing: 'elsewhere', branch: 'slower' }],
    ]);
    expect(said[1]!.score).toBeLessThanOrEqual(said[0]!.score);
    const shown = verbNamed('recall').text(await memory.recall(question), plainStyle);
    expect(shown).toContain('learnt on slower, not merged here');
    const { text } = await memory.context(question);
    expect(text).toMatch(/user \(on slower, not merged here\): .*90 minutes/);
    expect(text).toMatch(/user: .*40 minutes/);
  });

  it('is told turn by turn of a session that went from branch to branch before its work was committed', async () => {
    const { memory, run } = await kiln();
    const dir = run('rev-parse', '--show-toplevel').trim();
    const log = path.join(temporaryFolder(), '5e5510aa.jsonl');
    const ask = (prompt: string) =>
      answerTo(
        { moment: 'asks', name: 'UserPromptSubmit', isAgain: false, session: 'else', prompt },
        async () => memory,
      );
    for (const [at, [branch, said, minutes]] of [
      ['slower', 'From now on the kiln holds its glaze heat for 90 minutes.', 90],
      ['main', 'From now on the door of the kiln stays shut below 200 degrees.', 200],
    ].entries() as IterableIterator<[number, [string, string, number]]>) {
      if (branch !== 'main') run('switch', '-qc', branch);
      const told = codingSession({ cwd: dir, session: '5e5510aa', start: `2026-03-01T1${at}:00:00Z`, branch })
        .says(said)
        .edits('kiln.ts', `step(${minutes / 10});`, `step(${minutes});`);
      fs.writeFileSync(
        path.join(dir, 'kiln.ts'),
        fs.readFileSync(path.join(dir, 'kiln.ts'), 'utf8').replace(`step(${minutes / 10});`, `step(${minutes});`),
      );
      fs.appendFileSync(log, told.text().replaceAll('-0000-4000-', `-000${at}-4000-`));
      await keepSession(memory, log, false);
      run('commit', '-qam', said);
      if (branch !== 'main') run('switch', '-q', 'main');
    }
    run('branch', '-qD', 'slower');
    run('reflog', 'expire', '--expire=now', '--all');
    run('gc', '-q', '--prune=now');
    const { text } = await memory.sessionStart({ day: '2026-03-02' });
    expect(text).toContain('the user (on slower, which was never merged): From now on the kiln holds its glaze heat');
    expect(text).toMatch(/the user: From now on the door/);
    expect((await memory.about('kiln.ts')).text).toContain('90 minutes.” (on the branch slower, which is gone)');
    expect(JSON.stringify(await ask(question))).toContain('90 minutes. (on the branch slower, which is gone)');
    // A line comes once.
    expect(await ask(question)).toEqual({});
  });

  it('has landed with its branch, also when that is gone from git', async () => {
    const { memory, run, work } = await kiln();
    await work('slower', 20, 'The kiln holds its glaze heat for 90 minutes.');
    await work('faster', 40, 'The kiln holds its glaze heat for 10 minutes.');
    run('merge', '-q', '--squash', 'slower');
    run('commit', '-qm', 'Slower');
    for (const branch of ['slower', 'faster']) run('branch', '-qD', branch);
    run('reflog', 'expire', '--expire=now', '--all');
    run('gc', '-q', '--prune=now');
    const notes = parseBranchNotes((await memory.read('state/branches.jsonl')) ?? '');
    expect(notes.map(({ branch, patches }) => [branch, Object.keys(patches).length])).toEqual([
      ['slower', 2],
      ['faster', 2],
    ]);
    const { hits } = await memory.recall(question);
    const standings = hits.filter(({ role }) => role === 'user').map(({ learnt }) => learnt);
    expect(standings).toEqual([
      { standing: 'landed', branch: 'slower' },
      { standing: 'lost', branch: 'faster' },
    ]);
    expect((await memory.context(question)).text).toContain('(on faster, which was never merged)');
  });

  it('is judged by the branch of a session that is brought in long after', async () => {
    const { memory, run, work } = await kiln();
    await work('slower', 20, 'The kiln cools behind a closed door.');
    await work('faster', 40, 'The kiln cools with an open door.');
    run('merge', '-q', '--no-ff', '-m', 'Slower', 'slower');
    const before = new Date(Number(run('log', '-1', '--format=%ct', 'main~1')) * 1000 - 86_400_000).toISOString();
    const rows = [
      ['main', '2025-01-07T10:00:00Z', 'the glaze is ash', undefined],
      ['slower', '2027-03-01T10:00:00Z', 'the glaze is tin', 'landed'],
      ['faster', '2027-03-01T10:00:00Z', 'the glaze is salt', 'elsewhere'],
      ['faster', before, 'the glaze is lead', 'landed'],
      ['never', '2025-03-01T10:00:00Z', 'the glaze is iron', undefined],
    ] as const;
    const dir = run('rev-parse', '--show-toplevel').trim();
    const sessions = rows.map(([branch, start, said], at) => {
      const told = codingSession({ cwd: dir, session: `01d5e550${at}`, start, branch }).says(`We said that ${said}.`);
      return {
        path: `${at}.jsonl`,
        text: told.edits('kiln.ts', 'step(1);', `step(1, ${at});`).answers('Done.').text(),
      };
    });
    await memory.import(sessions);
    const { hits } = await memory.recall('what is the glaze made of', { limit: 20 });
    for (const [branch, , said, standing] of rows) {
      const hit = hits.find(({ role, snippet }) => role === 'user' && snippet.includes(said));
      expect([said, hit?.learnt]).toEqual([said, standing && { standing, branch }]);
    }
  });

  it('is offered for review when the branch is gone without a merge', async () => {
    const { memory, run, work } = await kiln();
    await work('slower', 20, 'We decided that the kiln holds its glaze heat for 90 minutes.');
    await work('main', 40, 'We decided that the kiln door stays shut below 200 degrees.');
    await memory.extract();
    expect((await memory.review()).counts.unmerged).toBe(0);
    run('branch', '-qD', 'slower');
    const { cards, counts } = await memory.review({ only: ['unmerged'] });
    expect(counts.unmerged).toBeGreaterThan(0);
    expect(cards[0]).toMatchObject({ why: 'unmerged', because: 'learnt on the branch slower, which was never merged' });
    expect(cards.map(({ content }) => content).join(' ')).not.toContain('door');
    await memory.verdict('keep', cards[0]!.id);
    expect((await memory.review({ only: ['unmerged'] })).counts.unmerged).toBe(counts.unmerged - 1);
  });
});
