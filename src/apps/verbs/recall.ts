// Verbs that ask: search, one thing by name, and lists. Each answers from now or from any earlier state.

import { z } from 'zod';
import { contentTypeOf, isText } from '../../base/content-type.ts';
import { count } from '../../base/count.ts';
import { defined, MemoryError } from '../../base/errors.ts';
import { singleSpaced, withoutEndSlash } from '../../base/text.ts';
import { dayOf } from '../../base/time.ts';
import type { MemoryRecord } from '../../base/types/stored-types.ts';
import type { EventsResult, KnowledgeResult, ListResult, RecallHit, RelationsResult } from '../../base/types.ts';
import type { Questions } from '../../memory/view.ts';
import { periodMark, toBegin } from '../../store/claims/claim.ts';
import { speakerOfQuote } from '../../store/claims/speaker.ts';
import { parseSequenceId } from '../../store/records/sequence-id.ts';
import { linesAt, spotIn } from '../../store/records/spot.ts';
import { describeMountProblems } from './mount.ts';
import { cut, hang, pairs, type Style, shortDay, shortOid, shortTime } from './style.ts';
import { defineVerb, filled, flag, maybe, oneOf, optional } from './verb.ts';

export const recall = defineVerb({
  name: 'recall',
  summary: 'Search memories, knowledge and every spoken turn',
  help:
    'Recall finds turns with speaker and time, sections of knowledge files, and memories, best first. It stems words ' +
    'and forgives misspellings. Nearby turns, the session and the date count, too. Beneath the best hits stand turns ' +
    'that were said later and are near them: whether they say something else is for you to judge. The query may hold filters ' +
    'category:, tag:, entity:, session:, speaker:, language:, before:, after:, until: and exact:, as in tag:eps ' +
    'after:1970-04-13 exact:"power down". Asking never writes. With --at it searches what the memory knew then.',
  input: z.strictObject({
    query: z.string().describe('what to look for, in words'),
    limit: optional(z.int().min(1).max(1000), 'how many hits at most; 10 if left out'),
    category: maybe('only this kind: conversation, memory, knowledge, archive, or a kind of memory such as decision'),
    since: optional(z.string(), 'only what happened at this time or later, ISO 8601'),
    until: optional(z.string(), 'only what happened up to this time, ISO 8601'),
    session: maybe('only this session, by its id'),
    paths: optional(z.array(z.string().min(1)), 'only these files, and what lies below these folders'),
    group: oneOf(['session'], 'session: one hit for each conversation, its best turn, in place of single turns'),
    includeArchived: flag('also what is archived'),
    review: flag('also memories that fade and are worth coming back to'),
    mode: oneOf(['lexical', 'vector', 'hybrid'], 'by words, by vectors, or by both; hybrid if left out'),
    fusion: oneOf(
      ['sum', 'rrf', 'spec'],
      'how words and vectors are combined: weighted sum, reciprocal ranks, or spec 5; sum if left out',
    ),
    recency: optional(z.number().min(0).max(1), 'share of the score that depends on the date, 0 to 1'),
    use: optional(z.number().min(0).max(1), 'share of the score that depends on strength and use, 0 to 1'),
  }),
  positional: ['query'],
  words: 'query',
  usual: ['limit', 'category', 'since', 'until', 'session', 'mode'],
  flags: { reads: true },
  example: {
    command: 'recall --limit 3 why is a journal needed',
    shows: 'the three best places, with speaker, time and commit',
  },
  async run(context, { query, ...options }) {
    const signal = context.signal === undefined ? {} : { signal: context.signal };
    return (await context.view()).recall(query, { ...options, ...signal });
  },
  text(result, style) {
    const blocks = result.hits.map((hit, index) => describeHit(hit, index + 1, style));
    if (result.probablyNothing && blocks.length > 0) blocks.unshift(style.bad(describeNothing));
    if (blocks.length === 0) blocks.push(`Nothing found for “${cut(result.query, style.width - 22)}”.`);
    for (const { path, pattern } of result.triggered ?? []) blocks.push(`"${pattern}" calls for ${style.strong(path)}`);
    for (const hint of result.hints ?? []) blocks.push(hang('', hint, style, 0).join('\n'));
    blocks.push(...describeMountProblems(result.mountProblems ?? [], style));
    if (result.locked !== undefined) blocks.push(describeLocked(result.locked, style));
    const { embedder, embedderNote, unembedded } = result;
    const ranker = `Ranked by ${rankersOf(embedder)}`;
    if (embedderNote !== undefined) blocks.push(hang('', `${ranker}: ${embedderNote}`, style, 0).join('\n'));
    else if (result.hits.length > 0) blocks.push(style.faint(ranker));
    if (unembedded !== undefined) {
      const them = count(unembedded, 'text has', 'texts have');
      blocks.push(
        hang(
          '',
          `${them} no vector yet and ranked by words; ${style.command('maintain reindex')} gives them one.`,
          style,
          0,
        ).join('\n'),
      );
    }
    return blocks.join('\n\n');
  },
});

