// Holds a value to a JSON Schema more strictly than the schema does: what it does not name is told, too.

interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly $ref?: string;
}

/** Lists the keys of a value that its schema does not name, as `.hits[].score`; of several forms the one that fits best counts. */
export function undocumented(schema: object, value: unknown, root: object = schema, path = ''): string[] {
  const form = schema as Schema;
  if (form.$ref !== undefined) return undocumented(followed(form.$ref, root), value, root, path);
  const forms = form.anyOf ?? form.oneOf;
  if (forms !== undefined) {
    const told = forms
      .filter((one) => isKind(one, value) && isWhole(one, value))
      .map((one) => undocumented(one, value, root, path));
    return told.sort((a, b) => a.length - b.length)[0] ?? [path];
  }
  if (form.allOf !== undefined) {
    const told = form.allOf.map((one) => undocumented(one, value, root, path));
    return told.reduce((common, one) => common.filter((key) => one.includes(key)));
  }
  // Where a schema says nothing of the form, its words say that anything may stand there.
  if (form.type === undefined && form.properties === undefined)
    return isLeaf(value) || 'description' in form ? [] : [path];
  if (Array.isArray(value)) {
    return value.flatMap((one, index) => {
      const item = form.prefixItems?.[index] ?? form.items;
      return item === undefined ? [`${path}[]`] : undocumented(item, one, root, `${path}[]`);
    });
  }
  if (isLeaf(value)) return [];
  // A map has names of its own: that of a loose object says nothing of them.
  const rest = typeof form.additionalProperties === 'object' ? form.additionalProperties : {};
  if (form.propertyNames !== undefined && Object.keys(rest).length === 0) return [];
  const isMap = form.propertyNames !== undefined || Object.keys(rest).length > 0;
  return Object.entries(value as object).flatMap(([key, inner]) => {
    const known = form.properties?.[key] ?? (isMap ? rest : undefined);
    return known === undefined ? [`${path}.${key}`] : undocumented(known, inner, root, `${path}.${key}`);
  });
}

function isLeaf(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

function isKind({ type, anyOf, oneOf, allOf, $ref }: Schema, value: unknown): boolean {
  if (type === undefined || anyOf || oneOf || allOf || $ref) return true;
  const kind = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  return [type].flat().some((one) => one === kind || (one === 'integer' && kind === 'number'));
}

function isWhole({ required = [] }: Schema, value: unknown): boolean {
  return required.every((key) => key in Object(value));
}

function followed(reference: string, root: object): object {
  const steps = reference
    .replace(/^#\/?/, '')
    .split('/')
    .filter((step) => step !== '');
  return steps.reduce<object>((at, step) => (at as Record<string, object>)[step]!, root);
}
