// Probes: questions with what has to be found by them, as YAML that people write, and the judgement of what was found.
//
//   probes:
//     - question: which cache do we use for sessions
//       finds: [Valkey, Redis]            any of these words, letter case apart
//     - question: how long does the build take
//       matches: \b\d+ minutes\b          or a pattern (RE2)
//     - question: what did Anna promise
//       sources: [raw/conversations/2026/01/05/0900-s5-day-5.md#2]      or a turn that the hit rests on

import { isJsonObject } from '../../base/canonical-json.ts';
import { defined, MemoryError } from '../../base/errors.ts';
import type { Probe } from '../../base/types.ts';
import { compilePattern, type Pattern } from '../../store/guard/pattern.ts';
import { formatYamlObject, parseYamlObject } from '../../store/records/yaml.ts';

/** What a judgement looks at: all the words of a hit, and the turns it rests on or is. */
export interface ProbeHit {
  readonly text: string;
  readonly sources: readonly string[];
}

const keys: ReadonlySet<string> = new Set(['question', 'finds', 'matches', 'sources']);
const maxProbes = 10_000;

/** Reads probes from YAML. Throws INVALID_RECORD with the number of the probe that cannot be used, TOO_LARGE. */
export function parseProbes(text: string, path: string): Probe[] {
  const { data } = parseYamlObject(text, path);
  return checkProbes(data.probes, path);
}

/** Checks probes of whatever origin. Throws INVALID_RECORD. */
export function checkProbes(value: unknown, path: string): Probe[] {
  const fail = (why: string): never => {
    const hint =
      'Each probe has a question, and finds, matches or sources; `git memory help experiment probes` shows the form';
    throw new MemoryError('INVALID_RECORD', `${path}: ${why}`, { where: path, hint });
  };
  if (!Array.isArray(value) || value.length === 0) return fail('there is no list of probes');
  if (value.length > maxProbes) return fail(`more than ${maxProbes} probes`);
  return value.map((probe: unknown, at) => {
    const name = `probe ${at + 1}`;
    if (!isJsonObject(probe)) return fail(`${name} is no mapping`);
    const unknown = Object.keys(probe).find((key) => !keys.has(key));
    if (unknown !== undefined) return fail(`${name} has the unknown key ${unknown}`);
    const { question, matches } = probe;
    if (typeof question !== 'string' || question.trim() === '') return fail(`${name} has no question`);
    if (matches !== undefined && (typeof matches !== 'string' || matches === ''))
      return fail(`${name}: matches is a pattern`);
    const [finds, sources] = [probe.finds, probe.sources].map((list) => textsOf(list));
    if (finds === null || sources === null) return fail(`${name}: finds and sources are texts or lists of texts`);
    if (finds === undefined && sources === undefined && matches === undefined)
      return fail(`${name} does not say what has to be found`);
    return {
      question,
      ...defined({ finds }),
      ...(matches === undefined ? {} : { matches: matches as string }),
      ...defined({ sources }),
    };
  });
}

/** Formats probes as {@link parseProbes} reads them. */
export function formatProbes(probes: readonly Probe[]): string {
  return formatYamlObject({ probes: probes.map((probe) => ({ ...probe })) });
}

function textsOf(value: unknown): string[] | undefined | null {
  if (value === undefined) return undefined;
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const texts = list.flatMap((one) => (typeof one === 'string' && one.trim() !== '' ? [one] : []));
  return texts.length === list.length && texts.length > 0 ? texts : null;
}

/** Makes the judgement of a probe. Throws INVALID_ARGUMENT for a pattern of wrong syntax. */
export async function judgeOf({ finds = [], matches, sources = [] }: Probe): Promise<(hit: ProbeHit) => boolean> {
  const words = finds.map((text) => text.toLowerCase());
  const turns = new Set(sources);
  const pattern: Pattern | null =
    matches === undefined ? null : await compilePattern(matches, { where: 'matches', ignoreCase: true });
  return ({ text, sources: own }) => {
    const folded = text.toLowerCase();
    return (
      words.some((one) => folded.includes(one)) || own.some((turn) => turns.has(turn)) || (pattern?.test(text) ?? false)
    );
  };
}
