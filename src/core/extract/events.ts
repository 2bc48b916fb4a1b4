// What an extracted memory is as an event of the ledger. Which of them get one, and their ids, is core/extract/extracted-events.ts.

import { defined } from '../../base/errors.ts';
import * as words from '../../base/generated/words.ts';
import { type EventType, type Priority, priorities } from '../../base/types/ledger-types.ts';
import type { MemoryCategory, MemoryRecord, Transcript } from '../../base/types/stored-types.ts';
import { anyOf, listed, oneOf, openingOf } from '../../base/words.ts';
import { saysWhen, sentencesOf } from '../../language/index.ts';
import { waitingTag } from '../../logs/index.ts';
import { wordsOfClaim } from '../../store/claims/claim.ts';
import { type EventDraft, snakeCase } from '../../store/records/new-event.ts';
import { certaintyOf, sureFrom } from './importance.ts';
import { namesIn } from './names.ts';
import { namesOfTalk } from './subjects.ts';

/** The ledger also gets what is decided, promised, preferred or demanded; a standing rule is a constraint there. */
const types: Readonly<Partial<Record<MemoryCategory, EventType>>> = {
  decision: 'decision',
  commitment: 'commitment',
  preference: 'preference',
  principle: 'constraint',
};

/** Gives the type of event that a memory becomes; undefined for one of another category, or whose category is a guess of rules. */
export function eventTypeOf(
  record: Pick<MemoryRecord, 'category' | 'confidence' | 'statement' | 'attribute'>,
): EventType | undefined {
  return record.category === undefined || certaintyOf(record) < sureFrom ? undefined : types[record.category];
}

/** From this importance on an event is `P1` without anybody saying so. */
const importantFrom = 0.7;

/**
 * Gives the priority of a memory as an event: the one that stands among its tags, as somebody gave it. Else it is `P1` for an important
 * memory, and `P2` for any other. Nothing is for ever (`P0`) or for a month (`P3`) unless somebody said so.
 */
function priorityOf({ meta, importance = 0 }: MemoryRecord): Priority {
  const said = priorities.find((priority) => meta.tags.includes(priority));
  return said ?? (importance >= importantFrom ? 'P1' : 'P2');
}

const noTurns: Transcript['turns'] = [];

const isPriority = (tag: string): boolean => (priorities as readonly string[]).includes(tag);

const opening = openingOf(`${words.greetings}, ${words.goingOn}, ${words.titles}`, words.answers);
const [selves, recipients] = [anyOf(words.selves), anyOf(words.recipients)];
const will = new RegExp(`^(?:['’]ll\\b|(?:['’]s)?\\s+${oneOf(listed(words.future))}\\b)`, 'i');

/**
 * Names who promises in a quote, where that is somebody else than who says it: its last sentence begins with a name. A word that only begins
 * sentences is taken for one where it will do something for the speaker. Undefined where that is unclear.
 */
function promiserOf({ content, statement, subject }: MemoryRecord, turns: Transcript['turns']): string | undefined {
  const said = (statement === undefined ? sentencesOf(content).at(-1) : undefined)?.replace(opening, '') ?? '';
  const name = namesIn(said, () => true)[0] ?? '';
  const does = said.slice(name.length);
  if (name === '' || name === subject || !said.startsWith(name) || selves.test(said) || saysWhen(name))
    return undefined;
  // "Priya, send it by Friday" speaks to her.
  if (/^\s*[,:]/.test(does)) return undefined;
  const isForSpeaker = recipients.test(does) && (will.test(does) || name.includes(' '));
  return isForSpeaker || namesIn(said, namesOfTalk(turns)).includes(name) ? name : undefined;
}

/** Drafts the event that says what a memory says, from the turn that it was taken from, or by whom and where it was remembered. */
export function draftExtractedEvent(
  record: MemoryRecord,
  type: EventType,
  { sessionId, agent, turns = noTurns }: Partial<Pick<Transcript, 'sessionId' | 'agent' | 'turns'>>,
): EventDraft {
  const { id, meta, entities, subject, due, sources: [source] = [] } = record;
  const promiser = type === 'commitment' ? promiserOf(record, turns) : undefined;
  const marks = [...meta.tags, ...(promiser === undefined ? [] : [waitingTag])];
  const tags = [...new Set(marks)].filter((tag) => !isPriority(tag));
  // "The user" is nobody's name.
  const entity = [promiser ?? '', ...entities, subject ?? ''].find(
    (name) => name.trim() !== '' && !/^the (?:user|assistant)\b/i.test(name),
  );
  const place = source?.turn === undefined ? source?.path : `${source.path}#${source.turn}`;
  return {
    type,
    priority: priorityOf(record),
    content: wordsOfClaim(record),
    ...(entity === undefined ? {} : { entity: snakeCase(entity) }),
    ...(tags.length === 0 ? {} : { tags }),
    source: place ?? (meta.source?.trim() || 'live'),
    ...defined({ session: sessionId, status: type === 'commitment' ? ('open' as const) : undefined, agent, due }),
    memory: id,
  };
}
