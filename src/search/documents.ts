// Files to searchable documents: which files are searched, what one hit is, and which words a hit can be found by.
// Nothing here ranks, filters or keeps state; a file that cannot be read as its kind is still found by its words.

import { monthNames, weekdays } from '../base/calendar.ts';
import { type Language, languageNamed, languageOf } from '../base/languages.ts';
import { oncePerValue } from '../base/once-per.ts';
import { upperFirst } from '../base/text.ts';
import { dayMs } from '../base/time.ts';
import { lettersOf, termsOf, tokensOf } from '../base/tokenizer.ts';
import type { MemoryRecord, Transcript } from '../base/types/stored-types.ts';
import { wordsOfClaim } from '../store/claims/claim.ts';
import { BoundedCache } from '../store/git/bounded-cache.ts';
import { isActsPath } from '../store/records/acts-file.ts';
import { artifactFolder } from '../store/records/kind.ts';
import { parseKnowledge } from '../store/records/knowledge-file.ts';
import { withoutProvenance } from '../store/records/knowledge-marks.ts';
import { parseMemory } from '../store/records/memory-record.ts';
import { parseTranscriptWithLines } from '../store/records/transcript.ts';
import { isUnfinished } from '../store/records/unfinished-merge.ts';
import { chunksOf } from './chunks.ts';
import { boxesOf, eventFacts, eventsOf, itemOf, stringsOf, timeOf } from './log-documents.ts';
import {
  type DocumentCategory,
  type Draft,
  type IndexedDocument,
  knowledgeCategories,
  type ReadDocument,
} from './search-document.ts';

function isKnowledge(category: DocumentCategory): boolean {
  return (knowledgeCategories as readonly string[]).includes(category);
}

/**
 * To be raised whenever the same file becomes other documents, or a document other terms or numbers. What is kept of an earlier version is
 * then not looked at any more.
 */
export const documentsVersion = 23;

/** Larger texts are not conversations or notes; their first part is searched. */
const maxTextLength = 1_000_000;

const categoryOfFolder: Readonly<Record<string, DocumentCategory>> = {
  identity: 'identity',
  memory: 'core',
  journal: 'journal',
  projects: 'project',
  people: 'person',
  entities: 'entity',
  procedures: 'procedure',
  principles: 'principle',
  insights: 'insight',
  reference: 'reference',
};

/** Tells the category of a path, and whether it lies in the archive; undefined for files that are not searched. */
function placeOf(path: string): { category: DocumentCategory; archived: boolean; path: string } | undefined {
  const archived =
    path.startsWith('archive/') || path === 'CHANGELOG-archive.md' || path.startsWith('ledger/ledger-archive-');
  const original = path.startsWith('archive/') ? path.slice('archive/'.length) : path;
  const found = (category: DocumentCategory) => ({ category, archived, path: original });
  const [top, second, third] = original.split('/');
  const isMarkdown = original.endsWith('.md');
  switch (top) {
    case 'memories':
      return original.endsWith('.json') ? found('memory') : undefined;
    case 'raw':
      if (second === 'conversations') return isMarkdown ? found('conversation') : undefined;
      if (second === 'daily') return isMarkdown ? found('daily') : undefined;
      if (original.startsWith(artifactFolder) || isActsPath(original)) return undefined;
      return /\.(?:md|txt|jsonl?|csv|ya?ml|log)$/.test(original) ? found('artifact') : undefined;
    case 'ledger':
      return /\/\d{4}-\d\d-\d\d\.jsonl$|^ledger\/ledger-archive-.*\.jsonl$/.test(original)
        ? found('ledger')
        : undefined;
    case 'ledger.jsonl':
      return found('ledger');
    case 'CHANGELOG.md':
    case 'CHANGELOG-archive.md':
      return found('event');
    case 'boxes':
      return isMarkdown ? found('box') : undefined;
    case 'topics':
      return isMarkdown ? found('topic') : undefined;
    case 'knowledge':
      // Reports on consolidation and the lists of a folder tell of what other files say, and would be found for each of them.
      if (!isMarkdown || second === 'consolidation-reports') return undefined;
      if (third === '_index.md' || third === '_active.md') return undefined;
      return found(categoryOfFolder[second ?? ''] ?? 'knowledge');
    case '.memory':
      // A project whose CHANGELOG.md is of another kind keeps its events here; the rest is derived.
      return original === '.memory/changelog.md' ? found('event') : undefined;
    // Derived from what is searched already, or state of the engine.
    case 'recall':
    case 'relations':
    case 'state':
      return undefined;
    case 'store':
      return original.endsWith('.json') ? found('item') : undefined;
    default:
      return isMarkdown && !original.includes('node_modules/') ? found('other') : undefined;
  }
}

