// Blame by field: from which commit each value of a JSON record is. A field goes to the first parent that has the same value.

import { isJsonObject, isSameJson, parseJson } from '../base/canonical-json.ts';
import { MemoryError } from '../base/errors.ts';
import type { BlameSources } from './blame-lines.ts';
import { CommitQueue } from './commit-queue.ts';
import type { FileVersion } from './file-ancestry.ts';

interface BlamedField {
  /** Its name; those of an object in the record follow a dot: `meta.tags`. */
  readonly field: string;
  readonly value: unknown;
  /** `null` while the value is not in a commit yet. */
  readonly commit: string | null;
}

interface Waiting extends FileVersion {
  readonly names: Set<string>;
}

/**
 * Tells where the values of a record come from, in the order of the record; `null` when the text is not a JSON object.
 *
 * `pending` is the text to be blamed where it is not that of the commit.
 */
export function blameFields(
  sources: BlameSources,
  version: FileVersion | null,
  pending?: Buffer,
): BlamedField[] | null {
  const texts = new Map<string, ReadonlyMap<string, unknown> | null>();
  const fieldsOf = ({ oid, path }: FileVersion) => {
    if (!texts.has(oid)) texts.set(oid, parseFields(sources.read(oid, path)));
    return texts.get(oid) ?? null;
  };
  const asked = pending === undefined ? fieldsOf(version!) : parseFields(pending);
  if (asked === null) return null;
  const commits = new Map<string, string | null>();
  const queue = new CommitQueue();
  const waiting = new Map<number, Waiting[]>();
  const hand = (to: FileVersion, names: Iterable<string>) => {
    const all = waiting.get(to.number) ?? [];
    let one = all.find((candidate) => candidate.path === to.path);
    if (!one) {
      one = { ...to, names: new Set() };
      all.push(one);
    }
    if (!waiting.has(to.number)) queue.push(to.number, sources.catalogue.timeAt(to.number));
    waiting.set(to.number, all);
    for (const name of names) one.names.add(name);
  };
  const isSame = (name: string, other: ReadonlyMap<string, unknown> | null) =>
    other?.has(name) === true && isSameJson(other.get(name), asked.get(name));
  const names = [...asked.keys()];
  if (pending === undefined) hand(version!, names);
  else {
    const committed = version && fieldsOf(version);
    const kept = names.filter((name) => isSame(name, committed));
    if (kept.length > 0) hand(version!, kept);
    for (const name of names) if (!kept.includes(name)) commits.set(name, null);
  }
  for (let number = queue.pop(); number !== undefined; number = queue.pop()) {
    const here = waiting.get(number) ?? [];
    waiting.delete(number);
    for (const one of here) {
      const before = sources.ancestry.before(one);
      if ('same' in before) {
        hand(before.same, one.names);
        continue;
      }
      const rest = new Set(one.names);
      for (const parent of before.different) {
        const passed = [...rest].filter((name) => isSame(name, fieldsOf(parent)));
        if (passed.length > 0) hand(parent, passed);
        for (const name of passed) rest.delete(name);
      }
      for (const name of rest) commits.set(name, sources.catalogue.oidAt(number));
    }
  }
  return names.map((name) => ({ field: name, value: asked.get(name), commit: commits.get(name) ?? null }));
}

/** What is no record in one revision has no fields there. */
function parseFields(bytes: Buffer): Map<string, unknown> | null {
  let value: unknown;
  try {
    value = parseJson(bytes.toString('utf8'), 'record');
  } catch (error) {
    if (error instanceof MemoryError) return null;
    throw error;
  }
  if (!isJsonObject(value)) return null;
  const fields = new Map<string, unknown>();
  for (const [name, field] of Object.entries(value)) {
    const inner = isJsonObject(field) ? Object.entries(field) : [];
    if (inner.length === 0) fields.set(name, field);
    for (const [key, part] of inner) fields.set(`${name}.${key}`, part);
  }
  return fields;
}
