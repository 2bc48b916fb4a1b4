// The memory-config.yaml of spec 5 §9.3 in the keys of memory.yaml, as far as both mean the same.

import { isJsonObject } from '../base/canonical-json.ts';

/**
 * Copies a configuration with the keys of spec 5 §9.3 replaced by those of memory.yaml; all other keys stay as they are.
 *
 * `lifecycle.commit_interval_minutes` is `flush_minutes`, `git.auto_push` is `auto_push`, and
 * `lifecycle.extraction_trigger` is `extract.trigger`.
 */
export function adoptSpecKeys(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { lifecycle, git, ...others } = data;
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
  for (const [name, section] of Object.entries(rest)) if (Object.keys(section).length > 0) adopted[name] = section;
  return adopted;
}
