// From new memories to lines of knowledge files (spec 5 §8.3): decisions, lessons, people, procedures, facts, the journal. Plans only,
// appends only: what people wrote stays, and each line says where it comes from. Entities and profiles are consolidation's.

import { slugOf } from '../../base/text.ts';
import { dayOf } from '../../base/time.ts';
import type { MemoryRecord, Transcript } from '../../base/types/stored-types.ts';
import { wordsOfClaim } from '../../store/claims/claim.ts';
import { topicHeading } from '../../store/records/conversation-name.ts';
import { formatFrontMatter } from '../../store/records/front-matter.ts';
import { coreMemoryPath } from '../../store/records/kind.ts';
import { appendItem, setFrontKey } from '../../store/records/knowledge-edit.ts';
import {
  lineSaying,
  memoriesOfLine,
  memoryMark,
  turnsOfLine,
  withLine,
  withVerified,
} from '../../store/records/knowledge-marks.ts';
import { procedureFile } from '../../store/records/knowledge-templates.ts';
import { type LinkTargets, linkTargetsOf, withLinks } from '../../store/records/note-links.ts';
import { topicOf } from '../lifecycle/journal.ts';
import { type LineWords, takenOver } from '../lifecycle/memory-lines.ts';
import { leadOf, quotedSpeaker } from '../lifecycle/quoted.ts';
import { stepsOf } from './step-lists.ts';
import { type KnowledgeBase, type Project, personIn, projectOf } from './subjects.ts';
import { trustOfRecord } from './trust.ts';

/** What lasts stands where it does not age, on whichever page (store/records/knowledge-facts.ts). */
const headingsOfPeople: Readonly<Record<string, string>> = {
  preference: 'Communication',
  relationship: 'Relations',
};

/** A knowledge file as it is, null for none, and as it becomes. */
export interface KnowledgeEdit {
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
}

/** What lines are made of. */
export interface KnowledgeInput {
  /** Path of the transcript. */
  readonly path: string;
  readonly transcript: Transcript;
  /** New memories; what was known before has its lines already. */
  readonly created: readonly MemoryRecord[];
  /** Memories that were known before and were said again: their lines were true once more. */
  readonly heard?: readonly MemoryRecord[];
  readonly knowledge: KnowledgeBase;
  /** Whether names that have a file become links to it. */
  readonly hasLinks?: boolean;
  /** The zone that decides on which day something was said; default UTC. */
  readonly timeZone?: string;
  /** The person whose memory it is: the "I" of turns without a speaker. */
  readonly owner?: string;
}

/** Less than this is remembered, and not written down as knowledge. A scorer's share says how likely the category, so the page, is right. */
const leastConfidence = { given: 0.7, read: 0.5 } as const;

/** One line on its way: the file, its form when it is new, where in it, and the words. */
interface Line {
  readonly path: string;
  readonly make: () => string;
  readonly headings: readonly string[];
  /** What stands before the words: the day, and who is quoted. */
  readonly lead?: string;
  readonly words: string;
  readonly tail: string;
  /** The day on which it was said, for a line that says when it was last true. */
  readonly verified?: string;
  readonly keys?: Readonly<Record<string, unknown>>;
  /** In a journal each turn has one line: this memory joins that of its turn, `path#turn`. */
  readonly joins?: { readonly memory: LineWords; readonly turn: string };
}

/**
 * Plans which lines new memories add to knowledge files, as whole files before and after.
 *
 * - a decision: Key Decisions of its project's `context.md`, where it has one
 * - a lesson: `insights/lessons.md`
 * - what is said of a person, by his name or by himself: `people/<name>.md`, likings under Communication, the rest under Context
 * - how something is done: `procedures/<name>.md` with its steps, or one of the `procedures/notes.md`
 * - other facts: `notes.md` of the project, or `reference/<year>-<month>.md`
 * - decisions, commitments, events and lessons: the journal of their day, by topic
 *
 * A line whose words the file has already is not added again (spec 3, update rules). It was true on the day on which they were said again.
 * Lines that were taken from a turn before any memory was, by the summary of its day, become lines of the memories of that turn.
 * The same input gives the same files.
 */
export function planKnowledge(input: KnowledgeInput): KnowledgeEdit[] {
  const edits = new Map<string, KnowledgeEdit>();
  const targets = input.hasLinks ? linkTargetsOf(input.knowledge.list('knowledge/')) : new Map();
  takeOverLines(edits, input);
  for (const record of input.created.filter(isKnowledge)) {
    for (const line of linesOf(record, input)) add(edits, line, input, targets);
  }
  for (const record of (input.heard ?? []).filter(isKnowledge)) {
    for (const line of linesOf(record, input)) renew(edits, line, input.knowledge);
  }
  return [...edits.values()].filter(({ before, after }) => before !== after);
}

