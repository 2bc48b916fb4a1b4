// A session of the OpenAI Agents SDK (openai.github.io/openai-agents-js) over a memory repository. Its items are kept exactly, to be
// replayed to a model; its words are a transcript, to be recalled and extracted like any other conversation.

import type { AgentInputItem, Session as AgentSession } from '@openai/agents-core';
import { z } from 'zod';
import { formatGiven, formatJson, isJsonObject, parseJson } from '../../base/canonical-json.ts';
import { defined, MemoryError } from '../../base/errors.ts';
import type { CaptureResult } from '../../base/types.ts';
import { isRole, type Session } from '../../core/capture/session.ts';
import type { MemoryPart } from '../../memory/open-memory.ts';
import { segmentOf } from '../../store/records/store-item.ts';
import { agentCall, optionsAsMeant } from '../agent-call.ts';

/** Settings of {@link GitMemorySession}. */
export interface GitMemorySessionOptions {
  /** A caller that goes on with a session names it; a new one gets an id. */
  readonly sessionId?: string;
  /** What the transcript is about, and where it took place. */
  readonly topic?: string;
  readonly channel?: string;
  /** False: items are kept, and no transcript is. Default true. */
  readonly transcript?: boolean;
}

const text = z.string().optional();
const fields = { sessionId: text, topic: text, channel: text, transcript: z.boolean().optional() };

/** How often a number that somebody else took first is looked for again. */
const maxAttempts = 50;

/**
 * Keeps the history of an agent's conversation in a memory.
 *
 * ```js
 * const session = new GitMemorySession(memory, { sessionId: 'support-42' });
 * await run(agent, 'What did we decide yesterday?', { session });
 * ```
 *
 * Each `addItems` is one file, `state/sessions/<id>/<number>.json`: durable when the call returns, whoever else adds to the session.
 * Messages of people and agents, and calls of tools, also go into a transcript. `popItem` and `clearSession` take items from what a model
 * sees, not from what was said. {@link end} closes the transcript. Secrets are redacted in both. Throws as the memory does.
 */
export class GitMemorySession implements AgentSession {
  readonly #memory: MemoryPart;
  readonly #options: GitMemorySessionOptions;
  readonly #folder: string;
  readonly #id: string;
  #transcript: Session | null = null;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(memory: MemoryPart, options: GitMemorySessionOptions = {}) {
    const meant = optionsAsMeant(fields, options);
    const { sessionId = crypto.randomUUID() } = meant;
    if (typeof sessionId !== 'string' || sessionId.trim() === '')
      throw new MemoryError('INVALID_ARGUMENT', 'the id of a session must be a string', { where: 'sessionId' });
    this.#memory = memory;
    this.#options = meant;
    this.#id = sessionId;
    this.#folder = `state/sessions/${segmentOf(sessionId)}`;
  }

  /** Gives the id that goes on with this session. */
  async getSessionId(): Promise<string> {
    return this.#id;
  }

  /** Gives the items, oldest first; with a limit the last ones. */
  getItems(most?: number): Promise<AgentInputItem[]> {
    return this.#inOrder(async () => {
      const { limit } = optionsAsMeant({ limit: z.number().optional() }, defined({ limit: most }));
      if (limit !== undefined && limit <= 0) return [];
      const newest: AgentInputItem[][] = [];
      let count = 0;
      for (const path of (await this.#files()).reverse()) {
        const items = await this.#read(path);
        newest.push(items);
        count += items.length;
        if (limit !== undefined && count >= limit) break;
      }
      const items = newest.reverse().flat();
      return limit === undefined ? items : items.slice(-limit);
    });
  }

  /** Appends items; all of them are kept, or none. Throws INVALID_ARGUMENT for what is no item, ahead of all. */
  addItems(items: AgentInputItem[]): Promise<void> {
    return this.#inOrder(async () => {
      const text = checkedItems(items);
      if (items.length === 0) return;
      await this.#append(text);
      await this.#say(items);
    });
  }

  /** Takes the last item from the history, and gives it. */
  popItem(): Promise<AgentInputItem | undefined> {
    return this.#inOrder(async () => {
      const path = (await this.#files()).at(-1);
      if (path === undefined) return undefined;
      const items = await this.#read(path);
      const last = items.pop();
      if (items.length === 0) await this.#memory.remove(path);
      else await this.#memory.write(path, formatJson(items));
      return last;
    });
  }

  /** Takes all items from the history, and closes the transcript. */
  clearSession(): Promise<void> {
    return this.#inOrder(async () => {
      const files = await this.#files();
      if (files.length > 0) await this.#memory.remove(this.#folder, { recursive: true, allowRemovals: true });
      await this.#close();
    });
  }

  /** Closes the transcript and commits it; the items stay. Null when nothing was said. */
  end(): Promise<CaptureResult | null> {
    return this.#inOrder(() => this.#close());
  }

  async #files(): Promise<string[]> {
    return (await this.#memory.files(`${this.#folder}/`)).sort();
  }

  async #read(path: string): Promise<AgentInputItem[]> {
    const items = parseJson(await this.#memory.read(path), path);
    if (Array.isArray(items) && items.every(isJsonObject)) return items as unknown as AgentInputItem[];
    throw new MemoryError('INVALID_RECORD', 'the file holds no items of a session', {
      where: path,
      hint: 'Restore it from history, or remove it',
    });
  }

  async #append(text: string): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const last = (await this.#files()).at(-1);
      const number = last === undefined ? 1 : Number(last.slice(last.lastIndexOf('/') + 1, -'.json'.length)) + 1;
      try {
        await this.#memory.write(`${this.#folder}/${String(number).padStart(8, '0')}.json`, text, { ifBlob: null });
        return;
      } catch (error) {
        if (!(error instanceof MemoryError) || error.code !== 'CONFLICT' || attempt === maxAttempts) throw error;
      }
    }
  }

  async #say(items: readonly AgentInputItem[]): Promise<void> {
    if (this.#options.transcript === false) return;
    for (const item of items) {
      const spoken = spokenBy(item);
      if (spoken === null) continue;
      this.#transcript ??= await this.#begin();
      if (spoken.kind === 'message') await this.#transcript.message(spoken.role, spoken.text);
      else await this.#transcript.toolCall(spoken.name, spoken.summary);
    }
  }

  /** Goes on with the open transcript of the session, or begins its next one. */
  async #begin(): Promise<Session> {
    const { topic, channel = 'agents' } = this.#options;
    const base = segmentOf(this.#id).replaceAll('=', '-').slice(0, 60);
    for (let part = 1; ; part += 1) {
      const session = part === 1 ? base : `${base}-${part}`;
      try {
        return await this.#memory.startSession({ session, channel, ...defined({ topic }) });
      } catch (error) {
        if (!(error instanceof MemoryError) || error.code !== 'ALREADY_EXISTS') throw error;
      }
    }
  }

  async #close(): Promise<CaptureResult | null> {
    const transcript = this.#transcript;
    this.#transcript = null;
    return transcript === null ? null : transcript.end();
  }

  #inOrder<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#queue.then(() => agentCall(work));
    this.#queue = done.catch(() => undefined);
    return done;
  }
}

