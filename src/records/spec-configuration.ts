// The memory-config.yaml of spec 5 §9.3 in the keys of memory.yaml, as far as both mean the same.

import { isJsonObject } from '../base/canonical-json.ts';

/**
 * Copies a configuration with the keys of spec 5 §9.3 replaced by those of memory.yaml; all other keys stay as they are.
 *
 * `lifecycle.commit_interval_minutes` is `flush_minutes`, `git.auto_push` is `auto_push`, and
 * `lifecycle.extraction_trigger` is `extract.trigger`. Of `context_compiler` the budgets are those of `context`; its one for topics is divided
 * as the table of spec 5 §6.2 does, a third for instructions.
 */
export function adoptSpecKeys(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { lifecycle, git, context_compiler: compiler, ...others } = data;
  const adopted: Record<string, unknown> = { ...others };
  const rest = {
    lifecycle: { ...(isJsonObject(lifecycle) ? lifecycle : {}) },
    git: { ...(isJsonObject(git) ? git : {}) },
  };
  const move = (section: 'lifecycle' | 'git', from: string, to: string, value = rest[section][from]): void => {
    if (value === undefined) return;
    adopted[to] ??= value;
    delete rest[section][from];
  };
  move('lifecycle', 'commit_interval_minutes', 'flush_minutes');
  const { extraction_trigger: trigger, ...lifecycleRest } = rest.lifecycle;
  if (trigger !== undefined) {
    rest.lifecycle = lifecycleRest;
    adopted.extract = { trigger, ...(isJsonObject(adopted.extract) ? adopted.extract : {}) };
  }
  move('git', 'auto_push', 'auto_push');
  if (isJsonObject(compiler)) {
    const { adopted: context, rest: unknown } = adoptBudgets(compiler);
    adopted.context = { ...context, ...(isJsonObject(adopted.context) ? adopted.context : {}) };
    if (Object.keys(unknown).length > 0) adopted.context_compiler = unknown;
  } else if (compiler !== undefined) adopted.context_compiler = compiler;
  for (const [name, section] of Object.entries(rest)) if (Object.keys(section).length > 0) adopted[name] = section;
  return adopted;
}

/** The names of spec 5 §9.3, and ours. */
const budgetKeys: Readonly<Record<string, string>> = {
  token_budget: 'tokens',
  identity_budget_kb: 'identity_kb',
  memory_budget_kb: 'memory_kb',
  journal_budget_kb: 'journal_kb',
};

function adoptBudgets(
  compiler: Readonly<Record<string, unknown>>,
): Record<'adopted' | 'rest', Record<string, unknown>> {
  const adopted: Record<string, unknown> = {};
  const rest: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(compiler)) {
    const name = Object.hasOwn(budgetKeys, key) ? budgetKeys[key] : undefined;
    if (name !== undefined) adopted[name] = value;
    else if (key === 'topic_budget_kb' && typeof value === 'number') {
      adopted.instructions_kb = value / 3;
      adopted.subscriptions_kb = (value * 2) / 3;
    } else rest[key] = value;
  }
  return { adopted, rest };
}
