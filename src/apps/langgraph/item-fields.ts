// Which texts of a value a field means, in LangGraph's notation: `title`, `meta.author`, `chapters[*].text`, `tags[-1]`, `*`, `{title,body}`.

type Step = { readonly names: readonly string[] } | { readonly index: number } | { readonly every: true };

/** Lists the texts at a field of a value, empty for none. A text or number is given as it is, an object or list as all it holds. */
export function textsAt(value: unknown, field: string): string[] {
  let found: unknown[] = [value];
  for (const step of stepsOf(field)) found = found.flatMap((part) => taken(part, step));
  return found.flatMap(textOf);
}

function stepsOf(field: string): Step[] {
  if (field === '$' || field === '') return [];
  return [...field.matchAll(/\[(-?\d+|\*)\]|\{([^}]*)\}|([^.[\]{}]+)/g)].map(([, index, group, name]): Step => {
    if (index === '*' || name === '*') return { every: true };
    if (index !== undefined) return { index: Number(index) };
    return { names: group === undefined ? [name!] : group.split(',').map((one) => one.trim()) };
  });
}

function taken(part: unknown, step: Step): unknown[] {
  if (typeof part !== 'object' || part === null) return [];
  if ('every' in step) return Object.values(part);
  if ('index' in step) return Array.isArray(part) ? [part.at(step.index)] : [];
  // A group may name what lies deeper: `{title,meta.author}`.
  return step.names.flatMap((name) =>
    name.split('.').reduce<unknown[]>((parts, key) => parts.flatMap((one) => own(one, key)), [part]),
  );
}

const own = (part: unknown, key: string): unknown[] =>
  typeof part === 'object' && part !== null && Object.hasOwn(part, key)
    ? [(part as Readonly<Record<string, unknown>>)[key]]
    : [];

function textOf(part: unknown): string[] {
  if (part === null || part === undefined) return [];
  return [typeof part === 'object' ? JSON.stringify(part, null, 2) : String(part)];
}
