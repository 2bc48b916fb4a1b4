// The riskiest bet: a person works with native git in the same work tree while the engine writes and dies at random steps.
// Afterwards every acknowledged write is in the tip or the journal, and nothing the person staged or committed is gone.

import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { MemoryError } from '../../src/base/errors.ts';
import { type Memory, openMemory } from '../../src/memory/open-memory.ts';
import { failingFileSystem, ProcessGroup, randomOf } from '../helpers/failing-fs.ts';
import { goingOn, longRunMs } from '../helpers/long-run.ts';
import { commitAll, fsck, git, hasGit, tryGit } from '../helpers/native-git.ts';
import { temporaryFolder, writeDeep } from '../helpers/temporary.ts';

const rounds = Number(process.env.INTERLEAVE_ROUNDS ?? 20);
const steps = 24;

/** Everything that was promised to somebody in one round. */
interface Promises {
  /** Captures and records the engine acknowledged: path → texts, each of which must be in its history or pending. */
  readonly acknowledged: Map<string, string[]>;
  /** What a person staged: the blob must be in the index, a commit or a stash, or its words in a merge with the engine's. */
  readonly staged: { path: string; oid: string; line: string }[];
}

class Round {
  readonly directory = temporaryFolder();
  readonly promises: Promises = { acknowledged: new Map(), staged: [] };
  readonly trace: string[] = [];
  private readonly random: () => number;
  private readonly group = new ProcessGroup();
  private memory: Memory | null = null;
  private kill: () => void = () => {};
  private killAt: number | null = null;
  private editor: ChildProcess | null = null;
  private count = 0;

  constructor(seed: number) {
    this.random = randomOf(seed);
  }

  async begin(): Promise<void> {
    const memory = await openMemory({ dir: this.directory, create: true, durability: 'fast' });
    await memory.close();
    git(this.directory, 'config', 'user.name', 'Person');
    git(this.directory, 'config', 'user.email', 'person@example.org');
    this.write('knowledge/notes.md', '# Notes\n\n- one\n');
    commitAll(this.directory, 'a person begins');
    git(this.directory, 'branch', 'other');
  }

  /** One step of one of the two. */
  async step(): Promise<void> {
    this.count += 1;
    if (this.random() < 0.55) await this.engineStep();
    else await this.personStep();
  }

  private write(name: string, text: string): void {
    const file = path.join(this.directory, name);
    writeDeep(file, text);
  }

