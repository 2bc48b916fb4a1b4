// What a client may read without calling a tool: the state of the memory, single records and files, now and as they were.

import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { MemoryError } from '../../base/errors.ts';
import { singleSpaced } from '../../base/text.ts';
import type { Questions } from '../../memory/view.ts';
import { summarise } from '../memory-summary.ts';
import { answerInToolWords, errorInToolWords, type OfferedTools } from '../tool-words.ts';
import type { MemoryHost } from './host.ts';
import { fileUri, memoryUri } from './uris.ts';

const listed = 50;
const json = 'application/json';

/** Registers the resources of a memory. `tools` are those that stand for commands. */
export function registerResources(server: McpServer, host: MemoryHost, tools: OfferedTools): void {
  const answering = answeringWith(tools);
  server.registerResource(
    'status',
    'memory://status',
    {
      title: 'Status',
      description: 'What the memory holds, what waits for a commit, what is promised',
      mimeType: json,
    },
    answering(async (uri) => jsonOf(uri, answerInToolWords(await summarise(await host.memory()), tools))),
  );
  server.registerResource(
    'recent',
    'memory://recent',
    {
      title: 'Recent operations',
      description: `The last ${listed} commits of the memory, newest first`,
      mimeType: json,
    },
    answering(async (uri) => jsonOf(uri, await (await host.memory()).log({ limit: listed }))),
  );
  server.registerResource(
    'session-start',
    'memory://session-start',
    {
      title: 'What to begin a session with',
      description: 'Identity, what matters today, the notes of two days, active projects',
      mimeType: 'text/markdown',
    },
    answering(async (uri) => markdownOf(uri, (await (await host.memory()).sessionStart()).text)),
  );
  server.registerResource(
    'context',
    new ResourceTemplate('memory://context/{message}', { list: undefined }),
    {
      title: 'What to know for a message',
      description: 'The text an agent is handed for a message, within the budget of memory.yaml',
      mimeType: 'text/markdown',
    },
    answering(async (uri, { message }) => markdownOf(uri, (await (await host.memory()).context(one(message))).text)),
  );
  server.registerResource(
    'memory',
    new ResourceTemplate('memory://memories/{id}', {
      list: async () => {
        const { memories } = await (await host.memory()).list({ limit: listed });
        return {
          resources: memories.map(({ id, content }) => ({
            uri: memoryUri(id),
            name: singleSpaced(content).slice(0, 80),
            mimeType: json,
          })),
        };
      },
      complete: { id: async (value) => (await idsOf(await host.memory(), value)).slice(0, listed) },
    }),
    {
      title: 'A memory',
      description: 'One memory with its relations, by its id or the beginning of it',
      mimeType: json,
    },
    answering(async (uri, { id }) => jsonOf(uri, await recordOf(await host.memory(), one(id)))),
  );
  server.registerResource(
    'file',
    new ResourceTemplate('memory://files/{+path}', {
      list: async () => {
        const files = await (await host.memory()).files('knowledge');
        return {
          resources: files.slice(0, 500).map((path) => ({ uri: fileUri(path), name: path, mimeType: typeOf(path) })),
        };
      },
    }),
    { title: 'A file', description: 'A file of the memory, such as knowledge/memory/MEMORY.md, as it stands' },
    answering(async (uri, { path }) =>
      textOf(uri, one(path), await (await host.memory()).read(one(path), { hideForgotten: true })),
    ),
  );
  server.registerResource(
    'memory-at',
    new ResourceTemplate('memory://at/{when}/memories/{id}', { list: undefined }),
    { title: 'A memory at a time', description: 'One memory as it was at a day, tag or commit', mimeType: json },
    answering(async (uri, { when, id }) =>
      jsonOf(uri, await recordOf(await (await host.memory()).at(one(when)), one(id))),
    ),
  );
  server.registerResource(
    'file-at',
    new ResourceTemplate('memory://at/{when}/files/{+path}', { list: undefined }),
    { title: 'A file at a time', description: 'A file as it was at a day, tag or commit' },
    answering(async (uri, { when, path }) =>
      textOf(
        uri,
        one(path),
        await (await (await host.memory()).at(one(when))).read(one(path), { hideForgotten: true }),
      ),
    ),
  );
}

type Variables = Readonly<Record<string, string | string[]>>;

/** A resource has no other way to fail than the protocol's own errors; their message says what the memory has to say. */
const answeringWith =
  (tools: OfferedTools) =>
  (read: (uri: URL, variables: Variables) => Promise<ReadResourceResult>) =>
  async (uri: URL, variables?: unknown): Promise<ReadResourceResult> => {
    try {
      return await read(uri, (variables ?? {}) as Variables);
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      const message = `${error.code}: ${errorInToolWords(error, tools).message}`;
      if (error.code === 'NOT_FOUND' || error.code === 'AMBIGUOUS') throw new ResourceNotFoundError(uri.href, message);
      throw new ProtocolError(ProtocolErrorCode.InternalError, message, { uri: uri.href });
    }
  };

function one(variable: string | string[] | undefined): string {
  const text = Array.isArray(variable) ? variable.join('/') : (variable ?? '');
  try {
    return decodeURIComponent(text);
  } catch {
    throw new MemoryError('NOT_FOUND', 'this is not a valid URI', { where: text });
  }
}

async function recordOf(view: Questions, id: string): Promise<unknown> {
  const record = await view.get(id);
  return { ...record, ...(await view.records.relations(record.id)) };
}

async function idsOf(view: Questions, beginning: string): Promise<string[]> {
  const { memories } = await view.list({});
  return memories.map(({ id }) => id).filter((id) => id.startsWith(beginning));
}

function jsonOf(uri: URL, value: unknown): ReadResourceResult {
  return { contents: [{ uri: uri.href, mimeType: json, text: JSON.stringify(value, null, 2) }] };
}

function markdownOf(uri: URL, text: string): ReadResourceResult {
  return { contents: [{ uri: uri.href, mimeType: 'text/markdown', text }] };
}

function textOf(uri: URL, path: string, text: string): ReadResourceResult {
  return { contents: [{ uri: uri.href, mimeType: typeOf(path), text }] };
}

function typeOf(path: string): string {
  if (path.endsWith('.md')) return 'text/markdown';
  return path.endsWith('.json') ? json : 'text/plain';
}
