// Options that are handed on: only what was given.

/** Gives the fields of an object that are not undefined, so that an absent option stays absent where it is handed on. */
export function defined<Fields extends object>(
  fields: Fields,
): { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> } {
  const given: Partial<Fields> = {};
  for (const name of Object.keys(fields) as (keyof Fields)[]) {
    // Assigning to that name would set something else than a field.
    if (fields[name] !== undefined && name !== '__proto__') given[name] = fields[name];
  }
  return given as { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };
}
