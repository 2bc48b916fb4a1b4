// From the ledger to knowledge files (spec 3, "update knowledge base"). What came since the last time becomes lines about entities, files
// of procedures, rules and insights. What was superseded gives way to what holds. Lines of people are never touched.

import { count } from '../../base/count.ts';
import { MemoryError } from '../../base/errors.ts';
import { normaliseForHash, slugOf } from '../../base/text.ts';
import { dayOf, formatTime } from '../../base/time.ts';
import type { MemoryRecord } from '../../base/types/stored-types.ts';
import { activeEvents, growthSince, namedBy, openLoopsOf, retracted, type StoredEvent } from '../../logs/index.ts';
import { wordsOfClaim } from '../../store/claims/claim.ts';
import { checkMemoryPath } from '../../store/guard/path.ts';
import { appendItem, noteChange, withLastUpdated } from '../../store/records/knowledge-edit.ts';
import {
  isSaidBy,
  lineSaying,
  memoriesOfLine,
  memoryMark,
  saidBy,
  sourcesOfLine,
  withLine,
  withVerified,
} from '../../store/records/knowledge-marks.ts';
import { entityFile, insightFile, principleFile, procedureFile } from '../../store/records/knowledge-templates.ts';
import { checkpointIn, checkpointPath, formatCheckpoint } from '../../store/records/ledger-files.ts';
import { type LinkTargets, linkTargetsOf, withLinks } from '../../store/records/note-links.ts';
import { entityFilesIn, entityFolders, entityKey, nameKeysOf } from './entity-files.ts';
import type { Pass, PassItem, PassView } from './pass.ts';
import { leadOf, speakersIn } from './quoted.ts';
import { changedFile } from './record-changes.ts';

/** Where a kind of event is in the file of its entity, and whether it says on which day. */
const places: Readonly<
  Record<string, { readonly heading: string; readonly isDated: boolean; readonly ages: boolean }>
> = {
  fact: { heading: 'Key Facts', isDated: false, ages: true },
  relationship: { heading: 'Relationships', isDated: false, ages: false },
  commitment: { heading: 'Active Context', isDated: false, ages: true },
  decision: { heading: 'History', isDated: true, ages: false },
  preference: { heading: 'Preferences', isDated: false, ages: false },
  constraint: { heading: 'Principles', isDated: false, ages: false },
  procedure: { heading: 'Procedures', isDated: false, ages: false },
};

/**
 * Plans to bring knowledge files in step with what the ledger says, from the commit on that they were in step with last.
 *
 * An event about an entity is a line of that entity's file, which is made when it is new. Procedures, rules (constraints and preferences of
 * P0 and P1 about nobody) and facts with the tag `insight` are files of their own. What is of P3 is over soon and left out. A superseded
 * line is replaced, and the file notes at its bottom what changed and why. A line that somebody has worded anew since stays and is named.
 */
export const ledgerKnowledge: Pass<void> = {
  name: 'knowledge',
  plan(view) {
    const { snapshot } = view;
    const all = view.ledgers.ledgerOf(snapshot).events;
    const fresh = freshEvents(view, all);
    if (fresh.length === 0) return { items: [], left: [] };
    const edits = new KnowledgeEdits(view, all);
    const holds = new Set(activeEvents(all).map(({ id }) => id));
    for (const event of fresh) {
      try {
        edits.take(event, holds.has(event.id));
      } catch (error) {
        if (!(error instanceof MemoryError)) throw error;
        edits.left.push({ id: event.id, why: error.what });
      }
    }
    const items = edits.items();
    if (items.length === 0) return { items, left: edits.left };
    // With what it says, the checkpoint says how far it came.
    return { items: [...items, ...checkpointed(view)], left: edits.left };
  },
  describe(items) {
    const files = items.filter(({ action }) => action !== 'note').length;
    return { subject: `${count(files, 'knowledge file follows', 'knowledge files follow')} the ledger` };
  },
};

/** The events since knowledge was in step; all of them where that is unknown. */
function freshEvents({ snapshot, earlier }: PassView, all: readonly StoredEvent[]): readonly StoredEvent[] {
  const commit = checkpointIn((path) => snapshot.readText(path))?.knowledge;
  const before = commit === undefined ? null : earlier(commit);
  return (before === null ? null : growthSince(before, snapshot)) ?? all;
}