/** What anybody may have written stays a memory, with its source, until somebody else says it. */
function isKnowledge(record: MemoryRecord): boolean {
  const { status, confidence = 0, statement, attribute } = record;
  const least = leastConfidence[statement === undefined && attribute === undefined ? 'read' : 'given'];
  return status === 'active' && confidence >= least && trustOfRecord(record) !== 'outside';
}

/** Where the summary of a conversation's day may have written lines of its turns: the journal, MEMORY.md, and the archive of both. */
function summariesOf({ transcript, timeZone = 'UTC' }: KnowledgeInput): string[] {
  const pages = [`knowledge/journal/${dayOf(transcript.started, timeZone)}.md`, coreMemoryPath];
  return pages.flatMap((page) => [page, `archive/${page}`]);
}

function takeOverLines(edits: Map<string, KnowledgeEdit>, input: KnowledgeInput): void {
  const { path, created, heard = [], knowledge } = input;
  const byTurn = new Map<string, LineWords[]>();
  for (const record of [...created, ...heard]) {
    for (const source of record.sources ?? []) {
      if (source.path !== path || source.turn === undefined) continue;
      const turn = `${path}#${source.turn}`;
      byTurn.set(turn, [...(byTurn.get(turn) ?? []), { id: record.id, words: wordsOfClaim(record) }]);
    }
  }
  if (byTurn.size === 0) return;
  for (const page of summariesOf(input)) {
    const text = knowledge.read(page);
    if (!text?.includes(`[source: ${path}#`)) continue;
    const after = text
      .split('\n')
      .map((line) => {
        const memories =
          memoriesOfLine(line).length > 0 ? [] : turnsOfLine(line).flatMap((turn) => byTurn.get(turn) ?? []);
        return memories.length === 0 ? line : takenOver(line, memories);
      })
      .join('\n');
    edits.set(page, { path: page, before: text, after });
  }
}

/** Lets the line that a turn has in a journal say a memory too; false where it has none. */
function join(edits: Map<string, KnowledgeEdit>, { joins, path }: Line, input: KnowledgeInput): boolean {
  if (joins === undefined) return false;
  for (const page of new Set([path, summariesOf(input)[0]!])) {
    const { before, after } = presentOf(edits, page, input.knowledge);
    const at = after?.split('\n').findIndex((line) => turnsOfLine(line).includes(joins.turn)) ?? -1;
    if (after === null || at < 0) continue;
    edits.set(page, { path: page, before, after: withLine(after, at, (line) => takenOver(line, [joins.memory])) });
    return true;
  }
  return false;
}

function add(edits: Map<string, KnowledgeEdit>, line: Line, input: KnowledgeInput, targets: LinkTargets): void {
  const { knowledge } = input;
  if (join(edits, line, input) || renew(edits, line, knowledge)) return;
  const { before, after } = presentOf(edits, line.path, knowledge);
  const words = withLinks(line.words, targets, line.path);
  const text = appendItem(after ?? line.make(), line.headings, `- ${line.lead ?? ''}${words}${line.tail}`);
  edits.set(line.path, { path: line.path, before, after: withKeys(text, line) });
}

/** Lets a line that is there say that it was true on the day; false where the file has no such line. */
function renew(edits: Map<string, KnowledgeEdit>, line: Line, knowledge: KnowledgeBase): boolean {
  const { before, after } = presentOf(edits, line.path, knowledge);
  const place = after === null ? undefined : lineSaying(after, line.words);
  if (after === null || place === undefined) return false;
  const { verified } = line;
  const text = verified === undefined ? after : withLine(after, place, (one) => withVerified(one, verified));
  if (text !== after) edits.set(line.path, { path: line.path, before, after: withKeys(text, line) });
  return true;
}

function presentOf(
  edits: ReadonlyMap<string, KnowledgeEdit>,
  path: string,
  knowledge: KnowledgeBase,
): { readonly before: string | null; readonly after: string | null } {
  const edit = edits.get(path);
  if (edit !== undefined) return edit;
  const text = knowledge.read(path);
  return { before: text, after: text };
}

const withKeys = (text: string, { keys = {} }: Line): string =>
  Object.entries(keys).reduce((after, [key, value]) => setFrontKey(after, key, value), text);