export const show = defineVerb({
  name: 'show',
  summary: 'Show a memory by its id, or a file by its path',
  help:
    'The first characters of an id are enough when they fit only one memory. A file is shown byte for byte, but for ' +
    'turns that were forgotten. PATH#TURN and PATH:LINE, as recall prints them, show that turn or line. The id of ' +
    'an event shows its line. For a binary file, such as a picture, you see its type and size; --output saves it.',
  input: z.strictObject({
    what: filled.describe('an id, the beginning of one, a path, or PATH#TURN'),
    output: maybe('save it to this file'),
    offset: optional(z.int().min(0), 'of a text, leave out so many lines'),
    limit: optional(z.int().min(1), 'of a text, show so many lines'),
  }),
  positional: ['what'],
  usual: ['output'],
  flags: { reads: true, anyRepository: true },
  example: { command: 'show knowledge/memory/MEMORY.md', shows: 'the file as the memory has it now' },
  async run(context, input) {
    const view = await context.view();
    const what = input.what.replace(/(?<=[^/])\/+$/, '');
    if (input.output !== undefined) {
      const stored = Buffer.from(await view.readBytes(what));
      const bytes = isText(stored) ? Buffer.from(await view.read(what, { hideForgotten: true })) : stored;
      context.files.write(input.output, bytes);
      return { path: what, text: `${input.output} has its ${count(bytes.length, 'byte')}.` };
    }
    const spot = await shownSpot(view, (await placeOfEvent(view, what)) ?? what);
    if (spot !== undefined) return spot;
    if (what.includes('/')) {
      const file = linesOf(await shownFile(view, what), input);
      const isKnowledge = /^knowledge\/.*\.md$/.test(what);
      const { facts } = isKnowledge
        ? await view.knowledge.list({ path: what, states: ['stale', 'aging'] })
        : { facts: [] };
      return { ...file, ...(facts.length === 0 ? {} : { stale: facts }) };
    }
    try {
      const memory = await view.get(what);
      return { ...memory, ...(await view.records.relations(memory.id)) };
    } catch (error) {
      if (!(error instanceof MemoryError) || error.code !== 'NOT_FOUND') throw error;
      // No memory of that id: a file at the root, such as memory.yaml, perhaps.
      return shownFile(view, what).catch(async (otherwise: unknown) => {
        throw (await view.files(what).catch(() => [])).length > 0 ? otherwise : error;
      });
    }
  },
  text(output, style) {
    // What is a file's last line feed comes back from the front end, which ends every answer with one.
    if ('text' in output) return output.text.replace(/\n$/, '');
    if (!('bytes' in output)) return describeMemory(output, style);
    const { path, type, bytes, ending } = output;
    const name = `file${ending === undefined ? '' : `.${ending}`}`;
    return [
      `${path} is no text: ${type}, ${count(bytes, 'byte')}.`,
      style.faint(`${style.command(`show --output ${name} ${path}`)} writes it to a file.`),
    ].join('\n');
  },
  aside(output, style) {
    if (!('stale' in output) || output.stale === undefined) return undefined;
    const told = output.stale.map(({ line, state, why }) => `line ${line} is ${state}: ${why}`);
    return hang(style.bad('note:'), told.join('; '), style, 6).join('\n');
  },
});