function checkpointed({ snapshot, now }: PassView): PassItem[] {
  const present = checkpointIn((path) => snapshot.readText(path));
  if (snapshot.commit === null) return [];
  // Before the ledger was looked at, nothing of it has been processed.
  const none = { lastProcessedEventId: null, lastRunTs: formatTime(now), eventsProcessed: 0, commit: null };
  const text = formatCheckpoint({ ...(present ?? none), knowledge: snapshot.commit });
  const changes = [changedFile(snapshot, checkpointPath, text)];
  return [{ action: 'note', ids: [], why: 'how far knowledge follows the ledger', changes }];
}

interface Edit {
  readonly path: string;
  readonly before: string | null;
  text: string;
  readonly events: string[];
}

class KnowledgeEdits {
  readonly left: { id: string; why: string }[] = [];
  private readonly view: PassView;
  private readonly byId: ReadonlyMap<string, StoredEvent>;
  private readonly open: ReadonlySet<string>;
  private readonly edits = new Map<string, Edit>();
  private readonly files: Map<string, string>;
  private readonly keyOf: typeof entityKey;
  private readonly targets: LinkTargets;
  private readonly records: ReadonlyMap<string, MemoryRecord>;
  private readonly speakerOf: ReturnType<typeof speakersIn>;

  constructor(view: PassView, all: readonly StoredEvent[]) {
    const { snapshot, configuration } = view;
    this.view = view;
    this.byId = new Map(all.map((event) => [event.id, event]));
    this.records = new Map(view.memories.map(({ record }) => [record.id, record]));
    this.speakerOf = speakersIn(snapshot, configuration);
    this.open = new Set(openLoopsOf(all).map(({ event }) => event.id));
    const paths = [...snapshot.list('knowledge/').keys()];
    this.targets = configuration.knowledge.links ? linkTargetsOf(paths) : new Map();
    this.files = new Map();
    this.keyOf = nameKeysOf(view);
    // A person with a file among people is described there.
    for (const folder of entityFolders) {
      for (const { path, name, aliases } of entityFilesIn(snapshot, folder)) {
        const stem = path.slice(folder.length, -'.md'.length);
        for (const one of [name, ...aliases, stem]) this.files.set(entityKey(one), path);
      }
    }
  }

  items(): PassItem[] {
    return [...this.edits.values()]
      .filter(({ text, before }) => text !== before)
      .sort((a, b) => (a.path < b.path ? -1 : 1))
      .map(({ path, before, text, events }) => ({
        action: before === null ? 'create' : 'update',
        ids: [],
        why: `${path}: ${[...new Set(events)].join(', ')}`,
        changes: [changedFile(this.view.snapshot, path, text)],
      }));
  }

  /** Lets an event change the file it belongs to; `holds` says that no later one took its place. */
  take(event: StoredEvent, holds: boolean): void {
    const { supersedes } = event.value;
    const old = supersedes === undefined ? undefined : this.byId.get(supersedes);
    const isPlaced = old !== undefined && this.replace(old, holds ? event : null, event);
    if (event.value.status === 'closed') this.close(event);
    else if (holds && !isPlaced && (event.value.type !== 'commitment' || this.open.has(event.id))) this.add(event);
  }

  private dayOf(event: StoredEvent): string {
    return dayOf(event.time, this.view.configuration.timezone);
  }

  private add(event: StoredEvent): void {
    const { type, priority, content, entity, memory, tags = [] } = event.value;
    if (priority === 'P3' || tags.includes(retracted) || event.value.compacts !== undefined) return;
    const day = this.dayOf(event);
    const source = event.id;
    if (tags.includes('insight') && type === 'fact') {
      this.addFile('insights', event, () => insightFile({ words: content, day, source, memory }));
    } else if (type === 'procedure' && entity === undefined) {
      const { title, when, steps } = procedureIn(content);
      this.addFile('procedures', event, () => procedureFile({ title, day, source, memory, when, steps }), title);
    } else if (entity === undefined) {
      const isRule = (type === 'constraint' || type === 'preference') && (priority === 'P0' || priority === 'P1');
      const rule = () => principleFile({ rule: content, priority, day, source, memory });
      if (isRule) this.addFile('principles', event, rule);
    } else this.addLine(event, entity);
  }

