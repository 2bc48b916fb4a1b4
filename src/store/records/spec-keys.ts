// The keys of a `memory-config.yaml`, as spec 5 §9.3 names them, and the keys of memory.yaml that mean the same. Units are the same.

import { isJsonObject } from '../../base/canonical-json.ts';

/** Without a counterpart are names of hosted embedders: no file of a repository makes a machine talk to a server. */
const specKeys: Readonly<Record<string, string>> = {
  'context_compiler.token_budget': 'context.tokens',
  'context_compiler.identity_budget_kb': 'context.identity_kb',
  'context_compiler.memory_budget_kb': 'context.memory_kb',
  'context_compiler.journal_budget_kb': 'context.journal_kb',
  'context_compiler.topic_budget_kb': 'context.subscriptions_kb',
  'search.embedding_model': '',
  'search.embedding_dimensions': '',
  'lifecycle.commit_interval_minutes': 'flush_minutes',
  'lifecycle.journal_retention_days': 'journal.retention_days',
  'lifecycle.memory_line_cap': 'memory_md.cap_lines',
  'lifecycle.extraction_trigger': 'extract.trigger',
  'lifecycle.condensation_schedule': 'schedule.condense',
  'lifecycle.pruning_schedule': 'schedule.prune',
  'git.auto_commit': 'auto_commit',
  'git.auto_push': 'auto_push',
  'git.auto_tag_daily': 'tags.daily',
  'git.commit_message_model': 'commit_message.model',
};

/** Gives the key of memory.yaml for a key of the specification; any other key as it is. */
export const presentKey = (name: string): string =>
  Object.hasOwn(specKeys, name) && specKeys[name] !== '' ? specKeys[name]! : name;

/** Lists what the specification calls a key of memory.yaml; one budget of topics is two keys here, and stays with both. */
export const namesFor = (key: string): string[] =>
  Object.keys(specKeys).filter((name) => specKeys[name] === key && !name.endsWith('topic_budget_kb'));

/** A configuration in the keys of memory.yaml. */
interface Adopted {
  readonly data: Record<string, unknown>;
  /** What the file calls a key that it names as the specification does. */
  readonly said: ReadonlyMap<string, string>;
  /** Keys of the specification that mean nothing here. */
  readonly idle: readonly string[];
}

/** Copies a configuration with the keys of the specification replaced. What both say is taken from the key of memory.yaml. */
export function adoptSpecKeys(data: Readonly<Record<string, unknown>>): Adopted {
  const adopted = structuredClone<Record<string, unknown>>(data);
  const said = new Map<string, string>();
  const idle: string[] = [];
  const say = (to: string, from: string, value: unknown): void => {
    if (put(adopted, to.split('.'), value)) said.set(to, from);
  };
  for (const [from, to] of Object.entries(specKeys)) {
    const value = take(adopted, from.split('.'));
    if (value === undefined) continue;
    if (to === '') idle.push(from);
    // Spec 5 §6.2 divides the budget of topics: a third for instructions.
    else if (from.endsWith('topic_budget_kb') && typeof value === 'number') {
      say('context.instructions_kb', from, value / 3);
      say(to, from, (value * 2) / 3);
    }
    // Whoever names a model wants one to be asked; which one is for a person to say.
    else say(to, from, from.endsWith('message_model') ? typeof value === 'string' || value : value);
  }
  return { data: adopted, said, idle };
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

/** Puts a value where none is; the schema reports a section that is none. */
function put(holder: Record<string, unknown>, [key = '', ...rest]: readonly string[], value: unknown): boolean {
  if (rest.length === 0) {
    const isFree = holder[key] === undefined;
    if (isFree) holder[key] = value;
    return isFree;
  }
  holder[key] ??= {};
  const inner = holder[key];
  return isJsonObject(inner) && put(inner, rest, value);
}
