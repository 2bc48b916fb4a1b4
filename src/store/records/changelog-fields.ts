// The lines below the heading of one event of the changelog: scope, summary, details, refs and tags.

import type { ChangelogEvent } from '../../base/types/changelog-types.ts';
import type { LogNote } from './log.ts';
import { formatSequenceId } from './sequence-id.ts';

interface EventFields extends Pick<ChangelogEvent, FieldName> {
  /** How many of the lines belong to the event. */
  readonly length: number;
}

const names = ['scope', 'summary', 'details', 'refs', 'tags'] as const;
type FieldName = (typeof names)[number];

const exactField = /^\*\*(Scope|Summary|Details|Refs|Tags)\*\*:(?: (\S.*))?$/;
const bentField =
  /^\s*([-*+]\s+)?(\*\*|__)?(scope|summary|details?|refs?|references?|tags?)\s*(?:\*\*|__)?\s*:\s*(?:\*\*|__)?\s*(.*)$/i;
const exactItem = /^- ([^:*`\s](?:[^:*`]*[^:*`\s])?):(?: (\S.*))?$/;
const bentItem = /^(\s*)(?:[-*+•]|\d+[.)])\s+(.*)$/;
const rule = /^\s*(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const comment = /^\s*<!--.*-->\s*$/;
const exactRefs = /^evt-\d{3,9}(?:, evt-\d{3,9})*$/;
const exactTags = /^(?!(?:none|nil|null)$)[a-z][a-z0-9-]*(?:, [a-z][a-z0-9-]*)*$/;
const nothing = /^(?:none|n\/a|nil|null|-|–|—)?\.?$/i;

/** Tells whether a note of an event says that a field which every event has is missing. */
export const isOfMissing = ({ why }: Pick<LogNote, 'why'>): boolean => /^the event has no (?:scope|summary)$/.test(why);

/**
 * Reads the fields of an event off the lines below its heading; `line` is the number of the first. Adds to `notes` what is bent.
 *
 * A second scope or summary is that of another event, whose heading is lost: what begins there is left. So is what follows refs or
 * tags and is no field.
 */
export function readFields(lines: readonly string[], line: number, notes: LogNote[]): EventFields {
  const reader = new FieldReader(notes);
  let length = 0;
  for (const [at, raw] of lines.entries()) {
    const text = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    if (text.trim() === '') {
      reader.blank();
      continue;
    }
    if (!reader.take(text, line + at)) break;
    length = at + 1;
  }
  return { ...reader.finished(line - 1), length };
}

class FieldReader {
  private readonly notes: LogNote[];
  private readonly values = new Map<FieldName, string>();
  private readonly details: { key: string; value: string }[] = [];
  private refs: readonly string[] = [];
  private tags: readonly string[] = [];
  private current: FieldName | null = null;
  private isAfterBlank = false;
  /** How far the items of the details are indented. */
  private indent = 0;

  constructor(notes: LogNote[]) {
    this.notes = notes;
  }

  blank(): void {
    this.isAfterBlank = true;
  }

  /** Takes a line in; false where the event is over before it. */
  take(text: string, line: number): boolean {
    const isAdjacent = !this.isAfterBlank;
    this.isAfterBlank = false;
    const exact = text.startsWith('**') ? exactField.exec(text) : null;
    if (exact !== null) return this.takeField(exact[1]!.toLowerCase() as FieldName, (exact[2] ?? '').trim(), line);
    if (this.current === 'details' && this.takeItem(text, line)) return true;
    const bent = bentField.exec(text);
    if (bent !== null) {
      const name = fieldOf(bent[3]!);
      if (this.values.has(name)) return name !== 'scope' && name !== 'summary' && this.refuse(line);
      this.note(line, `"${bent[3]}" is read as **${name[0]!.toUpperCase()}${name.slice(1)}**`);
      return this.takeField(name, bent[4]!.replace(/(?:\*\*|__)$/, '').trim(), line);
    }
    if (rule.test(text)) return false;
    if (comment.test(text)) return !this.isEnding;
    if ((this.current === 'scope' || this.current === 'summary') && isAdjacent && !bentItem.test(text)) {
      this.values.set(this.current, `${this.values.get(this.current)} ${text.trim()}`.trim());
      this.note(line, `the ${this.current} goes on here, and has one line`);
      return true;
    }
    return this.refuse(line);
  }

  finished(heading: number): Omit<EventFields, 'length'> {
    for (const name of ['scope', 'summary'] as const) {
      if ((this.values.get(name) ?? '') === '') this.note(heading, `the event has no ${name}`);
    }
    if (!this.values.has('refs')) this.note(heading, 'the event has no refs; "none" says that there are none');
    const { details, refs, tags } = this;
    return { scope: this.values.get('scope') ?? '', summary: this.values.get('summary') ?? '', details, refs, tags };
  }

  private get isEnding(): boolean {
    return this.current === 'refs' || this.current === 'tags';
  }

  private takeField(name: FieldName, value: string, line: number): boolean {
    if (this.values.has(name)) return name !== 'scope' && name !== 'summary' && this.refuse(line);
    this.values.set(name, value);
    this.current = name;
    if (name === 'refs') this.refs = this.readRefs(value, line);
    else if (name === 'tags') this.tags = this.readTags(value);
    else if (name === 'details' && !nothing.test(value)) {
      this.note(line, 'a detail stands beside **Details**, and has a line of its own');
      this.details.push(detailOf(value));
    }
    return true;
  }

  private takeItem(text: string, line: number): boolean {
    const [, key, value = ''] = exactItem.exec(text) ?? [];
    if (key !== undefined) {
      this.details.push({ key, value: value.trim() });
      this.indent = 0;
      return true;
    }
    const item = bentItem.exec(text);
    const indent = text.length - text.trimStart().length;
    const isBelow = indent >= this.indent + 2 && this.details.length > 0;
    if (item !== null && /^(?:\*\*|__)(?:refs?|references?|tags?)\b/i.test(item[2]!)) return false;
    if (isBelow) {
      const last = this.details[this.details.length - 1]!;
      const more = (item?.[2] ?? text).trim();
      last.value = last.value === '' ? more : `${last.value}${item === null ? ' ' : '; '}${more}`;
      this.note(line, `the detail ${last.key === '' ? '' : `${last.key} `}goes on here, and has one line`);
      return true;
    }
    if (item === null) return false;
    const detail = detailOf(item[2]!);
    this.details.push(detail);
    this.indent = indent;
    this.note(line, detail.key === '' ? 'the detail has no key' : `the detail is read as "- ${detail.key}: …"`);
    return true;
  }

  /** What is no field stays in the text of an event that goes on, and ends one whose last fields have come. */
  private refuse(line: number): boolean {
    if (this.isEnding) return false;
    this.note(line, 'it is no field of an event');
    return true;
  }

  private readRefs(value: string, line: number): string[] {
    // Nearly all are in our own form.
    if (exactRefs.test(value)) return [...new Set(value.split(', '))];
    if (nothing.test(value)) return [];
    const ids = [...value.matchAll(/(?<![\w-])evt[-_ ]?(\d{1,9})(?!\w)/gi)].map(([, digits]) =>
      formatSequenceId({ series: 'evt', number: Number(digits) }),
    );
    const refs = [...new Set(ids)];
    if (value.trim() !== refs.join(', '))
      this.note(line, refs.length === 0 ? 'the refs name no event' : `the refs are read as ${refs.join(', ')}`);
    return refs;
  }

  private readTags(value: string): string[] {
    if (exactTags.test(value)) return [...new Set(value.split(', '))];
    if (nothing.test(value)) return [];
    const tags = value.split(',').map((tag) => tag.trim().replace(/^[#`]+|`+$/g, ''));
    return [...new Set(tags.filter((tag) => tag !== ''))];
  }

  private note(line: number, why: string): void {
    this.notes.push({ line, why });
  }
}

function fieldOf(word: string): FieldName {
  const lower = word.toLowerCase();
  return names.find((name) => name.slice(0, 3) === lower.slice(0, 3))!;
}

/** Cuts `key: value`, whatever marks the key. */
function detailOf(text: string): { key: string; value: string } {
  const [, key, value] = /^[*_`]*([^:*`\n]{1,64}?)[*_`]*\s*:\s*[*_`]*\s*(.*)$/.exec(text.trim()) ?? [];
  return key === undefined || key.trim() === '' || /^https?$/i.test(key)
    ? { key: '', value: text.trim() }
    : { key: key.trim(), value: value!.trim() };
}
