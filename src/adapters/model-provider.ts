// Makes `openai/gpt-5-mini` the model object of the AI SDK. Servers and keys come from the user's environment, never from a repository.

import { defined, MemoryError } from '../base/errors.ts';
import { withoutEndSlash } from '../base/text.ts';

/** Providers that a name may begin with. */
export const modelProviders = ['openai', 'anthropic', 'ollama', 'openai-compatible'] as const;
export type ModelProvider = (typeof modelProviders)[number];

/** A model as a person names it. */
export interface NamedModel {
  readonly provider: ModelProvider;
  readonly id: string;
}

/** Where a model is, and how to get in. */
export interface ProviderOptions {
  /** Base URL with its version, `http://127.0.0.1:11434/v1`; default: the provider's own, or what the environment says. */
  readonly baseUrl?: string;
  /** Default: what the environment says. */
  readonly apiKey?: string;
  /** Default `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** A model of the AI SDK; its inside is the SDK's business. */
export interface SdkModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
}

/** A model that can be asked, and what is known of the way to it. */
export interface ProvidedModel {
  readonly model: SdkModel;
  /** Whether texts leave the machine. */
  readonly isRemote: boolean;
  /** Never to be shown. */
  readonly secret: string | undefined;
}

/** No answer to a question of ours is longer, in bytes; a server that sends more is not believed. */
const maxAnswerBytes = 4 << 20;
const ollamaUrl = 'http://127.0.0.1:11434';

/** Reads `provider/id`; undefined when it is none of ours. Ids may hold slashes, colons and dots. */
export function parseModelName(name: string): NamedModel | undefined {
  const match = /^([a-z-]+)\/([\w@][\w.:@/+-]{0,199})$/.exec(name);
  const provider = modelProviders.find((one) => one === match?.[1]);
  return provider === undefined ? undefined : { provider, id: match![2]! };
}

/** Makes the model object of a named model. Throws MODEL_UNAVAILABLE when package, key or URL is missing; INVALID_ARGUMENT for a bad URL. */
export async function provideModel(named: NamedModel, options: ProviderOptions = {}): Promise<ProvidedModel> {
  const { provider, id } = named;
  const environment = options.environment ?? process.env;
  const say = (name: string): string | undefined => environment[name] || undefined;
  switch (provider) {
    case 'openai': {
      const baseURL = options.baseUrl ?? say('OPENAI_BASE_URL') ?? 'https://api.openai.com/v1';
      const apiKey = options.apiKey ?? say('OPENAI_API_KEY') ?? missing(named, 'OPENAI_API_KEY');
      const { createOpenAI } = await load('@ai-sdk/openai', () => import('@ai-sdk/openai'));
      // Called like this the provider speaks the Responses API.
      return provided(createOpenAI({ baseURL: checkUrl(baseURL), apiKey, fetch: boundedFetch })(id), baseURL, apiKey);
    }
    case 'anthropic': {
      const baseURL = options.baseUrl ?? say('ANTHROPIC_BASE_URL') ?? 'https://api.anthropic.com/v1';
      const apiKey = options.apiKey ?? say('ANTHROPIC_API_KEY') ?? missing(named, 'ANTHROPIC_API_KEY');
      const { createAnthropic } = await load('@ai-sdk/anthropic', () => import('@ai-sdk/anthropic'));
      return provided(
        createAnthropic({ baseURL: checkUrl(baseURL), apiKey, fetch: boundedFetch })(id),
        baseURL,
        apiKey,
      );
    }
    default: {
      const isOllama = provider === 'ollama';
      const host = isOllama ? ollamaHost(say('OLLAMA_HOST')) : undefined;
      const baseURL = options.baseUrl ?? host ?? say('GIT_MEMORY_MODEL_URL') ?? missing(named, 'GIT_MEMORY_MODEL_URL');
      const apiKey = options.apiKey ?? (isOllama ? undefined : say('GIT_MEMORY_MODEL_KEY'));
      const { createOpenAICompatible } = await load(
        '@ai-sdk/openai-compatible',
        () => import('@ai-sdk/openai-compatible'),
      );
      const make = createOpenAICompatible({
        name: provider,
        baseURL: checkUrl(baseURL),
        fetch: boundedFetch,
        supportsStructuredOutputs: true,
        ...defined({ apiKey }),
      });
      return provided(make(id), baseURL, apiKey);
    }
  }
}

function provided(model: SdkModel, baseUrl: string, secret: string | undefined): ProvidedModel {
  const host = new URL(baseUrl).hostname;
  return { model, isRemote: !/^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(host), secret };
}

function missing({ provider }: NamedModel, variable: string): never {
  throw new MemoryError('MODEL_UNAVAILABLE', `models of ${provider} need ${variable}`, {
    where: variable,
    hint: `Set ${variable} in the environment`,
  });
}

/** OLLAMA_HOST is a host, a host with a port, or a URL. */
function ollamaHost(host: string | undefined): string {
  if (host === undefined) return `${ollamaUrl}/v1`;
  const url = /^https?:\/\//.test(host) ? host : `http://${host}${/:\d+$/.test(host) ? '' : ':11434'}`;
  return `${withoutEndSlash(url)}/v1`;
}

function checkUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return withoutEndSlash(text);
  throw new MemoryError('INVALID_ARGUMENT', 'the address of a model must be an http or https URL', {
    where: 'baseUrl',
  });
}

async function load<T>(name: string, importIt: () => Promise<T>): Promise<T> {
  try {
    return await importIt();
  } catch (error) {
    throw new MemoryError('MODEL_UNAVAILABLE', `the package ${name} cannot be loaded`, {
      where: name,
      hint: `Install it beside git-memory: npm install ai ${name}`,
      cause: error,
    });
  }
}

/** Fetches without following a server elsewhere, where the key would go along, and stops reading an answer that does not end. */
const boundedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'error' });
  if (response.body === null) return response;
  let length = 0;
  const bounded = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        length += chunk.byteLength;
        if (length > maxAnswerBytes) controller.error(new AnswerTooLong());
        else controller.enqueue(chunk);
      },
    }),
  );
  const { status, statusText, headers } = response;
  return new Response(bounded, { status, statusText, headers });
};

class AnswerTooLong extends Error {
  constructor() {
    super(`the answer is longer than ${maxAnswerBytes} bytes`);
    this.name = 'AnswerTooLong';
  }
}
