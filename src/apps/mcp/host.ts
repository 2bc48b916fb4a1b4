// The memory behind a protocol server: opened by the first call that needs it, shared by all, closed with its batch committed.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { defined, MemoryError } from '../../base/errors.ts';
import type { Logger } from '../../base/ports.ts';
import type { MemoryChange, MemoryWatch } from '../../base/types.ts';
import type { MemoryPart } from '../../memory/open-memory.ts';
import { asEngine } from '../../store/guard/agent-door.ts';
import type { ScopeInput } from '../../store/scope.ts';
import { openFirst, ownMemory, projectFolder } from '../project-memory.ts';

/** Which memory a server serves. */
export interface HostOptions {
  /** A folder in a memory repository, or where one shall be made; found out if left out, see {@link MemoryHost}. */
  readonly dir?: string;
  readonly branch?: string;
  /** The part of the memory that clients see and write; the memory has to be there then. */
  readonly scope?: ScopeInput;
  readonly readOnly?: boolean;
  /** The module of one's own extractors. */
  readonly extractorsFrom?: string;
  /** The folder the server was started in. */
  readonly start: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly logger: Logger;
}

/**
 * Opens one memory for all calls of a server.
 *
 * A named folder is made a memory if it is none. Without one it is the memory of the project, of the folder that the server was started in, else
 * the user's own. That is `$XDG_DATA_HOME/git-memory/memory`, or `~/.local/share/git-memory/memory`, and is made when something first asks for it.
 */
export class MemoryHost {
  readonly isReadOnly: boolean;
  private readonly options: HostOptions;
  private opened: Promise<MemoryPart> | null = null;
  private isClosed = false;
  private readonly listeners = new Set<(change: MemoryChange) => void>();
  private watch: MemoryWatch | null = null;

  constructor(options: HostOptions) {
    this.options = options;
    this.isReadOnly = options.readOnly === true;
  }

  /** Gives the memory. What could not be opened is tried again by the next call. */
  memory(): Promise<MemoryPart> {
    if (this.isClosed) throw new MemoryError('CLOSED', 'the server is closing');
    // The first call may be an agent's: beginning a memory writes what is no agent's, and what is open outlives the call.
    this.opened ??= asEngine(() => this.open()).then(
      (memory) => {
        this.startWatch(memory);
        return memory;
      },
      (error: unknown) => {
        this.opened = null;
        throw error;
      },
    );
    return this.opened;
  }

  /** Gives the memory, if there is one: what only listens begins none. */
  async known(): Promise<MemoryPart | null> {
    const { dir, start, environment } = this.options;
    const isThere = dir !== undefined || existsSync(ownMemory(environment)) || this.opened !== null;
    if (isThere) return this.memory();
    const { openMemory } = await import('../../memory/open-memory.ts');
    const found = await openFirst([projectFolder(environment), start], (folder) =>
      openMemory({ dir: folder, readOnly: true }),
    );
    if (found === null) return null;
    await found.close();
    return this.memory();
  }

  /** Tells of every change of the memory, by whomever, from when it is first opened on. */
  onChange(listener: (change: MemoryChange) => void): void {
    this.listeners.add(listener);
    if (this.opened !== null && this.watch === null)
      void this.opened.then((memory) => this.startWatch(memory)).catch(() => undefined);
  }

  /** Looks for changes now: after a call that wrote. */
  look(): void {
    this.watch?.look();
  }

  private startWatch(memory: MemoryPart): void {
    if (this.listeners.size === 0 || this.isClosed) return;
    this.watch ??= memory.watch((change) => {
      for (const listener of this.listeners) listener(change);
    });
  }

  /** Commits what waits and lets go of the memory; later calls are refused. */
  async close(): Promise<void> {
    this.isClosed = true;
    await (await this.opened?.catch(() => undefined))?.close();
  }

  private async open(): Promise<MemoryPart> {
    const { openMemory } = await import('../../memory/open-memory.ts');
    const { dir, start, branch, scope, logger, extractorsFrom } = this.options;
    const named = (directory: string) => ({
      extractors: async (wanted: readonly string[]) => {
        const { namedExtractors } = await import('../../adapters/own-extractors.ts');
        return namedExtractors(extractorsFrom, { start, directory, wanted }, this.options.environment);
      },
    });
    const mayCreate = !this.isReadOnly && scope === undefined;
    const common = {
      logger,
      ...defined({ branch, scope }),
      ...(this.isReadOnly ? { readOnly: true } : { schedule: true }),
    };
    if (dir !== undefined) {
      const folder = resolve(start, dir);
      return openMemory({ ...common, ...named(folder), dir: folder, create: mayCreate });
    }
    const own = ownMemory(this.options.environment);
    const folders = [projectFolder(this.options.environment), start];
    const found = await openFirst(folders, (folder) => openMemory({ ...common, ...named(folder), dir: folder }));
    if (found !== null) return found;
    // What there is not, and is not to be made, is missing where it was asked for.
    const place = mayCreate || existsSync(own) ? { dir: own, create: mayCreate } : { dir: start };
    return openMemory({ ...common, ...named(place.dir), ...place });
  }
}
