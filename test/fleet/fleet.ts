// Three machines with one memory and a remote: what a seed lets happen to them, how they come to rest, and what is asked then.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { errorCodes, MemoryError } from '../../src/base/errors.ts';
import { doctor } from '../../src/memory/doctor-questions.ts';
import { bareRepository, type GitServer } from '../helpers/git-server.ts';
import { git } from '../helpers/native-git.ts';
import type { ProgramBeside } from '../helpers/program.ts';
import { random } from '../helpers/random.ts';
import type { Hazard } from './hazards.ts';
import { Intruder } from './intruder.ts';
import { judge, objectsOf } from './judge.ts';
import type { Line } from './line.ts';
import { Machine } from './machine.ts';
import { list, privatePage, steps } from './steps.ts';
import { Acknowledged, wordsIn } from './words.ts';

/** What all fleets of a run share. */
export interface Surroundings {
  readonly server: GitServer;
  /** The folder that the server serves. */
  readonly root: string;
  /** One for each machine. */
  readonly lines: readonly Line[];
  readonly program: ProgramBeside;
  readonly environment: Readonly<Record<string, string>>;
}

export interface FleetOptions {
  readonly seed: number;
  readonly hazards: ReadonlySet<Hazard>;
  /** The steps that happen; default: all that the seed makes. */
  readonly only?: ReadonlySet<number>;
  /** Looks after each step for words that are gone, so that the one that lost them is known. */
  readonly isWatched?: boolean;
}

export interface Outcome {
  readonly seed: number;
  /** Empty when all held. */
  readonly problems: readonly string[];
  readonly log: readonly string[];
  /** The numbers of the steps that did something. */
  readonly steps: readonly number[];
  /** How often each kind of step did something, and how often it was refused; adoptions count, too. */
  readonly counts: Counts;
}

export type Counts = Map<string, { done: number; refused: number }>;

const year = 365 * 24 * 3_600_000;
const start = Date.parse('2026-02-16T09:00:00Z');
/** What a damaged repository or a bug answers with; nothing that happens to a fleet damages one. */
const damage = new Set([
  'OBJECT_MISSING',
  'OBJECT_CORRUPT',
  'JOURNAL_CORRUPT',
  'REF_CORRUPT',
  'REPOSITORY_CORRUPT',
  'PRIVATE_DAMAGED',
  'IO',
]);

export class Fleet {
  readonly machines: Machine[] = [];
  readonly acknowledged: Acknowledged;
  readonly hazards: ReadonlySet<Hazard>;
  readonly intruder: Intruder;
  /** Branches that are not merged, by the machine that has them. */
  readonly branches = new Map<string, Machine>();
  readonly purged: { word: string; sentence: string; by: Machine }[] = [];
  hasFalseEpoch = false;
  private readonly problems: string[] = [];
  private readonly log: string[] = [];
  private readonly done: number[] = [];
  private readonly counts: Counts = new Map();
  private readonly folder: string;
  private readonly remote: string;
  private readonly lost = new Set<string>();

  private readonly options: FleetOptions;

  constructor(options: FleetOptions, { server, root, lines, program, environment }: Surroundings) {
    this.options = options;
    const { seed, hazards } = options;
    this.hazards = hazards;
    this.acknowledged = new Acknowledged(seed);
    this.folder = fs.mkdtempSync(path.join(fs.existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir(), 'git-memory-fleet-'));
    const name = `${path.basename(this.folder)}.git`;
    this.remote = bareRepository(path.join(root, name));
    this.intruder = new Intruder(this.remote);
    const next = random(seed * 7919);
    const { keys } = this.acknowledged;
    const locked = next(4);
    const bare = next(4);
    for (const [number, machine] of ['a', 'b', 'c'].entries()) {
      const isOff = hazards.has('clocks');
      // Who reaches the remote over HTTP can be cut off; a folder costs less.
      const overHttp = number === 0 || next(2) === 0;
      const line = overHttp ? lines[number]! : null;
      const own = { place: '', read: () => [], add: () => undefined };
      const shared = { place: '/elsewhere/keys', read: () => keys, add: (key: string) => void keys.push(key) };
      this.machines.push(
        new Machine({
          name: machine,
          directory: path.join(this.folder, machine),
          time: start + (isOff ? (next(2191) - 1095) * (year / 365) : number * 1000),
          keys: locked === number ? own : shared,
          placement: hazards.has('bare') && bare === number ? 'bare' : 'repository',
          remote: line === null ? this.remote : `${line.origin}/${name}`,
          ...{ line, program },
          environment: { ...environment, XDG_CONFIG_HOME: path.join(this.folder, 'configuration') },
        }),
      );
    }
    void server;
  }