  private pick<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.random() * choices.length)]!;
  }

  // ── the engine ──

  private async open(): Promise<Memory> {
    if (this.memory) return this.memory;
    const { processes, kill } = this.group.spawn();
    this.kill = kill;
    this.killAt = null;
    const failing = failingFileSystem((call) =>
      this.killAt !== null && call.index >= this.killAt ? { kill: true, torn: 0.5 } : null,
    );
    this.calls = failing.calls;
    this.memory = await openMemory({
      dir: this.directory,
      branch: 'main',
      fs: failing.fs,
      processes,
      indexWaitMs: 40,
      durability: 'fast',
    });
    return this.memory;
  }

  private calls: readonly unknown[] = [];

  private async engineStep(): Promise<void> {
    const action = this.pick(['capture', 'capture', 'remember', 'write', 'edit', 'flush', 'session', 'undo'] as const);
    const willDie = this.random() < 0.35;
    const name = `${this.count}-${action}`;
    this.trace.push(`engine ${name}${willDie ? ' dying' : ''}`);
    try {
      const memory = await this.open();
      if (willDie) this.killAt = this.calls.length + Math.floor(this.random() * 140);
      await this.act(memory, action, name);
    } catch (error) {
      const isInjected = (error as { cause?: { code?: string } }).cause?.code === 'EKILLED';
      const isAnswer =
        error instanceof MemoryError &&
        ['LOCKED', 'NOT_FOUND', 'CONFLICT', 'INVALID_PATH', 'AMBIGUOUS'].includes(error.code);
      if (!isInjected && !isAnswer) throw error;
      this.trace.push(`  → ${(error as Error).message.slice(0, 100)}`);
    }
    if (willDie) {
      // Whether it died in the middle or not: this process is gone, with what it had in memory.
      this.kill();
      this.memory = null;
    }
  }

  private async act(memory: Memory, action: string, name: string): Promise<void> {
    const text = `The ${name} of this round says ${Math.floor(this.random() * 1e9)}.`;
    if (action === 'capture') {
      const { path: where } = await memory.capture({ text, topic: name });
      this.acknowledge(where, text);
    } else if (action === 'remember') {
      const { path: where } = await memory.remember(text);
      this.acknowledge(where, text);
    } else if (action === 'write') {
      const where = `knowledge/${this.pick(['a', 'b'])}.md`;
      await memory.write(where, `# Page\n\n- ${text}\n`);
      this.acknowledge(where, text);
    } else if (action === 'edit') {
      await memory.edit('knowledge/notes.md', '# Notes\n', `# Notes\n\n- ${text}\n`);
      this.acknowledge('knowledge/notes.md', text);
    } else if (action === 'session') {
      const session = await memory.startSession({ topic: name });
      await session.message('user', text);
      this.acknowledge(session.path, text);
      if (this.random() < 0.7) await session.end();
    } else if (action === 'undo') {
      const { commits } = await memory.log({ operation: 'capture', limit: 1 });
      if (commits[0]) await memory.undo(commits[0].oid);
    } else await memory.commit();
  }

  private acknowledge(where: string, text: string): void {
    this.promises.acknowledged.set(where, [...(this.promises.acknowledged.get(where) ?? []), text]);
  }

  // ── the person ──

  private async personStep(): Promise<void> {
    const action = this.pick([
      'add',
      'add',
      'commit',
      'editor',
      'editor',
      'stash',
      'pop',
      'switch',
      'gc',
      'edit',
    ] as const);
    this.trace.push(`person ${this.count}-${action}`);
    const name = this.pick(['person/diary.txt', 'person/list.txt', 'knowledge/notes.md', 'knowledge/own.md']);
    const text = `# Mine\n\n- ${this.count} by hand ${Math.floor(this.random() * 1e9)}\n`;
    if (action === 'edit') this.write('knowledge/own.md', text);
    else if (action === 'add') {
      this.write(name, text);
      if (tryGit(this.directory, ['add', name]).status === 0) {
        const line = git(this.directory, 'ls-files', '-s', name).split(/\s+/);
        if (line[1]) this.promises.staged.push({ path: name, oid: line[1], line: text.trim().split('\n').at(-1)! });
      }
    } else if (action === 'commit') tryGit(this.directory, ['commit', '-qm', `person ${this.count}`]);
    else if (action === 'editor') await this.openEditor();
    else if (action === 'stash') {
      this.letGo();
      tryGit(this.directory, ['stash']);
    } else if (action === 'pop') {
      const popped = tryGit(this.directory, ['stash', 'pop']);
      // A conflict leaves unmerged entries; a person settles on what is in the work tree.
      if (popped.status !== 0 && git(this.directory, 'ls-files', '-u') !== '') tryGit(this.directory, ['add', '-A']);
    } else if (action === 'switch') {
      const head = git(this.directory, 'rev-parse', '--abbrev-ref', 'HEAD').trim();
      tryGit(this.directory, ['checkout', '-q', head === 'main' ? 'other' : 'main']);
    } else tryGit(this.directory, ['gc', '-q']);
  }

  /** `git commit -a` holds index.lock while its editor is open. */
  private async openEditor(): Promise<void> {
    if (this.editor) return;
    const flag = path.join(this.directory, '.git/editor-done');
    const opened = path.join(this.directory, '.git/editor-open');
    for (const file of [flag, opened]) fs.rmSync(file, { force: true });
    this.letGo();
    this.editor = spawn('git', ['-C', this.directory, 'commit', '-q', '-a'], {
      stdio: 'ignore',
      env: {
        ...process.env,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_EDITOR: `sh -c 'touch "${opened}"; while [ ! -e "${flag}" ]; do sleep 0.01; done; echo by hand > "$1"' --`,
      },
    });
    this.editorSteps = this.count + 2;
    const { editor } = this;
    while (!fs.existsSync(opened) && editor.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 2));
  }

  private editorSteps = 0;

  /** `commit -a` and `stash` go by the work tree: a version that was staged and changed since is let go by the person. */
  private letGo(): void {
    const isStill = (name: string, oid: string) => tryGit(this.directory, ['hash-object', name]).stdout.trim() === oid;
    const kept = this.promises.staged.filter(({ path: name, oid }) => isStill(name, oid));
    this.promises.staged.splice(0, Number.POSITIVE_INFINITY, ...kept);
  }

  async settleEditor(force = false): Promise<void> {
    if (!this.editor || (!force && this.count < this.editorSteps)) return;
    const done = new Promise((resolve) => this.editor!.once('exit', resolve));
    fs.writeFileSync(path.join(this.directory, '.git/editor-done'), '');
    if (this.editor.exitCode === null && this.editor.signalCode === null) await done;
    this.editor = null;
  }

  /** Both stop; a fresh process looks at what is there. */
  async finish(): Promise<string[]> {
    await this.settleEditor(true);
    if (this.memory) {
      this.kill();
      this.memory = null;
    }
    const problems: string[] = [];
    const { processes } = this.group.spawn();
    const memory = await openMemory({ dir: this.directory, branch: 'main', processes, durability: 'fast' });
    await memory.capture('the last word');
    // A later hand edit may stand before what is pending; its own commit shows it.
    await memory.commit();
    const history = git(
      this.directory,
      'log',
      '--all',
      '--format=',
      '-p',
      '--no-color',
      '-m',
      '--first-parent',
      'main',
    );
    for (const [where, texts] of this.promises.acknowledged) {
      const pending = await memory.read(where).catch(() => '');
      for (const text of texts) {
        if (!pending.includes(text) && !history.includes(text)) problems.push(`lost: ${where}: ${text}`);
      }
    }
    const reachable = new Set(
      git(this.directory, 'rev-list', '--objects', '--all', '--reflog', '--indexed-objects').split(/[ \n]/),
    );
    const stashes = tryGit(this.directory, ['rev-list', '--objects', '-g', 'refs/stash']).stdout;
    for (const { path: where, oid, line } of this.promises.staged) {
      const file = path.join(this.directory, where);
      // A stash that was popped gives it back to the work tree, unstaged.
      const isInWorkTree = fs.existsSync(file) && fs.readFileSync(file, 'utf8').includes(line);
      if (isInWorkTree || history.includes(`+${line}\n`)) continue;
      if (!reachable.has(oid) && !stashes.includes(oid) && !this.wasReplaced(where, oid))
        problems.push(`staged work lost: ${where} ${oid}`);
    }
    const complaint = fsck(this.directory);
    if (complaint !== '') problems.push(complaint);
    const status = tryGit(this.directory, ['status', '--porcelain']);
    if (status.status !== 0) problems.push(`git status: ${status.stderr}`);
    for (const lock of ['index.lock', 'HEAD.lock', 'refs/heads/main.lock']) {
      if (fs.existsSync(path.join(this.directory, '.git', lock))) problems.push(`left ${lock}`);
    }
    await memory.close();
    return problems;
  }

  /** Staging the same file again lets go of the blob staged before, by the person's own hand. */
  private wasReplaced(where: string, oid: string): boolean {
    const versions = this.promises.staged.filter((staged) => staged.path === where);
    return versions.findIndex((staged) => staged.oid === oid) < versions.length - 1;
  }
}

describe.runIf(hasGit)('beside native git in one work tree', () => {
  const first = Number(process.env.INTERLEAVE_SEED ?? (process.env.CI ? 1 : Math.floor(Math.random() * 1e6)));

  it(
    `loses nothing acknowledged and nothing staged, whoever dies when (seeds from ${first})`,
    async () => {
      const hasMore = goingOn(rounds);
      for (let seed = first; hasMore(seed - first); seed++) {
        const round = new Round(seed);
        await round.begin();
        for (let i = 0; i < steps; i++) {
          await round.step();
          await round.settleEditor();
        }
        const problems = await round.finish();
        expect(problems, `INTERLEAVE_SEED=${seed}\n${round.trace.join('\n')}`).toEqual([]);
      }
    },
    longRunMs + rounds * 10_000,
  );
});
