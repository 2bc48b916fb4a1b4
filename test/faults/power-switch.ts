// A file system that loses on a power cut what was not synced: bytes of files, and the latest changes of names.
// It also knows which files are open, so that those of a dead process can be closed.

import nodeFs from 'node:fs';
import type { FileSystem } from '../../src/base/ports.ts';
import { isReadFlag } from '../helpers/failing-fs.ts';

interface Content {
  /** Bytes that survive. */
  syncedBytes: number;
  isDirty: boolean;
  /** Names that lead to it, also those that are gone and may come back. */
  readonly names: Set<string>;
}

/**
 * Keeps account of what is durable.
 *
 * A file that was not synced since its last write keeps its name and may lose the bytes written since. Changes of names happen in
 * order, so a cut takes back any number of the latest, down to the last one whose directory was synced.
 */
export class PowerSwitch {
  readonly fs: FileSystem;
  private readonly contents = new Map<string, Content>();
  private readonly open = new Map<number, { path: string; content: Content | null }>();
  private readonly graveyard: string | null;
  private undo: { directory: string; back: () => void }[] = [];
  private graves = 0;

  /** `graveyard` is a folder for what may have to come back; without one nothing can be cut. */
  constructor(graveyard: string | null) {
    this.graveyard = graveyard;
    if (graveyard !== null) nodeFs.mkdirSync(graveyard, { recursive: true });
    this.fs = {
      ...nodeFs,
      constants: nodeFs.constants,
      ...this.watchingOpen(),
      ...(graveyard === null ? {} : this.accounting()),
    } as FileSystem;
  }

  get openFiles(): string[] {
    return [...this.open.values()].map(({ path }) => path);
  }

  /** Closes what a dead process had open, as the operating system does. */
  closeAll(): void {
    for (const descriptor of this.open.keys()) nodeFs.closeSync(descriptor);
    this.open.clear();
  }

  /**
   * Loses what a power cut may lose: of each file that was not synced all bytes since, or none, or some where it `mayTear`,
   * and any number of the latest changes of names.
   */
  cut(random: () => number, mayTear: (path: string) => boolean): void {
    for (const content of new Set(this.contents.values())) {
      const name = content.isDirty ? [...content.names].find((path) => nodeFs.existsSync(path)) : undefined;
      if (name === undefined) continue;
      const unsyncedBytes = nodeFs.statSync(name).size - content.syncedBytes;
      const fate = random();
      const share = fate < 0.5 ? 0 : fate < 0.75 || !mayTear(name) ? 1 : random();
      const kept = content.syncedBytes + Math.floor(Math.max(0, unsyncedBytes) * share);
      if (unsyncedBytes > 0) nodeFs.truncateSync(name, kept);
      content.isDirty = false;
    }
    const lost = Math.floor(random() * (this.undo.length + 1));
    for (const { back } of this.undo.reverse().slice(0, lost)) back();
    this.undo = [];
  }

  /** Gives the name of what the engine reaches through the descriptor of its folder. */
  private nameOf(path: string): string {
    const match = /^\/proc\/self\/fd\/(\d+)(.*)$/s.exec(path);
    return match === null ? path : `${this.open.get(Number(match[1]))!.path}${match[2]}`;
  }

  private contentOf(path: string): Content {
    let content = this.contents.get(path);
    if (!content) {
      const syncedBytes = nodeFs.existsSync(path) ? nodeFs.statSync(path).size : 0;
      content = { syncedBytes, isDirty: false, names: new Set([path]) };
      this.contents.set(path, content);
    }
    return content;
  }

  private note(path: string, back: () => void): void {
    this.undo.push({ directory: path.slice(0, path.lastIndexOf('/')), back });
  }

  /** Keeps a file that is about to lose its name; gives a function that puts it back there. */
  private bury(path: string): (() => void) | null {
    if (!nodeFs.existsSync(path)) return null;
    const grave = `${this.graveyard}/${this.graves++}`;
    nodeFs.linkSync(path, grave);
    this.contentOf(path).names.add(grave);
    return () => {
      if (!nodeFs.existsSync(path)) nodeFs.linkSync(grave, path);
    };
  }

  private watchingOpen() {
    return {
      openSync: ((given: string, flags: string | number, mode?: number) => {
        const path = this.nameOf(given);
        const isNew = this.graveyard !== null && !isReadFlag(flags) && !nodeFs.existsSync(path);
        const descriptor = nodeFs.openSync(path, flags, mode);
        const isRead = isReadFlag(flags) || this.graveyard === null;
        this.open.set(descriptor, { path, content: isRead ? null : this.contentOf(path) });
        if (isNew) this.note(path, () => nodeFs.rmSync(path, { force: true }));
        return descriptor;
      }) as typeof nodeFs.openSync,
      closeSync: (descriptor: number) => {
        this.open.delete(descriptor);
        nodeFs.closeSync(descriptor);
      },
    };
  }

  private accounting() {
    return {
      writeSync: ((descriptor: number, ...rest: unknown[]) => {
        const { content } = this.open.get(descriptor)!;
        if (content) content.isDirty = true;
        return (nodeFs.writeSync as (...all: unknown[]) => number)(descriptor, ...rest);
      }) as typeof nodeFs.writeSync,
      ftruncateSync: (descriptor: number, size = 0) => {
        const { content } = this.open.get(descriptor)!;
        if (content) content.syncedBytes = Math.min(content.syncedBytes, size);
        nodeFs.ftruncateSync(descriptor, size);
      },
      fsyncSync: (descriptor: number) => {
        nodeFs.fsyncSync(descriptor);
        const { path, content } = this.open.get(descriptor)!;
        if (content) {
          content.syncedBytes = nodeFs.fstatSync(descriptor).size;
          content.isDirty = false;
          return;
        }
        // Names change in order: what came before a durable change is durable too.
        const last = this.undo.findLastIndex(({ directory }) => directory === path);
        this.undo = this.undo.slice(last + 1);
      },
      linkSync: (...given: [string, string]) => {
        const [from, to] = given.map((path) => this.nameOf(path)) as [string, string];
        nodeFs.linkSync(from, to);
        const content = this.contentOf(from);
        content.names.add(to);
        this.contents.set(to, content);
        this.note(to, () => nodeFs.rmSync(to, { force: true }));
      },
      renameSync: (...given: [string, string]) => {
        const [from, to] = given.map((path) => this.nameOf(path)) as [string, string];
        const back = this.bury(to);
        const content = this.contentOf(from);
        nodeFs.renameSync(from, to);
        content.names.add(to);
        this.contents.set(to, content);
        this.contents.delete(from);
        this.note(to, () => {
          if (nodeFs.existsSync(to)) nodeFs.renameSync(to, from);
          back?.();
        });
      },
      rmdirSync: (given: string) => {
        const path = this.nameOf(given);
        nodeFs.rmdirSync(path);
        this.note(path, () => nodeFs.mkdirSync(path, { recursive: true }));
      },
      unlinkSync: (given: string) => {
        const path = this.nameOf(given);
        const back = this.bury(path);
        nodeFs.unlinkSync(path);
        this.contents.delete(path);
        this.note(path, () => back?.());
      },
    };
  }
}
