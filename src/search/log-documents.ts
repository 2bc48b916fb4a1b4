// Documents of what is kept in a form of its own beside plain markdown: events of the ledger and the changelog, memory boxes.

import { parseBox } from '../store/records/box-file.ts';
import { readHeading } from '../store/records/changelog-heading.ts';
import { parseItem, placeOfItem, textsOfItem } from '../store/records/store-item.ts';
import { chunksOf } from './chunks.ts';
import type { Draft, ReadDocument } from './search-document.ts';

/** Reads a date of front matter or JSON, in milliseconds; undefined for what is none. */
export function timeOf(value: unknown): number | undefined {
  const time = value instanceof Date ? value.getTime() : typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** Keeps what is text of a list. */
export function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

//                    ### evt-NNN | YYYY-MM-DD HH:MM | agent | type
const eventHeading = /^(evt-\d+)\s*\|\s*(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d))?[^|]*\|\s*([^|]+?)\s*\|\s*(\w+)\s*$/i;
const eventTags = /^\*\*Tags\*\*:\s*(.+)$/im;

/** Reads what the heading and the tags of a changelog event say (spec 2, event format); times are UTC. */
export function eventFacts(heading: string, body: string): Partial<ReadDocument> {
  // What is bent and clear is read as the changelog reads it; of types that it does not know, the words are taken.
  const read = readHeading(`### ${heading}`).heading;
  const [, id, day, clock = '00:00', agent, type] =
    read === undefined
      ? (eventHeading.exec(heading) ?? [])
      : ['', read.id, ...read.time.split(' '), read.agent, read.type];
  if (id === undefined) return {};
  const tags = (eventTags.exec(body)?.[1] ?? '').split(',').map((tag) => tag.trim());
  const time = timeOf(`${day}T${clock}:00Z`);
  return {
    id: id.toLowerCase(),
    tags: [type!.toLowerCase(), ...tags.filter((tag) => tag !== '')],
    ...(agent === '' ? {} : { entities: [agent!] }),
    ...(time === undefined ? {} : { time }),
  };
}

/** Gives each event of a ledger segment a document of its own; lines that are no events are left out. */
export function eventsOf(path: string, text: string): Draft[] {
  return text.split('\n').flatMap((line, at): Draft[] => {
    let event: unknown;
    try {
      event = JSON.parse(line);
    } catch {
      return [];
    }
    if (typeof event !== 'object' || event === null || !('content' in event) || typeof event.content !== 'string')
      return [];
    const { ts, id, type, priority, entity, tags, session, source, memory } = event as Readonly<
      Record<string, unknown>
    >;
    const time = timeOf(ts);
    return [
      {
        ...(typeof type === 'string' ? { beside: type } : {}),
        document: {
          path,
          category: 'ledger',
          line: at + 1,
          text: event.content,
          ...(typeof type === 'string' ? { title: type } : {}),
          ...(typeof entity === 'string' ? { entities: [entity] } : {}),
          tags: [...(typeof priority === 'string' ? [priority] : []), ...stringsOf(tags)],
          ...(typeof id === 'string' ? { id } : {}),
          ...(typeof session === 'string' ? { session } : {}),
          ...(time === undefined ? {} : { time }),
          ...(typeof memory === 'string'
            ? { tells: { memory, ...(typeof source === 'string' && /#\d+$/.test(source) ? { source } : {}) } }
            : {}),
        },
      },
    ];
  });
}

/**
 * Gives a box one document, a long one several: what its memories say, under its topics.
 *
 * The ids and places of the memories are left out: they are no words, and the memories are found themselves. Throws INVALID_RECORD.
 */
export function boxesOf(path: string, text: string): Draft[] {
  const { id, started, topics, memories, notes } = parseBox(text, path);
  const said = memories.map(({ words }) => words).join('\n\n');
  return chunksOf(`${said}\n\n${notes}`).map((chunk, at) => ({
    ...(at === 0 ? { called: topics.join(', ') } : {}),
    document: {
      isPassage: true as const,
      path,
      category: 'box',
      line: 1,
      text: chunk.text,
      title: topics.join(', '),
      tags: topics,
      id,
      time: started,
    },
  }));
}

/** Gives an item of a store one document, under its namespace and key. Throws INVALID_RECORD. */
export function itemOf(path: string, text: string): Draft[] {
  const item = parseItem(text, path);
  const words = textsOfItem(item).join('\n');
  const place = placeOfItem(path);
  if (words.trim() === '' || place === null) return [];
  const title = [...place.namespace, place.key].join(' ');
  return [{ called: title, document: { path, category: 'item', line: 1, text: words, title, time: item.updatedAt } }];
}
