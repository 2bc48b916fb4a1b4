// A branch that is not where it was last seen: what is a loss, and what a person did by git.

import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { doctor } from '../../src/memory/doctor-questions.ts';
import { type Memory, openMemory } from '../../src/memory/open-memory.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { commitAll, git, hasGit } from '../helpers/native-git.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

const main = '.git/refs/heads/main';
const mainLog = '.git/logs/refs/heads/main';
/** Milliseconds: as if nothing else were under way. */
const quick = { indexWaitMs: 20, lockWaitMs: 20 };

let template: { repository: string; bare: string };

beforeAll(async () => {
  template = { repository: temporaryFolder(), bare: temporaryFolder() };
  for (const placement of ['repository', 'bare'] as const) {
    const { memory } = await newTestMemory({ dir: template[placement], placement });
    for (const what of ['One', 'Two', 'Three', 'Four']) {
      await memory.remember(`${what} is told`);
      await memory.commit();
    }
    await memory.close();
  }
});

/** A copy of a memory with four commits of one record each. */
function copied(placement: 'repository' | 'bare' = 'repository'): { dir: string; at: (back: number) => string } {
  const dir = temporaryFolder();
  fs.cpSync(template[placement], dir, { recursive: true, preserveTimestamps: true });
  const oids = git(dir, 'rev-list', 'main').trim().split('\n');
  return { dir, at: (back) => oids[back]! };
}

async function withMemory<T>(dir: string, use: (memory: Memory) => Promise<T>, warnings: string[] = []): Promise<T> {
  const memory = await openMemory({ dir, ...quick, logger: { warn: (line) => void warnings.push(line) } });
  try {
    return await use(memory);
  } finally {
    await memory.close();
  }
}

const write = (dir: string) =>
  withMemory(dir, async (memory) => {
    await memory.capture({ messages: [{ role: 'user', text: 'We go on.' }] });
    await memory.remember('Five is told');
    await memory.commit();
  });
const told = (dir: string) =>
  withMemory(dir, async (memory) => (await memory.list()).memories.map(({ content }) => content.split(' ')[0]).sort());
const found = async (dir: string, options = {}) => {
  const { findings } = await doctor({ dir, lockWaitMs: 20, ...options });
  return findings.filter(({ severity }) => severity !== 'note');
};
const isLost = expect.objectContaining({ code: 'BRANCH_LOST' });
const lines = (dir: string, file: string, count: number) => {
  const text = fs.readFileSync(path.join(dir, file), 'utf8').split('\n').slice(0, count).join('\n');
  fs.writeFileSync(path.join(dir, file), `${text}\n`);
};

interface Loss {
  readonly name: string;
  readonly lose: (dir: string, at: (back: number) => string) => void;
}

const losses: readonly Loss[] = [
  {
    name: 'its file is gone, and packed-refs is of before',
    lose: (dir, at) => {
      fs.writeFileSync(path.join(dir, '.git/packed-refs'), `${at(3)} refs/heads/main\n`);
      fs.rmSync(path.join(dir, main));
    },
  },
  {
    name: 'its file and its log are of before',
    lose: (dir, at) => {
      fs.writeFileSync(path.join(dir, main), `${at(3)}\n`);
      lines(dir, mainLog, 2);
    },
  },
  { name: 'its file is of before', lose: (dir, at) => fs.writeFileSync(path.join(dir, main), `${at(1)}\n`) },
  {
    name: 'its file is of before, and all logs are gone',
    lose: (dir, at) => {
      fs.writeFileSync(path.join(dir, main), `${at(2)}\n`);
      fs.rmSync(path.join(dir, '.git/logs'), { recursive: true });
    },
  },
];

describe.runIf(hasGit)('a branch that was lost', () => {
  it.each(losses)('$name: nothing is written, and each is told', async ({ lose }) => {
    const { dir, at } = copied();
    lose(dir, at);
    const before = git(dir, 'rev-parse', 'main');
    await expect(write(dir)).rejects.toEqual(isLost);
    const warnings: string[] = [];
    const status = await withMemory(dir, (memory) => memory.status(), warnings);
    expect((await withMemory(dir, (memory) => memory.project.boot())).text).toMatch(
      /^<!-- warning: .* was last seen at/,
    );
    expect(warnings).toEqual([expect.stringContaining('was last seen at')]);
    expect(status.warnings[0]).toContain('was last seen at');
    expect((await found(dir)).map(({ code }) => code)).toContain('BRANCH_LOST');
    expect(git(dir, 'rev-parse', 'main')).toBe(before);
  });
});

interface Move {
  readonly name: string;
  readonly placement?: 'bare';
  readonly by: (dir: string, at: (back: number) => string) => unknown;
}