/** Tells whether a file of that path can hold documents; its bytes need not be read otherwise. */
export function isSearchedPath(path: string): boolean {
  return placeOf(path) !== undefined;
}

/** Writes a day, counted from the epoch on, so that "on 13 April 1970", "2023-05-07" and "in May" all find it. */
function wordsOfDay(day: number): string {
  const date = new Date(day * dayMs);
  if (Number.isNaN(date.getTime())) return '';
  const month = monthNames[date.getUTCMonth()];
  return `${date.toISOString().slice(0, 10)} ${upperFirst(weekdays[date.getUTCDay()]!)} ${date.getUTCDate()} ${month} ${date.getUTCFullYear()}`;
}

/** What a claim is about, in words: a question for the editor finds `I write in Helix`. */
function aboutOf({ subject = '', attribute = '' }: Pick<MemoryRecord, 'subject' | 'attribute'>): string {
  return `${subject} ${attribute.replace(/[_-]/g, ' ')}`.trim();
}

/** The days that were written last: thousands of documents are of one. */
const termsOfDays = new BoundedCache<readonly string[]>(20_000);

function termsOfDay(day: number, language: Language): readonly string[] {
  const key = `${day} ${language}`;
  let terms = termsOfDays.get(key);
  if (terms === undefined) {
    terms = tokensOf(wordsOfDay(day), language);
    termsOfDays.set(key, terms, terms.length + 1);
  }
  return terms;
}

type Writable<Shape> = { -readonly [Key in keyof Shape]: Shape[Key] };

/** Completes the drafts of a file. Their terms depend on nothing but draft and language, so an index can take out what it put in. */
function finish(drafts: readonly Draft[], language: Language | undefined, isArchived: boolean): IndexedDocument[] {
  const read = language ?? 'en';
  const termsIn = oncePerValue((text: string) => tokensOf(text, read));
  return drafts.map(({ document: drafted, called: title = '', headed, beside = '' }) => {
    const document: Writable<ReadDocument> = drafted;
    if (isArchived) document.status = 'archived';
    if (language !== undefined) document.language = language;
    const { record, tags = [], entities = [], context = '', time, speaker = '' } = document;
    const text = headed === undefined ? document.text : `${headed}\n${document.text}`;
    const ofDay = time === undefined ? [] : termsOfDay(Math.floor(time / dayMs), read);
    const about = record === undefined ? '' : `${record.category}\n${aboutOf(record)}`;
    const placed = termsOf(text, read);
    return {
      document,
      terms: {
        text: placed.terms,
        places: placed.places,
        title: termsIn(title),
        speaker: termsIn(speaker),
        context: [...termsIn(`${tags.join('\n')}\n${entities.join('\n')}\n${about}\n${context}\n${beside}`), ...ofDay],
        letters: read === 'en' || read === 'zxx' ? [] : lettersOf(`${title} ${text}`),
      },
    };
  });
}

/** Tells whether all of a file is one thing to find: a page of knowledge, and no list of events or notes. */
function isPage(category: DocumentCategory): boolean {
  return isKnowledge(category) || ['artifact', 'other', 'topic'].includes(category);
}