type ShownFile =
  | { readonly path: string; readonly text: string; readonly stale?: KnowledgeResult['facts'] }
  | { readonly path: string; readonly type: string; readonly bytes: number; readonly ending?: string };

/** Finds an event of the ledger by its id, wherever it lies now; undefined where there is none. */
export async function eventNamed(view: Questions, id: string): Promise<EventsResult['events'][number] | undefined> {
  if (parseSequenceId(id)?.series.startsWith('EVT') !== true) return undefined;
  const { events } = await view.ledger.list({ superseded: true, archived: true });
  return events.find((one) => one.id === id);
}

async function placeOfEvent(view: Questions, id: string): Promise<string | undefined> {
  const event = await eventNamed(view, id);
  return event && `${event.path}:${event.line}`;
}

/** Gives the turn or line that a place as recall prints it means; undefined where it is none. */
async function shownSpot(view: Questions, what: string): Promise<ShownFile | undefined> {
  const spot = spotIn(what);
  if (spot === null) return undefined;
  try {
    const text = await view.read(spot.path, { hideForgotten: true });
    const [first, last] = linesAt(text, spot);
    return {
      path: what,
      text: text
        .split('\n')
        .slice(first - 1, last)
        .join('\n')
        .trimEnd(),
    };
  } catch (error) {
    // A file may have such a name itself.
    if (error instanceof MemoryError && error.code === 'NOT_FOUND' && (await isFile(view, what))) return undefined;
    throw error;
  }
}

const isFile = (view: Questions, path: string): Promise<boolean> =>
  view.readBytes(path).then(
    () => true,
    () => false,
  );

function linesOf(
  file: ShownFile,
  { offset = 0, limit }: { readonly offset?: number; readonly limit?: number },
): ShownFile {
  if (!('text' in file) || (offset === 0 && limit === undefined)) return file;
  const lines = file.text.split('\n').slice(offset, limit === undefined ? undefined : offset + limit);
  return { ...file, text: lines.join('\n') };
}

/** Gives a file as text; of other bytes, which as words would be noise, what they are and how many. */
async function shownFile(view: Questions, path: string): Promise<ShownFile> {
  const bytes = await view.readBytes(path);
  if (isText(bytes)) return { path, text: await view.read(path, { hideForgotten: true }) };
  const { type, ending } = contentTypeOf(bytes);
  return { path, type, bytes: bytes.length, ...(ending === null ? {} : { ending }) };
}

export const list = defineVerb({
  name: 'list',
  summary: 'List memories, strongest first, or files',
  help: 'Without a folder it lists memories. With a folder it lists the paths below it ("/" for all). Filters apply to memories.',
  input: z.strictObject({
    folder: maybe('a folder whose files to list, such as knowledge; "/" for all'),
    tag: optional(z.string(), 'only memories with this tag'),
    category: optional(z.string(), 'only memories of this category, such as decision or commitment'),
    entity: optional(z.string(), 'only memories about this person, project or thing'),
    status: optional(z.string(), 'active, promoted, archived or superseded'),
    session: optional(z.string(), 'only memories that come from this session'),
    limit: optional(z.int().min(1).max(100_000), 'how many at most'),
  }),
  positional: ['folder'],
  flags: { reads: true },
  example: { command: 'list --category commitment', shows: 'what was promised, with its due day' },
  async run(context, { folder, limit, ...filter }) {
    const view = await context.view();
    if (folder === undefined) return view.list({ ...filter, ...defined({ limit }) });
    const misplaced = Object.keys(filter)[0];
    if (misplaced !== undefined) {
      throw new MemoryError('INVALID_ARGUMENT', `${misplaced} filters memories, not files`, {
        where: misplaced,
        hint: 'Leave the folder out, or the filter',
      });
    }
    const prefix = withoutEndSlash(folder.replace(/^(\.?\/)+/, ''));
    const files = await view.files(prefix === '' || prefix === '.' ? undefined : prefix);
    return { files: limit === undefined ? files : files.slice(0, limit) };
  },
  text(output, style) {
    if ('files' in output) {
      const files = output.files;
      return files.length === 0 ? 'No files there.' : files.join('\n');
    }
    const { memories, locked, hints = [] } = output;
    const beside = locked === undefined ? [] : [describeLocked(locked, style)];
    if (memories.length === 0)
      return ['No memories.', ...hints.flatMap((hint) => hang('', hint, style, 0)), ...beside].join('\n');
    return [...memories.map((memory) => describeRow(memory, style)), ...beside].join('\n');
  },
});

