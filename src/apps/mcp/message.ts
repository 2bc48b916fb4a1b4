// What clients write into messages where the protocol has a field left out: null. Taken away before the SDK looks, for every method.

import { isJsonObject } from '../../base/canonical-json.ts';
import { attempt } from '../../base/errors.ts';
import { isNothing } from '../as-meant.ts';

/** Gives messages without null fields. Arguments may be JSON in a text; those of a tool stay as they are, for its schema gives them meaning. */
export function messageAsMeant(message: unknown): unknown {
  if (Array.isArray(message)) return message.map(messageAsMeant);
  if (!isJsonObject(message) || typeof message.method !== 'string' || !('params' in message)) return message;
  const { params, ...rest } = message;
  if (params === null) return rest;
  if (!isJsonObject(params)) return message;
  const { arguments: given, cursor, ...others } = params;
  const said = argumentsOf(given);
  const meant = {
    ...(withoutNull(others) as object),
    ...(isNothing(cursor) ? {} : { cursor }),
    ...(isNothing(said) ? {} : { arguments: message.method === 'prompts/get' ? saying(said) : said }),
  };
  return { ...rest, params: meant };
}

function withoutNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNull);
  if (!isJsonObject(value)) return value;
  const said = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(said.map(([name, inner]) => [name, withoutNull(inner)]));
}

function argumentsOf(given: unknown): unknown {
  if (typeof given !== 'string') return given;
  return attempt(() => JSON.parse(given), given);
}

/** Of a prompt all arguments are texts that may be left out. */
function saying(given: unknown): unknown {
  if (!isJsonObject(given)) return given;
  return Object.fromEntries(Object.entries(given).filter(([, value]) => !isNothing(value)));
}
