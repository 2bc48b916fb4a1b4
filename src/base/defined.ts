// Options that are handed on: only what was given.

/** Gives the fields of an object that are not undefined, so that an absent option stays absent where it is handed on. */
export function defined<Fields extends object>(
  fields: Fields,
): { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> } {
  const given: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    // Assigning to that name would set something else than a field.
    if (value !== undefined && name !== '__proto__') given[name] = value;
  }
  return given as { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };
}