function describeLocked(locked: number, style: Style): string {
  const files = count(locked, 'private file is', 'private files are');
  return `${style.bad(`${files} locked`)}: the key is not here; see ${style.command('key')}`;
}

/** Names what recall ranks by, as all verbs do. */
export function rankersOf(embedder: string | null): string {
  return embedder === null ? 'words alone' : `words and ${embedder}`;
}

const describeNothing = 'Probably nothing here answers that. What comes nearest:';

/** How probably it answers; of what no words found, its score. */
const figureOf = ({ confidence, score }: RecallHit): number => confidence ?? score;

function describeHit(hit: RecallHit, number: number, style: Style): string {
  const indent = 4;
  const label = `${number}.`;
  const [first = '', ...rest] = hang(label, hit.snippet, style, indent, 3);
  const who = [hit.speaker ?? hit.role ?? hit.category, hit.time === undefined ? undefined : shortTime(hit.time, style)]
    .concat(hit.review ? ['due for review'] : [], hit.mount === undefined ? [] : [`of ${hit.mount}`])
    .filter((part) => part !== undefined)
    .join(', ');
  const placeOf = ({ path, turn, line }: { path: string; turn?: number; line: number }): string =>
    turn === undefined ? `${path}:${line}` : `${path}#${turn}`;
  const more = hit.turns === undefined || hit.turns === 1 ? '' : `  and ${count(hit.turns - 1, 'more turn')}`;
  const margin = ' '.repeat(indent);
  const { also = [], later = [] } = hit;
  return [
    `${style.strong(label)}${first.slice(label.length)}`,
    ...rest,
    `${margin}${style.faint(`${placeOf(hit)}${more}`)}`,
    ...(hit.until === undefined && hit.replacedBy === undefined ? [] : [`${margin}${style.bad(describeEnd(hit))}`]),
    ...(hit.from === undefined ? [] : [`${margin}${style.bad(`from ${hit.from}`)}`]),
    ...(hit.learnt === undefined ? [] : [`${margin}${style.bad(describeLearnt(hit.learnt))}`]),
    ...(hit.stale ?? []).map(
      ({ line, state, verified }) =>
        `${margin}${style.bad(`${state}: line ${line}${verified === undefined ? '' : `, verified ${verified}`}`)}`,
    ),
    ...also.slice(0, alsoShown).map((other) => `${margin}${style.faint(`also ${placeOf(other)}`)}`),
    ...(also.length > alsoShown
      ? [`${margin}${style.faint(`and in ${count(also.length - alsoShown, 'more place')}`)}`]
      : []),
    `${margin}${style.faint(who)}  ${style.reference(shortOid(hit.commit))}  ${style.faint(figureOf(hit).toFixed(2))}`,
    ...later.flatMap((one) => [
      ...hang(`${margin}${shortDay(one.time, style)}`, one.snippet, style, indent + 12, 2),
      `${margin}${' '.repeat(12)}${style.faint(placeOf(one))}`,
    ]),
  ].join('\n');
}

