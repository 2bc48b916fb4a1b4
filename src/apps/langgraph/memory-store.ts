// The long-term memory of LangGraph (langchain-ai.github.io/langgraphjs): its BaseStore over a memory repository. Each item is one file,
// so that it has a history, can be undone and merged, and is found by recall beside all else.

import {
  BaseStore,
  type GetOperation,
  type Item,
  type ListNamespacesOperation,
  type MatchCondition,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
  validateNamespace,
} from '@langchain/langgraph-checkpoint';
import { z } from 'zod';
import { formatGiven } from '../../base/canonical-json.ts';
import { defined, MemoryError } from '../../base/errors.ts';
import type { MemoryPart } from '../../memory/open-memory.ts';
import type { View } from '../../memory/view.ts';
import { isMemory } from '../../memory/whole.ts';
import {
  formatItem,
  itemPath,
  namespacePath,
  parseItem,
  placeOfItem,
  storeFolder,
} from '../../store/records/store-item.ts';
import { agentCall, optionsAsMeant } from '../agent-call.ts';

const number = z.number().optional();
const object = z.record(z.string(), z.unknown()).optional();
const list = z.array(z.unknown()).optional();
const asked = {
  query: z.string().optional(),
  filter: object,
  limit: number,
  offset: number,
  maxDepth: number,
  matchConditions: list,
};

/** As many hits as recall gives in one answer. */
const maxHits = 1000;

/**
 * Keeps what graphs put under namespaces and keys in a memory.
 *
 * ```js
 * const store = new GitMemoryStore(memory);
 * const graph = builder.compile({ store });
 * ```
 *
 * `search` with a query finds by words and meaning, without an index to configure. `index: false` keeps an item out of it, a list of fields
 * takes only these in. What is put joins the batch and is durable at once. Over a view of the past the store is read-only. Errors are those
 * of the memory; a namespace that LangGraph does not allow is an `InvalidNamespaceError`.
 */
export class GitMemoryStore extends BaseStore {
  readonly #view: MemoryPart | View;

  constructor(memory: MemoryPart | View) {
    super();
    this.#view = memory;
  }

  /** Runs operations in order; all reading comes before all writing, and of two values for a key the last one stays. */
  override async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    return agentCall(() => this.#batch(operations));
  }

  async #batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    const results: unknown[] = [];
    const puts = new Map<string, PutOperation>();
    for (const operation of operations) {
      if ('key' in operation) checkKey(operation.key);
      if ('value' in operation) {
        validateNamespace(operation.namespace, { allowReservedRoot: true });
        if (operation.value !== null) formatGiven(operation.value, 'value');
        puts.set(itemPath(operation.namespace, operation.key), operation);
        results.push(undefined);
      } else if ('key' in operation) results.push(await this.#get(operation));
      else if ('namespacePrefix' in operation) results.push(await this.#search(operation));
      else results.push(await this.#namespaces(operation));
    }
    for (const [path, operation] of puts) await this.#put(path, operation);
    return results as OperationResults<Op>;
  }

  async #get({ namespace, key }: GetOperation): Promise<Item | null> {
    validateNamespace(namespace, { allowReservedRoot: true });
    return this.#read(itemPath(namespace, key));
  }

  async #read(path: string): Promise<Item | null> {
    const text = await this.#view.read(path).catch(unlessMissing);
    const place = placeOfItem(path);
    if (text === null || place === null) return null;
    const { value, createdAt, updatedAt } = parseItem(text, path);
    return { ...place, value: { ...value }, createdAt: new Date(createdAt), updatedAt: new Date(updatedAt) };
  }

  async #search(operation: SearchOperation): Promise<SearchItem[]> {
    const { namespacePrefix, query, filter, limit = 10, offset = 0 } = optionsAsMeant(asked, operation);
    if (namespacePrefix.length > 0) validateNamespace(namespacePrefix, { allowReservedRoot: true });
    const folder = namespacePath(namespacePrefix);
    const scores = await this.#scores(folder, query);
    const items: SearchItem[] = [];
    for (const path of await this.#view.files(`${folder}/`)) {
      const item = await this.#read(path);
      if (item === null || !fitsFilter(item.value, filter)) continue;
      const score = scores.get(path);
      items.push(score === undefined ? item : { ...item, score });
    }
    // What fits the words comes first; the rest, and all without a query, with the newest first.
    items.sort(
      (a, b) =>
        (b.score ?? 0) - (a.score ?? 0) || b.updatedAt.getTime() - a.updatedAt.getTime() || (a.key < b.key ? -1 : 1),
    );
    return items.slice(offset, offset + limit);
  }

  async #scores(folder: string, query: string | undefined): Promise<Map<string, number>> {
    if (query === undefined || query.trim() === '') return new Map();
    const { hits } = await this.#view.recall(query, { paths: [folder], category: 'item', limit: maxHits });
    return new Map(hits.map(({ path, score }) => [path, score]));
  }

  async #namespaces(operation: ListNamespacesOperation): Promise<string[][]> {
    const { matchConditions = [], maxDepth, limit, offset = 0 } = optionsAsMeant(asked, operation);
    const found = new Map<string, string[]>();
    for (const path of await this.#view.files(`${storeFolder}/`)) {
      const namespace = placeOfItem(path)?.namespace;
      if (namespace === undefined || !matchConditions.every((condition) => matches(condition, namespace))) continue;
      const cut = namespace.slice(0, maxDepth);
      found.set(namespacePath(cut), cut);
    }
    const sorted = [...found.values()].sort((a, b) => (a.join('.') < b.join('.') ? -1 : 1));
    return sorted.slice(offset, offset + (limit ?? sorted.length));
  }

  async #put(path: string, { value, index }: PutOperation): Promise<void> {
    const memory = this.#view;
    if (!isMemory(memory)) {
      throw new MemoryError('READ_ONLY', 'the past cannot be changed', {
        where: path,
        hint: 'Create the store on the memory itself',
      });
    }
    if (value === null) {
      await memory.remove(path).catch(unlessMissing);
      return;
    }
    if (typeof value !== 'object' || Array.isArray(value)) {
      throw new MemoryError('INVALID_ARGUMENT', 'a value must be an object', {
        where: path,
        hint: 'Wrap it: { value: … }',
      });
    }
    const before = await memory.read(path).catch(unlessMissing);
    const now = Date.now();
    const createdAt = before === null ? now : parseItem(before, path).createdAt;
    const texts = index === undefined ? undefined : index === false ? [] : index.flatMap((at) => textsAt(value, at));
    await memory.write(path, formatItem({ value, createdAt, updatedAt: now, ...defined({ texts }) }));
  }
}

