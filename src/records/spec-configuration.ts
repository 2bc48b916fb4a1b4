// The memory-config.yaml of spec 5 §9.3 in the keys of memory.yaml, as far as both mean the same.

import { isJsonObject } from '../base/canonical-json.ts';

/** Each key of the specification, and the key that means the same here. Units are the same. */
export const specKeys: Readonly<Record<string, string>> = {
  'context_compiler.token_budget': 'context.tokens',
  'context_compiler.identity_budget_kb': 'context.identity_kb',
  'context_compiler.memory_budget_kb': 'context.memory_kb',
  'context_compiler.journal_budget_kb': 'context.journal_kb',
  'lifecycle.commit_interval_minutes': 'flush_minutes',
  'lifecycle.journal_retention_days': 'journal.retention_days',
  'lifecycle.memory_line_cap': 'memory_md.cap_lines',
  'lifecycle.extraction_trigger': 'extract.trigger',
  'lifecycle.condensation_schedule': 'schedule.condense',
  'lifecycle.pruning_schedule': 'schedule.prune',
  'git.auto_commit': 'auto_commit',
  'git.auto_push': 'auto_push',
  'git.auto_tag_daily': 'tags.daily',
};

/**
 * Copies a configuration with the keys of spec 5 §9.3 replaced by those of memory.yaml; all other keys stay as they are.
 *
 * What both say is taken from the key of memory.yaml. Names of models are left: a file chooses none (see adapters/configured-model.ts).
 */
export function adoptSpecKeys(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const adopted = copyOf(data);
  for (const [from, to] of Object.entries(specKeys)) {
    const value = take(adopted, from.split('.'));
    if (value !== undefined) put(adopted, to.split('.'), value);
  }
  const topics = take(adopted, ['context_compiler', 'topic_budget_kb']);
  // Spec 5 §6.2 divides the budget of topics: a third for instructions.
  if (topics !== undefined) {
    const share = (part: number): unknown => (typeof topics === 'number' ? topics * part : topics);
    put(adopted, ['context', 'instructions_kb'], share(1 / 3));
    put(adopted, ['context', 'subscriptions_kb'], share(2 / 3));
  }
  return adopted;
}

function copyOf(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, isJsonObject(value) ? copyOf(value) : value]),
  );
}

/** Takes a value out, and with the last one its section. */
function take(holder: Record<string, unknown>, [key = '', ...rest]: readonly string[]): unknown {
  const value = holder[key];
  if (rest.length === 0) {
    delete holder[key];
    return value;
  }
  if (!isJsonObject(value)) return undefined;
  const taken = take(value, rest);
  if (taken !== undefined && Object.keys(value).length === 0) delete holder[key];
  return taken;
}

function put(holder: Record<string, unknown>, [key = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    holder[key] ??= value;
    return;
  }
  holder[key] ??= {};
  const inner = holder[key];
  // A section that is no section is told of by the schema.
  if (isJsonObject(inner)) put(inner, rest, value);
}