  async run(): Promise<Outcome> {
    try {
      await this.live();
      if (this.problems.length === 0) await this.rest();
      if (this.problems.length === 0) await this.judge();
    } catch (error) {
      this.problem(`the end: ${error instanceof Error ? error.stack : String(error)}`);
    } finally {
      for (const machine of this.machines) await machine.end(true).catch(() => undefined);
      if (process.env.FLEET_KEEP === undefined) {
        for (const folder of [this.folder, this.remote]) fs.rmSync(folder, { recursive: true, force: true });
      } else this.log.push(`kept in ${this.folder} and ${this.remote}`);
    }
    const { seed } = this.options;
    return { seed, problems: this.problems, log: this.log, steps: this.done, counts: this.counts };
  }

  problem(what: string): void {
    this.problems.push(what);
  }

  blob(directory: string, oid: string): Buffer {
    return objectsOf(directory, `${oid}\n`)[0]!.bytes;
  }

  /** Where purges may not cross, only who heard of the last one, or made it, purges. */
  mayPurge(machine: Machine): boolean {
    if (this.hazards.has('purges that cross')) return true;
    const last = this.purged.at(-1);
    return last === undefined || last.by === machine;
  }

  async mergeBranch(machine: Machine, name: string): Promise<string> {
    const { commit } = await machine.memory.merge(name, {
      allowRemovals: true,
      accept: ['configuration', 'expectations', 'hooks', 'topics', 'records', 'transcripts'],
    });
    this.branches.delete(name);
    for (const word of this.acknowledged.words.values()) {
      if (word.branch === `${machine.name}:${name}`) word.branch = null;
    }
    return `${name} ${commit?.slice(0, 8) ?? 'was merged'}`;
  }

  /** Judges what the program answered in place of what was asked. */
  judgeAnswer(stderr: string, stdout: string): string {
    const code = /"code":\s*"([A-Z_]+)"/.exec(stderr + stdout)?.[1];
    if (code === undefined || !(code in errorCodes) || damage.has(code))
      this.problem(`the program: ${stderr}${stdout}`);
    return code ?? 'no code';
  }

  /** Does something that may be refused: by a known code, and by none that tells of damage. */
  async attempt(act: () => Promise<string | null>): Promise<string> {
    try {
      return (await act()) ?? 'nothing to do';
    } catch (error) {
      if (!(error instanceof MemoryError) || !(error.code in errorCodes) || damage.has(error.code)) {
        this.problem(error instanceof Error ? `${error.stack}` : String(error));
      }
      return `✗ ${error instanceof MemoryError ? `${error.code} ${error.message}` : String(error)}`;
    }
  }

  private say(step: number | string, machine: string, what: string, answer: string): void {
    this.count(what.split(',')[0]!.replace(/ (?:explore\/|w\d).*/, ''), answer.startsWith('✗'));
    if (/adopt|; synced/.test(answer)) this.count('adopt', false);
    this.log.push(`${String(step).padStart(3)} ${machine} ${what}${answer === '' ? '' : ` → ${answer}`}`);
  }

  private count(what: string, isRefused: boolean): void {
    const { done, refused } = this.counts.get(what) ?? { done: 0, refused: 0 };
    this.counts.set(what, { done: done + (isRefused ? 0 : 1), refused: refused + (isRefused ? 1 : 0) });
  }

  private async live(): Promise<void> {
    const { seed, only, hazards: _ } = this.options;
    const next = random(seed * 15_485_863);
    const isPrivate = this.hazards.has('private') && next(2) === 0;
    for (const [number, machine] of this.machines.entries()) {
      await machine.open();
      // Who joins later finds a rule, pages, and clocks that are elsewhere.
      if (number === 0 && isPrivate && machine.hasKey) {
        await machine.memory.keys.new({ paths: ['knowledge/people/**'] });
        await machine.memory.write(privatePage, '# Ada\n\n- The first line.\n');
      }
      if (number === 0 && next(2) === 0) await machine.memory.write(list, '# Page\n\n- The first line.\n');
      const begins = `begins, ${new Date(machine.clock.now()).toISOString()}, ${machine.placement}${machine.hasKey ? '' : ', without a key'}`;
      this.say('', machine.name, begins, await this.attempt(() => machine.sync()));
    }
    // Each seed does some things often and others not at all, so that those that it does meet. A hazard that is off leaves a gap: the other
    // steps of the seed are the same without it.
    const often = [0, 1, 1, 4];
    const drawn = steps.flatMap((step) => {
      const times = step.name === 'sync' ? 1 : often[next(4)]!;
      return Array.from({ length: step.weight * times }, () => step);
    });
    const count = 36 + next(25);
    for (let number = 1; number <= count && this.problems.length === 0; number += 1) {
      if (only !== undefined && !only.has(number)) continue;
      const choose = random(seed * 4099 + number * 65_537);
      const machine = this.machines[choose(3)]!;
      const step = drawn[choose(drawn.length)]!;
      machine.clock.pass(1000 * (1 + choose(600)));
      if (step.hazard !== null && !this.hazards.has(step.hazard)) continue;
      const answer = await this.attempt(() => step.run({ fleet: this, machine, step: number, next: choose }));
      for (const one of this.machines) await one.settle();
      if (answer === 'nothing to do') continue;
      this.done.push(number);
      this.say(number, machine.name, step.name, answer);
      if (this.options.isWatched) await this.watch();
    }
  }

