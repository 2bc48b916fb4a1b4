// The fields of a verb's input for front ends without nested values, such as command lines and forms.

import type { z } from 'zod';
import { defined } from '../../base/errors.ts';
import type { Verb } from './verb.ts';

/** What a field holds; a list is one of texts. */
export type FieldKind = 'text' | 'number' | 'flag' | 'list';

/** A field as flat front ends see it. */
export interface Field {
  readonly name: string;
  readonly kind: FieldKind;
  readonly isRequired: boolean;
  readonly description: string;
  /** What it may say, or usually does; absent where that is open. Of a list, of each of its texts. */
  readonly values?: readonly string[];
}

interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly entries?: Readonly<Record<string, string>>;
  readonly options?: readonly z.ZodType[];
}

const definitionOf = (schema: z.ZodType): Definition => schema.def as unknown as Definition;

/** Lists the fields of a verb's input in their order; lists of objects are left out: they are for front ends that speak JSON. */
export function fieldsOf(verb: Verb): Field[] {
  const fields: Field[] = [];
  for (const [name, schema] of Object.entries(verb.input.shape) as [string, z.ZodType][]) {
    let inner = schema;
    while (definitionOf(inner).innerType !== undefined) inner = definitionOf(inner).innerType!;
    // Of several forms the first that can stand on a line.
    inner = definitionOf(inner).options?.find((one) => kindOf(one) !== undefined) ?? inner;
    const kind = kindOf(inner);
    if (kind === undefined) continue;
    const isRequired = !schema.safeParse(undefined).success && definitionOf(schema).type !== 'optional';
    const description = schema.description ?? inner.description ?? '';
    const values = valuesOf(kind === 'list' ? definitionOf(inner).element! : inner);
    fields.push({ name, kind, isRequired, description, ...defined({ values }) });
  }
  return fields;
}

function kindOf(schema: z.ZodType): FieldKind | undefined {
  const { type, element } = definitionOf(schema);
  if (type === 'string' || type === 'enum') return 'text';
  if (type === 'number') return 'number';
  if (type === 'boolean') return 'flag';
  if (type === 'array' && element !== undefined && kindOf(element) === 'text') return 'list';
  return undefined;
}

function valuesOf(schema: z.ZodType): readonly string[] | undefined {
  const { entries } = definitionOf(schema);
  return entries === undefined ? undefined : Object.values(entries);
}
