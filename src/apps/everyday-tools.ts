// The eleven tools that an agent is offered by default: verbs in the words of a model. Each says when to call it and what comes back, and
// takes the fields that a model needs. It answers with a few fields, whose size does not grow with the memory.

import { z } from 'zod';
import { isJsonObject } from '../base/canonical-json.ts';
import { count } from '../base/count.ts';
import { defined, MemoryError } from '../base/errors.ts';
import { eventTypes, priorities } from '../base/types/ledger-types.ts';
import { memoryCategories } from '../base/types/stored-types.ts';
import type { AboutKind, CaptureResult, EventInput, ListFilter, ListResult, RememberResult } from '../base/types.ts';
import { type AnsweredClaim, rememberAnswered } from '../memory/answered-claims.ts';
import type { MemoryPart } from '../memory/open-memory.ts';
import type { Questions } from '../memory/view.ts';
import { answerFields, answerWords, claimOfAnswer } from './answered-claims.ts';
import { asMeant } from './as-meant.ts';
import { changesAmong, describeChanges, foundIn } from './found-words.ts';
import { describeSummary, type Summary, summary, summaryOf, withMore } from './memory-summary.ts';
import type { ToolEntry } from './tool-sets.ts';
import { about } from './verbs/about.ts';
import { capture } from './verbs/capture.ts';
import { context } from './verbs/context.ts';
import { event } from './verbs/event.ts';
import { eventNamed, list, recall, relationRow, show } from './verbs/recall.ts';
import { forget, remember } from './verbs/records.ts';
import { status } from './verbs/repository.ts';
import { cut } from './verbs/style.ts';
import { undo } from './verbs/undo.ts';
import { filled, flag, maybe, oneOf, parseInput, several, type Verb } from './verbs/verb.ts';

/** What a model reads of a verb, and where its answer has to be made smaller, how. */
type Words = Pick<Verb, 'help' | 'input'> & Partial<Pick<Verb, 'run' | 'text'>> & { readonly answer: z.ZodObject };

function inWords(verb: Verb, { answer, ...words }: Words): Pick<ToolEntry, 'verb' | 'answer'> {
  return { verb: { ...verb, ...words, positional: [] }, answer };
}

const text = z.string();
const texts = z.array(text);
const number = z.number();
const redacted = z.array(z.unknown()).optional();

const search = inWords(recall, {
  help:
    'Finds what was said, noted or decided. Call it whenever an answer depends on earlier talk. Gives the best places first: words, speaker, ' +
    'time, what came "later", and the id or path for memory_get.',
  input: z.strictObject({
    query: text.describe('a question or words; "quotes" keep a phrase together'),
    limit: z.int().min(1).max(50).exactOptional().describe('how many; else 10'),
    category: maybe('conversation, knowledge, memory, or a kind such as decision'),
    since: text.exactOptional().describe('only from this day on, such as 2026-11-02'),
    until: text.exactOptional().describe('up to this day'),
    session: maybe('only in it'),
  }),
  answer: z.object({
    probablyNothing: z.boolean().optional(),
    hits: z.array(
      z.object({
        path: text,
        id: text.optional(),
        session: text.optional(),
        turn: number.optional(),
        line: number,
        category: text,
        speaker: text.optional(),
        role: text.optional(),
        time: text.optional(),
        snippet: text,
        until: text.optional().describe('the day of its end'),
        replacedBy: text.optional(),
        later: z.array(z.unknown()).optional(),
        commit: text.nullable(),
      }),
    ),
  }),
});

const aboutCode = inWords(
  { ...about, flags: {} },
  {
    help:
      'Tells what the user said of code, what failed there and what mended it. Call it before you change code, with one field. Gives nothing ' +
      'where nothing is known.',
    input: z.strictObject({
      path: filled.exactOptional().describe('a file'),
      symbol: filled.exactOptional().describe('a name in code'),
      command: filled.exactOptional().describe('a command line'),
      error: filled.exactOptional().describe('its text'),
    }),
    answer: z.object({ text }),
    async run(verbContext, input) {
      const asked = Object.entries(input).filter(([, target]) => target !== undefined);
      const [[kind, target] = []] = asked;
      if (kind === undefined || asked.length > 1) {
        throw new MemoryError('INVALID_ARGUMENT', 'memory_about needs one of path, symbol, command and error', {
          where: 'path',
          hint: 'Give the one that is asked about',
        });
      }
      return (await verbContext.view()).about(target as string, { kind: kind as AboutKind });
    },
  },
);