function linesOf(record: MemoryRecord, input: KnowledgeInput): Line[] {
  const { path, transcript, knowledge, timeZone = 'UTC', owner: self } = input;
  const { category, due } = record;
  // Of a memory that was known before, where it was said again.
  const source = record.sources?.find((one) => one.path === path) ?? record.sources?.[0];
  const turn = source?.turn === undefined ? undefined : transcript.turns[source.turn - 1];
  const day = dayOf(record.createdAt * 1000, timeZone);
  const verified = dayOf(turn?.time ?? record.createdAt * 1000, timeZone);
  const from = ` [source: ${path}${source?.turn === undefined ? '' : `#${source.turn}`}]`;
  // A quote names its speaker; a statement stands by itself.
  const speaker = quotedSpeaker(record, turn, self);
  const quoted = speaker === undefined ? '' : leadOf(verified, speaker);
  // Nobody's words may name a source.
  const words = wordsOfClaim(record).replace(/\[(?=(?:source|verified|due|memory):)/gi, '(');
  const isLesson = record.meta.tags.includes('lesson');
  const isProcedure = record.meta.tags.includes('procedure');
  const project = projectOf(record, transcript, knowledge);
  const lines: Line[] = [];
  const keys = { updated: day };
  const owner = memoryMark(record.id);
  const dated = { lead: leadOf(day, speaker), words, tail: `${from}${owner}`, keys };
  const tail = `${from} [verified: ${verified}]${owner}`;
  const told = { lead: quoted, words, tail, verified, keys: { updated: verified } };

  const pageOf = ({ slug, name }: Project, page: 'context' | 'notes', title: string) => ({
    path: `knowledge/projects/${slug}/${page}.md`,
    make: () => formatFrontMatter({ type: `project_${page}`, project: slug, updated: day }, `\n# ${name} — ${title}\n`),
  });
  if (category === 'decision' && project !== undefined)
    lines.push({ ...pageOf(project, 'context', 'Context'), headings: ['## Key Decisions'], ...dated });
  const person = personIn(record, turn?.speaker ?? (turn?.role === 'user' ? self : undefined), transcript, knowledge);
  if (isProcedure) lines.push(procedureLine(words, day, { from, memory: record.id }, knowledge));
  else if (isLesson) {
    lines.push({
      path: 'knowledge/insights/lessons.md',
      make: () => formatFrontMatter({ type: 'insight', updated: day }, '\n# Lessons\n'),
      headings: ['## Lessons'],
      ...dated,
    });
  } else if (person !== undefined) {
    lines.push({
      path: person.path,
      make: () => formatFrontMatter({ type: 'person', name: person.name, updated: day }, `\n# ${person.name}\n`),
      headings: [`## ${headingsOfPeople[category ?? ''] ?? 'Context'}`],
      ...told,
    });
  } else if (category === 'fact') {
    const month = day.slice(0, 7);
    const reference = {
      path: `knowledge/reference/${month}.md`,
      make: () => formatFrontMatter({ type: 'reference', updated: day }, `\n# Facts of ${month}\n`),
    };
    const page = project === undefined ? reference : pageOf(project, 'notes', 'Notes');
    lines.push({ ...page, headings: [`## ${topicHeading(transcript)}`], ...told });
  }
  if (category === 'decision' || category === 'commitment' || category === 'moment' || isLesson) {
    lines.push({
      path: `knowledge/journal/${day}.md`,
      make: () => formatFrontMatter({ type: 'journal', date: day }, `\n## ${day}\n`),
      headings: [`## ${day}`, `### ${topicOf(transcript)}`],
      lead: quoted,
      words,
      tail: `${due === undefined ? '' : ` [due: ${due}]`}${from}${owner}`,
      ...(source?.turn !== undefined && {
        joins: { memory: { id: record.id, words }, turn: `${source.path}#${source.turn}` },
      }),
    });
  }
  return lines;
}

function procedureLine(
  words: string,
  day: string,
  { from, memory }: { readonly from: string; readonly memory: string },
  knowledge: KnowledgeBase,
): Line {
  const told = { headings: ['## Notes'], words, tail: `${from}${memoryMark(memory)}`, keys: { updated: day } };
  const found = stepsOf(words);
  if (found === undefined) {
    const make = () => formatFrontMatter({ type: 'procedure', updated: day }, '\n# How things are done\n');
    return { path: 'knowledge/procedures/notes.md', make, ...told };
  }
  const path = `knowledge/procedures/${slugOf(found.title)}.md`;
  const source = from.replace(/^ \[source: |\]$/g, '');
  const make = () => procedureFile({ title: found.title, day, source, memory, when: '', steps: found.steps });
  // A file that is there keeps its steps; what was said since stands below.
  return { path, make, ...told, words: knowledge.read(path) === null ? `Told on ${day}` : words };
}
