import { describe, expect, it } from 'vitest';
import { newTestMemory } from '../helpers/memories.ts';
import { git, hasGit } from '../helpers/native-git.ts';

const chat = [
  'We decided to move the invoice service of the Falcon project to Postgres because SQLite locks up.',
  'Lesson learned: a migration without a rollback script cost us four hours.',
  'Nora is my wife, she works as a nurse. Maria prefers short pull requests over long ones. Jonas is my cousin and our platform lead.',
  'To deploy the site:\n1. build it\n2. tag the release',
  "I'll send Jonas the migration plan by Friday. The CI runs on Node 20.",
];
const say = (texts: readonly string[], session: string, topic = 'standup') => ({
  messages: texts.map((text) => ({ role: 'user', text })),
  session,
  topic,
});

describe('what is extracted', () => {
  it('also becomes lines of knowledge, each with its turn, in the commit of its conversation', async () => {
    const { memory, directory } = await newTestMemory();
    const { path } = await memory.capture(say(chat, 's1'));
    const { transcripts } = await memory.extract();
    const source = (turn: number) => `[source: ${path}#${turn}]`;
    const owner = (words: string) => transcripts[0]!.created.find(({ content }) => content === words)?.id;
    expect(await memory.read('knowledge/projects/falcon/context.md')).toContain(
      `## Key Decisions\n\n- 2026-02-16 the user: ${chat[0]} ${source(1)} [memory: ${owner(chat[0]!)}]\n`,
    );
    expect(await memory.read('knowledge/insights/lessons.md')).toContain(
      `- 2026-02-16 the user: ${chat[1]} ${source(2)}`,
    );
    expect(await memory.read('knowledge/people/nora.md')).toContain(
      `## Relations\n\n- 2026-02-16 the user: Nora is my wife, she works as a nurse. ${source(3)} [verified: 2026-02-16]`,
    );
    expect(await memory.read('knowledge/people/jonas.md')).toContain(
      '# Jonas\n\n## Relations\n\n- 2026-02-16 the user: Jonas is my cousin and our platform lead.',
    );
    expect(await memory.read('knowledge/people/maria.md')).toContain(
      '## Communication\n\n- 2026-02-16 the user: Maria prefers',
    );
    expect(await memory.read('knowledge/procedures/to-deploy-the-site.md')).toContain(
      '1. build it\n2. tag the release\n',
    );
    expect(await memory.read('knowledge/projects/falcon/notes.md')).toContain(
      '## standup\n\n- 2026-02-16 the user: The CI runs on Node 20.',
    );
    const journal = await memory.read('knowledge/journal/2026-02-16.md');
    expect(journal).toContain('## 2026-02-16\n\n### standup\n\n- 2026-02-16 the user: We decided');
    expect(journal).toContain(`[due: 2026-02-20] ${source(5)}`);
    const { commits } = await memory.log({ path: 'knowledge/people/nora.md' });
    expect(commits.map(({ oid }) => oid)).toEqual([transcripts[0]!.commit]);
    if (hasGit) expect(git(directory, 'status', '--porcelain')).toBe('');
  });

  it('adds nothing when it is extracted again, nor words that stand there already', async () => {
    const { memory } = await newTestMemory();
    const { path } = await memory.capture(say(chat, 's1'));
    await memory.extract();
    const tip = memory.tip;
    await memory.extract({ from: path });
    expect(memory.tip).toBe(tip);
    await memory.capture(say(chat.slice(0, 2), 's2', 'retro'));
    await memory.extract();
    const lessons = await memory.read('knowledge/insights/lessons.md');
    expect(lessons?.match(/rollback/g)).toHaveLength(1);
  });

  it('was true once more when it is said again, and links names that have a file', async () => {
    const { memory, clock } = await newTestMemory();
    await memory.capture(say(chat, 's1'));
    await memory.extract();
    const nora = async () => (await memory.read('knowledge/people/nora.md'))!;
    expect(await nora()).toContain('[verified: 2026-02-16]');
    clock.advance({ days: 10 });
    const second = await memory.capture(
      say([chat[2]!, 'The CI runs on Node 20.', 'Lesson learned: ask Jonas before a release.'], 's2', 'retro'),
    );
    await memory.extract();
    expect(await nora()).toMatch(
      /Nora is my wife, she works as a nurse\. \[source: [^\]]*#3\] \[verified: 2026-02-26\] \[memory: [^\]]+\]\n/,
    );
    expect(await nora()).toContain('updated: 2026-02-26');
    expect((await nora()).match(/nurse/g)).toHaveLength(1);
    expect(await memory.read('knowledge/insights/lessons.md')).toContain('ask [[jonas|Jonas]] before a release');
    await memory.undo({ session: second.path });
    expect(await nora()).toContain('[verified: 2026-02-16]');
  });

  it('has the same kind of line on each page, with its day and who says it', async () => {
    const { memory } = await newTestMemory();
    await memory.capture(
      say(['Nora is my wife, she works as a nurse.', 'I will send Nora the plan by 2026-03-01.'], 's1'),
    );
    await memory.extract();
    await memory.maintenance.night();
    const page = await memory.read('knowledge/people/nora.md');
    expect(page).toMatch(/## Relations\n\n- 2026-02-16 the user: Nora is my wife/);
    expect(page).toMatch(
      /## Active Context\n\n- 2026-02-16 the user: I will send Nora the plan by 2026-03-01\. \(due 2026-03-01\)/,
    );
  });

  it('names whom a sentence begins with, once anything else has named them', async () => {
    const { memory, clock } = await newTestMemory();
    const entitiesOf = async (words: string) => {
      const { path } = await memory.capture(say([words], `s${clock.now()}`, 'demo'));
      await memory.extract();
      clock.advance({ days: 1 });
      const { memories } = await memory.list();
      return memories
        .filter(({ sources = [] }) => sources.some((one) => one.path === path))
        .flatMap((one) => one.entities);
    };
    const moved = 'moved the demo to 2026-03-24, so the deadline is the 24th.';
    expect(await entitiesOf(`Odile ${moved}`)).toEqual([]);
    expect(await entitiesOf('We decided to show the import to Odile on 2026-03-20.')).toEqual(['Odile']);
    expect(await entitiesOf(`Odile ${moved} We decided that.`)).toEqual(['Odile']);
    await memory.write('knowledge/people/pavel.md', '# Pavel\n');
    expect(await entitiesOf(`Pavel ${moved}`)).toEqual(['Pavel']);
    expect(await entitiesOf(`Sadly ${moved} We decided that, too.`)).toEqual([]);
  });

  it('is taken back with its session: what others added since, and what people wrote, stays', async () => {
    const { memory, directory } = await newTestMemory();
    const first = await memory.capture(say(chat, 's1'));
    await memory.extract();
    await memory.capture(say(['Lesson learned: ask before a schema change.', 'Leo is my brother.'], 's2', 'retro'));
    await memory.extract();
    const notes = (await memory.read('knowledge/people/nora.md'))!;
    await memory.write('knowledge/people/nora.md', `${notes}- Likes tea\n`);
    await memory.commit();
    const undone = await memory.undo({ session: first.path });
    expect(undone.conflicts).toEqual([]);
    expect(await memory.read('knowledge/insights/lessons.md')).toMatch(
      /^---\n[\s\S]*## Lessons\n\n- 2026-02-16 the user: Lesson learned: ask before/,
    );
    expect(await memory.read('knowledge/insights/lessons.md')).not.toContain('rollback');
    expect(await memory.read('knowledge/people/nora.md')).toMatch(/## Relations\n\n- Likes tea\n$/);
    expect(await memory.read('knowledge/people/leo.md')).toContain('the user: Leo is my brother');
    await expect(memory.read('knowledge/people/maria.md')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await memory.read('knowledge/journal/2026-02-16.md')).not.toContain('standup');
    expect(await memory.read('knowledge/journal/2026-02-16.md')).not.toContain('Jonas');
    await memory.undo({ redo: true });
    expect(await memory.read('knowledge/insights/lessons.md')).toContain('rollback');
    if (hasGit) expect(git(directory, 'status', '--porcelain')).toBe('');
  });

  it('is taken back in any order', async () => {
    const { memory } = await newTestMemory();
    const paths: string[] = [];
    for (const [at, topic] of ['one', 'two', 'three', 'four'].entries()) {
      const { path } = await memory.capture(
        say(
          [`Lesson learned: number ${at} tells us to look twice.`, `We decided to use tool number ${at}.`],
          `s${at}`,
          topic,
        ),
      );
      await memory.extract();
      paths.push(path);
    }
    for (const at of [1, 0, 3, 2]) {
      expect((await memory.undo({ session: paths[at]! })).conflicts, `${at}`).toEqual([]);
      if (at !== 2) {
        expect(await memory.read('knowledge/insights/lessons.md')).not.toContain(`number ${at}`);
        expect(await memory.read('knowledge/journal/2026-02-16.md')).toContain('### three');
      }
    }
    expect((await memory.list()).memories).toEqual([]);
    // The frame stays, for it was not the last one's; a file that its own undo empties goes.
    expect(await memory.read('knowledge/insights/lessons.md')).toMatch(/## Lessons\n\s*$/);
  });

  it('leaves knowledge alone where memory.yaml says so', async () => {
    const { memory } = await newTestMemory({}, 'extract:\n  knowledge: false\n');
    await memory.commit();
    await memory.capture(say(chat, 's1'));
    const { transcripts } = await memory.extract();
    expect(transcripts[0]!.created.length).toBeGreaterThan(4);
    await expect(memory.read('knowledge/people/nora.md')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is no knowledge when anybody may have written it', async () => {
    const { memory } = await newTestMemory();
    await memory.capture({
      ...say(['Nora is my wife, she works as a nurse.', 'The CI runs on Node 20.'], 's1'),
      channel: 'web',
    });
    const { transcripts } = await memory.extract();
    expect(transcripts[0]!.created.length).toBeGreaterThan(0);
    await expect(memory.read('knowledge/people/nora.md')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(memory.read('knowledge/reference/2026-02.md')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('never lets words name a source, a file or a heading', async () => {
    const { memory } = await newTestMemory();
    const words = 'My wife Nora/../../x is [source: raw/daily/2020-01-01.md] ## here.';
    await memory.capture(
      say([words, 'Lesson learned: never trust [Source: a.md] words in notes.'], 's1', '# Top\n## two'),
    );
    await memory.extract();
    const lessons = (await memory.read('knowledge/insights/lessons.md'))!;
    expect(lessons.match(/\[source:/gi)).toHaveLength(1);
    const journal = (await memory.read('knowledge/journal/2026-02-16.md'))!;
    expect(journal.split('\n').filter((line) => line.startsWith('#'))).toEqual(['## 2026-02-16', '### Top two']);
  });
});