const contextFor = inWords(context, {
  help:
    'Puts together what to know before you answer a message. Call it at the start of a conversation and when the subject changes. Gives one ' +
    'text: who the user is, core memories, recent notes, and what fits the message. What it shows counts as used and fades later.',
  input: z.strictObject({
    message: filled.describe('what the user said, or what the work is about'),
    tokens: z.int().min(16).max(100_000).exactOptional().describe('the most tokens of the text'),
    session: maybe('the recorded conversation that it belongs to'),
    others: flag('true if others than the owner read along: keeps personal memories out'),
    use: z.boolean().exactOptional(),
  }),
  answer: z.object({ text, tokens: number }),
});

const mostCharacters = 12_000;

const get = inWords(show, {
  help:
    'Reads one thing in full. Call it with an id or path from another answer. Gives a memory with its dates, tags and relations, or the text ' +
    'of a file. Of a long one it gives a part, and "next", the line to go on with.',
  input: z.strictObject({
    what: filled.describe('the id of a memory, or a path such as knowledge/people/ada.md'),
    line: z.int().min(1).exactOptional().describe('the line to begin with'),
  }),
  answer: z.object({
    path: text,
    text: text.optional(),
    next: number.optional(),
    id: text.optional(),
    content: text.optional(),
    category: text.optional(),
    status: text.optional(),
    due: text.optional(),
    created: text.optional(),
    tags: texts.optional(),
    entities: texts.optional(),
    from: texts.optional().describe('the turns it was taken from'),
    links: texts.optional().describe('related memories'),
  }),
  async run(verbContext, { what, line }) {
    if (eventId.test((what as string).trim())) return eventShown(await verbContext.view(), (what as string).trim());
    const shown = (await show.run(verbContext, { what: what as string })) as Shown;
    if ('text' in shown) return { ...shown, ...partOf(shown.text, (line as number | undefined) ?? 1) };
    if (!('createdAt' in shown)) return shown;
    const { id, createdAt, meta, sources = [], relations = [] } = shown;
    return {
      ...shown,
      ...contentOf(shown, line as number | undefined),
      created: new Date(createdAt * 1000).toISOString(),
      tags: meta.tags,
      from: sources.map(({ path, turn }) => (turn === undefined ? path : `${path}#${turn}`)),
      links: relations.map((relation) => relationRow(relation, id).join(' ')),
    };
  },
  text(output, style) {
    const { next } = output as { next?: number };
    const shown = show.text(output as Shown, style);
    return next === undefined ? shown : `${shown}\n… goes on at line ${next}`;
  },
});

type Shown = Awaited<ReturnType<typeof show.run>>;