function checkKey(key: unknown): void {
  if (typeof key === 'string') return;
  throw new MemoryError('INVALID_ARGUMENT', 'the key of an item must be a text', { where: 'key' });
}

const unlessMissing = (error: unknown): null => {
  if (error instanceof MemoryError && error.code === 'NOT_FOUND') return null;
  throw error;
};

/** Tells whether a namespace begins, or ends, with a path in which `*` stands for any label. */
function matches({ matchType, path }: MatchCondition, namespace: readonly string[]): boolean {
  if (path.length > namespace.length) return false;
  const first = matchType === 'prefix' ? 0 : namespace.length - path.length;
  return path.every((label, at) => label === '*' || label === namespace[first + at]);
}

// The filters of LangGraph's search: a value, or an object of operators, for each field of an item.

/** Compares as the stores of LangGraph do: equality is identity, order is that of numbers. */
const operators: Readonly<Record<string, (value: unknown, wanted: unknown) => boolean>> = {
  $eq: (value, wanted) => value === wanted,
  $ne: (value, wanted) => value !== wanted,
  $gt: (value, wanted) => Number(value) > Number(wanted),
  $gte: (value, wanted) => Number(value) >= Number(wanted),
  $lt: (value, wanted) => Number(value) < Number(wanted),
  $lte: (value, wanted) => Number(value) <= Number(wanted),
  $in: (value, wanted) => Array.isArray(wanted) && wanted.includes(value),
  $nin: (value, wanted) => !Array.isArray(wanted) || !wanted.includes(value),
};

function fitsFilter(
  value: Readonly<Record<string, unknown>>,
  filter: Readonly<Record<string, unknown>> | undefined,
): boolean {
  return Object.entries(filter ?? {}).every(([field, wanted]) => fits(value[field], wanted));
}

function fits(value: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return value === wanted;
  const names = Object.keys(wanted);
  if (!names.every((name) => Object.hasOwn(operators, name))) return value === wanted;
  return names.every((name) => operators[name]!(value, (wanted as Readonly<Record<string, unknown>>)[name]));
}

// Which texts of a value a field means, in LangGraph's notation: `title`, `meta.author`, `chapters[*].text`, `tags[-1]`, `*`, `{title,body}`.

type Step = { readonly names: readonly string[] } | { readonly index: number } | { readonly every: true };

/** Lists the texts at a field of a value, empty for none. A text or number is given as it is, an object or list as all it holds. */
export function textsAt(value: unknown, field: string): string[] {
  let found: unknown[] = [value];
  for (const step of stepsOf(field)) found = found.flatMap((part) => taken(part, step));
  return found.flatMap(textOf);
}

function stepsOf(field: string): Step[] {
  if (field === '$' || field === '') return [];
  return [...field.matchAll(/\[(-?\d+|\*)\]|\{([^}]*)\}|([^.[\]{}]+)/g)].map(([, index, group, name]): Step => {
    if (index === '*' || name === '*') return { every: true };
    if (index !== undefined) return { index: Number(index) };
    return { names: group === undefined ? [name!] : group.split(',').map((one) => one.trim()) };
  });
}

function taken(part: unknown, step: Step): unknown[] {
  if (typeof part !== 'object' || part === null) return [];
  if ('every' in step) return Object.values(part);
  if ('index' in step) return Array.isArray(part) ? [part.at(step.index)] : [];
  // A group may name what lies deeper: `{title,meta.author}`.
  return step.names.flatMap((name) =>
    name.split('.').reduce<unknown[]>((parts, key) => parts.flatMap((one) => own(one, key)), [part]),
  );
}

const own = (part: unknown, key: string): unknown[] =>
  typeof part === 'object' && part !== null && Object.hasOwn(part, key)
    ? [(part as Readonly<Record<string, unknown>>)[key]]
    : [];

function textOf(part: unknown): string[] {
  if (part === null || part === undefined) return [];
  return [typeof part === 'object' ? JSON.stringify(part, null, 2) : String(part)];
}
