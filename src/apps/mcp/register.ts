// How a tool is registered: its schemas describe, its input is checked here, and whatever fails becomes an answer that says what to do.

import {
  type CallToolResult,
  CLIENT_INFO_META_KEY,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { oneLine } from '../../base/text.ts';
import { isName } from '../../core/write/origin.ts';
import { asAgent } from '../../store/guard/agent-door.ts';
import { failureAnswer, type ToolAnswer } from '../tool-answers.ts';
import type { CallOptions } from '../tool-context.ts';
import type { ToolEntry } from '../tool-sets.ts';
import type { OfferedTools } from '../tool-words.ts';
import type { JsonSchema } from '../tools.ts';

/** A tool as a client sees it, and what it does. */
export interface ToolDefinition extends Pick<ToolEntry, 'name' | 'title' | 'kind' | 'isIdempotent'> {
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject | JsonSchema;
  /** Says nothing that follows from what it says already. */
  readonly isBrief?: boolean;
  /** `input` is what the client sent. Throws MemoryError. */
  run(input: unknown, call: CallOptions): Promise<ToolAnswer>;
}

/** Registers a tool. `tools` are those that stand for commands, which hints name. */
export function registerTool(server: McpServer, tool: ToolDefinition, tools: OfferedTools = new Map()): void {
  const { name, title, description, kind, input, output } = tool;
  const isIdempotent = kind === 'ask' || tool.isIdempotent === true;
  server.registerTool(
    name,
    {
      title,
      description,
      inputSchema: unchecked(input),
      outputSchema: unchecked(output),
      annotations: {
        readOnlyHint: kind === 'ask',
        openWorldHint: false,
        // What only reads destroys nothing, and can be asked again.
        ...(kind === 'ask' && tool.isBrief ? {} : { destructiveHint: kind === 'change', idempotentHint: isIdempotent }),
      },
    },
    async (given: unknown, context: ServerContext) => {
      try {
        const agent = clientOf(server, context);
        const origin = agent === undefined ? {} : { origin: { agent } };
        const call = { signal: context.mcpReq.signal, onProgress: progressOf(context), ...origin };
        return resultOf(await asAgent(() => tool.run(given, call)));
      } catch (error) {
        return failureOf(failureAnswer(error, tools));
      }
    },
  );
}

/** Names the client: those of the revision of 2026 say it with each request, those before it at the beginning. */
function clientOf(server: McpServer, { mcpReq }: ServerContext): string | undefined {
  const said = Object(mcpReq.envelope)[CLIENT_INFO_META_KEY] as { readonly name?: unknown } | undefined;
  const name = said?.name ?? server.server.getClientVersion()?.name;
  return typeof name === 'string' && isName(name) ? oneLine(name, 80) : undefined;
}

function resultOf({ text, data, isError }: ToolAnswer): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent: { ...data }, ...(isError ? { isError } : {}) };
}

/** A failure has no structured content: older clients hold that to the output schema and tell of the mismatch alone. Programs read `_meta`. */
function failureOf({ text, data }: ToolAnswer): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true, _meta: { 'git-memory/error': data.error } };
}

/** Lets a schema describe without refusing: the parser of verbs says what was wrong and what the field means. */
function unchecked(schema: z.ZodObject | JsonSchema): z.ZodObject {
  const isOurs = schema instanceof z.ZodObject;
  const json = (io: 'input' | 'output') => () => brief(isOurs ? z.toJSONSchema(schema, { io }) : schema, io, !isOurs);
  return {
    '~standard': {
      version: 1,
      vendor: 'git-memory',
      jsonSchema: { input: json('input'), output: json('output') },
      validate: (value: unknown) => ({ value }),
    },
  } as unknown as z.ZodObject;
}

/** Says a schema in fewer words, for each costs every model that is offered the tool. */
function brief(schema: object, io: 'input' | 'output', isLong: boolean): object {
  return JSON.parse(JSON.stringify(schema), (key, value) => {
    if (key === '$schema' || key === 'propertyNames' || value === Number.MAX_SAFE_INTEGER) return undefined;
    if ((key === 'minLength' || key === 'minimum') && value === 1) return undefined;
    if (io === 'output' && key === 'additionalProperties') return undefined;
    // What our own types say of each field is for people who program; a model reads the text of the answer.
    if (isLong && key === 'description' && typeof value === 'string') return undefined;
    const [one, none, ...others] = Array.isArray(value?.anyOf) ? value.anyOf : [];
    if (none?.type !== 'null' || others.length > 0 || typeof one.type !== 'string') return value;
    const { anyOf: _, ...rest } = value;
    return { ...one, ...rest, type: [one.type, 'null'] };
  }) as object;
}

function progressOf(context: ServerContext): NonNullable<CallOptions['onProgress']> {
  const progressToken = context.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  return ({ what, done, total }) => {
    const params = { progressToken, progress: done, total, message: what };
    // A client that went away has no use for it.
    void context.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}