/** The name of a file, as words. */
const fileNameOf = (path: string): string => path.replace(/^.*\//, '').replace(/\.[a-z]+$/, '');

function plain(path: string, category: DocumentCategory, text: string): Draft[] {
  return chunksOf(text.slice(0, maxTextLength)).map((chunk, at) => ({
    ...(at === 0 ? { called: fileNameOf(path) } : {}),
    document: {
      path,
      category,
      ...(isPage(category) ? { isPassage: true as const } : {}),
      line: chunk.line + 1,
      textLine: chunk.line + 1,
      text: chunk.text,
    },
  }));
}

/** A gist that only leaves words out would count what it keeps twice. */
function addsWords(gist: string | null, content: string): boolean {
  if (gist === null) return false;
  const known = new Set(tokensOf(content));
  return tokensOf(gist).some((token) => !known.has(token));
}

function oneMemory(path: string, text: string): Draft[] {
  const record = parseMemory(text, path);
  const words = wordsOfClaim(record);
  return [
    {
      document: {
        path,
        category: 'memory',
        line: 1,
        text: addsWords(record.gist, words) ? `${words}\n${record.gist}` : words,
        ...(record.meta.context === null ? {} : { context: record.meta.context }),
        tags: record.meta.tags,
        entities: record.entities,
        id: record.id,
        time: record.createdAt * 1000,
        status: record.status,
        record,
      },
    },
  ];
}

/** Finds the 1-based line on which the text below a heading begins; `line` is the heading's. */
function textLineBelow(line: number, lines: readonly string[]): number {
  let at = line;
  while (at < lines.length && lines[at]?.trim() === '') at += 1;
  return at + 1;
}

/** Gives what a conversation is called: its title, and its topic where that is another. */
export const headingOf = ({ title, topic = title }: Pick<Transcript, 'title' | 'topic'>): string =>
  topic === title ? title : `${title}\n${topic}`;

/** Gives each turn a document of its own, in their order; what its neighbours say is looked up when a question is asked. */
function turnsOf(path: string, text: string): Draft[] {
  const transcript = parseTranscriptWithLines(text, path);
  const { turns, preamble = '', sessionId, tags, started } = transcript;
  const heading = headingOf(transcript);
  const drafts: Draft[] = [];
  const add = (document: Writable<Draft['document']>): void => {
    if (tags !== undefined) document.tags = tags;
    drafts.push({ beside: heading, document });
  };
  const shared = { path, category: 'conversation' as const, title: heading, session: sessionId };
  if (preamble.trim() !== '') add({ ...shared, line: 1, text: preamble, time: started });
  for (const [at, { text: said, line, textLine, role, time, speaker }] of turns.entries()) {
    if (said.trim() === '') continue;
    // Written out: to copy what turns share would take longer than the rest.
    const document: Writable<Draft['document']> = {
      path,
      category: 'conversation',
      title: heading,
      session: sessionId,
      line,
      textLine,
      text: said,
      turn: at + 1,
      role,
      time,
    };
    if (speaker !== undefined) document.speaker = speaker;
    add(document);
  }
  return drafts;
}

const dayInText = /(?<!\d)(\d{4}-\d\d-\d\d)(?!\d)/;

/**
 * Gives each section of a markdown file a document of its own, a long one several; the headings above are its title.
 *
 * Of a page they are passages: its name counts once, and headings are words of the text.
 */
function sectionsOf(path: string, category: DocumentCategory, text: string): Draft[] {
  const { data, sections } = parseKnowledge(text, path);
  const lines = text.split('\n');
  const fileTime = timeOf(dayInText.exec(path)?.[1]) ?? timeOf(data.date) ?? timeOf(data.updated);
  const tags = stringsOf(data.tags);
  const fileName = fileNameOf(path);
  const described = [data.name, data.title, data.description].filter((value) => typeof value === 'string');
  const page = isPage(category);
  const main = [data.title, data.name].find((value) => typeof value === 'string');
  const first = sections.find(({ heading }) => heading !== '');
  const called = main ?? (first?.level === 1 ? first.heading : fileName);
  const above: { level: number; heading: string }[] = [];
  let waiting: string[] = [];
  // The name of a conversation in `[source: …]` is not what a line is about.
  const wordsOf = isKnowledge(category) ? withoutProvenance : (written: string) => written;
  const drafts: Draft[] = [];
  for (const { heading, level, line, text: body } of sections) {
    while (above.length > 0 && above.at(-1)!.level >= level) above.pop();
    if (heading !== '') above.push({ level, heading });
    if (heading !== '' && heading !== called) waiting.push(heading);
    // A heading alone is found with the sections below it; only a file of nothing else is worth a document, and a day says nothing.
    if (body === '' && (sections.length > 1 || category === 'journal')) continue;
    const time = timeOf(dayInText.exec(heading)?.[1]) ?? fileTime;
    const title = [...new Set([...above.map((one) => one.heading), fileName, ...described])].join('\n');
    const textLine = level === 0 || body === '' ? line : textLineBelow(line, lines);
    for (const chunk of chunksOf((body === '' ? heading : body).slice(0, maxTextLength))) {
      const words = wordsOf(chunk.text);
      if (words.trim() === '') continue;
      const found = page
        ? {
            headed: waiting.join('\n'),
            ...(drafts.length > 0 ? {} : { called, beside: [fileName, ...described].join('\n') }),
          }
        : { called: heading, beside: title };
      waiting = [];
      drafts.push({
        ...found,
        document: {
          path,
          category,
          line: chunk.line === 0 ? line : textLine + chunk.line,
          textLine: textLine + chunk.line,
          text: words,
          title,
          ...(page ? { isPassage: true as const } : {}),
          ...(tags.length === 0 ? {} : { tags }),
          ...(time === undefined ? {} : { time }),
          ...(category === 'event' ? eventFacts(heading, body) : {}),
        },
      });
    }
  }
  return drafts;
}

/** Says in which language a file is: as it says itself, else by its words. */
function languageIn(drafts: readonly Draft[], text: string): Language | undefined {
  const named = /^---\n(?:.*\n)*?lang(?:uage)?:[ \t]*["']?([A-Za-z-]+)/.exec(text.slice(0, 2000))?.[1];
  const said = named === undefined ? undefined : languageNamed(named);
  if (said !== undefined) return said;
  let sample = '';
  for (const { document } of drafts) {
    sample += `${document.text.slice(0, 1000)}\n`;
    if (sample.length > 4000) break;
  }
  return languageOf(sample);
}

function draftsOf(path: string, category: DocumentCategory, text: string): Draft[] {
  switch (category) {
    case 'memory':
      return oneMemory(path, text);
    case 'conversation':
      return turnsOf(path, text);
    case 'ledger':
      return eventsOf(path, text);
    case 'box':
      return boxesOf(path, text);
    case 'item':
      return itemOf(path, text);
    case 'artifact':
      return path.endsWith('.md') ? sectionsOf(path, category, text) : plain(path, category, text);
    default:
      return sectionsOf(path, category, text);
  }
}

/**
 * Lists what a file can be found as. A memory record is one document. So is each turn of a conversation, each section of any other markdown
 * file, and each event of the ledger.
 *
 * Never throws: a file that breaks its format is one plain document. A binary or derived file is none, nor an unfinished merge. Documents of files
 * under archive/ have the status `archived`.
 */
export function documentsOf(path: string, text: string): IndexedDocument[] {
  const place = placeOf(path);
  if (place === undefined || text.includes('\0') || isUnfinished(path, text)) return [];
  let drafts: Draft[];
  try {
    drafts = draftsOf(path, place.category, text);
  } catch {
    // Reported where files are checked; here it only must not become invisible.
    drafts = plain(path, place.category, text);
  }
  return finish(drafts, languageIn(drafts, text), place.archived);
}
