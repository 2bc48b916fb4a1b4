// The registry of extractors: what memory.yaml (`extract.extractors`), `extract` and `experiment` may name. Six names keep a part of what is
// read (spec 5 §8.3); a program adds its own when it opens a memory.

import { defined, MemoryError } from '../../base/errors.ts';
import { type MemoryCategory, memoryCategories } from '../../base/types/stored-types.ts';
import { nearestWord, withGuess } from '../../store/records/nearest-word.ts';
import type { ExtractedItem, Extraction, Extractor } from './extractor.ts';

/** Extractors of a program, by the names under which they can be chosen. */
export type OwnExtractors = Readonly<Record<string, Omit<Extractor, 'name'>>>;

/** How a person names the module of extractors to the programs of the package; adapters/own-extractors.ts reads it there. */
export const waysToNameExtractors = {
  option: '--extractors-from',
  variable: 'GIT_MEMORY_EXTRACTORS',
  setting: 'git-memory.extractors',
} as const;
const { option, variable, setting } = waysToNameExtractors;

/** What each of the six keeps: categories, and tags that say it of any category. */
const parts: Readonly<Record<string, { readonly categories: readonly MemoryCategory[]; readonly tags?: string[] }>> = {
  decisions: { categories: ['decision', 'principle', 'commitment'] },
  lessons: { categories: ['correction'], tags: ['lesson'] },
  people: { categories: ['relationship', 'entity', 'preference'], tags: ['person'] },
  procedures: { categories: ['skill'], tags: ['procedure'] },
  facts: { categories: ['fact'] },
  journal: { categories: ['moment', 'decision', 'commitment'], tags: ['lesson'] },
};

const builtIn: readonly string[] = ['rules', 'model', ...Object.keys(parts)];

/** What was chosen to read, over the rules or a model. */
export interface ChosenExtractor {
  /** Whether the rules read it in part, or a model in their place where one was chosen. */
  readonly takesBase: boolean;
  /** Whether it cannot do without a model. */
  readonly needsModel: boolean;
  /** Makes the extractor that reads, `rules@9` or `model/decisions+people@3` by its name. */
  over(base: Extractor): Extractor;
}

/** Checks the extractors that a program brings. Throws INVALID_ARGUMENT. */
export function checkOwnExtractors(own: OwnExtractors): void {
  for (const [name, extractor] of Object.entries(own)) {
    const where = `extractors.${name}`;
    if (!/^[A-Za-z][\w-]{0,39}$/.test(name) || builtIn.includes(name)) {
      const hint = `Take letters, digits, - and _, and none of ${builtIn.join(', ')}`;
      throw new MemoryError('INVALID_ARGUMENT', `no extractor can be called ${name}`, { where, hint });
    }
    const { version, extract } = extractor ?? {};
    const isVersion = typeof version === 'string' && /^[\w.-]+$/.test(version);
    if (isVersion && typeof extract === 'function') continue;
    throw new MemoryError('INVALID_ARGUMENT', 'an extractor needs a version and a function extract', {
      where: `${where}.${isVersion ? 'extract' : 'version'}`,
    });
  }
}

/** Lists the names that choose what the package has not. */
export const foreignAmong = (names: readonly string[]): string[] => names.filter((name) => !builtIn.includes(name));

/**
 * Chooses extractors by name; no name stands for the rules, or the model in their place.
 *
 * What several of the six keep is read once. Throws `code` for a name that nothing has.
 */