async function eventShown(view: Questions, given: string): Promise<Record<string, unknown>> {
  const id = given.toUpperCase();
  const found = await eventNamed(view, id);
  if (found === undefined) {
    throw new MemoryError('NOT_FOUND', `no event has the id ${id}`, {
      where: 'what',
      hint: 'memory_status names the ids of open promises, and memory_search finds others',
    });
  }
  const { type, content, due, status, ts, path, memory, entity, supersededBy } = found;
  const further = Object.entries({ entity, status, due, memory, replaced: supersededBy }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}  ${value}`],
  );
  const lines = [`${id}  ${type}  ${ts}`, content, ...further];
  return { path, id, category: type, created: ts, text: lines.join('\n'), ...defined({ status, due }) };
}

/** A part of a memory that is too long for one answer; of its short form the beginning. */
function contentOf({ content, gist }: { content: string; gist: string | null }, first?: number) {
  if (content.length <= mostCharacters && first === undefined) return {};
  // One line may be all of it.
  const lines = content
    .split('\n')
    .flatMap((line) => line.match(/.{1,4000}(?=\s|$)\s?|.{1,4000}/gu) ?? [''])
    .join('\n');
  const { text: part, next } = partOf(lines, first ?? 1);
  return { content: part, ...defined({ next, gist: gist === null ? undefined : cut(gist, 200) }) };
}

/** The lines of a text from one on, as many as fit; `next` is the line after them. */
function partOf(whole: string, first: number): { text: string; next?: number } {
  const lines = whole.split('\n');
  if (first > lines.length) {
    throw new MemoryError('INVALID_ARGUMENT', `the text has ${count(lines.length, 'line')}`, {
      where: 'line',
      hint: 'Begin at an earlier one',
    });
  }
  let end = first - 1;
  let room = mostCharacters;
  do {
    room -= lines[end]!.length + 1;
    end += 1;
  } while (end < lines.length && lines[end]!.length < room);
  const part = cut(lines.slice(first - 1, end).join('\n'), mostCharacters);
  return { text: part, ...(end < lines.length ? { next: end + 1 } : {}) };
}

const listSome = inWords(list, {
  help:
    'Lists memories, strongest first. Call it for an overview: what was decided, what is known about somebody. Gives ids, shortened ' +
    'words, and how many more there are.',
  input: z.strictObject({
    category: text.exactOptional().describe('only this kind, as in memory_add'),
    tag: text.exactOptional().describe('only with it'),
    entity: text.exactOptional().describe('about this person or thing'),
    status: oneOf(['active', 'archived', 'superseded', 'promoted'], 'in this state'),
    weakest: flag('true: what fades, weakest first'),
    limit: z.int().min(1).max(100).exactOptional().describe('how many at most; 20 if left out'),
  }),
  answer: z.object({
    memories: z.array(
      z.object({ id: text, content: text, category: text.optional(), due: text.optional(), score: number }),
    ),
    more: number,
  }),
  async run(verbContext, { limit, weakest, ...filter }) {
    const all = await (await verbContext.view()).list(filter as ListFilter);
    const asked = all.memories.filter(({ status }) => filter.status !== undefined || status !== 'superseded');
    const ordered = weakest === true ? asked.toReversed() : asked;
    const memories = ordered.slice(0, (limit as number | undefined) ?? 20);
    const short = memories.map((memory) => ({ ...memory, content: cut(memory.content, 200) }));
    return { ...all, memories: short, more: ordered.length - memories.length };
  },
  text(output, style) {
    const { more, ...shown } = output as ListResult & { more: number };
    return withMore(list.text(shown, style).split('\n'), more).join('\n');
  },
});

const claimFields = {
  category: oneOf(memoryCategories, 'its kind'),
  subject: maybe('the person, project or thing it is about'),
  attribute: maybe('what of it, if that has one value at a time, as home: the old one ends'),
  validFrom: text.exactOptional().describe('the day it begins to hold, YYYY-MM-DD'),
  validUntil: text.exactOptional().describe('its last day'),
  due: text.exactOptional().describe('the day a promise is due'),
  tags: several('keywords'),
  entities: several('names in it'),
  source: text.exactOptional().describe('where from'),
  replaces: several('ids of memories that are outdated now'),
};
const claim = z.strictObject({ content: filled.exactOptional(), ...claimFields, ...answerFields });
const worded = z.object({ content: filled });
/** Things that are plain in themselves: every word of a schema costs each model that is offered the tool. */
const some = z.array(z.unknown()).optional();

/** Reads one claim of a model, which may be its words alone, and name the memories that it replaces with commas between them. */
function claimOf(input: unknown): AnsweredClaim {
  // Words are what they are: "null" is no absent field where it is the thought.
  const isWorded = isJsonObject(input) && input.content !== undefined;
  const given = asMeant(isWorded ? claim.extend({ content: filled }) : claim, input);
  const meant = typeof given === 'string' ? { content: given } : given;
  const read = parseInput({ name: 'memory_add', input: claim }, meant) as z.output<typeof claim>;
  if (read.content === undefined && read.says === undefined) parseInput({ name: 'memory_add', input: worded }, {});
  const { says, t, turns, quote, kind, standing, from, until, sure, changes, replaces, ...words } = read;
  const ids = replaces?.flatMap((said) => said.split(',').map((id) => id.trim()));
  const answer = defined({ says, t, turns, quote, kind, standing, from, until, sure, changes });
  return claimOfAnswer(answer, { ...words, ...defined({ replaces: ids }) });
}

const add = inWords(remember, {
  help:
    'Remembers facts, decisions, preferences, promises or corrections, in words that can be understood alone. Call it when you learn ' +
    'something worth knowing. Gives ids; says what was known, nearly the same, or ended.',
  input: z.strictObject({
    content: maybe('the thought, in a sentence or two'),
    ...claimFields,
    claims: z.array(z.unknown()).min(1).exactOptional().describe(`several, each with these fields; ${answerWords}`),
    session: maybe('its conversation'),
  }),
  answer: z.object({
    id: text.optional(),
    path: text.optional(),
    pending: z.boolean(),
    category: text.optional(),
    isDuplicate: z.boolean().optional(),
    near: some,
    closed: some,
    claims: some,
    session: text.optional(),
    redacted,
  }),
  async run(verbContext, { claims, session, ...one }) {
    if (
      (claims === undefined) === (one.content === undefined) ||
      (claims !== undefined && Object.keys(one).length > 0)
    ) {
      throw new MemoryError('INVALID_ARGUMENT', 'memory_add needs content, or claims with a content each', {
        where: 'content',
        hint: 'Give one of the two; other fields go next to their content',
      });
    }
    const memory = await verbContext.memory();
    const given = ((claims ?? [one]) as readonly unknown[]).map(claimOf);
    const results = await rememberAnswered(memory, given, session as string | undefined);
    const named = defined({ session: session ?? memory.origins.of().session });
    return claims === undefined ? { ...results[0]!, ...named } : { claims: results, pending: true, ...named };
  },
  text(output, style) {
    const { claims } = output as { claims?: readonly RememberResult[] };
    return (claims ?? [output as RememberResult]).map((one) => remember.text(one, style)).join('\n');
  },
});

const captureWords = inWords(capture, {
  help:
    'Records a conversation word for word, or a text such as a page or mail. Call it at the end of one that may matter later. What is ' +
    'recorded can be searched and never changes. Gives its path, and what was found in it.',
  input: z.strictObject({
    messages: z
      .array(
        z.strictObject({
          role: filled.describe('user, agent or system'),
          text,
          time: text.exactOptional().describe('ISO 8601'),
          speaker: text.exactOptional(),
        }),
      )
      .exactOptional()
      .describe('oldest first'),
    text: text.exactOptional().describe('a text, in place of messages'),
    topic: text.exactOptional().describe('its title'),
    trust: z.literal('low').exactOptional().describe("low for a stranger's words: a page, a mail, a feed"),
  }),
  answer: z.object({
    path: text,
    session: text,
    turns: number,
    commit: text.nullable(),
    redacted,
    found: some,
    changes: some,
  }),
  async run(verbContext, input) {
    if ((input.text === undefined) === (input.messages === undefined)) {
      throw new MemoryError('INVALID_ARGUMENT', 'memory_capture needs either messages or a text', {
        where: 'messages',
        hint: 'Give "messages", a list in which each has a role and a text, or one "text"',
      });
    }
    const memory = await verbContext.memory();
    const captured = (await capture.run(verbContext, input)) as CaptureResult;
    const proposals = await foundIn(memory, captured, input.trust === 'low');
    return { ...captured, ...changesAmong(proposals, captured.session) };
  },
  text(output, style) {
    const { found = [], changes = [] } = output as ReturnType<typeof changesAmong>;
    const lines = found.map(
      ({ id, content }) => `${id === undefined ? 'not kept yet' : `kept as ${id}`}: ${cut(content, 200)}`,
    );
    return [capture.text(output as CaptureResult, style), ...lines, ...describeChanges(changes)].join('\n');
  },
});

/** Reads messages as the interfaces of models write them: `content`, which is a text or a list of parts, in the place of `text`. */
function withTexts(given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (!Array.isArray(given.messages)) return given;
  const messages = given.messages.map((message: unknown) => {
    if (!isJsonObject(message) || (message.text ?? null) !== null || message.content === undefined) return message;
    const { content, text: _, ...rest } = message;
    const parts = Array.isArray(content) ? content.map((part: unknown) => Object(part).text) : [content];
    return { ...rest, text: parts.every((part) => typeof part === 'string') ? parts.join('\n') : content };
  });
  return { ...given, messages };
}

const eventWords = inWords(event, {
  help: 'Writes a dated entry into the ledger, which is kept for good. Call it to close a promise that was kept, and for what must be provable. Gives its id.',
  input: z.strictObject({
    content: filled.describe('what to note'),
    type: oneOf(eventTypes, 'commitment for a promise; if left out, fact, or what "closes" makes of it'),
    priority: oneOf(priorities, 'P0 must never be lost, P3 is put aside in a month; P2 if left out'),
    entity: maybe('the one it is about'),
    due: maybe('the day a promise is due, YYYY-MM-DD'),
    closes: maybe('the id of the promise that is kept now'),
    supersedes: maybe('the id of the entry that this one corrects'),
  }),
  answer: z.object({ id: text, commit: text.nullable(), redacted }),
  async run(verbContext, input) {
    const memory = await verbContext.memory();
    const ids = await Promise.all(
      (['closes', 'supersedes'] as const).map(async (name) => {
        const id = input[name] as string | undefined;
        return id === undefined ? {} : { [name]: await eventOf(memory, id, name) };
      }),
    );
    return memory.ledger.add(Object.assign({}, input, ...ids) as EventInput);
  },
});

const eventId = /^EVT-\d{8}-\d+$/i;

/** Gives the id of the event that is meant by its id, or by that of the memory that says the same. Throws NOT_FOUND. */
async function eventOf(memory: MemoryPart, given: string, where: string): Promise<string> {
  if (eventId.test(given)) return given.toUpperCase();
  const id = await memory.get(given).then(
    (record) => record.id,
    () => given,
  );
  const { events } = await memory.ledger.list();
  const { loops } = await memory.ledger.loops();
  const found = [...loops, ...events.toReversed()].find((one) => one.memory === id);
  if (found !== undefined) return found.id;
  throw new MemoryError('NOT_FOUND', `${cut(given, 60)} is no event, and no event belongs to a memory of that id`, {
    where,
    hint: 'Ids of events are such as EVT-20260128-001; memory_status names those of open promises',
  });
}

const forgetOne = inWords(forget, {
  help: 'Forgets a memory: one the user asks for, or never true. A new wording is memory_add with "replaces". Gives its id, and others said with it.',
  input: z.strictObject({ id: filled.describe('the id of the memory, or its first characters') }),
  answer: z.object({ id: text, pending: z.boolean(), others: some }),
});

const undoWords = inWords(undo, {
  help:
    'Takes back a commit, or all that one conversation brought, by a new commit. Call it after a mistake. Where later changes prevent it, ' +
    'nothing is changed and their paths are named. Gives what was taken back.',
  input: z.strictObject({
    revision: maybe('the commit, as other answers name it, or HEAD for the last one'),
    session: maybe('the conversation, in place of a commit'),
    paths: several('only the changes to these files'),
  }),
  answer: z.object({ undone: texts, subjects: texts, commit: text.nullable(), conflicts: texts, derived: texts }),
});

const statusWords = inWords(status, {
  help:
    'Sums up the memory. Call it to see how much is known, which promises are open and whether anything needs a person. Gives counts and the ' +
    'first few of each.',
  input: z.strictObject({}),
  answer: summary,
  run: async (verbContext) => summaryOf(await verbContext.memory()),
  text: (output, style) => describeSummary(output as Summary, style),
});

/** What an agent needs every day. */
export const everyday: readonly ToolEntry[] = [
  { name: 'memory_search', title: 'Search the memory', ...search, kind: 'ask' },
  { name: 'memory_about', title: 'What is known of code', ...aboutCode, kind: 'ask' },
  {
    name: 'memory_context',
    title: 'What to know for a message',
    ...contextFor,
    kind: 'add',
    fixed: { use: true },
    forReaders: {},
    without: ['use'],
  },
  { name: 'memory_get', title: 'Read one thing in full', ...get, kind: 'ask' },
  { name: 'memory_list', title: 'List memories', ...listSome, kind: 'ask' },
  { name: 'memory_add', title: 'Remember something', ...add, kind: 'add', asWritten: { content: 'claims' } },
  {
    name: 'memory_capture',
    title: 'Record a conversation',
    ...captureWords,
    kind: 'add',
    asWritten: { text: 'messages' },
    reads: withTexts,
  },
  { name: 'memory_event', title: 'Write into the ledger', ...eventWords, kind: 'add' },
  { name: 'memory_forget', title: 'Forget a memory', ...forgetOne, kind: 'change' },
  { name: 'memory_undo', title: 'Take something back', ...undoWords, kind: 'change' },
  { name: 'memory_status', title: 'Sum up the memory', ...statusWords, kind: 'ask' },
];
