// The lists that lead to projects and people (spec 5 §2.2): which projects are active, which there are at all, who is known. An entry that the
// pass made goes with what it leads to, until somebody edits it: then it is theirs, and stays.

import { count } from '../../base/count.ts';
import { beingOne } from '../../base/generated/words.ts';
import { splitSentences } from '../../base/sentences.ts';
import { oneLine, slugOf } from '../../base/text.ts';
import { dayMs, dayOf } from '../../base/time.ts';
import { listed as listedWords, oneOf } from '../../base/words.ts';
import { formatFrontMatter } from '../../store/records/front-matter.ts';
import { appendItem, setFrontKey } from '../../store/records/knowledge-edit.ts';
import { type KnowledgeItem, knowledgeItems, withoutItems } from '../../store/records/knowledge-items.ts';
import { saidBy } from '../../store/records/knowledge-marks.ts';
import { entityFilesIn } from './entity-files.ts';
import type { Pass, PassItem, PassView } from './pass.ts';
import { untrustedTag } from './quoted.ts';
import { changedFile } from './record-changes.ts';

const projects = 'knowledge/projects/';
const people = 'knowledge/people/';

export interface ProjectListOptions {
  /** When a file last changed in history, in milliseconds. */
  readonly changedAt: (path: string) => number | null;
  /** Lists the lines of a file, 1-based, that the pass committed last; whoever wrote the others, they are not its to take. */
  readonly ownLines: (path: string) => ReadonlySet<number>;
}

/** A project is active while its files changed in so many days. */
const activeDays = 30;

/** A line that a list should have: by its name, which is in bold. */
interface Entry {
  readonly name: string;
  readonly words: string;
}

/** Plans the lists `projects/_active.md`, `projects/_index.md` and `people/_index.md`, where there is something to list. */
export const projectLists: Pass<ProjectListOptions> = {
  name: 'lists',
  plan(view, _, { changedAt, ownLines }) {
    const { now } = view;
    const found = projectsIn(view);
    const since = now - activeDays * dayMs;
    const active = found.filter(({ paths }) => paths.some((path) => (changedAt(path) ?? now) >= since));
    const items = [
      ...listed({ view, ownLines }, `${projects}_active.md`, 'project_index', 'Active Projects', active),
      ...listed({ view, ownLines }, `${projects}_index.md`, 'project_index', 'Projects', found),
      ...listed({ view, ownLines }, `${people}_index.md`, 'people_index', 'People', peopleIn(view)),
    ];
    return { items, left: [] };
  },
  describe: (items) => ({ subject: `${count(items.length, 'list')} of projects and people` }),
};

function listed(
  { view, ownLines }: Pick<ProjectListOptions, 'ownLines'> & { readonly view: PassView },
  path: string,
  type: string,
  title: string,
  entries: readonly Entry[],
): PassItem[] {
  const { snapshot, now, configuration } = view;
  const before = snapshot.readText(path);
  if (before === null && entries.length === 0) return [];
  const day = dayOf(now, configuration.timezone);
  const text = before ?? formatFrontMatter({ type, updated: day }, `\n# ${title}\n`);
  const wanted = new Set(entries.map(({ name }) => name));
  const present = knowledgeItems(text).map((item) => ({ item, name: nameOf(item) }));
  const about = new Map(entries.map((entry) => [entry.name, lineOf(entry)]));
  const isOld = (name: string, line: string) => !wanted.has(name) || (about.get(name) ?? line) !== line;
  const dropped = present.filter(({ name, item }) => name !== undefined && isOld(name, item.line));
  const own = dropped.length === 0 ? new Set() : ownLines(path);
  const isOwn = ({ item: { start, end } }: { item: KnowledgeItem }): boolean => {
    return Array.from({ length: end - start }, (_, at) => start + at + 1).every((line) => own.has(line));
  };
  const gone = dropped.filter(isOwn);
  // A person writes `Ada Lovelace` where the pass writes `ada-lovelace`.
  const kept = present.filter((one) => !gone.includes(one));
  const known = new Set(kept.map(({ name }) => name && slugOf(name)));
  const added = entries.filter(({ name }) => !known.has(slugOf(name)));
  if (gone.length + added.length === 0) return [];
  const goneItems = gone.map(({ item }) => item);
  let after = withoutItems(text, goneItems);
  for (const entry of added) after = appendItem(after, [`# ${title}`], lineOf(entry));
  const left = gone.filter(({ name }) => !wanted.has(name!));
  const parts = [
    ...(added.length === 0 ? [] : [`${added.map(({ name }) => name).join(', ')} added`]),
    ...(left.length === 0 ? [] : [`${left.map(({ name }) => name).join(', ')} left`]),
  ];
  const changes = [changedFile(snapshot, path, setFrontKey(after, 'updated', day))];
  return [{ action: 'list', ids: [], why: `${path}: ${parts.join('; ')}`, changes }];
}