  /** Everybody comes to rest: no line is cut, nobody is at work, all sync until nothing moves, and what was purged is purged everywhere. */
  private async rest(): Promise<void> {
    if (this.intruder.hasBomb) this.intruder.takeBack();
    for (const machine of this.machines) {
      await machine.end(false);
      await machine.open();
      this.say(
        '',
        machine.name,
        'commits',
        await this.attempt(async () => (await machine.memory.commit()).commits.join(' ')),
      );
      if (machine.placement === 'repository' && machine.git('status', '--porcelain').stdout !== '') {
        const added = machine.git('add', '-A');
        const { status, stderr, stdout } = machine.git('commit', '-qm', 'the rest by hand');
        this.say(
          '',
          machine.name,
          'commits the rest by native git',
          status === 0 ? '' : `${added.stderr}${stderr}${stdout}`,
        );
      }
    }
    await this.syncUntilQuiet();
    for (const [name, machine] of [...this.branches]) {
      this.say('', machine.name, `merges ${name}`, await this.attempt(() => this.mergeBranch(machine, name)));
    }
    await this.syncUntilQuiet();
    // Who had heard of it follows, and purges by itself: so purge tells who asks for it.
    for (const { word, sentence } of this.purged) {
      for (const machine of this.machines) {
        const answer = await this.attempt(async () => (await machine.memory.purge({ text: sentence })).commit ?? '');
        this.say('', machine.name, `purges ${word}, too`, answer);
      }
    }
    if (this.purged.length > 0) await this.syncUntilQuiet();
    for (const machine of this.machines) await machine.end(false);
    if (this.purged.length > 0) {
      git(this.remote, 'reflog', 'expire', '--expire=now', '--all');
      // A graph of commits holds times of 34 bits, and git's own check stumbles over a later one.
      git(this.remote, '-c', 'gc.writeCommitGraph=false', 'gc', '--quiet', '--prune=now');
    }
  }

  private async syncUntilQuiet(): Promise<void> {
    const state = () => [...this.machines.map(({ memory }) => memory.tip), this.intruder.tip].join(' ');
    for (let round = 0; round < 8; round += 1) {
      const before = state();
      for (const machine of this.machines) {
        const was = state();
        const answer = await this.attempt(() => machine.sync());
        if (state() !== was || answer.startsWith('✗')) this.say('', machine.name, 'syncs', answer);
      }
      const tips = new Set(state().split(' '));
      if (state() === before && tips.size === 1) return;
    }
    this.problem(`no rest after eight rounds: ${state()}`);
  }

  private async judge(): Promise<void> {
    const clone = path.join(this.folder, 'clone');
    git(this.folder, 'clone', '--quiet', '--no-local', this.remote, clone);
    this.problems.push(...judge(this.machines, this.remote, clone, this.acknowledged));
    const { findings } = await doctor({ dir: clone });
    // Nobody in a fleet goes past the rules, so that each commit that is accused is accused falsely.
    const accused = findings.filter(({ code }) => code === 'CAPTURE_CHANGED' || code === 'EVENT_CHANGED');
    this.problems.push(...accused.map(({ where, what }) => `doctor: ${where}: ${what}`));
  }

  /** Tells of words that are neither in the present of any machine nor in any history, and were not purged: lost by this step. */
  private async watch(): Promise<void> {
    const here = new Set<string>();
    for (const machine of this.machines) {
      for (const file of await machine.memory.files()) {
        const texts = [await machine.memory.read(file).catch(() => ''), machine.file(file) ?? ''];
        for (const word of wordsIn(texts.join(' '))) here.add(`${machine.name} ${word}`);
      }
    }
    for (const { word, isPurged, takenBy, machine, branch } of this.acknowledged.words.values()) {
      const key = `${machine} ${word}`;
      if (isPurged || branch !== null || takenBy.length > 0 || here.has(key) || this.lost.has(key)) continue;
      if (!this.machines.some(({ name }) => name === machine)) continue;
      this.lost.add(key);
      this.log.push(`    ! ${word} is no longer in the present of ${machine}`);
    }
  }
}

/** Lets a seed happen. */
export function runFleet(options: FleetOptions, surroundings: Surroundings): Promise<Outcome> {
  return new Fleet(options, surroundings).run();
}

/** Leaves out what the failure does not need, half by half and step by step; gives the shortest that still fails. */
export async function shrink(failed: Outcome, options: FleetOptions, surroundings: Surroundings): Promise<Outcome> {
  let best = failed;
  // A shorter story of another failure would not explain this one.
  const kind = (problem: string | undefined) => problem?.replace(/w\d+x\d+[a-d]|[0-9a-f]{7,40}/g, '').slice(0, 24);
  for (let size = Math.ceil(best.steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < best.steps.length; ) {
      const only = new Set(best.steps.filter((_, at) => at < from || at >= from + size));
      const tried = await runFleet({ ...options, only }, surroundings);
      if (kind(tried.problems[0]) === kind(best.problems[0])) best = tried;
      else from += size;
    }
  }
  return best;
}
