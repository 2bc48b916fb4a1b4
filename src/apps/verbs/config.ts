// The verb that shows and edits memory.yaml.

import { z } from 'zod';
import { MemoryError } from '../../base/errors.ts';
import type { ConfigurationEntry, ConfigurationResult, WriteResult } from '../../base/types.ts';
import { isFormerKey } from '../../store/records/former-keys.ts';
import { hang, type Style } from './style.ts';
import { defineVerb, filled, flag, maybe, optional } from './verb.ts';

const actions = z.enum(['list', 'get', 'set', 'unset']);

type Output = Partial<ConfigurationResult> & Partial<WriteResult> & { readonly isWhole?: boolean };

export const config = defineVerb({
  name: 'config',
  summary: 'Show and change what memory.yaml says',
  help:
    'Without arguments it lists every key and its value. "get" shows one key or section with its default, unit and ' +
    'meaning. "set" changes a key, and "unset" restores its default. Both edit memory.yaml, keep its comments and are ' +
    'committed like other writes. As in git config, a key alone shows its value, and a key with a value changes it. ' +
    'Values are YAML: 0.5, true, [a, b].',
  input: z.strictObject({
    action: z
      .union([actions, filled])
      .default('list')
      .describe('list (the default), get, set or unset; or a key, optionally followed by its new value'),
    key: maybe('the key, such as decay.half_life_days; list and get also take a section'),
    value: optional(z.string(), 'the new value, as YAML'),
    changed: flag('list only what memory.yaml sets'),
  }),
  positional: ['action', 'key', 'value'],
  flags: { reads: true, writes: 'now', asks: (input) => ['list', 'get'].includes(meant(input as Words).action) },
  example: { command: 'config set decay.half_life_days 7', shows: 'memory.yaml with another half-life' },
  async run(context, { changed, ...input }): Promise<Output> {
    const { action, key, value } = meant(input);
    if (action === 'list' || action === 'get') {
      if (action === 'get' && key === undefined) throw missing('key', 'the key to show');
      const { keys, ...rest } = await (await context.view()).config(key);
      return { ...rest, keys: changed ? keys.filter(({ isSet }) => isSet) : keys, isWhole: action === 'get' };
    }
    if (context.at !== undefined)
      throw new MemoryError('INVALID_ARGUMENT', 'the past cannot be changed', { where: 'at', hint: 'Leave it out' });
    if (key === undefined) throw missing('key', 'the key to change');
    if (action === 'set' && value === undefined) throw missing('value', 'what it is to be');
    const memory = await context.memory();
    const written = await memory.configure({ [key]: action === 'unset' ? undefined : value });
    // A key of earlier versions goes, and is none to show.
    return { ...written, ...(isFormerKey(key) ? {} : await memory.config(key)), isWhole: true };
  },
  text({ keys = [], warnings = [], isWhole, pending, path }, style) {
    const isSet = keys.some((entry) => entry.isSet);
    const lines = isWhole ? keys.flatMap((entry) => whole(entry, style)) : table(keys, style);
    if (pending) lines.push(`${style.good('written')}  ${path}`);
    if (pending === false)
      lines.push(style.faint(`Nothing was written: memory.yaml ${isSet ? 'says so' : 'does not set it'}.`));
    if (lines.length === 0) lines.push('memory.yaml changes no default.');
    for (const warning of warnings) lines.push(...hang(`${style.bad('warning')}  `, warning, style, 9));
    return lines.join('\n');
  },
});

interface Words {
  readonly action?: string | undefined;
  readonly key?: string | undefined;
  readonly value?: string | undefined;
}

/** What a key in the place of the action means. Throws INVALID_ARGUMENT where one more word stands behind its value. */
function meant({ action = 'list', key, value }: Words): Words & { readonly action: z.infer<typeof actions> } {
  const named = actions.safeParse(action);
  if (named.success) return { action: named.data, key, value };
  if (value !== undefined) {
    throw new MemoryError('INVALID_ARGUMENT', 'a key takes one value', {
      where: 'value',
      hint: 'Quote a value of several words',
    });
  }
  return key === undefined ? { action: 'get', key: action } : { action: 'set', key: action, value: key };
}

function missing(where: string, what: string): MemoryError {
  return new MemoryError('INVALID_ARGUMENT', `config needs ${where}`, { where, hint: `${where} is ${what}` });
}

function table(keys: readonly ConfigurationEntry[], style: Style): string[] {
  const width = Math.max(0, ...keys.map(({ key }) => key.length)) + 2;
  return keys.map((entry) => {
    const value = `${shown(entry.value)}${entry.unit === '' ? '' : ` ${entry.unit}`}`;
    return `${entry.key.padEnd(width)}${entry.isSet ? style.strong(value) : style.faint(value)}${entry.isSet ? '  (set)' : ''}`;
  });
}

function whole(
  { key, value, unit, isSet, default: standard, takes, sentence }: ConfigurationEntry,
  style: Style,
): string[] {
  const held = `${style.strong(key)} = ${shown(value)}${unit === '' ? '' : ` ${unit}`}`;
  const origin = isSet ? `, default ${shown(standard)}` : ' (default)';
  return [`${held}${style.faint(origin)}`, ...hang('', sentence, style, 2), ...hang('', `Takes ${takes}.`, style, 2)];
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return '–';
  return typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
}
