// A life of one file that only grows: the engine and a person append to it, both commit, processes end and die. What was said is known.

import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { type Memory, openMemory } from '../../src/memory/open-memory.ts';
import { formatChangelogEvent } from '../../src/store/records/changelog.ts';
import { formatEvent } from '../../src/store/records/ledger-event.ts';
import { formatSequenceId, parseSequenceId } from '../../src/store/records/sequence-id.ts';
import { failingFileSystem, ProcessGroup } from '../helpers/failing-fs.ts';
import { ManualClock } from '../helpers/memories.ts';
import { fsck, git, tryGit } from '../helpers/native-git.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

export type Kind = 'changelog' | 'ledger' | 'note';
export type Place = 'repository' | 'project';

export const kinds: readonly Kind[] = ['changelog', 'ledger', 'note'];
export const places: readonly Place[] = ['repository', 'project'];

/**
 * What may happen: the engine appends, or dies at its n-th call of the file system while it does; a person appends, behind what lies there, under an
 * id that is taken, or in an editor that still shows what is committed, stages, or commits; the engine commits; an agent's work ends; a process
 * is gone.
 */
export type Step =
  | {
      readonly does:
        | 'append'
        | 'type'
        | 'typeTaken'
        | 'typeStale'
        | 'stage'
        | 'gitCommit'
        | 'commitStaged'
        | 'discard'
        | 'commit'
        | 'shutdown'
        | 'kill';
    }
  | { readonly does: 'appendKilled' | 'commitKilled'; readonly at: number };

const files: Record<Kind, string> = {
  changelog: 'CHANGELOG.md',
  ledger: 'ledger/2026/02/2026-02-16.jsonl',
  note: 'raw/daily/2026-02-16.md',
};

const series: Record<Exclude<Kind, 'note'>, string> = { changelog: 'evt', ledger: 'EVT-20260216' };

export class Life {
  readonly directory = temporaryFolder();
  readonly path: string;
  private readonly kind: Kind;
  private readonly place: Place;
  private readonly clock = new ManualClock();
  private readonly group = new ProcessGroup();
  private memory: Memory | null = null;
  private end: () => void = () => undefined;
  /** When the present process dies, by its calls of the file system. */
  private death: { at: number | null } = { at: null };
  private callsOf: () => number = () => 0;
  private count = 0;
  /** Words that were acknowledged, or typed; each has to be there. */
  private readonly said = new Set<string>();
  /** Words of calls that died: they may be there, once. */
  private readonly maybe = new Set<string>();
  /** Words of typed entries → words of the typed entry that they name. */
  private readonly named = new Map<string, string>();
  /** Words → the id under which they were first committed. */
  private readonly committed = new Map<string, string>();

  constructor(kind: Kind, place: Place) {
    this.kind = kind;
    this.place = place;
    this.path = files[kind];
  }

  async begin(): Promise<void> {
    if (this.place === 'project') git(this.directory, 'init', '-qb', 'main');
    await this.open();
    git(this.directory, 'config', 'user.name', 'Person');
    git(this.directory, 'config', 'user.email', 'person@example.org');
    await this.append();
    await this.memory!.commit();
    this.checkHead();
  }

  async step(step: Step): Promise<void> {
    this.clock.advance({ minutes: 1 });
    switch (step.does) {
      case 'append':
        await this.append();
        break;
      case 'type':
        this.type(this.text(), this.nextId(0));
        break;
      case 'typeTaken':
        this.type(this.text(), this.nextId(-1));
        break;
      case 'typeStale':
        this.typeStale();
        break;
      case 'stage':
        git(this.directory, 'add', '-A', '--', this.path);
        break;
      case 'gitCommit':
        if (this.hasOwnIds(this.text())) this.commitByHand('-a', this.path);
        break;
      case 'commitStaged':
        if (this.hasOwnIds(git(this.directory, 'show', `:${this.path}`))) this.commitByHand();
        break;
      case 'discard':
        // Who throws away what nobody else knows means to.
        if ([...this.typedWaiting()].length === 0) git(this.directory, 'checkout', '-q', 'HEAD', '--', this.path);
        break;
      case 'commit':
        await (await this.open()).commit();
        break;
      case 'shutdown':
        await this.shutDown();
        break;
      case 'kill':
        this.kill();
        break;
      default:
        await this.dying(step.at, step.does === 'appendKilled');
    }
    await this.check();
  }