  /** A file of its own, unless one of that name is there: then the words are a note in it. */
  private addFile(folder: string, event: StoredEvent, make: () => string, title = event.value.content): void {
    const path = checkMemoryPath(`knowledge/${folder}/${slugOf(title)}.md`);
    const edit = this.edit(path, make);
    edit.events.push(event.id);
    const known = normaliseForHash(edit.text);
    if (sourcesOfFile(edit.text).has(event.id) || known.includes(normaliseForHash(event.value.content))) return;
    const note = `- ${this.words(event, path)} [source: ${event.id}]${memoryMark(event.value.memory)}`;
    this.write(edit, appendItem(edit.text, ['## Notes'], note), event);
  }

  private addLine(event: StoredEvent, entity: string): void {
    const path = this.pathOf(entity);
    const edit = this.fileOf(entity, event);
    const { heading, ages } = places[event.value.type]!;
    const { memory } = event.value;
    const named = edit.text
      .split('\n')
      .findIndex((line) => memory !== undefined && memoriesOfLine(line).includes(memory));
    const place = named >= 0 ? named : lineSaying(edit.text, this.saying(event));
    if (place !== undefined) {
      // It stands there, by whomever: the ledger says once more that it is so.
      const verified = withLine(edit.text, place, (line) => withVerified(line, this.dayOf(event)));
      if (ages) this.write(edit, verified, event);
      return;
    }
    this.write(edit, appendItem(edit.text, [`## ${heading}`], this.lineOf(event, path)), event);
  }

  private fileOf(entity: string, event: StoredEvent): Edit {
    const day = this.dayOf(event);
    return this.edit(this.pathOf(entity), () => entityFile({ name: nameOf(entity), type: 'entity', day }));
  }

  /** Lets a line give way to what holds now, or go; one that somebody has worded anew stays. Tells whether the new one has its place. */
  private replace(old: StoredEvent, by: StoredEvent | null, event: StoredEvent): boolean {
    if (old.value.entity === undefined) return false;
    const path = this.pathOf(old.value.entity);
    const edit = this.present(path);
    if (edit === undefined) return false;
    const lines = edit.text.split('\n');
    const at = lines.findIndex((line) => sourcesOfLine(line).includes(old.id));
    if (at < 0) return false;
    const saying = saidBy(lines[at]!.replace(/^[ \t]*[-*+] +/, ''));
    const sayings = [old.value.content, this.saying(old), ...(by === null ? [] : [this.saying(by)])];
    if (!sayings.some((one) => isSaidBy(saying, one))) {
      const why = `${path}:${at + 1} was worded anew by hand and stays, though ${event.id} supersedes it`;
      this.left.push({ id: event.id, why });
      return false;
    }
    const isTakenBack = by === null || by.value.tags?.includes(retracted) === true;
    const moves = by !== null && (by.value.entity !== old.value.entity || by.value.type !== old.value.type);
    if (isTakenBack || moves) lines.splice(at, 1);
    else lines[at] = this.lineOf(by, path);
    const became = isTakenBack ? 'taken out, it does not hold any more' : `now "${this.words(by, path)}"`;
    // No mark of a source: that is for the line itself.
    const owners = new Set([old.value.memory, isTakenBack ? undefined : by.value.memory]);
    const marks = [...owners].map(memoryMark).join('');
    const note = `${this.dayOf(event)}: "${saying}" is ${became} (${event.id})${marks}`;
    this.write(edit, noteChange(lines.join('\n'), note), event);
    return !isTakenBack && !moves;
  }

  /** A commitment that is kept leaves the active context and is history. */
  private close(event: StoredEvent): void {
    for (const id of namedBy(event.value)) {
      const opener = this.byId.get(id);
      if (opener?.value.type !== 'commitment' || opener.value.entity === undefined) continue;
      const path = this.pathOf(opener.value.entity);
      const edit = this.fileOf(opener.value.entity, event);
      const lines = edit.text.split('\n');
      if (sourcesOfFile(edit.text).has(event.id)) continue;
      const at = lines.findIndex((line) => sourcesOfLine(line).includes(id));
      if (at >= 0) lines.splice(at, 1);
      const told = `- ${this.dayOf(event)}: ${this.words(opener, path)} — ${this.words(event, path)} [source: ${event.id}]${memoryMark(opener.value.memory)}`;
      this.write(edit, appendItem(lines.join('\n'), ['## History'], told), event);
    }
  }

