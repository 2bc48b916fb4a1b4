// Puts stand-ins for names into a copy of the page: always the same one, numbered in the order in which names came up.

import { upperFirst } from '../../base/text.ts';
import { namesIn } from '../../core/extract/names.ts';
import type { Brought } from './brought.ts';

/** Names stand-ins are not made for: they name nobody. */
const nobody = /^(?:the |an? )?(?:user|assistant|agent|system|somebody|team|people|memory|owner|git-memory)s?$/i;
const isName = (name: string): boolean =>
  /^\p{Lu}[\p{L}\p{M}.'’-]+(?: [\p{L}\p{M}.'’-]+){0,3}$/u.test(name) && !nobody.test(name);

/** Any word with a capital that begins no sentence may be a name: it is taken for one, whatever it is. */
const capitalised = /(?<=[\p{L}\p{M}\p{N},;(–—-] ?|["“„«'‘] ?)(?<![\p{L}\p{M}\p{N}])\p{Lu}[\p{L}\p{M}'’-]+/gu;

function namesOf({ claims, origins, log, answers }: Brought): string[] {
  const names = new Set<string>();
  const add = (name: string | undefined, isPerson = false): void => {
    const clean = name?.replace(/['’]s\b.*$/u, '').trim();
    if (clean === undefined) return;
    // A speaker or author is somebody, however the name is written.
    if (isName(clean) || (isPerson && /\p{L}.*\p{L}/u.test(clean) && !nobody.test(clean))) names.add(clean);
  };
  for (const claim of [...claims].sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))) {
    add(claim.subject);
    for (const entity of [...claim.entities, ...namesIn(claim.content), ...wordsWithCapitals(claim.content)])
      add(entity);
    for (const { speaker, text = '' } of origins[claim.id]?.sources ?? []) {
      add(speaker, true);
      for (const name of [...namesIn(text), ...wordsWithCapitals(text)]) add(name);
    }
  }
  for (const { author } of [...log].reverse()) add(author, true);
  const files = (answers['["list",{"folder":"knowledge"}]'] as { files?: readonly string[] })?.files ?? [];
  for (const path of files) {
    // People whom a page names in bold or by a link, though nothing was taken from what they said.
    const shown = answers[JSON.stringify(['show', { what: path }])] as { readonly text?: string } | undefined;
    for (const [, bold, link] of (shown?.text ?? '').matchAll(
      /\*\*([^*\n]{2,60})\*\*|\[\[(?:[^\]|]*\|)?([^\]|]{2,60})\]\]/gu,
    ))
      add(bold ?? link);
    const [, page] = /^knowledge\/people\/(.+)\.md$/.exec(path) ?? [];
    add(page?.split('-').map(upperFirst).join(' '));
  }
  return [...names];
}

const wordsWithCapitals = (text: string): string[] => text.match(capitalised) ?? [];

/** Puts `Name 1` in the place of a name and its parts wherever they stand. A word in small letters stays where texts use it more. */
export function anonymized(brought: Brought): Brought {
  const numbers = new Map<string, number>();
  let count = 0;
  const names = namesOf(brought);
  for (const name of names) {
    const parts = [name, ...name.split(' ').filter((part) => isName(part) && part.length > 2)];
    const known = parts.map((part) => numbers.get(part.toLowerCase())).find((number) => number !== undefined);
    const number = known ?? ++count;
    for (const part of parts) if (!numbers.has(part.toLowerCase())) numbers.set(part.toLowerCase(), number);
  }
  if (numbers.size === 0) return brought;
  const escaped = [...numbers.keys()]
    .sort((a, b) => b.length - a.length)
    .map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', '[ _-]'));
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${escaped.join('|')})(?![\\p{L}\\p{N}])`, 'giu');
  const keyOf = (found: string): string => found.toLowerCase().replace(/[_-]/g, ' ');
  const numberOf = (found: string): number | undefined => numbers.get(found.toLowerCase()) ?? numbers.get(keyOf(found));
  const small = new Map<string, number>();
  for (const [found] of brought.claims
    .map(({ content }) => content)
    .join('\n')
    .matchAll(pattern)) {
    const key = keyOf(found);
    small.set(key, (small.get(key) ?? 0) + (found === found.toLowerCase() ? 1 : -1));
  }
  const replaced = (text: string): string =>
    text
      .replace(/[\p{L}\p{N}._%+-]+@[\p{L}\p{N}.-]+\.\p{L}{2,}/gu, 'name@example.org')
      .replace(pattern, (found, at: number) => {
        const number = numberOf(found);
        if (number === undefined) return found;
        if (found !== found.toLowerCase()) return `Name ${number}`;
        // In a path or an id, small letters are how it is written.
        const isPath = /[/_-]/.test(text[at - 1] ?? '') || /[/_.-]/.test(text[at + found.length] ?? ' ');
        if (isPath && !/\s/.test(text[at + found.length + 1] ?? 'x')) return `name-${number}`;
        return (small.get(keyOf(found)) ?? 0) > 0 && !names.includes(found) ? found : `name ${number}`;
      });
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return replaced(value);
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [replaced(key), walk(inner)]));
  };
  return walk(brought) as Brought;
}