  /** Everything in HEAD, once, under ids that are its own; git has no complaint, and nothing waits or differs. */
  async finish(): Promise<void> {
    const { skipped } = await (await this.open()).commit();
    expect(skipped).toEqual([]);
    this.kill();
    const memory = await this.open();
    await memory.commit();
    const text = this.checkHead();
    for (const words of this.said) expect([words, countOf(text, words)]).toEqual([words, 1]);
    for (const words of this.maybe) expect(countOf(text, words)).toBeLessThan(2);
    const ids = this.idsIn(text);
    expect(new Set(ids.values()).size).toBe(ids.size);
    for (const [words, other] of this.named)
      expect([words, this.entryOf(text, words)]).toEqual([words, expect.stringContaining(ids.get(other)!)]);
    expect(fs.readFileSync(this.file, 'utf8')).toBe(text);
    expect((await memory.status()).pending).toEqual([]);
    expect(git(this.directory, 'status', '--porcelain', '--', this.path)).toBe('');
    expect(fsck(this.directory)).toBe('');
    await memory.close();
  }

  private get file(): string {
    return path.join(this.directory, this.path);
  }

  private text(): string {
    return fs.readFileSync(this.file, 'utf8');
  }

  private async open(): Promise<Memory> {
    if (this.memory !== null) return this.memory;
    const { processes, kill } = this.group.spawn();
    const death: Life['death'] = { at: null };
    this.death = death;
    const failing = failingFileSystem(({ index }) => (death.at !== null && index >= death.at ? { kill: true } : null));
    this.callsOf = () => failing.calls.length;
    this.end = kill;
    this.memory = await openMemory({
      dir: this.directory,
      create: true,
      ...(this.place === 'project' ? { placement: 'project' as const } : {}),
      durability: 'fast',
      clock: this.clock,
      fs: failing.fs,
      processes,
    });
    return this.memory;
  }

  private kill(): void {
    // Whatever it still meant to do it does no more.
    this.death.at = 0;
    this.end();
    this.memory = null;
  }

  private words(): string {
    this.count += 1;
    return `said${this.count}x`;
  }

  private async append(words = this.words()): Promise<void> {
    const memory = await this.open();
    if (this.kind === 'note') await memory.note(words);
    else {
      const { id } =
        this.kind === 'ledger'
          ? await memory.ledger.add({ content: words })
          : await memory.project.change(changeOf(words));
      // The answer is the id under which it is found.
      expect(this.idsIn(await memory.read(this.path)).get(words)).toBe(id);
    }
    this.said.add(words);
  }

  private async dying(calls: number, isAppend: boolean): Promise<void> {
    const memory = await this.open();
    const words = this.words();
    this.death.at = this.callsOf() + calls;
    try {
      if (isAppend) await this.append(words);
      else await memory.commit();
    } catch {
      if (isAppend) this.maybe.add(words);
    }
    this.kill();
  }

  private nextId(shift: number): number {
    const numbers = [...this.idsIn(this.text()).values()].map((id) => parseSequenceId(id)!.number);
    return Math.max(1, Math.max(0, ...numbers) + 1 + shift);
  }

  private type(text: string, number: number): void {
    const words = this.words();
    fs.writeFileSync(this.file, text + this.entry(words, number));
    this.said.add(words);
    if (this.kind === 'note') return;
    const more = this.words();
    fs.appendFileSync(this.file, this.entry(more, number + 1, this.idOf(number)));
    this.said.add(more);
    this.named.set(more, words);
  }

  /** The editor has not read the file again; what it lacks is pending, or this would be a removal. */
  private typeStale(): void {
    const head = this.headText();
    const lacking = [...this.typedWaiting()];
    if (lacking.length > 0) return;
    const numbers = [...this.idsIn(head).values()].map((id) => parseSequenceId(id)!.number);
    this.type(head, Math.max(0, ...numbers) + 1);
  }

