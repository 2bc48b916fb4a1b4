// The filters of LangGraph's search: a value, or an object of operators, for each field of an item.

/** Compares as the stores of LangGraph do: equality is identity, order is that of numbers. */
const operators: Readonly<Record<string, (value: unknown, wanted: unknown) => boolean>> = {
  $eq: (value, wanted) => value === wanted,
  $ne: (value, wanted) => value !== wanted,
  $gt: (value, wanted) => Number(value) > Number(wanted),
  $gte: (value, wanted) => Number(value) >= Number(wanted),
  $lt: (value, wanted) => Number(value) < Number(wanted),
  $lte: (value, wanted) => Number(value) <= Number(wanted),
  $in: (value, wanted) => Array.isArray(wanted) && wanted.includes(value),
  $nin: (value, wanted) => !Array.isArray(wanted) || !wanted.includes(value),
};

/** Tells whether the fields of a value are as a filter wants them; no filter wants nothing. */
export function fitsFilter(
  value: Readonly<Record<string, unknown>>,
  filter: Readonly<Record<string, unknown>> | undefined,
): boolean {
  return Object.entries(filter ?? {}).every(([field, wanted]) => fits(value[field], wanted));
}

function fits(value: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return value === wanted;
  const names = Object.keys(wanted);
  if (!names.every((name) => Object.hasOwn(operators, name))) return value === wanted;
  return names.every((name) => operators[name]!(value, (wanted as Readonly<Record<string, unknown>>)[name]));
}