const lineOf = ({ name, words }: Entry): string => `- **${name}**${words === '' ? '' : ` — ${words}`}`;

const nameOf = ({ line }: KnowledgeItem): string | undefined => /^[-*+][ \t]+\*\*([^*]+)\*\*/.exec(line)?.[1]?.trim();

function projectsIn({ snapshot, memories }: PassView): (Entry & { readonly paths: readonly string[] })[] {
  const found = new Map<string, string[]>();
  // What a page or a tool says of a project is no description of it.
  const own = memories.filter(({ record: { status, sources = [], meta } }) => {
    const isOfPeople = sources.every(({ role = 'user' }) => role === 'user');
    return status === 'active' && !meta.tags.includes(untrustedTag) && isOfPeople;
  });
  for (const path of snapshot.list(projects).keys()) {
    const [slug, rest] = path.slice(projects.length).split('/');
    if (rest === undefined || slug === undefined || !path.endsWith('.md')) continue;
    found.set(slug, [...(found.get(slug) ?? []), path]);
  }
  return [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, paths]) => {
      const pages = ['context.md', 'notes.md'].map((file) => snapshot.readText(`${projects}${name}/${file}`) ?? '');
      const said = [...pages, ...own.map(({ record }) => record.content)];
      const ways = [() => stateOf(pages), () => whatIs(name, said), () => factOf(pages), () => latestOf(pages[0]!)];
      const words = ways.reduce((found, way) => (found === '' ? way() : found), '');
      return { name, paths, words };
    });
}

/** What somebody said that a project is: "Kite is a tool for harbours" gives the tool. */
function whatIs(name: string, texts: readonly string[]): string {
  const called = name.replace(/[^\p{L}\p{N}]+/gu, '[ ._-]');
  const saying = new RegExp(`\\b${called}[\\]*_]*(?= ${oneOf(listedWords(beingOne))}\\b) \\S+ ([^\\n]+)`, 'i');
  const said = texts.map((text) => saying.exec(text)?.[1] ?? '').find((words) => words !== '');
  return oneLine(splitSentences((said ?? '').replace(/ \[\w+: .*$/, ''))[0] ?? '', 100);
}

/** What is quoted of a project last, where nobody wrote what it is. */
const latestOf = (context: string): string => oneLine(saidBy(knowledgeItems(context).at(-1)?.words ?? ''), 100);

/** The first line of the current state of a project, else of a text about it. */
function stateOf(pages: readonly string[]): string {
  for (const page of pages) {
    const body = page.replace(/^---\n[\s\S]*?\n---\n/, '');
    const state =
      /^## Current State\s*\n+([^\n#]+)/m.exec(body)?.[1] ?? /^# [^\n]*\n+(?![#-])([^\n]+)/m.exec(body)?.[1] ?? '';
    const words = oneLine(saidBy(state.replace(/^[-*+] /, '')), 100);
    if (words !== '') return words;
  }
  return '';
}

/** The first fact that is quoted of a project. */
function factOf(pages: readonly string[]): string {
  const notes = pages.find((page) => page.includes('\ntype: project_notes'));
  return oneLine(saidBy(knowledgeItems(notes ?? '')[0]?.words ?? ''), 100);
}

function peopleIn({ snapshot }: PassView): Entry[] {
  return entityFilesIn(snapshot, people).map(({ path, text, name }) => {
    const relationship = /^relationship:[ \t]*(.+)$/m.exec(text)?.[1] ?? '';
    const words = oneLine([name, relationship].filter((part) => part !== '').join(', '), 100);
    return { name: path.slice(people.length, -3), words };
  });
}