  /** What was typed and stands in the file alone: nobody else knows it, so that writing over it is taking it away. */
  private *typedWaiting(): Generator<string> {
    const engine = this.memoryText;
    for (const words of this.said) if (countOf(engine, words) === 0) yield words;
  }

  private memoryText = '';

  /** The hook would refuse anything else, and an id that is committed twice stays so. */
  private hasOwnIds(text: string): boolean {
    const ids = this.kind === 'note' ? [] : this.allIdsIn(text);
    return new Set(ids).size === ids.length;
  }

  private commitByHand(...all: string[]): void {
    if (all.length > 0) git(this.directory, 'add', '-A', '--', this.path);
    tryGit(this.directory, ['commit', '-qm', 'by hand', ...all.slice(0, 1)]);
    this.checkHead();
  }

  private async shutDown(): Promise<void> {
    const memory = await this.open();
    if (this.kind === 'changelog') {
      const words = this.words();
      const { events } = await memory.project.shutdown([changeOf(words)]);
      expect(this.idsIn(await memory.read(this.path)).get(words)).toBe(events[0]!.id);
      this.said.add(words);
    }
    await memory.close();
    this.end();
    this.memory = null;
  }

  private async check(): Promise<void> {
    const memory = await this.open();
    this.memoryText = await memory.read(this.path);
    const text = `${this.memoryText}\n${this.text()}`;
    for (const words of this.said) expect([words, countOf(text, words) > 0]).toEqual([words, true]);
    for (const words of [...this.said, ...this.maybe])
      expect([words, countOf(this.memoryText, words) < 2]).toEqual([words, true]);
    this.checkHead();
  }

  private headText(): string {
    return git(this.directory, 'show', `HEAD:${this.path}`);
  }

  /** What was in a commit once is in HEAD, under the same id. */
  private checkHead(): string {
    const text = this.headText();
    const ids = this.idsIn(text);
    for (const [words, id] of this.committed) {
      if (this.kind === 'note') expect([words, countOf(text, words)]).toEqual([words, 1]);
      else expect([words, ids.get(words)]).toEqual([words, id]);
    }
    for (const words of text.match(/said\d+x/g) ?? []) {
      if (!this.committed.has(words)) this.committed.set(words, ids.get(words) ?? '');
    }
    return text;
  }

  private idOf(number: number): string {
    return this.kind === 'note' ? '' : formatSequenceId({ series: series[this.kind], number });
  }

  private entry(words: string, number: number, names?: string): string {
    const now = new Date(this.clock.now()).toISOString();
    const id = this.idOf(number);
    const refs = names === undefined ? [] : [names];
    if (this.kind === 'note') return `\n${words}\n`;
    if (this.kind === 'ledger') {
      const rest = { type: 'fact', priority: 'P2', content: words, source: 'live' } as const;
      return formatEvent({ ts: now, id, ...rest, ...(names === undefined ? {} : { related: refs }) });
    }
    const time = now.slice(0, 16).replace('T', ' ');
    const event = {
      number,
      time,
      agent: 'eve',
      type: 'fix',
      scope: 'x',
      summary: words,
      details: [],
      refs,
      tags: [],
    } as const;
    return formatChangelogEvent({ id, ...event });
  }

  private entriesIn(text: string): string[] {
    return text.split(this.kind === 'ledger' ? '\n' : '\n### ').filter((entry) => /said\d+x/.test(entry));
  }

  private entryOf(text: string, words: string): string {
    return this.entriesIn(text).find((entry) => entry.includes(words)) ?? '';
  }

  private allIdsIn(text: string): string[] {
    return this.entriesIn(text).map((entry) => /(?:evt|EVT-\d{8})-\d{3,}/.exec(entry)?.[0] ?? '');
  }

  /** Words → id. */
  private idsIn(text: string): Map<string, string> {
    if (this.kind === 'note') return new Map();
    return new Map(
      this.entriesIn(text).map((entry) => [
        /said\d+x/.exec(entry)![0],
        /(?:evt|EVT-\d{8})-\d{3,}/.exec(entry)?.[0] ?? '',
      ]),
    );
  }
}

const changeOf = (summary: string) => ({ type: 'fix', scope: 'x', summary, details: { entity: 'x' } }) as const;

const countOf = (text: string, words: string): number => text.split(words).length - 1;
