// What models write where a field is a number, a flag or left out: texts, null and nothing. What else they send stays as it is.

import { z } from 'zod';
import { isJsonObject } from '../base/canonical-json.ts';

/** Gives an input with numbers and flags for the texts that name them, and without the fields that say nothing and may be left out. */
export function asMeant(schema: z.ZodObject, given: unknown): unknown {
  if (!isJsonObject(given)) return given;
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      const field = Object.hasOwn(schema.shape, name) ? (schema.shape[name] as z.ZodType) : undefined;
      if (field === undefined) return [[name, value]];
      if ((value === null || value === '') && z.object({ [name]: field }).safeParse({}).success) return [];
      return [[name, typeof value === 'string' ? read(field, value) : value]];
    }),
  );
}

function read(field: z.ZodType, text: string): unknown {
  if (field.safeParse(text).success) return text;
  const word = text.trim().toLowerCase();
  const value = /^(?:true|false)$/.test(word) ? word === 'true' : Number(word);
  // What is no number either keeps its words, for the error that names them.
  return word !== '' && !Number.isNaN(value) && isKind(field, value) ? value : text;
}

/** Whether a field takes values of that kind, be this one too large or small. */
function isKind(field: z.ZodType, value: unknown): boolean {
  const { error } = field.safeParse(value);
  return error === undefined || error.issues.every(({ code }) => code !== 'invalid_type' && code !== 'invalid_value');
}
