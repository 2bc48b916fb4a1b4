// A language model behind the TextModel port, through the AI SDK (`ai`, optional). What comes back is text; whoever asked checks it.

import { defined, MemoryError } from '../base/errors.ts';
import type { ShapedAnswer, ShapedRequest, TextModel, TextRequest, TokenUsage } from '../base/ports.ts';
import { singleSpaced } from '../base/text.ts';
import { inWords } from '../core/extract/model/contract.ts';
import { modelPrograms } from './command-forms.ts';
import { commandModel, commandPrefix } from './command-model.ts';
import {
  modelProviders,
  type NamedModel,
  type ProviderOptions,
  parseModelName,
  provideModel,
  type SdkModel,
} from './model-provider.ts';
import { type Patience, patiently, type Verdict } from './patient.ts';

/** Which model to ask, and how. */
export interface LanguageModelOptions extends ProviderOptions {
  /**
   * `openai/gpt-5-mini`, `anthropic/claude-haiku-4-5`, `ollama/llama3.2`, `openai-compatible/<id>`, a program such as `command/claude` or
   * `command/claude:sonnet`, or a model object of the AI SDK.
   */
  readonly model: string | SdkModel;
  /** For a model object: whether texts leave the machine. Default true; of a named model its address tells. */
  readonly isRemote?: boolean;
  /** How long one attempt may take; default 30,000. */
  readonly timeoutMs?: number;
  /** How often a request is repeated when the server is busy or gone; default 1. */
  readonly retries?: number;
  /** Settings of the provider, `{ openai: { reasoningEffort: 'low' } }`. */
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** For tests. */
  readonly pause?: Patience['pause'];
}

type AiSdk = typeof import('ai');

/** Of what a request without a shape may answer. */
const plainOutputTokens = 4000;
/** OpenAI's Responses API refuses less. */
const leastOutputTokens = 16;

/**
 * Makes a text model of a named model or of a model object of the AI SDK.
 *
 * Nothing is asked yet. A server that knows no schemas (it answers 400 to one) is asked in words from then on.
 *
 * @throws MemoryError MODEL_UNAVAILABLE when a package, key or address is missing; INVALID_ARGUMENT when it is no model.
 */
export async function languageModel(options: LanguageModelOptions): Promise<TextModel> {
  const { timeoutMs = 30_000, retries = 1, pause, providerOptions = {} } = options;
  if (typeof options.model === 'string' && options.model.startsWith(commandPrefix)) {
    const { environment } = options;
    return commandModel(options.model, { timeoutMs, retries, environment, ...(pause === undefined ? {} : { pause }) });
  }
  const named = typeof options.model === 'string' ? namedModel(options.model) : undefined;
  const { model, isRemote, secret } =
    named === undefined
      ? { model: modelObject(options.model), isRemote: options.isRemote ?? true, secret: undefined }
      : await provideModel(named, options);
  const name = named === undefined ? `${model.provider}/${model.modelId}` : `${named.provider}/${named.id}`;
  const sdk = await loadSdk();
  let knowsSchemas = true;

  const ask = async (request: TextRequest, shape: ShapedRequest | undefined): Promise<ShapedAnswer> => {
    const judge = (error: unknown): Verdict => verdictOn(sdk, error);
    const patience = { retries, timeoutMs, judge, signal: request.signal, ...defined({ pause }) };
    try {
      return await patiently(async (signal) => {
        const result = await sdk.generateText({
          model: model as Parameters<AiSdk['generateText']>[0]['model'],
          system: request.system,
          prompt: request.prompt,
          maxRetries: 0,
          maxOutputTokens:
            shape?.maxOutputTokens ?? Math.max(leastOutputTokens, request.maxOutputTokens ?? plainOutputTokens),
          abortSignal: signal,
          // Nothing of a memory is to be kept there for others to look at.
          providerOptions: { ...providerOptions, openai: { store: false, ...providerOptions.openai } } as never,
          ...(shape === undefined
            ? {}
            : { output: sdk.Output.object({ schema: sdk.jsonSchema(shape.schema as never), name: shape.name }) }),
        });
        // Some models answer by a call of a tool that nobody offered.
        const called = result.toolCalls?.map(({ input }) =>
          typeof input === 'string' ? input : JSON.stringify(input),
        );
        const text = result.text || (called ?? []).join('\n') || refusalIn(result.response?.body);
        return answerOf(text, result.usage, result.finishReason, name);
      }, patience);
    } catch (error) {
      request.signal?.throwIfAborted();
      if (error instanceof MemoryError) throw error;
      // The shape is judged by whoever asked, who can ask again with what is wrong.
      if (sdk.NoObjectGeneratedError.isInstance(error) && error.text !== undefined)
        return answerOf(error.text, error.usage, error.finishReason, name);
      throw asModelError(sdk, error, name, secret);
    }
  };

  return {
    name,
    isRemote,
    complete: async (request) => (await ask(request, undefined)).text,
    async shape(request) {
      if (knowsSchemas) {
        try {
          return await ask(request, request);
        } catch (error) {
          if (!isSchemaRefusal(sdk, error)) throw error;
          knowsSchemas = false;
        }
      }
      const system = `${request.system}\n\n${inWords(request.schema)}`;
      return ask({ ...request, system }, undefined);
    },
  };
}

