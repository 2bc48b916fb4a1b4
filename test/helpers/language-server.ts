// A server of language models on the loopback interface. It speaks OpenAI's Responses API and chat completions and Anthropic's messages, and
// answers as a test tells it to.

import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';

/** A question as it came over the wire. */
export interface Question {
  readonly api: 'responses' | 'messages' | 'chat';
  readonly model: string;
  readonly system: string;
  readonly prompt: string;
  /** The schema that the answer is held to, in whatever way the protocol says so. */
  readonly schema: unknown;
  readonly maxTokens: number | undefined;
  readonly key: string | undefined;
  readonly body: Record<string, unknown>;
}

/** What comes back: text as a completion, or a failure of the way. */
export type Reply =
  | string
  | { readonly text: string; readonly usage?: { input: number; output: number } | null; readonly isCut?: boolean }
  | { readonly status: number; readonly headers?: Record<string, string>; readonly message?: string }
  | { readonly fault: 'cut' | 'silence' | 'flood' };

export interface LanguageServer {
  /** Base URL with its version. */
  readonly url: string;
  readonly questions: Question[];
  /** Changes what is answered from now on. */
  answer: (question: Question, count: number) => Reply;
  close(): Promise<void>;
}

/** Counts tokens as four characters each. */
const tokens = (text: string): number => Math.ceil(text.length / 4);

/** Starts a server; it ends with the tests of the file. */
export async function serveLanguage(answer: LanguageServer['answer']): Promise<LanguageServer> {
  const questions: Question[] = [];
  const http1 = http.createServer((message, response) => {
    let body = '';
    message.on('data', (chunk) => {
      body += chunk;
    });
    message.on('end', () => {
      const question = questionOf(message, JSON.parse(body));
      questions.push(question);
      send(response, question, server.answer(question, questions.length));
    });
  });
  await new Promise<void>((resolve) => http1.listen(0, '127.0.0.1', resolve));
  const close = async (): Promise<void> => {
    http1.closeAllConnections();
    await new Promise((resolve) => http1.close(resolve));
  };
  const server: LanguageServer = {
    url: `http://127.0.0.1:${(http1.address() as AddressInfo).port}/v1`,
    questions,
    answer,
    close,
  };
  afterAll(close);
  return server;
}

// biome-ignore lint/suspicious/noExplicitAny: what comes over the wire is any JSON
type Wire = any;

function questionOf(message: http.IncomingMessage, body: Wire): Question {
  const { url = '', headers } = message;
  const common = { model: body.model, body, maxTokens: body.max_output_tokens ?? body.max_tokens };
  const key = (headers['x-api-key'] as string | undefined) ?? headers.authorization?.replace(/^Bearer /, '');
  const textOf = (content: Wire): string =>
    typeof content === 'string' ? content : content.map((part: Wire) => part.text).join('');
  const said = (messages: Wire[], roles: string[]): string =>
    messages
      .filter(({ role }) => roles.includes(role))
      .map(({ content }) => textOf(content))
      .join('\n');
  if (url.endsWith('/responses')) {
    return {
      ...common,
      key,
      api: 'responses',
      system: said(body.input, ['developer', 'system']),
      prompt: said(body.input, ['user']),
      schema: body.text?.format?.schema,
    };
  }
  if (url.endsWith('/messages')) {
    return {
      ...common,
      key,
      api: 'messages',
      system: textOf(body.system ?? ''),
      prompt: said(body.messages, ['user']),
      schema: body.output_config?.format?.schema ?? body.tools?.[0]?.input_schema,
    };
  }
  return {
    ...common,
    key,
    api: 'chat',
    system: said(body.messages, ['system']),
    prompt: said(body.messages, ['user']),
    schema: body.response_format?.json_schema?.schema,
  };
}

function send(response: http.ServerResponse, question: Question, reply: Reply): void {
  const json = (status: number, value: unknown, headers: Record<string, string> = {}): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(value));
  };
  if (typeof reply === 'object' && 'fault' in reply) {
    if (reply.fault === 'silence') return;
    if (reply.fault === 'cut') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 5000 });
      response.write('{"id": "', () => response.destroy());
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    const chunk = 'x'.repeat(1 << 20);
    const pour = (): void => {
      while (!response.destroyed && response.write(chunk));
      if (!response.destroyed) response.once('drain', pour);
    };
    pour();
    return;
  }
  if (typeof reply === 'object' && 'status' in reply) {
    json(
      reply.status,
      { type: 'error', error: { type: 'test', message: reply.message ?? `status ${reply.status}`, code: null } },
      reply.headers,
    );
    return;
  }
  const { text, isCut = false, usage: counted } = typeof reply === 'string' ? { text: reply } : { ...reply };
  const usage =
    counted === undefined
      ? { input: tokens(question.system + question.prompt), output: tokens(text) }
      : (counted ?? undefined);
  json(200, completionOf(question, text, isCut, usage));
}

function completionOf(
  { api, model, body }: Question,
  text: string,
  isCut: boolean,
  usage: { input: number; output: number } | undefined,
): unknown {
  if (api === 'responses') {
    return {
      id: 'resp_1',
      created_at: 1,
      model,
      status: isCut ? 'incomplete' : 'completed',
      ...(isCut ? { incomplete_details: { reason: 'max_output_tokens' } } : {}),
      output: [
        {
          type: 'message',
          role: 'assistant',
          id: 'msg_1',
          content: [{ type: 'output_text', text, annotations: [] }],
        },
      ],
      ...(usage === undefined ? {} : { usage: { input_tokens: usage.input, output_tokens: usage.output } }),
    };
  }
  if (api === 'messages') {
    const [tool] = (body.tools as { name: string }[] | undefined) ?? [];
    const content =
      tool === undefined
        ? { type: 'text', text }
        : { type: 'tool_use', id: 't1', name: tool.name, input: JSON.parse(text) };
    return {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model,
      content: [content],
      stop_reason: isCut ? 'max_tokens' : 'end_turn',
      usage: { input_tokens: usage?.input ?? 0, output_tokens: usage?.output ?? 0 },
    };
  }
  return {
    id: 'chat_1',
    object: 'chat.completion',
    created: 1,
    model,
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: isCut ? 'length' : 'stop' }],
    ...(usage === undefined ? {} : { usage: { prompt_tokens: usage.input, completion_tokens: usage.output } }),
  };
}