const elsewhere = (dir: string) => git(dir, 'checkout', '-q', '-b', 'elsewhere');
const moves: readonly Move[] = [
  { name: 'reset', by: (dir) => git(dir, 'reset', '-q', '--hard', 'HEAD~1') },
  {
    name: 'reset to and fro',
    by: (dir, at) => {
      for (const oid of [at(2), at(0), at(1)]) git(dir, 'reset', '-q', '--hard', oid);
    },
  },
  { name: 'commit --amend', by: (dir) => git(dir, 'commit', '-q', '--amend', '-m', 'another') },
  { name: 'commit', by: (dir) => git(dir, 'commit', '-q', '--allow-empty', '-m', 'by hand') },
  { name: 'rebase', by: (dir, at) => git(dir, 'rebase', '-q', '--onto', at(2), at(1)) },
  { name: 'checkout -B', by: (dir, at) => git(dir, 'checkout', '-q', '-B', 'main', at(2)) },
  {
    name: 'branch -f',
    by: (dir, at) => {
      elsewhere(dir);
      git(dir, 'branch', '-f', 'main', at(2));
      git(dir, 'checkout', '-q', 'main');
    },
  },
  {
    name: 'fetch by force',
    by: (dir, at) => {
      elsewhere(dir);
      git(dir, 'branch', 'old', at(2));
      git(dir, 'fetch', '-q', '.', '+old:main');
      git(dir, 'checkout', '-q', 'main');
    },
  },
  {
    name: 'push by force',
    placement: 'bare',
    by: (dir, at) => {
      const clone = path.join(temporaryFolder(), 'clone');
      git(dir, 'clone', '-q', dir, clone);
      git(clone, 'push', '-q', '--force', 'origin', `${at(2)}:refs/heads/main`);
    },
  },
  { name: 'update-ref', by: (dir, at) => git(dir, 'update-ref', 'refs/heads/main', at(1)) },
  {
    name: 'gc behind a reset',
    by: (dir) => {
      git(dir, 'reset', '-q', '--hard', 'HEAD~1');
      git(dir, 'gc', '-q', '--prune=now');
    },
  },
];

describe.runIf(hasGit)('a branch that a person moved', () => {
  it.each(moves)('by git $name is where it is', async ({ by, placement }) => {
    const { dir, at } = copied(placement);
    by(dir, at);
    const tip = git(dir, 'rev-parse', 'main').trim();
    expect(await found(dir)).toEqual([]);
    await write(dir);
    expect(git(dir, 'merge-base', 'main', tip).trim()).toBe(tip);
    // What was noted then is where it is now, whatever the log tells later.
    fs.rmSync(path.join(dir, placement === 'bare' ? 'logs' : '.git/logs'), { recursive: true });
    await write(dir);
    expect(await found(dir)).toEqual([]);
  });

  it('is noted anew by a write that waits for its commit', async () => {
    const { dir } = copied();
    git(dir, 'reset', '-q', '--hard', 'HEAD~1');
    const memory = await openMemory({ dir, ...quick });
    await memory.remember('Five is told');
    memory.dispose();
    fs.rmSync(path.join(dir, '.git/logs'), { recursive: true });
    await write(dir);
  });
});