function namedModel(text: string): NamedModel {
  const named = parseModelName(text);
  if (named !== undefined) return named;
  throw new MemoryError('INVALID_ARGUMENT', `${JSON.stringify(text.slice(0, 100))} names no model`, {
    where: 'model',
    hint: `Write provider/id, where the provider is ${modelProviders.join(', ')}, or command/${modelPrograms[0]} for a program`,
  });
}

function modelObject(model: unknown): SdkModel {
  const { provider, modelId } = (model ?? {}) as Partial<SdkModel>;
  if (typeof provider === 'string' && typeof modelId === 'string') return model as SdkModel;
  throw new MemoryError('INVALID_ARGUMENT', 'the language model is missing', {
    where: 'model',
    hint: "Give a name such as openai/gpt-5-mini, or a model of the AI SDK, such as openai('gpt-5-mini')",
  });
}

async function loadSdk(): Promise<AiSdk> {
  try {
    return await import('ai');
  } catch (error) {
    throw new MemoryError('MODEL_UNAVAILABLE', 'the AI SDK cannot be loaded', {
      where: 'ai',
      hint: 'Install it beside git-memory: npm install ai',
      cause: error,
    });
  }
}

function answerOf(
  text: string,
  usage: { inputTokens?: number | undefined; outputTokens?: number | undefined } | undefined,
  finishReason: string | undefined,
  name: string,
): ShapedAnswer {
  if (finishReason === 'content-filter') {
    throw new MemoryError('MODEL_FAILED', `${name} answers nothing: a filter of its provider stopped it`, {
      where: name,
    });
  }
  const { inputTokens: input, outputTokens: output } = usage ?? {};
  const counted: TokenUsage | undefined = input === undefined || output === undefined ? undefined : { input, output };
  return { text, ...defined({ usage: counted }), ...(finishReason === 'length' ? { isCut: true } : {}) };
}

/** Gives the words with which a chat completion refuses; other protocols refuse in the text. */
function refusalIn(body: unknown): string {
  const refusal = (body as { choices?: { message?: { refusal?: unknown } }[] } | undefined)?.choices?.[0]?.message
    ?.refusal;
  return typeof refusal === 'string' ? refusal : '';
}

function verdictOn(sdk: AiSdk, error: unknown): Verdict {
  if (!sdk.APICallError.isInstance(error) || !error.isRetryable || causes(error).some(isTooLong))
    return { retry: false };
  const headers = error.responseHeaders ?? {};
  const afterMs = millisecondsOf(headers['retry-after-ms'], headers['retry-after']);
  return { retry: true, ...defined({ afterMs }) };
}

/** Reads how long a server asks to be left alone: milliseconds, seconds or a date (RFC 9110, 10.2.3). */
function millisecondsOf(milliseconds: string | undefined, seconds: string | undefined): number | undefined {
  const exact = Number.parseFloat(milliseconds ?? '');
  if (exact >= 0) return exact;
  if (seconds === undefined) return undefined;
  const whole = Number(seconds);
  const wait = Number.isNaN(whole) ? Date.parse(seconds) - Date.now() : whole * 1000;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

function causes(error: unknown): unknown[] {
  const all: unknown[] = [];
  for (let at = error; at instanceof Error && all.length < 8; at = at.cause) all.push(at);
  return all;
}

const isTooLong = (error: unknown): boolean => error instanceof Error && error.name === 'AnswerTooLong';

function isSchemaRefusal(sdk: AiSdk, error: unknown): boolean {
  const call = causes(error).find((one) => sdk.APICallError.isInstance(one));
  return sdk.APICallError.isInstance(call) && [400, 415, 422, 501].includes(call.statusCode ?? 0);
}

function asModelError(sdk: AiSdk, error: unknown, name: string, secret: string | undefined): MemoryError {
  const call = causes(error).find((one) => sdk.APICallError.isInstance(one));
  const status = sdk.APICallError.isInstance(call) ? call.statusCode : undefined;
  const message = error instanceof Error ? (causes(error).at(-1) as Error).message || error.message : String(error);
  const detail =
    sdk.APICallError.isInstance(call) && call.message !== message ? `${call.message}: ${message}` : message;
  // Servers like to quote the key they do not know.
  const shown = singleSpaced(secret === undefined ? detail : detail.replaceAll(secret, '…')).slice(0, 300);
  const isRefusal = status !== undefined && [400, 413, 415, 422, 501].includes(status);
  const isOurs = causes(error).some(isTooLong) || (call === undefined && !isTimeout(error));
  return new MemoryError(
    isRefusal || isOurs ? 'MODEL_FAILED' : 'MODEL_UNAVAILABLE',
    `${name} ${status === undefined || status === 200 ? 'does not answer' : `answers ${status}`}: ${shown}`,
    {
      where: name,
      ...(status === 401 || status === 403 ? { hint: 'The key is missing, wrong or may not use this model' } : {}),
      ...(status === 404 ? { hint: 'The server does not know this model; for ollama, pull it first' } : {}),
      cause: error,
    },
  );
}

function isTimeout(error: unknown): boolean {
  return causes(error).some((one) => one instanceof Error && /^(?:TimeoutError|AbortError)$/.test(one.name));
}
