// `search` and `fetch`, the two tools that ChatGPT's connectors ask for, in the shapes they ask for (platform.openai.com/docs/mcp).

import { z } from 'zod';
import { defined, MemoryError } from '../../base/errors.ts';
import { singleSpaced } from '../../base/text.ts';
import type { RecallHit } from '../../base/types.ts';
import type { Questions } from '../../memory/view.ts';
import { periodMark } from '../../store/claims/claim.ts';
import { parseTranscript } from '../../store/records/transcript.ts';
import { asMeant } from '../as-meant.ts';
import type { ToolAnswer } from '../tool-answers.ts';
import type { OfferedTools } from '../tool-words.ts';
import { parseInput } from '../verbs/verb.ts';
import type { MemoryHost } from './host.ts';
import type { ToolDefinition } from './register.ts';
import { fileUri, memoryUri } from './uris.ts';

const resultShape = { id: z.string(), title: z.string(), url: z.string() };

/** Turns before and after the one that was found, which its text comes with. */
const neighbours = 2;

/** What the two stand for. */
export const searchAndFetchAs: OfferedTools = new Map([
  ['recall', { name: 'search', fields: new Set(), takesWords: true }],
  ['show', { name: 'fetch', fields: new Set(), takesWords: true }],
]);

/** Makes the two tools over a memory. */
export function searchAndFetch(host: MemoryHost): ToolDefinition[] {
  const searchInput = z.strictObject({ query: z.string().describe('what to look for, in words') });
  const fetchInput = z.strictObject({ id: z.string().min(1).describe('the id of a search result') });
  return [
    {
      name: 'search',
      title: 'Search the memory',
      description:
        'Searches conversations, memories and knowledge; fetch gives the whole of what was found, by its id.',
      kind: 'ask',
      input: searchInput,
      output: z.looseObject({ results: z.array(z.looseObject(resultShape)) }),
      run: async (given) => {
        const { query } = parseInput({ name: 'search', input: searchInput }, asMeant(searchInput, given ?? {}));
        const memory = await host.memory();
        const { hits, probablyNothing } = await memory.recall(query as string, { limit: 20 });
        await memory.handed.noteShown(hits);
        const results = hits.map((hit) => ({ id: idOf(hit), title: titleOf(hit), url: urlOf(hit) }));
        return answer({ ...defined({ probablyNothing }), results });
      },
    },
    {
      name: 'fetch',
      title: 'Fetch what was found',
      description:
        'Gives the full text of a search result: a memory, a knowledge file, or a turn with what was said around it.',
      kind: 'ask',
      input: fetchInput,
      output: z.looseObject({
        ...resultShape,
        text: z.string(),
        metadata: z.record(z.string(), z.string()).optional(),
      }),
      run: async (given) => {
        const { id } = parseInput({ name: 'fetch', input: fetchInput }, asMeant(fetchInput, given ?? {}));
        const memory = await host.memory();
        const document = await documentOf(memory, id as string);
        await memory.handed.noteShown([document.id.includes('/') ? { path: document.id } : { id: document.id }]);
        return answer(document);
      },
    },
  ];
}

interface Document {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly url: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

const answer = (value: object): ToolAnswer => ({ text: JSON.stringify(value), data: { ...value }, isError: false });

const idOf = ({ id, path, turn }: RecallHit): string => id ?? (turn === undefined ? path : `${path}#${turn}`);

function urlOf({ id, path }: Pick<RecallHit, 'id' | 'path'>): string {
  return id === undefined ? fileUri(path) : memoryUri(id);
}

function titleOf(hit: RecallHit): string {
  const who = hit.speaker ?? hit.role;
  const words = `${singleSpaced(hit.snippet).slice(0, 100)}${periodMark(hit)}`;
  return who === undefined ? words : `${who}, ${hit.time?.slice(0, 10) ?? ''}: ${words}`;
}

async function documentOf(view: Questions, id: string): Promise<Document> {
  const [, path, turn] = /^(.*)#(\d+)$/.exec(id) ?? [];
  if (path !== undefined) return turnDocument(view, id, path, Number(turn));
  if (id.includes('/')) return { id, title: id, text: await view.read(id, { hideForgotten: true }), url: fileUri(id) };
  const record = await view.get(id);
  const { category, entities, meta, sources, validFrom, validUntil } = record;
  const metadata = {
    ...defined({ category }),
    ...(entities.length === 0 ? {} : { entities: entities.join(', ') }),
    ...(meta.tags.length === 0 ? {} : { tags: meta.tags.join(', ') }),
    ...(sources === undefined
      ? {}
      : { sources: sources.map((source) => `${source.path}#${source.turn ?? ''}`).join(', ') }),
    created: new Date(record.createdAt * 1000).toISOString(),
    ...(validFrom === undefined ? {} : { from: new Date(validFrom * 1000).toISOString() }),
    ...(validUntil === undefined ? {} : { until: new Date(validUntil * 1000).toISOString() }),
  };
  return {
    id: record.id,
    title: record.content.slice(0, 100),
    text: record.content,
    url: memoryUri(record.id),
    metadata,
  };
}

async function turnDocument(view: Questions, id: string, path: string, turn: number): Promise<Document> {
  const transcript = parseTranscript(await view.read(path, { hideForgotten: true }), path);
  const found = transcript.turns[turn - 1];
  if (found === undefined) {
    throw new MemoryError('NOT_FOUND', `the conversation has no turn ${turn}`, {
      where: id,
      hint: `It has ${transcript.turns.length}`,
    });
  }
  const around = transcript.turns.slice(Math.max(0, turn - 1 - neighbours), turn + neighbours);
  const text = around
    .map(({ speaker, role, time, text: words }) => `${speaker ?? role} (${new Date(time).toISOString()}): ${words}`)
    .join('\n\n');
  const { title, sessionId } = transcript;
  return { id, title, text, url: fileUri(path), metadata: { session: sessionId, turn: String(turn) } };
}