  private lineOf(event: StoredEvent, path: string): string {
    const { type, due, memory } = event.value;
    const { isDated, ages } = places[type]!;
    const day = this.dayOf(event);
    const by = due === undefined ? '' : ` (due ${due})`;
    const marks = ` [source: ${event.id}]${ages ? ` [verified: ${day}]` : ''}${memoryMark(memory)}`;
    // Words that are somebody's own stand as such, as on any page.
    const record = memory === undefined ? undefined : this.records.get(memory);
    const speaker = record?.content === event.value.content ? this.speakerOf(record) : undefined;
    const lead = isDated || speaker !== undefined ? leadOf(day, speaker) : '';
    return `- ${lead}${this.words(event, path)}${by}${marks}`;
  }

  /** One line; nobody's words may name a source. */
  private words(event: StoredEvent, path: string): string {
    const plain = this.saying(event)
      .replace(/\s+/g, ' ')
      .replace(/\[(?=(?:source|verified|due|memory):)/gi, '(');
    return withLinks(plain.trim(), this.targets, path);
  }

  /** What an event says, as the statement of its memory where it has its words. */
  private saying({ value: { content, memory } }: StoredEvent): string {
    const record = memory === undefined ? undefined : this.records.get(memory);
    return record?.content === content ? wordsOfClaim(record) : content;
  }

  private pathOf(entity: string): string {
    const name = entity.replaceAll('_', ' ');
    const known = this.files.get(entityKey(name)) ?? this.files.get(this.keyOf(name));
    if (known !== undefined) return known;
    const slug = slugOf(entity, 80);
    const path = checkMemoryPath(`knowledge/entities/${slug === 'untitled' ? entity.replaceAll('_', '-') : slug}.md`);
    this.files.set(entityKey(name), path);
    return path;
  }

  /** The file as it is and becomes; undefined for one that is not there. */
  private present(path: string): Edit | undefined {
    const known = this.edits.get(path);
    if (known !== undefined) return known;
    const before = this.view.snapshot.readText(path);
    return before === null ? undefined : this.keep({ path, before, text: before, events: [] });
  }

  private edit(path: string, make: () => string): Edit {
    return this.present(path) ?? this.keep({ path, before: null, text: make(), events: [] });
  }

  private keep(edit: Edit): Edit {
    this.edits.set(edit.path, edit);
    return edit;
  }

  private write(edit: Edit, text: string, event: StoredEvent): void {
    if (text === edit.text) return;
    edit.text = withLastUpdated(text, this.dayOf(event));
    edit.events.push(event.id);
  }
}

const sourcesOfFile = (text: string): Set<string> =>
  new Set([...text.matchAll(/(?:\[source: |^source: )([^\]\n]+)/gm)].map(([, source]) => source!.trim()));

/** `client_x` is `Client X`. */
function nameOf(entity: string): string {
  return entity
    .replace(/(^|_)(\p{L})/gu, (_, gap: string, letter: string) => (gap === '' ? '' : ' ') + letter.toUpperCase())
    .replaceAll('_', ' ');
}

/** `WhatsApp: draft in Telegram, then copy` has a name, and maybe steps. */
function procedureIn(content: string): { title: string; when: string; steps: string[] } {
  const [, name, rest] = /^([^:.]{3,60}): +(.+)$/s.exec(content) ?? [];
  const body = rest ?? content;
  const numbered = [...body.matchAll(/(?:^|\s)\d{1,2}[.)]\s+(.*?)(?=\s+\d{1,2}[.)]\s|$)/gs)].map(([, step]) =>
    step!.trim(),
  );
  return {
    title: name ?? content,
    when: name === undefined ? '' : `${name.trim()}.`,
    steps: numbered.length >= 2 ? numbered : [body.replace(/\s+/g, ' ').trim()],
  };
}
