// What an exported page brings along, in place of a server: answers by their questions, claims, and a search over them.

import MiniSearch from 'minisearch';
import { type Brought, type ConfigAnswer, zoneOf } from '../src/apps/ui/brought.ts';
import { type PageQuestion, paged } from '../src/apps/ui/lists.ts';
import type { DiffResult, ProvenanceResult, RecallHit, RecallResult } from '../src/base/types.ts';

const text = document.getElementById('answers')?.textContent?.trim() ?? '';
/** Whether this page is a copy in one file. */
export const isExport = text !== '';

let brought: Brought | undefined;

/** Unpacks what the page brings along. */
export async function unpack(): Promise<void> {
  if (!isExport) return;
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  brought = (await new Response(stream).json()) as Brought;
}

/** Answers a question of the present, as the verb would; undefined where this file does not hold it. */
export function answerBrought(
  verb: string,
  input: Readonly<Record<string, unknown>>,
  only: PageQuestion['only'],
): object | undefined {
  const found = brought === undefined ? undefined : (answerOf(verb, input) as object | undefined);
  if (found === undefined) return undefined;
  const zone = zoneOf(brought!.answers['["config",{}]'] as ConfigAnswer);
  return paged(verb, found, zone, { ...(only === undefined ? {} : { only }) });
}

function answerOf(verb: string, input: Readonly<Record<string, unknown>>): unknown {
  if (brought === undefined) return undefined;
  const found = brought.answers[JSON.stringify([verb, input])];
  if (found !== undefined) return found;
  if (verb === 'recall') return search(String(input.query), Number(input.limit ?? 10));
  if (verb === 'show') return brought.claims.find(({ id }) => id === input.what);
  if (verb === 'provenance') return originOf(String(input.what));
  // A day of which nothing is told, for nothing happened.
  const nothing: DiffResult = { from: null, to: null, files: [] };
  return verb === 'diff' && /^\d{4}-\d\d-\d\d\.\.\d{4}-\d\d-\d\d$/.test(String(input.from)) ? nothing : undefined;
}

function originOf(id: string): ProvenanceResult | undefined {
  const origin = brought!.origins[id];
  if (origin === undefined) return undefined;
  const log = new Map(brought!.log.map((entry) => [entry.oid, entry]));
  const commits = origin.commits.flatMap(([oid, change]) => {
    const entry = log.get(oid);
    return entry === undefined ? [] : [{ ...entry, change }];
  });
  return { ...origin, commits };
}

interface Found {
  readonly key: string;
  readonly words: string;
  readonly hit: Omit<RecallHit, 'score' | 'parts' | 'highlights'>;
}

let index: { readonly search: MiniSearch<Found>; readonly found: ReadonlyMap<string, Found> } | undefined;

/** Indexes claims and the paragraphs of pages, when the first question comes. */
function indexed(): NonNullable<typeof index> {
  if (index !== undefined) return index;
  const found = new Map<string, Found>();
  const add = (key: string, words: string, hit: Omit<Found['hit'], 'snippet' | 'commit'>) =>
    found.set(key, {
      key,
      words,
      hit: {
        ...hit,
        snippet: words,
        commit: hit.id === undefined ? null : (brought!.origins[hit.id]?.commits.at(-1)?.[0] ?? null),
      },
    });
  for (const { id, path, content, statement, subject, category, status, validUntil } of brought!.claims) {
    const isOver = status === 'superseded';
    const until = validUntil === undefined ? undefined : new Date(validUntil * 1000).toISOString().slice(0, 10);
    add(id, content, { path, id, line: 1, category: category ?? 'memory', ...(isOver && until ? { until } : {}) });
    found.set(id, {
      ...found.get(id)!,
      words: [content, statement, subject].filter((one) => one !== undefined).join('\n'),
    });
  }
  for (const [question, answer] of Object.entries(brought!.answers)) {
    const page = answer as { readonly path?: string; readonly text?: string };
    if (!question.startsWith('["show"') || page.text === undefined) continue;
    page.text.split('\n').forEach((line, at) => {
      const words = line.replace(/^[\s#>*-]+| \[(?:source|memory|verified|due): [^\]]*\]/g, '').trim();
      if (words !== '') add(`${page.path}:${at}`, words, { path: page.path!, line: at + 1, category: 'knowledge' });
    });
  }
  const search = new MiniSearch<Found>({
    idField: 'key',
    fields: ['words'],
    searchOptions: { prefix: (term) => term.length > 3, fuzzy: (term) => (term.length > 4 ? 0.2 : false) },
  });
  search.addAll([...found.values()]);
  index = { search, found };
  return index;
}

function search(query: string, limit: number): RecallResult {
  const { search, found } = indexed();
  const best = search.search(query).slice(0, 4 * limit);
  const most = best[0]?.score ?? 1;
  const hits = best.map(({ id, score, terms }): RecallHit => {
    const { hit } = found.get(id as string)!;
    const highlights = terms.flatMap((term) => {
      const at = hit.snippet.toLowerCase().indexOf(term);
      return at < 0 ? [] : [[at, at + term.length] as const];
    });
    return { ...hit, highlights, score: score / most, parts: { lexical: score / most } } as RecallHit;
  });
  // What is over stands behind what holds.
  const inOrder = [
    ...hits.filter(({ until }) => until === undefined),
    ...hits.filter(({ until }) => until !== undefined),
  ];
  return { query, commit: null, embedder: null, hits: inOrder.slice(0, limit) } as RecallResult;
}