export function chooseExtractor(
  names: readonly string[],
  { rules, own = {} }: { readonly rules: Extractor; readonly own?: OwnExtractors | undefined },
  code: 'INVALID_ARGUMENT' | 'INVALID_CONFIG' = 'INVALID_ARGUMENT',
): ChosenExtractor {
  const known = [...builtIn, ...Object.keys(own)];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    // Somebody chose it, or adopted an experiment with it, and has a module that is no part of the memory.
    const isWanted = code === 'INVALID_CONFIG';
    const wanted = `memory.yaml wants the extractor ${unknown}, and no module that has it was named here`;
    const others = `A module has others; name it by ${option} FILE, ${variable} or git config ${setting}`;
    throw new MemoryError(code, isWanted ? wanted : `there is no extractor ${unknown}`, {
      where: isWanted ? 'memory.yaml: extract.extractors' : 'extractors',
      hint: `${withGuess(nearestWord(unknown, known), `There are ${known.join(', ')}`)}. ${others}`,
    });
  }
  const chosen = new Set(names);
  const some = Object.keys(parts).filter((name) => chosen.has(name));
  const isWhole = chosen.size === 0 || chosen.has('model');
  const others = [...chosen].flatMap((name) => {
    if (name === 'rules') return rules;
    return Object.hasOwn(own, name)
      ? checking({ ...own[name]!, extract: own[name]!.extract.bind(own[name]), name })
      : [];
  });
  const over = (base: Extractor): Extractor => {
    const first = isWhole ? [base] : some.length > 0 ? [keeping(base, some)] : [];
    const all = [...first, ...others.filter(({ name }) => name !== first[0]?.name)];
    return all.length === 1 ? all[0]! : joined(all);
  };
  return { takesBase: isWhole || some.length > 0, needsModel: chosen.has('model'), over };
}

function keeping(base: Extractor, names: readonly string[]): Extractor {
  const isKept = ({ category, tags }: ExtractedItem): boolean =>
    names.some((name) => {
      const part = parts[name]!;
      return part.categories.includes(category) || tags.some((tag) => part.tags?.includes(tag));
    });
  return {
    ...base,
    name: `${base.name}/${names.join('+')}`,
    async extract(transcript, context) {
      const found = await base.extract(transcript, context);
      return 'items' in found ? { ...found, items: found.items.filter(isKept) } : found.filter(isKept);
    },
  };
}

/** Lets several read the same, one after the other. */
function joined(all: readonly Extractor[]): Extractor {
  return {
    name: all.map(({ name }) => name).join('+'),
    version: all.map(({ version }) => version).join('+'),
    ...defined({
      model: all.find(({ model }) => model !== undefined)?.model,
      ahead: all.find(({ ahead }) => ahead !== undefined)?.ahead,
    }),
    async extract(transcript, context) {
      const found = [];
      for (const one of all) found.push(await one.extract(transcript, context));
      const each = found.map((one) => ('items' in one ? one : { items: one }));
      return { items: each.flatMap(({ items }) => items), dropped: each.flatMap(({ dropped = [] }) => dropped) };
    },
  };
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isDay = (value: unknown): boolean => /^\d{4}-\d\d-\d\d$/.test(String(value));

/** What a field of an item has to be; `turns` is how many there are. */
const fieldRules: Readonly<Record<string, (value: unknown, turns: number) => boolean>> = {
  content: isText,
  category: (value) => memoryCategories.includes(value as MemoryCategory),
  confidence: (value) => Number(value) >= 0 && Number(value) <= 1,
  turns: (value, turns) =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((turn) => Number.isInteger(turn) && turn >= 1 && turn <= turns),
  ...{ role: isText, statement: isText, subject: isText, attribute: isText, entities: areTexts, tags: areTexts },
  ...{ due: isDay, from: isDay, until: isDay },
};
const needed: ReadonlySet<string> = new Set(['content', 'category', 'confidence', 'turns']);

/** Looks at what somebody's own extractor gives: a field that is missing or wrong is named. */
function checking(own: Extractor): Extractor {
  return {
    ...own,
    async extract(transcript, context) {
      const found = await own.extract(transcript, context);
      const fail = (where: string): MemoryError =>
        new MemoryError('EXTRACTION_FAILED', `the extractor ${own.name} gives no valid ${where}`, { where });
      const { items, ...rest }: Partial<Extraction> =
        'items' in Object(found) ? (found as Extraction) : { items: found as [] };
      if (!Array.isArray(items)) throw fail('items');
      const checked = items.map((item: Partial<ExtractedItem> | null, at): ExtractedItem => {
        const given = Object(item) as Record<string, unknown>;
        const wrong = Object.entries(fieldRules).find(([field, isRight]) =>
          given[field] === undefined ? needed.has(field) : !isRight(given[field], transcript.turns.length),
        );
        if (wrong !== undefined) throw fail(`items[${at}].${wrong[0]}`);
        const { role } = transcript.turns[item!.turns![0]! - 1]!;
        return { ...{ role, entities: [], tags: [] }, ...(item as Omit<ExtractedItem, 'role' | 'entities' | 'tags'>) };
      });
      return { ...rest, items: checked };
    },
  };
}
