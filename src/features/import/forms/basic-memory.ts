// Notes of basic-memory: markdown whose list items are observations and relations. These become memories; the prose around them is a note.
// The grammar is that of basic-memory's own parser, src/basic_memory/markdown/plugins.py.
//
//   - [method] Steep it for four minutes #tea (green only)
//   - requires [[Water Temperature]]

import { orElse } from '../../../base/errors.ts';
import { withoutEmptySections } from '../../../base/text.ts';
import { splitFrontMatter } from '../../../store/records/front-matter.ts';
import { textOf } from '../source.ts';
import { listOf, stemOf, timeOf, wordOf } from './fields.ts';
import { type Entry, type Form, factId, told } from './form.ts';

const item = /^\s*[-*+]\s+(.*)$/;
const observation = /^\[([^[\]()]+)\]\s+(.+)$/;
/** Brackets that hold none: a check box, or a moment of a recording. */
const noCategory = /^(?:[^\p{L}\p{N}]?|[xX]|\d{1,3}:\d\d(?:[:.,\d]*)(?:\s+-\s+[\d:.,]+)?)$/u;
const relation = /^(?:"([^"]+)"|'([^']+)'|([^\s[]+))\s+\[\[([^[\]]+)\]\](?:\s+\(([^()]*)\))?$/;
const hashtag = /(?:^|\s)#([^\s#]+)/g;
const fence = /^\s*(?:```|~~~)/;

export const basicMemory: Form = {
  channel: '',
  isKnowledge: true,
  places: [{ root: '~/basic-memory', variable: 'BASIC_MEMORY_HOME', files: '**/*.md' }],

  detect(path, head) {
    if (!/\.md$/i.test(path)) return 0;
    if (/^---\r?\n(?:[^\n]*\n){0,30}?permalink:\s*\S/.test(head)) return 0.9;
    const isLaidOut = /^## (?:Observations|Relations)\s*$/m.test(head);
    return isLaidOut && head.split('\n').some((line) => factOf(line) !== null) ? 0.7 : 0;
  },

  *read(file, reading) {
    const text = textOf(file.read())?.replaceAll('\r\n', '\n');
    if (text === undefined) return reading.broken('is not UTF-8 text');
    const { data, body } = orElse(() => splitFrontMatter(text, file.path), { data: {}, body: text });
    const fields: Readonly<Record<string, unknown>> = data;
    const title = wordOf(fields.title) ?? /^# (.+)$/m.exec(body)?.[1]?.trim() ?? stemOf(file.path);
    const link = wordOf(fields.permalink);
    const time = timeOf(fields.created) ?? timeOf(fields.date) ?? timeOf(fields.created_at);
    const common = [fields.tags].flatMap((tags) => (typeof tags === 'string' ? tags.split(',') : listOf(tags)));
    const shared = common.flatMap((tag) => wordOf(tag)?.replace(/^#/, '') ?? []);
    const first = text.slice(0, text.length - body.length).split('\n').length;
    const rest: string[] = [];
    let isFenced = false;
    for (const [at, line] of body.split('\n').entries()) {
      if (fence.test(line)) isFenced = !isFenced;
      const fact = isFenced ? null : factOf(line);
      if (fact === null) {
        rest.push(line);
        continue;
      }
      const { words, target, tags } = fact;
      yield {
        kind: 'record',
        id: factId('bm', link ?? title, `${tags[0] ?? ''} ${words}`),
        text: target === undefined ? told(title, words) : `${title} ${words}`,
        time,
        tags: [...new Set([...tags, ...shared])],
        entities: target === undefined ? [title] : [title, target],
        line: first + at,
      } satisfies Entry;
    }
    // A heading above nothing but what became memories says nothing any more.
    const prose = withoutEmptySections(rest.join('\n')).trimEnd();
    const path = link === undefined ? file.path : `knowledge/reference/basic-memory/${link}.md`;
    if (prose !== '') yield { kind: 'note', path, text: `${text.slice(0, text.length - body.length)}${prose}\n`, time };
  },
};

function factOf(
  line: string,
): { readonly words: string; readonly tags: readonly string[]; readonly target?: string } | null {
  const given = item.exec(line)?.[1]?.trim();
  if (given === undefined || given.startsWith('[[')) return null;
  const [, double, single, plain, target, context] = relation.exec(given) ?? [];
  const kind = double ?? single ?? plain;
  if (kind !== undefined && target !== undefined)
    return { words: `${kind} ${target.trim()}${context ? ` (${context})` : ''}`, tags: [kind], target: target.trim() };
  const [, category, words = given] = observation.exec(given) ?? [];
  if (category !== undefined && noCategory.test(category.trim())) return null;
  const tags = [...words.matchAll(hashtag)].map(([, tag]) => tag!.replace(/[.,;)]+$/, ''));
  if (category === undefined && (tags.length === 0 || given.startsWith('['))) return null;
  const said = words.replace(/(?:\s+#[^\s#()]+)+(?=\s*(?:\([^()]*\))?$)/, '').trim();
  return { words: said === '' ? words : said, tags: [...(category === undefined ? [] : [category.trim()]), ...tags] };
}
