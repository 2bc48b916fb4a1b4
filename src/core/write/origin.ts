// The agent that writes and its conversation: commits and records name both, so that undo finds all that they brought.

import { AsyncLocalStorage } from 'node:async_hooks';
import { defined, MemoryError, orElse } from '../../base/errors.ts';
import { oneLine } from '../../base/text.ts';
import type { Trailer } from '../../store/guard/message.ts';
import type { SecretFilter } from '../../store/guard/secret-filter.ts';
import type { KnowledgeChange } from '../capture/session.ts';

/** A writer, as far as known. */
export interface Origin {
  /** Id of the conversation. */
  readonly session?: string;
  /** Path of its transcript, where it is being recorded. */
  readonly path?: string;
  readonly agent?: string;
  /** What a person decided by it, in a review: `keep`, and the ids. */
  readonly verdict?: string;
}

/** Hears what was changed while it runs. */
interface Listener {
  changed(change: KnowledgeChange): Promise<void>;
}

const maxNameLength = 200;

/** What of a memory tells whether a session is still in it under its names. */
export interface Transcripts {
  /** Tells one state of the history from another: each purge makes a new one. */
  version(): string;
  /** Reads a transcript; null where there is none. */
  read(path: string): string | null;
}

/** Knows the writer of now: the one that a call names, that a front end speaks for, or whose session alone is open. Else the memory's. */
export class Origins {
  private readonly spoken = new AsyncLocalStorage<Origin>();
  private readonly open = new Map<string, Origin & Partial<Listener>>();
  private readonly transcripts: Transcripts;
  private readonly agent: string | undefined;
  private version: string;

  /** `agent` writes where nobody else is named. Throws INVALID_ARGUMENT for what is no name. */
  constructor(transcripts: Transcripts, agent?: string) {
    this.agent = checked(agent, 'agent', undefined);
    this.transcripts = transcripts;
    this.version = transcripts.version();
  }

  /** Notes that a session is being recorded. */
  begun(session: Origin & Listener & { readonly path: string }): void {
    this.forgetPurged();
    this.open.set(session.path, session);
  }

  /** Tells the session of a writer what he changed in the knowledge. */
  async changed({ path = '' }: Origin, change: KnowledgeChange): Promise<void> {
    await this.open.get(path)?.changed?.(change);
  }

  ended(path: string): void {
    this.open.delete(path);
  }

  /** Runs a call on behalf of somebody; what it writes says so. */
  speaking<T>(origin: Origin, call: () => T): T {
    return this.spoken.run(origin, call);
  }

  /**
   * Gives the origin of a write. What it names itself wins, then what a front end said of the call, then the only open session. The agent
   * that the memory was opened for comes last. Throws INVALID_ARGUMENT for what is no name.
   */
  of(named: Pick<Origin, 'session' | 'agent'> = {}, filter?: SecretFilter): Origin {
    const { session, agent } = named;
    const given = defined({ session: checked(session, 'session', filter), agent: checked(agent, 'agent', filter) });
    const around = this.around();
    if (given.session === undefined || given.session === around.session) return { ...around, ...given };
    const { changed: _, ...other } = [...this.open.values()].find((one) => one.session === given.session) ?? {};
    return { ...defined({ agent: around.agent }), ...other, ...given };
  }

  private around(): Origin {
    this.forgetPurged();
    const [only, ...others] = [...this.open.values()].map(({ changed: _, ...origin }) => origin);
    return { ...defined({ agent: this.agent }), ...(others.length === 0 ? only : {}), ...this.spoken.getStore() };
  }

  /** What a purge took or renamed must not be written again as the name of a conversation. */
  private forgetPurged(): void {
    if (this.open.size === 0) return;
    const version = this.transcripts.version();
    if (version === this.version) return;
    for (const [path, { session = '', agent = '' }] of this.open) {
      const text = orElse(() => this.transcripts.read(path), null);
      if (text === null || !text.includes(session) || !text.includes(agent)) this.open.delete(path);
    }
    this.version = version;
  }
}

/** Tells whether a text can name somebody: it has a letter or a digit. */
export const isName = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

function checked(name: string | undefined, where: string, filter: SecretFilter | undefined): string | undefined {
  if (name === undefined) return undefined;
  if (typeof name !== 'string' || name.length > maxNameLength || !isName(name)) {
    throw new MemoryError('INVALID_ARGUMENT', `the ${where} is a name of at most ${maxNameLength} characters`, {
      where,
    });
  }
  return oneLine(filter === undefined ? name : filter.passName(name, where), maxNameLength);
}

/** Gives the trailers that name an origin. */
export function originTrailers({ path, session, agent, verdict }: Origin): Trailer[] {
  const conversation = path ?? session;
  const named = [['Session', conversation] as const, ['Agent', agent] as const, ['Verdict', verdict] as const];
  return named.flatMap(([key, value]) => (value === undefined ? [] : [{ key, value }]));
}