/** Formats items that can be read again, and said in a transcript. Throws INVALID_ARGUMENT, which names the first that cannot. */
function checkedItems(items: unknown): string {
  if (!Array.isArray(items))
    throw new MemoryError('INVALID_ARGUMENT', 'items must be a list of items', { where: 'items' });
  for (const [at, item] of [...items].entries()) {
    const why = whyNoItem(item);
    if (why === undefined) continue;
    throw new MemoryError('INVALID_ARGUMENT', `item ${at + 1} ${why}`, {
      where: `items[${at}]`,
      hint: 'Give items as the SDK makes them, such as { role, content }; nothing was kept',
    });
  }
  return formatGiven(items, 'items');
}

/** Says what of an item a transcript could not take; what else it has is the SDK's matter. */
function whyNoItem(item: unknown): string | undefined {
  if (!isJsonObject(item)) return 'is no object';
  if (item.type === 'function_call') {
    const isCall = typeof item.name === 'string' && typeof item.arguments === 'string';
    return isCall ? undefined : 'needs a name and arguments, both texts';
  }
  if (!('role' in item)) return undefined;
  if (!isRole(item.role)) return 'has a role that is no word';
  if (typeof item.content === 'string') return undefined;
  const parts: readonly unknown[] | null = Array.isArray(item.content) ? [...item.content] : null;
  const isRead = (part: unknown) => isJsonObject(part) && (!('text' in part) || typeof part.text === 'string');
  return parts?.every(isRead) ? undefined : 'has content that is neither a text nor a list of parts';
}

type Spoken =
  | { readonly kind: 'message'; readonly role: string; readonly text: string }
  | { readonly kind: 'tool'; readonly name: string; readonly summary: string };

/** Gives what of an item belongs into a transcript: words and calls, no reasoning and no results; null for anything else. */
function spokenBy(item: AgentInputItem): Spoken | null {
  if (item.type === 'function_call') return { kind: 'tool', name: item.name, summary: item.arguments };
  if (!('role' in item)) return null;
  const { role, content } = item;
  const text = (typeof content === 'string' ? [content] : content.map((part) => ('text' in part ? part.text : '')))
    .join('\n')
    .trim();
  return text === '' ? null : { kind: 'message', role: role === 'assistant' ? 'agent' : role, text };
}