function describeLearnt({ standing, branch = 'another branch' }: NonNullable<RecallHit['learnt']>): string {
  if (standing === 'landed') return `learnt on ${branch}, which has landed here`;
  return `learnt on ${branch}, ${standing === 'elsewhere' ? 'not merged here' : 'which was never merged'}`;
}

/** Of the places that say the same so many are named. */
const alsoShown = 2;

/** `until 2026-03-24: 1359ac21 took its place` */
function describeEnd({ until, replacedBy }: RecallHit): string {
  const end = until === undefined ? 'holds no more' : `until ${until}`;
  const by = replacedBy?.includes('#') === false ? replacedBy.slice(0, 16) : replacedBy;
  return by === undefined ? end : `${end}: ${by} took its place`;
}

function describeRow(memory: ListResult['memories'][number], style: Style): string {
  const due = memory.due === undefined ? '' : ` (due ${memory.due})`;
  const head = `${memory.id.slice(0, 10).padEnd(10)}  ${(memory.category ?? 'memory').padEnd(12)} ${memory.score.toFixed(2)}  `;
  const status = memory.status === 'active' ? '' : `[${memory.status}] `;
  const room = style.rowWidth - head.length;
  const speaker = speakerOfQuote(memory);
  const words = `${speaker === undefined ? '' : `${speaker}: `}${singleSpaced(memory.content)}`;
  const days = periodMark(daysOf(memory, style));
  return style.faint(head) + cut(`${status}${words}`, room - due.length - days.length) + days + due;
}

/** On which days a memory holds: from one after it was made, and until one that was said or on which something took its place. */
function daysOf({ validFrom, validUntil, createdAt }: MemoryRecord, style: Style) {
  const day = (seconds: number | undefined) =>
    seconds === undefined ? undefined : dayOf(seconds * 1000, style.timeZone);
  return defined({ from: day(toBegin({ ...defined({ validFrom }) }, createdAt)), until: day(validUntil) });
}

/** Renders a memory in full. */
export function describeMemory(
  memory: MemoryRecord & { path: string; score: number } & Partial<RelationsResult>,
  style: Style,
): string {
  const day = (seconds: number): string => shortTime(new Date(seconds * 1000).toISOString(), style);
  const sources = (memory.sources ?? []).map(
    (source) => `${source.path}${source.turn === undefined ? '' : `#${source.turn}`}`,
  );
  return [
    ...hang('', memory.content, style, 0).map(style.strong),
    '',
    ...pairs(
      [
        ['gist', memory.gist],
        ['id', memory.id],
        ['path', memory.path],
        ['category', memory.category],
        ['status', memory.status],
        ['due', memory.due],
        ['strength', memory.score.toFixed(3)],
        [
          'confidence',
          memory.confidence === undefined ? undefined : `${memory.confidence} ${memory.confidenceTier ?? ''}`.trim(),
        ],
        ['tags', memory.meta.tags.join(', ')],
        ['entities', memory.entities.join(', ')],
        ['created', day(memory.createdAt)],
        ['last used', `${day(memory.lastUsed)}, ${count(memory.useCount, 'time')}`],
        ['holds', periodMark(daysOf(memory, style)).slice(2, -1)],
        ['replaced by', memory.replacedBy],
        ['context', memory.meta.context],
        ...(memory.relations ?? []).map((relation) => relationRow(relation, memory.id)),
        ...sources.map((source, index) => [index === 0 ? 'from' : '', source] as const),
      ],
      style,
    ),
  ].join('\n');
}

/** The type and the other memory: away from this one as it stands, towards it with an arrow. */
export function relationRow(relation: RelationsResult['relations'][number], id: string): readonly [string, string] {
  const { relationType, fromMemoryId, toMemoryId } = relation;
  const type = relationType.replace(/_/g, ' ');
  return fromMemoryId === id ? [type, toMemoryId] : [type, `← ${fromMemoryId}`];
}