describe.runIf(hasGit)('doctor', () => {
  it.each(losses)('brings a branch forward that was only set back: $name', async ({ lose }) => {
    const { dir, at } = copied();
    lose(dir, at);
    const fixed = await found(dir, { fix: true });
    expect(fixed.filter(({ isFixed }) => !isFixed)).toEqual([]);
    expect(git(dir, 'rev-parse', 'main').trim()).toBe(at(0));
    expect(git(dir, 'status', '--porcelain')).toBe('');
    await write(dir);
    expect(await told(dir)).toEqual(['Five', 'Four', 'One', 'Three', 'Two']);
  });

  /** Set back by a crash, and gone on with by native git. */
  const parted = () => {
    const { dir, at } = copied();
    fs.writeFileSync(path.join(dir, main), `${at(2)}\n`);
    git(dir, 'reset', '-q', '--hard');
    fs.writeFileSync(path.join(dir, 'knowledge.md'), 'By hand.\n');
    commitAll(dir, 'by hand', 'knowledge.md');
    return { dir, at, now: git(dir, 'rev-parse', 'main').trim() };
  };

  it('leaves the choice between two histories to a person', async () => {
    const { dir, now } = parted();
    const [finding, ...rest] = await found(dir, { fix: true });
    expect(rest).toEqual([]);
    expect(finding).toMatchObject({
      code: 'BRANCH_LOST',
      isFixed: false,
      fix: expect.stringContaining('--tip restore'),
    });
    expect(finding!.what).toContain('2 commits of there would be lost');
    expect(git(dir, 'rev-parse', 'main').trim()).toBe(now);
    await expect(write(dir)).rejects.toEqual(isLost);
  });

  it.each(['restore', 'accept'] as const)('follows who says `--tip %s`, and keeps the other', async (tip) => {
    const { dir, at, now } = parted();
    fs.writeFileSync(path.join(dir, 'mine.md'), 'Mine.\n');
    expect((await found(dir, { tip })).filter(({ isFixed }) => !isFixed)).toEqual([]);
    const [here, kept] = tip === 'restore' ? [at(0), now] : [now, at(0)];
    expect(git(dir, 'rev-parse', 'main').trim()).toBe(here);
    expect(git(dir, 'for-each-ref', '--format=%(objectname)', 'refs/git-memory/rescue/').trim()).toBe(kept);
    expect(git(dir, 'status', '--porcelain').trim()).toBe('?? mine.md');
    expect(await found(dir)).toEqual([]);
    await write(dir);
    expect(await told(dir)).toEqual(
      [...['Five'], ...(tip === 'restore' ? ['Four', 'One', 'Three', 'Two'] : ['One', 'Two'])].sort(),
    );
  });

  it('moves no file that a person edited when a branch goes back to where it was', async () => {
    const { dir, at } = parted();
    const file = path.join(dir, 'memory.yaml');
    fs.appendFileSync(file, '# A word.\n');
    await found(dir, { tip: 'restore' });
    expect(git(dir, 'rev-parse', 'main').trim()).toBe(at(0));
    expect(fs.readFileSync(file, 'utf8')).toContain('# A word.');
  });

  it('finds a branch of which file and log are gone, and says so in place of finding no memory', async () => {
    const { dir, at } = copied();
    fs.rmSync(path.join(dir, main));
    fs.rmSync(path.join(dir, '.git/logs'), { recursive: true });
    await expect(told(dir)).rejects.toEqual(isLost);
    await expect(openMemory({ dir, create: true })).rejects.toEqual(isLost);
    await found(dir, { fix: true });
    expect(git(dir, 'rev-parse', 'main').trim()).toBe(at(0));
    await write(dir);
  });

  it('says what is left where the commits are gone, too', async () => {
    const { dir, at } = copied();
    fs.rmSync(path.join(dir, '.git/logs'), { recursive: true });
    fs.writeFileSync(path.join(dir, main), `${at(2)}\n`);
    git(dir, 'repack', '-q', '-a', '-d');
    git(dir, 'prune', '--expire=now');
    git(dir, 'reset', '-q', '--hard');
    for (const options of [{ fix: true }, { tip: 'restore' as const }]) {
      const [finding] = await found(dir, options);
      expect(finding).toMatchObject({ code: 'BRANCH_LOST', isFixed: false });
    }
    await found(dir, { tip: 'accept' });
    await write(dir);
  });

  it('has the files of a linked work tree follow a branch that goes back', async () => {
    const { dir, at } = copied();
    elsewhere(dir);
    const linked = path.join(temporaryFolder(), 'linked');
    git(dir, 'worktree', 'add', '-q', linked, 'main');
    fs.writeFileSync(path.join(dir, main), `${at(2)}\n`);
    git(linked, 'reset', '-q', '--hard');
    lines(dir, mainLog, 3);
    expect((await found(linked, { fix: true })).filter(({ isFixed }) => !isFixed)).toEqual([]);
    expect(git(dir, 'rev-parse', 'main').trim()).toBe(at(0));
    expect(git(linked, 'status', '--porcelain')).toBe('');
    await write(linked);
  });

  it('takes another branch that is gone for one that was deleted', async () => {
    const { dir } = copied();
    await withMemory(dir, async (memory) => (await memory.branches.open('explore/x', { create: true })).close());
    git(dir, 'branch', '-q', '-D', 'explore/x');
    expect(await found(dir)).toEqual([]);
    await withMemory(dir, async (memory) => (await memory.branches.open('explore/x', { create: true })).close());
    expect(await found(dir)).toEqual([]);
  });
});

describe.runIf(hasGit)('what was noted of a branch', () => {
  it('costs nothing when it is damaged or gone', async () => {
    for (const bytes of ['', 'once upon a time\n', `${'0'.repeat(40)} 00000000\n`, null]) {
      const { dir } = copied();
      const note = path.join(dir, '.git/git-memory/tips/refs%2Fheads%2Fmain');
      if (bytes === null) fs.rmSync(note);
      else fs.writeFileSync(note, bytes);
      await write(dir);
      expect(fs.readFileSync(note, 'utf8')).toContain(git(dir, 'rev-parse', 'main').trim());
    }
  });
});
